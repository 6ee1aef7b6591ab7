// A mode of a body as a damped oscillator, so that an animator sees a period and a decay instead of "k = 800" (spec 1.7,
// thesis 2.6).
//
//   K φ = λ M φ,   φᵀ M φ = 1,   γ = φᵀ C φ                       modal analysis of 2.24; modes.h finds them
//   ẍ + γ ẋ + λ x = 0
//
//   K, C, M  stiffness, damping and masses for small motions (linear_system.h)
//   λ        1/s², square of the undamped angular frequency
//   γ        1/s; exact when C is a multiple of K (all springs have the same c/k), else right to first order in C
#pragma once

namespace hazumi {

struct ModeValues {
  double lambda = 0;  ///< 1/s²
  double gamma = 0;   ///< 1/s
};

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

Vibration make_vibration(const ModeValues& mode);

}  // namespace hazumi
