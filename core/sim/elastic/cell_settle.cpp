// A step of a body of cells, each with a rotation of its own ("polyhedral", "fem"): implicit midpoint with a discrete gradient.
//
// Source: Miyazaki, Yoshida, Yasuda and Yokoi 1999 (seeds/004), equations 4-13, and Kondo, Kanai and Anjyo 2004 (seeds/003): the forces
// (core/sim/elastic/cells.h). The step is not theirs: it is of frame size and exact in energy (docs/numerics/polyhedral.md, fem.md):
//
//   m (u⁺ − u⁻) = h (f + Σ f_e),   x⁺ = x⁻ + ½ h (u⁻ + u⁺)
//   f_e = −k X̂ (y − s × R),   y = d̄ + η Δd/h,   X̂ = ½ (M⁻ + M⁺),   Bᵀ s = Σ r̄ × X̂ y,   B ω = Σ R × X̂ᵀ (ω × r̄)
//
// of every cell (of a strained one R = b and k y = σ of the mean strain, cell_force.cpp), M from the nodes at both ends. With θ Cayley's vector of M⁺M⁻ᵀ, Δd = X̂ᵀ (Δr − θ × r̄) exactly, and Σ R × Δd = 0
// says θ from Δr: so Σ f_e·Δx = −ΔE − k η |Δd|²/h to round-off, however far a cell turns, and no cell has a force or a torque of its
// own. Energy, momentum and angular momentum change by what outer forces and η say, as those of "lagrange" do.
//
//   c, Q      centre of mass, m (world); attitude: the polar rotation of Σ m (x − c) rᵀ
//   p, r      nodes and reference about c, m (axes of Q)        u   velocities, m/s (world)
//   M, R, d   of a cell: its turn (axes of Q), rest arms and what it is off them, m
//   k, η      N/m; s      h   time step, s      start −, end +, mean ‾
//
// Solved for w = u⁺ − u⁻ by w ← w − D⁺ A⁻¹ D̄⁻¹ ρ, ρ what is left of the first line, A = M + ½ h C + ¼ h² K of the rest shape,
// factored once, D of each node the mean turn of its cells: what is left is of the order of the strain and of what cells beside each
// other turn differently, not of how far the body is bent. Anderson mixing. What does not settle in 40 passes is made in halves.
//
// A cell that turns by more than 160° in a step, or is so flat that B says nothing, takes k (r̄ − M̄ R) with M̄ of the middle: without
// torque too, but its energy is off by the third order; what a step gains so is taken out of the vibration. Flattened and inverted
// cells have a turn like all others (the nearest proper rotation, warm-started) and come back.
//
// Pinned nodes: c is the first pin and does not move, u = 0 at the pins (their rows of A are empty but for the mass).
// Springs ("springs") are cells of two nodes with E = ½ k (l − L)², whose discrete gradient is (k (l̄ − L) + c Δl/h) r̄ / l̄ (pair_force);
// they have no turns, and A is that of the nodes as they are in the middle of the step (spring_matrix.h): β = ¼ h² k + ½ h c along r̄,
// α = ¼ h² T/l̄ across it where T > 0. That is not the slope of ρ, which sees l⁺ along r⁺ and pulls along r̄: a pass leaves of what is
// off about the turn of a spring in half a step. Made every pass, its factor once a step.
//
// State: c(3) Q(4) p(3n) u(3n) M(4 per cell), nodes in the order of the factor.
// Departures from the papers: the implicit step; η moves with the turning cell, where theirs would brake its spin, too.
// Working range: h ω of the stiffest mode to about 1e4, spins to about 1/h, any deformation.
#include <algorithm>
#include <cmath>

#include "core/math/anderson.h"
#include "core/sim/elastic/cell_step.h"

