// Which shape a body collides with. `automatic`: fixed plane primitive → infinite plane through its surface, normal its
// +y; box primitive → box; sphere primitive (of one radius) → sphere; a rope → its line, as thick as it is; everything else → the surface
// that is seen, of what deforms and has no skin the hull of its truss. An object whose mesh file is missing collides with nothing.
//
// Shapes of points keep only vertices that can be first to touch: those that are extreme in one of kDirections directions spread
// evenly over the sphere (Fibonacci lattice). A convex shape of fewer vertices keeps all of them.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/geometry/mapping/mapping.h"
#include "core/scene/derived/contact_rules.h"
#include "core/scene/values/scene.h"

namespace hazumi {

struct Body;
struct ContactShapeInfo;
struct SurfaceMesh;

/// What a vertex of the skin of a flexible body follows. Where that is linear in the nodes and the body frame
///   x = Σ weight x_k + centre c + R arm,   c the centre of mass, R the attitude of the frame,   Σ weight + centre = 1
/// else as the mapping says at the places that the nodes have (Mapping::rates).
struct SkinDrivers {
  std::uint32_t vertex = 0;  ///< of the display mesh
  bool linear = true;
  std::vector<NodeWeight> nodes;
  double centre = 0;        ///< of a body on pins 0: the nodes hold that part too
  Vec3 arm = Vec3::Zero();  ///< m
};

/// Where the vertices of one part of a surface can be, from where the nodes are. With w the weights of a vertex (DriverInfo, w_o that
/// of the frame's origin o), w̄ the middle of those of all vertices of the part and r half their range, for every z
///   x − z = Σ w (X − z) + w_o (o − z) + R arm,   |x − z − Σ w̄ (X − z) − w̄_o (o − z) − R ā| ≤ Σ r |X − z| + r_o |o − z| + away
struct PartReach {
  std::vector<NodeWeight> middle;  ///< w̄
  std::vector<double> range;       ///< r
  double origin = 0, origin_range = 0;
  Vec3 arm = Vec3::Zero();  ///< ā
  double away = 0;          ///< m: the arms' distance from it, and what is not linear
  bool known = false;       ///< else the part can be anywhere in the body
};

/// Collision shape of a body, in its body frame.
struct ContactProxy {
  ContactShape shape = ContactShape::none;     ///< never automatic; of surfaces of any sort `surface`
  ContactShape chosen = ContactShape::none;    ///< of a surface: what the object says
  int triangles = 0;                           ///< of a simplified one: how many it may have
  const ContactShapeInfo* info = nullptr;      ///< of the shape; null: none
  Vec3 half_extents = Vec3::Zero();            ///< box
  double radius = 0;                           ///< sphere, rope; also the Hertz radius of curvature R
  Vec3 centre = Vec3::Zero();                  ///< sphere, box: in the body frame
  std::shared_ptr<const SurfaceMesh> surface;  ///< surface, box
  std::vector<Vec3> points;  ///< vertices, corners: body frame (what does not deform). nodes: solver's nodes are used
  std::vector<std::uint32_t>
      skin;  ///< what deforms: display vertices that collide in place of the nodes (empty: nodes)
  std::vector<SkinDrivers> skin_drivers;           ///< who moves each of them, and takes the force
  std::vector<PartReach> part_reach, group_reach;  ///< of each part and group of a surface with a skin
  double thickness = 0;                            ///< m, that others keep from it
  bool self = false;                               ///< of what deforms: it touches itself
  GroupMask groups;                                ///< whom it ignores
  double squash = 0;                               ///< m, how deep a pulse (constraint/pulse.h) may let others in
  double reach = 0;                       ///< m, no point of the shape is farther from the body frame's origin (rigid)
  double skin_gain = 1, skin_offset = 0;  ///< flexible: reach = gain × farthest node + offset
};

inline constexpr int kDirections = 192;

/// `body` with everything but its proxy filled in. `before`: the same object's in the model before, or null.
ContactProxy make_contact_proxy(const Object& object, const Body& body, const Body* before);

/// Lets what deforms collide with these display vertices.
void use_skin(const Body& body, const Mapping& mapping, std::vector<std::uint32_t> vertices, const Body* before,
              ContactProxy& proxy);
/// What `body` collides as when it is in parts that move by `mapping` (null: it has no skin).
ContactProxy make_parts_proxy(const Body& body, const Mapping* mapping, std::span<const std::uint32_t> part_of_node);

/// Numbers of the points that are extreme in one of the directions, ascending.
std::vector<std::uint32_t> extreme_points(std::span<const Vec3> points, int directions);

}  // namespace hazumi
