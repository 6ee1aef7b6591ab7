// Flexible body in one body frame: linear springs, factored Newmark with the inertial coupling iterated.
//
// Source: thesis seeds/000, 2.4-2.6 (equations 2.11-2.28), in mean-axis coordinates
// (docs/numerics/flexible-body.md).
//
//   x_i = c + R p_i,  p_i = r_i + d_i                              Σ m d = 0, Σ m r × d = 0, likewise for v =
//   ḋ ω   = J(p)⁻¹ (Rᵀ L − Σ m p × v) M a + C v + K d = Π( Rᵀ f − M(ω̇ × p + ω × (ω × p) + 2 ω × v) ) d⁺  = d
//   + h v + h² ((½ − β) a + β a⁺),   v⁺ = v + ½ h (a + a⁺) A a⁺ = Π( … − K d* − C v* ),   A = M + ½ h C + β
//   h² K   (constant: factored once)
//
//   c     centre of mass, m (world)          P  momentum, N s (world)
//   R     attitude, unit quaternion w x y z  L  angular momentum about c, kg m²/s (world)
//   r     reference positions about c, m     d, v, a  displacement and its rates, m, m/s, m/s² (body frame,
//   3n numbers) ω     rate of the frame, rad/s (body)    f  node forces, N (world);  h  time step, s Π takes
//   the rigid part out of forces: Σ (Π g) = 0, Σ r × (Π g) = 0
//
// State: c(3) R(4) P(3) L(3) d(3n) v(3n) a(3n), nodes in the order of the factor.
// Departures from the thesis: its coordinates are redundant (the rigid motion is in d as well), which mean
// axes cure; its iteration of everything to a fixed point is kept as a method, but only where it converges;
// centripetal and Coriolis terms, which it drops, are included. Working range: h ω of the stiffest mode to
// about 1e4, spins to about 0.5/h.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "core/geometry/mass_properties.h"
#include "core/sim/elastic/body_frame.h"
#include "core/sim/elastic/solver.h"
#include "core/sim/elastic/spring_network.h"
#include "core/sim/elastic/truss_check.h"

namespace hazumi {

namespace {

constexpr double kSpeedLimit = 1e6;  // m/s, of solver.h
constexpr int kIterationLimit = 2000;

double beta_value(NewmarkBeta beta) {
  return beta == NewmarkBeta::quarter ? 0.25 : beta == NewmarkBeta::sixth ? 1.0 / 6.0 : 0.0;
}

std::string number(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", x);
  return text;
}

/// The 13 numbers of the frame, unpacked.
struct FrameState {
  Vec3 c, P, L;
  Quat q;
  explicit FrameState(const double* s)
      : c(s[0], s[1], s[2]), P(s[7], s[8], s[9]), L(s[10], s[11], s[12]), q(s[3], s[4], s[5], s[6]) {}
  FrameState() = default;
  void store(double* s) const {
    const double values[13] = {c.x(), c.y(), c.z(), q.w(), q.x(), q.y(), q.z(),
                               P.x(), P.y(), P.z(), L.x(), L.y(), L.z()};
    std::copy(values, values + 13, s);
  }
};
constexpr std::size_t kFrame = 13;

Vec3 at(const double* x, std::size_t node) { return {x[3 * node], x[3 * node + 1], x[3 * node + 2]}; }
void put(double* x, std::size_t node, const Vec3& v) {
  x[3 * node] = v.x();
  x[3 * node + 1] = v.y();
  x[3 * node + 2] = v.z();
}

/// What the rotation reads of a shape: J(p) and h = Σ m p × v.
struct Shape {
  SecondMoment moment;
  Vec3 deformation_momentum = Vec3::Zero();
};

class LagrangeBody final : public ElasticSolver {
 public:
  static Result<std::unique_ptr<ElasticSolver>> make(const ElasticSetup& setup);

