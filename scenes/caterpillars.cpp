// Three soft bars with the same keys of their shape, followed loosely, half and exactly (docs/numerics/keyed-shapes.md).
#include <cmath>

#include "core/scene/derived/poses.h"
#include "core/scene/derived/tracks.h"
#include "scenes/builder.h"
#include "scenes/shipped.h"

namespace hazumi::shipped {

namespace {

/// The middle line of a bar along x as a part of a circle, its ends down.
AnalysisPose arched(const Object& o, const std::string& name, double angle) {
  const std::vector<Vec3> rest = analysis_truss(o.analysis).nodes;
  const double length = o.analysis.size.x();
  std::vector<Vec3> places;
  for (const Vec3& x : rest) {
    const double turn = angle * x.x() / length, radius = length / angle;
    places.emplace_back((radius + x.y()) * std::sin(turn), (radius + x.y()) * std::cos(turn) - radius, x.z());
  }
  AnalysisPose pose;
  pose.name = name;
  pose.example = false;
  pose.nodes = pose_from_places(rest, places).value();
  return pose;
}

}  // namespace

Scene caterpillars() {
  Builder b("Caterpillars",
            "Three soft bars with the same keys of their shape: they arch, spring and lie. Followed not at all, half "
            "and exactly; "
            "they hop and land by physics.",
            400);
  b.stage(1e7, 0.2, Vec3(0.50, 0.56, 0.44), Vec3(0.72, 0.80, 0.78));
  const Vec3 colours[] = {{0.36, 0.60, 0.24}, {0.84, 0.60, 0.20}, {0.72, 0.28, 0.30}};
  const char* names[] = {"Loose", "Half", "Exact"};
  for (int k = 0; k < 3; ++k) {
    Object o = b.object(names[k], "green rubber", PrimitiveShape::rounded_box, Vec3(1.8, 0.32, 0.4),
                        Vec3(0, 0.17, 1.1 * (k - 1)));
    o.display.primitive.divisions = {36, 6, 8};
    Builder::flexible(o, AnalysisKind::box_grid, {8, 2, 2}, 2, 900, 12, kHardSkin);
    Builder::physics(o, 1e5, 0.1, 0.9);
    Builder::paint(o, colours[k], 0.35);
    o.body.solver = "fem";
    o.body.shape.following = 0.5 * k;
    const auto arch = static_cast<int>(add_pose(o.analysis, arched(o, "Arch", 2.6)));
    const auto sag = static_cast<int>(add_pose(o.analysis, arched(o, "Sag", -0.9)));
    const Id id = o.id;
    b.add(o);
    const std::pair<double, int> keys[] = {{0.4, 0}, {1.8, arch}, {2.2, arch}, {2.4, sag},  {2.8, 0},
                                           {4.0, 0}, {5.0, arch}, {5.6, arch}, {5.75, sag}, {6.2, 0}};
    for (const auto& [time, pose] : keys)
      b.scene = with_key(std::move(b.scene), id.value, "body.shape.pose", time, std::int64_t{pose});
    b.next = next_id(b.scene).value;
  }
  b.camera(Vec3(2.2, 1.5, 3.2), Vec3(0, 0.3, 0));
  return b.done();
}

}  // namespace hazumi::shipped
