// Contacts four pairs of bodies at a time: a sweep finds what it finds row after row.
#include <catch2/catch.hpp>
#include <cmath>

#include "core/sim/constraint/cone_lanes.h"
#include "tests/sim/reference/dense.h"

namespace cone_lanes_test {

using namespace hazumi;
using reference::Dice;

namespace {

struct Island {
  std::vector<ConeParts::Part> part;
  std::vector<ConeParts::Hold> hold;
  std::vector<ConeLanes::Contact> contacts;
  std::vector<Vec3> impulse, x;
};

Vec3 far(Dice& dice) { return dice.uniform(0.1, 1) * dice.vector(); }

/// What an impulse does to a body where it is held, 1/kg.
Mat3 held(const Island& island, std::int32_t part, const Vec3& arm) {
  if (part < 0) return Mat3::Zero();
  const ConeParts::Part& p = island.part[static_cast<std::size_t>(part)];
  Mat3 cross;
  cross << 0, -arm.z(), arm.y(), arm.z(), 0, -arm.x(), -arm.y(), arm.x(), 0;
  return p.inverse_mass * Mat3::Identity() - cross * p.inverse_inertia * cross;
}

/// Up to thirty bodies, some of which everything lies on; pairs of one to six rows, some given twice.
Island at_random(Dice& dice) {
  Island island;
  const int bodies = static_cast<int>(dice.uniform(1, 30)), pairs = static_cast<int>(dice.uniform(1, 120));
  for (int k = 0; k < bodies; ++k) {
    Mat3 a;
    for (int c = 0; c < 3; ++c) a.col(c) = dice.vector();
    const double heavy = std::pow(10, dice.uniform(-2, 2));
    island.part.push_back({heavy, heavy * (Mat3::Identity() + a * a.transpose())});
  }
  island.x.resize(2 * island.part.size() + 2, Vec3::Zero());
  for (std::size_t k = 0; k + 2 < island.x.size(); ++k) island.x[k] = dice.vector();
  for (int p = 0; p < pairs; ++p) {
    const auto one = [&] { return static_cast<std::int32_t>(dice.uniform(-1, bodies - 0.001)); };
    ConeParts::Hold hold;
    hold.a = dice.uniform(0, 1) < 0.3 ? 0 : one();
    hold.b = one();
    if (hold.b == hold.a) hold.b = -1;
    const int rows = static_cast<int>(dice.uniform(1, 6.99));
    for (int k = 0; k < rows; ++k) {
      hold.arm_a = far(dice);
      hold.arm_b = far(dice);
      const Vec3 n = dice.vector().normalized();
      const Mat3 own = held(island, hold.a, hold.arm_a) + held(island, hold.b, hold.arm_b);
      const double w = n.dot(own * n), w_t = own.trace();
      if (w == 0) continue;
      const bool rough = dice.uniform(0, 1) < 0.7;
      island.contacts.push_back({.row = static_cast<std::uint32_t>(island.hold.size()),
                                 .normal = n,
                                 .w_n = own * n,
                                 .free = dice.vector(),
                                 .least = dice.uniform(-0.5, 0.5),
                                 .friction = rough ? dice.uniform(0, 1.5) : 0,
                                 .spread = 1 / w,
                                 .spread_t = rough ? 1 / w_t : 0,
                                 .weight = own.trace(),
                                 .mobility = w});
      island.hold.push_back(hold);
      island.impulse.push_back(dice.uniform(0, 1) < 0.5 ? Vec3(Vec3::Zero()) : Vec3(dice.uniform(0, 1) * n));
    }
  }
  return island;
}

/// cone.h, word by word.
double row_after_row(Island& island, bool back) {
  const ConeParts parts = {island.part, island.hold};
  double most = 0;
  const std::size_t count = island.contacts.size();
  for (std::size_t k = 0; k < count; ++k) {
    const ConeLanes::Contact& c = island.contacts[back ? count - 1 - k : k];
    Vec3& impulse = island.impulse[c.row];
    const Vec3 u = c.free + parts.velocity(c.row, island.x), before = impulse;
    const double was = before.dot(c.normal), now = std::max(0.0, was + (c.least - u.dot(c.normal)) * c.spread);
    const Vec3 pushed = u + (now - was) * c.w_n;
    Vec3 across = Vec3::Zero();
    if (c.spread_t > 0) across = before - was * c.normal - (pushed - c.normal * c.normal.dot(pushed)) * c.spread_t;
    if (across.norm() > c.friction * now) across *= c.friction * now / across.norm();
    impulse = now * c.normal + across;
    parts.push(c.row, impulse - before, island.x);
    most = std::max(most, c.mobility * (impulse - before).cwiseAbs().maxCoeff());
  }
  return most;
}

double apart(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double most = 0, size = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    most = std::max(most, (a[k] - b[k]).norm());
    size = std::max(size, a[k].norm());
  }
  return size > 0 ? most / size : most;
}

}  // namespace

TEST_CASE("A sweep in lanes finds what it finds row after row: 200 random islands", "[cone][pile]") {
  ConeLanes lanes;  // kept, as the workspace keeps it
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Dice dice(seed);
    Island one = at_random(dice), other = one;
    lanes.lay(other.contacts, {other.part, other.hold});
    lanes.take(other.impulse);
    for (const bool back : {false, true}) {
      const double change = row_after_row(one, back), same = lanes.sweep(back, other.x);
      lanes.give(other.impulse);
      INFO("seed " << seed << (back ? ", back" : ", to") << ", " << one.contacts.size() << " rows");
      CHECK(std::abs(change - same) <= 1e-9 * change);
      CHECK(apart(one.impulse, other.impulse) < 1e-9);
      CHECK(apart(one.x, other.x) < 1e-9);
      CHECK(other.x[other.x.size() - 1] == Vec3::Zero());  // nobody's
      CHECK(other.x[other.x.size() - 2] == Vec3::Zero());
    }
  }
}

TEST_CASE("What leads a sequence of sweeps is what it is by rows", "[cone][pile]") {
  Dice dice(7);
  Island island = at_random(dice);
  ConeLanes lanes;
  lanes.lay(island.contacts, {island.part, island.hold});
  lanes.take(island.impulse);
  lanes.start();
  const std::vector<Vec3> start = island.impulse;
  lanes.sweep(false, island.x);
  lanes.keep();
  lanes.give(island.impulse);
  const std::vector<Vec3> kept = island.impulse;
  lanes.sweep(true, island.x);
  lanes.give(island.impulse);
  double along = 0;
  for (const ConeLanes::Contact& c : island.contacts)
    along += c.weight * (kept[c.row] - island.impulse[c.row]).dot(island.impulse[c.row] - start[c.row]);
  CHECK(std::abs(lanes.along() - along) <= 1e-12 * std::abs(along));
  REQUIRE(along != 0);
  const std::vector<Vec3> now = island.impulse;
  for (const double share : {0.25, 0.5}) {
    lanes.lead(share);
    std::vector<Vec3> led = now;
    lanes.give(led);
    if (share == 0.25)
      for (std::size_t k = 0; k < led.size(); ++k) CHECK((led[k] - now[k] - 0.25 * (now[k] - start[k])).norm() < 1e-12);
    else  // from what the one before has come to, away from `now`
      for (std::size_t k = 0; k < led.size(); ++k)
        CHECK((led[k] - (now[k] + 1.5 * 0.25 * (now[k] - start[k]))).norm() < 1e-12);
  }
}

}  // namespace cone_lanes_test
