// Pushes it for a time.
#include <algorithm>

#include "core/motion/sight.h"

namespace hazumi {
namespace {

constexpr ParameterRow kPushRows[] = {number_row("x", "X", "N", "Force on all of it, world axes.", -1e9, 1e9),
                                      number_row("y", "Y", "N", "Force on all of it, world axes.", -1e9, 1e9),
                                      number_row("z", "Z", "N", "Force on all of it, world axes.", -1e9, 1e9),
                                      duration_row("How long; 0: for good.", 0.5)};

void push_direct(const MotionContext& context, const RunningProcedure&, std::span<const double>, BodyForces& forces) {
  const Body& body = context.of_body();
  if (body.mass > 0)
    forces.acceleration += Vec3(context.parameters[0], context.parameters[1], context.parameters[2]) / body.mass;
}

bool push_over(const MotionContext& context, const RunningProcedure& own, std::span<double>, const StepReport&) {
  return ran_for(context, own, context.parameters[3]);
}

/// The arrow is 1 m long where it is as much as the body's weight on Earth.
double metres_a_newton(const SketchBody& body) { return 1 / (9.80665 * std::max(body.mass, 1e-9)); }

void sketch_push(std::span<const double> p, const SketchBody& body, MotionSketch& out) {
  const Vec3 force(p[0], p[1], p[2]), way = metres_a_newton(body) * force;
  sketch::add_arrow(body.centre, way, "force", out);
  out.notes.push_back({body.centre + way, sketch::number_text(force.norm()) + " N"});
}

void drag_push(std::size_t, const Vec3& to, const SketchBody& body, std::span<double> p) {
  const Vec3 force = (to - body.centre) / metres_a_newton(body);
  std::copy_n(force.data(), 3, p.begin());
}

}  // namespace

const ProcedureKind& procedure_push() {
  static const ProcedureKind kind = [] {
    ProcedureKind k;
    static_cast<MotionKind&>(k) = {
        "push",   "Push",    "Pushes it for a time.", "push {of} by {x}, {y}, {z} for {duration}",
        "Motion", kPushRows, OtherUse::none};
    k.direct = push_direct;
    k.over = push_over;
    k.sketch = sketch_push;
    k.drag = drag_push;
    return k;
  }();
  return kind;
}

}  // namespace hazumi
