// Reads a mesh file (OBJ, PLY, STL, OFF) into a display mesh, through Assimp. Only the file itself is read:
// names of other files inside it (material libraries) are not followed. Polygons become triangles, equal
// vertices are joined, missing normals are made smooth up to an angle of 60° between faces. Limits: 256 MiB,
// 2,000,000 vertices, 4,000,000 triangles, coordinates within ±1e9.
#pragma once

#include <filesystem>
#include <string_view>

#include "core/base/result.h"
#include "core/import/imported_mesh.h"

namespace hazumi {

/// The error's message is a full sentence with the reason; its path is the file's name.
Result<ImportedMesh> load_mesh_file(const std::filesystem::path& file, const MeshSettings& settings = {});

/// By the ending of the name, upper or lower case.
bool is_mesh_file_name(const std::filesystem::path& file);

/// For file dialogs: "*.obj *.ply …".
std::string_view mesh_file_patterns();

}  // namespace hazumi
