// Nodes and keys of a glTF 2.0 file as they stand in it. Assimp 5.2 drops the shapes between keys (step, cubic) and makes
// matrices of nodes, so that only the meshes are taken from it.
#pragma once

#include <string>
#include <string_view>

#include "core/import/clip.h"
#include "core/import/folder_access.h"

namespace hazumi {

inline constexpr const char* kNoShapes =
    "Shapes that change (morph targets) are not taken over: what has them keeps the shape that it has at rest.";

/// `bytes` of a .gltf or a .glb. Gives `file` the nodes of its scene, each before its children and these in their order, and
/// its clips; returns what is wrong as a sentence, or nothing.
std::string read_gltf_motion(std::string_view bytes, FolderAccess& access, ClipFile& file);

}  // namespace hazumi
