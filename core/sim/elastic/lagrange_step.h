// One step of the body "lagrange": the numbers that its parts share. Equations and symbols are in lagrange.cpp; all vectors
// and matrices here are in the axes of the frame at the start of the step, turned by R⁻ᵀ, velocities less that of the
// centre of mass.
#pragma once

#include "core/sim/elastic/lagrange_body.h"

namespace hazumi::lagrange {

struct Body::Step {
  Step(const Body& of, int depth, std::span<double> state, std::span<const Vec3> forces, const Vec3& acceleration,
       ElasticWorkspace& workspace);

  void predict();           ///< w ← the start value
  void coast_by_newmark();  ///< β < ¼: accelerations of the start, and what they add to the way
  bool iterate();           ///< w ← the solution; false: it did not settle, w is the best of what was met
  bool hold_energy();  ///< after place(): takes out of the vibration what such a w gains; false: that holds not so much
  /// w of a step in which the springs stay as they are and half of the vibration is lost; false: place() refuses it.
  bool freeze(bool turning);
  bool repeat_by_masses();  ///< the same by the thesis's iteration; false: it did not settle
  void hold_momenta();      ///< after place(): takes out of P and L what the iteration, or Newmark's rule, adds
  bool place();             ///< positions, turn and Δd of w; false: not finite, or turned by more than 169°
  bool finish(std::span<double> state) const;  ///< after place(); false: not finite or too fast

  /// With a row on the volume: w ← the start value under the pressure, too.
  void predict_pressed();
  /// After place(): adds up work and mean of the pressure, and how far the volume is off.
  void finish_row();
  double volume_before();  ///< m³, of the start; without a row 0

  bool newmark() const { return body.beta_ != 0.25; }

  const Body& body;
  const std::size_t n;
  const double h;
  const SparseFactor* const factor;  // of A; null: the fixed point's
  FrameState before;
  Mat3 attitude;                         // R⁻
  Vec3 centre_velocity = Vec3::Zero();   // m/s, world
  Vec3 fall = Vec3::Zero();              // h g, m/s, world; of a pinned body it is in `push`
  const double* d;                       // of the state
  double *p, *u, *push, *coast;          // p⁻; u⁻; h f/m; the way without w
  double *w, *moved, *change;            // u⁺ − u⁻; Δp; Δd
  double *strain, *rate, *pull, *start;  // d̄ and Δd/h, or d⁺ and ḋ⁺; G − m s × r, later ρ; a⁻ (β < ¼)
  double* best;                          // the w that was least off
  const double* drive;                   // K o, N; null: none
  double* scratch;                       // of solves and of the mixing
  double tolerance = 0;                  // m/s, in the mean over the mass
  Mat3 fit_before = Mat3::Zero(), fit = Mat3::Zero();  // Σ m p⁻ rᵀ, Σ m p⁺ rᵀ
  Vec3 shift = Vec3::Zero();                           // mean of the way
  Quat turn = Quat::Identity();                        // T = R⁻ᵀ R⁺
  Vec3 theta = Vec3::Zero();                           // Cayley's vector of T
  Mat3 after = Mat3::Identity();                       // T as a matrix
  int* passes;
  /// A row on the volume (ElasticWorkspace::row, lagrange_volume.cpp); its p is behind w, with two numbers that stay 0. Null: none.
  ElasticWorkspace::VolumeRow* const row;
  ElasticWorkspace::RowScratch& room;
  double *pressed = nullptr, *pressed_end = nullptr;  // ∂V half-way, and at the end
  double* answer = nullptr;                           // A⁻¹ X⁻¹ h ∂V of some pass
  double lacking = 0;                                 // m³
  std::size_t count() const { return row ? 3 * n + 3 : 3 * n; }

 private:
  Vec3 way(std::size_t i) const { return at(coast, i) + 2 * body.beta_ * h * at(w, i); }
  /// Position after a share of the step (0, ½, 1), less the centre's.
  Vec3 point(std::size_t i, double share) const { return at(p, i) + share * at(moved, i); }
  void rates(double share, const Mat3& spread, const Mat3& moment);
  void internal_forces(double share, const Mat3& spread, const Mat3& moment);
  void forces_of_line(double share, const Mat3& spread);
  double balance();
  double solve(int pass);
  void gradient(double share, double* out);
  void press();
  bool fills();
  void hold_volume(int pass);
  double norm(const double* x) const;
};

}  // namespace hazumi::lagrange
