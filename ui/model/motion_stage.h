// A motion of the catalogue as it is shown: on a ball, on a floor.
#pragma once

#include "core/scene/values/scene.h"

namespace hazumi {

class MeshStore;

/// A scene in which the motion happens to a ball as large and heavy as what it was made with, soft where something of it shapes what
/// bends. Where it waits for something to happen the ball falls first. A motion that cannot be put on it: the ball alone.
Scene motion_stage(const Scene& motion, MeshStore& meshes);

}  // namespace hazumi
