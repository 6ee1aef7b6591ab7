// The linear systems of a linkage against dense ones.
#include <catch2/catch.hpp>

#include <Eigen/Core>

#include "core/sim/constraint/link_rows.h"
#include "tests/sim/reference/dense.h"
#include "tests/support/dense.h"

namespace link_tree_test {

using namespace hazumi;

// The rows of L went along with later pivots, but were used as if they had not: loops of rows that need pivots were solved wrongly.
TEST_CASE("Loops are solved whatever order their pivots have", "[joint]") {
  constexpr std::size_t kLoops = 4, kRows = 3, n = kLoops * kRows;
  reference::Dice dice(20261126);
  for (int round = 0; round < 50; ++round) {
    LinkTree tree;
    std::vector<LinkBlocks> joints(kLoops);
    Eigen::MatrixXd dense(n, n);
    for (std::uint32_t l = 0; l < kLoops; ++l) {
      tree.loops.push_back({l});
      joints[l].rows = kRows;
    }
    for (std::size_t c = 0; c < n; ++c)
      for (std::size_t r = 0; r < n; ++r) {
        const double value = 2 * dice.uniform() - 1;
        dense(static_cast<Eigen::Index>(r), static_cast<Eigen::Index>(c)) = value;
        tree.beside.push_back(value);
      }
    REQUIRE(tree.factor({}, joints));
    Eigen::VectorXd wanted(n);
    std::vector<LinkValues> values(kLoops, LinkValues{});
    for (std::size_t i = 0; i < n; ++i)
      wanted[static_cast<Eigen::Index>(i)] = values[i / kRows][i % kRows] = 2 * dice.uniform() - 1;
    tree.solve({}, values);
    const Eigen::VectorXd exact = test::solved(dense, wanted);
    for (std::size_t i = 0; i < n; ++i)
      CHECK(values[i / kRows][i % kRows] == Approx(exact[static_cast<Eigen::Index>(i)]).margin(1e-7));
  }
}

namespace {

Mat6 some_matrix(reference::Dice& dice, double spread) {
  Mat6 m = 4 * Mat6::Identity();
  for (int r = 0; r < 6; ++r)
    for (int c = 0; c < 6; ++c) m(r, c) += spread * dice.uniform(-1, 1);
  return m;
}
Vec6 some_vector(reference::Dice& dice) {
  Vec6 v;
  v << dice.vector(), dice.vector();
  return v;
}
Mat3 some_block(reference::Dice& dice, double size) {
  Mat3 m;
  m << dice.vector(), dice.vector(), dice.vector();
  return size * m;
}

/// Rows of a ball joint as columns.
void write_out(LinkBlocks& j) {
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3 e = Vec3::Unit(static_cast<int>(i));
    const auto r = static_cast<Eigen::Index>(i);
    j.act_a[i] << e, j.at.arm_a.cross(e);
    j.act_b[i] << -e, -j.at.arm_b.cross(e);
    j.move_a[i] << e, j.at.turn_a.row(r).transpose();
    j.move_b[i] << -e, -j.at.turn_b.row(r).transpose();
  }
  j.own_a.block<3, 3>(3, 3) = j.at.own_a;
  j.own_b.block<3, 3>(3, 3) = j.at.own_b;
}

/// Trees of bodies, and all of their equations.
struct Drawn {
  LinkTree tree;
  std::vector<Mat6> own;
  std::vector<LinkBlocks> joints;
  std::vector<Eigen::Index> row_of;  ///< the first of each joint
  Eigen::MatrixXd dense;

