// A flexible bar whose tetrahedra are in three pieces that nothing joins; the middle one has the most volume.
#pragma once

#include "core/scene/values/scene.h"

namespace hazumi::test {

/// Four nodes, four that are twice as large, five in two small tetrahedra. Pose, groups, start and springs that have yielded are of all nodes.
inline Object loose_bar() {
  Object bar;
  bar.id = Id{1};
  bar.name = "Bar";
  bar.body.kind = BodyKind::flexible;
  bar.body.solver = "fem";
  bar.analysis.kind = AnalysisKind::strung;
  StrungTruss truss;
  const auto add = [&](double x, double size, bool twice) {
    const auto first = static_cast<std::uint32_t>(truss.nodes.size());
    for (const Vec3& at : {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)})
      truss.nodes.push_back({Vec3(size * at + Vec3(x, 0, 0))});
    truss.tetrahedra.push_back({first, first + 1, first + 2, first + 3});
    if (twice) {
      truss.nodes.push_back({Vec3(size * Vec3(1, 1, 1) + Vec3(x, 0, 0))});
      truss.tetrahedra.push_back({first + 1, first + 2, first + 3, first + 4});
    }
    for (std::uint32_t a = first; a < truss.nodes.size(); ++a)
      for (std::uint32_t b = a + 1; b < truss.nodes.size(); ++b) truss.springs.push_back({a, b});
  };
  add(-0.6, 0.3, false);
  add(-0.25, 0.5, false);
  add(0.3, 0.25, true);
  AnalysisPose pose;
  pose.id = 1;
  pose.name = "Long";
  for (std::size_t i = 0; i < truss.nodes.size(); ++i) {
    pose.nodes.push_back({Vec3(0.01 * static_cast<double>(i), 0, 0)});
    bar.body.start.push_back({Vec3::Zero(), Vec3(0, static_cast<double>(i), 0)});
  }
  bar.analysis.poses = {pose};
  bar.analysis.pose_groups = {{0, 1}, {5, 2}, {12, 1}};
  bar.body.start_springs = {{0, 1, 0.1, false}, {5, 7, 0.1, false}};
  bar.analysis.strung = std::make_shared<const StrungTruss>(std::move(truss));
  return bar;
}

}  // namespace hazumi::test
