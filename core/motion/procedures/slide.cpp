// It slides along something, for a time or for good.
#include "core/motion/sight.h"

namespace hazumi {
namespace {

constexpr ParameterRow kSlideRows[] = {number_row("friction", "Friction", "", "Coulomb coefficient μ.", 0, 1000, 0),
                                       duration_row("How long; 0: for good.", 0)};

void slide_direct(const MotionContext& context, const RunningProcedure& own, std::span<const double>,
                  BodyForces& forces) {
  tell_contacts(context, own, 0, context.parameters[0], forces);
}

bool slide_over(const MotionContext& context, const RunningProcedure& own, std::span<double>, const StepReport&) {
  return ran_for(context, own, context.parameters[1]);
}

}  // namespace

const ProcedureKind& procedure_slide() {
  static const ProcedureKind kind = [] {
    ProcedureKind k;
    static_cast<MotionKind&>(k) = {"slide",
                                   "Slide",
                                   "It slides along something, for a time or for good.",
                                   "let {of} slide along {with} with friction {friction}",
                                   "Contact",
                                   kSlideRows,
                                   OtherUse::anything};
    k.claim = Claim::contact;
    k.direct = slide_direct;
    k.over = slide_over;
    return k;
  }();
  return kind;
}

}  // namespace hazumi
