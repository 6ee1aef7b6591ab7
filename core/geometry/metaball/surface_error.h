// How far a mesh is from the surface Σ ρ = 1 that it is of, as measured: along the gradient (Newton), or, where that leads nowhere, up the
// slope, along the normal, or over vertices beside. What is told is never less than the distance of what was looked at. Asked of corners,
// middles of edges and middles of faces, by the rule that is exact for cubics over a triangle (weights 3, 8 and 27 of 60): chords are
// farthest from a surface in their middles.
#pragma once

#include <atomic>
#include <cstddef>

#include "core/geometry/mesh/mesh.h"
#include "core/geometry/metaball/group.h"

namespace hazumi {

struct SurfaceError {
  double mean = 0;     ///< m, root mean square over the area
  double largest = 0;  ///< m
};

/// Of at most `faces` faces, evenly through the list; up to a tenth of the group's largest effective diameter. The same at every call.
/// Cancelled: what was found until then.
SurfaceError surface_error(const MetaballGroup& group, const DisplayMesh& mesh, std::size_t faces,
                           const std::atomic<bool>* cancel = nullptr);

}  // namespace hazumi
