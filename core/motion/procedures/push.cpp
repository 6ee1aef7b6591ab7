// Pushes it for a time.
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

}  // namespace

const ProcedureKind& procedure_push() {
  static const ProcedureKind kind = [] {
    ProcedureKind k;
    static_cast<MotionKind&>(k) = {
        "push",   "Push",    "Pushes it for a time.", "push {of} by {x}, {y}, {z} for {duration}",
        "Motion", kPushRows, OtherUse::none};
    k.direct = push_direct;
    k.over = push_over;
    return k;
  }();
  return kind;
}

}  // namespace hazumi
