// The motions of the catalogue; make_scenes.cpp writes them to assets/motions.
#pragma once

#include <string>
#include <vector>

#include "core/scene/values/scene.h"

namespace hazumi::shipped {

struct ShippedMotion {
  std::string file;  ///< without ".json"
  Scene motion;
};
std::vector<ShippedMotion> shipped_motions();

}  // namespace hazumi::shipped
