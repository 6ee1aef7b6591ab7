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
  each([&](std::uint32_t body, std::uint32_t row, double sign) { holds_[next[body]++] = {row, sign, 0}; });
}

void Mobility::prepare(const Model& model, std::span<const BodyMotion> motions, std::span<const std::uint32_t> bodies,
                       std::span<const Row> rows, ElasticWorkspace& workspace) {
  turned_.clear();
  node_number_.clear();
  nodes_.resize(std::max(nodes_.size(), bodies.size()));
  inverse_.resize(std::max(inverse_.size(), bodies.size()));
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const BodyMotion& motion = motions[bodies[b]];
    if (!motion.deforms) continue;
    std::vector<std::uint32_t>& nodes = nodes_[b];
    nodes.clear();
    const auto grip = [&](const Hold& h) -> const RowGrip& { return h.sign > 0 ? rows[h.row].a : rows[h.row].b; };
    for (std::size_t k = first_[b]; k < first_[b + 1]; ++k)
      nodes.insert(nodes.end(), grip(holds_[k]).node.begin(), grip(holds_[k]).node.begin() + grip(holds_[k]).count);
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    inverse_[b].resize(nodes.size() * nodes.size());
    model.bodies[bodies[b]].inverse_blocks(nodes, inverse_[b], workspace);
    for (std::size_t k = first_[b]; k < first_[b + 1]; ++k) {
      const RowGrip& g = grip(holds_[k]);
      holds_[k].first = static_cast<std::uint32_t>(turned_.size());
      for (std::size_t n = 0; n < g.count; ++n) {
        turned_.push_back(g.weight[n] * motion.attitude);
        node_number_.push_back(
            static_cast<std::uint32_t>(std::lower_bound(nodes.begin(), nodes.end(), g.node[n]) - nodes.begin()));
      }
    }
  }
}

Mat3 Mobility::answer(const BodyMotion& motion, std::size_t body, const Hold& i, const Hold& j,
                      std::span<const Row> rows) const {
  const double sign = i.sign * j.sign;
  if (!motion.deforms) {
    const Mat3 turn =
        skew(rows[i.row].point - motion.origin) * motion.inverse_inertia * skew(rows[j.row].point - motion.origin);
    return sign * (motion.inverse_mass * Mat3::Identity() - turn);
  }
  const std::size_t m = nodes_[body].size();
  const std::size_t of_i = (i.sign > 0 ? rows[i.row].a : rows[i.row].b).count;
  const std::size_t of_j = (j.sign > 0 ? rows[j.row].a : rows[j.row].b).count;
  Mat3 sum = Mat3::Zero();
  for (std::size_t k = 0; k < of_i; ++k) {
    Mat3 back = Mat3::Zero();
    for (std::size_t l = 0; l < of_j; ++l)
      back +=
          inverse_[body][node_number_[i.first + k] * m + node_number_[j.first + l]] * turned_[j.first + l].transpose();
    sum += turned_[i.first + k] * back;
  }
  return sign * sum;
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
    for (std::size_t k = first_[b]; k < first_[b + 1]; ++k)
      for (std::size_t l = k; l < first_[b + 1]; ++l)
        block_[find(holds_[k].row, holds_[l].row)] += answer(motion, b, holds_[k], holds_[l], rows);
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
