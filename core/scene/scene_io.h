// Scene files: JSON with a version (docs/file-format.md, docs/scene.schema.json), meshes beside them. Stable key
// order, one object per block. Nothing is half-loaded: a damaged or hostile file gives diagnostics and no scene.
// Limits: file size 64 MiB, nesting 64 levels, 100,000 objects, arrays 1,000,000 entries; finite numbers only.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/scene/scene.h"

namespace hazumi {

inline constexpr int kSceneVersion = 1;

std::string scene_to_text(const Scene& scene);
/// `folder`: where mesh files are looked for. A missing or unreadable mesh gives a warning, not an error.
Result<Scene> scene_from_text(std::string_view text, const std::filesystem::path& folder);

Result<Scene> load_scene(const std::filesystem::path& file);
/// Atomic: writes beside the target, flushes, renames. Mesh files that are not beside the target yet are copied there.
Status save_scene(const Scene& scene, const std::filesystem::path& file);

}  // namespace hazumi
