#include "core/sim/constraint/mobility.h"

#include <algorithm>
#include <array>
#include <optional>

#include "core/math/rotation.h"
#include "core/sim/constraint/linkages.h"
#include "core/sim/elastic/body_parts.h"

namespace hazumi {

namespace {
constexpr double kGives = 0.01;  // of how a row answers, Mobility::given
}  // namespace

/// Bodies by themselves and linkages, in the order of their first body. What pushes one part of a body moves no other.
void Mobility::make_groups(std::span<const BodyMotion> motions, std::span<const std::uint32_t> bodies,
                           Linkages* linkages) {
  group_.clear();
  group_of_.resize(bodies.size());
  std::vector<std::int32_t> known(linkages ? linkages->count() : 0, -1);
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    const std::int32_t linkage = linkages ? linkages->of(bodies[k]) : -1;
    std::int32_t at = linkage < 0 ? -1 : known[static_cast<std::size_t>(linkage)];
    if (at < 0) {
      at = static_cast<std::int32_t>(group_.size());
      const BodyParts* const parts = linkage < 0 ? motions[bodies[k]].parts.get() : nullptr;
      group_.insert(group_.end(), parts ? parts->count : 1, {bodies[k], linkage});
      if (linkage >= 0) known[static_cast<std::size_t>(linkage)] = at;
    }
    group_of_[k] = static_cast<std::uint32_t>(at);
  }
}

/// Of a body of that number in the island, where it is held so; null: by a turn.
std::uint32_t Mobility::group_at(const BodyMotion& motion, std::uint32_t number, const RowGrip* grip) const {
  const std::uint32_t first = group_of_[number];
  if (!motion.parts || motion.parts->count < 2 || group_[first].linkage >= 0 || !grip || grip->count == 0) return first;
  const RowGrip::Part& part = grip->part[0];
  std::optional<std::uint32_t> node;
  if (!part.skin)
    node = part.node;
  else if (part.skin->linear && !part.skin->nodes.empty())
    node = part.skin->nodes.front().node;
  else if (!part.skin->linear && !motion.held.rates[part.node].nodes.empty())
    node = motion.held.rates[part.node].nodes.front().node;
  if (!node) return first;
  return first + motion.parts->of_node[*node];
}

void Mobility::collect(std::span<const BodyMotion> motions, std::span<const std::uint32_t> local,
                       std::span<const Row> rows, std::span<const TurnRow> turns, std::size_t groups) {
  first_.assign(groups + 1, 0);
  const auto each = [&](const auto& what) {
    for (std::uint32_t k = 0; k < rows.size(); ++k) {
      if (motions[rows[k].body_a].moves) what(rows[k].body_a, &rows[k].a, k, 1.0);
      if (motions[rows[k].body_b].moves) what(rows[k].body_b, &rows[k].b, k, -1.0);
    }
    for (std::uint32_t k = 0; k < turns.size(); ++k) {
      const auto number = static_cast<std::uint32_t>(rows.size()) + k;
      if (motions[turns[k].body_a].moves) what(turns[k].body_a, nullptr, number, 1.0);
      if (motions[turns[k].body_b].moves) what(turns[k].body_b, nullptr, number, -1.0);
    }
  };
  each([&](std::uint32_t body, const RowGrip* grip, std::uint32_t, double) {
    ++first_[group_at(motions[body], local[body], grip) + 1];
  });
  for (std::size_t g = 0; g < groups; ++g) first_[g + 1] += first_[g];
  holds_.resize(first_[groups]);
  std::vector<std::uint32_t> next(first_.begin(), first_.end());
  each([&](std::uint32_t body, const RowGrip* grip, std::uint32_t row, double sign) {
    holds_[next[group_at(motions[body], local[body], grip)]++] = {row, body, sign};
  });
}

Mobility::Soft& Mobility::add_soft(std::uint32_t body) {
  if (softs_ == soft_.size()) soft_.emplace_back();
  Soft& soft = soft_[softs_++];
  soft.body = body;
  soft.holds.clear();
  return soft;
}

