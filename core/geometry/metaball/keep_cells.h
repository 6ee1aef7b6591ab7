// Cells of a block that are as they were: build_tree() takes them over from the tree of the last time. What is below a cell
// that is divided depends on the cell, the primitives in its list and what is proved of it; Tree::inputs has the hash of
// these for every such cell. What is copied lies in the tree as if it had been made anew, bit for bit.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/geometry/metaball/octree.h"

namespace hazumi::metaball {

/// The list of primitives that was put into Tree::lists last.
struct LastList {
  std::uint32_t first = 0, count = 0xffffffffu;
};
/// Puts a list there, unless it is the last one again: neighbouring groups often see the same primitives, and their
/// vertices are then placed together.
void put_list(Tree& tree, LastList& last, std::span<const std::uint16_t> list);

/// Puts what is below a divided node of an old tree below a node of the new one. Returns the number of leaves with surface.
/// `old_leaf` gets the leaves' numbers in the old tree; −1 for those that the new one had before.
std::uint32_t copy_cells(const Tree& old, std::int32_t old_node, Tree& tree, std::int32_t node, LastList& last,
                         std::vector<std::int32_t>& old_leaf);

}  // namespace hazumi::metaball
