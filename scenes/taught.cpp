// Bars of shape matching that were shown poses (docs/poses.md): what they are pushed towards they go into.
#include <cmath>

#include "core/scene/derived/poses.h"
#include "scenes/builder.h"
#include "scenes/shipped.h"

namespace hazumi::shipped {

namespace {

template <class Place>
void teach(Object& o, const char* name, const Place& place) {
  AnalysisPose pose;
  pose.name = name;
  for (const Vec3& x : analysis_truss(o.analysis).nodes) pose.nodes.push_back({place(x) - x});
  add_pose(o.analysis, std::move(pose));
}

}  // namespace

Scene twist_and_bend() {
  Builder b("Twist and bend",
            "Three equal bars are thrown. The red one knows nothing, the blue one a twist, the yellow one an S: when a "
            "corner "
            "comes down, each does what it knows.",
            240);
  b.stage(1e7, 0.2, Vec3(0.56, 0.58, 0.54), Vec3(0.76, 0.80, 0.76));
  b.scene.settings.substeps = 6;
  const Vec3 size(0.4, 0.4, 1.6), colours[] = {{0.78, 0.26, 0.20}, {0.22, 0.42, 0.74}, {0.88, 0.68, 0.22}};
  const char* names[] = {"Plain", "Twist", "S"};
  for (int k = 0; k < 3; ++k) {
    Object o = b.object(names[k], "white plastic", PrimitiveShape::box, size, Vec3(1.5 * (k - 1), 1.9, 0));
    o.display.primitive.divisions = {6, 6, 24};
    Builder::flexible(o, AnalysisKind::box_grid, {2, 2, 8}, 2, 1e6, 1e3, kHardSkin);
    Builder::physics(o, 1e5, 0.1, 0.8);
    Builder::paint(o, colours[k], 0.4);
    o.body.solver = "shape_matching";
    set_parameter(o.body.parameters, {"shape_matching", "ring", {}, 2});
    if (k == 1)
      teach(o, "Twist", [](const Vec3& x) { return Vec3(Quat(Eigen::AngleAxisd(0.75 * x.z(), Vec3::UnitZ())) * x); });
    if (k == 2) teach(o, "S", [](const Vec3& x) { return Vec3(x + Vec3(0, 0.4 * x.z() * x.z() * x.z(), 0)); });
    o.transform.rotation = Quat(Eigen::AngleAxisd(0.35, Vec3::UnitX())) * Quat(Eigen::AngleAxisd(1.2, Vec3::UnitZ()));
    o.body.velocity = Vec3(0, -3.5, 0);
    o.body.spin = o.transform.rotation * Vec3(0, 0, 8);
    b.add(o);
  }
  b.camera(Vec3(2.0, 1.6, 4.4), Vec3(0.1, 0.45, 0));
  return b.done();
}

}  // namespace hazumi::shipped