  std::size_t node_count() const override { return mass_.size(); }
  std::size_t state_size() const override { return kFrame + 9 * mass_.size(); }
  void initialise(const Pose& pose, const Vec3& velocity, const Vec3& spin,
                  std::span<double> state) const override;
  bool step(std::span<double> state, std::span<const Vec3> forces, const Vec3& acceleration,
            ElasticWorkspace& workspace) const override;
  void apply_impulses(std::span<double> state, std::span<const NodeImpulse> impulses) const override;
  void displace(std::span<double> state, std::span<const Vec3> displacement) const override;
  void positions(std::span<const double> state, std::span<Vec3> out) const override;
  void velocities(std::span<const double> state, std::span<Vec3> out) const override;
  Pose frame(std::span<const double> state) const override;
  Observables observe(std::span<const double> state) const override;

 private:
  struct Step;  // the numbers of one step, in the workspace

  Shape shape(const double* d, const double* v) const;
  Vec3 rate(const Quat& q, const Vec3& angular_momentum, const Shape& s) const {
    return directions_.solve(s.moment.inertia(), q.conjugate() * angular_momentum - s.deformation_momentum);
  }
  Vec3 rate(std::span<const double> state) const;
  Mat3 reference_moment(const double* d) const;  // B(r, r + d)
  void inertial_pass(Step& s) const;
  void remove_rigid_motion(double* x) const;
  bool finish(Step& s, std::span<double> state) const;

