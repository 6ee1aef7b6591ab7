// Physics has it again, at the speed at which it is.
#include "core/motion/sight.h"

namespace hazumi {
namespace {

void let_go_direct(const MotionContext&, const RunningProcedure&, std::span<const double>, BodyForces&) {}

bool let_go_over(const MotionContext&, const RunningProcedure&, std::span<double>, const StepReport&) { return true; }

}  // namespace

const ProcedureKind& procedure_let_go() {
  static const ProcedureKind kind = [] {
    ProcedureKind k;
    static_cast<MotionKind&>(k) = {"let_go", "Let go", "Physics has it again, at the speed at which it is.", "let {of} go", "Motion", {}, OtherUse::none};
    k.claim = Claim::motion;
    k.direct = let_go_direct;
    k.over = let_go_over;
    return k;
  }();
  return kind;
}

}  // namespace hazumi
