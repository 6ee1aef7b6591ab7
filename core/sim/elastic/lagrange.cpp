// Flexible body in one body frame: linear springs, factored Newmark with the inertial coupling iterated.
//
// Source: thesis seeds/000, 2.4-2.6 (equations 2.11-2.28), in mean-axis coordinates
// (docs/numerics/flexible-body.md).
//
//   x_i = c + R p_i,   p_i = r_i + d_i
//   Σ m d = 0,   Σ m r × d = 0,   likewise for v = ḋ
//   ω = J(p)⁻¹ (Rᵀ L − Σ m p × v)
//   M a + C v + K (d − o) = Π( Rᵀ f − M(ω̇ × p + ω × (ω × p) + 2 ω × v) )
//
//   d⁺ = d + h v + h² ((½ − β) a + β a⁺),   v⁺ = v + ½ h (a + a⁺)
//   A a⁺ = Π( … − K (d* − o) − C v* ),   A = M + ½ h C + β h² K        constant: factored once
//
//   c        centre of mass, m (world)              P  momentum, N s (world)
//   R        attitude, unit quaternion w x y z      L  angular momentum about c, kg m²/s (world)
//   r        reference positions about c, m (body frame, 3n numbers)
//   d, v, a  displacement and its rates, m, m/s, m/s² (body frame, 3n numbers)
//   o        offset of the rest shape from the reference, m (body frame, 3n numbers); mostly none
//   d*, v*   d⁺, v⁺ without the part of a⁺
//   ω        rate of the frame, rad/s (body)        f  node forces, N (world)        h  time step, s
//   Π        takes the rigid part out of forces: Σ (Π g) = 0, Σ r × (Π g) = 0
//
// Pinned nodes: c is the first pin and does not move, P = 0, J and L are about it, Π takes out only the turns
// that the pins leave, d = 0 at the pins (their rows of A are empty but for the mass), and gravity is a force
// on every node (pins.h, docs/numerics/pins.md).
//
// State: c(3) R(4) P(3) L(3) d(3n) v(3n) a(3n), nodes in the order of the factor.
// Departures from the thesis: its coordinates are redundant (the rigid motion is in d as well), which mean
// axes cure; its iteration of everything to a fixed point is kept as a method, but only where it converges;
// centripetal and Coriolis terms, which it drops, are included. Working range: h ω of the stiffest mode to
// about 1e4, spins to about 0.5/h.
#include <algorithm>
#include <cmath>

#include "core/sim/elastic/lagrange_body.h"
#include "core/sim/elastic/setup_check.h"

