// A body of every kind for the tests of rows.
#pragma once

#include "tests/support/run.h"

namespace hazumi::test {

/// A box of eight nodes, every two joined, with these nodes pinned.
inline Object eight_nodes(const std::vector<std::uint32_t>& pins) {
  StrungTruss truss;
  for (std::uint32_t i = 0; i < 8; ++i) {
    const Vec3 p(i & 1 ? 0.3 : -0.3, i & 2 ? 0.2 : -0.2, i & 4 ? 0.5 : -0.5);
    truss.nodes.push_back({p, 1.0 + 0.1 * i, std::find(pins.begin(), pins.end(), i) != pins.end()});
  }
  for (std::uint32_t i = 0; i < 8; ++i)
    for (std::uint32_t j = i + 1; j < 8; ++j) truss.springs.push_back({i, j, 1, 1, 1});
  Object o = World::box(Vec3(0.6, 0.4, 1), Vec3(0.2, 1, -0.4), 3);
  o.analysis = {"Box",        AnalysisKind::strung, {1, 1, 1},
                Vec3::Ones(), Vec3::Zero(),         std::make_shared<const StrungTruss>(truss)};
  o.transform.rotation = Quat(0.8, 0.3, -0.4, 0.2).normalized();
  o.body.velocity = Vec3(0.3, 2, -0.5);
  o.body.spin = Vec3(1.5, -2, 1);
  return o;
}

struct Moving {
  Run run;
  const hazumi::Body& body;
  std::vector<double>& values;

  Moving(const World& world, int steps) : run(world), body(run.model->bodies[0]), values(run.state.bodies[0].values) {
    run.steps(steps);
  }
};

inline World of(const Object& object, int substeps = 4) {
  World world;
  world.scene.settings.substeps = substeps;
  world.add(object);
  return world;
}

}  // namespace hazumi::test
