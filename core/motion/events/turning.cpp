// How fast it turns comes over or under a limit (spec 7.2).
#include "core/motion/sight.h"

namespace hazumi {
namespace {

constexpr ParameterRow kTurningRows[] = {
    number_row("limit", "Limit", "°/s", "How fast it turns about its centre of mass.", 0, kFastestTurn, kPi),
    over_row(0)};

double turning_lasts(const MotionContext& context, const State& at, const EventState&) {
  return beyond(spin_of(context.model, at, context.body).norm(), context.parameters[0], context.parameters[1]);
}

}  // namespace

const EventKind& event_turning() {
  static const EventKind kind = [] {
    EventKind k;
    static_cast<MotionKind&>(k) = {"turning",
                                   "Turning",
                                   "How fast it turns comes over or under a limit.",
                                   "When {of} turns {side} {limit}",
                                   "State",
                                   kTurningRows,
                                   OtherUse::none};
    k.lasting = turning_lasts;
    return k;
  }();
  return kind;
}

}  // namespace hazumi
