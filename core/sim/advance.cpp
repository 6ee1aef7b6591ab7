#include "core/sim/advance.h"

#include "core/sim/body/point.h"

namespace hazumi {
namespace {

constexpr std::size_t kBodiesPerBlock = 4;  // bodies per block

}  // namespace

bool alive(const Body& body, double time) {
  return body.kind != BodyKind::point || (time >= body.birth && time < body.death);
}

void advance_bodies(const Model& model, State& state, const std::vector<BodyForces>& forces,
                    std::vector<ElasticWorkspace>& workspaces, Executor& executor, std::vector<char>& good) {
  const double time = static_cast<double>(state.substep) * model.step;
  executor.blocks(model.bodies.size(), kBodiesPerBlock, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const Body& body = model.bodies[i];
      const Vec3 gravity = body.gravity ? model.gravity : Vec3::Zero();
      std::vector<double>& values = state.bodies[i].values;
      good[i] = 1;
      if (!alive(body, time)) continue;
      if (body.kind == BodyKind::rigid && body.pins.kind != PinKind::none)
        good[i] = body.pinned.step(body.rigid, model.step, forces[i].force, forces[i].torque, gravity, values);
      else if (body.kind == BodyKind::rigid)
        good[i] = rigid_step(body.rigid, model.step, forces[i].force, forces[i].torque, gravity, values);
      if (body.kind == BodyKind::point) good[i] = point_step(body.mass, model.step, forces[i].force, gravity, values);
      if (body.kind == BodyKind::flexible)
        good[i] = body.elastic->step(values, forces[i].nodes, gravity, workspaces[begin / kBodiesPerBlock]);
    }
  });
}

}  // namespace hazumi
