// More vertices where a surface bends most, before a stretch of a tracked surface begins (skin_tracker.h). A frame's own mesh is as coarse as
// the tolerance lets it be: ten vertices go around a neck that has just closed, and stay ten when it is five times as wide.
#pragma once

#include "core/geometry/metaball/skin_step.h"

namespace hazumi::metaball {

/// Edges over which the surface turns far are halved, those alone; `tolerance`: m. Without such edges the mesh itself.
std::shared_ptr<const DisplayMesh> refined(std::shared_ptr<const DisplayMesh> mesh, const Pose& place,
                                           const FieldPoints& field, const SkinBounds& bounds, double tolerance,
                                           Executor& executor);

}  // namespace hazumi::metaball
