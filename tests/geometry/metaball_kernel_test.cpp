// The field for eight points or boxes at once (core/geometry/metaball/kernel.h), on every instruction set of
// this processor.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>

#include "tests/geometry/metaball_support.h"

namespace metaball_kernel_test {

using namespace hazumi;
using namespace hazumi::metaball;

namespace {

struct Case {
  explicit Case(Draw& draw, int n) : field(random_group(draw, n, 0.6)) {
    for (std::size_t i = 0; i < field.packed().size(); ++i) index.push_back(static_cast<std::uint16_t>(i));
    for (int l = 0; l < kLanes; ++l)
      for (Lanes& axis : place) axis[l] = draw.number(-1, 1);
  }
  PrimitiveList list() const { return {field.packed().data(), index.data(), static_cast<int>(index.size())}; }
  Vec3 at(int lane) const { return {place[0][lane], place[1][lane], place[2][lane]}; }

  MetaballField field;
  std::vector<std::uint16_t> index;
  Lanes place[3];
};

struct Results {
  Lanes value, gradient[3], range[2], along[2], tangent, swing, root, off;
  std::vector<std::uint8_t> reach;
  unsigned empty = 0;                     // boxes without surface, as narrow() tells
  std::vector<PrimitiveBounds> narrowed;  // and what it leaves
  Lanes within;
};

constexpr double kLimits[3] = {3, 1.2, 0.5};

Results run(const Kernels& kernel, const Case& c, double half) {
  Results r;
  kernel.evaluate(c.list(), 1, &c.place[0], &c.place[1], &c.place[2], &r.value, &r.gradient[0], &r.gradient[1],
                  &r.gradient[2]);
  const double h[3] = {half, half, half};
  r.reach.resize(c.index.size());
  std::vector<PrimitiveBounds> bounds(c.index.size());
  kernel.bound(c.list(), c.place, h, r.range, r.reach.data(), bounds.data());
  kernel.bound_slopes(c.list(), r.reach.data(), bounds.data());
  Lanes d[3];
  for (int l = 0; l < kLanes; ++l) {
    const Vec3 unit = c.at(l).normalized();
    for (int k = 0; k < 3; ++k) d[k][l] = unit[k];
  }
  kernel.bound_along(c.list(), r.reach.data(), bounds.data(), d, r.along);
  kernel.cone(c.list(), r.reach.data(), bounds.data(), c.place, h, r.gradient, 0xff, 1.2, r.tangent, r.swing);
  r.narrowed = bounds;
  r.empty = kernel.narrow(c.list(), r.reach.data(), r.range, r.narrowed.data());
  kernel.within(c.list(), r.reach.data(), r.narrowed.data(), r.gradient, 0xff, kLimits, 3, r.within);
  Lanes a, b;
  for (int l = 0; l < kLanes; ++l) {
    a[l] = -0.1 - std::abs(c.place[0][l]);
    b[l] = 0.1 + std::abs(c.place[1][l]);
  }
  kernel.hermite_root(1, &a, &b, &c.place[2], &c.place[0], &r.root, &r.off);
  return r;
}

bool same(const Lanes& a, const Lanes& b) { return std::memcmp(a.v, b.v, sizeof a.v) == 0; }

}  // namespace

TEST_CASE("Every instruction set gives the same bits", "[metaball]") {
  const Kernels* sets[3];
  const int count = kernel_sets(sets);
  Draw draw(31);
  for (int round = 0; round < 400; ++round) {
    const Case c(draw, 1 + round % 6);
    const double half = std::exp(draw.number(-7, 0));
    const Results first = run(*sets[0], c, half);
    for (int s = 1; s < count; ++s) {
      INFO("set " << s << ", round " << round);
      const Results other = run(*sets[s], c, half);
      REQUIRE(same(first.value, other.value));
      for (int k = 0; k < 3; ++k) REQUIRE(same(first.gradient[k], other.gradient[k]));
      for (int k = 0; k < 2; ++k) {
        REQUIRE(same(first.range[k], other.range[k]));
        REQUIRE(same(first.along[k], other.along[k]));
      }
      REQUIRE(first.reach == other.reach);
      REQUIRE(same(first.tangent, other.tangent));
      REQUIRE(same(first.swing, other.swing));
      REQUIRE(same(first.root, other.root));
      REQUIRE(same(first.off, other.off));
      REQUIRE(first.empty == other.empty);
      REQUIRE(same(first.within, other.within));
    }
  }
}

TEST_CASE("Eight points at once have the field's value and gradient", "[metaball]") {
  Draw draw(32);
  int compared = 0;
  for (int round = 0; round < 1000; ++round) {
    const Case c(draw, 1 + round % 5);
    const Results r = run(kernels(), c, 0.01);
    for (int l = 0; l < kLanes; ++l) {
      Vec3 gradient;
      const double value = c.field.value(c.at(l), gradient);
      CHECK(r.value[l] == Approx(value).epsilon(1e-10).margin(1e-11));
      if (gradient.norm() == 0) continue;
      ++compared;
      CHECK((Vec3(r.gradient[0][l], r.gradient[1][l], r.gradient[2][l]) - gradient).norm() <
            1e-9 * (1 + gradient.norm()));
    }
  }
  CHECK(compared > 1000);
}

TEST_CASE("The cone and the swing of a box hold every sample", "[metaball]") {
  Draw draw(33);
  int proved = 0;
  for (int round = 0; round < 3000; ++round) {
    const Case c(draw, 1 + round % 4);
    const double half = std::exp(draw.number(-7, -2));
    const Results r = run(kernels(), c, half);
    for (int l = 0; l < kLanes; ++l) {
      if (r.tangent[l] > 3) continue;
      ++proved;
      // All gradients lie within the cone around some direction, so no two are farther apart than its
      // opening.
      const double opening = 2 * std::atan(r.tangent[l]);
      Vec3 first = Vec3::Zero();
      for (int k = 0; k < 12; ++k) {
        Vec3 gradient;
        const double value = c.field.value(c.at(l) + half * draw.vector(-1, 1), gradient);
        REQUIRE(std::abs(value - r.value[l]) <= r.swing[l] + 1e-9);
        REQUIRE(gradient.norm() > 0);
        if (k == 0) first = gradient.normalized();
        REQUIRE(std::acos(std::clamp(first.dot(gradient.normalized()), -1.0, 1.0)) <= opening + 1e-6);
      }
    }
  }
  CHECK(proved > 1000);
}

TEST_CASE("Narrowed bounds hold where the surface is, and so does what is proved by them", "[metaball]") {
  Draw draw(35);
  int places = 0, proved = 0, gaps = 0;
  for (int round = 0; round < 12000; ++round) {
    const Case c(draw, 1 + round % 3);
    const double half = std::exp(draw.number(-4, -1));
    const Results r = run(kernels(), c, half);
    for (int l = 0; l < kLanes; ++l) {
      for (int k = 0; k < 4; ++k) {
        Vec3 inside = c.at(l) + half * draw.vector(-1, 1), outside = c.at(l) + half * draw.vector(-1, 1);
        if (c.field.value(inside) < 1) std::swap(inside, outside);
        if (c.field.value(inside) < 1 || c.field.value(outside) >= 1) continue;
        for (int step = 0; step < 50; ++step) {
          const Vec3 middle = 0.5 * (inside + outside);
          (c.field.value(middle) >= 1 ? inside : outside) = middle;
        }
        ++places;
        REQUIRE(!(r.empty >> l & 1u));
        for (std::size_t i = 0; i < c.index.size(); ++i) {
          if (!(r.reach[i] >> l & 1)) continue;
          const PrimitiveBounds& b = r.narrowed[i];
          const FieldPrimitive& f = c.field.primitives()[i];
          const Vec3 X = f.to_unit * (inside - f.centre);
          for (int axis = 0; axis < 3; ++axis) {
            REQUIRE(X[axis] >= static_cast<double>(b.place[axis][0].v[l]) - 1e-6);
            REQUIRE(X[axis] <= static_cast<double>(b.place[axis][1].v[l]) + 1e-6);
            REQUIRE(std::abs(X[axis]) >= static_cast<double>(b.gap[axis].v[l]) - 1e-6);
            gaps += b.gap[axis].v[l] > 0;
          }
        }
        if (r.within[l] > kLimits[0]) continue;
        ++proved;
        Vec3 gradient;
        c.field.value(inside, gradient);
        const Vec3 d = Vec3(r.gradient[0][l], r.gradient[1][l], r.gradient[2][l]).normalized();
        const double along = std::abs(d.dot(gradient)), across = (gradient - d * d.dot(gradient)).norm();
        REQUIRE(across <= r.within[l] * along * (1 + 1e-6));
      }
    }
  }
  CHECK(places > 1000);
  CHECK(proved > 300);
  CHECK(gaps > 300);
}

TEST_CASE("The root of the cubic is exact for cubics that rise", "[metaball]") {
  Lanes a, b, da, db, t, off;
  Draw draw(34);
  for (int round = 0; round < 100; ++round) {
    Lanes exact;
    for (int l = 0; l < kLanes; ++l) {
      // f = (s − t)(1 + q (s − t)²) rises for q ≥ 0.
      const double root = exact[l] = draw.number(0.05, 0.95), q = draw.number(0, 0.5);
      const auto f = [&](double s) { return (s - root) * (1 + q * (s - root) * (s - root)); };
      const auto slope = [&](double s) { return 1 + 3 * q * (s - root) * (s - root); };
      a[l] = f(0), b[l] = f(1), da[l] = slope(0), db[l] = slope(1);
    }
    kernels().hermite_root(1, &a, &b, &da, &db, &t, &off);
    for (int l = 0; l < kLanes; ++l) {
      CHECK(t[l] == Approx(exact[l]).margin(1e-9));
      CHECK(std::abs(off[l]) < 1e-9);
    }
  }
}

}  // namespace metaball_kernel_test
