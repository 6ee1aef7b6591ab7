// It no longer touches what it touched (spec 7.2).
#include "core/motion/sight.h"

namespace hazumi {
namespace {

std::optional<Happening> leave_happened(const MotionContext& context, double from, EventState& own,
                                        const StepReport& report) {
  if (from >= 1) return std::nullopt;
  const bool now = touches_other(context, report), before = own.memory != 0;
  own.memory = now ? 1 : 0;
  if (before && !now) return Happening{1, {}};
  return std::nullopt;
}

}  // namespace

const EventKind& event_leave() {
  static const EventKind kind = [] {
    EventKind k;
    static_cast<MotionKind&>(k) = {
        "leave", "Leaves",          "It no longer touches what it touched.", "When {of} leaves {with}", "Contact",
        {},      OtherUse::anything};
    k.needs = EventNeeds::touch;
    k.happened = leave_happened;
    return k;
  }();
  return kind;
}

}  // namespace hazumi
