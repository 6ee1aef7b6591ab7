// W of an island in which many rows hold something limp, by what it makes of λ: impulses are gathered on nodes and bodies, these answer, and
// rows read velocities. Of a soft body
//
//   W λ = N (B P) + F Q + E (S + D Q),   P = Σ Nᵀ λ, of nodes,  Q = Σ Eᵀ λ,  S = Σ Fᵀ λ, of the centre and of the turn (mobility.h)
//
// with B P by the factor of A where it is limp (ElasticAnswer), else by the blocks of its nodes. Of W_ii the own blocks are exact but for what
// nodes that are not near each other do to each other (a row between two parts of one cloth): they weigh rows, and W λ is what counts.
#include "core/sim/constraint/mobility.h"

namespace hazumi {

namespace {
constexpr std::uint32_t kManyHolds = 200;  // of one limp body; with fewer its blocks take less time than solves
}  // namespace

bool Mobility::goes_by_products(std::span<const BodyMotion> motions, std::span<const TurnRow> turns) const {
  if (!turns.empty()) return false;
  for (std::size_t g = 0; g < group_.size(); ++g)
    if (first_[g + 1] - first_[g] > kManyHolds && motions[group_[g].body].limp) return true;
  return false;
}

/// Of two holds of a row that may be one, by their numbers in `soft.holds`.
Mat3 Mobility::own_answer(const BodyMotion& motion, const Soft& soft, std::size_t at, std::size_t with) const {
  const std::uint32_t k = soft.holds[at], l = soft.holds[with];
  const Hold &i = holds_[k], &j = holds_[l];
  const Mat3& r = motion.held.attitude;
  const std::size_t m = soft.nodes.size();
  Mat3 sum = Mat3::Zero();
  for (std::uint32_t e = i.first; e < i.first + i.count; ++e)
    for (std::uint32_t f = j.first; f < j.first + j.count; ++f) {
      const std::uint32_t a = node_number_[e], b = node_number_[f];
      const Mat3 inverse =
          soft.answer ? soft.answer->near_block(soft.nodes[a], soft.nodes[b]) : soft.inverse[a * m + b];
      sum += weight_[e] * inverse * weight_[f].transpose();
    }
  const Whole &of_i = whole_[k], &of_j = whole_[l];
  sum += of_i.of_centre * of_j.by_centre.transpose() + of_i.of_turn * of_j.by_turn.transpose() +
         of_i.by_centre * of_j.of_centre.transpose() + of_i.by_turn * of_j.of_turn.transpose() +
         of_i.by_centre * of_j.by_centre.transpose() / motion.inverse_mass +
         of_i.by_turn * soft.inertia * of_j.by_turn.transpose();
  return i.sign * j.sign * (r * sum * r.transpose());
}

void Mobility::make_own_blocks(std::span<const BodyMotion> motions, std::span<const Row> rows) {
  block_.assign(rows.size(), Mat3::Zero());
  own_.resize(rows.size());
  start_.resize(rows.size() + 1);
  column_.resize(rows.size());
  arm_.resize(holds_.size());
  answering_.resize(group_.size());
  for (std::uint32_t k = 0; k < rows.size(); ++k) own_[k] = start_[k] = column_[k] = k;
  start_[rows.size()] = static_cast<std::uint32_t>(rows.size());
  std::vector<std::uint32_t> of_row(rows.size());  // hold of each row in the group at hand, and of which
  std::vector<std::size_t> seen(rows.size(), group_.size());
  for (std::size_t g = 0; g < group_.size(); ++g) {
    const BodyMotion& motion = motions[group_[g].body];
    const Soft* const soft = group_[g].softs > 0 ? &soft_[group_[g].soft] : nullptr;
    answering_[g] = {motion.inverse_mass, soft ? motion.held.attitude : motion.inverse_inertia};
    if (soft)
      for (auto* v : {&soft->impulses, &soft->velocity})
        v->resize(soft->answer ? motion.masses.size() : soft->nodes.size());
    const auto answer_of = [&](std::uint32_t k, std::uint32_t l) {
      return soft ? own_answer(motion, *soft, k - first_[g], l - first_[g]) : answer(motion, k, l, rows, {});
    };
    for (std::uint32_t k = first_[g]; k < first_[g + 1]; ++k) {
      const std::uint32_t row = holds_[k].row;
      if (!soft) arm_[k] = rows[row].point - motion.origin;
      Mat3 sum = answer_of(k, k);
      if (seen[row] == g) {  // the body touches itself
        const Mat3 both = answer_of(of_row[row], k);
        sum += both + both.transpose();
      }
      seen[row] = g;
      of_row[row] = k;
      block_[row] += 0.5 * (sum + sum.transpose());
    }
  }
}

/// u of each hold of a soft body from λ of each, in its axes.
void Mobility::by_nodes(const Soft& soft, double inverse_mass, std::span<const Vec3> impulses,
                        std::span<Vec3> out) const {
  const std::size_t m = soft.nodes.size();
  const auto number = [&](std::uint32_t e) {
    return soft.answer ? std::size_t{soft.nodes[node_number_[e]]} : std::size_t{node_number_[e]};
  };
  std::fill(soft.impulses.begin(), soft.impulses.end(), Vec3::Zero());
  Vec3 by_centre = Vec3::Zero(), by_turn = by_centre, of_centre = by_centre, of_turn = by_centre;
  for (std::size_t at = 0; at < soft.holds.size(); ++at) {
    const std::uint32_t k = soft.holds[at];
    const Hold& hold = holds_[k];
    const Vec3& push = impulses[at];
    for (std::uint32_t e = hold.first; e < hold.first + hold.count; ++e)
      soft.impulses[number(e)] += hold.plain ? Vec3(number_[e] * push) : Vec3(weight_[e].transpose() * push);
    const Whole& whole = whole_[k];
    of_centre += whole.of_centre.transpose() * push;
    of_turn += whole.of_turn.transpose() * push;
    if (!hold.whole) continue;
    by_centre += whole.by_centre.transpose() * push;
    by_turn += whole.by_turn.transpose() * push;
  }
  if (soft.answer) {
    soft.answer->respond(soft.impulses, soft.velocity);
  } else {
    for (std::size_t a = 0; a < m; ++a) {
      soft.velocity[a].setZero();
      for (std::size_t b = 0; b < m; ++b) soft.velocity[a] += soft.inverse[a * m + b] * soft.impulses[b];
    }
  }
  for (std::size_t at = 0; at < soft.holds.size(); ++at) {
    const std::uint32_t k = soft.holds[at];
    const Hold& hold = holds_[k];
    Vec3 sum = Vec3::Zero();
    for (std::uint32_t e = hold.first; e < hold.first + hold.count; ++e)
      sum += hold.plain ? Vec3(number_[e] * soft.velocity[number(e)]) : Vec3(weight_[e] * soft.velocity[number(e)]);
    const Whole& whole = whole_[k];
    sum += whole.of_centre * by_centre + whole.of_turn * by_turn;
    if (hold.whole)
      sum +=
          whole.by_centre * (of_centre + by_centre / inverse_mass) + whole.by_turn * (of_turn + soft.inertia * by_turn);
    out[at] = sum;
  }
}

void Mobility::by_bodies(std::span<const Vec3> impulses, std::span<Vec3> out) const {
  for (std::size_t i = 0; i < own_.size(); ++i)
    out[i] = extra_.empty() ? Vec3(Vec3::Zero()) : Vec3(extra_[i] * impulses[i]);
  for (std::size_t g = 0; g < group_.size(); ++g) {
    const std::uint32_t first = first_[g], end = first_[g + 1];
    const Answering& body = answering_[g];
    if (group_[g].softs > 0) {
      pushes_.resize(end - first);
      moves_.resize(end - first);
      const Mat3 &r = body.turning, back = r.transpose();
      for (std::uint32_t k = first; k < end; ++k)
        pushes_[k - first] = holds_[k].sign * (back * impulses[holds_[k].row]);
      by_nodes(soft_[group_[g].soft], body.inverse_mass, pushes_, moves_);
      for (std::uint32_t k = first; k < end; ++k) out[holds_[k].row] += holds_[k].sign * (r * moves_[k - first]);
      continue;
    }
    Vec3 push = Vec3::Zero(), twist = Vec3::Zero();
    for (std::uint32_t k = first; k < end; ++k) {
      const Vec3 impulse = holds_[k].sign * impulses[holds_[k].row];
      push += impulse;
      twist += arm_[k].cross(impulse);
    }
    const Vec3 velocity = body.inverse_mass * push, turn = body.turning * twist;
    for (std::uint32_t k = first; k < end; ++k) out[holds_[k].row] += holds_[k].sign * (velocity + turn.cross(arm_[k]));
  }
}

}  // namespace hazumi
