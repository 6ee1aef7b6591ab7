// The arithmetic of moving, rotating and scaling by mouse; pure functions.
//
// Axis by mouse: the point of the line o + t a that is nearest to the ray r + s d. With w = r − o and b = a·d,
//   t = (a·w − b d·w) / (1 − b²),   s = (b a·w − d·w) / (1 − b²)      (both directions unit; parallel when b² → 1).
// Scale in a frame A (columns: axes) by factors f of an object with rotation R: the map A diag(f) Aᵀ would shear a
// rotated object, which a transform cannot hold; its lengths along the object's own axes are kept:
//   scale_i ← scale_i · ‖A diag(f) Aᵀ R e_i‖.
#pragma once

#include <optional>

#include "core/scene/values/scene.h"
#include "render/camera.h"

namespace hazumi {

enum class TransformMode { move, rotate, scale };

/// Which directions a transform may use. axis 0, 1, 2: x, y, z. plane: the two others than `axis`.
struct TransformConstraint {
  enum class Kind { free, axis, plane } kind = Kind::free;
  int axis = 0;
  bool local = false;  ///< axes of the active object instead of the world's
  friend bool operator==(const TransformConstraint&, const TransformConstraint&) = default;
};

inline Vec3 to_double(const glm::vec3& v) { return {v.x, v.y, v.z}; }
inline glm::vec3 to_float(const Vec3& v) {
  return {static_cast<float>(v.x()), static_cast<float>(v.y()), static_cast<float>(v.z())};
}

/// t above; none when ray and axis are almost parallel, or the point lies behind the eye of a perspective view.
std::optional<double> nearest_on_axis(const Ray& ray, const Vec3& origin, const Vec3& axis);
/// Where the ray meets the plane; none when it grazes it (|d·n| < 0.02), or the point lies behind the eye of a
/// perspective view.
std::optional<Vec3> on_plane(const Ray& ray, const Vec3& origin, const Vec3& normal);

inline constexpr double kSmallestScale = 1e-3;

/// `angle` about `axis` (unit) through `pivot`.
Transform rotated(Transform transform, const Vec3& pivot, const Vec3& axis, double angle);
/// `frame`: columns are the axes of `factors`.
Transform scaled(Transform transform, const Vec3& pivot, const Mat3& frame, const Vec3& factors);

/// To the nearest multiple of step; exact decimal steps give the double nearest to the decimal number.
double snapped(double value, double step);
/// Into (−π, π].
double wrapped_angle(double angle);

}  // namespace hazumi
