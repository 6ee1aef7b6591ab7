#include <catch2/catch.hpp>

#include "tests/support/run.h"

namespace state_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

/// Impacts and resting contacts at the same time.
World busy_world(double young = 2e4) {
  World w;
  w.floor(0.5, 0.6, young);
  for (int k = 0; k < 6; ++k) {
    Object o = k % 2 ? World::box(Vec3(0.4, 0.3, 0.5), Vec3(0.1 * k, 0.15 + 0.35 * k, 0.05 * k))
                     : World::sphere(0.2, Vec3(-0.1 * k, 0.2 + 0.42 * k, 0));
    o.material.substance.young = young;
    w.add(o);
  }
  return w;
}

}  // namespace

TEST_CASE("a state that is saved and restored continues with the same bits, in the middle of impacts too", "[state]") {
  Run straight(busy_world());
  bool impact = false, rest = false;
  for (int round = 0; round < 60; ++round) {
    straight.steps(7);
    for (const RowMemory& row : straight.state.rows) {
      impact = impact || row.exit > 0;
      rest = rest || (row.exit == 0 && row.impulse.norm() > 0);
    }
    Run resumed(busy_world());
    REQUIRE(restore(save(straight.state), resumed.state).ok());
    REQUIRE(hash(resumed.state) == hash(straight.state));
    Run onwards(busy_world());
    onwards.state = straight.state;
    resumed.steps(20);
    onwards.steps(20);
    CHECK(hash(resumed.state) == hash(onwards.state));
    CHECK(save(resumed.state) == save(onwards.state));
  }
  CHECK(impact);
  CHECK(rest);
}

TEST_CASE("bytes that are not a whole state are refused and change nothing", "[state]") {
  Run run(busy_world());
  run.steps(150);
  const std::vector<std::uint8_t> bytes = save(run.state);
  const std::uint64_t before = hash(run.state);
  for (std::size_t length = 0; length < bytes.size(); length += 13)
    CHECK_FALSE(restore(std::span(bytes).first(length), run.state).ok());
  for (std::size_t at = 0; at < bytes.size(); at += 29) {
    std::vector<std::uint8_t> garbled = bytes;
    garbled[at] ^= 0x41;
    CHECK_FALSE(restore(garbled, run.state).ok());
  }
  std::vector<std::uint8_t> longer = bytes;
  longer.push_back(0);
  CHECK_FALSE(restore(longer, run.state).ok());
  CHECK(hash(run.state) == before);
  CHECK(memory_use(run.state) >= bytes.size() / 2);
}

TEST_CASE("the hash sees every number", "[state]") {
  Run run(busy_world());
  run.steps(150);
  const std::uint64_t before = hash(run.state);
  for (BodyState& body : run.state.bodies)
    for (double& x : body.values) {
      const double old = x;
      x = std::nextafter(old, 1e9);
      CHECK(hash(run.state) != before);
      x = old;
    }
  REQUIRE(!run.state.rows.empty());
  run.state.rows[0].impulse.z() += 1e-9;
  CHECK(hash(run.state) != before);
}

}  // namespace state_test
