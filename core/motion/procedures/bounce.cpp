// It bounces off so much, until it comes slower than a speed; then it stays down.
#include <algorithm>

#include "core/motion/sight.h"

namespace hazumi {
namespace {

constexpr ParameterRow kBounceRows[] = {
    number_row("restitution", "Bounce", "",
               "Speed after a collision for the speed before it: 0 stays, 1 loses nothing.", 0, 1, 0.6),
    number_row("until", "Until slower than", "m/s", "A collision slower than this is the last.", 0, 1e5, 0.2),
    number_row("friction", "Friction", "", "Coulomb coefficient μ.", 0, 1000, 0.2)};

void bounce_direct(const MotionContext& context, const RunningProcedure& own, std::span<const double>,
                   BodyForces& forces) {
  tell_contacts(context, own, own.done ? 0 : context.parameters[0], context.parameters[2], forces);
}

bool bounce_over(const MotionContext& context, const RunningProcedure&, std::span<double> memory,
                 const StepReport& report) {
  const Id id = context.of_body().id;
  for (const ContactEvent& contact : report.contacts)
    if ((contact.a == id || contact.b == id) && context.is_other(contact.a == id ? contact.b : contact.a) &&
        contact.approach_speed < context.parameters[1])
      return true;
  // What lies on it as long as the slowest bounce would take to come up does not bounce any more, however gently it came down.
  const double g = weight_of(context).norm(), h = context.model.step;
  const double wanted = g > 0 ? std::max(context.parameters[1] / g, 2 * h) : 4 * h;
  memory[0] = touches_other(context, report) ? memory[0] + h : 0;
  return memory[0] > wanted - 1e-9;
}

}  // namespace

const ProcedureKind& procedure_bounce() {
  static const ProcedureKind kind = [] {
    ProcedureKind k;
    static_cast<MotionKind&>(k) = {"bounce",
                                   "Bounce",
                                   "It bounces off so much, until it comes slower than a speed; then it stays down.",
                                   "bounce {of} off {with} with {restitution}, until slower than {until}",
                                   "Contact",
                                   kBounceRows,
                                   OtherUse::anything};
    k.claim = Claim::contact;
    k.stays = true;
    k.memory = 1;
    k.direct = bounce_direct;
    k.over = bounce_over;
    return k;
  }();
  return kind;
}

}  // namespace hazumi
