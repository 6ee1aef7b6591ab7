// Both react: how much it bounces off and rubs, from now on.
#include "core/motion/sight.h"

namespace hazumi {
namespace {

constexpr ParameterRow kCollideRows[] = {
    number_row("restitution", "Bounce", "",
               "Speed after a collision for the speed before it: 0 stays, 1 loses nothing.", 0, 1, 0.6),
    number_row("friction", "Friction", "", "Coulomb coefficient μ.", 0, 1000, 0.5)};

void collide_direct(const MotionContext& context, const RunningProcedure& own, std::span<const double>,
                    BodyForces& forces) {
  tell_contacts(context, own, context.parameters[0], context.parameters[1], forces);
}

bool collide_over(const MotionContext&, const RunningProcedure&, std::span<double>, const StepReport&) { return true; }

}  // namespace

const ProcedureKind& procedure_collide() {
  static const ProcedureKind kind = [] {
    ProcedureKind k;
    static_cast<MotionKind&>(k) = {"collide",
                                   "Collide",
                                   "Both react: how much it bounces off and rubs, from now on.",
                                   "let {of} collide with {with}, bounce {restitution}, friction {friction}",
                                   "Contact",
                                   kCollideRows,
                                   OtherUse::anything};
    k.noun = "a collision";
    k.claim = Claim::contact;
    k.stays = true;
    k.direct = collide_direct;
    k.over = collide_over;
    return k;
  }();
  return kind;
}

}  // namespace hazumi
