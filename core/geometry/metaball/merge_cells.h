// Cells that nothing is proved of as they are, but of whose parts it is: whether what the parts show is what the cell would show by its
// own corners. Ju, Losasso, Schaefer, Warren 2002, section 5.1: the coarse cell and each of its parts show one disc or nothing, and the
// side of the middle of every edge, every face and of the cell itself is that of one of the corners around it.
#pragma once

#include <cstdint>
#include <vector>

#include "core/geometry/metaball/keep_cells.h"

namespace hazumi::metaball {

/// Whether the surface in a cell, as its eight parts below `node` show it, is the one disc, or nothing, that its corners (bit c: corner c
/// is inside) show. False when a part is divided, or has edges that are cut twice.
bool shown_by_corners(const Tree& tree, std::int32_t node, std::uint8_t inside);

/// How far a tree had come.
class TreeMark {
 public:
  TreeMark(const Tree& tree, const LastList& last);
  /// Leaves out what was added since. Returns how many leaves with surface that were.
  std::uint32_t restore(Tree& tree, LastList& last) const;

 private:
  std::size_t nodes_, leaves_, lists_, crossings_, crossing_of_, inputs_;
  std::uint32_t cut_leaves_;
  LastList last_;
};

}  // namespace hazumi::metaball
