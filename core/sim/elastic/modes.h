// The lowest vibration modes of a body (spec 1.7): what its stiffness, damping and mass look like in motion.
//
//   K φ = λ M φ,   φ = 0 at pinned nodes,   φᵀ M φ = 1,   γ = φᵀ C φ
//   ẍ + γ ẋ + λ x = 0                                                  (as in vibration.h)
//
// K, C, M come from the body's solver (ElasticSolverInfo::linearise). Up to ModesOptions::dense_limit nodes by a dense
// solver, above by shift-invert Lanczos on M^-½ K M^-½ (math/eigen.h), rigid motions projected out. Nodes in a plane or
// on a line are treated in it. Working range: 2 to about 10,000 nodes.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "core/base/result.h"
#include "core/sim/elastic/linear_system.h"
#include "core/sim/elastic/vibration.h"

namespace hazumi {

struct VibrationMode {
  ModeValues values;    ///< λ 1/s², γ 1/s
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

/// One sentence for a body that nothing holds together, or with wrong masses.
Result<VibrationModes> vibration_modes(const LinearSystem& system, const ModesOptions& options = {});

/// The modes of `now` without another solve, when it is `solved` with K, C and M each times a number; else nothing.
std::optional<VibrationModes> scaled_modes(const LinearSystem& solved, const VibrationModes& modes,
                                           const LinearSystem& now);

}  // namespace hazumi
