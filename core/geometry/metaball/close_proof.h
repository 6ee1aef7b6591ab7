// What can be proved of the parts of a cell when only gradients where Σ ρ = 1 count (kernel_close.h): cells with a sheet of surface
// in them and much of what is inside a primitive; creases of boxes; both sides of a plate.
#pragma once

#include <cstdint>
#include <vector>

#include "core/geometry/metaball/cell_parts.h"
#include "core/geometry/metaball/field.h"

namespace hazumi::metaball {

/// Tangents of the largest angle between the gradient and one direction: Proof::graph and Proof::one_sided.
/// Where a primitive has creases (ε near 2 and above) the wedge within 72° may be so thin that corners miss its edge.
inline constexpr double kGraph = 3, kGraphCreased = 1.7, kOneSided = 1.2;
/// The same where no crease can be: normals differ by 53° at most.
inline constexpr double kPlain = 0.5;

class CloseProof {
 public:
  /// Whether it is worth the while: not where all is round, and parts are so large that they will be divided for their chord error
  /// (m) whatever is proved.
  static bool promising(const MetaballField& field, const PrimitiveList& list, double half, double chord);

  /// Of the parts `open`, in which nothing is proved by now: sets proof, ridge and plain, and takes those without surface out of
  /// parts.active. `reach`, `bounds` and `range`: as bounded over the parts.
  void prove(const PrimitiveList& list, const std::uint8_t* reach, const std::vector<PrimitiveBounds>& bounds,
             const Lanes range[2], unsigned open, Parts& parts);
  /// Of these parts those whose normals are proved to be alike; parts.plain is set. Their crossings are known.
  unsigned without_crease(const PrimitiveList& list, Parts& parts, unsigned which);

 private:
  unsigned find_sheets(const PrimitiveList& list, const std::uint8_t* reach, int i, int axis, unsigned open,
                       Parts& parts);
  void directions(const PrimitiveList& list, const std::uint8_t* reach, unsigned open, bool axes, Lanes d[3]) const;
  unsigned plain(const PrimitiveList& list, const std::uint8_t* reach, const Lanes d[3], unsigned which) const;

  std::vector<PrimitiveBounds> bounds_;  ///< narrowed
  std::vector<std::uint8_t> reach_;
};

}  // namespace hazumi::metaball
