// What becomes of a step whose equations no iteration settles, not even in four parts: cells that are just as well turned one way
// as another. P stays exact and nothing is gained.
//
// relax(): the cells keep the turns that they have, and the rest is linear,
//
//   (M + (½ h η + ¼ h²) L) w = h f − h L (p + ½ h u − M⁻ R),   L of each cell k (1 − 11ᵀ/n)   (strained: of 2 μ |F|² + λ (M⁻ : F)²)
//
// E of a cell is ½ k Σ |r|² less a convex function of N (the greatest tr MᵀN), of which M⁻ says the slope at the start: so E grows by
// no more than the forces say, whatever the step, and the nodes go where their cells have them. What that takes from a turn of the
// whole hold_momenta() gives back, as far as energy allows.
#include <cmath>

#include "core/sim/elastic/cell_step.h"

namespace hazumi::cell_body {

namespace {

constexpr int kMostSweeps = 300;
constexpr double kMostClosed = 0.05;  // of the energy of the vibration
constexpr double kNoMotion = 1e-10;   // of that of all motion
constexpr double kEnough = 1e-20;     // of the square of what is left

}  // namespace

/// out ← out + (stiff L + drag L′) x, less L of the rest arms as the cells are turned where `arms` is set; L′ is η L, of springs that of
/// their dampings.
void Body::Step::add_pull(const double* x, double stiff, double drag, bool arms, double* out) const {
  const double times = stiff + drag * body.damping_;
  for (std::size_t e = 0; e < cells.size(); ++e) {
    const Cell& cell = cells[e];
    const auto nodes = cells.nodes(cell);
    const auto rest = cells.rest(cell);
    if (cells.are_springs()) {
      Vec3 along = at(x, nodes[1]) - at(x, nodes[0]);
      if (arms) along -= 2 * rest[1].norm() * (at(p, nodes[1]) - at(p, nodes[0])).normalized();
      const Vec3 f = 0.5 * (stiff * cell.stiffness + drag * cell.drag) * along;
      put(out, nodes[1], at(out, nodes[1]) + f);
      put(out, nodes[0], at(out, nodes[0]) - f);
      continue;
    }
    if (cell.strained) {
      const Mat3 m = turn_at(cell_turns, e).toRotationMatrix();
      const double part = arms ? 1 : 0;
      const auto place = [&](std::size_t i) { return at(x, i); };
      const Mat3 f = slope(cells, cell, place);
      const double longer = (m.array() * f.array()).sum() - 3 * part;
      const Mat3 pushed = 2 * cell.shear * (f - part * m) + cell.bulk * longer * m;
      for (std::size_t k = 0; k < cell.count; ++k) put(out, nodes[k], at(out, nodes[k]) + times * (pushed * rest[k]));
      if (cell.warp > 0)
        warp(cells, cell, f, place,
             [&](std::size_t k, const Vec3& off) { put(out, nodes[k], at(out, nodes[k]) + times * cell.warp * off); });
      continue;
    }
    Vec3 middle = Vec3::Zero();
    for (const std::uint32_t i : nodes) middle += at(x, i);
    middle /= static_cast<double>(cell.count);
    const Mat3 m = arms ? turn_at(cell_turns, e).toRotationMatrix() : Mat3(Mat3::Zero());
    for (std::size_t k = 0; k < cell.count; ++k) {
      const std::uint32_t i = nodes[k];
      put(out, i, at(out, i) + times * cell.stiffness * (at(x, i) - middle - m * rest[k]));
    }
  }
  body.clear_held(out);
}

bool Body::Step::relax() {
  double *x = strain, *left = pull, *direction = best, *product = rate;  // of conjugate gradients
  std::fill(w, w + 3 * n, 0.0);
  for (std::size_t j = 0; j < 3 * n; ++j) moved[j] = p[j] + 0.5 * h * u[j];
  std::fill(left, left + 3 * n, 0.0);
  add_pull(moved, -h, 0, true, left);
  if (body.damping_ > 0) add_pull(u, 0, -h, false, left);
  double was = 0;
  for (std::size_t j = 0; j < 3 * n; ++j) {
    left[j] += body.mass_[j / 3] * push[j];
    direction[j] = x[j] = left[j] / body.mass_[j / 3];
    was += left[j] * x[j];
  }
  const double enough = kEnough * was;
  for (int k = 0; k < kMostSweeps && was > enough; ++k) {
    for (std::size_t j = 0; j < 3 * n; ++j) product[j] = body.mass_[j / 3] * direction[j];
    add_pull(direction, 0.25 * h * h, 0.5 * h, false, product);
    double along = 0, now = 0;
    for (std::size_t j = 0; j < 3 * n; ++j) along += direction[j] * product[j];
    if (!(along > 0)) break;
    for (std::size_t j = 0; j < 3 * n; ++j) {
      w[j] += was / along * direction[j];
      left[j] -= was / along * product[j];
      now += left[j] * left[j] / body.mass_[j / 3];
    }
    for (std::size_t j = 0; j < 3 * n; ++j) direction[j] = left[j] / body.mass_[j / 3] + now / was * direction[j];
    was = now;
  }
  body.clear_held(w);
  std::copy(cell_turns, cell_turns + 4 * cells.turn_count(), turns);
  turn = Quat::Identity();
  if (!place()) return false;
  hold_momenta();
  return hold_energy();
}

/// What dampers of springs take on the way to `y`, J.
double Body::Step::dissipated(const double* y) const {
  double sum = 0;
  for (std::size_t e = 0; e < cells.size(); ++e) {
    const Cell& cell = cells[e];
    if (cell.drag == 0) continue;
    const auto nodes = cells.nodes(cell);
    const double longer = (at(y, nodes[1]) - at(y, nodes[0])).norm() - (at(p, nodes[1]) - at(p, nodes[0])).norm();
    sum += 0.5 * cell.drag * longer * longer / h;
  }
  return sum;
}

double Body::Step::elastic_energy(const double* places, const double* of_turns) const {
  return eased() ? body.elastic_energy(cells, places, of_turns, of_cells, executor)
                 : body.elastic_energy(cells, places, of_turns);
}

/// After place(): how far the account of the step is open; rate ← the vibration after it.
Body::Step::Account Body::Step::account(bool damped) {
  SecondMoment moment;
  Account of;
  Vec3 mean = Vec3::Zero(), angular = Vec3::Zero();
  for (std::size_t i = 0; i < n; ++i) {
    const double m = body.mass_[i];
    const Vec3 y = point(i, 1), ui = at(u, i), wi = at(w, i);
    of.gain += m * (wi.dot(ui + 0.5 * wi) - at(push, i).dot(at(moved, i) + shift) / h);
    moment.add(m, y.x(), y.y(), y.z());
    mean += m * (ui + wi);
    angular += m * y.cross(ui + wi);
    of.motion += 0.5 * m * (ui + wi).squaredNorm();
    put(rate, i, y);
  }
  std::copy(cell_turns, cell_turns + 4 * cells.turn_count(), turns);
  body.fit_cells(cells, rate, turns, executor);
  of.gain += elastic_energy(rate, turns) - elastic_energy(p, cell_turns);
  if (damped) of.gain += dissipated(rate);
  mean /= body.total_mass_;
  if (body.pinned()) mean.setZero();
  const Vec3 spin = body.rigid_rate(moment, angular);
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3 v = at(u, i) + at(w, i) - mean - spin.cross(point(i, 1));
    put(rate, i, v);
    of.vibration += 0.5 * body.mass_[i] * v.squaredNorm();
  }
  return of;
}

