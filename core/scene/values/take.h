// A take (design/motion: "Takes"): a named version of a scene's motion. Of a scene with takes one is current, and the scene's own keys, boxes and
// numbers are that take's; the others wait. What belongs to a take, and how one becomes current, is in derived/takes.h.
#pragma once

#include <memory>
#include <string>

#include "core/base/id.h"
#include "core/base/kept.h"

namespace hazumi {

struct Scene;

struct Take {
  Id id;
  std::string name;
  bool visible = true;   ///< it is on the wall
  bool current = false;  ///< its motion is the scene's own
  /// Of one that waits: the scene as it was with this take, of which only what belongs to takes is read; null: as the scene's own. Shares
  /// with the scene whatever is the same.
  std::shared_ptr<const Scene> motion = {};
  Kept kept = {};
};

}  // namespace hazumi
