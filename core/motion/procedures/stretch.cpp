// The faster it is, the longer it is along its way, by its rest shape.
#include <algorithm>
#include <cmath>

#include "core/motion/sight.h"

namespace hazumi {
namespace {

constexpr ParameterRow kStretchRows[] = {
    number_row("gain", "Stretch", "% at 1 m/s", "How much longer along its way it is for each metre a second.", 0, 100,
               4),
    number_row("most", "At most", "%", "However fast it is.", 0, 200, 40),
    number_row("lag", "Lag", "s", "How long the shape takes to follow the speed.", 0, 10, 0.05),
    {.name = "volume",
     .label = "Keep volume",
     .tooltip = "As much thinner as it is longer, so that its volume stays.",
     .type = FieldType::boolean,
     .fallback = 1},
    duration_row("How long; 0: for good.", 0)};
enum StretchRow : std::size_t { kStretchGain, kStretchMost, kStretchLag, kStretchVolume, kStretchDuration };

/// The velocity that the shape follows is in the memory: where it goes there and back the shape goes through none.
void stretch_direct(const MotionContext& context, const RunningProcedure&, std::span<const double> memory,
                    BodyForces& forces) {
  const auto& p = context.parameters;
  const Vec3 velocity(memory[0], memory[1], memory[2]);
  const double speed = velocity.norm();
  if (!(speed > 0)) return;
  const Pose pose = context.of_body().pose(context.values());
  const double more = 0.01 * p[kStretchMost],
               length = 1 + (more > 0 ? more * std::tanh(0.01 * p[kStretchGain] * speed / more) : 0);
  forces.shape += RestShape::stretched(pose.rotation.conjugate() * (velocity / speed), length,
                                       p[kStretchVolume] != 0 ? 1 / std::sqrt(length) : 1);
}

bool stretch_over(const MotionContext& context, const RunningProcedure& own, std::span<double> memory,
                  const StepReport&) {
  const double lag = context.parameters[kStretchLag], keeps = lag > 0 ? std::exp(-context.model.step / lag) : 0;
  const Vec3 velocity = velocity_of(context.model, context.state, context.body);
  // A line has no head: what turns round is as long.
  const Vec3 was(memory[0], memory[1], memory[2]), now = was.dot(velocity) < 0 ? Vec3(-velocity) : velocity;
  for (int k = 0; k < 3; ++k) memory[static_cast<std::size_t>(k)] = keeps * was[k] + (1 - keeps) * now[k];
  return ran_for(context, own, context.parameters[kStretchDuration]);
}

}  // namespace

const ProcedureKind& procedure_stretch() {
  static const ProcedureKind kind = [] {
    ProcedureKind k;
    static_cast<MotionKind&>(k) = {"stretch",
                                   "Stretch along its way",
                                   "The faster it is, the longer it is along its way. Of flexible bodies.",
                                   "stretch {of} by {gain}, {most} at most, for {duration}",
                                   "Shape",
                                   kStretchRows,
                                   OtherUse::none};
    k.shapes = k.tells_shape = true;
    k.memory = 3;
    k.direct = stretch_direct;
    k.over = stretch_over;
    return k;
  }();
  return kind;
}

}  // namespace hazumi