  Truss truss_;
  SpringNetwork springs_;
  std::optional<SparseFactor> factor_;  // factored method
  RigidDirections directions_;
  Mat3 reference_inverse_ = Mat3::Zero();  // of J(r), without the line's direction
  std::vector<double> mass_;               // own order
  std::vector<double> reference_;          // r, own order
  std::vector<std::uint32_t> place_;       // truss node → own number
  Vec3 centre_ = Vec3::Zero();             // of mass, object frame
  double total_mass_ = 0, extent_ = 0;
  double h_ = 0, beta_ = 0;
};

struct LagrangeBody::Step {
  FrameState before, after;
  Vec3 spin_before, spin_middle, spin_after;
  const double *d, *v;             // at the start
  double *d_star, *v_star, *base;  // base = −(K d* + C v*)
  double *acceleration, *rhs, *scratch;
  std::span<const Vec3> forces;  // empty: none
};

Shape LagrangeBody::shape(const double* d, const double* v) const {
  Shape result;
  double hx = 0, hy = 0, hz = 0;
  for (std::size_t i = 0; i < mass_.size(); ++i) {
    const double x = reference_[3 * i] + d[3 * i], y = reference_[3 * i + 1] + d[3 * i + 1],
                 z = reference_[3 * i + 2] + d[3 * i + 2];
    const double m = mass_[i], vx = v[3 * i], vy = v[3 * i + 1], vz = v[3 * i + 2];
    result.moment.add(m, x, y, z);
    hx += m * (y * vz - z * vy);
    hy += m * (z * vx - x * vz);
    hz += m * (x * vy - y * vx);
  }
  result.deformation_momentum = Vec3(hx, hy, hz);
  return result;
}

Vec3 LagrangeBody::rate(std::span<const double> state) const {
  const FrameState f(state.data());
  return rate(f.q, f.L, shape(state.data() + kFrame, state.data() + kFrame + 3 * node_count()));
}

Mat3 LagrangeBody::reference_moment(const double* d) const {
  Mat3 sum = Mat3::Zero();  // Σ m p rᵀ
  for (std::size_t i = 0; i < mass_.size(); ++i) {
    const Vec3 r = at(reference_.data(), i);
    sum += mass_[i] * (r + at(d, i)) * r.transpose();
  }
  return sum.trace() * Mat3::Identity() - sum;
}

void LagrangeBody::initialise(const Pose& pose, const Vec3& velocity, const Vec3& spin,
                              std::span<double> state) const {
  std::fill(state.begin(), state.end(), 0.0);
  FrameState f;
  f.q = pose.rotation.normalized();
  f.c = pose.position + f.q * centre_;
  f.P = total_mass_ * velocity;
  const std::vector<double> rest(3 * node_count(), 0.0);
  const Mat3 inertia = shape(rest.data(), rest.data()).moment.inertia();
  f.L = f.q * Vec3(inertia * directions_.across(f.q.conjugate() * spin));
  f.store(state.data());
}

/// One evaluation of the inertial coupling with the a⁺ at hand: moves the frame, leaves Π(…) in s.rhs.
void LagrangeBody::inertial_pass(Step& s) const {
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
    for (int k = 0; k < 3; ++k) s.rhs[3 * i + k] = g[k];
    sx += g[0];
    sy += g[1];
    sz += g[2];
    tx += r[1] * g[2] - r[2] * g[1];
    ty += r[2] * g[0] - r[0] * g[2];
    tz += r[0] * g[1] - r[1] * g[0];
  }
  const Vec3 linear = Vec3(sx, sy, sz) / total_mass_;
  const Vec3 turn = reference_inverse_ * Vec3(tx, ty, tz);
  for (std::size_t i = 0; i < n; ++i) {
    const double* r = reference_.data() + 3 * i;
    double* g = s.rhs + 3 * i;
    const double m = mass_[i];
    g[0] -= m * (linear.x() + (turn.y() * r[2] - turn.z() * r[1]));
    g[1] -= m * (linear.y() + (turn.z() * r[0] - turn.x() * r[2]));
    g[2] -= m * (linear.z() + (turn.x() * r[1] - turn.y() * r[0]));
  }
}

void LagrangeBody::remove_rigid_motion(double* x) const {
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
  const Vec3 linear = Vec3(sx, sy, sz) / total_mass_;
  const Vec3 turn = reference_inverse_ * Vec3(tx, ty, tz);
  for (std::size_t i = 0; i < mass_.size(); ++i) {
    const double* r = reference_.data() + 3 * i;
    x[3 * i] -= linear.x() + (turn.y() * r[2] - turn.z() * r[1]);
    x[3 * i + 1] -= linear.y() + (turn.z() * r[0] - turn.x() * r[2]);
    x[3 * i + 2] -= linear.z() + (turn.x() * r[1] - turn.y() * r[0]);
  }
}

bool LagrangeBody::step(std::span<double> state, std::span<const Vec3> forces, const Vec3& acceleration,
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

  Vec3 total = total_mass_ * acceleration;
  for (const Vec3& f : forces) {
    total += f;
    if (!(f.x() == 0 && f.y() == 0 && f.z() == 0)) s.forces = forces;
  }
  s.after.P = s.before.P + h_ * total;
  s.after.c = s.before.c + (0.5 * h_ / total_mass_) * (s.before.P + s.after.P);

  const double d_from_a = h_ * h_ * (0.5 - beta_), v_from_a = 0.5 * h_;
  for (std::size_t i = 0; i < size; ++i) {
    s.d_star[i] = s.d[i] + h_ * s.v[i] + d_from_a * a[i];
    s.v_star[i] = s.v[i] + v_from_a * a[i];
    s.acceleration[i] = a[i];
  }
  s.spin_before = rate(s.before.q, s.before.L, shape(s.d, s.v));
  s.spin_middle = s.spin_before;

  if (factor_) {
    springs_.forces(s.d_star, s.v_star, s.base);
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
      springs_.forces(d_after, v_after, s.base);
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
bool LagrangeBody::finish(Step& s, std::span<double> state) const {
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
  const double bound =
      s.after.P.norm() / total_mass_ + s.spin_after.norm() * std::sqrt(far) + std::sqrt(fast);
  return bound < kSpeedLimit;
}

void LagrangeBody::apply_impulses(std::span<double> state, std::span<const NodeImpulse> impulses) const {
  if (impulses.empty()) return;
  const std::size_t n = node_count();
  FrameState f(state.data());
  double* d = state.data() + kFrame;
  double* v = d + 3 * n;
  const Mat3 to_body = f.q.toRotationMatrix().transpose();
  Vec3 linear = Vec3::Zero(), angular = Vec3::Zero(), moment = Vec3::Zero();  // body frame
  for (const NodeImpulse& j : impulses) {
    const std::size_t i = place_[j.node];
    const Vec3 impulse = to_body * j.impulse, r = at(reference_.data(), i);
    linear += impulse;
    angular += (r + at(d, i)).cross(impulse);
    moment += r.cross(impulse);
    put(v, i, at(v, i) + impulse / mass_[i]);
  }
  // New rates are those of the nodes' velocities: v keeps what is not rigid about the reference (Σ m r × v =
  // 0).
  const Vec3 turn = directions_.solve(reference_moment(d), moment);
  const Vec3 drift = linear / total_mass_;
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3 p = at(reference_.data(), i) + at(d, i);
    put(v, i, at(v, i) - drift - turn.cross(p));
  }
  for (const NodeImpulse& j : impulses) f.P += j.impulse;
  f.L += f.q * angular;
  f.store(state.data());
}

void LagrangeBody::displace(std::span<double> state, std::span<const Vec3> displacement) const {
  const std::size_t n = node_count();
  FrameState f(state.data());
  double* d = state.data() + kFrame;
  double* v = d + 3 * n;
  double* a = v + 3 * n;
  const Vec3 w = rate(state);
  Vec3 shift = Vec3::Zero();
  bool moved = false, apart = false;
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3& u = displacement[springs_.order()[i]];
    shift += mass_[i] * u;
    moved = moved || u != Vec3::Zero();
    apart = apart || u != displacement[springs_.order()[0]];
  }
  if (!moved) return;
  if (!apart) {  // the body as a whole: nothing is deformed
    f.c += displacement[springs_.order()[0]];
    f.store(state.data());
    return;
  }
  shift /= total_mass_;
  f.c += shift;

  // Positions and velocities about the centre in the old frame, then the frame that leaves no rigid motion in
  // d: Σ m r × (Tᵀ p) = 0 is the polar decomposition of Σ m p rᵀ.
  const Mat3 to_body = f.q.toRotationMatrix().transpose();
  Mat3 fit = Mat3::Zero();
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3 r = at(reference_.data(), i), old = r + at(d, i);
    put(v, i, at(v, i) + w.cross(old));
    const Vec3 p = old + to_body * (displacement[springs_.order()[i]] - shift);
    put(d, i, p);
    fit += mass_[i] * p * r.transpose();
  }
  const Quat turn = polar_rotation(fit, Quat::Identity());
  const Mat3 back = turn.toRotationMatrix().transpose();
  f.q = (f.q * turn).normalized();
  Vec3 moment = Vec3::Zero(), angular = Vec3::Zero();
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3 r = at(reference_.data(), i), p = back * at(d, i), u = back * at(v, i);
    put(d, i, p - r);
    put(v, i, u);
    put(a, i, back * at(a, i));
    moment += mass_[i] * r.cross(u);
    angular += mass_[i] * p.cross(u);
  }
  const Vec3 spin = directions_.solve(reference_moment(d), moment);
  for (std::size_t i = 0; i < n; ++i) put(v, i, at(v, i) - spin.cross(at(reference_.data(), i) + at(d, i)));
  f.L = f.q * angular;
  f.store(state.data());
}

