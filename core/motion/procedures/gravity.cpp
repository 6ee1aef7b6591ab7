// Makes gravity weaker or stronger for it.
#include "core/motion/sight.h"

namespace hazumi {
namespace {

constexpr ParameterRow kGravityRows[] = {
    number_row("gain", "Gain", "", "1 is the gravity of the scene, 0 none, less than 0 upwards.", -1000, 1000, 1),
    duration_row("How long; 0: for good.", 0)};

void gravity_direct(const MotionContext& context, const RunningProcedure&, std::span<const double>,
                    BodyForces& forces) {
  // What has no gravity of its own is given it.
  forces.acceleration += context.parameters[0] * context.model.gravity - weight_of(context);
}

bool gravity_over(const MotionContext& context, const RunningProcedure& own, std::span<double>, const StepReport&) {
  return ran_for(context, own, context.parameters[1]);
}

}  // namespace

const ProcedureKind& procedure_gravity() {
  static const ProcedureKind kind = [] {
    ProcedureKind k;
    static_cast<MotionKind&>(k) = {"gravity",
                                   "Gravity",
                                   "Makes gravity weaker or stronger for it.",
                                   "give {of} {gain} times gravity",
                                   "Motion",
                                   kGravityRows,
                                   OtherUse::none};
    k.noun = "gravity as it says";
    k.claim = Claim::gravity;
    k.direct = gravity_direct;
    k.over = gravity_over;
    return k;
  }();
  return kind;
}

}  // namespace hazumi
