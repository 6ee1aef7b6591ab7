// Where something that follows a curve stands, and how it is turned. For bodies and cameras alike.
#pragma once

#include <optional>

#include "core/geometry/curve/curve.h"

namespace hazumi {

struct FollowTurn {
  bool turned = false;         ///< with the curve: z along it
  std::optional<Vec3> target;  ///< z points there, y up as far as it can; stronger than `turned`
  double roll = 0;             ///< rad, about z of what turns it
  double height = 0;           ///< m, above the curve, along y of its frame there
};

/// The place so far along, and so far above it.
Vec3 place_over(const CurveWay& way, double along, double height);
/// How fast it goes where `along` grows by `rate` a second, at a place where the curve has no corner.
Vec3 velocity_over(const CurveWay& way, double along, double height, double rate);
/// Along, of the place at that height which is nearest to a point. `near`: about there.
double nearest_over(const CurveWay& way, const Vec3& point, double height, double near);

/// z to `target` from `place`, y up as far as it can, rolled about z; nothing where the target is within 1 nm.
std::optional<Quat> looking_at(const Vec3& place, const Vec3& target, double roll);

/// `rest`: the rotation of its own, kept when nothing turns it, else on top of the curve's. Who looks at something has
/// none of its own. A target within 1 nm of where it stands is none.
Pose pose_on(const CurveWay& way, double along, const Quat& rest, const FollowTurn& turn);

}  // namespace hazumi
