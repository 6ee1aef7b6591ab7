// Gives the body's centre of mass a velocity, the body as a whole: what turns or vibrates goes on doing so. A uniform acceleration
// (v − v⁻)/h over one sub-step does that exactly for every kind of body, as gravity does.
#include "core/motion/kinds.h"

namespace hazumi {
namespace {

constexpr ParameterRow velocity_row(std::string_view name, std::string_view label) {
  return {.name = name, .label = label, .unit = "m/s", .tooltip = "Velocity, world axes.", .low = -1e5, .high = 1e5};
}

constexpr ParameterRow kVelocityRows[] = {velocity_row("x", "X"), velocity_row("y", "Y"), velocity_row("z", "Z")};

void give_velocity(const MotionContext& context, std::int64_t, BodyForces& forces) {
  const Vec3 wanted(context.parameters[0], context.parameters[1], context.parameters[2]);
  std::vector<Vec3> scratch;
  forces.acceleration += (wanted - context.of_body().centre_velocity(context.values(), scratch)) / context.model.step;
}

double at_once(std::span<const double>) { return 0; }

}  // namespace

const ProcedureKind& procedure_velocity() {
  static const ProcedureKind kind = {"velocity",    "Give velocity", "Sends the object off at a velocity.",
                                     kVelocityRows, give_velocity,   at_once};
  return kind;
}

}  // namespace hazumi
