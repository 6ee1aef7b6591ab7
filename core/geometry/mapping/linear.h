// Linear mapping (spec 1.6, thesis 2.1–2.3): a display vertex lies in the tetrahedron of the body-frame
// origin and one hull triangle (X1, X2, X3); e = X⁻¹ x at reference, x' = X' e. Three nodes per vertex.
// Fallback for triangles coplanar with the origin (flat sheets): barycentric coordinates in the nearest
// triangle plus an offset along its normal.
#pragma once

#include "core/geometry/mapping/mapping.h"

namespace hazumi {

struct VertexDriver {
  std::array<std::uint32_t, 3> nodes = {0, 0, 0};
  std::array<double, 3> weights = {0, 0, 0};  ///< e1, e2, e3 (linear) or barycentric (fallback)
  double normal_offset = 0;                   ///< m along the triangle's normal; 0 in the linear case
  bool fallback = false;
};

/// The affine map of one driving triangle: x' = t + F (x − o), where F = B' B⁻¹ and B = (X1 − o, X2 − o, X3 −
/// o) in the linear case, B = (X2 − X1, X3 − X1, unit normal) with o = X1 in the fallback.
struct DrivingTriangle {
  std::array<std::uint32_t, 3> nodes = {0, 0, 0};
  bool fallback = false;
  Vec3 reference = Vec3::Zero();    ///< o at reference
  Mat3 inverse = Mat3::Identity();  ///< B⁻¹ at reference
};

class LinearMapping final : public Mapping {
 public:
  /// `truss` must have at least one hull triangle; with triangles of no area only, every vertex stays at
  /// reference.
  LinearMapping(const DisplayMesh& mesh, const Truss& truss);

  const Vec3& origin() const { return origin_; }  ///< body-frame origin at reference, object frame
  const std::vector<VertexDriver>& vertex_drivers() const { return drivers_; }

  void map_vertices(std::span<const Vec3> nodes, const Pose& frame, std::span<Vec3f> positions,
                    std::span<Vec3f> normals, Executor& executor) const override;
  void map_points(std::span<const Vec3> nodes, const Pose& frame, std::span<const std::uint32_t> vertices,
                  std::span<Vec3> points) const override;
  void map_points_below(std::span<const Vec3> nodes, const Pose& frame, std::span<const std::uint32_t> vertices,
                        const Vec3& n, double level, double slack, std::span<Vec3> points,
                        std::vector<std::size_t>& hits) const override;
  DriverInfo drivers(std::size_t vertex) const override;
  void rates(std::span<const Vec3> nodes, const Pose& frame, std::span<const std::uint32_t> vertices,
             std::span<VertexRate> rates) const override;

 private:
  Vec3 map_point(std::span<const Vec3> nodes, const Vec3& origin, std::size_t v) const;

  Vec3 origin_ = Vec3::Zero();
  std::vector<VertexDriver> drivers_;       // one per display vertex
  std::vector<DrivingTriangle> triangles_;  // those that drive at least one vertex
  std::vector<std::uint32_t> triangle_of_;  // one per display vertex, into triangles_
  std::vector<Vec3f> positions_, normals_;  // of the display mesh at reference
};

}  // namespace hazumi
