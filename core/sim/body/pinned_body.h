// A rigid body held by pins: a ball joint to the world at one pin, a hinge at pins on a line, nothing at
// others (sim/elastic/pins.h). State as of a free rigid body (c, q, P, L about c), so that everything that
// reads one reads this; it follows from attitude q and the angular momentum about the pin:
//
//   c = x + R s,   P = m ω × R s,   L_p = L + R s × P,   ω = J_p⁻¹ Rᵀ L_p        J_p about the pin; a hinge keeps n only
//
// Its step is pinned_midpoint() (rigid_midpoint.h).
//
//   x  pin, m (world)    s  from the pin to the centre of mass, m (body)    n  line of the pins (body)
#pragma once

#include "core/sim/body/rigid_body.h"
#include "core/sim/elastic/body_frame.h"

namespace hazumi {

struct PinnedBody {
  Vec3 place = Vec3::Zero();        ///< of the first pin, world
  Vec3 arm = Vec3::Zero();          ///< s
  Mat3 inertia = Mat3::Identity();  ///< J_p, kg m², body frame
  RigidDirections directions;
  PinnedBody() = default;
  /// pins: body frame (origin in the centre of mass).
  PinnedBody(const RigidInertia& body, const PinFrame& pins, const Pose& start);

  /// Of the motion (velocity of the centre of mass m/s, spin rad/s, world) it keeps the angular momentum
  /// about the pins.
  void initialise(const RigidInertia& body, const Quat& attitude, const Vec3& velocity, const Vec3& spin,
                  std::span<double> state) const;
  bool can_turn() const { return !directions.is_held(); }
  /// World; J⁻¹ about the pin, without the turns that are not possible.
  Mat3 inverse_inertia(const Quat& attitude) const;
  Vec3 spin(std::span<const double> state) const;  ///< rad/s, world
  /// The state at an attitude and a spin (rad/s, world; what the pins take is left out).
  void put(const RigidInertia& body, const Quat& attitude, const Vec3& spin, std::span<double> state) const;
};

}  // namespace hazumi
