// Parts thinner than the cells: the rims of plates and fins, spikes, necks (inside), slits and gaps (outside). Whether such
// a part holds a corner of a cell is chance, and its rim would end in crumbs and holes. Beside unproved cells a corner
// counts as of the other side when a straight way across the part comes to a ridge (a valley) of Σ ρ that is of the other
// side:
//   s = 1 outside, −1 inside; the ridge: the first place along p + s t n where s d(Σ ρ)/dt < 0, t ≤ `thin`; n: the
//   jump of the gradient there; a part is thin when the gradient as far behind the ridge is turned by more than 78°, at a spike that behind both ridges;
//   taken when s (Σ ρ − 1) ≥ 0 before the ridge, or at the spike that the way up within the ridge comes to.
// So a thin part is seen two cells thick up to where its ridge ends, wherever the grid lies. The cells around a corner that
// is turned exist, whatever bounds said of them.
#pragma once

#include <vector>

#include "core/base/parallel.h"
#include "core/geometry/metaball/kernel.h"
#include "core/geometry/metaball/octree.h"
#include "core/math/types.h"

namespace hazumi::metaball {

/// Field at a point: Σ ρ − 1 and its gradient.
struct Sample {
  double f;
  Vec3 gradient;
};

/// `list` holds what reaches within 2 `thin` (m) of the place.
bool beside_thin(const PrimitiveList& list, const Vec3& place, const Sample& sample, double thin);

struct BlockTree;
/// Turns corners beside thin parts in blocks sorted by place; trees that change are replaced. Returns the turned corners
/// of every block, for divide_leaves.
std::vector<TurnedCorners> thicken(const MetaballField& field, const GridSpec& grid, std::vector<BlockTree>& blocks,
                                   const BuildControl& control, Executor& executor);

}  // namespace hazumi::metaball
