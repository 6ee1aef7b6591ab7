// A row on the volume in a step of the body "lagrange" (kept_volume.h has the equations), solved with w in the same iteration:
//
//   m w = h f + h p ∂V(x̄) + …        V(x⁺) = wanted
//   w ← w − T A⁻¹ X⁻¹ρ + δp T z,      z = A⁻¹ X⁻¹ h ∂V,   δp so that V⁺ + ½ h ∂V(x⁺)·Δw is the volume wanted
//
// ρ has p ∂V(x̄) of the pass at hand, so that what is found is exact; z may be that of a pass before. Mixing takes p along with w.
// Where the step is made in halves each has a pressure of its own, and volumes between that of the start and the one wanted.
#include <cmath>

#include "core/geometry/truss/enclosed.h"
#include "core/sim/elastic/lagrange_step.h"

namespace hazumi::lagrange {

namespace {

constexpr double kFull = 1e-12;  // of the volume: it is right
constexpr int kAnew = 8;         // passes between which z stays

}  // namespace

/// ∂V where the nodes are after a share of the step, zero at pinned ones; leaves these places in `room`.
void Body::Step::gradient(double share, double* out) {
  const auto& order = body.springs_.order();
  for (std::size_t i = 0; i < n; ++i) room.places[order[i]] = point(i, share);
  row->surface->gradient(room.places, room.gradient);
  for (std::size_t i = 0; i < n; ++i) put(out, i, room.gradient[order[i]]);
  body.clear_held(out);
}

double Body::Step::volume_before() {
  if (!row) return 0;
  const auto& order = body.springs_.order();
  for (std::size_t i = 0; i < n; ++i) room.places[order[i]] = at(p, i);
  return row->surface->volume(room.places);
}

/// After place(): ∂V half-way and at the end, and what volume is lacking.
void Body::Step::press() {
  gradient(0.5, pressed);
  gradient(1, pressed_end);
  lacking = row->wanted - row->surface->volume(room.places);
}

bool Body::Step::fills() { return !row || std::abs(lacking) <= kFull * row->wanted; }

/// strain ← with the change of p that fills the volume; behind it that change.
void Body::Step::hold_volume(int pass) {
  if (pass % kAnew == 0) {
    const Mat3 back = Mat3::Identity() - 0.5 * skew(theta);
    double square = 0;
    for (std::size_t i = 0; i < n; ++i) put(answer, i, h * (back * at(pressed, i)));
    factor->solve(answer, scratch);
    body.clear_held(answer);
    for (std::size_t i = 0; i < n; ++i) square += body.mass_[i] * at(answer, i).squaredNorm();
    room.masses[n] = square;
  }
  double gained = 0, slope = 0;
  for (std::size_t i = 0; i < n; ++i) {
    gained += 0.5 * h * at(pressed_end, i).dot(at(strain, i));
    slope += 0.5 * h * at(pressed_end, i).dot(after * at(answer, i));
  }
  const double more = slope > 0 ? (lacking - gained) / slope : NAN;
  // What begins at rest is as fast as its pressure makes it.
  if (pass == 0)
    tolerance += 1e-13 * (std::abs(w[3 * n]) + std::abs(more)) * std::sqrt(room.masses[n] / body.total_mass_);
  for (std::size_t i = 0; i < n; ++i) put(strain, i, at(strain, i) + more * (after * at(answer, i)));
  strain[3 * n] = more;
  strain[3 * n + 1] = strain[3 * n + 2] = 0;
}

void Body::Step::predict_pressed() {
  const double pressure = row->pressure;
  w[3 * n] = pressure;
  std::copy(push, push + 3 * n, pressed_end);
  if (pressure != 0) {
    const auto& order = body.springs_.order();
    for (std::size_t i = 0; i < n; ++i) room.places[order[i]] = at(p, i) + 0.5 * h * at(u, i);
    row->surface->gradient(room.places, room.gradient);
    for (std::size_t i = 0; i < n; ++i)
      put(push, i, at(push, i) + (h * pressure / body.mass_[i]) * room.gradient[order[i]]);
    body.clear_held(push);
  }
  predict();
  std::copy(pressed_end, pressed_end + 3 * n, push);
}

void Body::Step::finish_row() {
  const double pressure = w[3 * n];
  gradient(0.5, pressed);
  for (std::size_t i = 0; i < n; ++i) row->work += pressure * at(pressed, i).dot(at(moved, i));
  row->impulse += h * pressure;
  row->pressure = pressure;
  const auto& order = body.springs_.order();
  for (std::size_t i = 0; i < n; ++i) room.places[order[i]] = point(i, 1);
  row->off = std::abs(row->surface->volume(room.places) / row->wanted - 1);
}

}  // namespace hazumi::lagrange
