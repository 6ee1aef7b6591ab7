// Holds it where it is, whatever happens to it.
#include "core/motion/sight.h"

namespace hazumi {
namespace {

constexpr ParameterRow kHoldRows[] = {
    duration_row("How long; 0: until it is let go.", 0)};

void hold_begin(const MotionContext& context, RunningProcedure&, std::span<double> memory) {
  const Pose pose = context.of_body().object_pose(context.of_body().pose(context.values()));
  for (int k = 0; k < 3; ++k) memory[static_cast<std::size_t>(k)] = pose.position[k];
  const Quat& q = pose.rotation;
  memory[3] = q.w();
  memory[4] = q.x();
  memory[5] = q.y();
  memory[6] = q.z();
}

void hold_direct(const MotionContext&, const RunningProcedure&, std::span<const double> memory, BodyForces& forces) {
  Lead lead;
  lead.pose = {Vec3(memory[0], memory[1], memory[2]), Quat(memory[3], memory[4], memory[5], memory[6])};
  forces.led = lead;
}

bool hold_over(const MotionContext& context, const RunningProcedure& own, std::span<double>, const StepReport&) {
  const double for_ = context.parameters[0];
  return for_ > 0 && context.time(static_cast<double>(context.state.substep + 1 - own.start)) >= for_ - 1e-9;
}

}  // namespace

const ProcedureKind& procedure_hold() {
  static const ProcedureKind kind = [] {
    ProcedureKind k;
    static_cast<MotionKind&>(k) = {"hold", "Hold", "Holds it where it is, whatever happens to it.", "hold {of} for {duration}", "Motion", kHoldRows, OtherUse::none};
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
