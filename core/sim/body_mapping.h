// The mapping of an object as compile() makes it, for whoever wants to look at it without a run (the viewport
// shows who drives a vertex).
#pragma once

#include "core/geometry/mapping/mapping.h"
#include "core/scene/values/scene.h"

namespace hazumi {

/// Object::mapping with bones scaled as object_truss() and MeshStore scale theirs; radii have no direction
/// and take the mean.
MappingSettings scaled_mapping(const Object& object);

}  // namespace hazumi
