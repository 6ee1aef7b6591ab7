// A run of a test's world, and what is measured in it.
#pragma once

#include <catch2/catch.hpp>

#include "core/motion/compile.h"
#include "core/sim/body/flexible.h"
#include "core/sim/model.h"
#include "core/sim/step.h"
#include "tests/support/world.h"

namespace hazumi::test {

inline const FlexibleBody& flexible(const hazumi::Body& body) { return dynamic_cast<const FlexibleBody&>(body); }

/// A compiled world that runs.
struct Run {
  MeshStore meshes;
  std::shared_ptr<const Model> model;
  State state;
  StepWorkspace workspace;
  Executor executor;
  std::vector<ContactEvent> events;
  std::vector<std::pair<Id, Id>> touching;  ///< of the last sub-step

  explicit Run(const World& world, int threads = 1) : executor(threads) {
    auto compiled = compile(world.scene, meshes);
    INFO((compiled.ok() ? std::string() : to_string(compiled.error())));
    REQUIRE(compiled.ok());
    model = *compiled;
    state = initial_state(*model);
  }

  StepReport step() {
    StepReport report = hazumi::step(*model, state, workspace, executor);
    if (report.figures.least_account < 0) FAIL("an account is overdrawn by " << report.figures.least_account << " J");
    for (const ContactEvent& e : report.contacts) events.push_back(e);
    touching = report.touching;
    return report;
  }

  void steps(int count) {
    for (int k = 0; k < count; ++k) {
      const StepReport report = step();
      if (report.ok) continue;
      FAIL(to_string(*report.failure));
    }
  }
  void seconds(double time) { steps(static_cast<int>(time / model->step + 0.5)); }

  std::size_t index(Id id) const {
    for (std::size_t i = 0; i < model->bodies.size(); ++i)
      if (model->bodies[i].id == id) return i;
    FAIL("no such body");
    return 0;
  }
  Observables at(Id id) const { return observe(*model, state, index(id)); }
  Vec3 velocity(Id id) const { return at(id).momentum / at(id).mass; }

  /// Kinetic, elastic and potential energy of everything that moves.
  double energy() const {
    double sum = 0;
    for (std::size_t i = 0; i < model->bodies.size(); ++i) {
      if (!model->bodies[i].moves) continue;
      const Observables o = observe(*model, state, i);
      sum += o.kinetic_energy + o.elastic_energy;
      if (model->bodies[i].gravity) sum -= o.mass * model->gravity.dot(o.centre);
    }
    return sum;
  }
};

}  // namespace hazumi::test
