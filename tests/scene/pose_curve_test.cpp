// A body bent along a drawn line: lengths along its axis kept, nothing inside out where the line bends less than the body is thick, no twist.
#include "core/scene/derived/pose_curve.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>

#include "core/scene/derived/poses.h"
#include "tests/sim/reference/dense.h"
#include "tests/support/sanitized.h"

using namespace hazumi;

namespace {

/// A bar of cells somewhere, turned somehow; its longest axis is one of its own.
AnalysisModel drawn_bar(reference::Dice& dice) {
  AnalysisModel model;
  model.kind = AnalysisKind::box_grid;
  model.divisions = {1 + static_cast<int>(dice.uniform(0, 3)), 1 + static_cast<int>(dice.uniform(0, 3)),
                     6 + static_cast<int>(dice.uniform(0, 10))};
  const double thick = dice.uniform(0.05, 0.4);
  model.size = Vec3(thick, thick * dice.uniform(0.5, 1.0), dice.uniform(1.5, 3));
  return model;
}

/// A smooth line whose curvature is a few waves along it.
std::vector<Vec3> waved(reference::Dice& dice, double length, double most) {
  const double first = dice.uniform(-1, 1), second = dice.uniform(-1, 1), phase = dice.uniform(0, 6);
  const Mat3 turn = dice.attitude();
  const int count = 2000;
  std::vector<Vec3> line = {Vec3(dice.uniform(-1, 1), dice.uniform(-1, 1), dice.uniform(-1, 1))};
  double angle = dice.uniform(-3, 3);
  for (int i = 0; i < count; ++i) {
    const double s = static_cast<double>(i) / count, ds = length / count;
    angle += ds * most * 0.5 * (first * std::sin(5 * s + phase) + second * std::sin(11 * s));
    line.push_back(line.back() + ds * (turn * Vec3(std::cos(angle), std::sin(angle), 0)));
  }
  return line;
}

double far_from(const std::vector<Vec3>& line, const Vec3& p) {
  double least = 1e9;
  for (const Vec3& q : line) least = std::min(least, (p - q).norm());
  return least;
}

/// The least of what a little volume anywhere in the bar becomes, of what it was.
double least_volume(reference::Dice& dice, const AnalysisModel& model, const BodyAxis& axis, const EvenLine& line) {
  constexpr double kStep = 1e-5;
  std::vector<Vec3> nodes = analysis_truss(model).nodes;
  std::vector<std::uint32_t> part(nodes.size());
  std::iota(part.begin(), part.end(), 0u);
  for (int k = 0; k < 200; ++k) {
    // At the border as often as inside: the outermost edges are bent the most.
    const auto side = [&] {
      return dice.uniform() < 0.5 ? dice.uniform(-0.5, 0.5) : dice.uniform() < 0.5 ? -0.5 : 0.5;
    };
    const double x = side(), y = side(), z = dice.uniform(-0.5, 0.5);
    const Vec3 at = model.size.cwiseProduct(Vec3(x, y, z));
    for (const Vec3& way : {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)})
      nodes.push_back(at + kStep * way);
  }
  bend_along(nodes, {}, BodyCourse(nodes, nodes, axis, part), line);
  double least = 1e9;
  for (std::size_t k = part.size(); k < nodes.size(); k += 4) {
    Mat3 now;
    for (std::size_t i = 0; i < 3; ++i) now.col(static_cast<int>(i)) = (nodes[k + i + 1] - nodes[k]) / kStep;
    least = std::min(least, now.determinant());
  }
  return least;
}

}  // namespace

