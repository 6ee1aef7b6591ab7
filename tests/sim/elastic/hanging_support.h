// What hangs or lies, of the solver "springs".
#pragma once

#include <catch2/catch.hpp>

#include "tests/sim/elastic_support.h"

namespace hazumi::elastic_test {

inline const Vec3 kDown(0, -9.80665, 0);

inline Body springs_body(const ElasticSetup& setup) {
  auto made = find_elastic_solver("springs")->make(setup);
  REQUIRE(made.ok());
  Body body(std::move(made).value());
  body.start(Vec3::Zero(), Vec3::Zero());
  return body;
}

/// Steps that end at rest each, until nothing moves: where it lies in equilibrium.
inline std::vector<Vec3> rest_of(Body& body, const Vec3& gravity = kDown, double still = 1e-9) {
  std::vector<Vec3> before = body.positions();
  for (int n = 0; n < 20'000; ++n) {
    REQUIRE(body.step(gravity));
    REQUIRE(body.solver->still(body.state));
    std::vector<Vec3> now = body.positions();
    double moved = 0;
    for (std::size_t i = 0; i < now.size(); ++i) moved = std::max(moved, (now[i] - before[i]).norm());
    before = std::move(now);
    if (moved < still) return before;
  }
  FAIL("it has not come to rest");
  return before;
}

}  // namespace hazumi::elastic_test
