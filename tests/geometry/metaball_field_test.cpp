// Field of metaball groups (spec 4.1): values, slopes, bounds.
#include <catch2/catch.hpp>
#include <cmath>

#include "tests/geometry/metaball_support.h"

namespace metaball_field_test {

using namespace hazumi;

namespace {

/// r(x) as the spec writes it.
double radius_by_formula(const MetaballPrimitive& p, const Vec3& point) {
  const Vec3 x = (p.rotation.conjugate() * (point - p.centre)).cwiseAbs().cwiseQuotient(p.radii);
  const double e1 = p.round_xz, e2 = p.round_xy;
  const double f = std::pow(x.x(), 2 / e2) + std::pow(x.y(), 2 / e2);
  return std::pow(std::pow(f, e2 / e1) + std::pow(x.z(), 2 / e1), e1 / 2);
}

double density_by_formula(double r, double w) {
  return r < 1.0 / 3 ? w * (1 - 3 * r * r) : r < 1 ? 1.5 * w * (1 - r) * (1 - r) : 0;
}

}  // namespace

TEST_CASE("The field of one superquadric is the formula of the thesis", "[metaball]") {
  Draw draw(11);
  for (int round = 0; round < 300; ++round) {
    const MetaballGroup group = random_group(draw, 1, MetaballShape::ellipsoid);
    const MetaballField field(group);
    for (int k = 0; k < 20; ++k) {
      const Vec3 p = group.primitives[0].centre + draw.vector(-0.8, 0.8);
      const double expected = density_by_formula(radius_by_formula(group.primitives[0], p), group.primitives[0].weight);
      CHECK(field.value(p) == Approx(expected).margin(1e-9));
    }
  }
}

TEST_CASE("The density and its slope are continuous at a third and at one", "[metaball]") {
  MetaballGroup group;
  group.primitives.resize(1);
  group.primitives[0].radii = Vec3(1, 1, 1);
  const MetaballField field(group);
  for (double r : {1.0 / 3, 1.0}) {
    Vec3 below, above;
    const double a = field.value(Vec3(r - 1e-9, 0, 0), below), b = field.value(Vec3(r + 1e-9, 0, 0), above);
    CHECK(std::abs(a - b) < 1e-8);
    CHECK((below - above).norm() < 1.2e-8);
  }
}

TEST_CASE("The field's gradient agrees with finite differences", "[metaball]") {
  Draw draw(12);
  int compared = 0;
  for (int round = 0; round < 400; ++round) {
    const MetaballGroup group = random_group(draw, 1 + round % 4);
    const MetaballField field(group);
    for (int k = 0; k < 10; ++k) {
      const Vec3 p = draw.vector(-1, 1);
      const double h = 1e-6;
      Vec3 gradient, twice[2];
      field.value(p, gradient);
      bool smooth = true;  // a crease or the seam at r = 1/3 within h would make the difference meaningless
      Vec3 numeric;
      for (int axis = 0; axis < 3; ++axis) {
        const Vec3 d = h * Vec3::Unit(axis);
        numeric[axis] = (field.value(p + d) - field.value(p - d)) / (2 * h);
        field.value(p + d, twice[0]);
        field.value(p - d, twice[1]);
        smooth = smooth && (twice[0] - twice[1]).norm() < 1e-3 * (1 + gradient.norm());
      }
      if (!smooth || gradient.norm() == 0) continue;
      ++compared;
      CHECK((numeric - gradient).norm() < 3e-7 * (1 + gradient.norm()));
    }
  }
  CHECK(compared > 500);
}

TEST_CASE("Bounds over a box hold every sample of the field and of its slope", "[metaball]") {
  Draw draw(13);
  for (int round = 0; round < 1500; ++round) {
    const MetaballGroup group = random_group(draw, 1 + round % 5);
    const MetaballField field(group);
    const Vec3 x = draw.vector(-1, 1), d = draw.vector(-1, 1);
    const double h = std::exp(draw.number(-7, 0));
    Box3 box;
    box.add(x - Vec3::Constant(h));
    box.add(x + Vec3::Constant(h));
    const Range value = field.range(box), slope = field.directional_range(x, h, d);
    for (int k = 0; k < 30; ++k) {
      const Vec3 p = x + h * draw.vector(-1, 1);
      Vec3 gradient;
      const double v = field.value(p, gradient), s = d.dot(gradient), slack = 1e-9 * (1 + std::abs(s));
      REQUIRE(v >= value.low - 1e-9);
      REQUIRE(v <= value.high + 1e-9);
      REQUIRE(s >= slope.low - slack);
      REQUIRE(s <= slope.high + slack);
    }
  }
}

TEST_CASE("Bounds of one primitive that is not rotated are exact", "[metaball]") {
  Draw draw(14);
  for (int round = 0; round < 200; ++round) {
    MetaballGroup group = random_group(draw, 1, MetaballShape::ellipsoid);
    group.primitives[0].rotation = Quat::Identity();
    group.primitives[0].centre.setZero();
    group.primitives[0].weight = std::abs(group.primitives[0].weight);
    const MetaballField field(group);
    Box3 box;
    box.add(draw.vector(-1, 1));
    box.add(draw.vector(-1, 1));
    const Range range = field.range(box);
    // Least and most lie at the corner farthest from the centre and at the point nearest to it.
    const Vec3 near = Vec3::Zero().cwiseMax(box.low).cwiseMin(box.high);
    const Vec3 far = (box.high.cwiseAbs().array() > box.low.cwiseAbs().array()).select(box.high, box.low);
    CHECK(range.high == Approx(field.value(near)).margin(1e-9));
    CHECK(range.low == Approx(field.value(far)).margin(1e-9));
  }
}

TEST_CASE("Primitives without sense take no part in the field", "[metaball]") {
  MetaballGroup group;
  group.primitives.resize(3);
  group.primitives[0].visible = false;
  group.primitives[1].radii = Vec3(1, 0, 1);
  group.primitives[2].centre.x() = std::nan("");
  CHECK(MetaballField(group).primitives().empty());
  CHECK(MetaballField(group).value(Vec3::Zero()) == 0);
}

}  // namespace metaball_field_test
