#include <catch2/catch.hpp>

#include <atomic>
#include <numeric>
#include <set>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/base/hash.h"
#include "core/base/parallel.h"
#include "core/base/random.h"
#include "core/base/result.h"
#include "core/base/shared.h"

namespace base_test {

using namespace hazumi;

TEST_CASE("Parallel loops visit every index once, in blocks that do not depend on the threads", "[threads]") {
  for (int threads : {1, 2, 5}) {
    Executor executor(threads);
    for (std::size_t n : {0u, 1u, 99u, 100u, 1001u}) {
      std::vector<int> hits(n, 0);
      std::atomic<int> wrong{0};
      executor.blocks(n, 100, [&](std::size_t begin, std::size_t end) {
        if (begin % 100 != 0 || (end != n && end != begin + 100)) ++wrong;
        for (std::size_t i = begin; i < end; ++i) ++hits[i];
      });
      CHECK(wrong == 0);
      CHECK(std::accumulate(hits.begin(), hits.end(), 0) == static_cast<int>(n));
    }
  }
}

TEST_CASE("The exception of the lowest block comes out of a parallel loop, and the executor lives on", "[threads]") {
  Executor executor(3);
  for (int round = 0; round < 20; ++round) {
    try {
      executor.blocks(1000, 10, [](std::size_t begin, std::size_t) {
        if (begin >= 500) throw static_cast<int>(begin);
      });
      FAIL("no exception");
    } catch (int begin) {
      CHECK(begin == 500);
    }
  }
  int sum = 0;
  executor.blocks(10, 100, [&](std::size_t b, std::size_t e) { sum = static_cast<int>(e - b); });
  CHECK(sum == 10);
}

TEST_CASE("Hashes tell -0 from 0, order from order, and are fixed numbers") {
  CHECK(Hasher().add(0.0).value() != Hasher().add(-0.0).value());
  CHECK(Hasher().add(1).add(2).value() != Hasher().add(2).add(1).value());
  CHECK(Hasher().add(std::string_view("ab")).add(std::string_view("c")).value() !=
        Hasher().add(std::string_view("a")).add(std::string_view("bc")).value());
  CHECK(Hasher().value() == 0x243f6a8885a308d3ULL);
}

TEST_CASE("Counter-based random numbers depend on all four counters and fill the unit interval evenly") {
  std::set<std::uint64_t> seen;
  for (std::uint64_t k = 0; k < 4; ++k) {
    seen.insert(random_bits(k, {1}, 1, 1));
    seen.insert(random_bits(100, {k + 2}, 1, 1));
    seen.insert(random_bits(100, {1}, k + 2, 1));
    seen.insert(random_bits(100, {1}, 1, k + 2));
  }
  CHECK(seen.size() == 16);
  double sum = 0, squares = 0;
  const int n = 100000;
  for (int i = 0; i < n; ++i) {
    const double u = random_unit(7, {3}, static_cast<std::uint64_t>(i), 0);
    REQUIRE(u >= 0);
    REQUIRE(u < 1);
    sum += u;
    squares += u * u;
  }
  CHECK(sum / n == Approx(0.5).margin(0.0025));  // standard error 0.0009, measured as much
  CHECK(squares / n - 0.25 == Approx(1.0 / 12).margin(0.0025));
}

TEST_CASE("Shared values are changed by copy") {
  const Shared<std::vector<int>> a(std::vector<int>{1, 2});
  const auto b = a.edited([](std::vector<int>& v) { v.push_back(3); });
  CHECK(a->size() == 2);
  CHECK(b->size() == 3);
  CHECK_FALSE(a.same_as(b));
  const auto c = a;
  CHECK(c.same_as(a));
}

TEST_CASE("Results carry a value or reasons") {
  const Result<int> good(3);
  CHECK(good.ok());
  CHECK(*good == 3);
  const Result<int> bad(Diagnostic{Severity::error, "line 3", "A comma is missing.", "Add it."});
  CHECK_FALSE(bad.ok());
  CHECK(to_string(bad.error()) == "error: line 3: A comma is missing. Add it.");
  CHECK(has_error(bad.diagnostics()));
  CHECK_FALSE(has_error({{Severity::warning, "", "Odd.", ""}}));
}

}  // namespace base_test
