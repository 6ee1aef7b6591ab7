// Joints of one kind that hang together, as the links of a chain or the planks of a bridge on its ropes: where they lie close on the screen their
// symbols would hide what they join, so each is a dot until it, or what it joins, is selected.
#pragma once

#include <map>

#include "core/scene/values/scene.h"

namespace hazumi {

struct JointInRow {
  std::size_t row = 0;  ///< which, from 0 on
  double apart = 0;     ///< m, from the nearest of them that is on the same thing, at the start
};

/// The joints that are in a row of ten or more of their kind, which things that move join.
std::map<Id, JointInRow> joints_in_rows(const Scene& scene);

}  // namespace hazumi
