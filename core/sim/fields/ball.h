// What fields of force and drag do to a ball (stage.h has the equations): for who wants to know about where something will come.
#pragma once

#include <span>

#include "core/scene/derived/field_values.h"

namespace hazumi {

struct FlyingBall {
  double mass = 1, volume = 0;       ///< kg, m³
  double radius = 0;                 ///< m, with which air brakes it: of a ball of as much surface
  double air = 1;                    ///< drag coefficient c
  double linear = 0, quadratic = 0;  ///< 1/s, 1/m, drag of its own
};

/// A part of a flight: from `place` at `velocity`, for `h` s; `time`: half-way, s of the run.
struct BallStep {
  Vec3 place = Vec3::Zero(), velocity = Vec3::Zero();  ///< m, m/s
  Vec3 other = Vec3::Zero(),
       gravity = Vec3::Zero();  ///< m/s², all else that accelerates it; of it what water weighs by
  double time = 0, h = 0;
};

/// m, of a ball whose surface is so large, m²; open surfaces are met on both sides.
double radius_of_surface(double area, bool closed);
/// m/s², mean over the step.
Vec3 felt_by_ball(std::span<const FieldNow* const> fields, const FlyingBall& ball, const BallStep& step);

}  // namespace hazumi
