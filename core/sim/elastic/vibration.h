// How a truss swings on its own: its lowest elastic mode, and that mode as a damped oscillator, so that an animator sees
// a period and a decay instead of "k = 800" (spec 1.7, thesis 2.6).
//
//   K φ = λ M φ,  φᵀ M φ = 1,  γ = φᵀ C φ;   ẍ + γ ẋ + λ x = 0                          (modal analysis of 2.24)
//
// K, C   stiffness and damping matrix of the springs, assembled from k b bᵀ and c b bᵀ (2.13)
// M      lumped masses, kg
// λ      1/s², square of the undamped angular frequency
// γ      1/s; exact when C is a multiple of K (all springs have the same c/k), else right to first order in C
//
// Modes without stiffness are left out: the rigid ones, and those of mechanisms. Nodes on a line or in a plane are treated in
// their line or plane, where linear springs have stiffness at all; pinned nodes stand still. Small trusses are solved densely, larger ones by subspace
// iteration with a shifted sparse factor (Bathe 2014, 11.6), rigid modes projected out.
// Working range: 2 to about 10,000 nodes; a cancelled or not converging solve gives nothing.
#pragma once

#include <functional>
#include <optional>

#include "core/geometry/truss/truss.h"

namespace hazumi {

struct LowestMode {
  double lambda = 0;  ///< 1/s²
  double gamma = 0;   ///< 1/s
};

struct LowestModeOptions {
  int dense_limit = 150;                 ///< unknowns up to which the dense solver is used
  std::function<bool()> cancelled = {};  ///< asked in every iteration
};

/// Nothing for a truss without springs, without an elastic mode, or with masses that are not positive.
std::optional<LowestMode> lowest_mode(const Truss& truss, const LowestModeOptions& options = {});

/// The oscillator of a mode, let go at 1 at rest.
struct Vibration {
  double lambda = 0, gamma = 0;
  double damping_ratio = 0;  ///< ζ = γ / 2√λ; from 1 on it creeps back without swinging
  double frequency = 0;      ///< Hz, damped; 0 when it does not swing
  double period = 0;         ///< s; 0 when it does not swing
  double half_time = 0;      ///< s after which the swing (creep) is half as large; infinite without damping

  double displacement(double time) const;  ///< time in s from the release
  double envelope(double time) const;      ///< size of the swing at that time (creep: the displacement itself)
};

Vibration make_vibration(const LowestMode& mode);

}  // namespace hazumi
