// Where the collision shape of every body is at the two ends of a sub-step, and pairs of them that come near.
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/geometry/mesh/box_tree.h"
#include "core/sim/body/body.h"
#include "core/sim/contact/contact.h"
#include "core/sim/contact/shape_table.h"

namespace hazumi {

/// What is known of a surface over the sub-step (surface_tree.h).
struct SurfaceFit {
  std::shared_ptr<const SurfaceMesh> of;
  bool ready = false;
  // Of what deforms, in the world.
  std::vector<Box3> groups, bounds;  // hold the groups, the parts over the whole sub-step
  BoxTree top;                       // over the groups
  std::vector<char> known;           // of each group: the bounds of its parts are known
  std::vector<BoxTree> trees;        // of the parts that are open
  std::vector<char> open;            // of each part: its vertices are in their places
  std::vector<char> placed;          // of each vertex
};

struct BodyShape {
  const Body* body = nullptr;
  std::shared_ptr<const BodyParts> parts;  ///< that it is in over the sub-step; null: one
  bool active = false;                     ///< takes part in collisions now
  bool limp = false;                       ///< Body::limp()
  Pose from, to;                           ///< body frame (origin: centre of mass) at both ends
  std::vector<Vec3> nodes_from, nodes_to;  ///< flexible: world
  Box3 swept;                              ///< holds the shape over the whole sub-step
  double size = 0;                         ///< m, reach of the shape; 0 for what has no bounds and for mass points
  bool points_ready = false;
  /// Vertices, nodes, skin or corners, world; by fill_points, of a surface that deforms by SurfaceTree::open.
  std::vector<Vec3> points_from, points_to;
  SurfaceFit fit;  ///< of a surface

  const ContactProxy& proxy() const { return parts ? body->proxy_in(parts.get()) : body->proxy; }
  const Mapping& mapping() const { return parts ? *body->mapping_in(parts.get()) : *body->mapping; }
  bool unbounded() const { return proxy().info && proxy().info->near; }
  Vec3 plane_normal() const { return to.rotation * Vec3::UnitY(); }
  Vec3 centre_from() const { return from * proxy().centre; }  ///< of a sphere or box
  Vec3 centre_to() const { return to * proxy().centre; }
};

/// Reads the positions of one end. `at_end`: into `to`, else into `from`.
void read_shape(const Body& body, std::span<const double> values, bool at_end, BodyShape& shape);
/// After both ends are read.
void finish_shape(BodyShape& shape);
void fill_points(BodyShape& shape);
ContactAnchor point_anchor(const BodyShape& shape, std::size_t point);

/// Pairs whose swept boxes meet, at least one of which can move, and that do not ignore each other: by the box tree; what has no
/// bounds (planes) against all. What touches itself is a pair, too: (i, i).
/// Ascending. Bodies move little in a sub-step, so the tree of the call before is refitted and only at times built anew; which
/// pairs are found does not depend on that.
class NearPairs {
 public:
  void find(const std::vector<BodyShape>& shapes, std::vector<std::pair<std::uint32_t, std::uint32_t>>& pairs);

 private:
  void sort_found(std::size_t count, std::vector<std::pair<std::uint32_t, std::uint32_t>>& pairs);

  BoxTree tree_;
  int refits_ = 0;
  std::vector<std::uint32_t> bounded_, bounded_before_, unbounded_;
  struct Kind {
    GroupMask groups;
    bool moves = false;
  };
  std::vector<Box3> boxes_;
  std::vector<Kind> kinds_;      // of what is bounded
  std::vector<FlatBox> placed_;  // as they lie in the tree
  std::vector<std::pair<std::uint32_t, std::uint32_t>> found_;
  std::vector<std::uint32_t> begin_;
};

}  // namespace hazumi
