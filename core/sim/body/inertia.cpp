#include "core/sim/body/inertia.h"

namespace hazumi {
namespace {

/// Inertia of a solid box of full extents `size` about its centre.
Mat3 box_inertia(double mass, const Vec3& size) {
  const Vec3 s = size.cwiseProduct(size);
  return (mass / 12.0 * Vec3(s.y() + s.z(), s.z() + s.x(), s.x() + s.y())).asDiagonal();
}

}  // namespace

BodyInertia body_inertia(double mass, const DisplayMesh& mesh, const Truss& truss) {
  BodyInertia body;
  if (!mesh.empty() && is_closed(mesh)) {
    const MassProperties p = mass_properties(mesh, 1.0);
    if (p.volume > 0) return {p.centre, mass / p.mass * p.inertia};
  }
  if (!truss.empty()) {
    const MassProperties p = mass_properties(truss.nodes, truss.masses);
    body.centre = p.centre;
    body.inertia = mass / p.mass * p.inertia;
  } else if (!mesh.empty()) {
    const Box3 box = bounds(mesh);
    body.centre = box.centre();
    body.inertia = box_inertia(mass, box.size());
  } else {
    body.inertia = 0.4 * mass * 0.25 * Mat3::Identity();
  }
  // Nodes on a line resist no turn about it: a thousandth of the mean inertia keeps the body from spinning up without limit.
  body.inertia += 1e-3 / 3.0 * std::max(body.inertia.trace(), 1e-12 * mass) * Mat3::Identity();
  return body;
}

BodyInertia shell_inertia(double mass, const DisplayMesh& mesh) {
  const Vec3 base = bounds(mesh).centre();
  double area = 0;
  Vec3 first = Vec3::Zero();
  Mat3 second = Mat3::Zero();
  for (const auto& f : mesh.faces) {
    const Vec3 a = mesh.positions[f[0]] - base, b = mesh.positions[f[1]] - base, c = mesh.positions[f[2]] - base;
    const double face = 0.5 * (b - a).cross(c - a).norm();
    const Vec3 s = a + b + c;
    area += face;
    first += face / 3 * s;
    // ∫ x xᵀ over the triangle = A/12 (a aᵀ + b bᵀ + c cᵀ + s sᵀ)
    second += face / 12 * (a * a.transpose() + b * b.transpose() + c * c.transpose() + s * s.transpose());
  }
  const Vec3 centre = first / area;
  const Mat3 spread = mass / area * (second - area * centre * centre.transpose());
  return {base + centre, spread.trace() * Mat3::Identity() - spread};
}

}  // namespace hazumi
