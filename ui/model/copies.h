// Copies of things of a scene in the same scene, some way off: what Duplicate makes.
#pragma once

#include <map>
#include <set>

#include "core/scene/values/scene.h"

namespace hazumi {

struct Copies {
  Scene scene;
  std::map<Id, Id> of;  ///< what was copied, and what its copy is
};

/// With the pairs, joints, forces and tracks of what is copied.
Copies copied(const Scene& before, const std::set<Id>& chosen, const Vec3& offset);

}  // namespace hazumi
