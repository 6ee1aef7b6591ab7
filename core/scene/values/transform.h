// Where a thing of a scene is.
#pragma once

#include "core/math/types.h"

namespace hazumi {

struct Transform {
  Vec3 position = Vec3::Zero();  ///< m
  Quat rotation = Quat::Identity();
  Vec3 scale = Vec3::Ones();  ///< of display and analysis model, before rotation; each > 0
  Vec3 operator*(const Vec3& p) const { return position + rotation * scale.cwiseProduct(p); }
};

}  // namespace hazumi
