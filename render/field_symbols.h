// How fields of force are drawn: the edges of the shape in which they act, and a symbol of their kind at their place, of a size on the screen.
#pragma once

#include <vector>

#include "render/extract.h"

namespace hazumi {

/// Places round where the field acts, m, world; of one that acts everywhere its own place.
std::vector<Vec3> field_outline(const Scene& scene, const ForceField& field);

/// All that are seen, with their symbols for the mouse, drawn over everything.
void add_field_symbols(RenderList& list, const Scene& scene, const ViewCamera& camera, const ViewOptions& options,
                       const ViewSelection& selection);

}  // namespace hazumi
