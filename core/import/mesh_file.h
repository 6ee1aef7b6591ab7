// Reads mesh files (OBJ with MTL, PLY, STL, OFF, glTF and GLB, FBX, Collada) and files of motion (BVH) through Assimp, in a program of
// its own (hazumi-mesh-reader, apart.h), so that a damaged file gives one sentence and neither a crash nor an endless wait. Companions
// (material libraries, buffers, images) are read only inside the file's folder. Node transforms are applied,
// polygons become triangles, equal vertices are joined, missing normals are made smooth up to an angle of 60°
// between faces; each node's mesh becomes a part with its name, look (Part::surface) and texture. Texture
// coordinates have v upwards: v = 1 is the top row of the picture. Limits: 256 MiB a file and for all
// companions together, 64 MiB a texture, 2,000,000 vertices, 4,000,000 triangles, 10,000 parts, coordinates
// within ±1e9, two minutes.
#pragma once

#include <atomic>
#include <filesystem>
#include <string_view>

#include "core/base/result.h"
#include "core/import/clip.h"
#include "core/import/imported_mesh.h"

namespace hazumi {

/// The file as it is: in its own units and axes, with a report. The error's message is a full sentence with
/// the reason; its path is the file's name. `cancel` is looked at all the time; a cancelled reading is an
/// error.
Result<ImportedMesh> read_mesh_file(const std::filesystem::path& file, const std::atomic<bool>* cancel = nullptr);

/// The file after what the settings ask for (prepare.h).
Result<ImportedMesh> load_mesh_file(const std::filesystem::path& file, const MeshSettings& settings = {},
                                    const std::atomic<bool>* cancel = nullptr);

/// The file with what moves in it: glTF, GLB, FBX and BVH (MeshReport::moves). Errors as read_mesh_file().
Result<ClipFile> read_clip_file(const std::filesystem::path& file, const std::atomic<bool>* cancel = nullptr);
/// One piece of it, in its own frame, as it is in the file.
Result<ImportedMesh> read_piece(const std::filesystem::path& file, const std::string& piece,
                                const std::atomic<bool>* cancel = nullptr);

/// As load_mesh_file() with MeshSettings::piece, of a file that has been read: a scene has many pieces of one file.
Result<ImportedMesh> load_piece(const ClipFile& clips, const std::filesystem::path& file, const MeshSettings& settings,
                                const std::atomic<bool>* cancel = nullptr);

/// Unit and up axis as the file says, or as its kind usually has them: what an import begins with.
MeshSettings suggested_settings(const MeshReport& report);

/// By the ending of the name, upper or lower case.
bool is_mesh_file_name(const std::filesystem::path& file);

/// For file dialogs: "*.obj *.ply …".
std::string_view mesh_file_patterns();

}  // namespace hazumi
