// It rolls along something; it is over when it no longer slips.
#include "core/motion/sight.h"

namespace hazumi {
namespace {

constexpr ParameterRow kRollRows[] = {number_row("friction", "Friction", "", "Coulomb coefficient μ.", 0, 1000, 1)};

void roll_direct(const MotionContext& context, const RunningProcedure& own, std::span<const double>,
                 BodyForces& forces) {
  tell_contacts(context, own, 0, context.parameters[0], forces);
}

/// Where it touches, it moves no faster than a thousandth of its speed.
bool roll_over(const MotionContext& context, const RunningProcedure&, std::span<double>, const StepReport& report) {
  const Id id = context.of_body().id;
  const Vec3 centre = centre_of(context.model, context.state, context.body);
  const Vec3 velocity = velocity_of(context.model, context.state, context.body);
  const Vec3 spin = spin_of(context.model, context.state, context.body);
  bool any = false;
  for (const ContactMark& mark : report.marks) {
    if ((mark.a != id && mark.b != id) || !context.is_other(mark.a == id ? mark.b : mark.a)) continue;
    const Vec3 there = velocity + spin.cross(mark.point - centre);
    const Vec3 slip = there - mark.normal.dot(there) * mark.normal;
    if (slip.norm() > 1e-3 * velocity.norm() + 1e-6) return false;
    any = true;
  }
  return any;
}

}  // namespace

const ProcedureKind& procedure_roll() {
  static const ProcedureKind kind = [] {
    ProcedureKind k;
    static_cast<MotionKind&>(k) = {"roll",
                                   "Roll",
                                   "It rolls along something; it is over when it no longer slips.",
                                   "roll {of} along {with}",
                                   "Contact",
                                   kRollRows,
                                   OtherUse::anything};
    k.claim = Claim::contact;
    k.stays = true;
    k.direct = roll_direct;
    k.over = roll_over;
    return k;
  }();
  return kind;
}

}  // namespace hazumi
