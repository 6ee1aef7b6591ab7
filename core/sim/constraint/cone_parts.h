// W of a large rigid island by its bodies (cone.h).
#pragma once

#include <cstdint>
#include <span>

#include "core/math/types.h"

namespace hazumi {

/// W by the bodies that the rows hold: for large islands of rigid bodies, whose blocks are more to read than the bodies are.
///   W_ij = Σ over shared bodies of ± (1/m − [r_i]ₓ I⁻¹ [r_j]ₓ)
/// x: what impulses make of the bodies, v and ω of each, one after the other.
struct ConeParts {
  struct Part {
    double inverse_mass = 0;
    Mat3 inverse_inertia = Mat3::Zero();  ///< world axes
  };
  struct Hold {
    std::int32_t a = -1, b = -1;  ///< of the parts; −1: it does not move
    Vec3 arm_a = Vec3::Zero(), arm_b = Vec3::Zero();
  };
  std::span<const Part> part;
  std::span<const Hold> hold;  ///< one per row; empty: W is in its blocks

  Vec3 velocity(std::size_t row, std::span<const Vec3> x) const {
    const Hold& h = hold[row];
    Vec3 u = Vec3::Zero();
    if (h.a >= 0) u = x[2 * h.a] + x[2 * h.a + 1].cross(h.arm_a);
    if (h.b >= 0) u -= x[2 * h.b] + x[2 * h.b + 1].cross(h.arm_b);
    return u;
  }
  void push(std::size_t row, const Vec3& impulse, std::span<Vec3> x) const {
    const Hold& h = hold[row];
    if (h.a >= 0) {
      x[2 * h.a] += part[h.a].inverse_mass * impulse;
      x[2 * h.a + 1] += part[h.a].inverse_inertia * h.arm_a.cross(impulse);
    }
    if (h.b >= 0) {
      x[2 * h.b] -= part[h.b].inverse_mass * impulse;
      x[2 * h.b + 1] -= part[h.b].inverse_inertia * h.arm_b.cross(impulse);
    }
  }
};

}  // namespace hazumi
