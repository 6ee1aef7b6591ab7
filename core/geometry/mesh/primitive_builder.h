// What the shapes of the catalogue are put together with; used by primitives*.cpp only.
#pragma once

#include <algorithm>
#include <cmath>

#include "core/geometry/mesh/primitives.h"

namespace hazumi::primitive {

using Index = std::uint32_t;

struct Builder {
  DisplayMesh mesh;

  Index vertex(const Vec3& p, const Vec3& n) {
    mesh.positions.push_back(p);
    mesh.normals.push_back(n.normalized());
    return static_cast<Index>(mesh.positions.size() - 1);
  }
  void triangle(Index a, Index b, Index c) { mesh.faces.push_back({a, b, c}); }
  void quad(Index a, Index b, Index c, Index d) {
    triangle(a, b, c);
    triangle(a, c, d);
  }
  DisplayMesh finish(const char* name) {
    mesh.parts = {{name, 0, static_cast<Index>(mesh.faces.size())}};
    return std::move(mesh);
  }
};

/// Point on the unit circle in the x–z plane, number k of n; the same k gives the same bits wherever it is used, so
/// that seams close exactly. k runs from +z towards +x.
inline Vec2 circle(int k, int n) {
  const double angle = 2.0 * kPi * (k % n) / n;
  return {std::sin(angle), std::cos(angle)};
}

/// Radius of a torus's tube where its outer radius is ½: as wide as it is high, unless that would close the hole.
inline double torus_tube(const Vec3& size) { return std::min(0.24, 0.5 * size.y() / std::sqrt(size.x() * size.z())); }

DisplayMesh superellipsoid(const Primitive& p);
DisplayMesh supertorus(const Primitive& p);
DisplayMesh hyperboloid_one(const Primitive& p);
DisplayMesh hyperboloid_two(const Primitive& p);
DisplayMesh capsule(const Primitive& p);
DisplayMesh tube(const Primitive& p);
DisplayMesh wedge(const Primitive& p);
DisplayMesh rounded_box(const Primitive& p);

}  // namespace hazumi::primitive
