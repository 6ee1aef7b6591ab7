// Four floats side by side (GCC and Clang vector extension): the same bits as four floats one after the
// other, on every machine and at every optimisation level.
#pragma once

#include <cmath>

#include "core/math/types.h"

namespace hazumi {

typedef float Lanes __attribute__((vector_size(16)));

inline Lanes lanes(const Vec3& v) {
  return Lanes{static_cast<float>(v.x()), static_cast<float>(v.y()), static_cast<float>(v.z()), 0.0f};
}
inline Vec3f vector(Lanes a) { return {a[0], a[1], a[2]}; }

/// v made unit; `otherwise` when it has no length, or none that is a number.
inline Vec3f unit(const Vec3f& v, const Vec3f& otherwise) {
  const float length = v.squaredNorm();
  return length > 0 && length < 3e38f ? Vec3f(v * (1.0f / std::sqrt(length))) : otherwise;
}

}  // namespace hazumi