TEST_CASE("A body bent along a line keeps the lengths along its axis, and nothing is inside out", "[poses][curve]") {
  const std::uint64_t seed = 20261201;
  INFO("seed " << seed);
  double worst_length = 0, worst_off = 0, least = 1e9, worst_section = 0;
  int held = 0;
  const int rounds = test::rounds(60, 10);
  for (int round = 0; round < rounds; ++round) {
    reference::Dice dice(seed + static_cast<std::uint64_t>(round));
    const AnalysisModel model = drawn_bar(dice);
    const std::vector<Vec3> rest = analysis_truss(model).nodes;
    const BodyAxis axis = dice.uniform() < 0.5 ? body_axis(rest) : body_axis(rest).flipped();
    REQUIRE(axis.length() == Approx(model.size.z()));
    // Drawn down to a radius of half the half thickness; rounded it is mostly wider than that, and then not on what was drawn.
    const double length = axis.length() * dice.uniform(0.6, 1.5), sharp = dice.uniform(0.1, 2);
    const std::vector<Vec3> drawn = waved(dice, length, sharp / axis.half);
    const EvenLine line(axis, drawn);
    std::vector<Vec3> nodes = rest;
    bend_along(nodes, {}, BodyCourse(rest, rest, axis), line);
    std::vector<Vec3> again = rest;
    bend_along(again, {}, BodyCourse(rest, rest, axis), EvenLine(axis, drawn));
    REQUIRE(nodes == again);

    // The axis, in ten thousand chords: as long as before.
    double sum = 0;
    for (int i = 0; i < 10000; ++i)
      sum += (line.at(axis.length() * (i + 1) / 10000).place - line.at(axis.length() * i / 10000).place).norm();
    worst_length = std::max(worst_length, std::abs(sum / axis.length() - 1));
    // It lies on what was drawn as far as that goes, off by how corners are rounded.
    const double bent = line.most_bent() * axis.half;
    for (int i = 0; i < 20 && sharp < 0.8; ++i)
      worst_off = std::max(worst_off,
                           far_from(drawn, line.at(0.95 * std::min(length, axis.length()) * i / 19).place) / axis.half);
    // Cross-sections are what they were, and stand across the line.
    for (std::size_t i = 0; i < rest.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (rest[i].z() == rest[j].z())
          worst_section = std::max(worst_section, std::abs((nodes[i] - nodes[j]).norm() - (rest[i] - rest[j]).norm()));
    // 1 − κ r, and no less.
    if (bent < 1) {
      const double volume = least_volume(dice, model, axis, line);
      CHECK(volume > 1 - bent - 1e-3);
      least = std::min(least, volume);
      ++held;
    }
  }
  INFO("length " << worst_length << ", off the line " << worst_off << " of the half thickness, sections "
                 << worst_section << " m, least volume " << least << " in " << held);
  CHECK(worst_length < 1e-5);
  CHECK(worst_section < 1e-12);
  CHECK(least > 0);
  CHECK(worst_off < 1);
  CHECK(held > rounds / 3);
}

TEST_CASE("A straight line moves a body and turns it, corners are rounded, a short line goes on straight",
          "[poses][curve]") {
  AnalysisModel model;
  model.kind = AnalysisKind::box_grid;
  model.divisions = {2, 2, 8};
  model.size = Vec3(0.2, 0.2, 2);
  const std::vector<Vec3> rest = analysis_truss(model).nodes;
  const BodyAxis axis = body_axis(rest);
  CHECK((axis.from - Vec3(0, 0, -1)).norm() < 1e-12);
  CHECK((axis.to - Vec3(0, 0, 1)).norm() < 1e-12);
  CHECK(axis.half == Approx(0.1 * std::sqrt(2.0)));
  const auto stiff = [&](const std::vector<Vec3>& drawn) {
    std::vector<Vec3> nodes = rest;
    bend_along(nodes, {}, BodyCourse(rest, rest, axis), EvenLine(axis, drawn));
    return nodes;
  };
  for (const std::vector<Vec3>& drawn : {std::vector<Vec3>{Vec3(1, 2, 3), Vec3(1.5, 2, 3)}, {Vec3(0, 0, 0)}}) {
    const std::vector<Vec3> nodes = stiff(drawn);
    for (std::size_t i = 0; i < rest.size(); ++i)
      CHECK((nodes[i] - nodes[0]).norm() == Approx((rest[i] - rest[0]).norm()).margin(1e-12));
  }
  // Once its own axis: to the bit nothing but round-off.
  const std::vector<Vec3> same = stiff({axis.from, axis.to});
  for (std::size_t i = 0; i < rest.size(); ++i) CHECK((same[i] - rest[i]).norm() < 1e-12);

  // A right angle, and back on itself: no NaN, and lengths are kept.
  for (const std::vector<Vec3>& drawn : {std::vector<Vec3>{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(1, 1, 0)},
                                         {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 0, 0)},
                                         {Vec3(0, 0, 0), Vec3(0, 0, 0), Vec3(0, 0, 0)}}) {
    const EvenLine line(axis, drawn);
    CHECK(std::isfinite(line.most_bent()));
    for (const Vec3& x : stiff(drawn)) CHECK(x.allFinite());
  }
  CHECK(EvenLine(axis, std::vector<Vec3>{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(1, 1, 0)}).most_bent() * axis.half < 1);

  // Those that go half the way are in the middle of it.
  std::vector<Vec3> half = rest;
  const std::vector<Vec3> drawn = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(2, 1, 0)};
  bend_along(half, std::vector<double>(rest.size(), 0.5), BodyCourse(rest, rest, axis), EvenLine(axis, drawn));
  const std::vector<Vec3> whole = stiff(drawn);
  for (std::size_t i = 0; i < rest.size(); ++i) CHECK((half[i] - 0.5 * (rest[i] + whole[i])).norm() < 1e-12);

  const std::vector<Vec3> points = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(1, 1, 0), Vec3(0, 2, 1)};
  const std::vector<Vec3> smooth = through_points(points);
  for (const Vec3& p : points) CHECK(far_from(smooth, p) == 0);
}

