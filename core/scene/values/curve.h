// Curves of a scene: ways that things ride on (values/follow.h), drawn by hand. What a shape means is in
// core/geometry/curve/curve.h.
#pragma once

#include <string>

#include "core/base/id.h"
#include "core/base/kept.h"
#include "core/base/memo.h"
#include "core/geometry/curve/curve.h"
#include "core/scene/values/transform.h"

namespace hazumi {

/// Its points are in its own axes; `transform` puts the whole where it is.
struct Curve : CurveShape {
  Id id;
  std::string name = "Curve";
  bool visible = true;
  bool locked = false;           ///< not selectable in the viewport
  std::uint64_t collection = 0;  ///< id of the collection that it is in; 0: none
  Transform transform;
  Vec3 colour = Vec3(0.93, 0.78, 0.35);  ///< of its line
  Kept kept;
  Memo<CurveWay> way;  ///< where it lies in the world (derived/following.h); not saved
};

}  // namespace hazumi