namespace hazumi {

namespace lagrange {

namespace {

constexpr double kSpeedLimit = 1e6;  // m/s, of solver.h
constexpr int kIterationLimit = 2000;

}  // namespace

struct Body::Step {
  FrameState before, after;
  Vec3 spin_before, spin_middle, spin_after;
  const double *d, *v;             // at the start
  double *d_star, *v_star, *base;  // base = −(K d* + C v*)
  double *acceleration, *rhs, *scratch;
  std::span<const Vec3> forces;  // empty: none
};

/// One evaluation of the inertial coupling with the a⁺ at hand: moves the frame, leaves Π(…) in s.rhs.
void Body::inertial_pass(Step& s) const {
  const std::size_t n = node_count();
  const double to_d = beta_ * h_ * h_, to_v = 0.5 * h_;
  const bool forced = !s.forces.empty();
  Shape middle, after;
  Mat3 force_moment = Mat3::Zero();  // Σ p̄ fᵀ: world torque = axial(R force_moment)
  double mx = 0, my = 0, mz = 0, ax = 0, ay = 0, az = 0;
  for (std::size_t i = 0; i < n; ++i) {
    double p[3], v[3], pm[3], vm[3];
    for (int k = 0; k < 3; ++k) {
      const std::size_t j = 3 * i + k;
      const double d_after = s.d_star[j] + to_d * s.acceleration[j];
      v[k] = s.v_star[j] + to_v * s.acceleration[j];
      p[k] = reference_[j] + d_after;
      pm[k] = reference_[j] + 0.5 * (s.d[j] + d_after);
      vm[k] = 0.5 * (s.v[j] + v[k]);
    }
    const double m = mass_[i];
    middle.moment.add(m, pm[0], pm[1], pm[2]);
    after.moment.add(m, p[0], p[1], p[2]);
    mx += m * (pm[1] * vm[2] - pm[2] * vm[1]);
    my += m * (pm[2] * vm[0] - pm[0] * vm[2]);
    mz += m * (pm[0] * vm[1] - pm[1] * vm[0]);
    ax += m * (p[1] * v[2] - p[2] * v[1]);
    ay += m * (p[2] * v[0] - p[0] * v[2]);
    az += m * (p[0] * v[1] - p[1] * v[0]);
    if (forced) {
      const Vec3& f = s.forces[springs_.order()[i]];
      for (int k = 0; k < 3; ++k)
        for (int l = 0; l < 3; ++l) force_moment(k, l) += pm[k] * f[l];
    }
  }
  middle.deformation_momentum = Vec3(mx, my, mz);
  after.deformation_momentum = Vec3(ax, ay, az);

  // Attitude: midpoint rule on the group, its own iteration is cheap beside the sums above.
  for (int k = 0; k < 3; ++k) {
    const Quat half = s.before.q * exp_rotation(0.5 * h_ * s.spin_middle);
    if (forced) {
      const Mat3 turned = half.toRotationMatrix() * force_moment;
      s.after.L = s.before.L + h_ * axial(turned);
      if (!directions_.is_free()) s.after.L = turning(s.before.q, s.after.L);
    }
    s.spin_middle = rate(half, 0.5 * (s.before.L + s.after.L), middle);
  }
  s.after.q = (s.before.q * exp_rotation(h_ * s.spin_middle)).normalized();
  s.spin_after = rate(s.after.q, s.after.L, after);

  const Vec3& w = s.spin_after;
  const Mat3 of_v = 2.0 * skew(w);
  const Mat3 of_p = skew((w - s.spin_before) / h_) + skew(w) * skew(w);
  const Mat3 to_body = s.after.q.toRotationMatrix().transpose();
  double sx = 0, sy = 0, sz = 0, tx = 0, ty = 0, tz = 0;
  auto next_held = held_.begin();
  for (std::size_t i = 0; i < n; ++i) {
    double p[3], v[3], g[3];
    const double* r = reference_.data() + 3 * i;
    for (int k = 0; k < 3; ++k) {
      const std::size_t j = 3 * i + k;
      p[k] = r[k] + (s.d_star[j] + to_d * s.acceleration[j]);
      v[k] = s.v_star[j] + to_v * s.acceleration[j];
    }
    for (int k = 0; k < 3; ++k) {
      const double inertial = ((of_p(k, 0) * p[0] + of_p(k, 1) * p[1]) + of_p(k, 2) * p[2]) +
                              ((of_v(k, 0) * v[0] + of_v(k, 1) * v[1]) + of_v(k, 2) * v[2]);
      g[k] = s.base[3 * i + k] - mass_[i] * inertial;
    }
    if (forced) {
      const Vec3 f = to_body * s.forces[springs_.order()[i]];
      for (int k = 0; k < 3; ++k) g[k] += f[k];
    }
    if (next_held != held_.end() && *next_held == i) {
      g[0] = g[1] = g[2] = 0;  // the pin takes it up
      ++next_held;
    }
    for (int k = 0; k < 3; ++k) s.rhs[3 * i + k] = g[k];
    sx += g[0];
    sy += g[1];
    sz += g[2];
    tx += r[1] * g[2] - r[2] * g[1];
    ty += r[2] * g[0] - r[0] * g[2];
    tz += r[0] * g[1] - r[1] * g[0];
  }
  Vec3 linear = Vec3(sx, sy, sz) / total_mass_;
  if (pinned()) linear.setZero();
  const Vec3 turn = reference_inverse_ * Vec3(tx, ty, tz);
  for (std::size_t i = 0; i < n; ++i) {
    const double* r = reference_.data() + 3 * i;
    double* g = s.rhs + 3 * i;
    const double m = mass_[i];
    g[0] -= m * (linear.x() + (turn.y() * r[2] - turn.z() * r[1]));
    g[1] -= m * (linear.y() + (turn.z() * r[0] - turn.x() * r[2]));
    g[2] -= m * (linear.z() + (turn.x() * r[1] - turn.y() * r[0]));
  }
  clear_held(s.rhs);
}

void Body::clear_held(double* x) const {
  for (const std::uint32_t i : held_) x[3 * i] = x[3 * i + 1] = x[3 * i + 2] = 0;
}

void Body::remove_rigid_motion(double* x) const {
  clear_held(x);
  double sx = 0, sy = 0, sz = 0, tx = 0, ty = 0, tz = 0;
  for (std::size_t i = 0; i < mass_.size(); ++i) {
    const double m = mass_[i], a = m * x[3 * i], b = m * x[3 * i + 1], c = m * x[3 * i + 2];
    const double* r = reference_.data() + 3 * i;
    sx += a;
    sy += b;
    sz += c;
    tx += r[1] * c - r[2] * b;
    ty += r[2] * a - r[0] * c;
    tz += r[0] * b - r[1] * a;
  }
  Vec3 linear = Vec3(sx, sy, sz) / total_mass_;
  if (pinned()) linear.setZero();
  const Vec3 turn = reference_inverse_ * Vec3(tx, ty, tz);
  for (std::size_t i = 0; i < mass_.size(); ++i) {
    const double* r = reference_.data() + 3 * i;
    x[3 * i] -= linear.x() + (turn.y() * r[2] - turn.z() * r[1]);
    x[3 * i + 1] -= linear.y() + (turn.z() * r[0] - turn.x() * r[2]);
    x[3 * i + 2] -= linear.z() + (turn.x() * r[1] - turn.y() * r[0]);
  }
  clear_held(x);
}

bool Body::step(std::span<double> state, std::span<const Vec3> forces, const Vec3& acceleration,
                ElasticWorkspace& workspace) const {
  const std::size_t n = node_count(), size = 3 * n;
  const std::size_t wanted = 5 * size + (factor_ ? factor_->scratch_size() : 2 * size);
  if (workspace.numbers.size() < wanted) workspace.numbers.resize(wanted);
  double* memory = workspace.numbers.data();

  Step s;
  s.before = FrameState(state.data());
  s.after = s.before;
  s.d = state.data() + kFrame;
  s.v = s.d + size;
  const double* a = s.v + size;
  s.d_star = memory;
  s.v_star = memory + size;
  s.base = memory + 2 * size;
  s.acceleration = memory + 3 * size;
  s.rhs = memory + 4 * size;
  s.scratch = memory + 5 * size;

  if (pinned()) {  // the frame does not fall: gravity turns and deforms
    workspace.vectors.assign(forces.begin(), forces.end());
    workspace.vectors.resize(n, Vec3::Zero());
    for (std::size_t i = 0; i < n; ++i) workspace.vectors[i] += setup_.masses[i] * acceleration;
    forces = workspace.vectors;
  }
  Vec3 total = total_mass_ * acceleration;
  for (const Vec3& f : forces) {
    total += f;
    if (!(f.x() == 0 && f.y() == 0 && f.z() == 0)) s.forces = forces;
  }
  if (!pinned()) {
    s.after.P = s.before.P + h_ * total;
    s.after.c = s.before.c + (0.5 * h_ / total_mass_) * (s.before.P + s.after.P);
  }

  const double d_from_a = h_ * h_ * (0.5 - beta_), v_from_a = 0.5 * h_;
  for (std::size_t i = 0; i < size; ++i) {
    s.d_star[i] = s.d[i] + h_ * s.v[i] + d_from_a * a[i];
    s.v_star[i] = s.v[i] + v_from_a * a[i];
    s.acceleration[i] = a[i];
  }
  s.spin_before = rate(s.before.q, s.before.L, shape(s.d, s.v));
  s.spin_middle = s.spin_before;

  if (factor_) {
    spring_forces(s.d_star, s.v_star, s.base);
    // A pass shrinks the error of the coupling by about the angle turned in the step: a body that turns by
    // under 1e-7 rad has nothing to iterate, under 1e-3 rad two passes leave 1e-6 of the coupling. Decided
    // from the state alone.
    for (int pass = 1; pass <= 3; ++pass) {
      inertial_pass(s);
      factor_->solve(s.rhs, s.scratch);
      std::swap(s.rhs, s.acceleration);
      const double turned = h_ * std::sqrt(std::max(s.spin_before.squaredNorm(), s.spin_after.squaredNorm()));
      if (turned < 1e-7 || (pass == 2 && turned < 1e-3)) break;
    }
  } else {
    // Thesis: a⁺ = M⁻¹ Π(f − K d⁺ − C v⁺ − …), everything repeated until it stands still.
    const double to_d = beta_ * h_ * h_, floor = 1e-15 * extent_ / (h_ * h_);
    double* d_after = s.scratch;
    double* v_after = s.scratch + size;
    bool settled = false;
    for (int k = 0; k < kIterationLimit && !settled; ++k) {
      for (std::size_t i = 0; i < size; ++i) {
        d_after[i] = s.d_star[i] + to_d * s.acceleration[i];
        v_after[i] = s.v_star[i] + v_from_a * s.acceleration[i];
      }
      spring_forces(d_after, v_after, s.base);
      inertial_pass(s);
      double change = 0, largest = 0;
      for (std::size_t i = 0; i < size; ++i) {
        s.rhs[i] /= mass_[i / 3];
        change = std::max(change, std::abs(s.rhs[i] - s.acceleration[i]));
        largest = std::max(largest, std::abs(s.rhs[i]));
      }
      std::swap(s.rhs, s.acceleration);
      settled = change <= 1e-13 * largest + floor;
    }
    if (!settled) return false;
  }
  return finish(s, state);
}

/// Writes the state after the step; false when it is not finite or too fast.
bool Body::finish(Step& s, std::span<double> state) const {
  const std::size_t n = node_count(), size = 3 * n;
  double* d = state.data() + kFrame;
  double* v = d + size;
  double* a = v + size;
  remove_rigid_motion(s.acceleration);
  const double to_d = beta_ * h_ * h_, to_v = 0.5 * h_;
  for (std::size_t i = 0; i < size; ++i) {
    a[i] = s.acceleration[i];
    d[i] = s.d_star[i] + to_d * a[i];
    v[i] = s.v_star[i] + to_v * a[i];
  }
  // Round-off would let the rigid motion creep back into d and v over thousands of steps.
  remove_rigid_motion(d);
  remove_rigid_motion(v);
  if (directions_.is_line()) {
    // No angular momentum exists along the line itself; what bending brings in is the nodes' own.
    const Shape now = shape(d, v);
    const Vec3 w = rate(s.after.q, s.after.L, now);
    s.after.L = s.after.q * Vec3(now.moment.inertia() * w + now.deformation_momentum);
  }
  s.after.store(state.data());

  double far = 0, fast = 0, sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double x = reference_[3 * i] + d[3 * i], y = reference_[3 * i + 1] + d[3 * i + 1],
                 z = reference_[3 * i + 2] + d[3 * i + 2];
    const double distance = x * x + y * y + z * z;
    const double speed = v[3 * i] * v[3 * i] + v[3 * i + 1] * v[3 * i + 1] + v[3 * i + 2] * v[3 * i + 2];
    far = std::max(far, distance);
    fast = std::max(fast, speed);
    sum += distance + speed;
  }
  for (std::size_t k = 0; k < kFrame; ++k) sum += std::abs(state[k]);
  if (!std::isfinite(sum)) return false;
  const double bound = s.after.P.norm() / total_mass_ + s.spin_after.norm() * std::sqrt(far) + std::sqrt(fast);
  return bound < kSpeedLimit;
}

}  // namespace lagrange

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
      &lagrange::Body::make,
      [](const ElasticSetup& setup) -> Result<LinearSystem> {
        if (auto problem = check_shape(setup, lagrange::kNeeds)) return *problem;
        return linear_springs(setup);
      },
      &contact_of_springs,
  };
  return info;
}

}  // namespace hazumi
