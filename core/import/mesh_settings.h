// What is done to a mesh file when it is read: kept with the scene, so that it can be changed later. Order:
// piece, up axis, scale, merge, orient, fill holes, simplify.
#pragma once

#include <string>

namespace hazumi {

enum class UpAxis { y, z, x };

struct MeshSettings {
  /// Name of what a node of the file carries (clip.h), in the frame of that node; empty: the whole file.
  std::string piece = {};
  UpAxis up = UpAxis::y;  ///< which axis of the file points up
  double scale = 1;       ///< metres per unit of the file, > 0
  double merge_distance =
      0;  ///< vertices nearer than this become one, part of the bounding box's diagonal; 0: only equal ones
  bool orient = false;   ///< turn faces so that neighbours agree and closed pieces face outwards
  int fill_holes = 0;    ///< holes of at most this many edges are closed; 0: none
  double simplify = 1;   ///< part of the triangles that is kept, 0 < … ≤ 1 (1: all)
  bool textures = true;  ///< show the file's textures
  friend bool operator==(const MeshSettings&, const MeshSettings&) = default;
};

}  // namespace hazumi