void LagrangeBody::positions(std::span<const double> state, std::span<Vec3> out) const {
  const FrameState f(state.data());
  const Mat3 rotation = f.q.toRotationMatrix();
  const double* d = state.data() + kFrame;
  for (std::size_t i = 0; i < node_count(); ++i)
    out[springs_.order()[i]] = f.c + rotation * (at(reference_.data(), i) + at(d, i));
}

void LagrangeBody::velocities(std::span<const double> state, std::span<Vec3> out) const {
  const FrameState f(state.data());
  const Mat3 rotation = f.q.toRotationMatrix();
  const double* d = state.data() + kFrame;
  const double* v = d + 3 * node_count();
  const Vec3 w = rate(state), drift = f.P / total_mass_;
  for (std::size_t i = 0; i < node_count(); ++i)
    out[springs_.order()[i]] = drift + rotation * (w.cross(at(reference_.data(), i) + at(d, i)) + at(v, i));
}

Pose LagrangeBody::frame(std::span<const double> state) const {
  const FrameState f(state.data());
  return {f.c, f.q};
}

Observables LagrangeBody::observe(std::span<const double> state) const {
  const FrameState f(state.data());
  std::vector<Vec3> x(node_count()), u(node_count());
  positions(state, x);
  velocities(state, u);
  Observables result;
  result.mass = total_mass_;
  result.centre = f.c;
  result.momentum = f.P;
  result.angular_momentum = f.L;
  for (std::size_t i = 0; i < node_count(); ++i)
    result.kinetic_energy += 0.5 * truss_.masses[i] * u[i].squaredNorm();
  result.elastic_energy = springs_.energy(state.data() + kFrame);
  result.volume = mesh_volume(x, truss_.hull);
  for (const Spring& spring : truss_.springs) {
    const double rest = (truss_.nodes[spring.b] - truss_.nodes[spring.a]).norm();
    result.max_strain = std::max(result.max_strain, std::abs((x[spring.b] - x[spring.a]).norm() / rest - 1));
  }
  return result;
}

