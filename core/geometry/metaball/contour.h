// Second stage of the polygoniser: the closed mesh from the blocks' trees, by dual contouring with one vertex
// for every sheet of surface in a cell. It is a 2-manifold by construction:
//   - a *minimal edge* is an edge of a cell that no smaller cell divides; it is cut when its ends differ;
//   they are found by walking
//     all trees together (cells, then faces between two, then edges between four: Ju et al.),
//   - on every minimal face the cut edges around it are joined in pairs, so that inside corners are cut off
//   one
//     run at a time: both cells beside the face see the same edges and make the same pairs,
//   - a cut edge lies on two faces of each cell around it, so within a cell the pairs form closed loops;
//     every loop is one vertex; every cut edge is one polygon through the vertices of the cells around it.
//     Most cells have one loop, which a table of their corners tells.
// This is the dual of a closed polygon surface, on any octree, whatever the levels beside each other. Two
// cells joined by several pairs on one face would give one mesh edge twice, so where both join the same loops each pair gets a
// vertex of its own on the face, and a polygon with such a vertex is a fan around a vertex on its edge. A diagonal
// of a four-sided polygon always ends at a cell as small as the edge: such a pair of cells shares this edge
// alone. An edge that is cut on both sides of a plate's ridge (Leaf::twice) is two records with a polygon each; on faces of such cells
// edges with like normals are paired. Vertices are placed inside their cells, off the border (on the face, on the edge for the two exceptions; beside
// corners that are turned, thin.h, also outside); then they are centred, and kept apart as single precision has them. Sources: Ju, Losasso, Schaefer, Warren 2002 (dual contouring); Nielson 2004 (a vertex per sheet).
#pragma once

#include <memory>
#include <vector>

#include "core/base/parallel.h"
#include "core/geometry/metaball/octree.h"

namespace hazumi::metaball {

/// A vertex before normals are split.
struct SheetVertex {
  Vec3 point;
  Vec3 normal;
  std::int32_t leaf = -1;  ///< in its block: where its primitives are listed
  bool sharp = false;      ///< the sheet turns by more than 30° within the cell
  bool proved = false;     ///< of a cell that is
  bool alone = false;      ///< the only one of a cell that Placed knows
  bool apart = false;  ///< the only one of its cell, and far enough from its border to be so in single precision too
};

struct Surface3 {
  std::vector<SheetVertex> vertices;
  std::vector<std::int32_t> block;  ///< one per vertex
  std::vector<std::array<std::uint32_t, 3>> faces;
};

/// What is known of the vertices of a tree as build_tree() gave it, by leaf, from call to call. A vertex that is the only one
/// of its cell depends on the tree alone.
struct Placed {
  explicit Placed(std::size_t leaves) : vertex(leaves) {}
  std::vector<SheetVertex> vertex;  ///< as it was placed, not centred; leaf −1: not known
  std::vector<Vec3> at;             ///< where it was in the mesh, with this look; empty: no looks are known
  std::vector<VertexLook> look;
  std::uint64_t colours = 0;  ///< hash of those that the looks were blended of
};

struct BlockTree {
  Place at{};  ///< block coordinates
  std::shared_ptr<const Tree> tree;
  std::shared_ptr<Placed> placed;  ///< of the tree as it was before cells of it were divided or turned
};

/// Moves smooth vertices along their normals so that the mean error of the faces around them is zero; with all on the
/// surface, faces lie on its hollow side. Along an edge d between normals n₀ and n₁ a quadratic surface rises by
/// s = d·(n₁ − n₀)/8 above its middle, above a triangle by the mean of the three s in the mean; a vertex moves by the
/// mean of its triangles', weighed by area.
void centre(Surface3& surface);

/// Moves vertices that would be one place in single precision, as files have it, by a few of its last digits: joined
/// there, two sheets would touch in a point.
void keep_apart(Surface3& surface);

/// `blocks` sorted by place (z, then y, then x). Trees are replaced by divided ones where a cut edge lies
/// beside a cell more than twice its size, or where a cell proved simple would get several sheets: its
/// neighbours saw what its own corners did not. Vertices that are known are taken, others noted. Empty when control.stop().
Surface3 contour(const MetaballField& field, const GridSpec& grid, std::vector<BlockTree>& blocks,
                 const std::vector<TurnedCorners>& turned, const BuildControl& control, Executor& executor);

}  // namespace hazumi::metaball
