// What is said under \"Only if\" holds (spec 7.2).
#include "core/motion/sight.h"

namespace hazumi {
namespace {

double condition_lasts(const MotionContext& context, const State& at, const EventState&) {
  (void)context;
  (void)at;
  return 1;
}

}  // namespace

const EventKind& event_condition() {
  static const EventKind kind = [] {
    EventKind k;
    static_cast<MotionKind&>(k) = {"condition",
                                   "Condition",
                                   "What is said under \"Only if\" holds.",
                                   "When what is said below holds for {of}",
                                   "State",
                                   {},
                                   OtherUse::anything};
    k.lasting = condition_lasts;
    k.follows = EventFollows::nothing;
    return k;
  }();
  return kind;
}

}  // namespace hazumi
