// A cloth from a mesh: round, with a hole, it falls over a bust's head onto its shoulders.
#include "scenes/shipped.h"

#include <cmath>
#include <cstdio>

#include "core/geometry/truss/cloth_mesh.h"
#include "scenes/builder.h"
#include "scenes/mesh_text.h"

namespace hazumi::shipped {

namespace {

/// Rings about a hole, in y = 0, turned against each other by half a part.
MeshText poncho_mesh() {
  constexpr int kSides = 56, kRings = 9;
  constexpr double kHole = 0.17, kEdge = 0.72;
  MeshText mesh;
  mesh.part("Poncho");
  std::vector<std::vector<std::size_t>> rings;
  for (int ring = 0; ring <= kRings; ++ring) {
    std::vector<std::size_t> around;
    const double radius = kHole + (kEdge - kHole) * ring / kRings;
    for (int k = 0; k < kSides; ++k) {
      const double angle = 2 * kPi * (k + 0.5 * (ring % 2)) / kSides;
      around.push_back(mesh.vertex({radius * std::sin(angle), 0, radius * std::cos(angle)}));
    }
    rings.push_back(around);
  }
  mesh.skin(rings);
  return mesh;
}

bool make_cloth_of(Object& o, int nodes) {
  auto made = cloth_of_mesh(*o.display.mesh.mesh, {.nodes = nodes});
  if (!made.ok()) {
    std::fprintf(stderr, "%s\n", to_string(made.error()).c_str());
    return false;
  }
  StrungTruss truss = std::move(made).value();
  for (StrungNode& node : truss.nodes) {
    node.position = (node.position * 1e4).array().round() * 1e-4;  // shorter to read
    node.mass = std::max(0.01, 0.01 * std::round(100 * node.mass));
  }
  for (StrungSpring& spring : truss.springs)
    spring.stiffness = spring.damping = std::max(0.01, 0.01 * std::round(100 * spring.stiffness));
  o.analysis.name = "Cloth";
  o.analysis.kind = AnalysisKind::strung;
  o.analysis.strung = std::make_shared<const StrungTruss>(std::move(truss));
  return true;
}

Object bust(Builder& b, const std::string& name, PrimitiveShape shape, const Vec3& size, const Vec3& at) {
  Object o = b.object(name, "white plastic", shape, size, at);
  o.body.kind = BodyKind::fixed;
  Builder::physics(o, 1e7, 0, 0.5);
  Builder::paint(o, Vec3(0.62, 0.50, 0.40), 0.15);
  return o;
}

}  // namespace

Scene poncho(const std::string& folder) {
  Builder b("Poncho",
            "A round cloth with a hole, made of a mesh, falls over a bust's head and drapes over its shoulders. Change "
            "its Bending, or make the cloth anew with fewer nodes under Analysis.",
            180);
  b.stage(1e7, 0.1, Vec3(0.44, 0.43, 0.47), Vec3(0.78, 0.77, 0.80));
  Object trunk = bust(b, "Trunk", PrimitiveShape::cylinder, Vec3(0.26, 1.0, 0.26), Vec3(0, 0.5, 0));
  trunk.display.primitive.divisions = {32, 1, 1};
  b.add(trunk);
  Object shoulders = bust(b, "Shoulders", PrimitiveShape::capsule, Vec3(0.24, 0.56, 0.24), Vec3(0, 1.0, 0));
  shoulders.display.primitive.divisions = {28, 14, 1};
  shoulders.transform.rotation = Quat(Eigen::AngleAxisd(kPi / 2, Vec3::UnitZ()));
  b.add(shoulders);
  b.add(bust(b, "Neck", PrimitiveShape::capsule, Vec3(0.11, 0.34, 0.11), Vec3(0, 1.16, 0)));
  b.add(bust(b, "Head", PrimitiveShape::sphere, Vec3(0.22, 0.28, 0.23), Vec3(0, 1.32, 0)));
  Object o = b.object("Poncho", "red plastic", PrimitiveShape::box, Vec3::Ones(), Vec3(0.01, 1.62, -0.01));
  if (!take_mesh(o, folder, "poncho.obj", poncho_mesh()) || !make_cloth_of(o, 300)) return b.done();
  o.body.kind = BodyKind::flexible;
  o.body.solver = "springs";
  o.body.cross_section = kHardSkin;
  Builder::springs(o, 0.4, 400, 0.4);
  Builder::physics(o, 1e7, 0, 0.4);
  o.analysis.bending = 1.5e-3;
  o.body.drag_linear = 0.8;
  o.contact.self_collision = true;
  o.contact.thickness = 0.004;
  Builder::paint(o, Vec3(0.70, 0.30, 0.14));
  b.add(o);
  b.camera(Vec3(1.05, 1.55, 1.75), Vec3(0, 0.98, 0));
  b.soften();
  return b.done();
}

}  // namespace hazumi::shipped
