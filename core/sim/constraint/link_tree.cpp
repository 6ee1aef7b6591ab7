#include "core/sim/constraint/link_tree.h"

#include <algorithm>
#include <cmath>

#include "core/sim/constraint/link_lu.h"

namespace hazumi {
namespace {

/// Calls what(node, column of Gᵀ, row of C) for each body that a row of a loop has.
template <class What>
void each_end(const LinkTree::Loop& loop, const LinkBlocks& joint, std::size_t row, const What& what) {
  if (loop.a >= 0) what(static_cast<std::size_t>(loop.a), joint.act_a[row], joint.move_a[row]);
  if (loop.b >= 0) what(static_cast<std::size_t>(loop.b), joint.act_b[row], joint.move_b[row]);
  if (loop.c >= 0) what(static_cast<std::size_t>(loop.c), joint.act_c, joint.move_c);
  if (loop.d >= 0) what(static_cast<std::size_t>(loop.d), joint.act_d, joint.move_d);
}

double moved(const LinkTree::Loop& loop, const LinkBlocks& joint, std::size_t row, std::span<const Vec6> y) {
  double sum = 0;
  each_end(loop, joint, row, [&](std::size_t node, const Vec6&, const Vec6& move) { sum += move.dot(y[node]); });
  return sum;
}

}  // namespace

/// A node that hangs on nothing, or by rows of any kind.
bool LinkTree::factor_node(const Node& node, const LinkBlocks* j, Factor& f) {
  const int rows = j ? j->rows : 0;
  f.size = 6 + rows;
  Mat6 body = own_[static_cast<std::size_t>(&node - nodes.data())];
  if (j) body += node.child_is_a ? j->own_a : j->own_b;
  for (int r = 0; r < 6; ++r)
    for (int c = 0; c < 6; ++c) f.lu[static_cast<std::size_t>(r * kMost + c)] = body(r, c);
  for (int i = 0; i < rows; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const Vec6& act = node.child_is_a ? j->act_a[at] : j->act_b[at];
    const Vec6& move = node.child_is_a ? j->move_a[at] : j->move_b[at];
    for (int c = 0; c < 6; ++c) {
      f.lu[static_cast<std::size_t>(c * kMost + 6 + i)] = -act[c];
      f.lu[static_cast<std::size_t>((6 + i) * kMost + c)] = move[c];
    }
    for (int l = 0; l < rows; ++l) f.lu[static_cast<std::size_t>((6 + i) * kMost + 6 + l)] = l == i ? j->yield[at] : 0;
  }
  if (!lu_decompose<LinkDiagonal::own, kMost>(f.lu.data(), f.pivot.data(), f.size)) return false;
  if (node.parent < 0) return true;
  const Mat6& down = node.child_is_a ? j->a_by_b : j->b_by_a;
  const Mat6& up = node.child_is_a ? j->b_by_a : j->a_by_b;
  f.across.fill(0);
  for (int c = 0; c < 6; ++c) {
    double* column = f.across.data() + c;
    for (int r = 0; r < 6; ++r) column[r * kWide] = down(r, c);
    for (int i = 0; i < rows; ++i) {
      const auto at = static_cast<std::size_t>(i);
      column[(6 + i) * kWide] = (node.child_is_a ? j->move_b[at] : j->move_a[at])[c];
    }
    double* row = f.up.data() + c * kMost;
    for (int r = 0; r < 6; ++r) row[r] = up(c, r);
    for (int i = 0; i < rows; ++i) {
      const auto at = static_cast<std::size_t>(i);
      row[6 + i] = -(node.child_is_a ? j->act_b[at] : j->act_a[at])[c];
    }
  }
  lu_substitute<LinkDiagonal::own, kMost, kWide>(f.lu.data(), f.pivot.data(), f.size, f.across.data());
  Mat6& parent = own_[static_cast<std::size_t>(node.parent)];
  for (int r = 0; r < 6; ++r) {
    double sum[kWide] = {};
    for (int i = 0; i < f.size; ++i)
      for (int c = 0; c < kWide; ++c)
        sum[c] += f.up[static_cast<std::size_t>(r * kMost + i)] * f.across[static_cast<std::size_t>(i * kWide + c)];
    for (int c = 0; c < 6; ++c) parent(r, c) -= sum[c];
  }
  return true;
}

/// What each node hangs on.
void LinkTree::number_nodes(std::span<const LinkBlocks> joints) {
  at_.resize(nodes.size());
  hangs_.resize(nodes.size());
  std::uint32_t balls = 0, places = 0, others = 0;
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    const LinkBlocks* j = nodes[k].joint < 0 ? nullptr : &joints[static_cast<std::size_t>(nodes[k].joint)];
    hangs_[k] = j && j->ball ? Hangs::on_ball : j && j->place ? Hangs::on_place : Hangs::otherwise;
    at_[k] = hangs_[k] == Hangs::on_ball ? balls++ : hangs_[k] == Hangs::on_place ? places++ : others++;
  }
  ball_.resize(balls);
  place_.resize(places);
  factor_.resize(others);
}

