// Secondary action (spec 7.1, thesis 4.2.4): a part with its own analysis model rides on three nodes of its parent, or on its pose where it does not
// bend, and feels as much of its parent's motion as it is told.
//
//   x_i, X_i   the three nodes of the parent now and at rest, m;   c, C their means
//   R          rotation of the polar decomposition of Σ (x_i − c)(X_i − C)ᵀ + n Nᵀ s, n and N their normals: of their plane alone, so that
//              it shears nothing and is never singular, as the 3×3 matrix of the thesis (4.1) is
//   V(x)       v + ω × (x − c), velocity of that frame, m/s
//   u          velocities of the part's nodes relative to the frame, m/s: its pins stand in it
//   f          how much it feels, 0…1
//
//   A(x, u)    a + α × (x − c) + ω × (ω × (x − c)) + 2 ω × u, m/s²: what stands in the frame, or moves at u, is accelerated by
//
// A sub-step moves the part by itself, its pins standing, under −f m A as the frame moved in the sub-step before, from x, u to x*, u*. Then it
// goes with the frame, from M to M⁺ (M x = c + R x), and what A was in this one, Ā half-way between both ends, is put right:
//   x⁺ = M⁺ M⁻¹ x*,   u⁺ = D u* + f h (D A(x, u) − √D Ā),   D = R⁺ Rᵀ
// So with f = 1 u + V is what forces make of it, to second order: it feels all inertial forces of the frame, of its acceleration, Euler's,
// centrifugal and Coriolis. With f = 0 it moves as if its parent stood. Gravity is that of the world. What rides on what rides goes
// after it, so that trees may be as deep as they like; nothing is felt by the parent.
#pragma once

#include <array>

#include "core/motion/kinds.h"

namespace hazumi {

struct MovingFrame {
  Vec3 place = Vec3::Zero();  ///< c
  Quat rotation = Quat::Identity();
  Vec3 velocity = Vec3::Zero(), spin = Vec3::Zero();
  Vec3 at(const Vec3& x) const { return velocity + spin.cross(x - place); }
};
/// At both ends of a sub-step.
struct Ridden {
  MovingFrame before, after;
};

/// How a frame moves on, as a sub-step begins.
struct FrameRates {
  Vec3 place = Vec3::Zero(), spin = Vec3::Zero();        ///< c, ω
  Vec3 speeding = Vec3::Zero(), turning = Vec3::Zero();  ///< a, m/s², and α, rad/s²
  Vec3 at(const Vec3& x, const Vec3& u) const {
    return speeding + turning.cross(x - place) + spin.cross(spin.cross(x - place)) + 2 * spin.cross(u);
  }
};
/// Of the sub-step that comes, from the one that was.
FrameRates rates_after(const Ridden& frame, double h);

/// What a rider remembers: its three nodes, or -1, and the rates of its frame.
inline constexpr std::size_t kRiderMemory = 3 + 12;
FrameRates felt_by_rider(std::span<const double> memory);
void remember_rates(const FrameRates& rates, std::span<double> memory);

/// Numbers of three nodes of a parent that bends, from where they are: those of `asked` where they span a plane, else the nearest to `place`
/// that do; nothing: they lie on a line.
std::optional<std::array<std::uint32_t, 3>> nodes_to_ride(std::span<const Vec3> nodes, const Vec3& place,
                                                          std::span<const double> asked);
/// `carrier`: what the parent itself rides on; null: on nothing.
Ridden ridden_frame(const Model& model, const State& before, const State& after, std::size_t parent,
                    const std::optional<std::array<std::uint32_t, 3>>& nodes, const Ridden* carrier);
/// `values`: of the part at the end of the sub-step, in which it was under −feels m A of `felt`.
void carry_along(const Body& part, std::span<const double> before, const Ridden& frame, const FrameRates& felt,
                 double feels, double h, std::span<double> values);

}  // namespace hazumi
