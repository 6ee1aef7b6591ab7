// Forces of a scene (spec 2.2): what pushes an object besides gravity and all that touches it, as keys say. What comes of them in a
// sub-step is in derived/pushes.h.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/id.h"
#include "core/base/kept.h"
#include "core/math/types.h"

namespace hazumi {

struct Force {
  Id id;
  std::string name = "Force";
  bool visible = true;
  bool locked = false;           ///< not selectable in the viewport
  std::uint64_t collection = 0;  ///< id of the collection that it is in; 0: none
  bool on = true;                ///< it pushes
  std::uint64_t object = 0;      ///< id of whom it pushes
  Vec3 place = Vec3::Zero();   ///< m, where, in the object's own axes before its scale; of what bends its nearest node
  Vec3 push = Vec3(0, 10, 0);  ///< N, of all of it
  bool own_axes = false;       ///< `push` is in the axes of the object, as it turns; else in those of the world
  std::vector<std::array<std::uint32_t, 1>>
      nodes;  ///< of the analysis model of what bends, each an equal part; none: by place
  Kept kept;
};

}  // namespace hazumi
