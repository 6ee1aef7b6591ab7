// Columns of an inverse that is constant and never made whole: those of the nodes that something touched, kept up to a bound
// of memory. A column of a node is 3 solved right-hand sides of 3n numbers, so a body of n nodes with m of them on its hull keeps
// 72 n m bytes at most.
//
// Any number of threads may read and add at the same time. A column that two of them make is kept once; both made the same bits.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace hazumi {

class InverseColumns {
 public:
  static constexpr std::size_t kBytes = std::size_t{64} << 20;

  /// For n nodes, empty. Not while others read.
  void start(std::size_t nodes, std::size_t most_bytes = kBytes);
  std::size_t column_size() const { return 9 * nodes_; }  ///< doubles
  std::size_t bytes() const;                              ///< of the columns kept

  /// The column of a node as it was kept, column_size() doubles; null: it is not there.
  const double* find(std::size_t node) const;
  /// Keeps it if the bound allows.
  void keep(std::size_t node, std::span<const double> column) const;

 private:
  std::size_t nodes_ = 0, most_ = 0;                               // most_: columns
  mutable std::mutex adding_;                                      // of kept_
  mutable std::vector<std::unique_ptr<double[]>> kept_;            // in the order they came
  std::unique_ptr<std::atomic<const double*>[]> found_ = nullptr;  // per node
};

}  // namespace hazumi
