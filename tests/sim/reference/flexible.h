// A flexible body and its sub-step: implicit midpoint with a discrete gradient (contact.md, A1).
//
// State: c centre of mass (m, world); R attitude; d displacements in the body frame (m, 3 × n, Σ m r×d = 0); u velocities of
// the nodes (m/s, world axes). m masses (kg), M = Σ m, r rest positions about the centre of mass (m, body frame),
// K stiffness (N/m), C damping (N s/m), y = R(r + d) arms of the nodes about c. − start, + end, mean ¯, x̂ = ½(x⁻ + x⁺).
//
//   x⁺ = x⁻ + hū                      Δy = h(ū − Σmū/M)
//   R⁺ = polar(Σ m y⁺ rᵀ)             d⁺ = R⁺ᵀy⁺ − r
//   Q = R⁺R⁻ᵀ = cay(θ)                Δd = R̂ᵀ(Δy − θ×ȳ)                                  holds exactly, R̂ is no rotation
//   g = R̂(K d̄ + C Δd/h)               τ = Σ ȳ×g      B = −Σ m [r]ₓ R̂ᵀ [ȳ]ₓ      s = B⁻ᵀτ
//   m_i(u⁺ − u⁻)_i = h(−g_i + m_i R̂(s×r_i) + f_i) + I_i                                  I = Jᵀλ: impulses at nodes, N s
//
// Why it is exact. E⁺ − E⁻ of the springs is (K d̄)·Δd, and Σ m r×Δd = 0 gives θ = B⁻¹Σ m [r]R̂ᵀΔy, so that
// (K d̄)·R̂ᵀ(Δy − θ×ȳ) = Σ Δy·(R̂K d̄ − m R̂(s×r)). The torques Σ ȳ×m R̂(s×r) = Bᵀs = τ cancel those of g. Hence, whatever I is:
//   E⁺ − E⁻ = I·ū + f·Δx − Δdᵀ C Δd/h + ρ·ū,   P and L (about any point) change by I and f alone,
// with ρ what the iteration leaves of the last line (N s), booked as residual_work (J).
//
// Iteration: u⁺ ← u⁺ − R⁺A⁻¹R̂⁻¹ρ, A = M + ½hC + ¼h²K, with Anderson mixing of depth 3 in the norm of the masses.
// Nodes on a line: the inertia and B are singular about it. R⁺ is then the least turn, θ is square to the line, and B⁻¹ is the
// pseudo-inverse. Energy and P stay exact. L does not: no B balances a torque τ along b = Σ m (r·e) ȳ (docs page, "Rods").
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "tests/sim/reference/dense.h"
#include "tests/support/dense.h"

namespace hazumi::reference {

struct FlexibleBody {
  Vector mass;
  Nodes rest;
  Matrix stiffness, damping;
  Matrix inverse;                         ///< A⁻¹ at the sub-step of prepare(), m/(N s)
  Matrix calming;                         ///< G³, G = 1 − A⁻¹M: see calm(); empty: none
  std::vector<std::array<int, 3>> hull;   ///< triangles, counter-clockwise from outside
  std::vector<std::array<int, 2>> edges;  ///< for edge–edge rows
  double total = 0;
  // state
  Vec3 centre = Vec3::Zero();
  Mat3 attitude = Mat3::Identity();
  Nodes displacement, velocity;

  Eigen::Index count() const { return mass.size(); }
  Nodes arms() const { return attitude * (rest + displacement); }
  Nodes positions() const { return arms().colwise() + centre; }
  double elastic() const { return 0.5 * stacked(displacement).dot(stiffness * stacked(displacement)); }
  double kinetic() const { return 0.5 * (velocity.colwise().squaredNorm() * mass).value(); }
  Vec3 momentum() const { return velocity * mass; }
  /// About the world's origin.
  Vec3 angular_momentum() const {
    const Nodes x = positions();
    Vec3 sum = Vec3::Zero();
    for (Eigen::Index i = 0; i < count(); ++i) sum += mass[i] * x.col(i).cross(velocity.col(i));
    return sum;
  }

