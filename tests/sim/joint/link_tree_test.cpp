// The linear systems of a linkage against dense ones.
#include <catch2/catch.hpp>

#include <Eigen/Core>

#include "core/sim/constraint/link_tree.h"
#include "tests/sim/reference/dense.h"
#include "tests/support/dense.h"

namespace link_tree_test {

using namespace hazumi;

// The rows of L went along with later pivots, but were used as if they had not: loops of rows that need pivots were solved wrongly.
TEST_CASE("Loops are solved whatever order their pivots have", "[joint]") {
  constexpr std::size_t kLoops = 4, kRows = 3, n = kLoops * kRows;
  reference::Dice dice(20261126);
  for (int round = 0; round < 50; ++round) {
    LinkTree tree;
    std::vector<LinkBlocks> joints(kLoops);
    Eigen::MatrixXd dense(n, n);
    for (std::uint32_t l = 0; l < kLoops; ++l) {
      tree.loops.push_back({l});
      joints[l].rows = kRows;
    }
    for (std::size_t c = 0; c < n; ++c)
      for (std::size_t r = 0; r < n; ++r) {
        const double value = 2 * dice.uniform() - 1;
        dense(static_cast<Eigen::Index>(r), static_cast<Eigen::Index>(c)) = value;
        tree.beside.push_back(value);
      }
    REQUIRE(tree.factor({}, joints));
    Eigen::VectorXd wanted(n);
    std::vector<LinkValues> values(kLoops, LinkValues{});
    for (std::size_t i = 0; i < n; ++i)
      wanted[static_cast<Eigen::Index>(i)] = values[i / kRows][i % kRows] = 2 * dice.uniform() - 1;
    tree.solve({}, values);
    const Eigen::VectorXd exact = test::solved(dense, wanted);
    for (std::size_t i = 0; i < n; ++i)
      CHECK(values[i / kRows][i % kRows] == Approx(exact[static_cast<Eigen::Index>(i)]).margin(1e-7));
  }
}

}  // namespace link_tree_test
