// Mapping of a rope: what is seen follows a smooth line through its nodes, and turns about it as little as it can.
//
//   σ         place along the nodes at reference, in parts: node k has σ = k
//   C(σ)      quadratic B-spline of the nodes: through the middles of parts, along them; straight within half a part of both ends
//             and beyond. With e_k = x_{k+1} − x_k, about node k, τ = σ − k + ½ in 0…1:
//             C = ½ (1 − τ)² x_{k−1} + (½ + τ − τ²) x_k + ½ τ² x_{k+1},   C' = (1 − τ) e_{k−1} + τ e_k
//   D(σ)      attitude, D t₀ = C'/|C'|: from part to part by the least turn that takes one direction into the next (Bishop 1975,
//             There is more than one way to frame a curve); that of the middle part is the least turn from where the body frame
//             has it, after the frame's own
//   x'        C(σ) + D c,   c: across the line at reference, m. It keeps its thickness however the rope is stretched
//
// D is not defined where a part points back along the one before, or the middle one against the body frame: there, what is round looks
// the same whatever D is.
#pragma once

#include "core/geometry/mapping/mapping.h"

namespace hazumi {

class LineMapping final : public Mapping {
 public:
  /// `truss` has a line of two nodes at least, straight at reference.
  LineMapping(const DisplayMesh& mesh, const Truss& truss);

  void map_vertices(std::span<const Vec3> nodes, const Pose& frame, std::span<Vec3f> positions,
                    std::span<Vec3f> normals, Executor& executor) const override;
  void map_points(std::span<const Vec3> nodes, const Pose& frame, std::span<const std::uint32_t> vertices,
                  std::span<Vec3> points) const override;
  DriverInfo drivers(std::size_t vertex) const override;
  void rates(std::span<const Vec3> nodes, const Pose& frame, std::span<const std::uint32_t> vertices,
             std::span<VertexRate> rates) const override;

 private:
  struct Vertex {
    double along = 0;            ///< σ
    Vec3 across = Vec3::Zero();  ///< c, m
    double on_axis = 0;          ///< of its normal, along the line
    Vec3 normal = Vec3::Zero();  ///< the rest of it
  };
  /// Three nodes from `first` on (of two the last has no weight): their weights in C and C'.
  struct Basis {
    std::size_t first = 0;
    std::array<double, 3> place = {}, slope = {};
    std::size_t part = 0;  ///< the one whose attitude is turned on to C'
  };
  Basis basis(double along) const;
  std::size_t part_count() const { return line_.size() - 1; }
  std::size_t middle() const { return (part_count() - 1) / 2; }
  Vec3 direction(std::span<const Vec3> nodes, std::size_t part) const;
  std::vector<Mat3> attitudes(std::span<const Vec3> nodes, const Pose& frame) const;

  std::vector<std::uint32_t> line_;  ///< of Truss
  Vec3 way_ = Vec3::UnitY();         ///< t₀
  double part_ = 1;                  ///< m, of a part at reference
  std::vector<Vertex> vertices_;
};

}  // namespace hazumi
