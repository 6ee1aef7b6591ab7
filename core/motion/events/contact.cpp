// It hits something, faster than what counts as rest (spec 7.2).
#include "core/motion/sight.h"

namespace hazumi {
namespace {

constexpr ParameterRow kContactRows[] = {
    number_row("above", "Above", "N s", "Impulse that a collision must have to count.", 0, 1e9)};

std::optional<Happening> contact_happened(const MotionContext& context, double from, EventState&,
                                          const StepReport& report) {
  const Id id = context.of_body().id;
  std::optional<Happening> first;
  each_hit(context, report, [&](const ContactEvent& contact, double order) {
    if (contact.impulse < context.parameters[0]) return;
    const Id with = contact.a == id ? contact.b : contact.a;
    const double moment = std::min(contact.moment, 1 - 1e-9) + order;
    if (moment > from && (!first || moment < first->moment) && context.is_other(with)) first = Happening{moment, with};
  });
  return first;
}

}  // namespace

const EventKind& event_contact() {
  static const EventKind kind = [] {
    EventKind k;
    static_cast<MotionKind&>(k) = {"contact",
                                   "Collision",
                                   "It hits something, faster than what counts as rest.",
                                   "When {of} hits {with} with more than {above}",
                                   "Contact",
                                   kContactRows,
                                   OtherUse::anything};
    k.needs = EventNeeds::collision;
    k.least = kContactRows;  // the first
    k.happened = contact_happened;
    return k;
  }();
  return kind;
}

}  // namespace hazumi
