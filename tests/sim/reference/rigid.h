// A rigid body and its sub-step, which shares the identity of flexible ones (contact.md, A2).
//
// State: c (m), R, V velocity of c (m/s), L angular momentum about c (kg m²/s, world). J inertia about c (kg m², body frame),
// W = J⁻¹RᵀL rate of turn (rad/s, body frame). λ impulses (N s) at points p (m), arms p − c̄ with c̄ = ½(c⁻ + c⁺).
//
//   V⁺ = V⁻ + hg + Σλ/m     c⁺ = c⁻ + ½h(V⁻ + V⁺)
//   L⁺ = L⁻ + Σ (p − c̄)×λ   Θ = ½h(W⁻ + W⁺)   R⁺ = R⁻cay(Θ)   W⁺ = J⁻¹R⁺ᵀL⁺ (iterated)   ω̄ = R⁻Θ/h
//
// Since cay(Θ)Θ = Θ, both R⁻Θ and R⁺Θ are hω̄, and the spin's energy changes by ½(W⁺ + W⁻)·(JW⁺ − JW⁻) = ω̄·(L⁺ − L⁻). So
//   E⁺ − E⁻ = Σ λ·ū,   ū = ½(V⁻ + V⁺) + ω̄×(p − c̄),   whatever λ is.
// The impulses of one point on two bodies share p; then L of both about any point is kept.
#pragma once

#include "tests/sim/reference/dense.h"

namespace hazumi::reference {

struct RigidBody {
  double mass = 1;
  Mat3 inertia = Mat3::Identity();
  Vec3 half = Vec3::Constant(0.5);  ///< of the box, m
  // state
  Vec3 centre = Vec3::Zero();
  Mat3 attitude = Mat3::Identity();
  Vec3 velocity = Vec3::Zero(), spin = Vec3::Zero();  ///< V and L

  Vec3 rate() const { return inertia.inverse() * (attitude.transpose() * spin); }
  Mat3 world_inverse(const Mat3& r) const { return r * inertia.inverse() * r.transpose(); }
  double kinetic() const { return 0.5 * mass * velocity.squaredNorm() + 0.5 * rate().dot(inertia * rate()); }
  Vec3 momentum() const { return mass * velocity; }
  Vec3 angular_momentum() const { return mass * centre.cross(velocity) + spin; }
  void set_rate_of_turn(const Vec3& world) { spin = attitude * inertia * attitude.transpose() * world; }
};

inline RigidBody rigid_box(double mass, const Vec3& half) {
  RigidBody b;
  b.mass = mass;
  b.half = half;
  const Vec3 q = half.cwiseProduct(half);
  b.inertia = (mass / 3 * Vec3(q.y() + q.z(), q.x() + q.z(), q.x() + q.y())).asDiagonal();
  return b;
}

struct RigidStep {
  Vec3 centre = Vec3::Zero(), velocity = Vec3::Zero(), spin = Vec3::Zero();  ///< c⁺, V⁺, L⁺
  Mat3 attitude = Mat3::Identity(), half = Mat3::Identity();                 ///< R⁺ and the attitude half-way
  Vec3 mean_centre = Vec3::Zero(), mean_velocity = Vec3::Zero(), mean_rate = Vec3::Zero();  ///< c̄, V̄, ω̄ (world)
  int passes = 0;
};

/// `push` Σλ, `twist` Σ(p − c̄)×λ.
inline RigidStep step_rigid(const RigidBody& b, double h, const Vec3& gravity, const Vec3& push, const Vec3& twist) {
  RigidStep s;
  s.velocity = b.velocity + h * gravity + push / b.mass;
  s.mean_velocity = 0.5 * (b.velocity + s.velocity);
  s.centre = b.centre + h * s.mean_velocity;
  s.mean_centre = b.centre + 0.5 * h * s.mean_velocity;
  s.spin = b.spin + twist;
  const Mat3 inverse = b.inertia.inverse();
  const Vec3 rate0 = b.rate();
  Vec3 rate = rate0, theta = h * rate0;
  while (s.passes < 200) {
    ++s.passes;
    theta = 0.5 * h * (rate0 + rate);
    s.attitude = b.attitude * cayley(theta);
    const Vec3 next = inverse * (s.attitude.transpose() * s.spin);
    const double change = (next - rate).norm();
    rate = next;
    if (change < 1e-15 * (1 + rate.norm())) break;
  }
  s.mean_rate = b.attitude * theta / h;
  s.half = b.attitude * half_of(cayley(theta));
  return s;
}

}  // namespace hazumi::reference