namespace {

/// Half a circle and a wave of a bar of some layers, or with its nodes anywhere.
struct BentBar {
  std::vector<Vec3> rest, bent;
  BodyAxis axis;
  BentBar(reference::Dice& dice, bool even) {
    AnalysisModel model;
    model.kind = AnalysisKind::box_grid;
    model.divisions = {2, 2, 10};
    model.size = Vec3(0.25, 0.25, 2);
    rest = analysis_truss(model).nodes;
    if (!even)
      for (int k = 0; k < 300; ++k)
        rest.push_back(
            model.size.cwiseProduct(Vec3(dice.uniform(-0.5, 0.5), dice.uniform(-0.5, 0.5), dice.uniform(-0.5, 0.5))));
    axis = axis_along(rest, Vec3::UnitZ());
    bent = rest;
    bend_along(bent, {}, BodyCourse(rest, rest, axis), EvenLine(axis, arc(1.5)));
  }
  /// As long as the bar, turning by so much.
  static std::vector<Vec3> arc(double turn) {
    std::vector<Vec3> line;
    for (int i = 0; i <= 400; ++i) {
      const double a = turn * i / 400, radius = 2 / turn;
      line.emplace_back(radius * (1 - std::cos(a)), 0.3, radius * std::sin(a));
    }
    return line;
  }
};

}  // namespace

