// Look of a surface: ambient, diffuse, specular, shininess as in the classic OpenGL material table
// (spec 8.2).
#pragma once

#include "core/math/types.h"

namespace hazumi {

struct Surface {
  Vec3 ambient = Vec3(0.2, 0.2, 0.2);
  Vec3 diffuse = Vec3(0.8, 0.8, 0.8);
  Vec3 specular = Vec3(0.2, 0.2, 0.2);
  double shininess = 16.0;  ///< Phong exponent, 0…128
  double opacity = 1.0;
  friend bool operator==(const Surface&, const Surface&) = default;
};

}  // namespace hazumi
