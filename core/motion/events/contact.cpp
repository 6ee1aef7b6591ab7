// A collision of the body with anything begins (spec 7.2).
#include "core/motion/kinds.h"

namespace hazumi {
namespace {

constexpr ParameterRow kContactRows[] = {{.name = "above",
                                          .label = "Above",
                                          .unit = "N s",
                                          .tooltip = "Impulse that a collision must have to count.",
                                          .high = 1e9}};

std::optional<double> contact_happened(const MotionContext& context, const StepReport& report) {
  const Id id = context.of_body().id;
  for (const ContactEvent& contact : report.contacts)
    if ((contact.a == id || contact.b == id) && contact.impulse >= context.parameters[0]) return 1.0;
  return std::nullopt;
}

}  // namespace

const EventKind& event_contact() {
  static const EventKind kind = {"contact", "Contact", "Something is hit.", kContactRows, contact_happened};
  return kind;
}

}  // namespace hazumi
