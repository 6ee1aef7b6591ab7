// Fields of force of a scene: what acts on everything that is in them, air and water too. What one does at a place and a time is in
// derived/field_values.h, on bodies in sim/fields/stage.h.
#pragma once

#include <cstdint>
#include <string>

#include "core/base/id.h"
#include "core/base/kept.h"
#include "core/math/types.h"

namespace hazumi {

/// wind: air that blows along the axis. drag: slows what moves in it. vortex: air that goes round the axis. attractor: pulls to the centre,
/// as hard anywhere. water: what is below its surface is lifted and slowed. gravity: pulls against the axis. point gravity: to the centre,
/// by the inverse square.
enum class FieldKind { wind, drag, vortex, attractor, water, gravity, point_gravity };

enum class FieldShape { everywhere, box, ball, curve };

/// The axis is its own y; of a field along a curve the curve's own direction, and the centre is the nearest place of the curve.
struct ForceField {
  Id id;
  std::string name = "Field";
  bool visible = true;
  bool locked = false;           ///< not selectable in the viewport
  std::uint64_t collection = 0;  ///< id of the collection that it is in; 0: none
  FieldKind kind = FieldKind::wind;
  bool on = true;
  std::uint64_t feels = 0;       ///< id of the collection whose objects feel it; 0: all do
  Vec3 position = Vec3::Zero();  ///< m
  Quat rotation = Quat::Identity();
  FieldShape shape = FieldShape::everywhere;
  Vec3 size = Vec3(2, 2, 2);  ///< m, of the box, full
  double radius = 1;          ///< m, of the ball, and round the curve
  std::uint64_t curve = 0;    ///< id of the curve
  double falloff = 0;         ///< m, over which it fades outside its shape
  double speed = 5;           ///< m/s, of a wind's air; of a vortex's at its core radius
  double gust = 0;            ///< m/s, root mean square of each component of what gusts add
  double gust_size = 4;       ///< m, of the largest
  double gust_period = 2;     ///< s, of the largest
  double core =
      0.5;          ///< m: of a vortex where it is fastest; of what pulls to its centre, nearer than this it is softer
  double rise = 0;  ///< m/s, of a vortex's air along the axis
  double inflow = 0;            ///< m/s, and towards it
  double density = 1.2;         ///< kg/m³, of air
  double water_density = 1000;  ///< kg/m³
  double linear = 0.5;          ///< 1/s, drag and water: K = linear + quadratic |u|
  double quadratic = 0;         ///< 1/m
  double strength = 9.80665;    ///< m/s²; of point gravity at 1 m
  Kept kept;
};

}  // namespace hazumi
