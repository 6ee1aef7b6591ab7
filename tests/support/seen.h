// Where the display model of a body is at the end of a step, as it is seen.
#pragma once

#include "tests/support/run.h"

namespace hazumi::test {

/// Vertices of the mesh of what deforms, m, world.
inline std::vector<Vec3> seen(const Run& run, Id id) {
  const std::size_t i = run.index(id);
  const hazumi::Body& body = run.model->bodies[i];
  const std::vector<double>& values = run.state.bodies[i].values;
  std::vector<Vec3> nodes(body.truss.nodes.size()), places(body.mesh->positions.size());
  body.positions(values, nodes);
  std::vector<std::uint32_t> all(places.size());
  for (std::uint32_t v = 0; v < all.size(); ++v) all[v] = v;
  body.mapping_in(body.parts(values).get())->map_points(nodes, body.pose(values), all, places);
  return places;
}

}  // namespace hazumi::test