void Mobility::prepare(const Model& model, std::span<const BodyMotion> motions, std::span<const Row> rows,
                       ElasticWorkspace& workspace, const Linkages* linkages) {
  weight_.clear();
  number_.clear();
  node_number_.clear();
  softs_ = 0;
  for (std::size_t g = 0; g < group_.size(); ++g) {
    group_[g].soft = softs_;
    if (group_[g].linkage >= 0) {
      add_soft_of((*linkages)[static_cast<std::size_t>(group_[g].linkage)], g);
    } else if (motions[group_[g].body].deforms && first_[g] < first_[g + 1]) {
      Soft& soft = add_soft(group_[g].body);
      for (std::uint32_t k = first_[g]; k < first_[g + 1]; ++k) soft.holds.push_back(k);
      soft.rows = soft.holds.size();
    }
    group_[g].softs = softs_ - group_[g].soft;
  }
  whole_.resize(holds_.size());
  for (std::size_t b = 0; b < softs_; ++b)
    prepare_soft(model.bodies[soft_[b].body], motions[soft_[b].body], soft_[b], rows, workspace);
}

void Mobility::prepare_soft(const Body& body, const BodyMotion& motion, Soft& soft, std::span<const Row> rows,
                            ElasticWorkspace& workspace) {
  const auto each = [&](std::uint32_t k, const auto& what) {
    const Hold& h = holds_[k];
    if (!h.anchor) return each_node(h.sign > 0 ? rows[h.row].a : rows[h.row].b, motion, what);
    for (const NodeWeight& w : *h.anchor) what(w.node, Mat3(w.weight * Mat3::Identity()));
    return GripSums();
  };
  const Mat3 r = motion.held.attitude, back = r.transpose();
  std::vector<std::uint32_t>& nodes = soft.nodes;
  nodes.clear();
  for (const std::uint32_t k : soft.holds) each(k, [&](std::uint32_t node, const Mat3&) { nodes.push_back(node); });
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  soft.answer = by_products_ && motion.limp ? body.answer(motion) : nullptr;
  soft.inertia.setZero();
  for (std::size_t i = 0; i < motion.arms.size(); ++i)
    soft.inertia -= motion.masses[i] * skew(motion.arms[i]) * skew(motion.arms[i]);
  for (const std::uint32_t k : soft.holds) {
    Hold& hold = holds_[k];
    hold.first = static_cast<std::uint32_t>(weight_.size());
    const GripSums sums = each(k, [&](std::uint32_t node, const Mat3& weight) {
      hold.plain = hold.plain && weight == weight(0, 0) * Mat3::Identity();
      weight_.push_back(back * weight * r);
      number_.push_back(weight(0, 0));
      node_number_.push_back(
          static_cast<std::uint32_t>(std::lower_bound(nodes.begin(), nodes.end(), node) - nodes.begin()));
    });
    hold.count = static_cast<std::uint32_t>(weight_.size()) - hold.first;
    end_hold(motion, soft, k, sums);
  }
  find_own_answers(body, motion, soft);
  soft.inverse.resize(soft.answer || !soft.own.empty() ? 0 : nodes.size() * nodes.size());
  if (!soft.inverse.empty()) body.inverse_blocks(motion, nodes, soft.inverse, workspace);
}

/// Where a body's nodes answer each by itself, blocks of rows that hold none in common are zero and left out: a cube of 20³ nodes on a floor would
/// have 400² of them for 400.
void Mobility::find_own_answers(const Body& body, const BodyMotion& motion, Soft& soft) const {
  const auto by_nodes_alone = [&](std::uint32_t k) { return !holds_[k].whole && !holds_[k].anchor; };
  soft.own.resize(soft.nodes.size());
  if (by_products_ || soft.rows != soft.holds.size() ||
      !std::all_of(soft.holds.begin(), soft.holds.end(), by_nodes_alone) ||
      !body.own_answers(motion, soft.nodes, soft.own))
    return soft.own.clear();
  soft.start.assign(soft.nodes.size() + 1, 0);
  const auto each = [&](const auto& what) {
    for (std::uint32_t k = 0; k < soft.holds.size(); ++k) {
      const Hold& hold = holds_[soft.holds[k]];
      for (std::uint32_t e = hold.first; e < hold.first + hold.count; ++e) what(node_number_[e], k);
    }
  };
  each([&](std::uint32_t node, std::uint32_t) { ++soft.start[node + 1]; });
  for (std::size_t i = 0; i < soft.nodes.size(); ++i) soft.start[i + 1] += soft.start[i];
  soft.at.resize(soft.start.back());
  std::vector<std::uint32_t> next(soft.start.begin(), soft.start.end() - 1);
  each([&](std::uint32_t node, std::uint32_t k) { soft.at[next[node]++] = k; });
}

/// Those of its holds that have a node of this one, by their numbers in `soft.holds`, in any order; some more than once.
template <class See>
void Mobility::each_beside(const Soft& soft, std::size_t k, const See& see) const {
  const Hold& hold = holds_[soft.holds[k]];
  for (std::uint32_t e = hold.first; e < hold.first + hold.count; ++e)
    for (std::uint32_t a = soft.start[node_number_[e]]; a < soft.start[node_number_[e] + 1]; ++a) see(soft.at[a]);
}

