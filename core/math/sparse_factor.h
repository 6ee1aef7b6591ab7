// Cholesky factor A = L Lᵀ of a sparse symmetric positive definite matrix made of 3×3 blocks (one block row
// per node), factored once by Eigen, then copied into dense panels so that the many solves that follow run
// over contiguous memory.
//
//   n      number of nodes; the matrix is 3n × 3n
//   panel  columns of L that have the same rows below them (a supernode): a w × w triangle with inverted diagonal
//          and an r × w rectangle, column-major; r rows come in threes, so one index serves three of them
//   branch of a large factor: panels that hang together below one of them in the elimination tree. What a branch does to the
//          rows above it is summed up apart and added after all of them, so that branches can be solved at once, and
//          the trunk follows. Which these are depends on the factor alone: the same bits on any number of threads
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

#include "core/base/parallel.h"

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
  std::size_t scratch_size() const { return scratch_; }  ///< doubles that solve() wants

  /// x ← A⁻¹ x. `scratch`: scratch_size() doubles, contents before and after without meaning. Null: on this thread.
  void solve(double* x, double* scratch, Executor* executor = nullptr) const;

 private:
  struct Panel {
    std::uint32_t first = 0, width = 0;                  // columns
    std::uint32_t rows = 0;                              // below the triangle, a multiple of 3
    std::size_t triangle = 0, rectangle = 0, index = 0;  // where they begin in numbers_ and nodes_
  };
  struct Branch {
    std::vector<std::uint32_t> panels;  // ascending
    std::vector<std::uint32_t>
        inner;  // of each, how many of its rows (triples) are of the branch; those above come after them
    std::vector<std::uint32_t> outer;  // where the others are among those of the last panel, all one after the other
    std::size_t scratch = 0;           // where its sums begin; its own scratch follows
  };
  void plant_branches();
  bool by_squares(const Panel& panel) const { return !branches_.empty() && panel.width > kSquare; }
  void forward(const Panel& panel, double* x, double* scratch, Executor* executor) const;
  void forward(const Branch& branch, double* x, double* sums) const;
  void backward(const Panel& panel, double* x, double* scratch, Executor* executor) const;
  static constexpr std::uint32_t kSquare = 24;  // columns
  std::size_t size_ = 0, entries_ = 0, longest_ = 0, scratch_ = 0;
  std::vector<Panel> panels_;
  std::vector<double> numbers_;
  std::vector<std::uint32_t> nodes_;  // first row (3 × node) of each row triple
  std::vector<Branch> branches_;      // empty: all is trunk
  std::vector<std::uint32_t> trunk_;  // panels of no branch, ascending
};

}  // namespace hazumi
