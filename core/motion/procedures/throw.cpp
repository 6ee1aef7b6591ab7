// Sends it off at a velocity; what turns or trembles goes on doing so, unless it is given a spin.
#include <algorithm>

#include "core/motion/sight.h"

namespace hazumi {
namespace {

constexpr ParameterRow kThrowRows[] = {
    number_row("x", "X", "m/s", "Velocity, world axes.", -1e5, 1e5),
    number_row("y", "Y", "m/s", "Velocity, world axes.", -1e5, 1e5, 4),
    number_row("z", "Z", "m/s", "Velocity, world axes.", -1e5, 1e5),
    {.name = "added",
     .label = "On top",
     .tooltip = "The velocity comes on top of the one that it has.",
     .type = FieldType::boolean},
    {.name = "spins", .label = "With spin", .tooltip = "It is given a spin, too.", .type = FieldType::boolean},
    number_row("sx", "Spin X", "°/s", "How fast it turns, world axes.", -1e5, 1e5),
    number_row("sy", "Spin Y", "°/s", "How fast it turns, world axes.", -1e5, 1e5),
    number_row("sz", "Spin Z", "°/s", "How fast it turns, world axes.", -1e5, 1e5)};

void throw_direct(const MotionContext& context, const RunningProcedure&, std::span<const double>, BodyForces& forces) {
  const auto& p = context.parameters;
  Vec3 change(p[0], p[1], p[2]);
  if (p[3] == 0) change -= velocity_of(context.model, context.state, context.body);
  forces.kick += change;
  if (p[4] != 0) forces.kick_turn += Vec3(p[5], p[6], p[7]) - spin_of(context.model, context.state, context.body);
}

bool throw_over(const MotionContext&, const RunningProcedure&, std::span<double>, const StepReport&) { return true; }

constexpr double kArrow = 0.25;  // s: the arrow is as long as what it passes in that time

void sketch_throw(std::span<const double> p, const SketchBody& body, MotionSketch& out) {
  const Vec3 velocity(p[0], p[1], p[2]);
  sketch::add_arc(body, p[3] != 0 ? Vec3(velocity + body.velocity) : velocity, out);
  sketch::add_arrow(body.centre, kArrow * velocity, "velocity", out);
  out.notes.push_back({body.centre + kArrow * velocity, sketch::number_text(velocity.norm()) + " m/s"});
}

void drag_throw(std::size_t, const Vec3& to, const SketchBody& body, std::span<double> p) {
  const Vec3 velocity = (to - body.centre) / kArrow;
  std::copy_n(velocity.data(), 3, p.begin());
}

}  // namespace

const ProcedureKind& procedure_throw() {
  static const ProcedureKind kind = [] {
    ProcedureKind k;
    static_cast<MotionKind&>(k) = {
        "throw",
        "Throw",
        "Sends it off at a velocity; what turns or trembles goes on doing so, unless it is given a spin.",
        "throw {of} at {x}, {y}, {z}",
        "Motion",
        kThrowRows,
        OtherUse::none};
    k.claim = Claim::motion;
    k.direct = throw_direct;
    k.over = throw_over;
    k.sketch = sketch_throw;
    k.drag = drag_throw;
    return k;
  }();
  return kind;
}

}  // namespace hazumi
