// Its speed comes over or under a limit (spec 7.2).
#include "core/motion/sight.h"

namespace hazumi {
namespace {

constexpr ParameterRow kSpeedRows[] = {number_row("limit", "Limit", "m/s", "Speed of its centre of mass.", 0, 1e5, 1),
                                       over_row(0)};

double speed_lasts(const MotionContext& context, const State& at, const EventState&) {
  return beyond(velocity_of(context.model, at, context.body).norm(), context.parameters[0], context.parameters[1]);
}

}  // namespace

const EventKind& event_speed() {
  static const EventKind kind = [] {
    EventKind k;
    static_cast<MotionKind&>(k) = {
        "speed",    "Speed",       "Its speed comes over or under a limit.", "When {of} is {side} {limit}", "State",
        kSpeedRows, OtherUse::none};
    k.lasting = speed_lasts;
    k.follows = EventFollows::velocity;
    return k;
  }();
  return kind;
}

}  // namespace hazumi
