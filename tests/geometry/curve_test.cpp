// Curves: lengths, places, tangents and frames against closed forms and differences; operations on random ones.
#include "core/geometry/curve/curve.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>

#include "core/base/random.h"
#include "core/geometry/curve/follow.h"
#include "core/math/rotation.h"
#include "tests/support/sanitized.h"

using namespace hazumi;

namespace {

CurvePoint at(double x, double y, double z) { return {{x, y, z}, {0, 0, 0}, {0, 0, 0}, TangentKind::automatic}; }

double draw(std::uint64_t seed, std::uint64_t index, double low, double high) {
  return low + (high - low) * random_unit(seed, Id{7}, index, 1);
}

CurveShape random_curve(std::uint64_t seed) {
  CurveShape shape;
  shape.kind = static_cast<CurveKind>(seed % 3);
  shape.closed = draw(seed, 0, 0, 1) < 0.5;
  const int count = 3 + static_cast<int>(draw(seed, 1, 0, 7));
  for (int i = 0; i < count; ++i) {
    const auto number = [&](int k) { return draw(seed, static_cast<std::uint64_t>(10 + 10 * i + k), -1, 1); };
    // Round a circle, so that no two points meet.
    const double angle = 2 * kPi * (i + 0.3 * number(0)) / count;
    CurvePoint point = at(3 * std::cos(angle), number(1), 3 * std::sin(angle));
    point.in = {number(2), number(3), number(4)};
    point.out = {number(5), number(6), number(7)};
    point.tangents = static_cast<TangentKind>(static_cast<int>((number(8) + 1) * 1.499));
    shape.points.push_back(point);
  }
  return shape;
}

bool same_bits(const CurveShape& a, const CurveShape& b) {
  if (a.kind != b.kind || a.closed != b.closed || a.points.size() != b.points.size()) return false;
  for (std::size_t i = 0; i < a.points.size(); ++i) {
    const CurvePoint &p = a.points[i], &q = b.points[i];
    for (const auto member : {&CurvePoint::place, &CurvePoint::in, &CurvePoint::out})
      if (std::memcmp((p.*member).data(), (q.*member).data(), sizeof(double) * 3) != 0) return false;
    if (p.tangents != q.tangents) return false;
  }
  return true;
}

CurveShape circle(double radius) {
  return {CurveKind::arc, true, {at(radius, 0, 0), at(0, 0, -radius), at(-radius, 0, 0)}};
}

}  // namespace

TEST_CASE("A straight curve is as long as its pieces, and its places are even", "[curve]") {
  const CurveWay open({CurveKind::line, false, {at(0, 0, 0), at(3, 0, 0), at(3, 4, 0)}});
  CHECK(open.length() == Approx(7).epsilon(1e-14));
  CHECK((open.place(0.5) - Vec3(3, 0.5, 0)).norm() < 1e-12);
  CHECK((open.place(0) - Vec3(0, 0, 0)).norm() < 1e-15);
  CHECK((open.place(1) - Vec3(3, 4, 0)).norm() < 1e-15);
  const CurveWay closed({CurveKind::line, true, {at(0, 0, 0), at(3, 0, 0), at(3, 4, 0)}});
  CHECK(closed.length() == Approx(12).epsilon(1e-14));
  CHECK((closed.place(1) - closed.place(0)).norm() < 1e-12);
}

TEST_CASE("An arc is a circle: length, places, tangents and nearest points are exact", "[curve]") {
  const CurveWay whole(circle(2));
  CHECK(whole.length() == Approx(4 * kPi).epsilon(1e-12));
  for (int i = 0; i <= 97; ++i) {
    const double along = i / 97.0, angle = 2 * kPi * along;
    const Vec3 place(2 * std::cos(angle), 0, -2 * std::sin(angle)), way(-std::sin(angle), 0, -std::cos(angle));
    CHECK((whole.place(along) - place).norm() < 1e-11);
    CHECK((whole.tangent(along) - way).norm() < 1e-11);
    CHECK((whole.frame(along).rotation * Vec3::UnitY() - Vec3::UnitY()).norm() < 1e-11);
    if (i > 0 && i < 97) CHECK(whole.nearest(1.7 * place + Vec3(0, 0.4, 0)) == Approx(along).margin(1e-6));
  }
  const CurveWay half({CurveKind::arc, false, {at(2, 0, 0), at(std::sqrt(2.0), 0, -std::sqrt(2.0)), at(-2, 0, 0)}});
  CHECK(half.length() == Approx(2 * kPi).epsilon(1e-12));
  const CurveWay most({CurveKind::arc, false, {at(2, 0, 0), at(-2, 0, 0), at(0, 0, 2)}});
  CHECK(most.length() == Approx(3 * kPi).epsilon(1e-12));
}

