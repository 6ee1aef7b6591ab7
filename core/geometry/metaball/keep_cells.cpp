#include "core/geometry/metaball/keep_cells.h"

#include <algorithm>
#include <bit>

namespace hazumi::metaball {

void put_list(Tree& tree, LastList& last, std::span<const std::uint16_t> list) {
  if (last.count == list.size() && std::equal(list.begin(), list.end(), tree.lists.begin() + last.first)) return;
  last.first = static_cast<std::uint32_t>(tree.lists.size());
  last.count = static_cast<std::uint32_t>(list.size());
  tree.lists.insert(tree.lists.end(), list.begin(), list.end());
}

std::uint32_t copy_cells(const Tree& old, std::int32_t old_node, Tree& tree, std::int32_t node, LastList& last,
                         std::vector<std::int32_t>& old_leaf) {
  const auto old_first = static_cast<std::size_t>(old.nodes[static_cast<std::size_t>(old_node)]);
  const std::size_t first = tree.nodes.size();
  tree.nodes.resize(first + 8, -1);
  tree.nodes[static_cast<std::size_t>(node)] = static_cast<std::int32_t>(first);
  tree.inputs.push_back(old.inputs[old_first / 8]);
  old_leaf.resize(tree.leaves.size(), -1);
  std::uint32_t with_surface = 0, old_crossing = 0;
  const auto first_crossing = static_cast<std::uint32_t>(tree.crossings.size());
  bool leaves = false, crossings = false;
  for (std::size_t c = 0; c < 8; ++c) {
    const std::int32_t value = old.nodes[old_first + c];
    if (value > -2) continue;
    const std::int32_t number = -2 - value;
    Leaf leaf = old.leaves[static_cast<std::size_t>(number)];
    if (!leaves) put_list(tree, last, {old.lists.data() + leaf.list_first, leaf.list_size});  // one for all eight
    leaves = true;
    leaf.node = static_cast<std::int32_t>(first + c);
    leaf.list_first = last.first;
    const std::uint32_t* own = old.crossing_of.data() + leaf.crossing_first;
    leaf.crossing_first = static_cast<std::uint32_t>(tree.crossing_of.size());
    // Numbered in the order in which the leaves of a group name them first.
    for (int left = crossings_before(leaf, 12); left > 0; --left, ++own) {
      if (!crossings) old_crossing = *own;
      crossings = true;
      const std::uint32_t there = first_crossing + (*own - old_crossing);
      if (there == tree.crossings.size()) tree.crossings.push_back(old.crossings[*own]);
      tree.crossing_of.push_back(there);
    }
    with_surface += (leaf.cut | leaf.twice) != 0 ? 1 : 0;
    tree.nodes[first + c] = -2 - static_cast<std::int32_t>(tree.leaves.size());
    tree.leaves.push_back(leaf);
    old_leaf.push_back(number);
  }
  tree.cut_leaves += with_surface;
  for (std::size_t c = 0; c < 8; ++c)
    if (old.nodes[old_first + c] >= 0)
      with_surface += copy_cells(old, static_cast<std::int32_t>(old_first + c), tree,
                                 static_cast<std::int32_t>(first + c), last, old_leaf);
  return with_surface;
}

}  // namespace hazumi::metaball
