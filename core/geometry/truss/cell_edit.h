// What edits of a truss (edit.h) do to the cells of a fill.
#pragma once

#include <cstdint>
#include <vector>

#include "core/geometry/truss/strung.h"

namespace hazumi {

/// The cells that still have a shape, four nodes or more, in ascending order and numbered without gaps. A body that has lost all of its
/// tetrahedra has lost them, too.
void order_cells(StrungTruss& truss);
/// Those cells of `truss` all of whose nodes have an image (kNoNode: none), once more.
void copy_cells(const StrungTruss& truss, const std::vector<std::uint32_t>& image, StrungTruss& to);
/// The cells of the side that stays, and their images; those that lie across the plane go.
void mirror_cells(const StrungTruss& truss, const std::vector<std::uint32_t>& kept,
                  const std::vector<std::uint32_t>& image, StrungTruss& to);

}  // namespace hazumi
