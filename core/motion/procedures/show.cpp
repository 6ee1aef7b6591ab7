// It is seen, whatever the scene says of it.
#include "core/motion/sight.h"

namespace hazumi {
namespace {

void show_look(const MotionContext&, double, std::span<const double>, BodyLook& look) { look.visible = true; }

bool show_over(const MotionContext&, const RunningProcedure&, std::span<double>, const StepReport&) { return true; }

}  // namespace

const ProcedureKind& procedure_show() {
  static const ProcedureKind kind = [] {
    ProcedureKind k;
    static_cast<MotionKind&>(k) = {"show",        "Show", "It is seen from then on, also where its object is hidden.",
                                   "show {of}",   "Look", {},
                                   OtherUse::none};
    k.claim = Claim::visibility;
    k.stays = true;
    k.look = show_look;
    k.over = show_over;
    k.processing = Processing::none;
    return k;
  }();
  return kind;
}

}  // namespace hazumi
