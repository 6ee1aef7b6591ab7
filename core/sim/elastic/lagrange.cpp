// Flexible body in one body frame: linear springs, implicit midpoint with a discrete gradient.
//
// Source: thesis seeds/000, 2.4-2.6 (equations 2.11-2.28), in mean-axis coordinates (docs/numerics/flexible-body.md).
//
//   x_i = c + R p_i,   p_i = r_i + d_i,   Σ m d = 0,   Σ m r × d = 0      (R: the polar rotation of Σ m y rᵀ, y = x − c)
//   M u̇ = f − ∂E/∂x,   E = ½ (d − o)ᵀ K (d − o)                           and damping C ḋ
//
// The step, start −, end +, mean ‾; T = R⁻ᵀ R⁺ with Cayley's vector θ, X = ½ (1 + T); in the axes of R⁻:
//
//   Δx = h ū,   Δp = h (ū − Σ m ū/m),   Δd = Xᵀ (Δp − θ × p̄)             exactly, since T − 1 = X [θ]
//   m (u⁺ − u⁻) = h ( f − X (G − m s × r) )                               G = K (d̄ − o) + C Δd/h
//   Bᵀ s = Σ p̄ × X G,   B ω = Σ m r × Xᵀ(ω × p̄)                           no torque is left of the springs
//
// Energy, momentum and angular momentum then change by exactly what the outer forces and C say:
// E⁺ − E⁻ = Σ f·Δx − Δdᵀ C Δd/h, whatever K, C, h and the spin are. Damped bodies then lose what lagrange_calm.cpp takes.
//
//   c, R   centre of mass, m (world); attitude, unit quaternion w x y z
//   r      reference positions about c, m (body frame, 3n numbers)
//   d, o   displacement; offset of the rest shape, mostly none; m (body frame, 3n numbers)
//   u      node velocities, m/s (world, 3n numbers)
//   f      node forces, N (world)          h  time step, s
//
// Solved for w = u⁺ − u⁻ by w ← w − T A⁻¹ X⁻¹ρ, ρ what is left of the second line, A = M + ½ h C + ¼ h² K constant and
// factored once: the T on the left and the X⁻¹ on the right take the turn of the step into account, what is left is of the
// order of the strain. Anderson mixing. Start: the turn that L gives, and the deformation by one linear solve in that frame.
//
// Pinned nodes: c is the first pin and does not move, T and s have only the turns that the pins leave, and u = 0 at the pins
// (their rows of A are empty but for the mass). Energy, and angular momentum about what the body turns about, as above
// (docs/numerics/pins.md).
//
// β = 1/6 and 0: Newmark's rule in the nodes' positions, x⁺ = x + h u + h² ((½ − β) a + β a⁺), u⁺ = u + ½ h (a + a⁺), with a
// from the state, A = M + ½ h C + β h² K. Angular momentum, which that rule keeps to its order only, is put right at the end.
//
// Springs that yield pull with k (b·Δd − π) instead of k b·Δd; π changes at the very end of a step alone (lagrange_calm.cpp).
//
// State: c(3) R(4) d(3n) u(3n), nodes in the order of the factor; π of the springs (m), where they yield.
// Departures from the thesis: its coordinates are redundant (the rigid motion is in d as well), which mean axes cure; its
// iteration of everything to a fixed point is kept as a method, but only where it converges; inertial terms, some of which it
// drops, do not appear in u. Working range: h ω of the stiffest mode to about 1e4, spins to about 1/h.
#include <algorithm>
#include <cmath>

#include "core/math/anderson.h"
#include "core/sim/elastic/brittle.h"
#include "core/sim/elastic/lagrange_step.h"
#include "core/sim/elastic/setup_check.h"

namespace hazumi {

namespace lagrange {

namespace {

constexpr double kSpeedLimit = 1e6;  // m/s, of solver.h
constexpr int kMostPasses = 40;
constexpr int kMostRepetitions = 2000;

}  // namespace

void Body::clear_held(double* x) const {
  for (const std::uint32_t i : held_) x[3 * i] = x[3 * i + 1] = x[3 * i + 2] = 0;
}

bool Body::Step::iterate() {
  AndersonMixing mixing(row ? std::span<const double>(room.masses) : body.mass_, scratch + factor->scratch_size());
  double before_it = 0, least = 0;
  for (int pass = 0; pass < kMostPasses; ++pass) {
    // A ≥ M: the step that a solve would give is no longer than what is left of the equations, divided by the masses.
    double off = place() ? balance() : NAN;
    if (off <= tolerance && fills()) return true;
    if (off < 1e150) off = solve(pass);
    if (!(off < 1e150)) break;
    if (pass == 0 || off < least) {
      least = off;
      std::copy(w, w + count(), best);
    }
    // Done, too, where the next step would be within the tolerance, if it is as much shorter than this one as this one was
    // shorter than the last; and where round-off no longer lets it become shorter.
    const bool last = off <= tolerance || (off < 1e8 * tolerance && 3 * off * off <= tolerance * before_it) ||
                      (pass > 0 && off < 100 * tolerance && off > 0.5 * before_it);
    if (last) {
      for (std::size_t j = 0; j < count(); ++j) w[j] += strain[j];
      return true;
    }
    before_it = off;
    mixing.advance(w, strain);
  }
  if (least > 0) std::copy(best, best + count(), w);
  return false;
}

// Thesis: u⁺ = u⁻ + h M⁻¹ (…), everything repeated until it stands still.
bool Body::Step::repeat_by_masses() {
  std::copy(push, push + 3 * n, w);
  for (int k = 0; k < kMostRepetitions; ++k) {
    if (!place()) return false;
    balance();
    const double off = solve(k);
    for (std::size_t j = 0; j < 3 * n; ++j) w[j] += strain[j];
    if (off <= tolerance) return true;
  }
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
    // y⁺ × u⁺ − p × u⁻ − p̄ × h f/m
    angular += half_way.cross(kick) + m * (y - at(p, i)).cross(at(u, i) + 0.5 * at(w, i));
  }
  linear /= body.total_mass_;
  if (body.pinned()) linear.setZero();
  const Vec3 spin = body.rigid_rate(moment, angular);
  for (std::size_t i = 0; i < n; ++i) put(w, i, at(w, i) - linear - spin.cross(point(i, 1)));
  body.clear_held(w);
}

bool Body::Step::finish(std::span<double> state) const {
  double* to_d = state.data() + kFrame;
  double* to_u = to_d + 3 * n;
  Vec3 mean = Vec3::Zero();
  for (std::size_t i = 0; i < n; ++i) {
    put(to_d, i, at(to_d, i) + at(change, i));
    mean += body.mass_[i] / body.total_mass_ * at(to_d, i);
  }
  FrameState f = before;
  f.q = (before.q * turn).normalized();
  if (!body.pinned()) {  // c is the centre to round-off, for good
    for (std::size_t i = 0; i < n; ++i) put(to_d, i, at(to_d, i) - mean);
    f.c += h * (centre_velocity + 0.5 * fall) + attitude * shift + f.q * mean;
  }
  f.store(state.data());
  double fastest = 0, sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3 velocity = at(to_u, i) + fall + attitude * at(w, i);
    put(to_u, i, velocity);
    fastest = std::max(fastest, velocity.squaredNorm());
    sum += velocity.squaredNorm() + at(to_d, i).squaredNorm();
  }
  body.clear_held(to_u);
  return std::isfinite(sum + f.c.squaredNorm() + f.q.norm()) && fastest < kSpeedLimit * kSpeedLimit;
}