Result<std::unique_ptr<ElasticSolver>> LagrangeBody::make(const ElasticSetup& setup) {
  if (auto problem = check_truss(setup)) return *problem;
  auto body = std::make_unique<LagrangeBody>();
  body->truss_ = setup.truss;
  body->h_ = setup.time_step;
  body->beta_ = beta_value(setup.settings.beta);
  body->springs_ = SpringNetwork(setup.truss);
  const std::size_t n = setup.truss.nodes.size();
  const MassProperties whole = mass_properties(std::span<const Vec3>(setup.truss.nodes), setup.truss.masses);
  body->total_mass_ = whole.mass;
  body->centre_ = whole.centre;
  body->directions_ = RigidDirections(whole.inertia);
  body->mass_.resize(n);
  body->reference_.resize(3 * n);
  body->place_.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint32_t node = body->springs_.order()[i];
    body->place_[node] = static_cast<std::uint32_t>(i);
    body->mass_[i] = setup.truss.masses[node];
    const Vec3 r = setup.truss.nodes[node] - whole.centre;
    put(body->reference_.data(), i, r);
    body->extent_ = std::max(body->extent_, r.norm());
  }
  for (int k = 0; k < 3; ++k)
    body->reference_inverse_.col(k) = body->directions_.solve(whole.inertia, Vec3::Unit(k));

  const double h = body->h_, beta = body->beta_;
  const double limit = h * h * (0.25 - beta) * body->springs_.largest_rate(body->mass_, 0, 1);
  if (limit >= 1)
    return Diagnostic{Severity::error, "body.beta",
                      "This beta is unstable for so stiff a body: (1/4 - beta) h^2 times its largest squared "
                      "frequency is " +
                          number(limit) + " and must stay below 1.",
                      "Choose beta 1/4, lower the stiffness by a factor of " + number(limit) +
                          ", or make the time step shorter than " + number(h / std::sqrt(limit)) + " s."};
  if (setup.settings.method == FlexibleMethod::fixed_point) {
    const double rate = body->springs_.largest_rate(body->mass_, 0.5 * h, beta * h * h);
    if (rate >= 1)
      return Diagnostic{
          Severity::error, "body.method",
          "The fixed-point method does not converge for this body: its iteration grows by a factor of " +
              number(rate) + " each time and must stay below 1.",
          "Choose the factored method, lower stiffness and damping by a factor of " + number(rate) +
              ", or use more sub-steps."};
  } else {
    body->factor_ = SparseFactor::factor(body->springs_.matrix(body->mass_, 0.5 * h, beta * h * h));
    if (!body->factor_)
      return Diagnostic{Severity::error, "body.stiffness",
                        "The body is too stiff for its mass: its matrix could not be factored.",
                        "Lower the stiffness or raise the mass of its lightest node."};
  }
  return std::unique_ptr<ElasticSolver>(std::move(body));
}

}  // namespace

const ElasticSolverInfo& elastic_lagrange() {
  static const ElasticSolverInfo info = {
      "lagrange",
      "Springs in a body frame",
      "Linear springs about a turning reference shape, stable at any stiffness; for moderate deformation.",
      "Thesis 2.4-2.6, equations 2.11-2.28, in mean-axis coordinates",
      true,
      &LagrangeBody::make,
  };
  return info;
}

}  // namespace hazumi
