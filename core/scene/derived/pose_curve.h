// A body bent along a line that is drawn: pure functions of places, m, in one frame.
//
//   s    way along the body's axis from one of its ends, and along the line: the same, so that lengths along the axis are kept
//   c(s) the line; t(s) its direction; Q(s) turns the axis to t(s) without a twist (parallel transport)
//
//   x = from + s a + r, r across a   →   c(s) + Q(s) r
#pragma once

#include <span>
#include <vector>

#include "core/math/types.h"

namespace hazumi {

/// The longest principal axis of a body, from end to end.
struct BodyAxis {
  Vec3 from = Vec3::Zero(), to = Vec3::Zero();
  double half = 0;  ///< m: how far its nodes reach from the axis
  double length() const { return (to - from).norm(); }
  BodyAxis flipped() const { return {to, from, half}; }
};
/// Through the middle of the nodes; no length: they are fewer than two, or all in one place. `to` lies where x, y or z, whichever the axis is
/// nearest to, is greater.
BodyAxis body_axis(std::span<const Vec3> nodes);

/// A drawn line made even: arcs of one length after the other, without corners, begun where the drawing begins and as long as the axis. What
/// is longer is left out, what is shorter goes on straight.
class EvenLine {
 public:
  /// `drawn`: at least one point. Corners are rounded: directions are the mean of those around, by a
  /// Gaussian 0.85 times as wide as the axis' `half`; arcs stay what they are.
  EvenLine(const BodyAxis& axis, std::span<const Vec3> drawn);

  struct At {
    Vec3 place;
    Quat turn;  ///< Q
  };
  At at(double s) const;
  double most_bent() const;  ///< 1/m, the greatest curvature

 private:
  double step_ = 0;
  std::vector<Vec3> places_, ways_;
  std::vector<Quat> turns_;
};

/// `shares`: how far each node goes there, 0 … 1; none: all do.
void bend_along(std::span<Vec3> nodes, std::span<const double> shares, const BodyAxis& axis, const EvenLine& line);

/// A smooth line through points (Catmull and Rom, centripetal), the points among it.
std::vector<Vec3> through_points(std::span<const Vec3> points);

}  // namespace hazumi
