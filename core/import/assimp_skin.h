// Meshes with a skin, whole, as they were bound (ClipSkin), while Assimp's scene is there.
#pragma once

#include <vector>

#include <assimp/scene.h>

#include "core/import/clip.h"

namespace hazumi {

/// A skin whose bones do not know their pieces yet.
struct FileSkin {
  const aiNode* node = nullptr;  ///< that holds the meshes
  ClipSkin skin;
  std::vector<const aiNode*> bones;  ///< beside skin.bones
  bool usable = true;                ///< every bone has a place, and none is flat
};

/// What one mesh of the file adds to the skin of its node. number: of each vertex its place in `mesh`, kNoIndex: in no face.
/// like: part of `mesh` with its look. mirrored: faces are turned.
void add_to_skin(const aiScene& scene, const aiMesh& from, const aiNode& node, const std::vector<std::uint32_t>& number,
                 int like, bool mirrored, std::vector<FileSkin>& skins);

/// Those whose bones all have a piece: pieces[i] is of the node numbered piece_nodes[i]. Names unlike those of pieces.
std::vector<ClipSkin> finished_skins(std::vector<FileSkin> skins, const std::vector<ClipPiece>& pieces,
                                     const std::vector<const aiNode*>& piece_nodes);

}  // namespace hazumi
