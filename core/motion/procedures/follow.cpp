// Goes along a curve, wherever it was; then it is let go as it goes.
#include <algorithm>

#include "core/geometry/curve/follow.h"
#include "core/sim/body/rigid_values.h"
#include "core/motion/sight.h"

namespace hazumi {
namespace {

constexpr ParameterRow kFollowRows[] = {
    duration_row("How long it takes.", 2),
    number_row("begin", "From", "", "Where on the curve it begins: 0 is its start, 1 its end.", 0, 1),
    number_row("end", "To", "", "Where on the curve it ends.", 0, 1, 1),
    number_row("blend", "Blend", "s", "How long it takes to come onto the curve from where it is.", 0, 1e6, 0.2),
    {.name = "turned", .label = "Turns with it", .tooltip = "Its z points along the curve.", .type = FieldType::boolean}};

struct OnCurve {
  Pose pose;
  double along = 0, rate = 0;  ///< of the whole, 1/s
};

OnCurve on_curve(const MotionContext& context, double time, const Quat& rest) {
  const auto& p = context.parameters;
  OnCurve out;
  const double all = std::max(p[0], context.model.step);
  const double part = std::clamp(time / all, 0.0, 1.0);
  out.along = p[1] + part * (p[2] - p[1]);
  out.rate = (p[2] - p[1]) / all;
  FollowTurn turn;
  turn.turned = p[4] != 0;
  out.pose = pose_on(*context.way, out.along, turn.turned ? Quat::Identity() : rest, turn);
  return out;
}

void follow_begin(const MotionContext& context, RunningProcedure&, std::span<double> memory) {
  const Pose pose = context.of_body().object_pose(context.of_body().pose(context.values()));
  for (int k = 0; k < 3; ++k) memory[static_cast<std::size_t>(k)] = pose.position[k];
  const Quat& q = pose.rotation;
  memory[3] = q.w();
  memory[4] = q.x();
  memory[5] = q.y();
  memory[6] = q.z();
}

Pose blended(const MotionContext& context, double time, std::span<const double> memory) {
  const Quat rest(memory[3], memory[4], memory[5], memory[6]);
  Pose pose = on_curve(context, time, rest).pose;
  const double blend = std::min(context.parameters[3], context.parameters[0]);
  if (!(time < blend)) return pose;
  const double u = time / blend, part = u * u * (3 - 2 * u);
  const Vec3 from(memory[0], memory[1], memory[2]);
  return {from + part * (pose.position - from), rest.slerp(part, pose.rotation).normalized()};
}

void follow_direct(const MotionContext& context, const RunningProcedure& own, std::span<const double> memory,
                   BodyForces& forces) {
  if (!context.way) return;
  const double h = context.model.step;
  const double time = context.time(static_cast<double>(context.state.substep + 1 - own.start));
  Lead lead;
  lead.pose = blended(context, time, memory);
  // With what it is let go: how it came here.
  const Pose before = blended(context, time - 1e-4 * h, memory);
  lead.velocity = (lead.pose.position - before.position) / (1e-4 * h);
  lead.spin = mean_rate(before.rotation, lead.pose.rotation, 1e-4 * h);
  forces.led = lead;
}

bool follow_over(const MotionContext& context, const RunningProcedure& own, std::span<double>, const StepReport&) {
  return !context.way ||
         context.time(static_cast<double>(context.state.substep + 1 - own.start)) >= context.parameters[0] - 1e-9;
}

}  // namespace

const ProcedureKind& procedure_follow() {
  static const ProcedureKind kind = [] {
    ProcedureKind k;
    static_cast<MotionKind&>(k) = {"follow", "Follow a curve", "Goes along a curve, wherever it was; then it is let go as it goes.", "take {of} along {with} in {duration}", "Motion", kFollowRows, OtherUse::curve};
    k.claim = Claim::motion;
    k.memory = 7;
    k.begin = follow_begin;
    k.direct = follow_direct;
    k.over = follow_over;
    return k;
  }();
  return kind;
}

}  // namespace hazumi
