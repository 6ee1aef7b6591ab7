// Loops over threads, one within the other.
#include "core/base/parallel.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <stdexcept>
#include <vector>

namespace parallel_test {

using namespace hazumi;

TEST_CASE("Loops within loops come to an end, each block once, on no more threads than there are", "[base][threads]") {
  for (const int threads : {1, 2, 7}) {
    CAPTURE(threads);
    Executor executor(threads);
    std::atomic<int> running = 0, most = 0;
    for (int round = 0; round < 40; ++round) {
      std::vector<int> seen(5 * 40 * 6, 0);
      executor.blocks(5, 1, [&](std::size_t i, std::size_t) {
        executor.blocks(40, 7, [&](std::size_t begin, std::size_t end) {
          for (std::size_t j = begin; j < end; ++j)
            in_blocks(&executor, 6, 2, [&](std::size_t first, std::size_t last) {
              const int now = ++running;
              for (int was = most; now > was && !most.compare_exchange_weak(was, now);) {
              }
              for (std::size_t k = first; k < last; ++k) ++seen[(i * 40 + j) * 6 + k];
              --running;
            });
        });
      });
      REQUIRE(std::all_of(seen.begin(), seen.end(), [](int times) { return times == 1; }));
    }
    CHECK(most <= threads);
  }
}

TEST_CASE("What is thrown within loops comes out of all of them, that of the lowest block", "[base][threads]") {
  Executor executor(3);
  for (int round = 0; round < 40; ++round) {
    std::string said;
    try {
      executor.blocks(4, 1, [&](std::size_t i, std::size_t) {
        executor.blocks(20, 1, [&](std::size_t j, std::size_t) {
          if (i > 0 && j > 2) throw std::runtime_error(std::to_string(i) + " " + std::to_string(j));
        });
      });
    } catch (const std::runtime_error& error) {
      said = error.what();
    }
    REQUIRE(said == "1 3");
  }
  int times = 0;
  executor.blocks(1, 1, [&](std::size_t, std::size_t) { ++times; });
  CHECK(times == 1);
}

}  // namespace parallel_test
