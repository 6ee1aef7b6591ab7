// A procedure of another object sends its number (spec 7.2).
#include "core/motion/sight.h"

namespace hazumi {
namespace {

constexpr ParameterRow kMessageRows[] = {
    {.name = "number", .label = "Number", .tooltip = "The number that is waited for.", .type = FieldType::integer, .low = 0, .high = 1000000, .fallback = 1}};


}  // namespace

const EventKind& event_message() {
  static const EventKind kind = [] {
    EventKind k;
    static_cast<MotionKind&>(k) = {"message", "Message", "A procedure of another object sends its number.", "When {of} is sent {number}", "Flow", kMessageRows, OtherUse::none};
    k.hears = true;
    return k;
  }();
  return kind;
}

}  // namespace hazumi
