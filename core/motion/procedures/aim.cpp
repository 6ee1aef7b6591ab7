// Throws it so that its centre comes to a target: after a time, or as gently as it can.
#include <algorithm>
#include <cmath>

#include "core/motion/aiming.h"
#include "core/motion/air.h"
#include "core/motion/falling.h"

namespace hazumi {

const ProcedureKind& procedure_aim();

namespace {

constexpr ParameterRow kAimRows[] = {
    number_row("x", "X", "m", "Target, where nothing else is picked; else from the centre of that.", -1e6, 1e6),
    number_row("y", "Y", "m", "Target, where nothing else is picked; else from the centre of that.", -1e6, 1e6),
    number_row("z", "Z", "m", "Target, where nothing else is picked; else from the centre of that.", -1e6, 1e6),
    duration_row("How long it flies; 0: as gently as it can.", 1)};

double aim_gain(std::span<const double> p) { return p[row_of(procedure_aim(), "gain")]; }

GeometricLaw aim_law(const MotionContext& context, const RunningProcedure&) {
  return falling_law(aim_gain(context.parameters) * weight_of(context));
}

void aim_direct(const MotionContext& context, const RunningProcedure& own, std::span<const double>,
                BodyForces& forces) {
  const auto& p = context.parameters;
  const double gain = aim_gain(p);
  if (gain != 1) forces.acceleration += (gain - 1) * weight_of(context);
  if (own.start != context.state.substep) return;
  Vec3 target(p[0], p[1], p[2]);
  if (!context.anything && !context.others.empty())
    target += centre_of(context.model, context.state, context.others[0]);
  const Vec3 flies = weight_of(context) + forces.acceleration;
  const Vec3 wanted = follows_path(procedure_aim(), context)
                          ? shot_over(target - centre_of(context.model, context.state, context.body),
                                      gain * weight_of(context), p[3], context.model.step)
                                .velocity
                          : shot_of(context, flies, target, p[3]).velocity;
  forces.kick += wanted - velocity_of(context.model, context.state, context.body);
}

bool aim_over(const MotionContext& context, const RunningProcedure& own, std::span<double>, const StepReport& report) {
  const bool flies_on = aim_gain(context.parameters) != 1 || follows_path(procedure_aim(), context);
  return !flies_on || has_fallen(context, own, 0, report);
}

/// The target, a cross, and the flight to it.
void sketch_aim(std::span<const double> p, const SketchBody& thrown, MotionSketch& out) {
  SketchBody body = thrown;
  body.gravity *= aim_gain(p);
  const Vec3 target = Vec3(p[0], p[1], p[2]) + body.other.value_or(Vec3::Zero());
  if (is_geometric(procedure_aim(), p)) body.air = nullptr;
  const double least = 1 / body.frame_rate;
  Shot shot = shot_over(target - body.centre, body.gravity, p[3], least);
  if (body.air) {
    const auto end = [&](const Vec3& velocity, double time, double share) {
      const auto there = body.air->flown({body.centre, velocity, body.gravity, share}, std::span(&time, 1));
      return there.empty() ? std::nullopt : std::optional<Vec3>(there[0]);
    };
    if (!(p[3] > 0)) shot = gentlest_to(end, target, shot, least);
    shot.velocity = velocity_to(end, target, shot, true);
  }
  sketch::add_flight(body, shot.velocity, shot.time, out);
  const double arm = std::max(body.half_height(), 0.02);
  for (int axis = 0; axis < 3; ++axis)
    out.lines.push_back({{target - arm * Vec3::Unit(axis), target + arm * Vec3::Unit(axis)}});
  out.handles.push_back({target, target, "target"});
  out.notes.push_back(
      {target, sketch::number_text(shot.velocity.norm()) + " m/s, " + sketch::number_text(shot.time) + " s"});
}

void drag_aim(std::size_t, const Vec3& to, const SketchBody& body, std::span<double> p) {
  const Vec3 place = to - body.other.value_or(Vec3::Zero());
  std::copy_n(place.data(), 3, p.begin());
}

}  // namespace

const ProcedureKind& procedure_aim() {
  static const std::vector<ParameterRow> rows = inherited_rows(procedure_fall(), kAimRows);
  static const ProcedureKind kind = [] {
    ProcedureKind k;
    static_cast<MotionKind&>(k) = {
        "aim",
        "Throw at",
        "Throws it so that its centre comes to a target: after a time, or as gently as it can.",
        "throw {of} at {with}, there after {duration}",
        "Motion",
        rows,
        OtherUse::anything};
    k.parent = &procedure_fall();
    k.own_rows = kAimRows;
    k.law = aim_law;
    k.places = MotionPlaces::xyz;
    k.claim = Claim::motion;
    k.aims = true;
    k.direct = aim_direct;
    k.over = aim_over;
    k.sketch = sketch_aim;
    k.drag = drag_aim;
    k.at_once = true;
    return k;
  }();
  return kind;
}

}  // namespace hazumi
