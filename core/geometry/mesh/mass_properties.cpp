#include "core/geometry/mesh/mass_properties.h"

namespace hazumi {

namespace {

/// Inertia tensor from the second-moment matrix C = ∫ ρ x xᵀ dV: J = tr(C) I − C.
Mat3 inertia_from_covariance(const Mat3& c) { return c.trace() * Mat3::Identity() - c; }

}  // namespace

double mesh_volume(std::span<const Vec3> positions, std::span<const std::array<std::uint32_t, 3>> faces) {
  if (faces.empty()) return 0;
  const Vec3 base = positions[faces[0][0]];  // near the body: no cancellation far from the origin
  double six = 0;
  for (const auto& f : faces)
    six += (positions[f[0]] - base).dot((positions[f[1]] - base).cross(positions[f[2]] - base));
  return six / 6.0;
}

MassProperties mass_properties(const DisplayMesh& mesh, double density) {
  MassProperties result;
  if (mesh.faces.empty()) return result;
  const Vec3 base = bounds(mesh).centre();
  double volume = 0;
  Vec3 first = Vec3::Zero();
  Mat3 second = Mat3::Zero();
  for (const auto& f : mesh.faces) {
    const Vec3 a = mesh.positions[f[0]] - base, b = mesh.positions[f[1]] - base, c = mesh.positions[f[2]] - base;
    const double v = a.dot(b.cross(c)) / 6.0;  // signed tetrahedron (base, a, b, c)
    const Vec3 s = a + b + c;
    volume += v;
    first += v * s / 4.0;
    // ∫ x xᵀ over the tetrahedron = v/20 (a aᵀ + b bᵀ + c cᵀ + s sᵀ)
    second += v / 20.0 * (a * a.transpose() + b * b.transpose() + c * c.transpose() + s * s.transpose());
  }
  result.volume = volume;
  result.mass = density * volume;
  const Vec3 centre = volume != 0 ? Vec3(first / volume) : Vec3(Vec3::Zero());
  result.centre = base + centre;
  result.inertia = density * inertia_from_covariance(second - volume * centre * centre.transpose());
  return result;
}

MassProperties mass_properties(std::span<const Vec3> positions, std::span<const double> masses) {
  MassProperties result;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    result.mass += masses[i];
    result.centre += masses[i] * positions[i];
  }
  if (result.mass > 0) result.centre /= result.mass;
  Mat3 second = Mat3::Zero();
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const Vec3 r = positions[i] - result.centre;
    second += masses[i] * r * r.transpose();
  }
  result.inertia = inertia_from_covariance(second);
  return result;
}

}  // namespace hazumi
