// The lowest vibration modes of a truss (spec 1.7): what k, c, m of the whole model look like in motion.
//
//   K φ = λ M φ,  φ = 0 at pinned nodes,  φᵀ M φ = 1,  γ = φᵀ C φ;   ẍ + γ ẋ + λ x = 0        (as in
//   vibration.h)
//
// Up to ModesOptions::dense_limit nodes by the dense symmetric solver (Eigen), above by shift-invert Lanczos
// (Spectra) on M^-½ K M^-½, rigid motions projected out. Nodes in a plane or on a line are treated in it.
#pragma once

#include <functional>
#include <vector>

#include "core/base/result.h"
#include "core/geometry/truss/truss.h"
#include "core/sim/elastic/vibration.h"

namespace hazumi {

struct VibrationMode {
  LowestMode values;    ///< λ 1/s², γ 1/s
  Vibration vibration;  ///< frequency (Hz), damping ratio, half time
  /// One per node, object frame, scaled so that the largest has length 1; the sign makes its largest
  /// component positive. Node i at time t of a swing with amplitude A m: x_i + A shape[i]
  /// vibration.displacement(t).
  std::vector<Vec3> shape;
};

struct VibrationModes {
  int rigid_motions = 0;  ///< left out: 6 for a free body in space, fewer with pins or nodes in a plane or on a line
  int mechanisms = 0;     ///< motions without stiffness, left out too (at most as many as were met)
  std::vector<VibrationMode> modes;  ///< ascending λ; fewer than asked when there are no more
};

struct ModesOptions {
  int count = 6;                         ///< modes wanted, 1…50
  int dense_limit = 200;                 ///< nodes
  std::function<bool()> cancelled = {};  ///< asked in every iteration; cancelled: an info diagnostic
};

/// Masses in kg, stiffness in N/m (object_truss() gives them). One sentence for a truss that has no springs
/// or wrong masses.
Result<VibrationModes> vibration_modes(const Truss& truss, const ModesOptions& options = {});

}  // namespace hazumi
