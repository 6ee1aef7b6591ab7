// What rides on a curve of the scene. What comes of it is in derived/following.h.
#pragma once

#include <cstdint>

#include "core/math/types.h"

namespace hazumi {

/// Of a camera; what it looks at and its roll are its own.
struct Follow {
  std::uint64_t curve = 0;  ///< id; 0: none
  double along = 0;         ///< 0…1 of the curve's length
  double height = 0;        ///< m, above the curve, along y of its frames
  bool turned = false;      ///< with the curve: z along it, of a camera its line of sight
};

struct ObjectFollow : Follow {
  Quat turn = Quat::Identity();  ///< of its own, on top of the curve's
  std::uint64_t looks_at = 0;    ///< id of the object that its z points to; 0: none
  double roll = 0;               ///< rad, about z of what turns it
};

}  // namespace hazumi
