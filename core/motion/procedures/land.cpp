// It stays where it comes down, without bouncing.
#include "core/motion/sight.h"

namespace hazumi {
namespace {

constexpr ParameterRow kLandRows[] = {number_row("friction", "Friction", "", "Coulomb coefficient μ.", 0, 1000, 1)};

void land_direct(const MotionContext& context, const RunningProcedure& own, std::span<const double>,
                 BodyForces& forces) {
  tell_contacts(context, own, 0, context.parameters[0], forces);
}

bool land_over(const MotionContext& context, const RunningProcedure&, std::span<double>, const StepReport& report) {
  return touches_other(context, report);
}

}  // namespace

const ProcedureKind& procedure_land() {
  static const ProcedureKind kind = [] {
    ProcedureKind k;
    static_cast<MotionKind&>(k) = {"land",
                                   "Land",
                                   "It stays where it comes down, without bouncing.",
                                   "let {of} land on {with}",
                                   "Contact",
                                   kLandRows,
                                   OtherUse::anything};
    k.claim = Claim::contact;
    k.stays = true;
    k.direct = land_direct;
    k.over = land_over;
    return k;
  }();
  return kind;
}

}  // namespace hazumi
