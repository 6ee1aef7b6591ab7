// Copies of things in a row or around a centre.
#pragma once

#include <numbers>
#include <set>
#include <vector>

#include "core/scene/values/scene.h"

namespace hazumi {

enum class ArrayKind { row, circle };

struct ArraySettings {
  ArrayKind kind = ArrayKind::row;
  int count = 3;                ///< with the originals, at least 1
  Vec3 offset = Vec3(1, 0, 0);  ///< m, row: from one to the next
  Vec3 centre = Vec3::Zero();   ///< m, circle
  int axis = 1;                 ///< circle: 0 x, 1 y, 2 z, through the centre
  double angle =
      2 * std::numbers::pi;  ///< rad, circle: over all; a full turn ends before the first, less ends with the last
  bool turned = true;        ///< circle: the copies are turned with it, and what they do at the start too
};

struct Array {
  Scene scene;
  std::vector<Id> copies;
};

/// The scene with copies of the things of these ids and of pairs and joints between them.
Array arrayed(Scene scene, const std::set<Id>& ids, const ArraySettings& settings);

}  // namespace hazumi
