// What rows remember from sub-step to sub-step, and the island's two purses (contact.md, §3 and A4).
//
// Per row: Q exit speed (m/s), R energy that it may still return (J), λ. With u⁻ and ū along the normal, u⁺ = 2ū − u⁻, W = λ·ū:
//   touch faster than rest_speed:          Q = e|u⁻|; again where u⁻ < 0 after u⁻ ≥ 0 in contact
//   u⁻ < 0 < u⁺:  R += ½λ(e²u⁻² − u⁺²)/(u⁺ − u⁻);   else W < 0: R += e²(−W);   else R −= W
//   R ≤ 0 and u⁺ ≥ 0:  Q = 0, else the exit speed would be a motor against the body's springs
// Target of u⁺, the rigid row:
//   Q > 0: Q.   At rest: 0, in an overlap δ₀ deeper than the slop the gentle way out, min(0.2 (δ₀ − slop)/h, max(0.05, 10 δ₀)).
//   gap > 0: at most −2 gap/h − u⁻, which lands on the surface.   Q = 0, overlap and u⁻ above that: −u⁻, which does no work.
//
// Purses of the island, J: rows absorbed −W < 0. The share r = e² where Q > 0 may come back (elastic), the rest was spent by
// inelastic impacts; rows that work (W > 0: a resting row, one sub-step after another) draw on spent first, then on elastic.
// spent *= κ after each sub-step. What rows took by letting two bodies deeper into each other than is left alone is kept apart as
// long as they are (sunk): it pays for lifting, not for rows. Σ W ≤ elastic + spent at all times: contacts never add energy.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "tests/sim/reference/dense.h"

namespace hazumi::reference {

struct RowMemory {
  double exit = 0, recoverable = 0;  ///< Q, R
  bool unloading = false;
  Vec3 impulse = Vec3::Zero();
  double target = 0;  ///< m/s, where Settings::prescribed
};

struct ContactRules {
  double restitution = 0.3, friction = 0.3;
  double rest_speed = 0.05;  ///< m/s
  double slop = 0;  ///< m, overlap that is left alone; where it is not 0, slow rows within 1 cm close their gap
};

/// Q and phase at the start of a sub-step. `known`: the row was there in the sub-step before.
inline void begin_row(RowMemory& m, bool known, double gap, double before, const ContactRules& rules) {
  const bool fast = -before > rules.rest_speed;
  const double exit = fast ? rules.restitution * -before : 0;
  if (gap >= 0 && (!known || fast)) {
    m.exit = exit;
    m.unloading = false;
    return;
  }
  if (before < 0 && m.unloading) {
    m.exit = exit;
    m.unloading = false;
  }
  if (before >= 0) m.unloading = true;
}

inline double row_target(const RowMemory& m, double gap, double before, double h, const ContactRules& rules) {
  const double depth = -gap;
  double b = 0;
  if (m.exit > 0)
    b = m.exit;
  else if (depth > rules.slop)
    b = std::min(0.2 * (depth - rules.slop) / h, std::max(0.05, 10 * depth));
  if (gap >= 0) b = std::min(b, -before - 2 * gap / h);
  if (rules.slop > 0 && m.exit == 0 && std::abs(gap) < 1e-2 && -before < rules.rest_speed) {
    b = depth > rules.slop ? std::min(0.2 * (depth - rules.slop) / h, 0.05) : std::min(0.0, depth / h);
  }
  return b;
}

/// After the sub-step: `before` u⁻ and `mean` ū along the normal, `normal` λ_n.
inline void end_row(RowMemory& m, double before, double mean, double normal, double restitution) {
  const double after = 2 * mean - before, work = normal * mean;
  const double e2 = m.exit > 0 ? restitution * restitution : 0;
  if (before < 0 && after > 0)
    m.recoverable += 0.5 * normal * (e2 * before * before - after * after) / (after - before);
  else
    m.recoverable += work < 0 ? e2 * -work : -work;
  if (m.recoverable > 1e-12 * std::abs(work)) return;
  m.recoverable = 0;
  if (after >= 0 || normal == 0) m.exit = 0;
}

struct Purses {
  double elastic = 0, spent = 0;
  std::map<int, double> sunk;  ///< of each pair: pays for lifting alone

  double sum() const { return elastic + spent; }
  /// `returnable`: r, the share of absorbed work that may come back; `lowered`: of each pair, the share that sinking deeper took.
  void book(double work, double returnable, const std::map<int, double>& lowered = {}) {
    if (work < 0) {
      elastic += returnable * -work;
      spent += (1 - returnable) * -work;
      for (const auto& [pair, share] : lowered) {
        sunk[pair] += share * -work;
        spent -= share * -work;
      }
      return;
    }
    const double first = std::min(spent, work);
    spent -= first;
    elastic -= work - first;  // below zero by round-off alone: every booking was checked against sum()
  }
  /// Of pairs that are no deeper in each other than is left alone it is as spent as the rest.
  void keep_sunk(const std::set<int>& deep) {
    std::erase_if(sunk, [&](const auto& of) {
      if (deep.count(of.first)) return false;
      spent += of.second;
      return true;
    });
  }
};

}  // namespace hazumi::reference
