// The pipeline of one sub-step (docs/architecture.md, "One frame"). Every stage is its own piece of code; this file only
// says in which order they run and what happens when a body leaves the finite numbers.
#include "core/sim/step.h"

#include "core/sim/advance.h"

namespace hazumi {

struct StepWorkspace::Data {
  State before;                                ///< to go back to when the step fails
  std::vector<BodyForces> forces;
  std::vector<ElasticWorkspace> elastic;
  std::vector<char> good;

  void prepare(const Model& model) {
    const std::size_t n = model.bodies.size();
    forces.resize(n);
    elastic.resize(n);
    good.assign(n, 1);
    for (std::size_t i = 0; i < n; ++i) {
      forces[i].force.setZero();
      forces[i].torque.setZero();
      const auto& solver = model.bodies[i].elastic;
      forces[i].nodes.assign(solver ? solver->node_count() : 0, Vec3::Zero());
    }
  }
};

StepWorkspace::StepWorkspace() : data_(std::make_unique<Data>()) {}
StepWorkspace::~StepWorkspace() = default;

namespace {

Diagnostic divergence(const Body& body) {
  const std::string of = body.kind == BodyKind::flexible ? "the damping or lower the stiffness of " : "the mass of ";
  return {Severity::error, body.name, "The motion of \"" + body.name + "\" left all bounds; the run stops before it.",
          "Raise the sub-steps, " + of + "\"" + body.name + "\"."};
}

}  // namespace

StepReport step(const Model& model, State& state, StepWorkspace& workspace, Executor& executor) {
  StepWorkspace::Data& w = workspace.data();
  StepReport report;
  w.before = state;
  w.prepare(model);

  advance_bodies(model, state, w.forces, w.elastic, executor, w.good);
  for (std::size_t i = 0; i < model.bodies.size(); ++i)
    if (!w.good[i]) {
      state = w.before;
      report.ok = false;
      report.failure = divergence(model.bodies[i]);
      return report;
    }

  ++state.substep;
  return report;
}

}  // namespace hazumi
