// The eight parts of a cell while the octree's builder (octree.cpp) divides it, and the 3 × 3 × 3 lattice of
// their corners.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/geometry/metaball/kernel.h"
#include "core/geometry/metaball/octree.h"
#include "core/geometry/metaball/thin.h"

namespace hazumi::metaball {

/// Number of a lattice point of the 3 × 3 × 3 that the parts of a cell have for corners.
constexpr int lattice(int x, int y, int z) { return x + 3 * y + 9 * z; }
constexpr int lattice_of_corner(int part, int corner) {
  return lattice((part & 1) + (corner & 1), (part >> 1 & 1) + (corner >> 1 & 1), (part >> 2) + (corner >> 2));
}
inline constexpr int kLatticePoints = 27;
inline constexpr int kLatticeStep[3] = {1, 3, 9};

/// Bit p: lattice point p is a corner of the part.
inline constexpr std::array<std::uint32_t, 8> kPointsOfPart = [] {
  std::array<std::uint32_t, 8> mask{};
  for (int part = 0; part < 8; ++part)
    for (int c = 0; c < 8; ++c) mask[static_cast<std::size_t>(part)] |= 1u << lattice_of_corner(part, c);
  return mask;
}();

/// Bit e: kCellEdges[e] is cut when these corners are inside.
inline constexpr std::array<std::uint16_t, 256> kCutEdges = [] {
  std::array<std::uint16_t, 256> cut{};
  for (unsigned inside = 0; inside < 256; ++inside)
    for (unsigned e = 0; e < 12; ++e)
      if ((inside >> kCellEdges[e].corner ^ inside >> (kCellEdges[e].corner | 1u << kCellEdges[e].axis)) & 1u)
        cut[inside] = static_cast<std::uint16_t>(cut[inside] | 1u << e);
  return cut;
}();

/// A list of primitives in the builder's arena.
struct PartList {
  std::uint32_t first = 0, count = 0;
};

/// The eight parts of a cell while it is divided.
struct Parts {
  PartList list;                     ///< the primitives that reach into any of them
  unsigned active = 0xff, held = 0;  ///< held: turned corners lie in them or on their border
  std::int32_t size = 0;
  double half = 0;      ///< m, half an edge
  double rounding = 0;  ///< what a sum of Σ ρ may be off by
  Lanes middle[3], value, gradient[3];
  bool sampled = false;  ///< value and gradient are there
  Lanes slope[3][2];
  bool bounded = false;  ///< slope is there
  std::array<Proof, 8> proof{};
  bool reach_known = false;
  std::array<std::uint8_t, 8> inside{};
  std::array<Sample, kLatticePoints> points;
  std::uint32_t known = 0;   ///< bit p: points[p] is there
  std::uint32_t turned = 0;  ///< bit p: points[p] counts as of the other side (thin.h)
  std::array<Ridge, 8> ridge{};
  unsigned plain = 0;                                  ///< parts whose normals are alike on each sheet
  std::array<std::int8_t, 3 * kLatticePoints> edge{};  ///< number of the crossing on a lattice edge, −1: none
  std::array<bool, 3 * kLatticePoints> twice{};        ///< two crossings are on it, the second has the next number
  std::array<Crossing, 108> crossings;
  int crossing_count = 0;
};

inline const Sample& corner(const Parts& parts, int part, int c) {
  return parts.points[static_cast<std::size_t>(lattice_of_corner(part, c))];
}
/// Number of a part's edge in Parts::edge.
inline std::size_t edge_of(int part, const CellEdge& e) {
  return static_cast<std::size_t>(3 * lattice_of_corner(part, e.corner) + e.axis);
}
/// The corners that are inside, or count so.
std::uint8_t inside_of(const Parts& parts, int part);
/// Of a lattice point: of the whole grid, so that cells of other blocks find the same.
Vec3 lattice_place(const Parts& parts, int point);
/// Values and gradients at the lattice points `wanted`, whose coordinates are at[axis][0 … 2].
void sample_points(const PrimitiveList& list, const double at[3][3], std::uint32_t wanted, Parts& parts);
/// Whether a primitive reaches into the cube around x of this half edge, or may.
bool touches(const KernelPrimitive& primitive, const double x[3], double half);

/// Of parts whose corners lie on one side, those the surface cannot enter: where Σ ρ rises or falls all
/// along an axis it is largest on one face; along the others it differs from the nearest corner by half an
/// edge times its slope at most.
/// Needs slopes.
unsigned empty_by_slopes(const Parts& parts, unsigned which);
/// Parts beside turned corners are not dropped, and show another surface than the one that was proved.
void hold(Parts& parts);
/// Whether a corner lies in a cell or on its border.
bool touches(const TurnedCorner& corner, const std::array<std::int32_t, 3>& low, std::int32_t size);
/// Notes a turned corner in a cell, by its low corner, among its parts, whose size is known.
void mark_turned(const TurnedCorner& corner, const std::array<std::int32_t, 3>& low, Parts& parts);
/// Whether the surface may be near a part by any corner's tangent plane; else a look at its middle is not worth the while.
bool near_by_corners(const Parts& parts, int part, double edge);
/// Those that touch a leaf, by number.
std::vector<std::uint32_t> turned_around(const Leaf& leaf, const TurnedCorners& turned);
enum class Fine : std::uint8_t { no, unless_creased, yes };
/// Whether a sheet of surface in a part is as flat, or as plainly sharp, as the mesh will be. `cut`: its crossings; plain: no
/// crease can pass between them. Otherwise one may where a corner's normal is like none of theirs.
Fine is_fine(const PrimitiveList& list, const GridSpec& grid, const Parts& parts, int part,
             std::span<const Crossing* const> cut, bool plain);
/// Finds the crossings of the edges of the parts `cut` whose ends are on two sides.
void find_crossings(const PrimitiveList& list, double chord, Parts& parts, unsigned cut);
/// Then those of edges of the parts `which` whose ends are on one side, but that pass through a ridge of the other. Returns the parts
/// that have such.
unsigned find_both_sides(const MetaballField& field, const PrimitiveList& list, double chord, Parts& parts,
                         unsigned which);
/// The ridge of a plate that reaches into a part, the nearest one; none where there are creases (ε near 2 and above): thin.h sees
/// what is thin there.
Ridge plate_in(const MetaballField& field, const PrimitiveList& list, const Parts& parts, int part);
/// Which side of a ridge a place is on: its coordinate in the primitive's own frame.
double beyond_ridge(const KernelPrimitive& primitive, int axis, const Vec3& place);

}  // namespace hazumi::metaball