namespace hazumi::cell_body {

namespace {

constexpr double kSpeedLimit = 1e6;  // m/s, of solver.h
constexpr int kMostPasses = 40;

}  // namespace

bool Body::Step::iterate() {
  AndersonMixing mixing(body.mass_, scratch + factor.scratch_size());
  double before_it = 0, least = 0;
  for (int pass = 0; pass < kMostPasses; ++pass) {
    double off = place() ? balance() : NAN;
    if (off <= tolerance) return true;
    if (off < 1e150) off = solve();
    if (!(off < 1e150)) break;
    if (pass == 0 || off < least) {
      least = off;
      std::copy(w, w + 3 * n, best);
    }
    // Done, too, where the next step would be within the tolerance, if it is as much shorter than this one as this one was
    // shorter than the last; and where round-off no longer lets it become shorter.
    const bool last = off <= tolerance || (off < 1e8 * tolerance && 3 * off * off <= tolerance * before_it) ||
                      (pass > 0 && off < (many() || eased() ? 1 : 100) * tolerance && off > 0.5 * before_it);
    if (last) {
      for (std::size_t j = 0; j < 3 * n; ++j) w[j] += strain[j];
      return true;
    }
    before_it = off;
    mixing.advance(w, strain);
  }
  if (least > 0) std::copy(best, best + 3 * n, w);
  return false;
}

void Body::Step::hold_momenta() {
  SecondMoment moment;
  Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
  for (std::size_t i = 0; i < n; ++i) {
    const double m = body.mass_[i];
    const Vec3 y = point(i, 1), half_way = point(i, 0.5), kick = m * (at(w, i) - at(push, i));
    moment.add(m, y.x(), y.y(), y.z());
    linear += kick;
    angular += half_way.cross(kick) + m * (y - at(p, i)).cross(at(u, i) + 0.5 * at(w, i));
  }
  linear /= body.total_mass_;
  if (body.pinned()) linear.setZero();
  const Vec3 spin = body.rigid_rate(moment, angular);
  for (std::size_t i = 0; i < n; ++i) put(w, i, at(w, i) - linear - spin.cross(point(i, 1)));
  if (many() || loose() || eased()) shift -= 0.5 * h * linear;  // the centre goes with the momentum
  body.clear_held(w);
}

/// Momenta, and energy where the equations were not solved to the last bit; false: not finite.
bool Body::Step::conserve() {
  constexpr int kFurther = 12;  // times
  for (int k = 0;; ++k) {
    if (!place()) return false;
    hold_momenta();
    if (!many() && !loose() && !eased()) {
      if (!exact()) hold_energy();
      return true;
    }
    if (close_energy(k == kFurther)) return true;
    tolerance *= 0.3;
    if (!iterate()) k = kFurther - 1;
  }
}

bool Body::Step::finish(std::span<double> state) const {
  double* to_p = state.data() + kFrame;
  double* to_u = to_p + 3 * n;
  double* to_turns = to_u + 3 * n;
  const Quat back = turn.conjugate();
  const Mat3 back_matrix = back.toRotationMatrix();
  Vec3 mean = Vec3::Zero();
  for (std::size_t i = 0; i < n; ++i) {
    put(to_p, i, back_matrix * point(i, 1));
    mean += body.mass_[i] / body.total_mass_ * at(to_p, i);
  }
  Vec3 c = centre;
  const Quat q = (frame * turn).normalized();
  if (!body.pinned()) {  // c is the centre to round-off, for good
    for (std::size_t i = 0; i < n; ++i) put(to_p, i, at(to_p, i) - mean);
    c += h * (centre_velocity + 0.5 * fall) + attitude * shift + q * mean;
  }
  for (const std::uint32_t i : body.held_) put(to_p, i, at(body.reference_.data(), i));
  put(state.data(), 0, c);
  put_turn(state.data() + 3, 0, q);
  for (std::size_t e = 0; e < cells.turn_count(); ++e) put_turn(to_turns, e, (back * turn_at(turns, e)).normalized());
  body.fit_cells(cells, to_p, to_turns, executor);
  double fastest = 0, sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3 velocity = at(to_u, i) + fall + attitude * at(w, i);
    put(to_u, i, velocity);
    fastest = std::max(fastest, velocity.squaredNorm());
    sum += velocity.squaredNorm() + at(to_p, i).squaredNorm();
  }
  body.clear_held(to_u);
  return std::isfinite(sum + c.squaredNorm() + q.norm()) && fastest < kSpeedLimit * kSpeedLimit;
}

/// w, and of springs the factor of A: what steps again from the same state, forces a little different, begins with.
void Body::Step::keep(bool settled, std::vector<double>& found) const {
  if (!settled) return found.clear();
  // What settled before any pass has no factor.
  const std::size_t size = 3 * n, springs = matrix && has_factor_ ? body.stepped().memory() : 0;
  const bool there = found.size() == size + springs;
  found.resize(size + springs);
  std::copy(w, w + size, found.begin());
  if (springs > 0 && !there) matrix->copy_to(found.data() + size);
}

bool Body::advance(int depth, std::span<double> state, std::span<const Vec3> forces, const Vec3& acceleration,
                   ElasticWorkspace& workspace) const {
  Step s(*this, depth, state, forces, acceleration, workspace);
  if (!std::isfinite(s.tolerance)) return false;
  std::vector<double>* const found = depth == 0 ? workspace.found : nullptr;
  const bool known = found && found->size() >= 3 * s.n;
  if (known)
    std::copy_n(found->begin(), 3 * s.n, s.w);
  else
    s.predict();
  bool settled = s.iterate();
  if (!settled && known) {
    s.predict();
    settled = s.iterate();
  }
  if (found) s.keep(settled, *found);
  if (!settled && depth < kDeepest)
    return advance(depth + 1, state, forces, acceleration, workspace) &&
           advance(depth + 1, state, forces, acceleration, workspace);
  if (!settled && !s.relax()) {
    if (!s.freeze(true) || !s.hold_energy()) {
      if (!s.freeze(false)) return false;
      s.hold_energy();
    }
    return s.finish(state);
  }
  return (!settled || s.conserve()) && s.finish(state);
}

bool Body::step(std::span<double> state, std::span<const Vec3> forces, const Vec3& acceleration,
                ElasticWorkspace& workspace) const {
  workspace.passes = 0;
  if (!advance(0, state, forces, acceleration, workspace)) return false;
  if (!workspace.found) calm(state, workspace);
  return true;
}

}  // namespace hazumi::cell_body
