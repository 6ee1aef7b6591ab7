// It is not seen any more; it is there all the same.
#include "core/motion/sight.h"

namespace hazumi {
namespace {

void hide_look(const MotionContext&, double, std::span<const double>, BodyLook& look) { look.visible = false; }

bool hide_over(const MotionContext&, const RunningProcedure&, std::span<double>, const StepReport&) { return true; }

}  // namespace

const ProcedureKind& procedure_hide() {
  static const ProcedureKind kind = [] {
    ProcedureKind k;
    static_cast<MotionKind&>(k) = {
        "hide",        "Hide", "It is not seen from then on. It is there all the same: what hits it bounces off.",
        "hide {of}",   "Look", {},
        OtherUse::none};
    k.claim = Claim::visibility;
    k.stays = true;
    k.look = hide_look;
    k.over = hide_over;
    k.processing = Processing::none;
    return k;
  }();
  return kind;
}

}  // namespace hazumi
