// Goes along a curve, wherever it was; then it is let go as it goes.
#include <algorithm>

#include "core/geometry/curve/follow.h"
#include "core/motion/holding.h"
#include "core/sim/body/rigid_values.h"

namespace hazumi {
namespace {

constexpr ParameterRow kFollowRows[] = {
    duration_row("How long it takes.", 2),
    number_row("begin", "From", "", "Where on the curve it begins: 0 is its start, 1 its end.", 0, 1),
    number_row("end", "To", "", "Where on the curve it ends.", 0, 1, 1),
    number_row("blend", "Blend", "s", "How long it takes to come onto the curve from where it is.", 0, 1e6, 0.2),
    {.name = "turned",
     .label = "Turns with it",
     .tooltip = "Its z points along the curve.",
     .type = FieldType::boolean}};
enum FollowRow : std::size_t {
  kFollowDuration,
  kFollowBegin,
  kFollowEnd,
  kFollowBlend,
  kFollowTurned,
  kFollowSoftness,
  kFollowProcessing
};  // the last two of a hold

Pose on_curve(const MotionContext& context, double time, const Quat& rest) {
  const auto& p = context.parameters;
  const double part = std::clamp(time / std::max(p[0], context.model.step), 0.0, 1.0);
  FollowTurn turn;
  turn.turned = p[4] != 0;
  return pose_on(*context.way, p[1] + part * (p[2] - p[1]), turn.turned ? Quat::Identity() : rest, turn);
}

void follow_begin(const MotionContext& context, RunningProcedure&, std::span<double> memory) {
  keep_pose(context, memory);
}

Pose blended(const MotionContext& context, double time, std::span<const double> memory) {
  const Pose kept = kept_pose(memory);
  Pose pose = on_curve(context, time, kept.rotation);
  const double blend = std::min(context.parameters[3], context.parameters[0]);
  if (!(time < blend)) return pose;
  const double u = time / blend, part = u * u * (3 - 2 * u);
  return {kept.position + part * (pose.position - kept.position),
          kept.rotation.slerp(part, pose.rotation).normalized()};
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
  if (context.parameters[kFollowProcessing] == 0)
    return hold_by_force(context, lead, context.parameters[kFollowSoftness], forces);
  forces.led = lead;
}

bool follow_over(const MotionContext& context, const RunningProcedure& own, std::span<double>, const StepReport&) {
  return !context.way || ran_for(context, own, std::max(context.parameters[0], context.model.step));
}

void sketch_follow(std::span<const double> p, const SketchBody& body, MotionSketch& out) {
  if (!body.way) return;
  SketchLine line;
  const FollowTurn turn;
  const auto at = [&](double along) { return pose_on(*body.way, along, Quat::Identity(), turn).position; };
  for (int k = 0; k <= 64; ++k) line.points.push_back(at(p[1] + k / 64.0 * (p[2] - p[1])));
  line.arrow = true;
  out.lines.push_back(std::move(line));
  out.handles.push_back({at(p[1]), at(p[1]), "from"});
  out.handles.push_back({at(p[2]), at(p[2]), "to"});
}

void drag_follow(std::size_t handle, const Vec3& to, const SketchBody& body, std::span<double> p) {
  if (body.way) p[1 + handle] = std::clamp(nearest_over(*body.way, to, 0, p[1 + handle]), 0.0, 1.0);
}

}  // namespace

const ProcedureKind& procedure_follow() {
  static const std::vector<ParameterRow> rows = inherited_rows(
      procedure_hold(), kFollowRows,
      {{.name = "softness",
        .tooltip = "Processed dynamically, so that it follows loosely: how long it takes to come back to the curve."}});
  static const ProcedureKind kind = [] {
    ProcedureKind k;
    static_cast<MotionKind&>(k) = {"follow",
                                   "Follow a curve",
                                   "Goes along a curve, wherever it was; then it is let go as it goes.",
                                   "take {of} along {with} in {duration}",
                                   "Motion",
                                   rows,
                                   OtherUse::curve};
    k.parent = &procedure_hold();
    k.own_rows = kFollowRows;
    k.claim = Claim::motion;
    k.memory = 7;
    k.settled = [](std::span<const double>) { return true; };
    k.begin = follow_begin;
    k.direct = follow_direct;
    k.over = follow_over;
    k.sketch = sketch_follow;
    k.drag = drag_follow;
    k.at_once = true;
    return k;
  }();
  return kind;
}

}  // namespace hazumi
