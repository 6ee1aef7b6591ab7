#include "core/geometry/truss/divide.h"

#include <numeric>

#include "core/geometry/truss/values.h"
#include "tests/geometry/strung_support.h"

namespace truss_divide_test {

using namespace hazumi;
using namespace hazumi::strung_test;

namespace {

double mass(const StrungTruss& truss) {
  return std::accumulate(truss.nodes.begin(), truss.nodes.end(), 0.0,
                         [](double sum, const StrungNode& n) { return sum + n.mass; });
}

Vec3 centre(const StrungTruss& truss) {
  Vec3 sum = Vec3::Zero();
  for (const StrungNode& n : truss.nodes) sum += n.mass * n.position;
  return sum / mass(truss);
}

SpringSelection every(const StrungTruss& truss) {
  SpringSelection all(truss.springs.size());
  std::iota(all.begin(), all.end(), 0u);
  return all;
}

/// Two nodes, 1.2 m apart, of unequal mass.
StrungTruss rod() {
  StrungTruss truss;
  truss.nodes = {{Vec3(0.1, 0, 0), 3, true}, {Vec3(1.3, 0, 0), 2, false}};
  truss.springs = {{0, 1, 1.5, 0.5, 2}};
  return truss;
}

}  // namespace

TEST_CASE("A divided spring is as stiff and as damped as the whole", "[truss_divide]") {
  const StrungTruss whole = rod();
  TrussTotals totals;
  totals.scale = Vec3(2, 1, 1);
  for (const bool material : {false, true})
    for (const int parts : {2, 3, 7}) {
      totals.from_material = material;
      const TrussEdit edit = divide_springs(whole, {0}, parts, material ? StiffnessRule::length : StiffnessRule::given);
      CAPTURE(material, parts);
      const auto n = static_cast<std::size_t>(parts);
      REQUIRE(edit.truss.springs.size() == n);
      REQUIRE(edit.truss.nodes.size() == n + 1);
      CHECK(problem(edit.truss, false) == "");
      double soft = 0, loose = 0, length = 0;
      for (std::uint32_t s = 0; s < n; ++s) {
        CHECK(spring_length(edit.truss, s, totals) == Approx(spring_length(whole, 0, totals) / parts));
        CHECK(spring_stiffness(edit.truss, s, totals) == Approx(parts * spring_stiffness(whole, 0, totals)));
        CHECK(spring_cross_section(edit.truss, s, totals) == spring_cross_section(whole, 0, totals));
        soft += 1 / spring_stiffness(edit.truss, s, totals);
        loose += 1 / spring_damping(edit.truss, s, totals);
        length += spring_length(edit.truss, s, totals);
      }
      // In a row: 1/k is the sum of 1/kᵢ.
      CHECK(1 / soft == Approx(spring_stiffness(whole, 0, totals)));
      CHECK(1 / loose == Approx(spring_damping(whole, 0, totals)));
      CHECK(length == Approx(spring_length(whole, 0, totals)));
      CHECK(edit.selected.size() == n - 1);
      for (std::uint32_t node : edit.selected) {
        CHECK_FALSE(edit.truss.nodes[node].pinned);
        CHECK(edit.truss.nodes[node].mass ==
              Approx(2 * 2.0 / parts));  // the lighter end's share, twice, in so many pieces
      }
      CHECK(edit.truss.nodes[0].pinned);
      CHECK(mass(edit.truss) == Approx(5));
      CHECK((centre(edit.truss) - centre(whole)).norm() < 1e-12);
    }
}

TEST_CASE("Dividing all springs of a truss keeps its mass, its rules and its symmetry", "[truss_divide]") {
  const StrungTruss box = shape(TrussShape::box_grid, {1, 2, 1});
  const TrussEdit edit = divide_springs(box, every(box), 3, StiffnessRule::given);
  CHECK(problem(edit.truss) == "");
  CHECK(edit.truss.springs.size() == 3 * box.springs.size());
  CHECK(edit.truss.nodes.size() == box.nodes.size() + 2 * box.springs.size());
  CHECK(edit.truss.hull == box.hull);
  CHECK(mass(edit.truss) == Approx(mass(box)));
  CHECK((centre(edit.truss) - centre(box)).norm() < 1e-12);
  for (const StrungNode& node : edit.truss.nodes) CHECK(node.mass > 0);
  for (std::uint32_t i = 0; i < box.nodes.size(); ++i) {
    CHECK(edit.node_map[i] == i);
    CHECK(edit.truss.nodes[i].position == box.nodes[i].position);
  }

  const TrussSymmetry mirror{0, 0.0, 1e-6};
  for (std::uint32_t s = 0; s < box.springs.size(); ++s) {
    const TrussEdit one = divide_springs(box, {s}, 2, StiffnessRule::given, mirror);
    CHECK(problem(one.truss) == "");
    CHECK(one.selected.size() == springs_with_partners(box, {s}, mirror).size());
    for (std::uint32_t node : one.selected) CHECK(symmetric_partner(one.truss, node, mirror) != kNoNode);
  }
}

TEST_CASE("What cannot be divided stays", "[truss_divide]") {
  const StrungTruss whole = rod();
  CHECK(divide_springs(whole, {0}, 1, StiffnessRule::given).truss == whole);
  CHECK(divide_springs(whole, {0}, kMostParts + 1, StiffnessRule::given).truss == whole);
  CHECK(divide_springs(whole, {5}, 2, StiffnessRule::given).truss == whole);  // a stale selection
  CHECK(divide_springs(whole, {}, 2, StiffnessRule::given).truss == whole);
  CHECK(divide_springs(whole, {0, 0}, 2, StiffnessRule::given).truss.springs.size() == 2);
}

}  // namespace truss_divide_test
