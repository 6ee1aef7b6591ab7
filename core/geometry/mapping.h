// Mapping analysis → display, linear (spec 1.6, thesis 2.1–2.3): a display vertex lies in the tetrahedron of the
// body-frame origin and one hull triangle (X1, X2, X3); e = X⁻¹ x at reference, x' = X' e. Three nodes per vertex.
// Fallback for triangles coplanar with the origin (flat sheets): barycentric coordinates in the nearest triangle plus
// an offset along its normal.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/parallel.h"
#include "core/geometry/mesh.h"
#include "core/geometry/truss.h"

namespace hazumi {

struct VertexDriver {
  std::array<std::uint32_t, 3> nodes = {0, 0, 0};
  std::array<double, 3> weights = {0, 0, 0};  ///< e1, e2, e3 (linear) or barycentric (fallback)
  double normal_offset = 0;                   ///< m along the triangle's normal; 0 in the linear case
  bool fallback = false;
};

/// The affine map of one driving triangle: x' = t + F (x − o), where F = B' B⁻¹ and B = (X1 − o, X2 − o, X3 − o) in the
/// linear case, B = (X2 − X1, X3 − X1, unit normal) with o = X1 in the fallback.
struct DrivingTriangle {
  std::array<std::uint32_t, 3> nodes = {0, 0, 0};
  bool fallback = false;
  Vec3 reference = Vec3::Zero();       ///< o at reference
  Mat3 inverse = Mat3::Identity();     ///< B⁻¹ at reference
};

struct LinearMapping {
  Vec3 origin = Vec3::Zero();              ///< body-frame origin at reference, object frame (centre of mass of the nodes)
  std::vector<VertexDriver> drivers;       ///< one per display vertex
  std::vector<DrivingTriangle> triangles;  ///< those that drive at least one vertex
  std::vector<std::uint32_t> triangle_of;  ///< one per display vertex, into `triangles`
  std::vector<Vec3f> positions, normals;   ///< of the display mesh at reference, float
};

/// `truss` must have at least one hull triangle.
LinearMapping make_linear_mapping(const DisplayMesh& mesh, const Truss& truss);

/// Deformed vertices and normals in the frame in which `nodes` and `origin` are given (world or body).
/// Float: for eyes and exporters. positions and normals have one entry per display vertex.
/// Normals are exact for the map: F⁻ᵀ n, made unit.
void map_vertices(const LinearMapping& mapping, std::span<const Vec3> nodes, const Vec3& origin,
                  std::span<Vec3f> positions, std::span<Vec3f> normals, Executor& executor);

/// One vertex in double precision, for contact: position of display vertex v.
Vec3 map_vertex(const LinearMapping& mapping, std::span<const Vec3> nodes, const Vec3& origin, std::size_t v);

}  // namespace hazumi
