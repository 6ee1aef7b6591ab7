#include "core/sim/elastic/inverse_columns.h"

#include <algorithm>

namespace hazumi {

void InverseColumns::start(std::size_t nodes, std::size_t most_bytes) {
  nodes_ = nodes;
  most_ = nodes > 0 ? most_bytes / (column_size() * sizeof(double)) : 0;
  kept_.clear();
  found_ = std::make_unique<std::atomic<const double*>[]>(nodes);
}

std::size_t InverseColumns::bytes() const {
  const std::lock_guard lock(adding_);
  return kept_.size() * column_size() * sizeof(double);
}

const double* InverseColumns::find(std::size_t node) const { return found_[node].load(std::memory_order_acquire); }

void InverseColumns::keep(std::size_t node, std::span<const double> column) const {
  const std::lock_guard lock(adding_);
  if (kept_.size() >= most_ || found_[node].load(std::memory_order_relaxed)) return;
  auto copy = std::make_unique_for_overwrite<double[]>(column_size());
  std::copy(column.begin(), column.end(), copy.get());
  found_[node].store(copy.get(), std::memory_order_release);
  kept_.push_back(std::move(copy));
}

}  // namespace hazumi
