// A part of a scene that can be taken to another one: some of its things, as a scene of their own.
#pragma once

#include <map>
#include <set>

#include "core/scene/values/scene.h"

namespace hazumi {

/// The things with these ids, in the order of the lists, and the pairs whose two objects are among them; pairs that lack one
/// stay behind. So do joints, which may hold to the world too, and gears with their hinges. Tracks go with what they are of. The collections that they are in come along. What goes with a parent that stays behind has none. Settings, camera and name are those of an empty scene. Meshes are named by where they were read, so that
/// they are found from anywhere.
Scene part_of(const Scene& scene, const std::set<Id>& ids);

struct JoinedScene {
  Scene scene;
  std::map<Id, Id> ids;  ///< of things of the part, without collections: what they are in the scene
};

/// The scene with the things of `part` at the end of its lists, under new ids and names; what refers to each other in the
/// part does so in the scene. Collections are those of the same names, or new ones.
JoinedScene joined(Scene scene, const Scene& part);

}  // namespace hazumi
