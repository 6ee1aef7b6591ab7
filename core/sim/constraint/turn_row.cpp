#include "core/sim/constraint/turn_row.h"

#include <algorithm>

namespace hazumi {

void find_turn_rows(const Model& model, std::span<const BodyMotion> motions, std::span<const Row> rows,
                    std::vector<TurnRow>& out) {
  out.clear();
  for (std::uint32_t k = 0; k < rows.size(); ++k) {
    const Row& row = rows[k];
    const Body &a = model.bodies[row.body_a], &b = model.bodies[row.body_b];
    const double rolling = a.substance.rolling + b.substance.rolling, spin = a.substance.spin + b.substance.spin;
    if (!(rolling > 0 || spin > 0) || a.deforms || b.deforms) continue;
    double length = 1e300;
    for (const auto& [i, body] : {std::pair(row.body_a, &a), std::pair(row.body_b, &b)})
      if (motions[i].moves) length = std::min(length, body->proxy.reach);
    if (!(length > 0 && length < 1e300)) continue;  // mass points do not turn
    out.push_back({k, row.body_a, row.body_b, length, rolling / length, spin / length, Vec3::Zero()});
  }
}

Vec3 start_velocity(std::span<const BodyMotion> motions, const TurnRow& turn) {
  return turn.length * (motions[turn.body_a].angular_start - motions[turn.body_b].angular_start);
}

Vec3 mean_velocity(std::span<const BodyMotion> motions, const TurnRow& turn) {
  return turn.length * (motions[turn.body_a].angular_mean - motions[turn.body_b].angular_mean);
}

void add_impulse(std::span<const BodyMotion> motions, const TurnRow& turn, std::span<BodyForces> to) {
  if (motions[turn.body_a].moves) to[turn.body_a].twist += turn.length * turn.impulse;
  if (motions[turn.body_b].moves) to[turn.body_b].twist -= turn.length * turn.impulse;
}

}  // namespace hazumi
