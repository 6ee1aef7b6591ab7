// Rigid body (spec 1.4). State: c(3) q wxyz(4) P(3) L(3), see core/sim/state.h. The momenta are the state and
// the spin follows from them, so a free body keeps both exactly; the attitude takes the midpoint rule on the
// rotations:
//
//   P⁺ = P + h (f + m g),   c⁺ = c + ½ h (P + P⁺)/m,   L⁺ = L + h τ
//   R⁺ = R exp(h ω̄),   ω̄ = ½ (W + W⁺),   W = J⁻¹ Rᵀ L                   (iterated until it stands still)
//
//   c  centre of mass, m     q, R  attitude      P  momentum, N s      L  angular momentum about c, kg m²/s
//   (world) J  inertia about c, kg m², body frame, full tensor;  ω̄  mean rate, rad/s, body frame f, τ  force
//   (N) and torque about c (N m), world, constant over the step;  g  acceleration, m/s²;  h  step, s
//
// The gyroscopic term is in it: L stands still while R turns. exp(hω̄) leaves ω̄ where it is, so that the energy of rotation changes
// by ω̄·(L⁺ − L), the work of the torque, exactly: a body that spins freely keeps it. A step that turns by more than 0.25 rad is
// split (up to 4096 parts). Errors: false when the result is not finite, faster than 1e6 m/s, or spins too fast to be followed
// (1024/h rad/s).
#pragma once

#include <span>

#include "core/sim/elastic/solver.h"

namespace hazumi {

inline constexpr std::size_t kRigidStateSize = 13;

/// What does not change while it runs.
struct RigidInertia {
  double mass = 1;                  ///< kg
  Mat3 inertia = Mat3::Identity();  ///< kg m², body frame, about the centre of mass
  Mat3 inverse = Mat3::Identity();
  double smallest = 1;  ///< smallest principal moment, kg m²
  RigidInertia() = default;
  /// inertia must be symmetric positive definite.
  RigidInertia(double mass_, const Mat3& inertia_);
};

/// pose: of the body frame (origin in the centre of mass); velocity m/s; spin rad/s, world axes.
void rigid_initialise(const RigidInertia& body, const Pose& pose, const Vec3& velocity, const Vec3& spin,
                      std::span<double> state);
bool rigid_step(const RigidInertia& body, double h, const Vec3& force, const Vec3& torque, const Vec3& acceleration,
                std::span<double> state);
/// impulse (N s) at a world point.
void rigid_apply_impulse(std::span<double> state, const Vec3& impulse, const Vec3& point);
/// Moves the body without changing its momenta.
void rigid_translate(std::span<double> state, const Vec3& by);

Pose rigid_pose(std::span<const double> state);
Vec3 rigid_spin(const RigidInertia& body, std::span<const double> state);  ///< rad/s, world
Vec3 rigid_velocity_at(const RigidInertia& body, std::span<const double> state, const Vec3& point);
/// World inverse inertia R J⁻¹ Rᵀ.
Mat3 rigid_inverse_inertia(const RigidInertia& body, std::span<const double> state);
/// volume: of the display mesh, passed through.
Observables rigid_observe(const RigidInertia& body, std::span<const double> state, double volume);

}  // namespace hazumi
