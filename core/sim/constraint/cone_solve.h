// What the methods of cone.h share: an island, its impulses and the memory of the thread.
#pragma once

#include <algorithm>
#include <cmath>

#include "core/sim/constraint/cone.h"

namespace hazumi {

// Of a row's mobility, added to the linear system. The mode in which a heavy end of a chain moves, or the light foot of a stack, is
// soft: 3e-6 of a row's mobility for ten boxes, each twice as heavy as the one below. Contacts are often more than there are
// freedoms, joints seldom are.
inline constexpr double kProximal = 1e-9, kProximalJoint = 1e-9;
inline constexpr int kMoreSweeps = 8;  // after a guess, for each that came before it
inline constexpr int kMostGuesses = 10,
                     kMostGuessesOfMany = 6;  // solves of that system; where it has more than kFewRows

class ConeSolve {
 public:
  ConeSolve(const ConeIsland& island, const ConeOptions& options, ConeWorkspace& workspace, std::span<Vec3> impulse);
  ConeResult run();

 private:
  std::size_t count() const { return rows_.size(); }
  const Mat3& own(std::size_t i) const { return w_.block[ws_.diagonal[i]]; }
  bool is_contact(std::size_t i) const { return rows_[i].kind == ConeRow::contact; }
  bool is_turning(std::size_t i) const { return rows_[i].kind == ConeRow::turning; }
  double friction(std::size_t i) const { return rows_[i].friction > 0 ? rows_[i].friction : 0.0; }
  bool finite() const;
  ConeResult ended();

  void find_mobilities();
  void prepare_sweeps();
  void lay_across();
  void tell_velocities();  // ws_.u, from what was summed on the way
  void find_velocities();  // u ← c + W λ; of parts x
  bool has_parts() const { return !parts_.hold.empty(); }
  Vec3 velocity(std::size_t i) const {
    if (has_parts()) return free_[i] + parts_.velocity(i, ws_.x);
    return Vec3(ws_.u_padded[4 * i], ws_.u_padded[4 * i + 1], ws_.u_padded[4 * i + 2]);
  }
  void push(std::size_t i, const Vec3& step);  // what a change of λ_i makes of u or x
  double change_of(std::size_t i, const Vec3& step) const;
  Vec3 contact_next(std::size_t i, const Vec3& u) const;
  Vec3 equality_step(std::size_t i, const Vec3& u) const;
  Vec3 turning_step(std::size_t i, const Vec3& u) const;
  Vec3 step_of(std::size_t i, const Vec3& u) const;
  double sweep();  // the greatest change, m/s

  void by_sweeps();
  void by_gradients();
  void by_momentum();
  double sweep_parts(bool back);
  void lay_lanes();
  void refresh_parts();
  void by_products();
  Vec3 shortened_next(std::size_t i, const Vec3& from, const Vec3& u, double share) const;
  double pull(std::size_t i, const Vec3& step, double& change) const;
  void by_guesses();
  void guess_instead();
  void guess_contact(std::size_t i);
  void guess();
  void fill_matrix();
  double solve_guess();
  Vec3 clamped(std::size_t i, const Vec3& impulse) const;

  std::span<const ConeRow> rows_;
  const BlockRows& w_;
  std::span<const Vec3> free_;
  const ConeParts& parts_;
  const ConeOperator* const products_;
  const ConeOptions& options_;
  ConeWorkspace& ws_;
  std::span<Vec3> impulse_;
  ConeResult result_;
  bool across_is_there_ = false;
};

/// λ of a contact after it is solved by itself, with the others held.
inline Vec3 ConeSolve::contact_next(std::size_t i, const Vec3& u) const {
  const ConeWorkspace::Swept& s = ws_.swept[i];
  const Vec3& before = impulse_[i];
  const double was = before.dot(s.normal), now = std::max(0.0, was + (s.least - u.dot(s.normal)) * s.spread);
  const Vec3 pushed = u + (now - was) * s.w_n;
  Vec3 across = Vec3::Zero();
  if (s.spread_t > 0) across = before - was * s.normal - (pushed - s.normal * s.normal.dot(pushed)) * s.spread_t;
  const double most = s.friction * now, square = across.squaredNorm();
  if (square > most * most) across *= most / std::sqrt(square);
  return now * s.normal + across;
}

}  // namespace hazumi