/// After account().
void Body::Step::scale_vibration(double kept) {
  for (std::size_t j = 0; j < 3 * n; ++j) w[j] -= (1 - kept) * rate[j];
  body.clear_held(w);
}

bool Body::Step::hold_energy() {
  const Account of = account(false);
  if (!(of.gain > 0)) return of.gain <= 0;
  scale_vibration(std::sqrt(std::max(0.0, 1 - of.gain / of.vibration)));
  return of.gain <= of.vibration;
}

// The step conserves what it conserves only where its equations are solved. What is left of them works on the nodes; the vibration is made
// so much larger or smaller that the account closes to round-off, as in projection methods (Hairer, Lubich and Wanner, IV.4). Where that
// would be more than a twentieth of it the equations are to be solved further.
bool Body::Step::close_energy(bool last) {
  Account of = account(true);
  if (eased() && body.damped_) of.gain = std::max(of.gain, 0.0);  // what dampers of cells have taken is not known apart
  if (std::abs(of.gain) > std::max(kMostClosed * of.vibration, kNoMotion * of.motion) && !last) return false;
  if (!(of.vibration > 0)) return true;
  const double gain = std::max(of.gain, -kMostClosed * of.vibration);
  scale_vibration(std::sqrt(std::max(0.0, 1 - gain / of.vibration)));
  return true;
}

// The shape turns as a rigid body, and the vibration with it; or not at all, where it spins too fast for that.
bool Body::Step::freeze(bool turning) {
  SecondMoment moment;
  Vec3 linear = Vec3::Zero(), now = Vec3::Zero(), pushed = Vec3::Zero();
  for (std::size_t i = 0; i < n; ++i) {
    const double m = body.mass_[i];
    const Vec3 x = at(p, i);
    moment.add(m, x.x(), x.y(), x.z());
    linear += m / body.total_mass_ * at(push, i);
    now += m * x.cross(at(u, i));
    pushed += m * x.cross(at(push, i));
  }
  if (body.pinned()) linear.setZero();
  const Vec3 spin = body.rigid_rate(moment, now);
  const double part = turning ? h : 0;
  const Mat3 whole = exp_rotation(part * body.rigid_rate(moment, now + 0.5 * pushed)).toRotationMatrix();
  Vec3 angular = now;
  if (turning)
    for (std::size_t i = 0; i < n; ++i) {
      const Vec3 x = at(p, i);
      angular += 0.5 * body.mass_[i] * (x + whole * x).cross(at(push, i));
    }
  const Vec3 spin_after = whole * body.rigid_rate(moment, whole.transpose() * angular);
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3 x = at(p, i), y = whole * x;
    const Vec3 wi = linear + spin_after.cross(y) + 0.5 * (whole * (at(u, i) - spin.cross(x))) - at(u, i);
    put(w, i, wi);
    put(coast, i, y - x + 0.5 * h * linear - 0.5 * h * wi);  // so that way() is y − x and the centre's
  }
  body.clear_held(w);
  body.clear_held(coast);
  turn = Quat::Identity();
  return place();
}

}  // namespace hazumi::cell_body
