// Where something that follows a curve stands, and how it is turned. For bodies and cameras alike.
#pragma once

#include <optional>

#include "core/geometry/curve/curve.h"

namespace hazumi {

struct FollowTurn {
  bool turned = false;         ///< with the curve: z along it
  std::optional<Vec3> target;  ///< z points there, y up as far as it can; stronger than `turned`
  double roll = 0;             ///< rad, about z of what turns it
};

/// z to `target` from `place`, y up as far as it can, rolled about z; nothing where the target is within 1 nm.
std::optional<Quat> looking_at(const Vec3& place, const Vec3& target, double roll);

/// `rest`: the rotation of its own, kept when nothing turns it, else on top of the curve's. Who looks at something has
/// none of its own. A target within 1 nm of where it stands is none.
Pose pose_on(const CurveWay& way, double along, const Quat& rest, const FollowTurn& turn);

}  // namespace hazumi