bool LinkTree::factor(std::span<const Mat6> own, std::span<const LinkBlocks> joints) {
  blocks_ = joints;
  own_.assign(own.begin(), own.end());
  for (const Loop& loop : loops) {
    if (loop.a >= 0) own_[static_cast<std::size_t>(loop.a)] += joints[loop.joint].own_a;
    if (loop.b >= 0) own_[static_cast<std::size_t>(loop.b)] += joints[loop.joint].own_b;
  }
  for (const Node& node : nodes) {
    if (node.joint < 0 || node.parent < 0) continue;
    const LinkBlocks& j = joints[static_cast<std::size_t>(node.joint)];
    Mat6& parent = own_[static_cast<std::size_t>(node.parent)];
    if (j.ball)
      parent.block<3, 3>(3, 3) += node.child_is_a ? j.at.own_b : j.at.own_a;
    else
      parent += node.child_is_a ? j.own_b : j.own_a;
  }
  number_nodes(joints);
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    const Node& node = nodes[k];
    const LinkBlocks* j = node.joint < 0 ? nullptr : &joints[static_cast<std::size_t>(node.joint)];
    Mat6* const parent = node.parent < 0 ? nullptr : &own_[static_cast<std::size_t>(node.parent)];
    switch (hangs_[k]) {
      case Hangs::otherwise:
        if (!factor_node(node, j, factor_[at_[k]])) return false;
        break;
      case Hangs::on_ball:
        if (!ball_[at_[k]].factor(own_[k], j->at, node.child_is_a)) return false;
        if (parent) ball_[at_[k]].load(*parent);
        break;
      case Hangs::on_place:
        own_[k] += node.child_is_a ? j->own_a : j->own_b;
        if (!place_[at_[k]].factor(own_[k], *j, node.child_is_a)) return false;
        if (parent) place_[at_[k]].load(*parent);
        break;
    }
  }
  return loops.empty() || factor_loops(own, joints);
}

void LinkTree::solve_forest(std::span<Vec6> bodies, std::span<LinkValues> joints) const {
  double x[kMost];
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    const Node& node = nodes[k];
    if (hangs_[k] != Hangs::otherwise) {
      Vec6* const parent = node.parent < 0 ? nullptr : &bodies[static_cast<std::size_t>(node.parent)];
      LinkValues& rows = joints[static_cast<std::size_t>(node.joint)];
      if (hangs_[k] == Hangs::on_ball)
        ball_[at_[k]].lower(bodies[k], rows.data(), parent);
      else
        place_[at_[k]].lower(bodies[k], rows, parent);
      continue;
    }
    const Factor& f = factor_[at_[k]];
    for (int c = 0; c < 6; ++c) x[c] = bodies[k][c];
    for (int i = 6; i < f.size; ++i)
      x[i] = joints[static_cast<std::size_t>(node.joint)][static_cast<std::size_t>(i - 6)];
    lu_substitute<LinkDiagonal::own, kMost, 1>(f.lu.data(), f.pivot.data(), f.size, x);
    for (int c = 0; c < 6; ++c) bodies[k][c] = x[c];
    for (int i = 6; i < f.size; ++i)
      joints[static_cast<std::size_t>(node.joint)][static_cast<std::size_t>(i - 6)] = x[i];
    if (node.parent < 0) continue;
    Vec6& to = bodies[static_cast<std::size_t>(node.parent)];
    for (int r = 0; r < 6; ++r) {
      double sum = 0;
      for (int i = 0; i < f.size; ++i) sum += f.up[static_cast<std::size_t>(r * kMost + i)] * x[i];
      to[r] -= sum;
    }
  }
  for (std::size_t k = nodes.size(); k-- > 0;) {
    const Node& node = nodes[k];
    if (hangs_[k] != Hangs::otherwise) {
      const Vec6* const parent = node.parent < 0 ? nullptr : &bodies[static_cast<std::size_t>(node.parent)];
      LinkValues& rows = joints[static_cast<std::size_t>(node.joint)];
      if (hangs_[k] == Hangs::on_ball)
        ball_[at_[k]].lift(bodies[k], rows.data(), parent);
      else
        place_[at_[k]].lift(bodies[k], rows, parent);
      continue;
    }
    if (node.parent < 0) continue;
    const Factor& f = factor_[at_[k]];
    const Vec6& y = bodies[static_cast<std::size_t>(node.parent)];
    for (int i = 0; i < f.size; ++i) {
      double sum = 0;
      for (int c = 0; c < 6; ++c) sum += f.across[static_cast<std::size_t>(i * kWide + c)] * y[c];
      if (i < 6)
        bodies[k][i] -= sum;
      else
        joints[static_cast<std::size_t>(node.joint)][static_cast<std::size_t>(i - 6)] -= sum;
    }
  }
}

