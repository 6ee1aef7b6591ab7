// Text → scene, meshes not yet read, and what all have in common who read and write the files of a scene. Private to this
// folder.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/base/result.h"
#include "core/scene/values/scene.h"

namespace hazumi {

inline constexpr std::uintmax_t kMaxSceneBytes = std::uintmax_t{64} << 20, kMaxMeshBytes = std::uintmax_t{256} << 20;

inline bool names_mesh(const Object& object) {
  return object.display.kind == DisplayKind::mesh && !object.display.mesh.file.empty();
}

Result<Scene> read_scene(std::string_view text);

}  // namespace hazumi
