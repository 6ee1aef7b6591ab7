// Analysis model: what moves (spec 1.1, 1.7). Nodes with lumped mass, springs between them; hull triangles (outward)
// carry the linear mapping, contact on the analysis model and the drawing of it.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/math/types.h"

namespace hazumi {

struct Spring {
  std::uint32_t a = 0, b = 0;  ///< node numbers, a < b
  double stiffness = 0;        ///< N/m
  double damping = 0;          ///< N s/m
  friend bool operator==(const Spring&, const Spring&) = default;
};

/// Part of what a cloth or rope has against bending, E = ½ k |x_a − x_b|²: |Σ w x|² with Σ w = 0 is −Σ w_a w_b |x_a − x_b|² over the
/// pairs, and |x_a − 2 x_b + x_c|² three of them. Some push (k < 0); all of a body together are positive.
struct Bend {
  std::uint32_t a = 0, b = 0;  ///< node numbers
  double stiffness = 0;        ///< k, N/m
  friend bool operator==(const Bend&, const Bend&) = default;
};

struct Truss {
  std::vector<Vec3> nodes;     ///< m, object frame
  std::vector<double> masses;  ///< kg
  std::vector<Spring> springs;
  std::vector<Bend> bends;                               ///< of a cloth or rope, else empty
  std::vector<std::array<std::uint32_t, 3>> hull;        ///< outward triangles; empty for a two-node model
  std::vector<std::uint32_t> pinned;                     ///< nodes held where they are at the start, ascending
  std::vector<std::array<std::uint32_t, 4>> tetrahedra;  ///< of a fill, else empty
  /// Of a grid the eight nodes of each, x fastest; of a fill with Voronoi cells those of each, ascending; else empty.
  std::vector<std::vector<std::uint32_t>> cells;
  std::vector<std::uint32_t> line;  ///< of a rope: its nodes from end to end; else empty

  bool empty() const { return nodes.empty(); }
};

enum class TrussShape { plane_grid, box_grid, octahedron, icosahedron, cloth, rope };

struct TrussRecipe {
  TrussShape shape = TrussShape::icosahedron;
  /// Divisions: plane grid and cloth x, –, z; box grid x, y, z (cells, at least 1); rope: the first; octahedron and icosahedron:
  /// x only, number of parts every edge is cut into (1: the bare solid).
  std::array<int, 3> divisions = {2, 2, 2};
  Vec3 size = Vec3(1, 1, 1);   ///< m, full extents
  Vec3 offset = Vec3::Zero();  ///< m, of the centre from the object's origin
  bool hollow = false;         ///< octahedron and icosahedron: nothing inside, a skin alone
  double shear = 0;            ///< of a cloth: stiffness of the diagonals of its squares, of that of their sides
  /// Of a cloth: N m, moment across a metre that bends it by 1/m. Of a rope: N m², moment that bends it by 1/m.
  double bending = 0;
  friend bool operator==(const TrussRecipe&, const TrussRecipe&) = default;
};

/// Geometry and connectivity only: masses 1/node count (sum 1 kg), stiffness and damping 1. Every shape has exactly six
/// zero modes, the rigid ones (a test checks the rank of K).
/// - Plane grid: a board, one cell thick (size.y): a single layer of nodes has no linear stiffness against bending.
/// - Box grid: edges, face diagonals and body diagonals of every cell.
/// - Octahedron, icosahedron, bare: hull edges and a spring to the node opposite (6 and 12 nodes). Divided: the
///   icosahedron's new nodes lie on the ellipsoid, the octahedron keeps its flat faces; hull edges, a centre node and a spoke
///   from it to every node.
/// - Hollow ones have neither spokes nor opposite springs: balloons, with Volume to keep them round.
/// - Cloth: one layer of nodes in the plane y = 0, springs along the sides of its squares and across both diagonals, bends along both
///   of its directions. The sides of squares of one row are as stiff as the row is wide: k newtons stretch a metre of its
///   width by its own length, however finely it is divided. It has more zero modes than six where `bending` is 0.
/// - Rope: nodes along the longest side of its size, a spring from each to the next of 1/u (u their distance, m): k newtons stretch
///   it by its own length, however finely it is divided. Masses by length, bends along it. The other sides are how thick it is.
Truss make_truss(const TrussRecipe& recipe);

}  // namespace hazumi
