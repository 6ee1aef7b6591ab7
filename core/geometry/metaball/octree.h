// First stage of the polygoniser (spec 4.2): octrees over the blocks of a grid that is fixed in the object's
// frame. Each block's tree depends only on the primitives that reach into it and on the GridSpec, so trees
// are built in parallel and kept while their primitives stay as they are.
//
// A cell is
//   dropped    when the interval of Σ ρ over it excludes 1 (the natural one, or the mean-value form around
//   its middle), simple     when for some direction d the interval of d·∇Σρ over it excludes 0: the surface
//   in it is one
//              graph over the plane across d, so nothing closed hides in it (Snyder 1992; Plantinga & Vegter
//              2004 ask for a cone of normals under 90°, which would refine the edges of boxes without end);
//              what is proved of a cell holds for every part of it and is not proved again,
//   fine       when the tangent planes where the surface cuts its edges agree with one point within the
//              tolerance: their mean (smooth) or the point nearest to all of them (sharp edge, corner),
// or two sheets     when that holds on each side of a plate's ridge, which the surface does not touch (close_proof.h),
// and it is divided until it is dropped or both simple and fine, or has reached the smallest size. The eight
// parts of a cell are looked at together (kernel.h).
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "core/geometry/metaball/field.h"

namespace hazumi::metaball {

inline constexpr int kBlockLevels = 12;
inline constexpr std::int32_t kBlockUnits = 1 << kBlockLevels;  ///< finest cells along a block's edge

/// Whole-number places, in units, in the object's frame.
using Place = std::array<std::int64_t, 3>;

struct GridSpec {
  double unit = 0;             ///< m, edge of the finest cell
  Vec3 origin = Vec3::Zero();  ///< m, place (0,0,0)
  double chord = 0;            ///< m, largest chord error
  double simple_limit = 1;     ///< smallest cell as part of the thinnest radius, see Tree
  double smallest = 0;         ///< m, no cell with a smaller edge

