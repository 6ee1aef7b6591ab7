// How far it is from something comes over or under a limit (spec 7.2).
#include "core/motion/sight.h"

namespace hazumi {
namespace {

constexpr ParameterRow kNearRows[] = {
    number_row("limit", "Limit", "m", "Distance from centre to centre; of several, of the nearest.", 0, 1e6, 1),
    over_row(1)};

double near_lasts(const MotionContext& context, const State& at, const EventState&) {
  return beyond(distance_to(context, at), context.parameters[0], context.parameters[1]);
}

}  // namespace

const EventKind& event_near() {
  static const EventKind kind = [] {
    EventKind k;
    static_cast<MotionKind&>(k) = {"near", "Distance", "How far it is from something comes over or under a limit.", "When {of} is {side} {limit} from {with}", "Place", kNearRows, OtherUse::thing};
    k.lasting = near_lasts;
    return k;
  }();
  return kind;
}

}  // namespace hazumi
