// Leans against how it is accelerated, more than physics would have it: what starts leans back, what brakes leans forward (exaggeration of the
// bus, spec 7.1).
#include <algorithm>
#include <cmath>

#include "core/motion/sight.h"

namespace hazumi {
namespace {

constexpr ParameterRow kSwayRows[] = {
    {.name = "gain",
     .label = "Lean",
     .unit = "°",
     .tooltip = "How far it leans where it is accelerated by 1 m/s² for a while.",
     .low = -radians(60),
     .high = radians(60),
     .fallback = 0.05},
    {.name = "most",
     .label = "At most",
     .unit = "°",
     .tooltip = "However hard it is accelerated.",
     .low = 0,
     .high = radians(70),
     .fallback = 0.5},
    number_row("lag", "Lag", "s", "How long the shape takes to follow; longer is softer.", 0.001, 10, 0.12),
    duration_row("How long; 0: for good.", 0)};
enum SwayRow : std::size_t { kSwayGain, kSwayMost, kSwayLag, kSwayDuration };

void sway_begin(const MotionContext& context, RunningProcedure&, std::span<double> memory) {
  const Vec3 velocity = velocity_of(context.model, context.state, context.body);
  for (int k = 0; k < 3; ++k) memory[static_cast<std::size_t>(k)] = velocity[k];
}

void sway_direct(const MotionContext& context, const RunningProcedure&, std::span<const double> memory,
                 BodyForces& forces) {
  const auto& p = context.parameters;
  const Vec3 up = context.model.gravity.norm() > 0 ? Vec3(-context.model.gravity.normalized()) : Vec3(Vec3::UnitY());
  Vec3 drawn(memory[3], memory[4], memory[5]);
  drawn -= drawn.dot(up) * up;
  const double size = drawn.norm();
  if (!(size > 0) || p[kSwayMost] == 0) return;
  const double angle = p[kSwayMost] * std::tanh(p[kSwayGain] * size / p[kSwayMost]);
  const Quat back = context.of_body().pose(context.values()).rotation.conjugate();
  forces.shape += RestShape::leaning(back * up, back * (-drawn / size), angle);
}

bool sway_over(const MotionContext& context, const RunningProcedure& own, std::span<double> memory, const StepReport&) {
  const double h = context.model.step, keeps = std::exp(-h / context.parameters[kSwayLag]);
  const Vec3 velocity = velocity_of(context.model, context.state, context.body);
  for (int k = 0; k < 3; ++k) {
    const auto at = static_cast<std::size_t>(k);
    memory[3 + at] = keeps * memory[3 + at] + (1 - keeps) * (velocity[k] - memory[at]) / h;
    memory[at] = velocity[k];
  }
  return ran_for(context, own, context.parameters[kSwayDuration]);
}

}  // namespace

const ProcedureKind& procedure_sway() {
  static const ProcedureKind kind = [] {
    ProcedureKind k;
    static_cast<MotionKind&>(k) = {
        "sway",
        "Lean against speeding up",
        "Leans back where it starts and forward where it brakes. Of flexible bodies.",
        "let {of} lean by {gain} for each m/s² that it is accelerated by, {most} at most, for {duration}",
        "Shape",
        kSwayRows,
        OtherUse::none};
    k.shapes = k.tells_shape = true;
    k.memory = 6;
    k.begin = sway_begin;
    k.direct = sway_direct;
    k.over = sway_over;
    return k;
  }();
  return kind;
}

}  // namespace hazumi
