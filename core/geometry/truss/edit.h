// Stringing a truss by hand (spec 1.7; thesis figures 5.13, 5.14): pure functions from one StrungTruss to the
// next. The editor keeps no truss of its own, undo is keeping the old value.
//
// Whatever is done, the result keeps the rules of strung_truss.h: springs ascending without twins, tetrahedra
// of existing nodes, and a hull that is closed and outward or empty (then to_truss() takes the convex hull):
// - with tetrahedra the hull is the outside of those that are left;
// - without, the hole that a deleted node leaves is closed by triangles over its ring; where that cannot be
// done the hull is
//   emptied. A node that is added belongs to no hull triangle unless the hull is empty.
//
// Numbers that do not exist are ignored, so a selection may be stale. Lengths in m, object frame.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/geometry/truss/strung.h"

namespace hazumi {

inline constexpr std::uint32_t kNoNode = 0xffffffffu;

/// Mirror plane: coordinate `axis` = `offset`.
struct TrussSymmetry {
  int axis = 0;             ///< 0 x, 1 y, 2 z
  double offset = 0;        ///< m
  double tolerance = 1e-3;  ///< m; a node that near to the plane lies in it, two that near to each other's
                            ///< image are partners
  Vec3 mirrored(const Vec3& p) const {
    Vec3 q = p;
    q[axis] = 2 * offset - p[axis];
    return q;
  }
};
using OptionalSymmetry = std::optional<TrussSymmetry>;

/// Node numbers, ascending, each once.
using NodeSelection = std::vector<std::uint32_t>;
/// Spring numbers, ascending, each once.
using SpringSelection = std::vector<std::uint32_t>;

struct TrussEdit {
  StrungTruss truss;
  std::vector<std::uint32_t> node_map;  ///< old node → new node, kNoNode where it is gone
  NodeSelection selected;               ///< nodes to select afterwards, in the new numbers (added, copied, merged)
};

/// The node at the mirror image: itself in the plane, kNoNode when there is none within the tolerance.
std::uint32_t symmetric_partner(const StrungTruss& truss, std::uint32_t node, const TrussSymmetry& symmetry);
/// The selection and the partners of its nodes (springs: the springs between the partners).
NodeSelection with_partners(const StrungTruss& truss, const NodeSelection& nodes, const OptionalSymmetry& symmetry);
SpringSelection springs_with_partners(const StrungTruss& truss, const SpringSelection& springs,
                                      const OptionalSymmetry& symmetry);
/// Number of the spring between a and b (any order); nothing when there is none.
std::optional<std::uint32_t> find_spring(const StrungTruss& truss, std::uint32_t a, std::uint32_t b);

/// A node, and with symmetry its partner (one node, put into the plane, when it is that near to it).
/// `selected`: the new ones, the one at `node.position` first.
TrussEdit add_node(const StrungTruss& truss, const StrungNode& node, const OptionalSymmetry& symmetry = {});
struct NodePlace {
  std::uint32_t node = 0;
  Vec3 position = Vec3::Zero();
};
/// Puts nodes to places. With symmetry partners follow mirrored (where both are in the list the one on the
/// positive side leads), and nodes in the plane stay in it. Tetrahedra that a move turns inside out keep
/// their nodes but are taken out of the list.
TrussEdit place_nodes(const StrungTruss& truss, std::span<const NodePlace> places,
                      const OptionalSymmetry& symmetry = {});
TrussEdit move_nodes(const StrungTruss& truss, const NodeSelection& nodes, const Vec3& by,
                     const OptionalSymmetry& symmetry = {});
/// x → centre + linear (x − centre): turn, scale, shear of a selection about a centre.
TrussEdit transform_nodes(const StrungTruss& truss, const NodeSelection& nodes, const Mat3& linear, const Vec3& centre,
                          const OptionalSymmetry& symmetry = {});

/// Nodes with their springs and tetrahedra.
TrussEdit delete_nodes(const StrungTruss& truss, const NodeSelection& nodes, const OptionalSymmetry& symmetry = {});
/// Springs only; nodes stay, also lonely ones.
TrussEdit delete_springs(const StrungTruss& truss, const SpringSelection& springs,
                         const OptionalSymmetry& symmetry = {});

/// A spring between two nodes (none is added where one is); its factors are `like`'s.
TrussEdit string_nodes(const StrungTruss& truss, std::uint32_t a, std::uint32_t b,
                       const OptionalSymmetry& symmetry = {}, const StrungSpring& like = {});
TrussEdit unstring_nodes(const StrungTruss& truss, std::uint32_t a, std::uint32_t b,
                         const OptionalSymmetry& symmetry = {});
/// Springs between all pairs of the selection that are at most `reach` m apart.
TrussEdit string_all(const StrungTruss& truss, const NodeSelection& nodes, double reach,
                     const OptionalSymmetry& symmetry = {}, const StrungSpring& like = {});

/// Copies of the nodes, moved by `by`, with the springs and tetrahedra among them, and the hull where all of
/// a closed piece of it is copied. `selected`: the copies.
TrussEdit duplicate_nodes(const StrungTruss& truss, const NodeSelection& nodes, const Vec3& by);
/// One node at the centre of mass of all (at the pinned one, when one is), with all their springs; masses add
/// up. Fewer than two nodes: unchanged.
TrussEdit merge_nodes(const StrungTruss& truss, const NodeSelection& nodes);
/// Merges every group of nodes within `distance` m of each other.
TrussEdit merge_close_nodes(const StrungTruss& truss, double distance);
TrussEdit set_pinned(const StrungTruss& truss, const NodeSelection& nodes, bool pinned,
                     const OptionalSymmetry& symmetry = {});

/// Replaces one side by the mirror image of the other (`keep_positive`: what lies at coordinates above the
/// plane stays). Nodes in the plane stay. Springs across the plane stay where the node on the other side has
/// a partner. Tetrahedra that cross the plane have no mirror image: then all of them go, and the hull is
/// found anew.
TrussEdit mirror_truss(const StrungTruss& truss, const TrussSymmetry& symmetry, bool keep_positive);

/// A truss of two: `other` beside `truss`, its nodes after those of `truss` (`selected`).
TrussEdit join_trusses(const StrungTruss& truss, const StrungTruss& other);

/// The boundary triangles of tetrahedra, outward.
std::vector<std::array<std::uint32_t, 3>> tetrahedra_boundary(std::span<const std::array<std::uint32_t, 4>> tetrahedra);

}  // namespace hazumi
