#include <catch2/catch.hpp>

#include <Eigen/SparseCholesky>
#include <cmath>
#include <set>

#include "core/math/sparse_factor.h"

namespace sparse_factor_test {

using namespace hazumi;

namespace {

/// 3 × 3 blocks over an n-node graph: a ring with chords, definite by its diagonal.
SparseMatrix ring(int n, double diagonal) {
  std::vector<Eigen::Triplet<double>> t;
  const auto block = [&](int a, int b, double value) {
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c)
        t.emplace_back(3 * a + r, 3 * b + c, value * (r == c ? 1.0 : 0.1 * std::sin(a + b + 3 * (r + c))));
  };
  for (int a = 0; a < n; ++a) block(a, a, diagonal);
  for (int a = 0; a < n; ++a)
    for (const int step : {1, 7}) {
      const int b = (a + step) % n;
      if (a == b || step >= n) continue;
      block(a, b, -1);
      block(b, a, -1);
    }
  SparseMatrix m(3 * n, 3 * n);
  m.setFromTriplets(t.begin(), t.end());
  return m;
}

}  // namespace

TEST_CASE("Panel solve equals Eigen's", "[math][sparse]") {
  for (const int n : {1, 2, 3, 10, 57}) {
    const SparseMatrix a = ring(n, 6);
    const auto factor = SparseFactor::factor(a);
    REQUIRE(factor);
    Eigen::SimplicialLLT<SparseMatrix> eigen(a);
    Eigen::VectorXd b(3 * n);
    for (int i = 0; i < 3 * n; ++i) b[i] = std::sin(1.7 * i + 0.2);
    const Eigen::VectorXd expected = eigen.solve(b);
    std::vector<double> scratch(factor->scratch_size());
    Eigen::VectorXd x = b;
    factor->solve(x.data(), scratch.data());
    CHECK((x - expected).norm() < 1e-12 * expected.norm());
    CHECK((a * x - b).norm() < 1e-12 * b.norm());
  }
}

TEST_CASE("A matrix that is not definite has no factor", "[math][sparse]") {
  CHECK_FALSE(SparseFactor::factor(ring(10, -1)));
  CHECK_FALSE(SparseFactor::factor(ring(10, 0.5)));
}

TEST_CASE("The order is a permutation and saves fill", "[math][sparse]") {
  // A star: with its centre first everything fills, with the centre last nothing does.
  const std::uint32_t n = 40;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (std::uint32_t i = 1; i < n; ++i) edges.emplace_back(0u, i);
  const auto order = fill_reducing_order(n, edges);
  CHECK(std::set<std::uint32_t>(order.begin(), order.end()).size() == n);
  CHECK((order[n - 1] == 0 || order[n - 2] == 0));
  // A path numbered at random stays without fill only when the order is read the right way round.
  std::vector<std::uint32_t> label(n);
  for (std::uint32_t i = 0; i < n; ++i) label[i] = (i * 17) % n;
  edges.clear();
  for (std::uint32_t i = 0; i + 1 < n; ++i) edges.emplace_back(label[i], label[i + 1]);
  const auto path = fill_reducing_order(n, edges);
  std::vector<std::uint32_t> place(n);
  for (std::uint32_t k = 0; k < n; ++k) place[path[k]] = k;
  std::vector<Eigen::Triplet<double>> t;
  for (std::uint32_t i = 0; i < 3 * n; ++i) t.emplace_back(i, i, 4.0);
  for (std::uint32_t i = 0; i < n; ++i)
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c)
        if (r != c) t.emplace_back(3 * i + r, 3 * i + c, 0.0);
  for (const auto& [a, b] : edges)
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) {
        t.emplace_back(3 * place[a] + r, 3 * place[b] + c, r == c ? -1.0 : 0.0);
        t.emplace_back(3 * place[b] + r, 3 * place[a] + c, r == c ? -1.0 : 0.0);
      }
  SparseMatrix m(3 * n, 3 * n);
  m.setFromTriplets(t.begin(), t.end());
  const auto factor = SparseFactor::factor(m);
  REQUIRE(factor);
  CHECK(factor->entries() == 6 * n + 9 * (n - 1));
}

TEST_CASE("A large factor solves by branches: to round-off, with the same bits on any number of threads",
          "[math][sparse][threads]") {
  constexpr std::uint32_t kSide = 13, kNodes = kSide * kSide * kSide;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (std::uint32_t a = 0; a < kNodes; ++a)
    for (const std::uint32_t to : {1u, kSide, kSide * kSide}) {
      const std::uint32_t along = a / to % kSide;
      if (along + 1 < kSide) edges.emplace_back(a, a + to);
    }
  const auto order = fill_reducing_order(kNodes, edges);
  std::vector<std::uint32_t> place(kNodes);
  for (std::uint32_t k = 0; k < kNodes; ++k) place[order[k]] = k;
  std::vector<Eigen::Triplet<double>> t;
  for (int i = 0; i < static_cast<int>(kNodes); ++i)
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) t.emplace_back(3 * i + r, 3 * i + c, r == c ? 7.0 : 0.0);
  for (const auto& [a, b] : edges)
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) {
        const int i = 3 * static_cast<int>(place[a]), j = 3 * static_cast<int>(place[b]);
        t.emplace_back(i + r, j + c, r == c ? -1.0 : 0.1);
        t.emplace_back(j + c, i + r, r == c ? -1.0 : 0.1);
      }
  SparseMatrix m(3 * kNodes, 3 * kNodes);
  m.setFromTriplets(t.begin(), t.end());
  const auto factor = SparseFactor::factor(m);
  REQUIRE(factor);
  CHECK(factor->entries() > 500'000);  // from which it has branches
  Eigen::VectorXd b(3 * kNodes);
  for (Eigen::Index i = 0; i < b.size(); ++i) b[i] = std::sin(0.37 * static_cast<double>(i));
  Eigen::VectorXd alone = b;
  std::vector<double> scratch(factor->scratch_size());
  factor->solve(alone.data(), scratch.data());
  CHECK((m * alone - b).norm() < 1e-13 * b.norm());
  for (const int threads : {1, 2, 7}) {
    Executor executor(threads);
    Eigen::VectorXd x = b;
    std::fill(scratch.begin(), scratch.end(), 1e300);
    factor->solve(x.data(), scratch.data(), &executor);
    CHECK(x == alone);
  }
}

}  // namespace sparse_factor_test
