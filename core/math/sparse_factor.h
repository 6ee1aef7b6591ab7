// Cholesky factor A = L Lᵀ of a sparse symmetric positive definite matrix made of 3×3 blocks (one block row
// per node), factored once by Eigen, then copied into dense panels so that the many solves that follow run
// over contiguous memory.
//
//   n      number of nodes; the matrix is 3n × 3n
//   panel  columns of L that have the same rows below them (a supernode): a w × w triangle with inverted diagonal
//          and an r × w rectangle, column-major; r rows come in threes, so one index serves three of them
//
// Why not Eigen's own triangular solve: it reads an index with every number and adds scattered numbers one by
// one. The sums are written with fixed lanes, so that the same bits come out whatever the compiler
// vectorises. Working range: condition numbers to about 1e12; beyond, factor() may report failure.
#pragma once

#include <Eigen/SparseCore>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace hazumi {

using SparseMatrix = Eigen::SparseMatrix<double>;

/// Fill-reducing order of n nodes joined by edges (approximate minimum degree): result[k] is the node that
/// comes k-th.
std::vector<std::uint32_t> fill_reducing_order(std::size_t n,
                                               const std::vector<std::pair<std::uint32_t, std::uint32_t>>& edges);

class SparseFactor {
 public:
  /// `a`: 3n × 3n, already in the order wanted; full 3×3 blocks (zeros stored), lower triangle or both.
  /// Nothing when it is not positive definite.
  static std::optional<SparseFactor> factor(const SparseMatrix& a);

  std::size_t size() const { return size_; }             ///< rows, 3n
  std::size_t entries() const { return entries_; }       ///< numbers of L, without the zeros that panels add
  std::size_t scratch_size() const { return longest_; }  ///< doubles that solve() wants

  /// x ← A⁻¹ x. `scratch`: scratch_size() doubles, contents before and after without meaning.
  void solve(double* x, double* scratch) const;

 private:
  struct Panel {
    std::uint32_t first = 0, width = 0;                  // columns
    std::uint32_t rows = 0;                              // below the triangle, a multiple of 3
    std::size_t triangle = 0, rectangle = 0, index = 0;  // where they begin in numbers_ and nodes_
  };
  std::size_t size_ = 0, entries_ = 0, longest_ = 0;
  std::vector<Panel> panels_;
  std::vector<double> numbers_;
  std::vector<std::uint32_t> nodes_;  // first row (3 × node) of each row triple
};

}  // namespace hazumi
