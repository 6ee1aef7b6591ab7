// Point mass: translation only (spec 1.4). Under a constant force the discrete path is the exact parabola:
//   v⁺ = v + h (f/m + g),   x⁺ = x + ½ h (v + v⁺)
// State: x(3) m, v(3) m/s, world. Errors: none; a result that is not finite or above 1e6 m/s gives false.
#pragma once

#include <span>

#include "core/sim/elastic/solver.h"

namespace hazumi {

inline constexpr std::size_t kPointStateSize = 6;

void point_initialise(const Vec3& position, const Vec3& velocity, std::span<double> state);
/// force: N, world, constant over the step; acceleration: m/s².
bool point_step(double mass, double h, const Vec3& force, const Vec3& acceleration, std::span<double> state);
void point_apply_impulse(double mass, const Vec3& impulse, std::span<double> state);
Vec3 point_position(std::span<const double> state);
Vec3 point_velocity(std::span<const double> state);
Observables point_observe(double mass, std::span<const double> state);

}  // namespace hazumi
