#include "core/geometry/metaball/merge_cells.h"

#include <algorithm>
#include <array>

#include "core/geometry/metaball/cell_parts.h"

namespace hazumi::metaball {

namespace {

/// Sides of the lattice points that the parts of a cell have for corners: 1 inside, 0 outside, −1 not known. A part that was dropped is of
/// one side all over.
struct Sides {
  std::array<std::int8_t, kLatticePoints> at;

  std::int8_t& corner(int part, int c) { return at[static_cast<std::size_t>(lattice_of_corner(part, c))]; }
  void fill_dropped(unsigned dropped) {
    for (bool more = true; more;) {
      more = false;
      for (int part = 0; part < 8; ++part) {
        if (!(dropped >> part & 1u)) continue;
        std::int8_t known = -1;
        for (int c = 0; c < 8; ++c) known = std::max(known, corner(part, c));
        for (int c = 0; c < 8; ++c) {
          more = more || corner(part, c) != known;
          corner(part, c) = known;
        }
      }
    }
  }
};

/// Whether every middle of an edge or a face, and the cell's, is of the side of a corner around it.
bool middles_like_corners(const Sides& sides) {
  for (int z = 0; z < 3; ++z)
    for (int y = 0; y < 3; ++y)
      for (int x = 0; x < 3; ++x) {
        const int place[3] = {x, y, z};
        bool like = false;
        for (int c = 0; c < 8; ++c) {
          bool around = true;
          for (int k = 0; k < 3; ++k) around = around && (place[k] == 1 || place[k] == 2 * (c >> k & 1));
          const int corner = lattice(2 * (c & 1), 2 * (c >> 1 & 1), 2 * (c >> 2));
          like = like || (around && sides.at[static_cast<std::size_t>(corner)] ==
                                        sides.at[static_cast<std::size_t>(lattice(x, y, z))]);
        }
        if (!like) return false;
      }
  return true;
}

bool one_disc(std::uint8_t inside) { return inside == 0 || inside == 255 || single_loops()[inside]; }

}  // namespace

bool shown_by_corners(const Tree& tree, std::int32_t node, std::uint8_t inside) {
  const std::int32_t first = tree.nodes[static_cast<std::size_t>(node)];
  if (first < 0) return inside == 0 || inside == 255;
  if (!one_disc(inside)) return false;
  Sides sides;
  sides.at.fill(-1);
  for (int c = 0; c < 8; ++c)
    sides.at[static_cast<std::size_t>(lattice(2 * (c & 1), 2 * (c >> 1 & 1), 2 * (c >> 2)))] = inside >> c & 1;
  unsigned dropped = 0;
  for (int part = 0; part < 8; ++part) {
    const std::int32_t value = tree.nodes[static_cast<std::size_t>(first + part)];
    if (value >= 0) return false;
    if (value == -1) {
      dropped |= 1u << part;
      continue;
    }
    const Leaf& leaf = tree.leaves[static_cast<std::size_t>(-2 - value)];
    if (leaf.twice != 0 || !one_disc(leaf.inside)) return false;
    for (int c = 0; c < 8; ++c) sides.corner(part, c) = leaf.inside >> c & 1;
  }
  sides.fill_dropped(dropped);
  return middles_like_corners(sides);
}

TreeMark::TreeMark(const Tree& tree, const LastList& last)
    : nodes_(tree.nodes.size()),
      leaves_(tree.leaves.size()),
      lists_(tree.lists.size()),
      crossings_(tree.crossings.size()),
      crossing_of_(tree.crossing_of.size()),
      inputs_(tree.inputs.size()),
      cut_leaves_(tree.cut_leaves),
      last_(last) {}

std::uint32_t TreeMark::restore(Tree& tree, LastList& last) const {
  const std::uint32_t added = tree.cut_leaves - cut_leaves_;
  tree.nodes.resize(nodes_);
  tree.leaves.resize(leaves_);
  tree.lists.resize(lists_);
  tree.crossings.resize(crossings_);
  tree.crossing_of.resize(crossing_of_);
  tree.inputs.resize(inputs_);
  tree.cut_leaves = cut_leaves_;
  last = last_;
  return added;
}

}  // namespace hazumi::metaball
