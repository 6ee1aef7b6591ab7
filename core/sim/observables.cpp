// initial_state and observe: what a state says about a body.
#include "core/sim/model.h"

namespace hazumi {

std::optional<Lead> Director::begins(const Model&, std::size_t) const { return std::nullopt; }
void Director::numbers(const Model&, const State&, std::int64_t, std::vector<NumberTold>&) const {}
void Director::drive(const Model&, std::int64_t, std::span<JointDrive>) const {}
std::optional<double> Director::begins_sized(const Model&, std::size_t) const { return std::nullopt; }
RestShape Director::begins_shaped(const Model&, std::size_t) const { return {}; }
bool Director::foresee(const Model&, const State&, const StepReport&, State&, std::span<BodyForces>) const {
  return false;
}
bool Director::give_way(const Model&, const StepReport&, const State&, std::span<BodyForces>) const { return false; }
void Director::carry(const Model&, const State&, State&) const {}
void Director::show(const Model&, int, SeenBodies&) const {}

void Director::look(const Model&, const State&, std::span<BodyLook>) const {}

void Director::begin(const Model&, State&, std::vector<MotionMark>&) const {}

State initial_state(const Model& model, std::vector<MotionMark>* marks) {
  State state;
  state.bodies.resize(model.bodies.size());
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    const Body& body = model.bodies[i];
    std::vector<double>& values = state.bodies[i].values;
    values.resize(body.state_size());
    body.initialise(values);
    if (!model.director) continue;
    if (body.deforms)
      if (const RestShape shape = model.director->begins_shaped(model, i); !shape.none()) body.begin_in(shape, values);
    if (const auto lead = model.director->begins(model, i); lead && body.can_be_led()) body.lead(*lead, values);
    if (const auto size = model.director->begins_sized(model, i); size && !body.has_size(values, *size))
      body.resize(*size, values);
  }
  state.joints.resize(remembered(model.joints));
  if (model.particles) state.particles.resize(model.particles->sources().size());
  if (model.director) {
    state.motion = model.director->initial();
    std::vector<MotionMark> unasked;
    model.director->begin(model, state, marks ? *marks : unasked);
  }
  return state;
}

Observables observe(const Model& model, const State& state, std::size_t number) {
  Observables observed = model.bodies[number].observe(state.bodies[number].values);
  if (const CarriedBody* carried = find_carried(model, number))
    observed.centre = carried_pose(model, state, *carried).position;
  return observed;
}

}  // namespace hazumi
