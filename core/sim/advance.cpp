#include "core/sim/advance.h"

namespace hazumi {
namespace {

constexpr std::size_t kBodiesPerBlock = 4;  // bodies per block

}  // namespace

void advance_bodies(const Model& model, const State& start, State& state, const std::vector<BodyForces>& forces,
                    std::vector<ElasticWorkspace>& workspaces, Executor& executor, std::vector<char>& good,
                    std::span<const char> asleep, std::span<const std::int32_t> joined, std::span<int> passes) {
  const double time = model.clock.film(state.substep);
  executor.blocks(model.bodies.size(), kBodiesPerBlock, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const Body& body = model.bodies[i];
      good[i] = 1;
      if (forces[i].led) {
        body.lead(*forces[i].led, state.bodies[i].values);
        continue;
      }
      if (!joined.empty() && joined[i] >= 0) continue;
      if (!body.present(time, start.bodies[i].values) || (!asleep.empty() && asleep[i])) continue;
      ElasticWorkspace& workspace = workspaces[begin / kBodiesPerBlock];
      workspace.executor = &executor;
      good[i] = body.advance(model.step, forces[i], acceleration_of(model, forces[i], body), start.bodies[i].values,
                             state.bodies[i].values, workspace, nullptr);
      if (body.deforms && !passes.empty()) passes[i] += workspace.passes;
    }
  });
}

void forget_rows(State& state, std::uint32_t body) {
  std::erase_if(state.rows, [&](const RowMemory& row) {
    return row.key.bodies >> 32 == body || (row.key.bodies & 0xffffffffu) == body;
  });
}

}  // namespace hazumi
