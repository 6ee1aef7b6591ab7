// Between Eigen (core) and GLM (render).
#pragma once

#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>

#include "core/math/types.h"

namespace hazumi {

inline glm::vec3 to_glm(const Vec3& v) {
  return {static_cast<float>(v.x()), static_cast<float>(v.y()), static_cast<float>(v.z())};
}
inline glm::vec3 to_glm(const Vec3f& v) { return {v.x(), v.y(), v.z()}; }
inline Vec3 to_eigen(const glm::vec3& v) { return Vec3(v.x, v.y, v.z); }

/// Placement without scale (meshes carry their scale).
inline glm::mat4 placement(const Vec3f& position, const Eigen::Quaternionf& rotation) {
  const Eigen::Matrix3f r = rotation.normalized().toRotationMatrix();
  glm::mat4 m(1);
  for (int column = 0; column < 3; ++column)
    for (int row = 0; row < 3; ++row) m[column][row] = r(row, column);
  m[3] = glm::vec4(position.x(), position.y(), position.z(), 1.0f);
  return m;
}

}  // namespace hazumi
