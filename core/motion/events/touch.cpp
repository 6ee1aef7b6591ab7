// It begins to touch something, however gently (spec 7.2).
#include "core/motion/sight.h"

namespace hazumi {
namespace {

std::optional<Happening> touch_happened(const MotionContext& context, double from, EventState& own,
                                        const StepReport& report) {
  if (from >= 1) return std::nullopt;
  const std::optional<Id> with = touched_other(context, report);
  const bool before = own.memory != 0;
  own.memory = with ? 1 : 0;
  if (with && !before) return Happening{1, *with};
  return std::nullopt;
}

}  // namespace

const EventKind& event_touch() {
  static const EventKind kind = [] {
    EventKind k;
    static_cast<MotionKind&>(k) = {"touch",
                                   "Touch",
                                   "It begins to touch something, however gently.",
                                   "When {of} touches {with}",
                                   "Contact",
                                   {},
                                   OtherUse::anything};
    k.needs = EventNeeds::touch;
    k.happened = touch_happened;
    return k;
  }();
  return kind;
}

}  // namespace hazumi
