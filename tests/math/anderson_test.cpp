#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "core/math/anderson.h"

namespace anderson_test {

using namespace hazumi;

namespace {

/// Of nine unknowns, each with the next one.
using Map = double (*)(const std::vector<double>& x, std::size_t i);
double turned(const std::vector<double>& x, std::size_t i, double by) {
  return by * std::sin(x[(i + 1) % 9] + 0.1 * static_cast<double>(i)) + 0.2 * std::cos(x[i]);
}

/// Passes until x stands still to 1e-13; plain, or mixed. 0: not within 2000.
int passes(Map map, bool mixed) {
  const std::vector<double> masses = {1, 0.2, 5};
  std::vector<double> x(9, 0.0), f(9), memory(AndersonMixing::memory_size(9));
  AndersonMixing mixing(masses, memory.data());
  for (int pass = 1; pass <= 2000; ++pass) {
    double largest = 0;
    for (std::size_t i = 0; i < 9; ++i) {
      f[i] = map(x, i) - x[i];
      largest = std::max(largest, std::abs(f[i]));
    }
    if (largest < 1e-13) return pass;
    if (mixed)
      mixing.advance(x.data(), f.data());
    else
      for (std::size_t i = 0; i < 9; ++i) x[i] += f[i];
  }
  return 0;
}

}  // namespace

TEST_CASE("Mixing solves three linear unknowns in five passes and smooth maps in fewer than they take alone",
          "[math]") {
  const std::vector<double> masses = {2};
  std::vector<double> x = {1, -2, 0.5}, f(3), memory(AndersonMixing::memory_size(3));
  AndersonMixing mixing(masses, memory.data());
  for (int pass = 0; pass < 5; ++pass) {
    f[0] = 0.9 * x[0] + 0.3 * x[1] + 1;
    f[1] = -0.2 * x[0] - 0.5 * x[1] + 0.1 * x[2];
    f[2] = 0.4 * x[1] - 1.3 * x[2] - 2;
    mixing.advance(x.data(), f.data());
  }
  CHECK(std::abs(0.9 * x[0] + 0.3 * x[1] + 1) < 1e-10);
  CHECK(std::abs(-0.2 * x[0] - 0.5 * x[1] + 0.1 * x[2]) < 1e-10);
  CHECK(std::abs(0.4 * x[1] - 1.3 * x[2] - 2) < 1e-10);

  struct Case {
    Map map;
    double least;  // times fewer passes; measured: 1.3, 2.5, 7
  };
  const Case cases[] = {
      {[](const std::vector<double>& v, std::size_t i) { return turned(v, i, 0.9); }, 1.2},
      {[](const std::vector<double>& v, std::size_t i) {  // creeps
         return turned(v, i, 0.1) + (0.85 - 0.02 * static_cast<double>(i)) * v[i];
       },
       2},
      {[](const std::vector<double>& v, std::size_t i) { return turned(v, i, 0.3) - 0.6 * v[i]; }, 5},  // swings
  };
  for (const Case& c : cases) {
    const int alone = passes(c.map, false), together = passes(c.map, true);
    INFO(alone << " passes alone, " << together << " mixed");
    CHECK(alone > 0);
    CHECK(together > 0);
    CHECK(c.least * together < alone);
  }
}

TEST_CASE("Mixing of what stands still, or steps twice the same, stays finite", "[math]") {
  const std::vector<double> masses = {1};
  std::vector<double> x = {1, 2, 3}, memory(AndersonMixing::memory_size(3));
  AndersonMixing mixing(masses, memory.data());
  const std::vector<double> none(3, 0.0), same(3, 1.0);
  for (int pass = 0; pass < 4; ++pass) mixing.advance(x.data(), none.data());
  CHECK(x == std::vector<double>{1, 2, 3});
  for (int pass = 0; pass < 4; ++pass) mixing.advance(x.data(), same.data());
  for (const double value : x) CHECK(std::isfinite(value));
}

}  // namespace anderson_test
