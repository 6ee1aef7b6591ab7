// Brings it to rest within a time: its centre and, where it does not bend, its turn.
#include <algorithm>
#include <cmath>

#include "core/motion/sight.h"

namespace hazumi {
namespace {

constexpr ParameterRow kStopRows[] = {
    duration_row("How long it takes.", 0.5)};

void stop_direct(const MotionContext& context, const RunningProcedure& own, std::span<const double>, BodyForces& forces) {
  const double h = context.model.step;
  const auto all = std::max<std::int64_t>(1, std::llround(context.parameters[0] / h));
  const double left = static_cast<double>(std::max<std::int64_t>(1, all - (context.state.substep - own.start)));
  forces.acceleration -=
      velocity_of(context.model, context.state, context.body) / (left * h) + weight_of(context);
  if (!context.of_body().deforms)
    forces.kick_turn -= spin_of(context.model, context.state, context.body) / left;
}

bool stop_over(const MotionContext& context, const RunningProcedure& own, std::span<double>, const StepReport&) {
  return context.time(static_cast<double>(context.state.substep + 1 - own.start)) >= context.parameters[0] - 1e-9;
}

}  // namespace

const ProcedureKind& procedure_stop() {
  static const ProcedureKind kind = [] {
    ProcedureKind k;
    static_cast<MotionKind&>(k) = {"stop", "Stop", "Brings it to rest within a time: its centre and, where it does not bend, its turn.", "bring {of} to rest within {duration}", "Motion", kStopRows, OtherUse::none};
    k.claim = Claim::motion;
    k.direct = stop_direct;
    k.over = stop_over;
    return k;
  }();
  return kind;
}

}  // namespace hazumi
