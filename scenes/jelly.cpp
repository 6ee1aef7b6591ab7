// A jelly out of a fluted mould, filled with tetrahedra, on a dish, and a plate that falls on it.
#include "scenes/shipped.h"

#include <cmath>
#include <cstdio>
#include <vector>

#include "core/geometry/truss/tetra_fill.h"
#include "scenes/builder.h"
#include "scenes/mesh_text.h"

namespace hazumi::shipped {

namespace {

constexpr double kJellyHeight = 0.62, kDishTop = 0.05;  // m

/// Ten flutes, none in the middle of the top and little at the foot; its foot in y = 0.
MeshText jelly_mesh() {
  const int sides = 60;
  // Radius, height, depth of the flutes.
  std::vector<Vec3> profile = {{0.30, 0, 0}, {0.54, 0, 0.02}, {0.575, 0.03, 0.03}};
  for (int k = 1; k <= 6; ++k) profile.push_back({0.575 - 0.022 * k, 0.03 + 0.075 * k, 0.03 + 0.004 * k});
  for (const int degrees : {20, 40, 60, 80}) {
    const double a = radians(degrees);
    profile.push_back({0.333 + 0.11 * std::cos(a), 0.48 + 0.13 * std::sin(a), 0.054 * std::cos(a)});
  }
  profile.push_back({0.20, kJellyHeight, 0});
  MeshText mesh;
  mesh.part("Jelly");
  std::vector<std::vector<std::size_t>> rings;
  for (const Vec3& p : profile) {
    std::vector<std::size_t> ring;
    for (int k = 0; k < sides; ++k) {
      const double angle = 2 * kPi * k / sides, radius = p.x() + 0.5 * p.z() * std::cos(10 * angle);
      ring.push_back(mesh.vertex({radius * std::sin(angle), p.y(), radius * std::cos(angle)}));
    }
    rings.push_back(ring);
  }
  mesh.skin(rings);
  const std::size_t foot = mesh.vertex(Vec3::Zero()), top = mesh.vertex({0, kJellyHeight + 0.003, 0});
  for (std::size_t k = 0; k < static_cast<std::size_t>(sides); ++k) {
    const std::size_t next = (k + 1) % static_cast<std::size_t>(sides);
    mesh.face({foot, rings.front()[next], rings.front()[k]});
    mesh.face({rings.back()[k], rings.back()[next], top});
  }
  return mesh;
}

bool fill(Object& o, int tetrahedra) {
  TetraFillOptions options;
  options.tetrahedra = tetrahedra;
  options.feature_angle = kPi;
  auto filled = fill_with_tetrahedra(*o.display.mesh.mesh, options);
  if (!filled.ok()) {
    std::fprintf(stderr, "%s\n", to_string(filled.error()).c_str());
    return false;
  }
  StrungTruss truss = std::move(filled.value().truss);
  for (StrungNode& node : truss.nodes) {
    node.position = (node.position * 1e4).array().round() * 1e-4;
    node.mass = 1;
  }
  o.analysis.name = "Tetrahedra";
  o.analysis.kind = AnalysisKind::strung;
  o.analysis.strung = std::make_shared<const StrungTruss>(std::move(truss));
  return true;
}

}  // namespace

Scene jelly(const std::string& folder) {
  Builder b("Jelly under a plate", "A plate falls on a jelly, which gives way, wobbles and carries it.", 300);
  b.stage(1e7, 0.3, Vec3(0.40, 0.47, 0.53), Vec3(0.78, 0.80, 0.80));
  Object dish =
      b.object("Dish", "white plastic", PrimitiveShape::cylinder, Vec3(1.7, kDishTop, 1.7), Vec3(0, 0.5 * kDishTop, 0));
  dish.display.primitive.divisions = {64, 1, 1};
  dish.body.kind = BodyKind::fixed;
  Builder::paint(dish, Vec3(0.90, 0.90, 0.87), 0.3);
  Builder::physics(dish, 1e7, 0.2, 0.8);
  b.add(dish);
  Object o = b.object("Jelly", "ruby", PrimitiveShape::box, Vec3::Ones(), Vec3(0, kDishTop + 1e-3, 0));
  if (!take_mesh(o, folder, "jelly.obj", jelly_mesh()) || !fill(o, 350)) return b.done();
  o.body.kind = BodyKind::flexible;
  o.body.cross_section = kHardSkin;
  Builder::springs(o, 3, 20, 0.08);
  Builder::physics(o, 1e5, 0.1, 0.8);
  Builder::paint(o, Vec3(0.80, 0.06, 0.14), 0.7);
  o.material.surface.shininess = 60;
  b.add(o);
  Object plate =
      b.object("Plate", "polished silver", PrimitiveShape::cylinder, Vec3(1.15, 0.045, 1.15), Vec3(0, 1.45, 0));
  plate.display.primitive.divisions = {48, 1, 1};
  plate.transform.rotation = Quat(Eigen::AngleAxisd(radians(5), Vec3(0.2, 0, 1).normalized()));
  plate.body.mass = 1;
  Builder::paint(plate, Vec3(0.74, 0.77, 0.80), 0.6);
  Builder::physics(plate, 1e7, 0.1, 0.8);
  b.add(plate);
  b.camera(Vec3(0.4, 1.15, 3.0), Vec3(0, 0.55, 0));
  return b.done();
}

}  // namespace hazumi::shipped
