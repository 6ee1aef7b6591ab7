// Analysis model strung by hand (spec 1.1, 1.7; thesis figures 5.13, 5.14), or filled with tetrahedra: values
// only. Numbers are factors on the body's own settings, so that softness and weight of the whole stay one
// knob each: mass of a node = body mass × mass / Σ mass; stiffness of a spring = body stiffness (or E A / l)
// × stiffness; damping likewise.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/geometry/truss/truss.h"
#include "core/math/types.h"

namespace hazumi {

struct StrungNode {
  Vec3 position = Vec3::Zero();  ///< m, object frame (before the object's scale)
  double mass = 1;               ///< factor, > 0
  bool pinned = false;           ///< held where it is at the start of the run
  friend bool operator==(const StrungNode&, const StrungNode&) = default;
};

struct StrungSpring {
  std::uint32_t a = 0, b = 0;  ///< node numbers, a < b; no two springs join the same nodes
  double stiffness = 1;        ///< factor, > 0
  double damping = 1;          ///< factor, ≥ 0
  double cross_section = 1;    ///< factor on BodySettings::cross_section, > 0 (stiffness from the material)
  friend bool operator==(const StrungSpring&, const StrungSpring&) = default;
};

struct StrungTruss {
  std::vector<StrungNode> nodes;
  std::vector<StrungSpring> springs;                     ///< ascending (a, b)
  std::vector<std::array<std::uint32_t, 3>> hull;        ///< outward triangles; may be empty (then found: convex hull)
  std::vector<std::array<std::uint32_t, 4>> tetrahedra;  ///< positive volume; of a tetrahedral fill, else empty
  /// Of a fill with Voronoi cells: (number of a cell, a node of it), ascending, cells counted from 0 on without gaps; else empty.
  std::vector<std::array<std::uint32_t, 2>> cells;
  /// Of a cloth its triangles, at most two at an edge and those in opposite directions; it may be open. In place of a hull. Else empty.
  std::vector<std::array<std::uint32_t, 3>> sheet;
  friend bool operator==(const StrungTruss&, const StrungTruss&) = default;
};

/// As make_truss(): unit stiffness and damping × factors, masses that sum to 1 kg; `pinned`, `tetrahedra` and `cells`
/// taken over. The hull of a cloth is its sheet; its bends are not here (sheet.h). A hull that is not given is the outside of the tetrahedra, else the convex hull of the nodes (none for
/// nodes on a line).
Truss to_truss(const StrungTruss& strung);
/// A catalogue shape as a starting point for work by hand.
StrungTruss to_strung(const Truss& truss);
std::uint64_t truss_hash(const StrungTruss& strung);

}  // namespace hazumi
