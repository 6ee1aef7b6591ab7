// Elements that are turned inside out are counted, by every solver that has any.
#include <catch2/catch.hpp>

#include "core/base/random.h"
#include "tests/sim/elastic_support.h"

namespace inside_out_test {

using namespace hazumi;
using namespace hazumi::elastic_test;
using elastic_test::Body;  // not the Body of a compiled model

TEST_CASE("What is turned inside out is counted, element by element", "[elastic][conformance]") {
  int counted = 0;
  for (const ElasticSolverInfo* info : elastic_solvers()) {
    CAPTURE(info->name);
    auto made = info->make(setup_of(lattice(3, 0.5, 0.1, 800, 0.3)));
    REQUIRE(made.ok());
    Body b(std::move(made).value());
    b.start(Vec3::Zero(), Vec3::Zero());
    if (b.seen().inverted < 0) continue;  // nothing but springs
    const auto rest = b.positions();
    for (std::uint64_t k = 0; k < 20; ++k) {
      const auto dice = [&](std::uint64_t purpose) { return 2 * random_unit(20291128, Id{1}, k, purpose) - 1; };
      const Quat turn = Quat(dice(0), dice(1), dice(2), dice(3)).normalized();
      b.start(Vec3::Zero(), Vec3::Zero(), {10 * Vec3(dice(4), dice(5), dice(6)), turn});
      CHECK(b.seen().inverted == 0);
    }
    // Through the opposite corner: what holds it is inside out, what does not is not.
    const auto moved = [&](const auto& to) {
      b.start(Vec3::Zero(), Vec3::Zero());
      std::vector<Vec3> shift;
      for (std::size_t i = 0; i < rest.size(); ++i) shift.push_back(to(i, rest[i]) - rest[i]);
      b.solver->displace(b.state, shift);
      return b.seen().inverted;
    };
    const Vec3 far = rest[26] - rest[0];
    const int corner = moved([&](std::size_t i, const Vec3& x) { return i == 0 ? Vec3(x + 1.5 * far) : x; });
    CHECK(corner > 0);
    const int all = moved([](std::size_t, const Vec3& x) { return Vec3(-x.x(), x.y(), x.z()); });
    CHECK(corner < all);
    CHECK(moved([](std::size_t, const Vec3& x) { return Vec3(0.01 * x.x(), x.y(), x.z()); }) == 0);
    CHECK(moved([](std::size_t, const Vec3& x) { return Vec3(-0.01 * x.x(), x.y(), x.z()); }) == all);
    ++counted;
  }
  CHECK(counted >= 3);
}

}  // namespace inside_out_test
