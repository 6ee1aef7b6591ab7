// A Polygoniser that has seen other groups gives the mesh of polygonising from nothing, bit for bit: random groups and random
// edits, undone and redone, other tolerances in between, cancelled anywhere.
#include <catch2/catch.hpp>
#include <thread>

#include "core/geometry/metaball/polygonise.h"
#include "tests/geometry/metaball_support.h"
#include "tests/support/metaball_creature.h"
#include "tests/support/sanitized.h"

namespace metaball_edits_test {

using namespace hazumi;

namespace {

void colour(Draw& draw, MetaballPrimitive& p) {
  p.surface.ambient = draw.vector(0, 1);
  p.surface.diffuse = draw.vector(0, 1);
  p.surface.specular = draw.vector(0, 1);
  p.surface.shininess = draw.number(1, 100);
}

/// Fins (ε above 2) take most of the time: few.
MetaballPrimitive plain_primitive(Draw& draw, double spread, double least_radius) {
  MetaballPrimitive p = random_primitive(draw, spread, least_radius);
  const double most = draw.number(0, 1) < 0.02 ? 3 : 1.4;
  p.round_xz *= most / 3;
  p.round_xy *= most / 3;
  colour(draw, p);
  return p;
}

/// Says what it did.
std::string edit(Draw& draw, MetaballGroup& group, double spread, double least_radius) {
  const auto some = static_cast<std::size_t>(draw.number(0, 1) * static_cast<double>(group.primitives.size()));
  const int kind = group.primitives.empty() ? 0 : static_cast<int>(draw.number(0, 13));
  const std::string of = " " + std::to_string(some);
  if (kind == 0) {
    MetaballPrimitive added = plain_primitive(draw, spread, least_radius);
    added.id = next_primitive_id(group);
    group.primitives.insert(group.primitives.begin() + static_cast<std::ptrdiff_t>(some), added);
    return "add at" + of;
  }
  MetaballPrimitive& p = group.primitives[some];
  switch (kind) {
    case 1:
      group.primitives.erase(group.primitives.begin() + static_cast<std::ptrdiff_t>(some));
      return "delete" + of;
    case 2:
      p.radii = p.radii.cwiseProduct(draw.vector(0.7, 1.4));
      return "resize" + of;
    case 3:
      p.rotation = Quat(1, draw.number(-1, 1), draw.number(-1, 1), 0.3).normalized();
      return "turn" + of;
    case 4:
      p.round_xz = draw.number(0.1, 1.5);
      return "shape" + of;
    case 5:
      p.round_xy = draw.number(0.1, 1.5);
      return "shape" + of;
    case 6:
      p.weight = draw.number(-1, 3);
      return "weigh" + of;
    case 7:
      colour(draw, p);
      return "colour" + of;
    case 8:
      p.visible = !p.visible;
      return "hide or show" + of;
    case 9:
      group.own_colours = !group.own_colours;
      return "own colours on or off";
    case 10:
      p.shape = p.shape == MetaballShape::torus ? MetaballShape::ellipsoid : MetaballShape::torus;
      return "torus or not" + of;
    default:
      p.centre += draw.vector(-0.2, 0.2) * draw.number(0.01, 1);
      return "move" + of;
  }
}

void try_groups(unsigned first_seed, int groups, int edits) {
  Executor one(1), two(2);
  for (int g = 0; g < groups; ++g) {
    const unsigned seed = first_seed + static_cast<unsigned>(g);
    Draw draw(seed);
    const int n = 1 + static_cast<int>(draw.number(0, 1) * draw.number(0, 1) * 8);
    const double spread = 0.4 * std::cbrt(n), least_radius = draw.number(0.4, 0.7);
    MetaballGroup group;
    for (int k = 0; k < n; ++k) {
      group.primitives.push_back(plain_primitive(draw, spread, least_radius));
      group.primitives.back().id = static_cast<std::uint32_t>(k + 1);
    }
    group.own_colours = draw.number(0, 1) < 0.7;
    PolygoniseOptions options;
    options.tolerance = draw.number(0.07, 0.1);
    double other = draw.number(0.07, 0.1);
    Polygoniser kept;
    kept.update(group, options, two);
    std::vector<MetaballGroup> past;
    std::string story;
    for (int step = 0; step < edits; ++step) {
      past.push_back(group);
      if (draw.number(0, 1) < 0.2) {
        group = past[static_cast<std::size_t>(draw.number(0, 1) * static_cast<double>(past.size()))];
        story += "undo; ";
      } else {
        story += edit(draw, group, spread, least_radius) + "; ";
      }
      if (draw.number(0, 1) < 0.1) {
        std::swap(options.tolerance, other);
        story += "other tolerance; ";
      }
      INFO("seed " << seed << ": " << story);
      const auto mesh = kept.update(group, options, step % 2 ? one : two);
      REQUIRE(mesh);
      REQUIRE(same(*mesh, polygonise(group, options, step % 2 ? two : one)));
      CHECK(kept.update(group, options, one) == mesh);
    }
  }
}

}  // namespace

TEST_CASE("What a polygoniser has seen before does not change a byte", "[metaball][random]") {
  try_groups(41'000, test::rounds(200, 20), 3);
}

TEST_CASE("What a polygoniser has seen before does not change a byte: thousands", "[.long]") {
  try_groups(60'000, 2000, 6);
}

TEST_CASE("A metaball of a hundred is dragged, and redone is the mesh of polygonising from nothing", "[metaball]") {
  MetaballGroup group = test::creature_of_metaballs();
  REQUIRE(group.primitives.size() == 100);
  Executor one(1), two(2);
  Draw draw(9);
  for (double tolerance : {0.04, 0.004}) {
    PolygoniseOptions options;
    options.tolerance = tolerance;
    Polygoniser kept;
    kept.update(group, options, two);
    for (int step = 0; step < 6; ++step) {
      MetaballPrimitive& p = group.primitives[static_cast<std::size_t>(draw.number(0, 99.9))];
      p.centre += draw.vector(-0.1, 0.1);
      const auto mesh = kept.update(group, options, two);
      REQUIRE(mesh->looks.size() == mesh->positions.size());
      CHECK(same(*mesh, polygonise(group, options, one)));
    }
  }
}

TEST_CASE("Cancelled anywhere in an edit, a polygoniser goes on from a state that is right", "[metaball][threads]") {
  MetaballGroup group = test::creature_of_metaballs();
  Executor two(2);
  PolygoniseOptions options;
  options.tolerance = 0.04;
  Polygoniser kept;
  kept.update(group, options, two);
  Draw draw(31);
  int cancelled = 0;
  for (int step = 0; step < 24; ++step) {
    group.primitives[static_cast<std::size_t>(draw.number(0, 99.9))].centre += draw.vector(-0.1, 0.1);
    std::atomic<bool> cancel{false};
    options.cancel = &cancel;
    std::thread later([&, wait = draw.number(0, 20'000)] {
      std::this_thread::sleep_for(std::chrono::microseconds(static_cast<int>(wait)));
      cancel = true;
    });
    cancelled += kept.update(group, options, two) == nullptr ? 1 : 0;
    later.join();
    options.cancel = nullptr;
    if (step % 3 != 0) continue;  // several in a row
    const auto mesh = kept.update(group, options, two);
    REQUIRE(mesh);
    CHECK(same(*mesh, polygonise(group, options, two)));
  }
  CHECK(cancelled > 0);
}

}  // namespace metaball_edits_test
