// Cameras of a scene: where pictures are taken from. Which of them takes a picture at a time, and how the values become
// axes and angles, is in derived/cameras.h.
#pragma once

#include <cstdint>
#include <string>

#include "core/base/id.h"
#include "core/base/kept.h"
#include "core/math/types.h"
#include "core/scene/values/follow.h"

namespace hazumi {

/// Height in mm of the film that focal lengths are told for, 36 × 24 mm.
inline constexpr double kFilmHeight = 24;

/// Between which depths a camera sees.
struct CameraDepth {
  bool automatic = true;     ///< as what is seen asks for (render/depth.h); else between the two planes
  double near_plane = 0.05;  ///< m
  double far_plane = 500.0;  ///< m
};

/// A picture behind what the camera sees in the view; never in what is written.
struct ReferencePicture {
  std::string file = {};  ///< absolute; files name it from their own folder when it lies there or below
  double opacity = 0.5;
  bool shown = true;
};

struct Camera {
  Id id;
  std::string name = "Camera";
  bool visible = true;            ///< its symbol is drawn
  bool locked = false;            ///< not selectable in the viewport
  std::uint64_t collection = 0;   ///< id of the collection that it is in; 0: none
  Vec3 position = Vec3(4, 3, 6);  ///< m
  Vec3 target = Vec3(0, 0.5, 0);  ///< m
  double roll = 0;                ///< rad, about the line of sight; above 0 it leans to its right
  std::uint64_t looks_at = 0;     ///< id of the object that it turns to instead of the target; 0: none
  Follow follow;
  double focal_length = 35;  ///< mm, on film of kFilmHeight
  CameraDepth depth;
  bool safe_areas = false;  ///< its frame shows what every screen shows
  ReferencePicture picture;
  Vec3 colour = Vec3(0.42, 0.62, 0.9);  ///< of its stretches on the time line
  Kept kept;
};

}  // namespace hazumi
