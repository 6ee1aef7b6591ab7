// What a mesh file gives: the display mesh and what is to be said about it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/geometry/mesh/mesh.h"
#include "core/import/mesh_settings.h"

namespace hazumi {

struct MeshReport {
  std::size_t vertices = 0;  ///< places: vertices that lie at the same place count once
  std::size_t faces = 0;     ///< triangles
  std::size_t parts = 0;
  std::size_t materials = 0;           ///< different looks that parts have in the file
  std::size_t textures = 0;            ///< that were found
  std::size_t open_edges = 0;          ///< with one face
  std::size_t non_manifold_edges = 0;  ///< with three or more faces
  std::vector<int> holes;              ///< edges around each hole (closed ring of open edges), ascending
  std::size_t flipped = 0;             ///< faces that orient_faces() would turn
  Vec3 size = Vec3::Zero();            ///< of the bounding box
  double unit_guess = 1;               ///< metres per unit of the file
  bool unit_known = false;             ///< the file says its unit (glTF, FBX, Collada)
  UpAxis up_guess = UpAxis::y;         ///< which axis of the file points up
  bool up_known = false;
  bool moves = false;                   ///< there are keys in it: read_clip_file() has more to say
  std::vector<std::string> companions;  ///< other files that were read, relative to the file's folder
  std::vector<std::string> warnings;    ///< full sentences: a texture that is missing, …
};

struct ImportedMesh {
  DisplayMesh mesh;
  MeshReport report;  ///< of `mesh`
};

}  // namespace hazumi
