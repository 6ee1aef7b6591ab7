#include "core/sim/constraint/link_tree.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/math/dense_lu.h"
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
  all_.resize(nodes.size());
  std::iota(all_.begin(), all_.end(), 0U);
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

void LinkTree::solve_nodes(std::span<const std::uint32_t> which, std::span<Vec6> bodies,
                           std::span<LinkValues> joints) const {
  double x[kMost];
  for (const std::uint32_t k : which) {
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
  for (std::size_t at = which.size(); at-- > 0;) {
    const std::uint32_t k = which[at];
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

/// Nodes by the trees that they are in, each tree's in their order; of each loop the trees that it has a body in.
void LinkTree::find_trees() {
  const std::size_t n = nodes.size();
  tree_.resize(n);
  std::uint32_t trees = 0;
  for (std::size_t k = n; k-- > 0;)  // parents come after their children
    tree_[k] = nodes[k].parent < 0 ? trees++ : tree_[static_cast<std::size_t>(nodes[k].parent)];
  tree_first_.assign(trees + 1, 0);
  for (const std::uint32_t t : tree_) ++tree_first_[t + 1];
  for (std::uint32_t t = 0; t < trees; ++t) tree_first_[t + 1] += tree_first_[t];
  by_tree_.resize(n);
  std::vector<std::uint32_t> next(tree_first_.begin(), tree_first_.end() - 1);
  for (std::uint32_t k = 0; k < n; ++k) by_tree_[next[tree_[k]]++] = k;
  loops_in_.assign(trees, {});
  for (std::uint32_t l = 0; l < loops.size(); ++l)
    for (const std::uint32_t t : trees_of(loops[l])) loops_in_[t].push_back(l);
}

/// In order, each once.
ShortList<std::uint32_t, 4> LinkTree::trees_of(const Loop& loop) const {
  ShortList<std::uint32_t, 4> trees;
  for (const std::int32_t node : {loop.a, loop.b, loop.c, loop.d}) {
    if (node < 0) continue;
    const std::uint32_t tree = tree_[static_cast<std::size_t>(node)];
    if (std::find(trees.begin(), trees.end(), tree) == trees.end()) trees.push_back(tree);
  }
  return trees;
}

/// How the forest answers to a row of a loop, and how that moves the rows of all loops: only those in the same trees.
void LinkTree::answer_loop(std::uint32_t l, std::size_t row, std::span<const LinkBlocks> joints, double* moves) {
  const auto trees = trees_of(loops[l]);
  answer_.clear();
  for (const std::uint32_t t : trees)
    answer_.insert(answer_.end(), by_tree_.begin() + tree_first_[t], by_tree_.begin() + tree_first_[t + 1]);
  each_end(loops[l], joints[loops[l].joint], row,
           [&](std::size_t node, const Vec6& act, const Vec6&) { y_[node] += act; });
  solve_nodes(answer_, y_, lambda_);
  for (const std::uint32_t t : trees)
    for (const std::uint32_t m : loops_in_[t])
      for (std::uint32_t q = first_[m]; q < first_[m + 1]; ++q)
        moves[q] = moved(loops[m], joints[loops[m].joint], q - first_[m], y_);
  for (const std::uint32_t k : answer_) {
    Answer& to = answers_.emplace_back();
    to.node = k;
    to.y = y_[k];
    y_[k].setZero();
    if (nodes[k].joint < 0) continue;
    LinkValues& lambda = lambda_[static_cast<std::size_t>(nodes[k].joint)];
    to.lambda = lambda;
    lambda.fill(0);
  }
}

bool LinkTree::factor_loops(std::span<const Mat6> own, std::span<const LinkBlocks> joints) {
  first_.assign(1, 0);
  for (const Loop& loop : loops) first_.push_back(first_.back() + static_cast<std::uint32_t>(joints[loop.joint].rows));
  const std::size_t n = first_.back();
  find_trees();
  y_.assign(nodes.size(), Vec6::Zero());
  lambda_.assign(joints.size(), LinkValues{});
  answers_.clear();
  answers_of_.assign(1, 0);
  schur_.assign(n * n, 0.0);
  order_.resize(n);
  weight_.assign(n, 0.0);
  for (std::size_t l = 0; l < loops.size(); ++l)
    for (std::uint32_t r = first_[l]; r < first_[l + 1]; ++r) {
      const LinkBlocks& j = joints[loops[l].joint];
      const std::size_t row = r - first_[l];
      answer_loop(static_cast<std::uint32_t>(l), row, joints, schur_.data() + r * n);
      answers_of_.push_back(answers_.size());
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
  return dense_lu(schur_.data(), n, n, order_.data());
}

void LinkTree::solve(std::span<Vec6> bodies, std::span<LinkValues> joints, std::span<const LinkValues> held) {
  if (loops.empty()) return solve_nodes(all_, bodies, joints);
  const std::size_t n = first_.back();
  loop_.resize(n);
  for (std::size_t l = 0; l < loops.size(); ++l)
    for (std::uint32_t r = first_[l]; r < first_[l + 1]; ++r) {
      const std::size_t row = r - first_[l];
      loop_[r] = joints[loops[l].joint][row];
      if (!held.empty()) loop_[r] -= regular * weight_[r] * held[loops[l].joint][row];
    }
  solve_nodes(all_, bodies, joints);
  for (std::size_t l = 0; l < loops.size(); ++l) {
    const LinkBlocks& j = blocks_[loops[l].joint];
    for (std::uint32_t r = first_[l]; r < first_[l + 1]; ++r) loop_[r] -= moved(loops[l], j, r - first_[l], bodies);
  }
  dense_solve(schur_.data(), n, order_.data(), loop_.data());
  for (std::size_t l = 0; l < loops.size(); ++l)
    for (std::uint32_t r = first_[l]; r < first_[l + 1]; ++r) {
      for (std::size_t k = answers_of_[r]; k < answers_of_[r + 1]; ++k) {
        const Answer& answer = answers_[k];
        bodies[answer.node] += loop_[r] * answer.y;
        if (const std::int32_t joint = nodes[answer.node].joint; joint >= 0)
          for (std::size_t i = 0; i < kMostLinkRows; ++i)
            joints[static_cast<std::size_t>(joint)][i] += loop_[r] * answer.lambda[i];
      }
      joints[loops[l].joint][r - first_[l]] = loop_[r];
    }
}

}  // namespace hazumi
