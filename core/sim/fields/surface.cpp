#include "core/sim/fields/surface.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "core/geometry/mesh/winding.h"

namespace hazumi {

namespace {

constexpr std::size_t kFine = 300;  // more faces than that need no places within each

}  // namespace

bool is_closed(std::span<const std::array<std::uint32_t, 3>> faces) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (const auto& f : faces)
    for (std::size_t k = 0; k < 3; ++k)
      if (!edges.emplace(f[k], f[(k + 1) % 3]).second) return false;
  return !edges.empty() && std::all_of(edges.begin(), edges.end(), [&](const auto& edge) {
    return edges.contains({edge.second, edge.first});
  });
}

BodySurface surface_of(const DisplayMesh& mesh, const Vec3& origin, double matter) {
  BodySurface out;
  out.volume = matter;
  if (!mesh.empty()) {
    const MeshMeasure measured = measure(mesh);
    out.closed = measured.exact && measured.volume > 0;
    if (measured.volume > 0) out.volume = measured.volume;
  }
  out.radius = std::cbrt(0.75 * out.volume / kPi);
  for (const auto& f : mesh.faces) {
    const Vec3 a = mesh.positions[f[0]] - origin, b = mesh.positions[f[1]] - origin, c = mesh.positions[f[2]] - origin;
    const Vec3 across = 0.5 * (b - a).cross(c - a);
    const double area = across.norm();
    if (!(area > 0)) continue;
    const Vec3 normal = across / area;
    if (mesh.faces.size() > kFine) {
      out.pieces.push_back({(a + b + c) / 3, normal, area});
      continue;
    }
    // Exact for what is quadratic over the triangle, as the pressure of what turns.
    for (const Vec3& corner : {a, b, c}) out.pieces.push_back({(3 * corner + a + b + c) / 6, normal, area / 3});
  }
  return out;
}

Vec3 mean_drag(double rate, double h, const Vec3& velocity, const Vec3& air, const Vec3& other) {
  const double x = rate * h;
  if (!(x > 0)) return Vec3::Zero();
  const double less = x < 1e-4 ? x * (0.5 - x / 6) : 1 + std::expm1(-x) / x;  // 1 − φ, φ = (1 − e^−x)/x
  return (1 - less) * rate * (air - velocity) - less * other;
}

}  // namespace hazumi
