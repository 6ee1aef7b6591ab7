// The box tree tells of everything that has to be looked at, whatever the boxes.
#include <catch2/catch.hpp>

#include <random>
#include <set>

#include "core/geometry/mesh/box_tree.h"

namespace hazumi::box_tree_test {

namespace {

struct Dice {
  std::mt19937 random{11};
  double between(double a, double b) { return std::uniform_real_distribution<double>(a, b)(random); }
  Vec3 point(double reach) { return Vec3(between(-reach, reach), between(-reach, reach), between(-reach, reach)); }
};

/// Boxes of many sizes: points, flat ones, ones that hold all the others, equal ones, and ones that hold nothing.
std::vector<Box3> boxes(Dice& dice, std::size_t count, double reach) {
  std::vector<Box3> all(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (i % 17 == 5) continue;  // not valid
    if (i % 11 == 3 && i > 11) {
      all[i] = all[i - 11];
      continue;
    }
    const Vec3 p = dice.point(reach);
    all[i].add(p);
    if (i % 7 == 0) continue;
    Vec3 size = dice.point(0.2 * reach).cwiseAbs();
    if (i % 5 == 0) size.y() = 0;
    if (i % 53 == 1) size *= 20;
    all[i].add(p + size);
  }
  return all;
}

/// As they lie in the tree's leaves.
std::vector<FlatBox> placed(const BoxTree& tree, const std::vector<Box3>& all) {
  std::vector<FlatBox> out;
  for (const std::uint32_t i : tree.order()) out.push_back(flat_box(all[i]));
  return out;
}

}  // namespace

TEST_CASE("Pairs of boxes that meet are found, each once", "[box_tree]") {
  Dice dice;
  for (const std::size_t count : {0, 1, 2, 4, 5, 9, 40, 700})
    for (const double reach : {1.0, 1e-30, 1e12, 1e200}) {
      const std::vector<Box3> all = boxes(dice, count, reach);
      std::set<std::pair<std::uint32_t, std::uint32_t>> expected, got;
      for (std::uint32_t i = 0; i < count; ++i)
        for (std::uint32_t j = i + 1; j < count; ++j)
          if (all[i].meets(all[j])) expected.insert({i, j});
      std::size_t looked = 0;
      const BoxTree tree(all);
      tree.pairs(placed(tree, all), [&](std::uint32_t at, std::uint32_t other) {
        const std::uint32_t i = tree.order()[at], j = tree.order()[other];
        ++looked;
        REQUIRE(i != j);
        if (all[i].meets(all[j])) REQUIRE(got.insert(std::minmax(i, j)).second);
      });
      CHECK(got == expected);
      if (reach == 1.0) CHECK(looked == expected.size());  // no others, but where floats cannot tell
    }
}

TEST_CASE("A tree that is refitted to other boxes answers for these", "[box_tree]") {
  Dice dice;
  for (const std::size_t count : {0, 1, 5, 9, 300}) {
    BoxTree tree(boxes(dice, count, 1), 8);
    for (const double reach : {1.0, 3.0, 1e-3}) {
      const std::vector<Box3> all = boxes(dice, count, reach);
      const std::vector<FlatBox> flat = placed(tree, all);
      if (reach == 3.0)
        tree.refit(all);
      else
        tree.refit_placed(flat);
      std::set<std::pair<std::uint32_t, std::uint32_t>> expected, got;
      for (std::uint32_t i = 0; i < count; ++i)
        for (std::uint32_t j = i + 1; j < count; ++j)
          if (all[i].meets(all[j])) expected.insert({i, j});
      tree.pairs(flat, [&](std::uint32_t at, std::uint32_t other) {
        const std::uint32_t i = tree.order()[at], j = tree.order()[other];
        if (all[i].meets(all[j])) REQUIRE(got.insert(std::minmax(i, j)).second);
      });
      CHECK(got == expected);
    }
  }
}

TEST_CASE("Boxes around a point are found, and the nearest one, the first of equals", "[box_tree]") {
  Dice dice;
  for (const std::size_t count : {0, 1, 4, 5, 300})
    for (const std::uint32_t leaf : {4u, 8u}) {
      const std::vector<Box3> all = boxes(dice, count, 10);
      const BoxTree tree(all, leaf);
      for (int k = 0; k < 300; ++k) {
        Vec3 p = dice.point(12);
        if (k % 3 == 0 && count > 4) p = all[static_cast<std::size_t>(k) % count % 4].low;  // on a border
        std::set<std::uint32_t> expected, got;
        for (std::uint32_t i = 0; i < count; ++i)
          if (all[i].holds(p)) expected.insert(i);
        REQUIRE(tree.order().size() == count);
        tree.around(p, [&](std::uint32_t place) {
          const std::uint32_t i = tree.order()[place];
          if (all[i].holds(p)) REQUIRE(got.insert(i).second);
        });
        CHECK(got == expected);
        const auto distance = [&](std::uint32_t i) {
          if (!all[i].valid()) return std::numeric_limits<double>::infinity();
          return (p - p.cwiseMax(all[i].low).cwiseMin(all[i].high)).squaredNorm();
        };
        std::uint32_t best = BoxTree::nothing;
        double least = std::numeric_limits<double>::infinity();
        for (std::uint32_t i = 0; i < count; ++i)
          if (distance(i) < least) least = distance(i), best = i;
        CHECK(tree.nearest(p, distance) == best);
      }
    }
}

}  // namespace hazumi::box_tree_test
