// Clusters of a shape-matching body (docs/numerics/shape-matching.md, "Clusters"): regions a good deal wider than one ring, so that a push is felt
// further away than by one ring in a step.
//
// The nodes are divided into blocks, some four across the body where it is thickest; a cluster is a block and those that touch it. All nodes of a block are
// in the same clusters: what they say to each other goes through one sum a block, however many nodes there are.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/math/types.h"

namespace hazumi::shape_matching {

using Neighbours = std::vector<std::vector<std::uint32_t>>;  ///< of a node, itself among them, ascending

struct Clusters {
  std::vector<std::uint32_t> block_start, block_node;  ///< of block b: block_node[block_start[b] … block_start[b + 1])
  std::vector<std::uint32_t> block_of;                 ///< of nodes
  /// Of block b the blocks that touch it, itself among them, ascending: what cluster b is made of, and what clusters block b is in.
  std::vector<std::uint32_t> start, touching;

  std::size_t count() const { return start.empty() ? 0 : start.size() - 1; }
  std::span<const std::uint32_t> block(std::uint32_t b) const {
    return std::span(block_node).subspan(block_start[b], block_start[b + 1] - block_start[b]);
  }
  double clusters_of(std::size_t node) const {
    const std::uint32_t b = block_of[node];
    return static_cast<double>(start[b + 1] - start[b]);
  }
};

/// What a body is made of, as clusters see it.
struct ClusterSource {
  std::span<const Vec3> nodes;  ///< at rest, m
  const Neighbours& neighbours;
  std::span<const std::array<std::uint32_t, 3>> surface;  ///< may be empty
  std::span<const std::uint32_t> groups;                  ///< of nodes: no cluster has nodes of two; empty: one
  double least = 2;  ///< nodes that a block is wide at least: a thinner body has no clusters
};

/// None of what is too thin for them.
Clusters make_clusters(const ClusterSource& source);

}  // namespace hazumi::shape_matching
