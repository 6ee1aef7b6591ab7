// The vertices of a mesh file as they stand in it: none joined, none split, none left out, in their order. Of files of text: OBJ, and PLY in
// ASCII. What reads a mesh for the eye (mesh_file.h) splits vertices at sharp edges and drops those on no face.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "core/base/result.h"
#include "core/math/types.h"

namespace hazumi {

/// m, in the file's own units and axes. Nothing: it is no such file. An error: a file of that kind that cannot be read, in one sentence.
Result<std::optional<std::vector<Vec3>>> read_vertex_list(const std::filesystem::path& file);

}  // namespace hazumi
