// It has settled: for a time neither its centre nor any of it has moved to speak of (spec 7.2).
#include <algorithm>
#include <cmath>

#include "core/motion/sight.h"

namespace hazumi {
namespace {

constexpr ParameterRow kRestRows[] = {
    number_row("slower", "Slower than", "m/s", "Speed below which it counts as still, turning and trembling counted too.", 0, 1e5, 0.05),
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

}  // namespace

const EventKind& event_rest() {
  static const EventKind kind = [] {
    EventKind k;
    static_cast<MotionKind&>(k) = {"rest", "Rest", "It has settled: for a time neither its centre nor any of it has moved to speak of.", "When {of} is slower than {slower} for {duration}", "State", kRestRows, OtherUse::none};
    k.happened = rest_happened;
    return k;
  }();
  return kind;
}

}  // namespace hazumi