TEST_CASE("The length of a cubic that is a parabola has its closed form", "[curve]") {
  // y = x² from 0 to 1: ½√5 + ¼ asinh 2.
  CurvePoint from = at(0, 0, 0), to = at(1, 1, 0);
  from.tangents = to.tangents = TangentKind::free;
  from.out = {1.0 / 3, 0, 0};
  to.in = Vec3(2.0 / 3, 1.0 / 3, 0) - to.place;
  const CurveWay way({CurveKind::spline, false, {from, to}});
  CHECK(way.length() == Approx(std::sqrt(5.0) / 2 + std::asinh(2.0) / 4).epsilon(1e-12));
  const Vec3 place = way.place(0.37);
  CHECK(place.y() == Approx(place.x() * place.x()).epsilon(1e-12));
  const double s = place.x();
  CHECK(s * std::sqrt(1 + 4 * s * s) / 2 + std::asinh(2 * s) / 4 == Approx(0.37 * way.length()).epsilon(1e-10));
}

TEST_CASE("Random curves: the length is that of a sum a hundred times finer", "[curve]") {
  double worst = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const CurveShape shape = random_curve(seed);
    double fine = 0;
    for (const CurvePiece& piece : curve_pieces(shape)) {
      const int steps = 20000;  // Simpson's rule
      for (int i = 0; i <= steps; ++i)
        fine += piece.rate(i / double(steps)).norm() * (i == 0 || i == steps ? 1 : i % 2 == 1 ? 4 : 2) / (3.0 * steps);
    }
    INFO("seed " << seed);
    worst = std::max(worst, std::abs(CurveWay(shape).length() / fine - 1));
    CHECK(worst < 1e-8);  // 4.9e-9, a random spline near a cusp
  }
}

TEST_CASE("Random curves: even speed, tangents, and along and parameter undo one another", "[curve]") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    INFO("seed " << seed);
    const CurveWay way(random_curve(seed));
    REQUIRE(way.length() > 0);
    double last = -1, walked = 0;
    for (int i = 0; i <= 200; ++i) {
      const double along = i / 200.0;
      const CurveParameter parameter = way.parameter(along);
      const double order = static_cast<double>(parameter.piece) + parameter.u;
      REQUIRE(order > last);
      last = order;
      REQUIRE(std::abs(way.along(parameter) - along) < 1e-9);
      // The way between two places near one another is as long as the difference of along says.
      const double step = 1e-5;
      const Vec3 chord = way.place(std::min(along + step, 1.0)) - way.place(std::max(along - step, 0.0));
      const double part = std::min(along + step, 1.0) - std::max(along - step, 0.0);
      REQUIRE(chord.norm() <= part * way.length() * (1 + 1e-6));
      walked +=
          chord.norm() > part * way.length() * (1 - 1e-4) && way.tangent(along).dot(chord.normalized()) > 1 - 1e-4;
    }
    // A corner or a tight bend may lie within a step.
    CHECK(walked >= 190);
  }
}