TEST_CASE("A body that is bent is bent along the middle line that it has", "[poses][curve]") {
  reference::Dice dice(20261202);
  for (const bool even : {true, false}) {
    const BentBar bar(dice, even);
    const BodyCourse course(bar.rest, bar.bent, bar.axis);
    INFO((even ? "layers" : "nodes anywhere") << ": length " << course.length());
    CHECK(course.length() == Approx(2).epsilon(0.01));
    // On itself: nothing moves. Straight again: the bar at rest, moved and turned. The other way: as if it had never been bent.
    const auto along = [&](const std::vector<Vec3>& drawn) {
      std::vector<Vec3> nodes = bar.bent;
      bend_along(nodes, {}, course, EvenLine(course, drawn));
      return nodes;
    };
    const auto off = [&](const std::vector<Vec3>& nodes, const std::vector<Vec3>& wanted) {
      const Transform best = placed_on(wanted, Vec3::Ones(), nodes);
      double most = 0;
      for (std::size_t i = 0; i < nodes.size(); ++i)
        most = std::max(most, (best.position + best.rotation * wanted[i] - nodes[i]).norm());
      return most;
    };
    const double same = off(along(course.places()), bar.bent);
    const double straight = off(along({Vec3(0, 0, 0), Vec3(0, 3, 0)}), bar.rest);
    std::vector<Vec3> other = bar.rest;
    bend_along(other, {}, BodyCourse(bar.rest, bar.rest, bar.axis), EvenLine(bar.axis, BentBar::arc(-1)));
    const double turned = off(along(BentBar::arc(-1)), other);
    // The old way, about the straight axis of what is bent: the control.
    const BodyAxis chord = body_axis(bar.bent);
    std::vector<Vec3> wrong = bar.bent;
    bend_along(wrong, {}, BodyCourse(bar.bent, bar.bent, chord),
               EvenLine(chord, std::vector<Vec3>{Vec3(0, 0, 0), Vec3(0, 3, 0)}));
    INFO("same " << same << ", straight " << straight << ", the other way " << turned << ", about the chord "
                 << off(wrong, bar.rest));
    CHECK(same < 0.01);
    CHECK(straight < 0.02);
    CHECK(turned < 0.02);
    CHECK(off(wrong, bar.rest) > 0.1);
  }
}

TEST_CASE("Hands bend and twist a bent body from where it is taken hold of", "[poses][curve]") {
  reference::Dice dice(20261203);
  const BentBar bar(dice, true);
  const BodyCourse course(bar.rest, bar.bent, bar.axis);
  const double at = course.way_at(bar.bent[45]);
  CHECK(at == Approx(course.way_of(45)));
  std::vector<Vec3> bent = bar.bent, twisted = bar.bent, back = bar.bent;
  bend_nodes(bent, course, at, Vec3::UnitY(), 0.2, 0.8);
  twist_nodes(twisted, course, at, 0.2, 0.8);
  double far = 0;
  for (std::size_t i = 0; i < bent.size(); ++i) {
    if (course.way_of(i) <= at - 0.2) {
      CHECK(bent[i] == bar.bent[i]);
      CHECK(twisted[i] == bar.bent[i]);
    }
    // What lies behind is turned as a rigid piece.
    for (std::size_t j = 0; j < i; ++j)
      if (course.way_of(i) >= at + 0.2 && course.way_of(j) >= at + 0.2) {
        far = std::max(far, std::abs((bent[i] - bent[j]).norm() - (bar.bent[i] - bar.bent[j]).norm()));
        far = std::max(far, std::abs((twisted[i] - twisted[j]).norm() - (bar.bent[i] - bar.bent[j]).norm()));
        CHECK((bent[i] - bent[j]).isApprox(Eigen::AngleAxisd(0.8, Vec3::UnitY()) * (bar.bent[i] - bar.bent[j]), 1e-9));
      }
  }
  CHECK(far < 1e-12);
  CHECK(BodyCourse(bar.rest, bent, bar.axis).length() == Approx(course.length()).epsilon(0.01));
  // The turn of one is about y, that of the other about the middle line where it is.
  const Vec3 way = course.at(at).way;
  CHECK((twisted.back() - course.at(at).place).dot(way) ==
        Approx((bar.bent.back() - course.at(at).place).dot(way)).margin(0.03));
  CHECK((twisted.back() - bar.bent.back()).norm() > 0.1);
  // Undone by the opposite turn of what has come of it.
  bend_nodes(back, course, at, Vec3::UnitY(), 0.2, 0.8);
  bend_nodes(back, BodyCourse(bar.rest, back, bar.axis), at, Vec3::UnitY(), 0.2, -0.8);
  double left = 0;
  for (std::size_t i = 0; i < back.size(); ++i) left = std::max(left, (back[i] - bar.bent[i]).norm());
  INFO("left " << left);
  CHECK(left < 0.03);
}

