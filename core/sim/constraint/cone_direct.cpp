// The method `direct` of cone.h: which rows push and which slip is guessed, and the rest is one linear system.
//
// A row that slips has λ_t = μ λ_n x/|x|, x = λ_t − u_t/w_t. To first order about the x at hand, with d = x/|x|, e across d and
// ρ = μ λ_n/|x| < 1:
//
//   λ_d = μ λ_n,   u_e + w_t (1 − ρ)/ρ λ_e = 0
//
// so that the way it slips is found with the rest. The design holds d fixed in a guess, and makes one sweep after each. Of 400
// random islands (friction 0, 0.2, 0.5, 0.8, 1.4) that leaves 13, 103, 158, 183, 199 unsettled after ten guesses; with the
// first order 13, 22, 50, 80, 134; and with eight sweeps more after each guess than after the one before 0, 1, 8, 21, 50, most of
// which gradients do not settle either. Guesses needed: 2 to 3 for 6.
#include <algorithm>
#include <cmath>

#include "core/math/dense_lu.h"
#include "core/sim/constraint/cone_solve.h"

namespace hazumi {

namespace {

constexpr double kLeastShareOfSlip = 1e-9;
// Of the tolerance: rows that neither approach nor part are guessed to push, or a stack would be found row by row.
constexpr double kTouch = 1;
constexpr double kKeptStress =
    0.9;  // of friction that does nothing (corners of a face against each other), per problem

}  // namespace

void ConeSolve::guess_contact(std::size_t i) {
  const ConeRow& row = rows_[i];
  const Vec3 &n = row.normal, &f = impulse_[i], u = velocity(i);
  const auto at = static_cast<std::uint32_t>(i);
  const double push = f.dot(n) + (row.least - u.dot(n)) / ws_.w[i];
  if (!(push * ws_.w[i] > -kTouch * options_.tolerance)) return;
  Vec3 across = Vec3::Zero();
  if (ws_.w_t[i] > 0) across = f - n * n.dot(f) - (u - n * n.dot(u)) / ws_.w_t[i];
  const double size = across.norm(), hold = kProximal * ws_.w[i];
  if (size > friction(i) * push || ws_.w_t[i] == 0) {
    const Vec3 along = size > 0 ? Vec3(across / size) : Vec3(Vec3::Zero());
    ws_.unknowns.push_back({at, n, n + friction(i) * along, row.least, hold, 0});
    const double share = size > 0 ? friction(i) * push / size : 0;  // ρ
    if (share > kLeastShareOfSlip) {
      const Vec3 beside = n.cross(along);
      ws_.unknowns.push_back({at, beside, beside, 0, 0, ws_.w_t[i] * (1 - share) / share});
    }
    return;
  }
  const Vec3 t1 = n.unitOrthogonal(), t2 = n.cross(t1);
  ws_.unknowns.push_back({at, n, n, row.least, hold, 0});
  for (const Vec3& t : {t1, t2}) ws_.unknowns.push_back({at, t, t, 0, kProximal * ws_.w_t[i], 0, true});
}

void ConeSolve::guess() {
  ws_.unknowns.clear();
  ws_.first.clear();
  for (std::size_t i = 0; i < count(); ++i) {
    ws_.first.push_back(static_cast<std::uint32_t>(ws_.unknowns.size()));
    if (ws_.w[i] == 0) continue;
    if (is_contact(i)) {
      guess_contact(i);
      continue;
    }
    for (int k = 0; k < 3; ++k) {
      if (ws_.spread[i][k] == 0) continue;
      const Vec3 axis = ws_.axes[i].col(k);
      ws_.unknowns.push_back(
          {static_cast<std::uint32_t>(i), axis, axis, axis.dot(rows_[i].wanted), kProximalJoint / ws_.spread[i][k], 0});
    }
  }
  ws_.first.push_back(static_cast<std::uint32_t>(ws_.unknowns.size()));
}

void ConeSolve::fill_matrix() {
  const std::size_t n = ws_.unknowns.size();
  if (ws_.matrix.size() < n * (n + 1)) ws_.matrix.resize(n * (n + 1));
  double* a = ws_.matrix.data();
  std::fill(a, a + n * (n + 1), 0.0);
  for (std::size_t q = 0; q < n; ++q) {
    const ConeWorkspace::Unknown& of = ws_.unknowns[q];
    for (std::uint32_t k = w_.start[of.row]; k < w_.start[of.row + 1]; ++k) {
      const std::uint32_t other = w_.column[k];
      if (ws_.first[other] == ws_.first[other + 1]) continue;
      const Vec3 answer = w_.block[k].transpose() * of.column;
      for (std::uint32_t p = ws_.first[other]; p < ws_.first[other + 1]; ++p)
        a[q * n + p] = ws_.unknowns[p].axis.dot(answer);
    }
    a[q * n + q] += of.hold + of.yield;
    const double kept = result_.guesses == 0 && of.sideways ? kKeptStress : 1;
    a[n * n + q] = of.value - of.axis.dot(free_[of.row]) + kept * of.hold * of.axis.dot(impulse_[of.row]);
  }
}

/// One guess and what follows from it; the greatest change, m/s, negative where the system has no solution.
double ConeSolve::solve_guess() {
  guess();
  fill_matrix();
  const std::size_t n = ws_.unknowns.size();
  double* const matrix = ws_.matrix.data();
  double* const x = matrix + n * n;
  if (!dense_lu(matrix, n, n + 1)) return -1;
  dense_back(matrix, n, x);
  std::fill(ws_.next.begin(), ws_.next.end(), Vec3::Zero());
  for (std::size_t p = 0; p < n; ++p) ws_.next[ws_.unknowns[p].row] += x[p] * ws_.unknowns[p].column;
  double change = 0;
  for (std::size_t i = 0; i < count(); ++i) {
    const Vec3 next = clamped(i, ws_.next[i]);
    change = std::max(change, change_of(i, next - impulse_[i]));
    impulse_[i] = next;
  }
  find_velocities();
  return change;
}

void ConeSolve::by_guesses() {
  result_.used = ConeMethod::direct;
  bool still = false;
  const int most = count() > kFewRows ? kMostGuessesOfMany : kMostGuesses;
  for (int k = 0; k < most && !still; ++k) {
    const double change = solve_guess();
    ++result_.guesses;
    if (change < 100 * options_.tolerance) break;
    for (int pass = 0; pass <= kMoreSweeps * k && !still; ++pass) still = sweep() < options_.tolerance;
  }
  result_.settled = sweep() < 100 * options_.tolerance;
}

}  // namespace hazumi
