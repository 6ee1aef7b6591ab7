// Embedding (spec 1.6): barycentric coordinates in the tetrahedron of the analysis model that holds the
// display vertex.
//
//   x' = Σ_k b_k X'_k                        inside
//   x' = Σ_k b_k X'_k + F̄(y) d               outside: y = Σ b_k X_k is the nearest point of the tetrahedra, d
//   = x − y n' ∝ N̄(y) n
//
// F of one cell is constant, so normals by it would show every facet. F̄ and N̄ are F and its normal matrix
// (det F F⁻ᵀ) averaged at the nodes over the cells around them (by volume, so that slivers say little), and
// interpolated with b: smooth, and exact for every affine motion. Extrapolating b itself was the alternative
// for vertices outside; in flat cells it throws them far away.
#pragma once

#include "core/geometry/mapping/mapping.h"

namespace hazumi {

class EmbeddingMapping final : public Mapping {
 public:
  /// `truss` must have tetrahedra; those without volume are left out. With none left every vertex stays in
  /// the body frame.
  EmbeddingMapping(const DisplayMesh& mesh, const Truss& truss);

  void map_vertices(std::span<const Vec3> nodes, const Pose& frame, std::span<Vec3f> positions,
                    std::span<Vec3f> normals, Executor& executor) const override;
  void map_points(std::span<const Vec3> nodes, const Pose& frame, std::span<const std::uint32_t> vertices,
                  std::span<Vec3> points) const override;
  DriverInfo drivers(std::size_t vertex) const override;

  /// Distance from the vertex to the tetrahedra at reference, m; 0 inside.
  double outside(std::size_t vertex) const;

 private:
  struct Cell {
    std::array<std::uint32_t, 4> nodes;
    Mat3 inverse;   // B⁻¹ at reference, B = (X1 − X0, X2 − X0, X3 − X0)
    double volume;  // m³, at reference
  };
  struct Place {
    std::uint32_t cell = 0;
    std::array<double, 4> weights = {0, 0, 0, 0};
    std::uint32_t offset = kInside;  // into offsets_
  };
  static constexpr std::uint32_t kInside = 0xffffffffu;

  Mat3 gradient(const Cell& cell, std::span<const Vec3> nodes) const;
  Mat3 node_gradient(std::uint32_t node, std::span<const Vec3> nodes) const;

  Vec3 origin_;
  std::vector<Cell> cells_;
  std::vector<std::uint32_t> first_cell_,
      cells_of_node_;  // cells around node i: [first_cell_[i], first_cell_[i + 1])
  std::vector<double> volume_of_node_;
  std::vector<Place> places_;    // one per display vertex
  std::vector<Vec3> offsets_;    // d
  std::vector<Vec3> reference_;  // positions
  std::vector<Vec3f> normals_;
};

}  // namespace hazumi
