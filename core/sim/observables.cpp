// initial_state and observe: what a state says about a body.
#include "core/sim/model.h"

namespace hazumi {

State initial_state(const Model& model) {
  State state;
  state.bodies.resize(model.bodies.size());
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    const Body& body = model.bodies[i];
    std::vector<double>& values = state.bodies[i].values;
    values.resize(body.state_size());
    body.initialise(values);
  }
  if (model.director) state.motion = model.director->initial();
  return state;
}

Observables observe(const Model& model, const State& state, std::size_t number) {
  return model.bodies[number].observe(state.bodies[number].values);
}

}  // namespace hazumi
