// It slides along something, for a time or for good.
#include "core/motion/sight.h"

namespace hazumi {
namespace {

constexpr ParameterRow kSlideRows[] = {
    number_row("friction", "Friction", "", "Coulomb coefficient μ.", 0, 1000, 0),
    duration_row("How long; 0: for good.", 0)};

void slide_direct(const MotionContext& context, const RunningProcedure& own, std::span<const double>, BodyForces& forces) {
  ContactTold told;
  told.since = own.start;
  told.restitution = 0;
  told.friction = context.parameters[0];
  tell_contacts(context, told, forces);
}

bool slide_over(const MotionContext& context, const RunningProcedure& own, std::span<double>, const StepReport&) {
  const double for_ = context.parameters[1];
  return for_ > 0 && context.time(static_cast<double>(context.state.substep + 1 - own.start)) >= for_ - 1e-9;
}

}  // namespace

const ProcedureKind& procedure_slide() {
  static const ProcedureKind kind = [] {
    ProcedureKind k;
    static_cast<MotionKind&>(k) = {"slide", "Slide", "It slides along something, for a time or for good.", "let {of} slide along {with} with friction {friction}", "Contact", kSlideRows, OtherUse::anything};
    k.claim = Claim::contact;
    k.direct = slide_direct;
    k.over = slide_over;
    return k;
  }();
  return kind;
}

}  // namespace hazumi
