// One sub-step: drive, detect, impact, elastic, constrain, correct, observe (docs/architecture.md, "One frame").
#pragma once

#include <optional>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/base/parallel.h"
#include "core/sim/model.h"
#include "core/sim/state.h"

namespace hazumi {

/// A collision that began in this sub-step, with the physical read-out of spec 3.2.
struct ContactEvent {
  Id a, b;
  std::int64_t substep = 0;
  Vec3 point = Vec3::Zero(), normal = Vec3::Zero();  ///< world; normal from b to a
  double approach_speed = 0;                         ///< m/s, v0
  double impulse = 0;                                ///< N s, whole pulse
  double peak_force = 0;                             ///< N, exact Hertz peak 1.25 v0²/(n1 α_m)
  double pulse_peak = 0;                             ///< N, peak of the sine that is applied
  double duration = 0;                               ///< s, T_max
};

struct StepReport {
  bool ok = true;
  std::optional<Diagnostic> failure;        ///< which object, why, what to try
  std::vector<ContactEvent> contacts;       ///< began in this sub-step, in order of (a, b)
  std::vector<std::pair<Id, Id>> touching;  ///< pairs in touch in this sub-step (impact or rest), ascending
};

/// Memory that a run keeps between steps to allocate nothing; holds no state that a step reads.
class StepWorkspace {
 public:
  StepWorkspace();
  ~StepWorkspace();
  struct Data;
  Data& data() { return *data_; }

 private:
  std::unique_ptr<Data> data_;
};

/// On failure the state is the one before the step.
StepReport step(const Model& model, State& state, StepWorkspace& workspace, Executor& executor);

}  // namespace hazumi
