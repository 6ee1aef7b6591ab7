// What tests of led bodies ask of a run.
#pragma once

#include "core/scene/derived/tracks.h"
#include "tests/support/run.h"

namespace hazumi::test {

inline void key(World& world, Id id, const char* field, double time, const FieldValue& value) {
  world.scene = with_key(std::move(world.scene), id.value, field, time, value);
}

/// Of its object frame.
inline Pose pose_in(const Run& run, Id id) {
  const Body& body = run.model->bodies[run.index(id)];
  return body.object_pose(body.pose(run.state.bodies[run.index(id)].values));
}

inline std::vector<Vec3> nodes_in(const Run& run, Id id) {
  const Body& body = run.model->bodies[run.index(id)];
  std::vector<Vec3> x(body.truss.nodes.size());
  body.positions(run.state.bodies[run.index(id)].values, x);
  return x;
}

/// m: the largest difference of a distance between two nodes.
inline double bent_by(const std::vector<Vec3>& x, const std::vector<Vec3>& rest) {
  double most = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      most = std::max(most, std::abs((x[i] - x[j]).norm() - (rest[i] - rest[j]).norm()));
  return most;
}

}  // namespace hazumi::test
