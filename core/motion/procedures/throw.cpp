// Sends it off at a velocity; what turns or trembles goes on doing so, unless it is given a spin.
#include "core/motion/sight.h"

namespace hazumi {
namespace {

constexpr ParameterRow kThrowRows[] = {
    number_row("x", "X", "m/s", "Velocity, world axes.", -1e5, 1e5),
    number_row("y", "Y", "m/s", "Velocity, world axes.", -1e5, 1e5),
    number_row("z", "Z", "m/s", "Velocity, world axes.", -1e5, 1e5),
    {.name = "added", .label = "On top", .tooltip = "The velocity comes on top of the one that it has.", .type = FieldType::boolean},
    {.name = "spins", .label = "With spin", .tooltip = "It is given a spin, too.", .type = FieldType::boolean},
    number_row("sx", "Spin X", "°/s", "How fast it turns, world axes.", -1e5, 1e5),
    number_row("sy", "Spin Y", "°/s", "How fast it turns, world axes.", -1e5, 1e5),
    number_row("sz", "Spin Z", "°/s", "How fast it turns, world axes.", -1e5, 1e5)};

void throw_direct(const MotionContext& context, const RunningProcedure&, std::span<const double>, BodyForces& forces) {
  const auto& p = context.parameters;
  Vec3 change(p[0], p[1], p[2]);
  if (p[3] == 0) change -= velocity_of(context.model, context.state, context.body);
  forces.kick += change;
  if (p[4] != 0)
    forces.kick_turn += Vec3(p[5], p[6], p[7]) - spin_of(context.model, context.state, context.body);
}

bool throw_over(const MotionContext&, const RunningProcedure&, std::span<double>, const StepReport&) { return true; }

}  // namespace

const ProcedureKind& procedure_throw() {
  static const ProcedureKind kind = [] {
    ProcedureKind k;
    static_cast<MotionKind&>(k) = {"throw", "Throw", "Sends it off at a velocity; what turns or trembles goes on doing so, unless it is given a spin.", "throw {of} at {x}, {y}, {z}", "Motion", kThrowRows, OtherUse::none};
    k.claim = Claim::motion;
    k.direct = throw_direct;
    k.over = throw_over;
    return k;
  }();
  return kind;
}

}  // namespace hazumi
