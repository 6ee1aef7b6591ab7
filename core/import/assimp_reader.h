// Mesh files through Assimp. Runs in a program of its own (app/mesh_reader.cpp, apart.h), so its answer is bytes
// that the program which asked checks.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "core/import/clip.h"
#include "core/import/imported_mesh.h"

namespace hazumi {

inline constexpr std::size_t kMostMeshVertices = 2'000'000, kMostMeshFaces = 4'000'000;

/// Either `problem`, a full sentence, or the mesh with what only the file knows of the report.
struct FileMesh {
  std::string problem;
  ImportedMesh imported;
};

/// `bytes`: the content of `file`, whose folder may be read from; `ending`: "obj", "gltf", … in lower case.
FileMesh read_with_assimp(const std::filesystem::path& file, std::string bytes, const std::string& ending);

/// The file with what moves in it (assimp_clip.cpp); "gltf", "glb", "fbx" and "bvh".
ClipFile read_clips(const std::filesystem::path& file, std::string bytes, const std::string& ending);

std::string to_bytes(const FileMesh& mesh);
/// Bytes of to_bytes(); anything else, and a mesh whose numbers do not fit each other, gives false.
bool from_bytes(std::string_view bytes, FileMesh& mesh);

/// Material colours and shininess in place of a physically based material. base: as a colour dialog shows it.
Surface surface_from_pbr(const Vec3& base, double metallic, double roughness);

}  // namespace hazumi