/// As answer_soft(), to the bit.
Mat3 Mobility::answer_own(const BodyMotion& motion, const Soft& soft, std::size_t at, std::size_t with) const {
  const Hold &i = holds_[soft.holds[at]], &j = holds_[soft.holds[with]];
  Mat3 sum = Mat3::Zero();
  for (std::uint32_t e = j.first; e < j.first + j.count; ++e) {
    Mat3 reached = Mat3::Zero();
    for (std::uint32_t f = i.first; f < i.first + i.count; ++f) {
      if (node_number_[f] != node_number_[e]) continue;
      const Mat3 own = soft.own[node_number_[f]] * Mat3::Identity();
      reached += i.plain ? Mat3(number_[f] * own) : Mat3(weight_[f] * own);
    }
    sum += j.plain ? Mat3(number_[e] * reached) : Mat3(reached * weight_[e].transpose());
  }
  return i.sign * j.sign * (motion.held.attitude * sum * motion.held.attitude.transpose());
}

/// E and F of a hold whose nodes are known.
void Mobility::end_hold(const BodyMotion& motion, const Soft& soft, std::size_t k, const GripSums& sums) {
  const Mat3 r = motion.held.attitude, back = r.transpose(), rate = back * motion.held.rate * r;
  Hold& hold = holds_[k];
  hold.whole = !sums.of_centre.isZero(0) || !sums.of_turn.isZero(0);
  Whole& whole = whole_[k];
  whole.by_centre = motion.inverse_mass * (back * sums.of_centre * r);
  whole.by_turn = back * sums.of_turn * r * rate;
  whole.of_centre.setZero();
  whole.of_turn.setZero();
  for (std::uint32_t e = hold.first; e < hold.first + hold.count; ++e) {
    whole.of_centre += weight_[e];
    whole.of_turn -= weight_[e] * skew(motion.arms[soft.nodes[node_number_[e]]]);
  }
}

/// How the nodes of a body answer to its holds.
void Mobility::reach(Soft& soft) const {
  const std::size_t m = soft.nodes.size();
  soft.reached.assign(soft.holds.size() * m, Mat3::Zero());
  for (std::size_t k = 0; k < soft.holds.size(); ++k) {
    const Hold& hold = holds_[soft.holds[k]];
    Mat3* to = soft.reached.data() + k * m;
    for (std::uint32_t e = hold.first; e < hold.first + hold.count; ++e) {
      const Mat3* from = soft.inverse.data() + node_number_[e] * m;
      if (hold.plain)
        for (std::size_t l = 0; l < m; ++l) to[l] += number_[e] * from[l];
      else
        for (std::size_t l = 0; l < m; ++l) to[l] += weight_[e] * from[l];
    }
  }
}

/// Block of two holds of a body that does not deform, by their numbers in `holds_`.
Mat3 Mobility::answer(const BodyMotion& motion, std::size_t k, std::size_t l, std::span<const Row> rows,
                      std::span<const TurnRow> turns) const {
  const Hold &i = holds_[k], &j = holds_[l];
  const double sign = i.sign * j.sign;
  if (i.row >= rows.size() || j.row >= rows.size()) {
    const auto on_turn = [&](std::uint32_t row) -> Mat3 {
      if (row >= rows.size()) return turns[row - rows.size()].length * Mat3::Identity();
      return -skew(rows[row].point - motion.origin);
    };
    return sign * on_turn(i.row) * motion.inverse_inertia * on_turn(j.row).transpose();
  }
  const Mat3 turn =
      skew(rows[i.row].point - motion.origin) * motion.inverse_inertia * skew(rows[j.row].point - motion.origin);
  return sign * (motion.inverse_mass * Mat3::Identity() - turn);
}

