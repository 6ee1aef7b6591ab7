// Scene files: JSON with a version (docs/file-format.md, docs/scene.schema.json), meshes beside them. Stable
// key order, one object per block. Nothing is half-loaded: a damaged or hostile file gives diagnostics and no
// scene. Limits: file size 64 MiB, nesting 64 levels, 100,000 objects, 2,000,000 values in one object, text 1
// MiB; finite numbers only.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/scene/values/scene.h"

namespace hazumi {

/// Major and minor. A file of a newer major version is refused. One of a newer minor version is read as far as it is
/// known: the minor version grows when keys come in that an older program may leave alone.
inline constexpr int kSceneVersion = 1, kSceneMinor = 0;

std::string scene_to_text(const Scene& scene);
/// `folder`: where mesh files are looked for. A missing or unreadable mesh gives a warning, not an error.
Result<Scene> scene_from_text(std::string_view text, const std::filesystem::path& folder);

/// The same without its meshes, which no file is read for: text from a stranger (a clipboard).
Result<Scene> part_from_text(std::string_view text);

Result<Scene> load_scene(const std::filesystem::path& file);
/// Atomic: writes beside the target, flushes, renames. Mesh files that are not beside the target yet are
/// copied there with what they were read with; a mesh whose file has gone is written from memory. Sound files are copied too.
/// Warnings (what could not be copied) may come with success. `going` is told how much of the copying is done, 0 to 1; when it
/// says no, the old file stays, what was copied goes, and the status is an error.
Status save_scene(const Scene& scene, const std::filesystem::path& file,
                  const std::function<bool(double part)>& going = {});

/// Reads the meshes of objects that name one and do not have it yet: after loading, and after a person picked
/// a file. A relative name is looked up in `folder`; an absolute one (picked elsewhere) is read where it is
/// and copied beside the scene on save. Returns a warning for each mesh that is missing or unreadable.
Diagnostics resolve_meshes(Scene& scene, const std::filesystem::path& folder);

/// True when a file that is read with these settings gives the same mesh.
bool same_reading(const MeshSettings& a, const MeshSettings& b);

/// True for a name that stays beside the scene: relative, no "..".
bool stays_beside_scene(std::string_view mesh_file);

/// Also after links were followed.
bool lies_inside(const std::filesystem::path& file, const std::filesystem::path& folder);

}  // namespace hazumi