TEST_CASE("Random curves: nothing is nearer than the nearest place", "[curve]") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    INFO("seed " << seed);
    const CurveWay way(random_curve(seed));
    std::vector<Vec3> places;
    for (int i = 0; i <= 2000; ++i) places.push_back(way.place(i / 2000.0));
    for (std::uint64_t k = 0; k < 4; ++k) {
      const Vec3 point(draw(seed, 200 + 3 * k, -4, 4), draw(seed, 201 + 3 * k, -2, 2), draw(seed, 202 + 3 * k, -4, 4));
      const double least = (way.place(way.nearest(point)) - point).norm();
      for (const Vec3& place : places) REQUIRE((place - point).norm() >= least - 1e-9);
    }
    // Joints of pieces and the seam of a closed curve too.
    for (const double along : {0.0, 0.001, 0.25, 0.5, 0.999, 1.0})
      CHECK((way.place(way.nearest(way.place(along))) - way.place(along)).norm() < 1e-6);
  }
}

TEST_CASE("Random curves: turned round twice they are the same bits, once they are walked backwards", "[curve]") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    INFO("seed " << seed);
    CurveShape shape = random_curve(seed);
    CHECK(same_bits(reversed(reversed(shape)), shape));
    // Turned round, an arc of an even number has its circles through other points, and a closed curve another start.
    if (shape.closed || (shape.kind == CurveKind::arc && shape.points.size() % 2 == 0)) continue;
    const CurveWay way(shape), back(reversed(shape));
    CHECK(back.length() == Approx(way.length()).epsilon(1e-9));
    for (const double along : {0.0, 0.21, 0.5, 0.83, 1.0})
      CHECK((back.place(1 - along) - way.place(along)).norm() < 1e-7 * way.length());
  }
}

TEST_CASE("Random curves: a point more changes nothing of the course", "[curve]") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    INFO("seed " << seed);
    const CurveShape shape = random_curve(seed);
    const CurveWay way(shape);
    const CurveShape more = with_point_at(shape, way.parameter(draw(seed, 5, 0.01, 0.99)));
    REQUIRE(more.points.size() > shape.points.size());
    const CurveWay again(more);
    CHECK(again.length() == Approx(way.length()).epsilon(1e-8));
    for (const double along : {0.0, 0.1, 0.33, 0.5, 0.77, 0.99})
      CHECK((again.place(along) - way.place(along)).norm() < 1e-7 * way.length());
  }
}

TEST_CASE("Random curves: more points of the same spacing are a better likeness", "[curve]") {
  for (std::uint64_t seed = 0; seed < static_cast<std::uint64_t>(test::rounds(200, 30)); ++seed) {
    INFO("seed " << seed);
    CurveShape shape = random_curve(seed);
    const CurveWay way(shape);
    double off[2] = {0, 0};
    const std::size_t counts[2] = {40, 640};
    for (int i = 0; i < 2; ++i) {
      const CurveShape likeness = resampled(shape, counts[i]);
      REQUIRE(likeness.points.size() == counts[i]);
      const CurveWay other(likeness);
      for (int k = 0; k <= 50; ++k) {
        const Vec3 place = other.place(k / 50.0);
        off[i] = std::max(off[i], (way.place(way.nearest(place)) - place).norm());
      }
    }
    CHECK(off[0] < 0.05 * way.length());
    CHECK(off[1] < 0.004 * way.length());
    CHECK((off[1] < off[0] || off[0] < 1e-9));
  }
}

TEST_CASE("Frames turn with a curve and not about it; those of a closed one close", "[curve]") {
  for (std::uint64_t seed = 2; seed < 200; seed += 3) {
    INFO("seed " << seed);
    CurveShape shape = random_curve(seed);
    for (CurvePoint& point : shape.points) point.tangents = TangentKind::automatic;
    const CurveWay way(shape);
    if (shape.closed) {
      const Quat start = way.frame(0).rotation, end = way.frame(1).rotation;
      CHECK(start.angularDistance(end) < 1e-6);
    }
    shape.closed = false;
    const CurveWay open(shape);
    for (const double along : {0.05, 0.2, 0.41, 0.63, 0.9}) {
      const Mat3 axes = open.frame(along).rotation.toRotationMatrix();
      CHECK((axes.col(2) - open.tangent(along)).norm() < 1e-9);
      const double step = 1e-4;
      const Vec3 rate =
          (open.frame(along + step).rotation * Vec3::UnitY() - open.frame(along - step).rotation * Vec3::UnitY()) /
          (2 * step);
      CHECK(std::abs(rate.dot(axes.col(0))) < 0.05);  // rad over the whole length
    }
  }
}

