#include "core/sim/constraint/mobility.h"

#include <algorithm>

#include "core/math/rotation.h"

namespace hazumi {

void Mobility::collect(std::span<const BodyMotion> motions, std::span<const std::uint32_t> local,
                       std::span<const Row> rows, std::size_t bodies) {
  first_.assign(bodies + 1, 0);
  const auto each = [&](const auto& what) {
    for (std::uint32_t k = 0; k < rows.size(); ++k) {
      if (motions[rows[k].body_a].moves) what(local[rows[k].body_a], k, 1.0);
      if (motions[rows[k].body_b].moves) what(local[rows[k].body_b], k, -1.0);
    }
  };
  each([&](std::uint32_t body, std::uint32_t, double) { ++first_[body + 1]; });
  for (std::size_t b = 0; b < bodies; ++b) first_[b + 1] += first_[b];
  holds_.resize(first_[bodies]);
  std::vector<std::uint32_t> next(first_.begin(), first_.end());
  each([&](std::uint32_t body, std::uint32_t row, double sign) { holds_[next[body]++] = {row, sign}; });
}

void Mobility::prepare(const Model& model, std::span<const BodyMotion> motions, std::span<const std::uint32_t> bodies,
                       std::span<const Row> rows, ElasticWorkspace& workspace) {
  weight_.clear();
  node_number_.clear();
  nodes_.resize(std::max(nodes_.size(), bodies.size()));
  inverse_.resize(std::max(inverse_.size(), bodies.size()));
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const BodyMotion& motion = motions[bodies[b]];
    if (!motion.deforms) continue;
    std::vector<std::uint32_t>& nodes = nodes_[b];
    nodes.clear();
    const auto grip = [&](const Hold& h) -> const RowGrip& { return h.sign > 0 ? rows[h.row].a : rows[h.row].b; };
    const auto each = [&](const RowGrip& g, const auto& what) {
      if (g.skin)
        for (const NodeWeight& w : g.skin->nodes) what(w.node, Mat3(w.weight * Mat3::Identity()));
      else
        for (std::size_t n = 0; n < g.count; ++n)
          what(g.node[n], Mat3(motion.attitude.transpose() * g.weight[n] * motion.attitude));
    };
    for (std::size_t k = first_[b]; k < first_[b + 1]; ++k)
      each(grip(holds_[k]), [&](std::uint32_t node, const Mat3&) { nodes.push_back(node); });
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    inverse_[b].resize(nodes.size() * nodes.size());
    model.bodies[bodies[b]].inverse_blocks(nodes, inverse_[b], workspace);
    for (std::size_t k = first_[b]; k < first_[b + 1]; ++k) {
      const RowGrip& g = grip(holds_[k]);
      holds_[k].first = static_cast<std::uint32_t>(weight_.size());
      holds_[k].on_nodes = g.skin ? 1 - g.skin->centre : 1;
      each(g, [&](std::uint32_t node, const Mat3& weight) {
        weight_.push_back(weight);
        node_number_.push_back(
            static_cast<std::uint32_t>(std::lower_bound(nodes.begin(), nodes.end(), node) - nodes.begin()));
      });
      holds_[k].count = static_cast<std::uint32_t>(weight_.size()) - holds_[k].first;
    }
  }
}

/// How the nodes of a body answer to its holds.
void Mobility::reach(const BodyMotion& motion, std::size_t body) {
  if (!motion.deforms) return;
  const std::size_t m = nodes_[body].size();
  reached_.assign((first_[body + 1] - first_[body]) * m, Mat3::Zero());
  for (std::size_t k = first_[body]; k < first_[body + 1]; ++k) {
    Mat3* to = reached_.data() + (k - first_[body]) * m;
    for (std::uint32_t e = holds_[k].first; e < holds_[k].first + holds_[k].count; ++e)
      for (std::size_t l = 0; l < m; ++l) to[l] += weight_[e] * inverse_[body][node_number_[e] * m + l];
  }
}

/// Block of two holds of one body, by their numbers in `holds_`.
Mat3 Mobility::answer(const BodyMotion& motion, std::size_t body, std::size_t k, std::size_t l,
                      std::span<const Row> rows) const {
  const Hold &i = holds_[k], &j = holds_[l];
  const double sign = i.sign * j.sign;
  if (!motion.deforms) {
    const Mat3 turn =
        skew(rows[i.row].point - motion.origin) * motion.inverse_inertia * skew(rows[j.row].point - motion.origin);
    return sign * (motion.inverse_mass * Mat3::Identity() - turn);
  }
  const Mat3* reached = reached_.data() + (k - first_[body]) * nodes_[body].size();
  Mat3 sum = (1 - i.on_nodes * j.on_nodes) * motion.inverse_mass * Mat3::Identity();
  for (std::uint32_t e = j.first; e < j.first + j.count; ++e) sum += reached[node_number_[e]] * weight_[e].transpose();
  return sign * motion.attitude * sum * motion.attitude.transpose();
}

void Mobility::make(const Model& model, std::span<const BodyMotion> motions, std::span<const std::uint32_t> bodies,
                    std::span<const std::uint32_t> local, std::span<const Row> rows, ElasticWorkspace& workspace) {
  collect(motions, local, rows, bodies.size());
  prepare(model, motions, bodies, rows, workspace);
  const std::size_t count = rows.size();
  start_.assign(1, 0);
  column_.clear();
  std::vector<std::uint32_t> near;
  for (const Row& row : rows) {
    near.clear();
    for (const std::uint32_t i : {row.body_a, row.body_b}) {
      if (!motions[i].moves) continue;
      for (std::size_t k = first_[local[i]]; k < first_[local[i] + 1]; ++k) near.push_back(holds_[k].row);
    }
    std::sort(near.begin(), near.end());
    near.erase(std::unique(near.begin(), near.end()), near.end());
    column_.insert(column_.end(), near.begin(), near.end());
    start_.push_back(static_cast<std::uint32_t>(column_.size()));
  }
  block_.assign(column_.size(), Mat3::Zero());
  const auto find = [&](std::size_t row, std::uint32_t column) {
    return static_cast<std::size_t>(
        std::lower_bound(column_.begin() + start_[row], column_.begin() + start_[row + 1], column) - column_.begin());
  };
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const BodyMotion& motion = motions[bodies[b]];
    reach(motion, b);
    for (std::size_t k = first_[b]; k < first_[b + 1]; ++k)
      for (std::size_t l = k; l < first_[b + 1]; ++l)
        block_[find(holds_[k].row, holds_[l].row)] += answer(motion, b, k, l, rows);
  }
  for (std::uint32_t i = 0; i < count; ++i)
    for (std::size_t k = start_[i]; k < start_[i + 1] && column_[k] < i; ++k)
      block_[k] = block_[find(column_[k], i)].transpose();
}

Vec3 Mobility::product(std::size_t i, std::span<const Vec3> impulses) const {
  Vec3 sum = Vec3::Zero();
  for (std::size_t k = start_[i]; k < start_[i + 1]; ++k) sum += block_[k] * impulses[column_[k]];
  return sum;
}

}  // namespace hazumi
