// It has hit something so many times since the event was armed (spec 7.2).
#include <algorithm>

#include "core/base/short_list.h"
#include "core/motion/sight.h"

namespace hazumi {
namespace {

constexpr ParameterRow kBouncesRows[] = {
    number_row("above", "Above", "N s", "Impulse that a collision must have to count.", 0, 1e9),
    {.name = "count",
     .label = "Times",
     .tooltip = "How often it must hit, counted from when the event was armed.",
     .type = FieldType::integer,
     .low = 1,
     .high = 1000000,
     .fallback = 3}};

std::optional<Happening> bounces_happened(const MotionContext& context, double from, EventState& own,
                                          const StepReport& report) {
  const Id id = context.of_body().id;
  ShortList<Happening, 4> hits;
  each_hit(context, report, [&](const ContactEvent& contact, double order) {
    if (contact.impulse < context.parameters[0]) return;
    const Id with = contact.a == id ? contact.b : contact.a;
    const double moment = std::min(contact.moment, 1 - 1e-9) + order;
    if (moment > from && context.is_other(with)) hits.push_back({moment, with});
  });
  std::sort(hits.begin(), hits.end(), [](const Happening& a, const Happening& b) { return a.moment < b.moment; });
  for (const Happening& hit : hits)
    if (++own.memory >= context.parameters[1]) {
      own.memory = 0;
      return hit;
    }
  return std::nullopt;
}

}  // namespace

const EventKind& event_bounces() {
  static const EventKind kind = [] {
    EventKind k;
    static_cast<MotionKind&>(k) = {"bounces",
                                   "n-th bounce",
                                   "It has hit something so many times since the event was armed.",
                                   "When {of} hits {with} for the {count}th time, each with more than {above}",
                                   "Contact",
                                   kBouncesRows,
                                   OtherUse::anything};
    k.needs = EventNeeds::collision;
    k.least = kBouncesRows;  // the first
    k.happened = bounces_happened;
    return k;
  }();
  return kind;
}

}  // namespace hazumi
