// Holds it where it is: whatever happens to it, or by a force.
#include "core/motion/holding.h"

namespace hazumi {
namespace {

constexpr ParameterRow kHoldRows[] = {duration_row("How long; 0: until it is let go.", 0), softness_row(),
                                      processing_row(1)};
enum HoldRow : std::size_t { kHoldDuration, kHoldSoftness, kHoldProcessing };

void hold_begin(const MotionContext& context, RunningProcedure&, std::span<double> memory) {
  keep_pose(context, memory);
}

void hold_direct(const MotionContext& context, const RunningProcedure&, std::span<const double> memory,
                 BodyForces& forces) {
  Lead lead;
  lead.pose = kept_pose(memory);
  if (context.parameters[kHoldProcessing] == 0)
    return hold_by_force(context, lead, context.parameters[kHoldSoftness], forces);
  forces.led = lead;
}

bool hold_over(const MotionContext& context, const RunningProcedure& own, std::span<double>, const StepReport&) {
  return ran_for(context, own, context.parameters[kHoldDuration]);
}

}  // namespace

const ProcedureKind& procedure_hold() {
  static const ProcedureKind kind = [] {
    ProcedureKind k;
    static_cast<MotionKind&>(k) = {
        "hold",
        "Hold",
        "Holds it where it is: whatever happens to it, or by a force, to which it comes back.",
        "hold {of} for {duration}",
        "Motion",
        kHoldRows,
        OtherUse::none};
    k.noun = "a hold";
    k.claim = Claim::motion;
    k.memory = 7;
    k.begin = hold_begin;
    k.direct = hold_direct;
    k.over = hold_over;
    return k;
  }();
  return kind;
}

}  // namespace hazumi
