// It begins to touch something, however gently (spec 7.2).
#include "core/motion/sight.h"

namespace hazumi {
namespace {

bool begins_to(const MotionContext& context, const StepReport& report, Id& with) {
  const Id id = context.of_body().id;
  for (const auto& [a, b] : report.touching) {
    if (a != id && b != id) continue;
    with = a == id ? b : a;
    if (context.is_other(with)) return true;
  }
  return false;
}

std::optional<Happening> touch_happened(const MotionContext& context, double from, EventState& own, const StepReport& report) {
  if (from >= 1) return std::nullopt;
  Id with;
  const bool now = begins_to(context, report, with), before = own.memory != 0;
  own.memory = now ? 1 : 0;
  if (now && !before) return Happening{1, with};
  return std::nullopt;
}

}  // namespace

const EventKind& event_touch() {
  static const EventKind kind = [] {
    EventKind k;
    static_cast<MotionKind&>(k) = {"touch", "Touch", "It begins to touch something, however gently.", "When {of} touches {with}", "Contact", {}, OtherUse::anything};
    k.needs = EventNeeds::touch;
    k.happened = touch_happened;
    return k;
  }();
  return kind;
}

}  // namespace hazumi
