// What a body collides as, as lines and points to draw: edges of boxes and surfaces, the points of points, a ball, a plane.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/playback/frame.h"
#include "core/sim/model.h"

namespace hazumi {

struct CollisionShape {
  /// What its points go along with: the object's pose, its display vertices, its nodes.
  enum class Carrier : std::uint8_t { pose, vertices, nodes };

  Id id;
  Carrier carrier = Carrier::pose;
  std::vector<Vec3f> points;                        ///< object frame, m (carrier pose)
  std::vector<std::uint32_t> sources;               ///< vertex or node of each point (the other carriers)
  std::vector<std::array<std::uint32_t, 2>> edges;  ///< of points; none: the points collide as such
  bool ball = false, plane = false;                 ///< about, through `centre`; the plane looks along +y of the object
  Vec3f centre = Vec3f::Zero();                     ///< object frame, m
  float radius = 0;                                 ///< m, of a ball; of a plane how far its drawing reaches
};

/// One per body; of what collides with nothing an empty one.
std::vector<CollisionShape> collision_shapes(const Model& model);

/// Where its points are in the frame that `object` is of, world.
void place_points(const CollisionShape& shape, const ObjectFrame& object, std::vector<Vec3f>& points);

}  // namespace hazumi
