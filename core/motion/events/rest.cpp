// It has settled: for a time neither its centre nor any of it has moved to speak of (spec 7.2).
#include <algorithm>
#include <cmath>

#include "core/motion/sight.h"

namespace hazumi {
namespace {

constexpr ParameterRow kRestRows[] = {
    number_row("slower", "Slower than", "m/s",
               "Speed below which it counts as still, turning and trembling counted too.", 0, 1e5, 0.05),
    duration_row("How long it must be still.", 0.1)};

std::optional<Happening> rest_happened(const MotionContext& context, double from, EventState& own, const StepReport&) {
  if (from >= 1) return std::nullopt;
  if (liveliness(context.model, context.state, context.body) >= context.parameters[0]) {
    own.memory = 0;
    return std::nullopt;
  }
  own.memory += 1;
  const double wanted = std::max(1.0, std::ceil(context.parameters[1] / context.model.step - 1e-6));
  if (own.memory == wanted) return Happening{1, {}};
  return std::nullopt;
}

/// While its centre alone is faster it is not still. One that is slow counts sub-steps.
EventMargin rest_margin(const MotionContext& context, const EventState& own) {
  EventMargin margin;
  const double speed = velocity_of(context.model, context.state, context.body).norm();
  margin.change = own.memory == 0 ? std::max(speed - context.parameters[0] * (1 + 1e-9), 0.0) : 0;
  return margin;
}

}  // namespace

const EventKind& event_rest() {
  static const EventKind kind = [] {
    EventKind k;
    static_cast<MotionKind&>(k) = {"rest",
                                   "Rest",
                                   "It has settled: for a time neither its centre nor any of it has moved to speak of.",
                                   "When {of} is slower than {slower} for {duration}",
                                   "State",
                                   kRestRows,
                                   OtherUse::none};
    k.happened = rest_happened;
    k.margin = rest_margin;
    return k;
  }();
  return kind;
}

}  // namespace hazumi