/// The volume that a row wants is had by halves, too.
bool Body::advance_in_halves(int depth, double volume, std::span<double> state, std::span<const Vec3> forces,
                             const Vec3& acceleration, ElasticWorkspace& workspace) const {
  const double wanted = workspace.row ? workspace.row->wanted : 0;
  for (const double share : {0.5, 1.0}) {
    if (workspace.row) workspace.row->wanted = share < 1 ? volume + share * (wanted - volume) : wanted;
    if (!advance(depth + 1, state, forces, acceleration, workspace)) return false;
  }
  return true;
}

bool Body::advance(int depth, std::span<double> state, std::span<const Vec3> forces, const Vec3& acceleration,
                   ElasticWorkspace& workspace) const {
  Step s(*this, depth, state, forces, acceleration, workspace);
  if (!std::isfinite(s.tolerance)) return false;
  if (s.newmark()) s.coast_by_newmark();
  bool settled = true;
  if (factor_) {
    std::vector<double>* const found = depth == 0 ? workspace.found : nullptr;
    const bool known = found && found->size() == s.count();
    const auto predict = [&] {
      if (s.row) return s.predict_pressed();
      s.predict();
    };
    if (known)
      std::copy(found->begin(), found->end(), s.w);
    else
      predict();
    settled = s.iterate();
    if (!settled && known) {
      predict();
      settled = s.iterate();
    }
    if (found) found->assign(s.w, s.w + (settled ? s.count() : 0));
    if (!settled && depth < kDeepest)
      return advance_in_halves(depth, s.volume_before(), state, forces, acceleration, workspace);
    if (!settled && s.row) return false;  // the row is held in another way (kept_volume_step.cpp)
  } else if (!s.repeat_by_masses()) {
    return false;
  }
  const bool placed = s.place();
  if (placed) s.hold_momenta();
  if (placed && s.row) s.finish_row();
  if (!settled && !(placed && s.hold_energy())) {
    if (!s.freeze(true) || !s.hold_energy()) {
      if (!s.freeze(false)) return false;
      s.hold_energy();
    }
  } else if (!placed) {
    return false;
  }
  return s.finish(state);
}

bool Body::step(std::span<double> state, std::span<const Vec3> forces, const Vec3& acceleration,
                ElasticWorkspace& workspace) const {
  workspace.passes = 0;
  if (!advance(0, state, forces, acceleration, workspace)) return false;
  if (!workspace.found) calm(state, workspace);
  return true;
}

}  // namespace lagrange

namespace {

template <class Solver>
Result<std::unique_ptr<ElasticSolver>> as_solver(Result<std::unique_ptr<Solver>> made) {
  if (!made.ok()) return made.diagnostics();
  return std::unique_ptr<ElasticSolver>(std::move(made).value());
}

}  // namespace

const ElasticSolverInfo& elastic_lagrange() {
  static const ElasticSolverInfo info = {
      "lagrange",
      "Springs in a body frame",
      "Linear springs about a turning reference shape, stable at any stiffness; for moderate deformation.",
      "Thesis 2.4-2.6, equations 2.11-2.28, in mean-axis coordinates",
      "flexible-body.md",
      true,
      lagrange::kNeeds,
      lagrange::parameter_rows(),
      [](const ElasticSetup& setup) -> Result<std::unique_ptr<ElasticSolver>> {
        if (breaking_strain(setup) > 0) return as_solver(Brittle::make(setup));
        return as_solver(lagrange::Body::make(setup));
      },
      [](const ElasticSetup& setup) -> Result<LinearSystem> {
        if (auto problem = check_shape(setup, lagrange::kNeeds)) return *problem;
        return linear_springs(setup);
      },
      &contact_modulus_of_springs,
      true,
      false,
      true,
  };
  return info;
}

}  // namespace hazumi