/// Block of two of the holds of what deforms, by their numbers there.
Mat3 Mobility::answer_soft(const BodyMotion& motion, const Soft& soft, std::size_t at, std::size_t with) const {
  const std::uint32_t k = soft.holds[at], l = soft.holds[with];
  const Hold &i = holds_[k], &j = holds_[l];
  const Mat3* reached = soft.reached.data() + at * soft.nodes.size();
  Mat3 sum = Mat3::Zero();
  for (std::uint32_t e = j.first; e < j.first + j.count; ++e)
    if (j.plain)
      sum += number_[e] * reached[node_number_[e]];
    else
      sum += reached[node_number_[e]] * weight_[e].transpose();
  if (i.whole || j.whole) {
    const Whole &of_i = whole_[k], &of_j = whole_[l];
    if (j.whole) sum += of_i.of_centre * of_j.by_centre.transpose() + of_i.of_turn * of_j.by_turn.transpose();
    if (i.whole) sum += of_i.by_centre * of_j.of_centre.transpose() + of_i.by_turn * of_j.of_turn.transpose();
    if (i.whole && j.whole)
      sum += of_i.by_centre * of_j.by_centre.transpose() / motion.inverse_mass +
             of_i.by_turn * soft.inertia * of_j.by_turn.transpose();
  }
  return i.sign * j.sign * (motion.held.attitude * sum * motion.held.attitude.transpose());
}

void Mobility::make(const Model& model, std::span<const BodyMotion> motions, std::span<const std::uint32_t> bodies,
                    std::span<const std::uint32_t> local, std::span<const Row> rows, std::span<const TurnRow> turns,
                    ElasticWorkspace& workspace, Linkages* linkages) {
  part_.clear();
  hold_.clear();
  given_.clear();
  extra_.clear();
  by_products_ = false;
  const bool deforms = std::any_of(bodies.begin(), bodies.end(), [&](std::uint32_t i) { return motions[i].deforms; });
  make_groups(motions, bodies, linkages);
  const bool joined = std::any_of(group_.begin(), group_.end(), [](const Group& g) { return g.linkage >= 0; });
  if (!deforms && !joined && rows.size() > kDirectRows && turns.empty())
    return make_parts(motions, bodies, local, rows);
  collect(motions, local, rows, turns, group_.size());
  by_products_ = !joined && goes_by_products(motions, turns);
  prepare(model, motions, rows, workspace, linkages);
  if (by_products_) {
    make_own_blocks(motions, rows);
    return give_ways(motions, rows);
  }
  make_blocks(model, motions, rows, turns, linkages);
}

void Mobility::make_parts(std::span<const BodyMotion> motions, std::span<const std::uint32_t> bodies,
                          std::span<const std::uint32_t> local, std::span<const Row> rows) {
  for (const std::uint32_t i : bodies) part_.push_back({motions[i].inverse_mass, motions[i].inverse_inertia});
  hold_.resize(rows.size());
  block_.resize(rows.size());
  own_.resize(rows.size());
  start_.resize(rows.size() + 1);
  column_.resize(rows.size());
  for (std::uint32_t k = 0; k < rows.size(); ++k) {
    const Row& row = rows[k];
    ConeParts::Hold& hold = hold_[k];
    hold = ConeParts::Hold();
    Mat3 own = Mat3::Zero();
    for (const auto& [i, number, arm] :
         {std::tuple(row.body_a, &hold.a, &hold.arm_a), std::tuple(row.body_b, &hold.b, &hold.arm_b)}) {
      const BodyMotion& m = motions[i];
      if (!m.moves) continue;
      *number = static_cast<std::int32_t>(local[i]);
      *arm = row.point - m.origin;
      const Mat3 lever = skew(*arm);
      own += m.inverse_mass * Mat3::Identity() - lever * m.inverse_inertia * lever;
    }
    block_[k] = own;
    own_[k] = start_[k] = column_[k] = k;
  }
  start_[rows.size()] = static_cast<std::uint32_t>(rows.size());
}

std::size_t Mobility::find(std::size_t row, std::uint32_t column) const {
  return static_cast<std::size_t>(
      std::lower_bound(column_.begin() + start_[row], column_.begin() + start_[row + 1], column) - column_.begin());
}

/// Which blocks of W there are.
void Mobility::find_columns(std::size_t count) {
  constexpr std::uint32_t kNone = 0xffffffffu;
  struct Of {
    std::uint32_t group = kNone, hold = 0;
  };
  std::vector<std::array<Of, 2>> of(count);
  for (std::uint32_t g = 0; g < group_.size(); ++g)
    for (std::uint32_t k = first_[g]; k < first_[g + 1]; ++k) {
      auto& two = of[holds_[k].row];
      two[two[0].group == kNone ? 0 : 1] = {g, k};
    }
  start_.assign(1, 0);
  column_.clear();
  std::vector<std::uint32_t> near;
  for (std::uint32_t r = 0; r < count; ++r) {
    near.assign(1, r);
    for (const Of& at : of[r]) {
      const std::uint32_t g = at.group;
      if (g == kNone) continue;
      const Soft* const soft = group_[g].softs > 0 && group_[g].linkage < 0 ? &soft_[group_[g].soft] : nullptr;
      if (soft && !soft->own.empty())
        each_beside(*soft, at.hold - first_[g], [&](std::uint32_t l) { near.push_back(holds_[first_[g] + l].row); });
      else
        for (std::uint32_t k = first_[g]; k < first_[g + 1]; ++k) near.push_back(holds_[k].row);
    }
    std::sort(near.begin(), near.end());
    near.erase(std::unique(near.begin(), near.end()), near.end());
    column_.insert(column_.end(), near.begin(), near.end());
    start_.push_back(static_cast<std::uint32_t>(column_.size()));
  }
}

