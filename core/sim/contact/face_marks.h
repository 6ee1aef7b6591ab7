// What the walk of a pair through the faces of two surfaces remembers of each: the boxes that it has found, the vertices that it has
// listed. One for each thread that looks at pairs; which pairs it has seen before makes no difference.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/geometry/mesh/mesh.h"

namespace hazumi {

struct FaceMarks {
  std::uint32_t pair = 0;
  std::vector<std::uint32_t> seen, marked;  ///< the pair in which a face, a vertex came up last
  std::vector<Box3> boxes;                  ///< of faces

  void begin_pair(std::size_t faces, std::size_t vertices) {
    if (seen.size() < faces) {
      seen.resize(faces, 0);
      boxes.resize(faces);
    }
    if (marked.size() < vertices) marked.resize(vertices, 0);
    if (++pair != 0) return;
    std::fill(seen.begin(), seen.end(), 0u);  // numbers begin again
    std::fill(marked.begin(), marked.end(), 0u);
    pair = 1;
  }
};

}  // namespace hazumi
