// Resistance to rolling and to turning on the spot, one row beside each row of a contact whose materials have some.
//
//   ω = ω_a − ω_b          rad/s, of the two bodies                 u = ρ ω,   ρ the reach of the smaller that moves, m
//   λ                      N s: the impulse ρ λ turns a, −ρ λ turns b, so that angular momentum is kept
//   |λ − n n·λ| ≤ (c_roll/ρ) λ_n,   |n·λ| ≤ (c_spin/ρ) λ_n       against u⁺ where it turns, u⁺ = 0 where not (cone.h, `turning`)
//
// λ_n: of the contact's row. c_roll and c_spin, m: the lever arm by which the middle of the pressed region lies ahead of the contact,
// and the mean one of its friction; those of the two materials add up, as both are pressed. With ρ all rows of an island are in
// m/s and N s. The work of such a row is ρ λ·ω̄ (contact.md, "What holds"), booked with its contact's.
// Rows stand between bodies that do not deform: what deforms has damping of its own, and turns node by node.
#pragma once

#include "core/sim/constraint/row.h"

namespace hazumi {

struct TurnRow {
  std::uint32_t row = 0;  ///< of its contact
  std::uint32_t body_a = 0, body_b = 0;
  double length = 0;                 ///< ρ, m
  double rolling = 0, spinning = 0;  ///< c_roll/ρ, c_spin/ρ
  Vec3 impulse = Vec3::Zero();       ///< λ
};

/// One for each of `rows` that resists, in their order.
void find_turn_rows(const Model& model, std::span<const BodyMotion> motions, std::span<const Row> rows,
                    std::vector<TurnRow>& out);
Vec3 start_velocity(std::span<const BodyMotion> motions, const TurnRow& turn);  ///< u⁻
Vec3 mean_velocity(std::span<const BodyMotion> motions, const TurnRow& turn);   ///< ū
void add_impulse(std::span<const BodyMotion> motions, const TurnRow& turn, std::span<BodyForces> to);

}  // namespace hazumi
