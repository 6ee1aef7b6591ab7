// Takes a shape for a time: stretches, squashes, leans, bends and twists along an axis of its own, by its rest shape; its own dynamics do the
// rest. What anticipation is made of, and breathing.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/motion/sight.h"

namespace hazumi {
namespace {

constexpr std::string_view kAxes[] = {"x", "y", "z"};
constexpr ParameterRow angle_row(std::string_view name, std::string_view label, std::string_view tooltip, double most) {
  return {.name = name, .label = label, .unit = "°", .tooltip = tooltip, .low = -most, .high = most};
}
constexpr ParameterRow kPoseRows[] = {
    {.name = "axis",
     .label = "Along",
     .tooltip = "The axis of the object that it is stretched along; bends and leans go towards the next one.",
     .type = FieldType::choice,
     .choices = kAxes,
     .fallback = 1},
    number_row("stretch", "Stretch", "%", "Longer along the axis by so much; below 0 it is squashed.", -80, 200, -30),
    {.name = "volume",
     .label = "Keep volume",
     .tooltip = "As much thinner as it is longer, so that its volume stays.",
     .type = FieldType::boolean,
     .fallback = 1},
    angle_row("lean", "Lean", "By how much it leans over, towards the next axis.", radians(70)),
    angle_row("bend", "Bend", "By how much it is bent from one end to the other, towards the next axis.", radians(185)),
    angle_row("twist", "Twist", "By how much one end is turned against the other.", radians(185)),
    number_row("in", "In", "s", "How long it takes to get there, slow at both ends.", 0, 1e6, 0.3),
    number_row("stay", "Stay", "s", "How long it stays there.", 0, 1e6, 0.1),
    number_row("out", "Out", "s", "How long it takes to come back; 0: at once.", 0, 1e6, 0.1)};
enum PoseRow : std::size_t {
  kPoseAxis,
  kPoseStretch,
  kPoseVolume,
  kPoseLean,
  kPoseBend,
  kPoseTwist,
  kPoseIn,
  kPoseStay,
  kPoseOut
};

double eased(double x) {
  x = std::clamp(x, 0.0, 1.0);
  return x * x * (3 - 2 * x);
}

/// Of the pose, `t` seconds after it began.
double share(std::span<const double> p, double t) {
  if (t < p[kPoseIn]) return eased(t / p[kPoseIn]);
  const double back = t - p[kPoseIn] - p[kPoseStay];
  if (back <= 0) return 1;
  return p[kPoseOut] > 0 ? 1 - eased(back / p[kPoseOut]) : 0;
}

void pose_begin(const MotionContext& context, RunningProcedure&, std::span<double> memory) {
  const Vec3 axis = Vec3::Unit(static_cast<int>(context.parameters[kPoseAxis]));
  double low = 0, high = 0;
  for (const Vec3& node : context.of_body().truss.nodes) {
    low = std::min(low, axis.dot(node));
    high = std::max(high, axis.dot(node));
  }
  memory[0] = high > low ? 1 / (high - low) : 0;
}

void pose_direct(const MotionContext& context, const RunningProcedure& own, std::span<const double> memory,
                 BodyForces& forces) {
  const auto& p = context.parameters;
  const double part = share(p, context.time(static_cast<double>(context.state.substep + 1 - own.start)));
  const int along = static_cast<int>(p[kPoseAxis]);
  const Vec3 axis = Vec3::Unit(along), to = Vec3::Unit((along + 1) % 3);
  const double length = 1 + 0.01 * part * p[kPoseStretch];
  forces.shape += RestShape::stretched(axis, length, p[kPoseVolume] != 0 ? 1 / std::sqrt(length) : 1);
  forces.shape += RestShape::leaning(axis, to, part * p[kPoseLean]);
  forces.shape += RestShape::bent(axis, to, part * p[kPoseBend] * memory[0]);
  forces.shape += RestShape::twisted(axis, part * p[kPoseTwist] * memory[0]);
}

bool pose_over(const MotionContext& context, const RunningProcedure& own, std::span<double>, const StepReport&) {
  const auto& p = context.parameters;
  return context.time(static_cast<double>(context.state.substep + 1 - own.start)) >=
         p[kPoseIn] + p[kPoseStay] + p[kPoseOut] - 1e-9;
}

/// Along `axis`, of the body's box: where the shape is taken hold of, from the centre, object axes.
Vec3 end_of(const SketchBody& body, int axis) {
  const Vec3 centre = body.pose.rotation.conjugate() * (body.centre - body.pose.position);
  return std::max(body.high[axis] - centre[axis], 1e-6) * Vec3::Unit(axis);
}

RestShape shape_of(std::span<const double> p, const SketchBody& body, bool leans) {
  const int along = static_cast<int>(p[kPoseAxis]);
  const Vec3 axis = Vec3::Unit(along), to = Vec3::Unit((along + 1) % 3);
  const double length = 1 + 0.01 * p[kPoseStretch], size = body.high[along] - body.low[along];
  const double a_metre = size > 0 ? 1 / size : 0;
  RestShape shape = RestShape::stretched(axis, length, p[kPoseVolume] != 0 ? 1 / std::sqrt(length) : 1);
  if (leans) shape += RestShape::leaning(axis, to, p[kPoseLean]);
  shape += RestShape::bent(axis, to, p[kPoseBend] * a_metre);
  shape += RestShape::twisted(axis, p[kPoseTwist] * a_metre);
  return shape;
}

/// Its box in the shape that it takes.
void sketch_pose(std::span<const double> p, const SketchBody& body, MotionSketch& out) {
  const Vec3 centre = body.pose.rotation.conjugate() * (body.centre - body.pose.position);
  const RestShape shape = shape_of(p, body, true);
  const auto map = [&](const Vec3& x) {
    return Vec3(body.pose.position + body.pose.rotation * (x + shape.offset(x - centre)));
  };
  sketch::add_box(body, map, out);
  const Vec3 end = map(centre + end_of(body, static_cast<int>(p[kPoseAxis])));
  out.handles.push_back({end, body.centre, "shape"});
  std::string text = (p[kPoseStretch] > 0 ? "+" : "") + sketch::number_text(p[kPoseStretch], 0) + " %";
  if (p[kPoseLean] != 0) text += ", " + sketch::number_text(p[kPoseLean] * 180 / std::numbers::pi, 0) + "°";
  out.notes.push_back({end, std::move(text)});
}

/// Along the axis it is stretched or squashed, across it leans.
void drag_pose(std::size_t, const Vec3& to, const SketchBody& body, std::span<double> p) {
  const int along = static_cast<int>(p[kPoseAxis]), across = (along + 1) % 3;
  const Vec3 end = end_of(body, along), from = body.pose.rotation.conjugate() * (to - body.centre);
  const double straight = from[along] - shape_of(p, body, false).offset(end)[along];  // what bends is shorter
  p[kPoseStretch] = 100 * (straight + 0.01 * p[kPoseStretch] * end[along]) / end[along] - 100;
  p[kPoseStretch] = std::clamp(p[kPoseStretch], kPoseRows[kPoseStretch].low, kPoseRows[kPoseStretch].high);
  p[kPoseLean] = std::atan2(from[across] - shape_of(p, body, false).offset(end)[across], end[along]);
}

}  // namespace

const ProcedureKind& procedure_pose() {
  static const ProcedureKind kind = [] {
    ProcedureKind k;
    static_cast<MotionKind&>(k) = {"pose",
                                   "Take a shape",
                                   "Stretches, squashes, leans, bends or twists for a time. Of flexible bodies.",
                                   "let {of} take a shape: stretched by {stretch}, in {in}, for {stay}, out {out}",
                                   "Shape",
                                   kPoseRows,
                                   OtherUse::none};
    k.shapes = k.tells_shape = true;
    k.memory = 1;
    k.renews = true;
    k.begin = pose_begin;
    k.direct = pose_direct;
    k.over = pose_over;
    k.sketch = sketch_pose;
    k.drag = drag_pose;
    return k;
  }();
  return kind;
}

}  // namespace hazumi
