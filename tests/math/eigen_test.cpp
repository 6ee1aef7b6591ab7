#include "core/math/eigen.h"

#include <catch2/catch.hpp>

#include <cmath>

namespace eigen_test {

using namespace hazumi;

namespace {

/// Springs of stiffness 1 between neighbours on `pieces` chains of `length` points each: one zero a chain, the others
/// 4 sin²(jπ / 2 length), each as often as there are chains.
SparseMatrix chains(int pieces, int length) {
  std::vector<Eigen::Triplet<double>> entries;
  for (int p = 0; p < pieces; ++p)
    for (int i = 0; i + 1 < length; ++i) {
      const int a = p * length + i, b = a + 1;
      entries.emplace_back(a, a, 1);
      entries.emplace_back(b, b, 1);
      entries.emplace_back(a, b, -1);
      entries.emplace_back(b, a, -1);
    }
  SparseMatrix m(pieces * length, pieces * length);
  m.setFromTriplets(entries.begin(), entries.end());
  return m;
}

double value(int j, int length) { return 4 * std::pow(std::sin(j * kPi / (2 * length)), 2); }

}  // namespace

TEST_CASE("All of many equal zeros are found, and no more than asked for", "[eigen]") {
  for (const int pieces : {1, 5, 40, 66}) {
    const SparseMatrix a = chains(pieces, 8);
    const auto zeros = null_space(a, 4, 1e-10, 66);
    REQUIRE(zeros);
    CHECK(zeros->cols() == pieces);
    CHECK((zeros->transpose() * *zeros - Eigen::MatrixXd::Identity(pieces, pieces)).norm() < 1e-10);
    CHECK((a * *zeros).norm() < 1e-9);
    // Every chain is moved by them: each of its points as much as the others.
    const Eigen::VectorXd share = zeros->rowwise().squaredNorm();
    CHECK(share.minCoeff() == Approx(1.0 / 8));
    CHECK(share.maxCoeff() == Approx(1.0 / 8));
    CHECK(*null_space(a, 4, 1e-10, 66) == *zeros);  // the same bits again
  }
  CHECK(null_space(chains(100, 8), 4, 1e-10, 66)->cols() > 66);  // there are more: that is all that is said
  CHECK_FALSE(null_space(chains(5, 8), 4, 1e-10, 66, [] { return true; }));
}

TEST_CASE("The lowest pairs above zero are found, equal ones too", "[eigen]") {
  const int length = 60;
  const SparseMatrix a = chains(2, length);
  LowestPairs wanted{.largest = 4, .count = 6};
  const auto found = lowest_pairs(a, wanted);
  REQUIRE(found);
  REQUIRE(found->values.size() >= 8);
  for (int i = 0; i < 2; ++i) CHECK(std::abs(found->values[i]) < 1e-9);
  for (int i = 0; i < 6; ++i) CHECK(found->values[2 + i] == Approx(value(1 + i / 2, length)).epsilon(1e-8));
  for (Eigen::Index i = 0; i < 8; ++i)
    CHECK((a * found->vectors.col(i) - found->values[i] * found->vectors.col(i)).norm() < 1e-9);
  const auto again = lowest_pairs(a, wanted);
  CHECK(again->values == found->values);
  CHECK(again->vectors == found->vectors);

  // What is known already is left out.
  wanted.known = *null_space(a, 4, 1e-10, 66);
  const auto above = lowest_pairs(a, wanted);
  CHECK(above->values[0] == Approx(value(1, length)).epsilon(1e-8));
  CHECK((wanted.known.transpose() * above->vectors).norm() < 1e-9);

  const EigenPairs dense = dense_eigen(Eigen::MatrixXd(a));
  for (int i = 0; i < 8; ++i) CHECK(found->values[i] == Approx(dense.values[i]).epsilon(1e-8).margin(1e-9));
  int asked = 0;
  wanted.cancelled = [&] { return ++asked > 3; };
  CHECK_FALSE(lowest_pairs(a, wanted));
  CHECK(asked == 4);
}

TEST_CASE("Three by three: ascending, orthonormal, in closed form to eight digits", "[eigen]") {
  Mat3 m;
  m << 4, 1, -2, 1, 3, 0.5, -2, 0.5, 7;
  const EigenPairs3 pairs = symmetric_eigen(m), direct = symmetric_eigen_direct(m);
  CHECK((pairs.vectors * pairs.values.asDiagonal() * pairs.vectors.transpose() - m).norm() < 1e-13);
  CHECK((direct.values - pairs.values).norm() <
        1e-7);  // eight digits of the closed form; measured 4e-15 for this matrix
  CHECK(symmetric_eigenvalues(m) == pairs.values);
  CHECK(pairs.values[0] <= pairs.values[1]);
  CHECK(pairs.values[1] <= pairs.values[2]);
}

}  // namespace eigen_test