  explicit Drawn(reference::Dice& dice) {
    const std::size_t bodies = 1 + static_cast<std::size_t>(dice.uniform(0, 6));
    auto size = static_cast<Eigen::Index>(6 * bodies);
    for (std::size_t k = 0; k < bodies; ++k) {
      // A heavy one beside light ones: B is not small against what hangs on it.
      own.push_back(std::pow(10, dice.uniform(-1, 3)) * some_matrix(dice, 0.5));
      LinkTree::Node node;
      if (const double later = double(bodies - k - 1); later > 0 && dice.uniform() < 0.8)
        node.parent = static_cast<std::int32_t>(k + 1 + static_cast<std::size_t>(dice.uniform(0, later)));
      if (node.parent >= 0 || dice.uniform() < 0.5) {
        node.joint = static_cast<std::int32_t>(joints.size());
        node.child_is_a = dice.uniform() < 0.5;
        const double kind = dice.uniform();
        joints.push_back(kind < 0.4 ? ball(dice) : kind < 0.7 ? place(dice) : other(dice));
        row_of.push_back(size);
        size += joints.back().rows;
      }
      tree.nodes.push_back(node);
    }
    dense = Eigen::MatrixXd::Zero(size, size);
    for (std::size_t k = 0; k < bodies; ++k) add(k);
  }
  static LinkBlocks ball(reference::Dice& dice) {
    LinkBlocks j;
    j.ball = true;
    j.rows = 3;
    j.at.arm_a = dice.vector();
    j.at.arm_b = dice.vector();
    for (Mat3* turn : {&j.at.turn_a, &j.at.turn_b}) *turn = some_block(dice, 1);
    for (Mat3* of : {&j.at.own_a, &j.at.own_b}) *of = some_block(dice, 0.1);
    write_out(j);
    return j;
  }
  static LinkBlocks place(reference::Dice& dice) {
    LinkBlocks j = ball(dice);
    j.ball = false;
    j.place = true;
    j.rows = 4 + static_cast<int>(dice.uniform(0, 5));
    for (std::size_t i = 3; i < static_cast<std::size_t>(j.rows); ++i) {
      for (Vec6* v : {&j.act_a[i], &j.act_b[i], &j.move_a[i], &j.move_b[i]}) *v << Vec3::Zero(), dice.vector();
      j.yield[i] = i < 6 ? 0 : dice.uniform();  // three at most say how it turns
    }
    for (Mat6* m : {&j.own_a, &j.own_b, &j.a_by_b, &j.b_by_a}) m->block<3, 3>(3, 3) = some_block(dice, 0.1);
    return j;
  }
  static LinkBlocks other(reference::Dice& dice) {
    LinkBlocks j;
    j.rows = 1 + static_cast<int>(dice.uniform(0, 5));
    for (std::size_t i = 0; i < static_cast<std::size_t>(j.rows); ++i) {
      for (Vec6* v : {&j.act_a[i], &j.act_b[i], &j.move_a[i], &j.move_b[i]}) *v = some_vector(dice);
      j.yield[i] = dice.uniform();
    }
    for (Mat6* m : {&j.own_a, &j.own_b, &j.a_by_b, &j.b_by_a}) *m = 0.1 * some_matrix(dice, 1);
    return j;
  }
  void add(std::size_t k) {
    const auto at = static_cast<Eigen::Index>(6 * k);
    dense.block<6, 6>(at, at) += own[k];
    const LinkTree::Node& node = tree.nodes[k];
    if (node.joint < 0) return;
    const LinkBlocks& j = joints[static_cast<std::size_t>(node.joint)];
    const Eigen::Index first = row_of[static_cast<std::size_t>(node.joint)];
    const auto of = [&](bool a) { return node.child_is_a == a ? at : static_cast<Eigen::Index>(6 * node.parent); };
    for (const bool a : {true, false}) {
      if (node.child_is_a != a && node.parent < 0) continue;
      dense.block<6, 6>(of(a), of(a)) += a ? j.own_a : j.own_b;
      if (node.parent >= 0) dense.block<6, 6>(of(a), of(!a)) += a ? j.a_by_b : j.b_by_a;
      for (int i = 0; i < j.rows; ++i) {
        const auto row = static_cast<std::size_t>(i);
        dense.block<6, 1>(of(a), first + i) -= a ? j.act_a[row] : j.act_b[row];
        dense.block<1, 6>(first + i, of(a)) += (a ? j.move_a[row] : j.move_b[row]).transpose();
      }
    }
    for (int i = 0; i < j.rows; ++i) dense(first + i, first + i) += j.yield[static_cast<std::size_t>(i)];
  }
};

}  // namespace

