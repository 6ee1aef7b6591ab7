// The box tree over the faces of a mesh, for rays: the nearest hit costs the logarithm of the number of faces. Building a
// million faces takes about half a second: off the interface thread.
#pragma once

#include <cstdint>
#include <limits>

#include "core/geometry/mesh/box_tree.h"

namespace hazumi {

struct FaceHit {
  double at = std::numeric_limits<double>::infinity();  ///< parameter along the ray; infinite: no hit
  std::uint32_t face = 0;
};

/// Parameter where the ray meets the triangle from either side, infinite when it does not (Möller and Trumbore 1997).
double hit_triangle(const MeshRay& ray, const Vec3& a, const Vec3& b, const Vec3& c);
/// Whether the ray meets the box before `nearest`; the box a millionth larger, so that flat ones are met.
bool hits_box(const MeshRay& ray, const Box3& box, double nearest);

class FaceTree {
 public:
  explicit FaceTree(const DisplayMesh& mesh);
  /// The nearest hit before `best.at`, else `best`. The mesh must be the one that the tree was built from. Of several faces
  /// met at the same place the first one.
  FaceHit nearest(const DisplayMesh& mesh, const MeshRay& ray, FaceHit best = {}) const;
  std::size_t memory_use() const { return tree_.memory_use(); }

 private:
  BoxTree tree_;
};

}  // namespace hazumi