  /// A⁻¹ for sub-steps of `h` s.
  void prepare(double h) {
    Matrix a = 0.5 * h * damping + 0.25 * h * h * stiffness;
    for (Eigen::Index i = 0; i < count(); ++i) a.block<3, 3>(3 * i, 3 * i) += mass[i] * Mat3::Identity();
    inverse = test::inverse(a);
  }
  /// From now on calm() takes something: that of prepare().
  void use_velocity_floor() {
    Matrix g = Matrix::Identity(3 * count(), 3 * count());
    for (Eigen::Index i = 0; i < count(); ++i) g.middleCols<3>(3 * i) -= mass[i] * inverse.middleCols<3>(3 * i);
    calming = g * g * g;
  }
  /// The velocity floor of damped bodies (docs/numerics/flexible-body.md), after a sub-step: G³ v out of the vibration v, rigid
  /// motion aside.
  void calm() {
    if (calming.size() == 0) return;
    const Nodes y = arms();
    Mat3 inertia = Mat3::Zero();
    for (Eigen::Index i = 0; i < count(); ++i) inertia += mass[i] * point_inertia(y.col(i));
    const Mat3 rate = pseudo_inverse(inertia);
    const auto without_rigid = [&](Nodes u) {
      u.colwise() -= Vec3(u * mass / total);
      Vec3 angular = Vec3::Zero();
      for (Eigen::Index i = 0; i < count(); ++i) angular += mass[i] * y.col(i).cross(u.col(i));
      const Vec3 spin = rate * angular;
      for (Eigen::Index i = 0; i < count(); ++i) u.col(i) -= spin.cross(y.col(i));
      return u;
    };
    const Nodes vibration = attitude.transpose() * without_rigid(velocity);
    velocity -= without_rigid(attitude * unstacked(calming * stacked(vibration)));
  }
};

struct FlexibleStep {
  Vec3 centre = Vec3::Zero();        ///< c⁺
  Mat3 attitude = Mat3::Identity();  ///< R⁺
  Mat3 half = Mat3::Identity();      ///< the attitude half-way: where the mobility is taken
  Nodes displacement, velocity;      ///< d⁺, u⁺
  Nodes mean, end;                   ///< x̄, x⁺ of the nodes, world
  double residual_work = 0;          ///< ρ·ū, J
  double dissipated = 0;             ///< Δdᵀ C Δd/h, J
  int passes = 0;
  bool converged = false;
};

/// How the step is solved; the tests switch parts off to show what each is for.
struct FlexibleOptions {
  double tolerance = 2e-14;  ///< of the largest speed; 1e-13 leaves 1.4e-11 of a fall in a run, and up to 2e-12 of gain
  int mixing = 3;            ///< depth of Anderson mixing; 0: none
  bool predict = true;       ///< the start value of A1; false: u⁻
  int most_passes = 60;
};

namespace detail {

/// One evaluation of the last line of A1 at a trial u⁺.
struct FlexibleTrial {
  Nodes residual;         ///< ρ, N s
  Nodes correction_free;  ///< R̂⁻¹ρ, body frame
  FlexibleStep step;
};

inline FlexibleTrial evaluate(const FlexibleBody& b, double h, const Vec3& gravity, const Nodes& impulse,
                              const Nodes& after) {
  FlexibleTrial t;
  const Nodes y0 = b.arms();
  const Nodes mean_velocity = 0.5 * (b.velocity + after);
  const Vec3 drift = mean_velocity * b.mass / b.total;
  const Nodes y1 = y0 + h * (mean_velocity.colwise() - drift);
  const Nodes mean = 0.5 * (y0 + y1);

  const Mat3 r1 = polar(y1 * b.mass.asDiagonal() * b.rest.transpose(), b.attitude);
  const Mat3 hat = 0.5 * (b.attitude + r1), turn = r1 * b.attitude.transpose();
  const Nodes d1 = r1.transpose() * y1 - b.rest;
  const Vector change = stacked(d1 - b.displacement);
  const Vector damped = b.damping * change / h;
  const Nodes g = hat * unstacked(b.stiffness * stacked(0.5 * (b.displacement + d1)) + damped);

  Vec3 torque = Vec3::Zero();
  Mat3 map = Mat3::Zero();  // B
  for (Eigen::Index i = 0; i < b.count(); ++i) {
    torque += mean.col(i).cross(g.col(i));
    map -= b.mass[i] * skew(b.rest.col(i)) * hat.transpose() * skew(mean.col(i));
  }
  const Vec3 s = pseudo_inverse(map).transpose() * torque;

  t.residual.resize(3, b.count());
  for (Eigen::Index i = 0; i < b.count(); ++i)
    t.residual.col(i) = b.mass[i] * (after.col(i) - b.velocity.col(i) - h * gravity) + h * g.col(i) -
                        h * b.mass[i] * (hat * s.cross(b.rest.col(i))) - impulse.col(i);
  t.correction_free = hat.inverse() * t.residual;

  t.step.centre = b.centre + h * drift;
  t.step.attitude = r1;
  t.step.half = half_of(turn) * b.attitude;
  t.step.displacement = d1;
  t.step.velocity = after;
  t.step.mean = mean.colwise() + 0.5 * (b.centre + t.step.centre);
  t.step.end = y1.colwise() + t.step.centre;
  t.step.residual_work = t.residual.cwiseProduct(mean_velocity).sum();
  t.step.dissipated = change.dot(damped);
  return t;
}

/// The start value of A1: the body turns at ω̄ = J⁻¹(L + ½ Σ y×I) as if rigid, and deforms by one linear step in the frame
/// half-way, driven by the impulses without their rigid part (Π I).
inline Nodes predicted(const FlexibleBody& b, double h, const Vec3& gravity, const Nodes& impulse) {
  const Nodes p = b.rest + b.displacement, y = b.attitude * p;
  const Vec3 drift = b.velocity * b.mass / b.total, push = impulse.rowwise().sum();
  Vec3 spin_before = Vec3::Zero(), spin_push = Vec3::Zero();
  Mat3 inertia = Mat3::Zero(), rest_inertia = Mat3::Zero();
  for (Eigen::Index i = 0; i < b.count(); ++i) {
    spin_before += b.mass[i] * y.col(i).cross(b.velocity.col(i) - drift);
    spin_push += y.col(i).cross(impulse.col(i));
    inertia += b.mass[i] * point_inertia(y.col(i));
    rest_inertia += b.mass[i] * point_inertia(b.rest.col(i));
  }
  const Mat3 inverse = pseudo_inverse(inertia);
  const Vec3 rate0 = inverse * spin_before, rate = inverse * (spin_before + 0.5 * spin_push);
  const Mat3 half = exp_matrix(0.5 * h * rate) * b.attitude, end = exp_matrix(h * rate) * b.attitude;

  Nodes shape_rate(3, b.count()), force = half.transpose() * impulse;  // ḋ and Π I, both in the body's frame
  for (Eigen::Index i = 0; i < b.count(); ++i)
    shape_rate.col(i) = b.attitude.transpose() * (b.velocity.col(i) - drift - rate0.cross(y.col(i)));
  const Vec3 shared = force.rowwise().sum() / b.total;
  Vec3 moment = Vec3::Zero();
  for (Eigen::Index i = 0; i < b.count(); ++i) moment += b.rest.col(i).cross(force.col(i));
  const Vec3 twist = pseudo_inverse(rest_inertia) * moment;
  for (Eigen::Index i = 0; i < b.count(); ++i) force.col(i) -= b.mass[i] * (shared + twist.cross(b.rest.col(i)));

  const Vector v = stacked(shape_rate);
  const Vector dv =
      b.inverse * (stacked(force) - h * (b.stiffness * (stacked(b.displacement) + 0.5 * h * v)) - h * (b.damping * v));
  const Nodes p1 = p + 0.5 * h * (2 * shape_rate + unstacked(dv));
  const Nodes mean = ((end * p1 - y) / h).colwise() + (drift + 0.5 * h * gravity + 0.5 * push / b.total);
  return 2 * mean - b.velocity;
}

/// Anderson mixing (type II): the next trial from the last few trials x and their corrections f, least squares in √m.
class Mixing {
 public:
  Mixing(int depth, const Vector& mass) : depth_(depth), weight_(3 * mass.size()) {
    for (Eigen::Index i = 0; i < mass.size(); ++i) weight_.segment<3>(3 * i).setConstant(std::sqrt(mass[i]));
  }
  Vector next(const Vector& x, const Vector& f) {
    if (last_x_.size() > 0 && depth_ > 0) {
      dx_.push_back(x - last_x_);
      df_.push_back(f - last_f_);
      if (static_cast<int>(dx_.size()) > depth_) {
        dx_.erase(dx_.begin());
        df_.erase(df_.begin());
      }
    }
    last_x_ = x;
    last_f_ = f;
    Vector result = x + f;
    if (dx_.empty()) return result;
    // Columns made orthonormal (twice is enough), with the same steps done to the sums that would be subtracted.
    std::vector<Vector> basis, step;
    Vector rest = weight_.cwiseProduct(f);
    for (std::size_t k = df_.size(); k-- > 0;) {
      Vector q = weight_.cwiseProduct(df_[k]), s = dx_[k] + df_[k];
      const double size = q.norm();
      for (int twice = 0; twice < 2; ++twice)
        for (std::size_t j = 0; j < basis.size(); ++j) {
          const double share = basis[j].dot(q);
          q -= share * basis[j];
          s -= share * step[j];
        }
      if (!(q.norm() > 1e-8 * size)) continue;  // parallel to newer ones up to round-off
      s /= q.norm();
      q /= q.norm();
      const double share = q.dot(rest);
      rest -= share * q;
      result -= share * s;
      basis.push_back(q);
      step.push_back(s);
    }
    return result;
  }
  void forget() {
    last_x_.resize(0);
    dx_.clear();
    df_.clear();
  }

