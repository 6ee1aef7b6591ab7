// A branch of the event before it: of its cases the first whose \"Only if\" holds is followed; an empty one always holds (spec 7.2).
#include "core/motion/sight.h"

namespace hazumi {
namespace {


}  // namespace

const EventKind& event_case() {
  static const EventKind kind = [] {
    EventKind k;
    static_cast<MotionKind&>(k) = {"case", "Case", "A branch of the event before it: of its cases the first whose \"Only if\" holds is followed; an empty one always holds.", "If what is said below holds", "Flow", {}, OtherUse::none};
    k.is_case = true;
    return k;
  }();
  return kind;
}

}  // namespace hazumi
