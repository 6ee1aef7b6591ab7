// Spot, a cow by Keenan Crane (CC0 1.0), imported and filled with tetrahedra. spot.obj names spot.mtl and
// spot.png, its coat (painted by paint_spot.py).
#include "scenes/shipped.h"

#include <cstdio>

#include "core/geometry/truss/tetra_fill.h"
#include "core/import/mesh_file.h"
#include "scenes/builder.h"

namespace hazumi::shipped {

Scene spot(const std::string& folder) {
  Builder b("Spot", "An imported mesh filled with tetrahedra lands on heavy hooves. By Keenan Crane (CC0).", 210);
  b.stage(1e7, 0.5, Vec3(0.36, 0.52, 0.26), Vec3(0.50, 0.66, 0.80));
  const Vec3 straw(0.80, 0.66, 0.32);
  const auto bale = [&](const std::string& name, const Vec3& position, double turn) {
    Object o = b.object(name, "white plastic", PrimitiveShape::cylinder, Vec3(0.6, 0.75, 0.6), position);
    o.transform.rotation =
        Quat(Eigen::AngleAxisd(radians(turn), Vec3::UnitY())) * Quat(Eigen::AngleAxisd(radians(90), Vec3::UnitX()));
    o.body.kind = BodyKind::fixed;
    Builder::paint(o, straw, 0.02);
    b.add(o);
  };
  bale("Bale", {-1.35, 0.3, -1.3}, 25);
  bale("Bale 2", {-0.72, 0.3, -1.75}, 10);
  bale("Bale 3", {1.75, 0.3, -1.6}, -35);
  Object o = b.object("Spot", "white plastic", PrimitiveShape::box, Vec3(1, 1, 1), Vec3(-0.25, 1.35, 0));
  o.transform.scale = Vec3::Constant(0.6);
  o.display.kind = DisplayKind::mesh;
  o.display.mesh.file = "spot.obj";
  auto read = load_mesh_file(folder + "/" + o.display.mesh.file, o.display.mesh.settings);
  if (!read.ok()) {
    std::fprintf(stderr, "%s\n", to_string(read.error()).c_str());
    return b.done();
  }
  o.display.mesh.mesh = std::make_shared<const DisplayMesh>(std::move(read.value().mesh));
  o.display.mesh.content = mesh_hash(*o.display.mesh.mesh);
  TetraFillOptions options;
  options.tetrahedra = 900;
  options.feature_angle = kPi;
  auto fill = fill_with_tetrahedra(*o.display.mesh.mesh, options);
  if (!fill.ok()) {
    std::fprintf(stderr, "%s\n", to_string(fill.error()).c_str());
    return b.done();
  }
  StrungTruss truss = std::move(fill.value().truss);
  for (StrungNode& node : truss.nodes) {
    node.position =
        (node.position * 1e4).array().round() * 1e-4;  // a tenth of a millimetre is enough, and shorter to read
    // By volume, nodes at the horns would weigh a hundredth of the others, and any touch would throw them
    // about. Hooves are heavy: the head is large, and without them Spot would fall on its nose.
    node.mass = node.position.y() < -0.3 ? 8 : 1;
  }
  o.analysis.name = "Tetrahedra";
  o.analysis.kind = AnalysisKind::strung;
  o.analysis.strung = std::make_shared<const StrungTruss>(std::move(truss));
  o.transform.rotation = Quat(Eigen::AngleAxisd(radians(-130), Vec3::UnitY()));
  o.body.kind = BodyKind::flexible;
  o.body.cross_section = kHardSkin;
  o.body.mass = 4;
  o.body.stiffness = 220;
  o.body.damping = 1.2;
  o.body.velocity = Vec3(0.3, 1.0, 0.1);
  Builder::physics(o, 1e5, 0.2, 0.1);
  Builder::paint(o, Vec3(0.95, 0.95, 0.95), 0.1);
  b.add(o);
  b.camera(Vec3(0.35, 1.1, 3.3), Vec3(0.05, 0.78, 0));
  return b.done();
}

}  // namespace hazumi::shipped
