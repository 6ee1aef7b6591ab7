// Blocks of A⁻¹ between nodes of the body "lagrange" (solver.h, inverse_blocks). A is constant in the axes of the frame, and so
// is its inverse; what contacts need of it are the few nodes that are touched.
//
// B_ij is read from the column of the node that comes first in the factor's order, and B_ji is its transpose; the halves of
// B_ii are made equal. So it is symmetric to the last bit, and the same whoever asks, in what order, and whether it was kept.
#include "core/sim/elastic/lagrange_body.h"

namespace hazumi::lagrange {

namespace {

/// x, scratch and the column itself, in the workspace's numbers.
double* room_for_column(ElasticWorkspace& workspace, std::size_t column, std::size_t scratch) {
  if (workspace.numbers.size() < column + scratch) workspace.numbers.resize(column + scratch);
  return workspace.numbers.data();
}

}  // namespace

void Body::inverse_blocks(std::span<const std::uint32_t> nodes, std::span<Mat3> blocks,
                          ElasticWorkspace& workspace) const {
  const std::size_t n = node_count(), m = nodes.size();
  const auto held = [&](std::size_t i) { return std::binary_search(held_.begin(), held_.end(), i); };
  for (std::size_t a = 0; a < m; ++a) {
    const std::size_t j = place_[nodes[a]];
    const double* column = columns_.find(j);
    if (!column && !held(j)) {
      const SparseFactor& inverse = whole_factor();
      double* x = room_for_column(workspace, 9 * n, inverse.scratch_size());
      std::fill(x, x + 9 * n, 0.0);
      for (std::size_t k = 0; k < 3; ++k) {
        x[3 * n * k + 3 * j + k] = 1;
        inverse.solve(x + 3 * n * k, x + 9 * n);
        clear_held(x + 3 * n * k);
      }
      columns_.keep(j, {x, 9 * n});
      column = x;
    }
    for (std::size_t b = 0; b < m; ++b) {
      const std::size_t i = place_[nodes[b]];
      if (i < j) continue;
      Mat3 block = Mat3::Zero();  // B_ij
      if (column)
        for (Eigen::Index k = 0; k < 3; ++k) block.col(k) = at(column + 3 * n * static_cast<std::size_t>(k), i);
      if (i == j) block = (0.5 * (block + block.transpose())).eval();
      blocks[b * m + a] = block;
      blocks[a * m + b] = block.transpose();
    }
  }
}

}  // namespace hazumi::lagrange
