#include "core/sim/fields/ball.h"

#include <cmath>

#include "core/sim/fields/immersed.h"
#include "core/sim/fields/surface.h"

namespace hazumi {

double radius_of_surface(double area, bool closed) { return std::sqrt((closed ? 1 : 2) * area / (4 * kPi)); }

Vec3 felt_by_ball(std::span<const FieldNow* const> fields, const FlyingBall& ball, const BallStep& step) {
  const Vec3 middle = step.place + 0.5 * step.h * step.velocity;
  Medium air;
  Vec3 pull = Vec3::Zero();
  for (const FieldNow* field : fields) {
    field->add_air(middle, step.time, air);
    pull += field->acceleration(middle);
  }
  for (const FieldNow* field : fields) {
    if (field->field().kind != FieldKind::water) continue;
    const Water water = field->water(middle);
    const double below =
        water.weight * immersed_part_of_ball(std::cbrt(3 * ball.volume / (4 * kPi)), water.depth(middle));
    pull -= below * water.density * ball.volume / ball.mass * step.gravity;
    air.velocity *= 1 - below;
    air.density = (1 - below) * air.density + below * water.density;
    air.linear = (1 - below) * air.linear + below * water.linear;
    air.quadratic = (1 - below) * air.quadratic + below * water.quadratic;
  }
  const double across = 0.25 * air.density * ball.air * kPi * ball.radius * ball.radius / ball.mass;
  const auto rate = [&](const Vec3& u) {
    return air.linear + ball.linear + (air.quadratic + ball.quadratic + across) * (air.velocity - u).norm();
  };
  const Vec3 all = step.other + pull;
  const double first = rate(step.velocity);
  const Vec3 half = (step.velocity + 0.5 * step.h * (all + first * air.velocity)) / (1 + 0.5 * step.h * first);
  return pull + mean_drag(rate(half), step.h, step.velocity, air.velocity, all);
}

}  // namespace hazumi
