// Where a force of the scene (scene/derived/pushes.h) acts on its body in a run.
#pragma once

#include <vector>

#include "core/scene/derived/pushes.h"
#include "core/sim/model.h"

namespace hazumi {

struct Pushed {
  std::uint32_t body = 0;
  Push push;
  Vec3 place = Vec3::Zero();         ///< of what does not bend, from the origin of the body frame, which is its centre
  std::vector<std::uint32_t> nodes;  ///< of what bends
};
Pushed acting(const Scene& scene, const Model& model, std::uint32_t body, const Push& push);
/// `force`: N, in the axes that the force says.
void push_by(const Model& model, const State& state, const Pushed& one, Vec3 force, BodyForces& to);

}  // namespace hazumi
