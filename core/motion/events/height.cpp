// Its centre of mass comes over or under a height (spec 7.2).
#include "core/motion/sight.h"

namespace hazumi {
namespace {

constexpr ParameterRow kHeightRows[] = {
    number_row("limit", "Limit", "m", "Height of its centre of mass.", -1e6, 1e6, 1),
    over_row(1)};

double height_lasts(const MotionContext& context, const State& at, const EventState&) {
  return beyond(centre_of(context.model, at, context.body).y(), context.parameters[0], context.parameters[1]);
}

}  // namespace

const EventKind& event_height() {
  static const EventKind kind = [] {
    EventKind k;
    static_cast<MotionKind&>(k) = {"height", "Height", "Its centre of mass comes over or under a height.", "When {of} is {side} {limit}", "State", kHeightRows, OtherUse::none};
    k.lasting = height_lasts;
    return k;
  }();
  return kind;
}

}  // namespace hazumi