bool LinkTree::factor_loops(std::span<const Mat6> own, std::span<const LinkBlocks> joints) {
  first_.assign(1, 0);
  for (const Loop& loop : loops) first_.push_back(first_.back() + static_cast<std::uint32_t>(joints[loop.joint].rows));
  const std::size_t n = first_.back();
  loop_bodies_.resize(n);
  loop_joints_.resize(n);
  schur_.assign(n * n, 0.0);
  order_.resize(n);
  weight_.assign(n, 0.0);
  for (std::size_t l = 0; l < loops.size(); ++l)
    for (std::uint32_t r = first_[l]; r < first_[l + 1]; ++r) {
      const LinkBlocks& j = joints[loops[l].joint];
      const std::size_t row = r - first_[l];
      loop_bodies_[r].assign(nodes.size(), Vec6::Zero());
      loop_joints_[r].assign(joints.size(), LinkValues{});
      each_end(loops[l], j, row, [&](std::size_t node, const Vec6& act, const Vec6&) { loop_bodies_[r][node] += act; });
      solve_forest(loop_bodies_[r], loop_joints_[r]);
      for (std::size_t m = 0; m < loops.size(); ++m)
        for (std::uint32_t q = first_[m]; q < first_[m + 1]; ++q)
          schur_[r * n + q] = moved(loops[m], joints[loops[m].joint], q - first_[m], loop_bodies_[r]);
      schur_[r * n + r] += j.yield[row];
      each_end(loops[l], j, row, [&](std::size_t node, const Vec6& act, const Vec6&) {
        const Vec3 turn = act.tail<3>();
        weight_[r] += act.head<3>().squaredNorm() / own[node](0, 0) +
                      std::abs(turn.dot(own[node].block<3, 3>(3, 3).inverse() * turn));
      });
      for (std::size_t q = 0; q < n && !beside.empty(); ++q) schur_[r * n + q] += beside[r * n + q];
      if (!beside.empty()) weight_[r] += std::abs(beside[r * n + r]);
      schur_[r * n + r] += regular * weight_[r];
    }
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < n; ++i)
      if (std::abs(schur_[k * n + i]) > std::abs(schur_[k * n + pivot])) pivot = i;
    const double value = schur_[k * n + pivot];
    if (!(std::abs(value) > 0) || !std::isfinite(value)) return false;
    order_[k] = static_cast<std::uint32_t>(pivot);
    if (pivot != k)
      for (std::size_t c = 0; c < n; ++c) std::swap(schur_[c * n + k], schur_[c * n + pivot]);
    for (std::size_t i = k + 1; i < n; ++i) schur_[k * n + i] /= value;
    for (std::size_t c = k + 1; c < n; ++c) {
      const double factor = schur_[c * n + k];
      if (factor == 0) continue;
      for (std::size_t i = k + 1; i < n; ++i) schur_[c * n + i] -= factor * schur_[k * n + i];
    }
  }
  return true;
}

void LinkTree::solve(std::span<Vec6> bodies, std::span<LinkValues> joints, std::span<const LinkValues> held) {
  if (loops.empty()) return solve_forest(bodies, joints);
  const std::size_t n = first_.back();
  loop_.resize(n);
  for (std::size_t l = 0; l < loops.size(); ++l)
    for (std::uint32_t r = first_[l]; r < first_[l + 1]; ++r) {
      const std::size_t row = r - first_[l];
      loop_[r] = joints[loops[l].joint][row];
      if (!held.empty()) loop_[r] -= regular * weight_[r] * held[loops[l].joint][row];
    }
  solve_forest(bodies, joints);
  for (std::size_t l = 0; l < loops.size(); ++l) {
    const LinkBlocks& j = blocks_[loops[l].joint];
    for (std::uint32_t r = first_[l]; r < first_[l + 1]; ++r) loop_[r] -= moved(loops[l], j, r - first_[l], bodies);
  }
  // Rows of L have gone along with every later pivot: all of them first.
  for (std::size_t k = 0; k < n; ++k)
    if (order_[k] != k) std::swap(loop_[k], loop_[order_[k]]);
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t i = k + 1; i < n; ++i) loop_[i] -= schur_[k * n + i] * loop_[k];
  for (std::size_t k = n; k-- > 0;) {
    loop_[k] /= schur_[k * n + k];
    for (std::size_t i = 0; i < k; ++i) loop_[i] -= schur_[k * n + i] * loop_[k];
  }
  for (std::size_t l = 0; l < loops.size(); ++l)
    for (std::uint32_t r = first_[l]; r < first_[l + 1]; ++r) {
      for (std::size_t k = 0; k < nodes.size(); ++k) bodies[k] += loop_[r] * loop_bodies_[r][k];
      for (const Node& node : nodes)
        if (node.joint >= 0)
          for (std::size_t i = 0; i < kMostLinkRows; ++i)
            joints[static_cast<std::size_t>(node.joint)][i] +=
                loop_[r] * loop_joints_[r][static_cast<std::size_t>(node.joint)][i];
      joints[loops[l].joint][r - first_[l]] = loop_[r];
    }
}

}  // namespace hazumi
