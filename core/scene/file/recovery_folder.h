// A scene that was not saved, with everything that it is made of, in a folder of its own:
//   scene.json                 the scene; meshes have the names that they have in here
//   meshes/KEY/files/…         a mesh file with what it was read with, copied once and never changed
//   meshes/KEY/name.txt        its name in the scene that a person knows
// At every moment the folder holds a whole scene with whole meshes: a mesh is there before the scene that names it, under a
// name of its own. docs/architecture.md, "Nothing lost", says why it is the whole scene each time and no list of changes.
#pragma once

#include <filesystem>
#include <vector>

#include "core/base/result.h"
#include "core/scene/values/scene.h"

namespace hazumi {

/// Meshes that are in the folder already cost nothing. One whose file has gone is written from memory. `files`, if given: the files
/// that the kept scene needs, its own first.
Status keep_for_recovery(const Scene& scene, const std::filesystem::path& folder,
                         std::vector<std::filesystem::path>* files = nullptr);

/// The scene with its own names; its meshes are read from the folder, and saving takes them from there. Meshes that could
/// not be kept are looked for where they were: absolute, or below `origin`, the folder of the scene's file.
Result<Scene> recover_scene(const std::filesystem::path& folder, const std::filesystem::path& origin);

}  // namespace hazumi
