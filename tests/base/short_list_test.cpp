// A list with room for a few: what a std::vector has after the same.
#include <catch2/catch.hpp>
#include <vector>

#include "core/base/random.h"
#include "core/base/short_list.h"

namespace short_list_test {

using namespace hazumi;

namespace {

template <std::size_t N>
void try_out(std::uint64_t seed) {
  std::uint64_t drawn = 0;
  const auto below = [&](std::uint64_t n) { return static_cast<std::size_t>(random_bits(seed, Id{}, drawn++, N) % n); };
  ShortList<int, N> list, other;
  std::vector<int> same;
  for (int k = 0; k < 60; ++k) {
    const std::size_t way = below(6);
    if (way <= 1) {
      list.push_back(k);
      same.push_back(k);
    } else if (way == 2) {
      const std::size_t size = below(2 * N + 3);
      list.resize(size);
      same.resize(size);
    } else if (way == 3) {
      const std::size_t part = 2 + below(3);
      const auto goes = [&](int x) { return static_cast<std::size_t>(x) % part == 0; };
      list.erase_if(goes);
      std::erase_if(same, goes);
    } else if (way == 4 && below(3) == 0) {
      list.clear();
      same.clear();
    } else {
      other = list;
      const ShortList<int, N> third(other);
      list = third;
      CHECK(list == other);
    }
    REQUIRE(std::vector<int>(list.begin(), list.end()) == same);
    REQUIRE(list.size() == same.size());
    REQUIRE(list.empty() == same.empty());
    for (std::size_t i = 0; i < same.size(); ++i) REQUIRE(list[i] == same[i]);
  }
}

}  // namespace

TEST_CASE("A short list has what a vector has after the same", "[short]") {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    INFO("seed " << seed);
    try_out<1>(seed);
    try_out<2>(seed);
    try_out<4>(seed);
  }
}

TEST_CASE("A short list of one takes no memory", "[short]") {
  ShortList<double> list;
  list.push_back(1);
  CHECK(list.capacity() == 0);
  list.push_back(2);
  CHECK(list.capacity() >= 2);
}

}  // namespace short_list_test
