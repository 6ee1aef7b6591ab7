// A body bent along a line that is drawn: pure functions of places, m, in one frame.
//
//   s    way along the body's middle line as it is (body_course.h) from one of its ends, and along the drawn line: the same, so that lengths
//        along it are kept
//   c(s), Q(s)    the middle line, and what turns its direction at its beginning to that at s without a twist (parallel transport)
//   c'(s), Q'(s)  the drawn line, the same of it, and what turns the body's first direction to the line's before that
//
//   x = c(s) + r   →   c'(s) + Q'(s) Q⁻¹(s) r
#pragma once

#include <span>
#include <vector>

#include "core/scene/derived/body_course.h"

namespace hazumi {

/// A drawn line made even: arcs of one length after the other, without corners, begun where the drawing begins and as long as the body. What
/// is longer is left out, what is shorter goes on straight.
class EvenLine {
 public:
  /// `drawn`: at least one point. Corners are rounded: directions are the mean of those around, by a
  /// Gaussian 0.85 times as wide as `half` of the body; arcs stay what they are.
  EvenLine(const BodyCourse& course, std::span<const Vec3> drawn)
      : EvenLine(course.length(), course.half(), course.at(0).way, drawn) {}
  EvenLine(const BodyAxis& axis, std::span<const Vec3> drawn)
      : EvenLine(axis.length(), axis.half,
                 axis.length() > 0 ? Vec3((axis.to - axis.from).normalized()) : Vec3(Vec3::UnitX()), drawn) {}

  struct At {
    Vec3 place;
    Quat turn;  ///< Q
  };
  At at(double s) const;
  double most_bent() const;  ///< 1/m, the greatest curvature

 private:
  EvenLine(double length, double half, const Vec3& along, std::span<const Vec3> drawn);
  double step_ = 0;
  std::vector<Vec3> places_, ways_;
  std::vector<Quat> turns_;
};

/// `nodes`: those that the course was made of. `shares`: how far each goes there, 0 … 1; none: all do.
void bend_along(std::span<Vec3> nodes, std::span<const double> shares, const BodyCourse& course, const EvenLine& line);

/// A smooth line through points (Catmull and Rom, centripetal), the points among it.
std::vector<Vec3> through_points(std::span<const Vec3> points);

}  // namespace hazumi
