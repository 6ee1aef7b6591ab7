// What Assimp 5.2 makes of turns of FBX. A node stands at T Roff Rp Rpre R Rpost⁻¹ Rp⁻¹ Soff Sp S Sp⁻¹ (FBX SDK, "Computing
// transformation matrices"), each a node of its own where pivots are kept; of Rpost Assimp gives the turn and not its inverse.
#pragma once

#include <string_view>

#include <assimp/scene.h>

namespace hazumi {

/// Whether the file speaks of turns behind; then its pivots have to be kept.
bool has_post_rotations(std::string_view fbx);
/// Of a node and all below it.
void invert_post_rotations(aiNode& root);

}  // namespace hazumi
