// Picking nodes and springs of a strung truss: rings, slabs, neighbours, pieces. All pure, all results
// ascending.
#pragma once

#include "core/geometry/truss/edit.h"

namespace hazumi {

/// The closed loop of springs that continues straightest. From the end of the last spring the next one is the
/// spring of that node which turns least off the direction (at most 75°, so a loop never doubles back); it
/// ends where it comes back to the first spring's start. When nothing closes, the straight chain in both
/// directions is given and `closed` is false. On a box grid this is the line of edges around; on an
/// icosahedron an equator.
struct SpringLoop {
  SpringSelection springs;
  NodeSelection nodes;
  bool closed = false;
};
SpringLoop spring_loop(const StrungTruss& truss, std::uint32_t spring);

/// Ring through a node around an axis: the nodes at its level, that is in the slab perpendicular to `axis`
/// (unit) whose half thickness is `half_thickness` m, and which springs within the slab join to it (directly
/// or over others).
NodeSelection ring_of_node(const StrungTruss& truss, std::uint32_t node, const Vec3& axis, double half_thickness);
/// All nodes whose coordinate along `axis` (unit) is within half_thickness of `level` m.
NodeSelection nodes_in_slab(const StrungTruss& truss, const Vec3& axis, double level, double half_thickness);
/// A half thickness that takes one layer of nodes and not the next: a quarter of the mean spring length.
double ring_thickness(const StrungTruss& truss);

/// The selection with all nodes one spring away.
NodeSelection grow_selection(const StrungTruss& truss, const NodeSelection& nodes);
/// The selection without the nodes that a spring joins to one outside it.
NodeSelection shrink_selection(const StrungTruss& truss, const NodeSelection& nodes);
/// Everything that springs connect to the selection.
NodeSelection connected_nodes(const StrungTruss& truss, const NodeSelection& nodes);
NodeSelection all_nodes(const StrungTruss& truss);
NodeSelection inverted(const StrungTruss& truss, const NodeSelection& nodes);
NodeSelection pinned_nodes(const StrungTruss& truss);

/// Springs with both ends in the selection (`any_end`: with at least one).
SpringSelection springs_of_nodes(const StrungTruss& truss, const NodeSelection& nodes, bool any_end = false);
NodeSelection nodes_of_springs(const StrungTruss& truss, const SpringSelection& springs);

/// Piece number of every node (0 the piece of node 0, in order of their first nodes); `count` pieces in all.
struct TrussPieces {
  std::vector<std::uint32_t> piece;
  std::uint32_t count = 0;
};
TrussPieces connected_pieces(const StrungTruss& truss);

}  // namespace hazumi
