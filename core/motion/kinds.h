// Kinds of events ("when") and procedures ("do"), spec 7.2 and 7.1. Each is one file of core/motion/events or
// core/motion/procedures: it defines `const EventKind& event_NAME()` or `const ProcedureKind& procedure_NAME()` with rows for its
// parameters, and a generated table finds it.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "core/sim/body/body.h"
#include "core/sim/elastic/parameters.h"
#include "core/sim/model.h"
#include "core/sim/step.h"

namespace hazumi {

/// What an event or a procedure sees of a run: one body, its own parameters in the order of its rows, and all the rest.
struct MotionContext {
  const Model& model;
  const State& state;
  std::size_t body = 0;  ///< number in Model::bodies
  std::span<const double> parameters;

  const Body& of_body() const { return model.bodies[body]; }
  std::span<const double> values() const { return state.bodies[body].values; }
  /// s, start of sub-step number `substep`.
  double time(std::int64_t substep) const { return static_cast<double>(substep) * model.step; }
};

struct EventKind {
  std::string_view name;     ///< "contact"
  std::string_view label;    ///< on screen
  std::string_view tooltip;  ///< one sentence
  std::span<const ParameterRow> parameters;
  /// When in the sub-step that was, 0 its start and 1 its end, it happened; nothing: it did not. State::substep is that
  /// sub-step's number, the rest of the state is as after it.
  std::optional<double> (*happened)(const MotionContext& context, const StepReport& report);
};

struct ProcedureKind {
  std::string_view name, label, tooltip;
  std::span<const ParameterRow> parameters;
  /// Adds what its body is told in the sub-step that comes, number State::substep; it began in sub-step `start`.
  void (*direct)(const MotionContext& context, std::int64_t start, BodyForces& forces);
  /// s, how long it runs; at least one sub-step.
  double (*duration)(std::span<const double> parameters);
};

/// All kinds, in order of their file names.
std::span<const EventKind* const> event_kinds();
std::span<const ProcedureKind* const> procedure_kinds();

}  // namespace hazumi