 private:
  int depth_;
  Vector weight_, last_x_, last_f_;
  std::vector<Vector> dx_, df_;
};

}  // namespace detail

/// One sub-step of `h` s under gravity (m/s²) and node impulses (N s). `start`: u⁺ of a step nearly the same, where there is
/// one; it is left for the prediction where it is wrong by over 2 % of the largest speed.
inline FlexibleStep step_flexible(const FlexibleBody& b, double h, const Vec3& gravity, const Nodes& impulse,
                                  const Nodes* start = nullptr, const FlexibleOptions& options = {}) {
  Nodes after = start ? *start : b.velocity.colwise() + h * gravity;
  if (!start && options.predict) after = detail::predicted(b, h, gravity, impulse);
  const double scale =
      std::max({b.velocity.cwiseAbs().maxCoeff(), after.cwiseAbs().maxCoeff(), h * gravity.norm(), 1e-3});
  detail::Mixing mixing(options.mixing, b.mass);
  double last = 0;
  FlexibleStep result;
  for (int pass = 1; pass <= options.most_passes; ++pass) {
    const detail::FlexibleTrial trial = detail::evaluate(b, h, gravity, impulse, after);
    const Nodes correction = trial.step.attitude * unstacked(b.inverse * stacked(trial.correction_free));
    const double change = correction.cwiseAbs().maxCoeff();
    result = trial.step;
    result.passes = pass;
    if (!(change < 1e8)) return result;  // diverges; not converged
    // Below 1e-11 a change that no longer halves is round-off.
    if (change < options.tolerance * scale || (pass > 1 && change < 1e-11 * scale && change > 0.5 * last)) {
      result.converged = true;
      return result;
    }
    last = change;
    if (start && pass == 1 && change > 0.02 * scale && options.predict) {
      after = detail::predicted(b, h, gravity, impulse);
      mixing.forget();
    } else {
      after = unstacked(mixing.next(stacked(after), -stacked(correction)));
    }
  }
  return result;
}

}  // namespace hazumi::reference