TEST_CASE("Forests of ball joints, hinges and others are solved as a dense system", "[joint]") {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    INFO("seed " << seed);
    reference::Dice dice(seed);
    Drawn drawn(dice);
    const std::vector<LinkBlocks>& joints = drawn.joints;
    REQUIRE(drawn.tree.factor(drawn.own, joints));
    std::vector<Vec6> f(drawn.own.size());
    std::vector<LinkValues> c(joints.size(), LinkValues{});
    Eigen::VectorXd wanted(drawn.dense.rows());
    for (std::size_t k = 0; k < f.size(); ++k)
      wanted.segment<6>(static_cast<Eigen::Index>(6 * k)) = f[k] = some_vector(dice);
    for (std::size_t j = 0; j < joints.size(); ++j)
      for (int i = 0; i < joints[j].rows; ++i)
        wanted[drawn.row_of[j] + i] = c[j][static_cast<std::size_t>(i)] = dice.normal();
    drawn.tree.solve(f, c);
    Eigen::VectorXd got(wanted.size());
    for (std::size_t k = 0; k < f.size(); ++k) got.segment<6>(static_cast<Eigen::Index>(6 * k)) = f[k];
    for (std::size_t j = 0; j < joints.size(); ++j)
      for (int i = 0; i < joints[j].rows; ++i) got[drawn.row_of[j] + i] = c[j][static_cast<std::size_t>(i)];
    const Eigen::VectorXd exact = drawn.dense.fullPivLu().solve(wanted);
    CHECK((got - exact).norm() < 1e-8 * exact.norm());
    CHECK((drawn.dense * got - wanted).norm() < 1e-9 * (1 + drawn.dense.norm() * exact.norm()));
  }
}

TEST_CASE("Rows of a ball joint by themselves are those of all kinds", "[joint]") {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    INFO("seed " << seed);
    reference::Dice dice(seed);
    const double h = 0.02;
    ModelJoint joint;
    joint.place_a = dice.vector();
    joint.place_b = dice.vector();
    LinkBody bodies[2];
    for (LinkBody& body : bodies) {
      body.moves = true;
      body.turns = dice.uniform() < 0.8;
      body.from = dice.vector();
      body.turned = body.end = dice.attitude();
      body.velocity = dice.vector();
      body.to = body.from + h * body.velocity;
      if (!body.turns) continue;
      body.rate = 20 * dice.vector();
      const Mat3 k = 0.5 * h * skew(body.rate);
      body.half = (Mat3::Identity() - k).inverse();
      body.end = (2 * body.half - Mat3::Identity()) * body.turned;
    }
    const LinkValues impulse = {dice.normal(), dice.normal(), dice.normal()};
    LinkRows rows, same;
    begin_rows(joint, bodies[0], bodies[1], 0, rows);
    begin_rows(joint, bodies[0], bodies[1], 0, same);
    LinkBlocks all, ball;
    LinkValues residual{}, left{};
    Vec6 force[2] = {Vec6::Zero(), Vec6::Zero()}, push[2] = {Vec6::Zero(), Vec6::Zero()};
    make_rows(joint, bodies[0], bodies[1], h, impulse, rows, all, residual, force[0], force[1]);
    make_ball(bodies[0], bodies[1], h, true, impulse, same, ball.at, left, push[0], push[1]);
    write_out(ball);
    for (int k = 0; k < 2; ++k) CHECK((force[k] - push[k]).norm() < 1e-13);
    CHECK((all.own_a - ball.own_a).norm() < 1e-13);
    CHECK((all.own_b - ball.own_b).norm() < 1e-13);
    for (std::size_t i = 0; i < 3; ++i) {
      CHECK(std::abs(residual[i] - left[i]) < 1e-13 / h);
      CHECK(std::abs(rows.row[i].now - same.row[i].now) < 1e-14);
      CHECK((all.act_a[i] - ball.act_a[i]).norm() + (all.act_b[i] - ball.act_b[i]).norm() < 1e-13);
      CHECK((all.move_a[i] - ball.move_a[i]).norm() + (all.move_b[i] - ball.move_b[i]).norm() < 1e-13);
    }
  }
}

}  // namespace link_tree_test