  Vec3 at(const Place& p) const {
    return origin + unit * Vec3(static_cast<double>(p[0]), static_cast<double>(p[1]), static_cast<double>(p[2]));
  }
};

/// Where the surface cuts a cell's edge: found to a part of the chord error where the field bends, else from
/// the cubic through the values and slopes at its ends.
struct Crossing {
  Vec3 point;
  Vec3 normal;  ///< unit, outward; zero where the field has no gradient
};

/// What is proved of the surface in a cell, by the cone that holds all its gradients: nothing; it is two graphs, one on
/// each side of a ridge that it does not touch; it is one graph that does not overhang much; nor can it reach deep between the
/// corners.
enum class Proof : std::uint8_t { none, sheets, graph, one_sided };

/// The plane through the middle of a primitive across an axis of its own: between the two sides of a plate (Proof::sheets).
struct Ridge {
  std::int16_t primitive = -1;  ///< of the field; −1: none
  std::int8_t axis = 0;
  friend bool operator==(const Ridge&, const Ridge&) = default;
};

struct Leaf {
  std::array<std::int32_t, 3> low;  ///< units from the block's corner
  std::int32_t size = 0;            ///< units; 0: divided since, no leaf any more
  std::int32_t node = 0;            ///< into Tree::nodes
  std::uint8_t inside = 0;          ///< bit c: corner c (x + 2y + 4z) has Σ ρ ≥ 1
  Proof proof = Proof::none;
  bool turned = false;      ///< a corner counts as of the other side (thin.h)
  bool large = false;       ///< and other cells around that corner are smaller
  bool plain = false;       ///< no crease is in its surface: the normals of each sheet are proved to be alike
  Ridge ridge;              ///< between two sheets
  std::uint16_t cut = 0;    ///< bit e: kCellEdges[e] is cut
  std::uint16_t twice = 0;  ///< bit e: kCellEdges[e] is cut on both sides of the ridge, its ends are of one side
  std::uint16_t list_size = 0;
  std::uint32_t list_first = 0;  ///< into Tree::lists: primitives, all that reach into it among them
  std::uint32_t crossing_first =
      0;  ///< into Tree::crossing_of: one per cut edge, two per one cut twice, in order of kCellEdges
};

/// The twelve edges of a cell: lower corner and axis.
struct CellEdge {
  std::uint8_t corner, axis;
};
inline constexpr std::array<CellEdge, 12> kCellEdges = {
    {{0, 0}, {2, 0}, {4, 0}, {6, 0}, {0, 1}, {4, 1}, {1, 1}, {5, 1}, {0, 2}, {1, 2}, {2, 2}, {3, 2}}};

/// Whether the cut edges of a cell with these corners inside form one loop, no face having two pairs.
const std::array<bool, 256>& single_loops();

/// How many crossings the edges before a cell's edge `number` have, of 12 those of all.
inline int crossings_before(const Leaf& leaf, unsigned number) {
  const unsigned before = (1u << number) - 1;
  int count = 0;
  for (unsigned left = leaf.cut & before; left; left &= left - 1) ++count;
  for (unsigned left = leaf.twice & before; left; left &= left - 1) count += 2;
  return count;
}

struct Tree {
  /// ≥ 0: index of the first of eight children; −1: dropped; ≤ −2: leaf −2 − value.
  std::vector<std::int32_t> nodes;
  std::vector<Leaf> leaves;
  std::uint32_t cut_leaves = 0;  ///< with surface; counts those divided since too
  std::vector<std::uint16_t> lists;
  std::vector<Crossing> crossings;
  std::vector<std::uint32_t> crossing_of;
  /// One per eight nodes that build_tree() made: hash of what they and all below them depend on (keep_cells.h).
  std::vector<std::uint64_t> inputs;
};

/// A block's tree as build_tree() gave it last time, on the same grid, for what of it is the same now.
struct OldTree {
  const Tree* tree = nullptr;  ///< null: there is none
  /// One per primitive of the field: hash of its number and of all that is read of it.
  std::span<const std::uint64_t> keys;
};

/// Corners of a block's cells that count as of the other side than they are (thin.h), sorted by place.
struct TurnedCorner {
  std::array<std::int32_t, 3> at;  ///< units from the block's corner, 0 … kBlockUnits
  std::int32_t size;               ///< units: cells around it are no larger
  friend auto operator<=>(const TurnedCorner&, const TurnedCorner&) = default;
};
using TurnedCorners = std::vector<TurnedCorner>;

struct BuildControl {
  const std::atomic<bool>* cancel = nullptr;
  std::atomic<std::uint64_t>* leaves = nullptr;  ///< with surface, of all blocks together
  std::uint64_t leaf_limit = 0;                  ///< beyond it, work stops: the caller starts again, coarser
  bool stop() const {
    return (cancel && cancel->load(std::memory_order_relaxed)) || leaves->load(std::memory_order_relaxed) > leaf_limit;
  }
};

/// `list`: the primitives that may reach into the block, in order. The tree is the same whatever there is of an old one;
/// `old_leaf` gets its leaves' numbers in that, −1 for those that were made anew. Of no use when control.stop().
Tree build_tree(const MetaballField& field, const GridSpec& grid, const Place& block,
                const std::vector<std::uint16_t>& list, const OldTree& old, std::vector<std::int32_t>& old_leaf,
                const BuildControl& control);

/// Divides the listed leaves of the tree at least once; their size becomes 0, new leaves are added at the
/// end.
void divide_leaves(const MetaballField& field, const GridSpec& grid, const Place& block, Tree& tree,
                   const std::vector<std::int32_t>& leaves, const TurnedCorners& turned, const BuildControl& control);
/// Makes leaves anew whose corners are turned, and leaves of dropped cells around these. `list` as for build_tree.
void turn_corners(const MetaballField& field, const GridSpec& grid, const Place& block, Tree& tree,
                  const std::vector<std::uint16_t>& list, const TurnedCorners& turned, const BuildControl& control);

/// Point nearest to the planes through the crossings, in the least-squares sense, near `middle`; directions
/// in which the planes say nothing keep `middle`.
Vec3 sharp_point(std::span<const Crossing* const> crossings, const Vec3& middle);
/// The same within a box: along a crease that leaves it the point goes to where the crease is inside.
Vec3 sharp_point(std::span<const Crossing* const> crossings, const Vec3& middle, const Vec3& low, const Vec3& high);

}  // namespace hazumi::metaball
