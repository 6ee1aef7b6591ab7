#include <catch2/catch.hpp>
#include <vector>

#include "core/math/dense_lu.h"
#include "tests/sim/reference/dense.h"
#include "tests/support/dense.h"

namespace dense_lu_test {

using namespace hazumi;
using reference::Dice;

TEST_CASE("The dense elimination solves what it is given, and says where it cannot", "[cone]") {
  for (Eigen::Index n = 1; n < 40; ++n) {
    Dice dice(static_cast<std::uint64_t>(n));
    const auto size = static_cast<std::size_t>(n);
    Eigen::MatrixXd a(n, n + 1);
    for (Eigen::Index k = 0; k < a.size(); ++k) a.data()[k] = dice.normal();
    const Eigen::VectorXd expected = test::solved(a.leftCols(n), a.col(n));

    Eigen::MatrixXd along = a;  // b goes along as a last column
    REQUIRE(dense_lu(along.data(), size, size + 1));
    dense_back(along.data(), size, along.col(n).data());
    CHECK((along.col(n) - expected).norm() < 1e-9 * expected.norm());

    Eigen::MatrixXd factor = a.leftCols(n);  // b comes later
    std::vector<std::uint32_t> pivots(size);
    REQUIRE(dense_lu(factor.data(), size, size, pivots.data()));
    Eigen::VectorXd x = a.col(n);
    dense_solve(factor.data(), size, pivots.data(), x.data());
    CHECK((x - expected).norm() < 1e-9 * expected.norm());

    Eigen::MatrixXd singular = a;
    singular.col(n / 2).setZero();
    CHECK_FALSE(dense_lu(singular.data(), size, size + 1));
  }
}

}  // namespace dense_lu_test