void Mobility::make_blocks(const Model& model, std::span<const BodyMotion> motions, std::span<const Row> rows,
                           std::span<const TurnRow> turns, Linkages* linkages) {
  const std::size_t count = rows.size() + turns.size();
  find_columns(count);
  block_.assign(column_.size(), Mat3::Zero());
  std::vector<std::uint32_t> beside;
  for (std::size_t b = 0; b < group_.size(); ++b) {
    if (group_[b].linkage >= 0) {
      add_linkage(model, motions, (*linkages)[static_cast<std::size_t>(group_[b].linkage)], b, rows, turns);
      continue;
    }
    const BodyMotion& motion = motions[group_[b].body];
    Soft* const soft = group_[b].softs > 0 ? &soft_[group_[b].soft] : nullptr;
    const bool alone = soft && !soft->own.empty();
    if (soft && !alone) reach(*soft);
    const auto add = [&](std::size_t k, std::size_t l) {
      const std::size_t i = k - first_[b], j = l - first_[b];
      const Mat3 block = alone  ? answer_own(motion, *soft, i, j)
                         : soft ? answer_soft(motion, *soft, i, j)
                                : answer(motion, k, l, rows, turns);
      Mat3& to = block_[find(holds_[k].row, holds_[l].row)];
      to += block;
      if (l > k && holds_[l].row == holds_[k].row) to += block.transpose();  // the body touches itself
    };
    for (std::size_t k = first_[b]; k < first_[b + 1]; ++k) {
      if (!alone) {
        for (std::size_t l = k; l < first_[b + 1]; ++l) add(k, l);
        continue;
      }
      beside.clear();
      each_beside(*soft, k - first_[b], [&](std::uint32_t l) {
        if (first_[b] + l >= k) beside.push_back(l);
      });
      std::sort(beside.begin(), beside.end());
      beside.erase(std::unique(beside.begin(), beside.end()), beside.end());
      for (const std::uint32_t l : beside) add(k, first_[b] + l);
    }
  }
  own_.resize(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    std::uint32_t k = start_[i];
    for (; k < start_[i + 1] && column_[k] < i; ++k) block_[k] = block_[find(column_[k], i)].transpose();
    own_[i] = k;
  }
  give_ways(motions, rows);
}

void Mobility::give_ways(std::span<const BodyMotion> motions, std::span<const Row> rows) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].body_a != rows[i].body_b || !motions[rows[i].body_a].limp) continue;
    given_.resize(rows.size(), 0.0);
    given_[i] = kGives / 3 * own(i).trace();
    block_[own_[i]] += given_[i] * Mat3::Identity();
  }
  if (by_products_) extra_ = given_;
}

void Mobility::yield(std::span<const double> rows) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i] == 0) continue;
    block_[own_[i]] += rows[i] * Mat3::Identity();
    if (by_products_) {
      extra_.resize(rows.size(), 0.0);
      extra_[i] += rows[i];
    }
    if (hold_.empty()) continue;
    std::int32_t& free = hold_[i].a < 0 ? hold_[i].a : hold_[i].b;
    free = static_cast<std::int32_t>(part_.size());
    part_.push_back({rows[i]});
  }
}

void Mobility::product(std::span<const Vec3> impulses, std::span<Vec3> out) const {
  if (by_products_) return by_bodies(impulses, out);
  if (!hold_.empty()) {
    const ConeParts w = parts();
    x_.assign(2 * part_.size(), Vec3::Zero());
    for (std::size_t i = 0; i < hold_.size(); ++i) w.push(i, impulses[i], x_);
    for (std::size_t i = 0; i < hold_.size(); ++i) out[i] = w.velocity(i, x_);
    return;
  }
  for (std::size_t i = 0; i < own_.size(); ++i) {
    out[i].setZero();
    for (std::size_t k = start_[i]; k < start_[i + 1]; ++k) out[i] += block_[k] * impulses[column_[k]];
  }
}

}  // namespace hazumi
