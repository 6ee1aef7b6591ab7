// Which bodies joints keep from touching each other.
#pragma once

#include <algorithm>

#include "core/sim/model.h"

namespace hazumi {

inline bool kept_apart(const Model& model, std::uint32_t a, std::uint32_t b) {
  return !model.apart.empty() &&
         std::binary_search(model.apart.begin(), model.apart.end(), std::pair(std::min(a, b), std::max(a, b)));
}

}  // namespace hazumi