TEST_CASE("A body that is bent at rest is bent along its own middle line, a straight or stout one along its axis",
          "[poses][curve]") {
  AnalysisModel model;
  model.kind = AnalysisKind::box_grid;
  model.divisions = {2, 2, 10};
  model.size = Vec3(0.25, 0.25, 2);
  const Truss bar = analysis_truss(model);
  CHECK(straightened(bar.nodes, bar.springs) == bar.nodes);
  for (const auto& [turn, most] : {std::pair{1.0, 0.04}, {2.2, 0.1}, {4.5, 0.2}}) {  // 0.019, 0.052, 0.138 m of 2 m
    std::vector<Vec3> hook = bar.nodes;
    const BodyAxis axis = body_axis(hook);
    bend_along(hook, {}, BodyCourse(bar.nodes, bar.nodes, axis), EvenLine(axis, BentBar::arc(turn)));
    const std::vector<Vec3> straight = straightened(hook, bar.springs);
    INFO("turned by " << turn);
    REQUIRE(straight != hook);
    const BodyAxis own = axis_along(straight, Vec3::UnitX());
    const BodyCourse course(straight, hook, own);
    CHECK(course.length() == Approx(2).epsilon(0.03));
    std::vector<Vec3> along = hook;
    bend_along(along, {}, course, EvenLine(course, std::vector<Vec3>{Vec3(0, 0, 0), Vec3(0, 3, 0)}));
    const Transform best = placed_on(bar.nodes, Vec3::Ones(), along);
    double off = 0;
    for (std::size_t i = 0; i < along.size(); ++i)
      off = std::max(off, (best.position + best.rotation * bar.nodes[i] - along[i]).norm());
    INFO("off the straight bar " << off);
    CHECK(off < most);
  }
  for (const AnalysisKind stout : {AnalysisKind::box_grid, AnalysisKind::icosahedron}) {
    model.kind = stout;
    model.divisions = {3, 3, 3};
    model.size = Vec3(1, 1, 1.1);
    const Truss truss = analysis_truss(model);
    CHECK(straightened(truss.nodes, truss.springs) == truss.nodes);
  }
}

TEST_CASE("The middle line of a body of few layers, of a chain and of none", "[poses][curve]") {
  const Quat turn(Eigen::AngleAxisd(0.9, Vec3(1, 2, 0.5).normalized()));
  for (const int layers : {1, 2, 3, 7}) {
    AnalysisModel model;
    model.kind = AnalysisKind::box_grid;
    model.divisions = {1, 1, layers};
    model.size = Vec3(0.02, 0.02, 2);
    const std::vector<Vec3> rest = analysis_truss(model).nodes;
    const BodyAxis axis = body_axis(rest);
    std::vector<Vec3> moved;
    for (const Vec3& x : rest) moved.push_back(turn * x + Vec3(1, 2, 3));
    const BodyCourse course(rest, moved, axis);
    INFO(layers << " cells");
    CHECK(course.length() == Approx(2).epsilon(1e-4));
    for (const double s : {0.0, 0.3, 1.0, 2.0})
      CHECK((course.at(s).place - (turn * Vec3(axis.from + s * Vec3::UnitZ()) + Vec3(1, 2, 3))).norm() < 1e-3);
  }
  // A chain has nothing across.
  std::vector<Vec3> chain, arc;
  for (int i = 0; i <= 20; ++i) {
    chain.emplace_back(0.1 * i, 0, 0);
    arc.emplace_back(std::sin(0.1 * i), 1 - std::cos(0.1 * i), 0);
  }
  const BodyCourse round(chain, arc, body_axis(chain));
  CHECK(round.length() == Approx(2).epsilon(0.005));
  CHECK((round.at(1).place - Vec3(std::sin(1.0), 1 - std::cos(1.0), 0)).norm() < 0.005);
  const std::vector<std::uint32_t> beyond = {99};
  CHECK(BodyCourse(chain, arc, body_axis(chain), beyond).places().size() ==
        BodyCourse(chain, arc, body_axis(chain)).places().size());
  CHECK(BodyCourse().length() == 0);
  CHECK(BodyCourse({}, {}, {}).length() == 0);
  CHECK(straightened(chain, {}) == chain);  // in pieces
}
