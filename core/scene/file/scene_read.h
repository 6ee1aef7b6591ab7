// Text → scene, meshes not yet read. Private to scene_io.
#pragma once

#include <string_view>

#include "core/base/result.h"
#include "core/scene/values/scene.h"

namespace hazumi {

Result<Scene> read_scene(std::string_view text);

}  // namespace hazumi
