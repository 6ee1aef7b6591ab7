// Mapping of a mesh that is cut into shards (geometry/mesh/shards.h), for one set of parts that its body is in.
//
//   w_k = (1 − (d_k/D)²)²,   d_k = |x − X_k| < D = 1.5 d of the sixth nearest        nodes k of the part that the shard of x belongs to
//   c = Σ w X / Σ w,   A = Σ w (X − c)(X − c)ᵀ
//   x' = Σ b_k X'_k + R a,   b_k = w_k (1/Σ w + (X_k − c)·A⁺ (x − c)),   a = x − Σ b_k X_k
//   F  = Σ X'_k ⊗ A⁺ w_k (X_k − c) + R (1 − A⁺A),   n' = F⁻ᵀ n
//
//   x, X   vertex and nodes at reference, m, object frame; x', X' where they are          R   rotation of the body frame
// Moving least squares (Lancaster and Salkauskas 1981), the linear fit: exact for affine motions of a part. A⁺ leaves out the directions in
// which the nodes near x do not spread, as all of them where a part is a node alone; those go with the frame. Where a vertex is depends on its place
// and its part alone, so what was cut and has not come apart stays together, to the last bit.
#pragma once

#include "core/geometry/mapping/mapping.h"

namespace hazumi {

class ShardMapping final : public Mapping {
 public:
  /// `kind`: what the object says. `part_of_node`: empty, all are one.
  ShardMapping(MappingKind kind, const DisplayMesh& mesh, const Truss& truss,
               std::span<const std::uint32_t> part_of_node);

  void map_vertices(std::span<const Vec3> nodes, const Pose& frame, std::span<Vec3f> positions,
                    std::span<Vec3f> normals, Executor& executor) const override;
  void map_points(std::span<const Vec3> nodes, const Pose& frame, std::span<const std::uint32_t> vertices,
                  std::span<Vec3> points) const override;
  DriverInfo drivers(std::size_t vertex) const override;

 private:
  struct Driver {
    std::uint32_t node;
    double weight;
    Vec3 slope;  // 1/m, of F
  };
  struct Follows {
    std::uint32_t first = 0, count = 0;
    Vec3 arm = Vec3::Zero();
    Mat3 open = Mat3::Zero();  // 1 − A⁺A
  };
  Vec3 place(const Follows& of, std::span<const Vec3> nodes, const Mat3& rotation) const;

  std::vector<Follows> follows_;  // one per place and part
  std::vector<std::uint32_t> of_vertex_;
  std::vector<Driver> drivers_;
  std::vector<Vec3> normals_;
};

}  // namespace hazumi
