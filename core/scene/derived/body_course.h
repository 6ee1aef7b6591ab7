// The middle line of a body as it is bent: where each of its nodes lies along it, and what it looks like from there. Pure functions of
// places, m, in one frame.
//
//   a       the axis of the rest shape (BodyAxis), straight;  u = (x⁰ − from) · a, r⁰ the rest across a, of each node
//   c(u)    the middle line now: from + u a + d(u), where d is the shift of the axis by the nodes around, fitted at each u as
//           x − x⁰ ≈ d + d' (u_i − u) + d" (u_i − u)² + D r⁰_i, by least squares with weights that end at the fourth layer of nodes, or at
//           0.75 of the half thickness: of bodies of few layers it goes through their middles, of irregular ones evenly between
//   s       way along c;  t(s) its direction;  Q(s) turns t(0) to t(s) without a twist (parallel transport)
//
// A body that is bent at rest is straightened first: a principal curve (Hastie and Stuetzle 1989), begun with how far nodes are from the two
// that are farthest from each other along springs, and each node then where it is nearest to the curve, some times over.
//
// A body that is straight, or only moved and turned, has its own axis to round-off.
#pragma once

#include <span>
#include <vector>

#include "core/geometry/truss/truss.h"
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
/// The same along `way` (unit).
BodyAxis axis_along(std::span<const Vec3> nodes, const Vec3& way);

/// The rest shape as it would be straight, for bodies that are bent at rest, a banana or a hook: s along x and what is across. As they are, where
/// their middle line is straight, or where they are no thicker about a straight axis than about a bent one. `springs`: what joins what.
std::vector<Vec3> straightened(std::span<const Vec3> rest, std::span<const Spring> springs);

class BodyCourse {
 public:
  BodyCourse() = default;
  /// Of nodes that are at `now` and at rest at `rest`, along `axis` of the rest. `part`: those that c follows; none: all do.
  BodyCourse(std::span<const Vec3> rest, std::span<const Vec3> now, const BodyAxis& axis,
             std::span<const std::uint32_t> part = {});

  double length() const { return ways_.empty() ? 0 : ways_.back(); }
  double half() const { return half_; }
  /// s of a node: of those before and behind the ends below 0 and beyond the length.
  double way_of(std::size_t node) const { return node_ways_[node]; }
  std::size_t nodes() const { return node_ways_.size(); }
  /// s of a place at the node that is nearest to it.
  double way_at(const Vec3& place) const;

  struct At {
    Vec3 place;  ///< c, m
    Vec3 way;    ///< t
    Quat turn;   ///< Q
  };
  At at(double s) const;
  /// c from end to end, to be drawn.
  const std::vector<Vec3>& places() const { return places_; }

 private:
  double half_ = 0;
  std::vector<Vec3> places_, tangents_;  // of stations, evenly along the rest axis
  std::vector<Quat> turns_;
  std::vector<double> ways_;  // s of stations, m
  std::vector<double> node_ways_;
  std::vector<Vec3> now_;
};

/// Turned by `angle` (rad) about the middle line: none before `at` by more than `radius` along it, all behind by more, between in proportion.
/// What lies behind goes with it, as of a bent rod that is turned in the hand.
void twist_nodes(std::span<Vec3> nodes, const BodyCourse& course, double at, double radius, double angle);
/// The same turn about `about` (unit), which bends the middle line as long as it was.
void bend_nodes(std::span<Vec3> nodes, const BodyCourse& course, double at, const Vec3& about, double radius,
                double angle);

}  // namespace hazumi