TEST_CASE("Curves without length, or through points on a line, are walked without harm", "[curve]") {
  for (const CurveKind kind : {CurveKind::line, CurveKind::arc, CurveKind::spline})
    for (const bool closed : {false, true})
      for (int count = 0; count < 5; ++count) {
        INFO("kind " << static_cast<int>(kind) << " closed " << closed << " points " << count);
        CurveShape one{kind, closed, {}}, row{kind, closed, {}};
        for (int i = 0; i < count; ++i) one.points.push_back(at(1, 2, 3)), row.points.push_back(at(i, 0, 0));
        const CurveWay way(one), along(row);
        CHECK(way.length() == 0);
        CHECK((way.frame(0.4).place - (count > 0 ? Vec3(1, 2, 3) : Vec3(0, 0, 0))).norm() < 1e-12);
        CHECK(way.nearest({0, 0, 0}) == 0);
        CHECK(std::isfinite(along.length()));
        CHECK(along.frame(0.7).rotation.coeffs().allFinite());
        CHECK(along.place(0.7).allFinite());
      }
}

TEST_CASE("What follows a circle stands on it, turned as it is told", "[curve]") {
  const CurveWay way(circle(2));
  const Quat rest = exp_rotation({0.2, -0.4, 0.1});
  for (const double along : {0.0, 0.13, 0.5, 0.9}) {
    const double angle = 2 * kPi * along;
    const Vec3 place(2 * std::cos(angle), 0, -2 * std::sin(angle));
    CHECK((pose_on(way, along, rest, {}).position - place).norm() < 1e-11);
    CHECK(pose_on(way, along, rest, {}).rotation.angularDistance(rest) < 1e-12);

    FollowTurn turn;
    turn.turned = true;
    const Pose turned = pose_on(way, along, Quat::Identity(), turn);
    CHECK((turned.rotation * Vec3::UnitZ() - way.tangent(along)).norm() < 1e-11);
    CHECK((turned.rotation * Vec3::UnitY() - Vec3::UnitY()).norm() < 1e-11);
    turn.roll = kPi / 2;
    const Pose rolled = pose_on(way, along, Quat::Identity(), turn);
    CHECK((rolled.rotation * Vec3::UnitX() - Vec3::UnitY()).norm() < 1e-11);

    turn = {};
    turn.target = Vec3(0, 1, 0);
    const Pose looking = pose_on(way, along, rest, turn);
    CHECK((looking.rotation * Vec3::UnitZ() - (Vec3(0, 1, 0) - place).normalized()).norm() < 1e-11);
    CHECK((looking.rotation * Vec3::UnitY()).y() > 0);
    CHECK(std::abs((looking.rotation * Vec3::UnitX()).y()) < 1e-12);
    turn.target = place;  // nothing to look at: as if there were no target
    CHECK(pose_on(way, along, rest, turn).rotation.angularDistance(rest) < 1e-12);
    turn.target = place + Vec3(0, 3, 0);
    CHECK(pose_on(way, along, rest, turn).rotation.coeffs().allFinite());
  }
}

TEST_CASE("At even speed on a circle the acceleration points at the centre", "[curve]") {
  const CurveWay way(circle(2));
  const double rate = 0.25, step = 1e-4;  // rounds in a second
  for (const double time : {0.3, 1.1, 2.7}) {
    const auto place = [&](double t) { return pose_on(way, rate * t, Quat::Identity(), {}).position; };
    const Vec3 velocity = (place(time + step) - place(time - step)) / (2 * step);
    const Vec3 acceleration = (place(time + step) + place(time - step) - 2 * place(time)) / (step * step);
    CHECK(velocity.norm() == Approx(rate * 4 * kPi).epsilon(1e-7));
    CHECK((acceleration + std::pow(2 * kPi * rate, 2) * place(time)).norm() < 1e-4);
  }
}
