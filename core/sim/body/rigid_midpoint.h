// A sub-step of a rigid body whose energy changes by exactly what forces and impulses do on it, whatever they are.
//
//   P⁺ = P⁻ + h (f + m g)      c⁺ = c⁻ + h v̄,  v̄ = ½ (P⁻ + P⁺)/m
//   L⁺ = L⁻ + h τ              R⁺ = R⁻ cay(h W̄),  W̄ = ½ (W⁻ + W⁺),  W = J⁻¹ Rᵀ L,  ω̄ = R⁻ W̄          (midpoint_turn.h)
//
//   E⁺ − E⁻ = h f·v̄ + h τ·ω̄  (and the fall of m g):  impulses λ at points p, f = Σ λ/h and τ = Σ (p − c̄) × λ/h with
//   c̄ = ½ (c⁻ + c⁺), work by  Σ λ·ū,  ū = v̄ + ω̄ × (p − c̄)
//
// Then P is exact, and so is L about any point, if both bodies that share an impulse take it at one p: c⁺ × P⁺ − c⁻ × P⁻ = c̄ × ΔP. A
// point s of the body moves by h ū of p = c̄ + ½ (R⁻ + R⁺) s, in one part: a joint with ū = 0 there does not drift.
//
// Parts: what turns by more than `turn_per_part` is split into n equal ones, each with h/n and the same τ. In part k the energy changes
// by ω̄_k·(h/n) τ, so that the whole changes by h τ·ω̄ with ω̄ the mean of the ω̄_k, exactly; f needs no parts, as v is linear in time.
// What parts do not keep is the way of a point of the body: it is the mean of their ways, to second order h ū. Where Newton's
// method does not settle the parts are halved.
//
//   c, v   centre of mass, m, and its velocity, m/s       P, L  momentum, N s; angular momentum about c, kg m²/s
//   R, W   attitude; rate of turn, rad/s (body axes)      ω     the same in world axes
//   f, τ   force, N, and torque about c̄, N m, world axes, constant over the step       g  acceleration, m/s²
//   h      sub-step, s
//
// Source: design of contacts, A2 (docs/numerics/contact-reference.md). Departures: Newton's method instead of repeating W⁺, which
// diverges from h|W| of about 2 on, and parts. Errors of the turn itself are of second order: cay turns by 2 atan(½h|W|), 0.5 %
// short at 0.25 rad, and 1/12 (h|W|)² of any rate.
//
// A pinned body (pinned_body.h) turns about its pin x: J and L about x, c = x + R s, and the force at c has its lever ½ (R⁻ + R⁺) s,
// so that it works by (f + m g)·(c⁺ − c⁻). Torque is that about the pin, Σ (p − x) × λ/h of impulses, and ū = ω̄ × (p − x).
#pragma once

#include "core/sim/body/pinned_body.h"
#include "core/sim/body/rigid_values.h"

namespace hazumi {

inline constexpr double kTurnPerMidpoint = 0.25;  ///< rad

struct RigidMidpoint {
  RigidValues after;
  Quat half = Quat::Identity();       ///< attitude half-way
  Vec3 mean_centre = Vec3::Zero();    ///< c̄, m
  Vec3 mean_velocity = Vec3::Zero();  ///< v̄, m/s: (c⁺ − c⁻)/h
  Vec3 mean_spin = Vec3::Zero();      ///< ω̄, rad/s
  int parts = 1, passes = 0;          ///< passes: of Newton's method, all parts together
};

/// False: not finite, faster than 1e6 m/s, or it would turn by more than 64 rad.
bool rigid_midpoint(const RigidInertia& body, const RigidValues& before, double h, const Vec3& force,
                    const Vec3& torque, const Vec3& acceleration, RigidMidpoint& out,
                    double turn_per_part = kTurnPerMidpoint);

/// `force` at the centre of mass, `torque` about the pin.
bool pinned_midpoint(const RigidInertia& body, const PinnedBody& pinned, const RigidValues& before, double h,
                     const Vec3& force, const Vec3& torque, const Vec3& acceleration, RigidMidpoint& out,
                     double turn_per_part = kTurnPerMidpoint);

}  // namespace hazumi
