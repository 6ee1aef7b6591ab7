// It rolls along something; it is over when it no longer slips.
#include "core/motion/classes.h"
#include "core/motion/geometric.h"
#include "core/motion/sight.h"

namespace hazumi {

const ProcedureKind& procedure_roll();

namespace {

enum RollRow : std::size_t { kRollDuration, kRollRestitution, kRollFriction };  // of a slide

GeometricLaw roll_law(const MotionContext& context, const RunningProcedure& own) {
  return procedure_slide().law(context, own);
}

void roll_direct(const MotionContext& context, const RunningProcedure& own, std::span<const double>,
                 BodyForces& forces) {
  tell_contacts(context, own, context.parameters[kRollRestitution], context.parameters[kRollFriction], forces);
}

/// Where it touches, it moves no faster than a thousandth of its speed.
bool roll_over(const MotionContext& context, const RunningProcedure& own, std::span<double> memory,
               const StepReport& report) {
  if (context.parameters[kRollDuration] > 0) return ran_for(context, own, context.parameters[kRollDuration]);
  if (follows_path(procedure_roll(), context))
    if (const auto left = slips_for({procedure_roll(), context, own}, memory)) return *left <= 0;
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
  static const std::vector<ParameterRow> rows =
      inherited_rows(procedure_slide(), {},
                     {{.name = "duration", .tooltip = "How long until it is over; 0: until it no longer slips."},
                      {.name = "friction", .fallback = 1}});
  static const ProcedureKind kind = [] {
    ProcedureKind k;
    static_cast<MotionKind&>(k) = {"roll",
                                   "Roll",
                                   "It rolls along something; it is over when it no longer slips.",
                                   "roll {of} along {with}",
                                   "Contact",
                                   rows,
                                   OtherUse::anything};
    k.parent = &procedure_slide();
    k.law = roll_law;
    k.claim = Claim::contact;
    k.stays = true;
    k.direct = roll_direct;
    k.over = roll_over;
    return k;
  }();
  return kind;
}

}  // namespace hazumi
