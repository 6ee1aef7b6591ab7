// What the readers of meshes and of motion have in common of Assimp.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <assimp/scene.h>

#include "core/import/assimp_reader.h"

namespace hazumi {

inline constexpr const char* kNoFaces = "The file holds no faces.";

/// Who carries a part of the mesh: its node, or a bone that was found for it.
struct PartCarrier {
  const aiNode* node = nullptr;
  bool bone = false;
};

/// As read_with_assimp(). With `use` the scene's motion is read too, a mesh with a skin becomes a part for each bone, and it is
/// called while the scene is there, beside a carrier for each part; of a file without faces too.
FileMesh read_scene_with_assimp(const std::filesystem::path& file, std::string bytes, const std::string& ending,
                                const std::function<void(const aiScene&, const std::vector<PartCarrier>&)>& use);

inline Eigen::Affine3d affine(const aiMatrix4x4& from) {
  Eigen::Matrix4d m;
  for (unsigned i = 0; i < 4; ++i)
    for (unsigned j = 0; j < 4; ++j) m(i, j) = static_cast<double>(from[i][j]);
  return Eigen::Affine3d(m);
}

}  // namespace hazumi
