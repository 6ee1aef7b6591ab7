// A display mesh as files that read_mesh_file() reads back: Wavefront OBJ with its material library and the textures as they
// were. For meshes whose own file has gone: what is in memory is all there is of them.
#pragma once

#include <string>
#include <vector>

#include "core/geometry/mesh/mesh.h"

namespace hazumi {

struct NamedBytes {
  std::string name;
  std::string bytes;
};

/// The first is "<stem>.obj", which names the others. Read with settings that change nothing it gives the faces again in
/// their order, parts, looks and textures; positions as floats, vertices perhaps in another order.
std::vector<NamedBytes> mesh_as_files(const DisplayMesh& mesh, const std::string& stem);

}  // namespace hazumi
