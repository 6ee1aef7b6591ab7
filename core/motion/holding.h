// Holding dynamically: by a force that lets a body yield to what pushes it, and brings it back with a time constant τ, damped critically.
//
//   x, v   of its centre, x*, v* where it is to be;   θ the turn from there to how it is, ω, ω*
//   v̇ = −2/τ (v − v*) − (x − x*)/τ² − g,   ω̇ = −2/τ (ω − ω*) − θ/τ²
#pragma once

#include <algorithm>

#include "core/math/rotation.h"
#include "core/motion/classes.h"
#include "core/motion/sight.h"

namespace hazumi {

constexpr ParameterRow softness_row() {
  return number_row("softness", "Softness", "s",
                    "Held dynamically: how long it takes to come back where it was pushed away.", 0.001, 1000, 0.1);
}

inline void hold_by_force(const MotionContext& context, const Lead& to, double softness, BodyForces& forces) {
  const Body& body = context.of_body();
  const double h = context.model.step, tau = std::max(softness, 2 * h);
  const Pose now = body.pose(context.values());
  const Vec3 arm = to.pose.rotation * body.mesh_origin, wanted = to.pose.position + arm;
  const Vec3 lags = velocity_of(context.model, context.state, context.body) - to.velocity - to.spin.cross(arm);
  forces.acceleration -= 2 / tau * lags + (now.position - wanted) / (tau * tau) + weight_of(context);
  const Vec3 turned = log_rotation(now.rotation * to.pose.rotation.conjugate());
  const Vec3 spin = spin_of(context.model, context.state, context.body);
  forces.kick_turn -= h * (2 / tau * (spin - to.spin) + turned / (tau * tau));
}

}  // namespace hazumi
