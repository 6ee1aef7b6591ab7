// What one pass of a step evaluates: where the nodes come, the turn that fits them, the internal forces with their torque
// taken out, and what is left of the equations (lagrange.cpp has them, docs/numerics/flexible-body.md why they are so).
#include "core/sim/elastic/lagrange_step.h"

#include <cmath>

#include "core/math/anderson.h"

namespace hazumi::lagrange {

Body::Step::Step(const Body& of, int depth, std::span<double> state, std::span<const Vec3> forces,
                 const Vec3& acceleration, ElasticWorkspace& workspace)
    : body(of),
      n(of.node_count()),
      h(std::ldexp(of.h_, -depth)),
      factor(of.factor_ ? &of.factor(depth) : nullptr),
      before(state.data()),
      attitude(before.q.toRotationMatrix()),
      d(state.data() + kFrame),
      passes(&workspace.passes),
      row(workspace.row),
      room(workspace.row_scratch) {
  const std::size_t size = 3 * n, solving = factor ? factor->scratch_size() : 0;
  const std::size_t wanted = 13 * (size + 3) + solving + AndersonMixing::memory_size(size + 3);
  if (workspace.numbers.size() < wanted) workspace.numbers.resize(wanted);
  double* next = workspace.numbers.data();
  for (double** array : {&p, &u, &push, &coast, &w, &moved, &change, &strain, &rate, &pull, &start, &best}) {
    *array = next;
    next += size + 3;
  }
  double* const driving = next;
  scratch = next + size + 3;
  if (row) {
    room.places.resize(n);
    room.gradient.resize(n);
    room.numbers.resize(3 * size);
    pressed = room.numbers.data();
    pressed_end = pressed + size;
    answer = pressed_end + size;
    room.masses.assign(body.mass_.begin(), body.mass_.end());
    room.masses.push_back(0);
    w[size] = row->pressure;
    w[size + 1] = w[size + 2] = 0;
  }
  drive = body.offset_force(d, driving, best);  // `best` is not used before the iteration

  const double* velocity = d + size;
  if (!body.pinned()) {
    for (std::size_t i = 0; i < n; ++i) centre_velocity += body.mass_[i] * at(velocity, i);
    centre_velocity /= body.total_mass_;
    fall = h * acceleration;
  }
  const Mat3 to_body = attitude.transpose();
  const Vec3 weight = body.pinned() ? Vec3(h * (to_body * acceleration)) : Vec3(Vec3::Zero());
  double moving = 0, pushed = 0, bent = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double m = body.mass_[i];
    const Vec3 r = at(body.reference_.data(), i), di = at(d, i), position = r + di;
    const Vec3 ui = to_body * (at(velocity, i) - centre_velocity);
    Vec3 kick = weight;
    if (!forces.empty()) {
      const Vec3& f = forces[body.springs_.order()[i]];
      if (!(f.x() == 0 && f.y() == 0 && f.z() == 0)) kick += (h / m) * (to_body * f);
    }
    put(p, i, position);
    put(u, i, ui);
    put(push, i, kick);
    put(coast, i, h * ui);
    put(w, i, Vec3::Zero());
    put(moved, i, Vec3::Zero());
    fit_before += m * position * r.transpose();
    moving += m * ui.squaredNorm();
    bent += m * di.squaredNorm();
  }
  body.clear_held(push);
  for (std::size_t i = 0; i < n; ++i) pushed += body.mass_[i] * at(push, i).squaredNorm();
  // 1e-13 of the speeds of the motion about the centre. Floors: what the round-off of d and of the positions moves.
  const double mass = body.total_mass_;
  tolerance = 1e-13 * (std::sqrt(moving / mass) + std::sqrt(pushed / mass) + 0.01 / h * std::sqrt(bent / mass)) +
              1e-17 * body.extent_ / h;
}

bool Body::Step::place() {
  const bool pinned = body.pinned();
  Mat3 gained = Mat3::Zero();
  shift.setZero();
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3 mass_way = body.mass_[i] * way(i);
    gained += mass_way * at(body.reference_.data(), i).transpose();
    shift += mass_way;
  }
  shift /= body.total_mass_;
  if (pinned) shift.setZero();
  fit = fit_before + gained;
  if (!std::isfinite(fit.sum())) return false;
  turn = fitted_turn(body.directions_, fit, turn);
  if (turn.w() < 0) turn.coeffs() = -turn.coeffs();
  if (!(turn.w() > 0.1)) return false;
  theta = 2 / turn.w() * turn.vec();
  after = turn.toRotationMatrix();
  const Mat3 half = 0.5 * (Mat3::Identity() + after.transpose()), about = half * skew(theta);
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3 dp = way(i) - shift;
    put(moved, i, dp);
    put(change, i, half * dp - about * (at(p, i) + 0.5 * dp));
  }
  body.clear_held(change);
  return true;
}

/// rate ← ḋ, without the turn: Σ m r × ḋ = 0.
void Body::Step::rates(double share, const Mat3& spread, const Mat3& moment) {
  const Mat3 back = spread.transpose();
  Mat3 sum = Mat3::Zero();  // Σ m u rᵀ
  Vec3 mean = Vec3::Zero();
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3 mass_velocity = body.mass_[i] * (at(u, i) + at(w, i));
    sum += mass_velocity * at(body.reference_.data(), i).transpose();
    mean += mass_velocity / body.total_mass_;
  }
  if (body.pinned()) mean.setZero();
  Vec3 spin;
  if (body.directions_.is_line()) {
    const Vec3 along = moment * body.directions_.axis();
    spin = along.cross(sum * body.directions_.axis()) / along.squaredNorm();
  } else {
    spin = body.directions_.solve(turning_moment(spread, moment), -axial(back * sum));
  }
  for (std::size_t i = 0; i < n; ++i) put(rate, i, back * (at(u, i) + at(w, i) - mean - spin.cross(point(i, share))));
  body.clear_held(rate);
}

/// pull ← G − m s × r in the axes of X: G = K (strain − o) + C rate, and s such that no torque is left.
void Body::Step::internal_forces(double share, const Mat3& spread, const Mat3& moment) {
  body.spring_forces(strain, rate, body.kept(d), drive, pull);
  if (body.directions_.is_line()) return forces_of_line(share, spread);
  Vec3 s = Vec3::Zero();
  if (!body.directions_.is_held()) {
    Mat3 sum = Mat3::Zero();  // −Σ G pᵀ
    for (std::size_t i = 0; i < n; ++i) sum += at(pull, i) * point(i, share).transpose();
    const Vec3 torque = axial(spread * sum);
    s = body.directions_.solve(turning_moment(spread, moment).transpose(), torque);
  }
  for (std::size_t i = 0; i < n; ++i)
    put(pull, i, -at(pull, i) - body.mass_[i] * s.cross(at(body.reference_.data(), i)));
  body.clear_held(pull);
}

/// Nodes on a line n: G = γ n, and n·d = a·y/|a| − n·r with a = Σ m (n·r) y has a discrete gradient of its own, which gives
/// no torque whatever the bend (that of the general body would leave one about the line).
void Body::Step::forces_of_line(double share, const Mat3& spread) {
  const Vec3& line = body.directions_.axis();
  const Vec3 a0 = fit_before * line, a1 = share > 0 ? Vec3(fit * line) : a0;
  const bool mean = share > 0 && share < 1;
  const double q0 = 1 / (mean ? a0 : a1).norm(), q1 = 1 / a1.norm();
  const Vec3 b = mean ? Vec3(0.5 * (a0 + a1)) : a1;
  Vec3 sum = Vec3::Zero();  // Σ γ y
  double along = 0;         // Σ γ (a·y), the mean of both ends
  for (std::size_t i = 0; i < n; ++i) {
    const double tension = -line.dot(at(pull, i));
    const Vec3 y = point(i, share);
    sum += tension * y;
    along += tension * (mean ? 0.5 * (a0.dot(at(p, i)) + a1.dot(point(i, 1))) : a1.dot(y));
  }
  const double q = 0.5 * (q0 + q1), stretch = 2 * q0 * q0 * q1 * q1 / (q0 + q1) * along;
  const Mat3 back = spread.inverse();
  const Vec3 ends = back * (q * sum - stretch * b), direction = back * (q * b);
  for (std::size_t i = 0; i < n; ++i) {
    const double tension = -line.dot(at(pull, i));
    put(pull, i, tension * direction + body.mass_[i] * line.dot(at(body.reference_.data(), i)) * ends);
  }
  body.clear_held(pull);
}

/// pull ← X⁻¹ρ of the w at hand, after place(); how far off w is at most, m/s.
double Body::Step::balance() {
  double share;  // of h that the internal forces act
  Mat3 back;     // X⁻¹
  if (newmark()) {
    for (std::size_t j = 0; j < 3 * n; ++j) strain[j] = d[j] + change[j];
    rates(1, after, fit);
    internal_forces(1, after, fit);
    share = 0.5 * h;
    back = after.transpose();
  } else {
    for (std::size_t j = 0; j < 3 * n; ++j) {
      strain[j] = d[j] + 0.5 * change[j];
      rate[j] = change[j] / h;
    }
    internal_forces(0.5, 0.5 * (Mat3::Identity() + after), 0.5 * (fit_before + fit));
    share = h;
    back = Mat3::Identity() - 0.5 * skew(theta);
  }
  if (row) press();
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double m = body.mass_[i];
    Vec3 wanted = newmark() ? Vec3(0.5 * (h * at(start, i) + at(push, i))) : at(push, i);
    if (row) wanted += (h * w[3 * n] / m) * at(pressed, i);
    const Vec3 x = m * (back * (at(w, i) - wanted)) + share * at(pull, i);
    put(pull, i, x);
    sum += x.squaredNorm() / m;
  }
  return std::sqrt(sum / body.total_mass_);
}

/// strain ← −T A⁻¹ X⁻¹ρ, the step of a pass (A of the fixed point: M); its norm.
double Body::Step::solve(int pass) {
  ++*passes;
  if (factor) {
    factor->solve(pull, scratch);
  } else {
    for (std::size_t j = 0; j < 3 * n; ++j) pull[j] /= body.mass_[j / 3];
  }
  for (std::size_t i = 0; i < n; ++i) put(strain, i, -(after * at(pull, i)));
  body.clear_held(strain);
  if (row) hold_volume(pass);
  return norm(strain);
}

double Body::Step::norm(const double* x) const {
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += body.mass_[i] * at(x, i).squaredNorm();
  return std::sqrt(sum / body.total_mass_);
}

void Body::Step::coast_by_newmark() {
  std::copy(d, d + 3 * n, strain);
  rates(0, Mat3::Identity(), fit_before);
  internal_forces(0, Mat3::Identity(), fit_before);
  const double share = h * h * (0.5 - 2 * body.beta_);
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3 a = at(push, i) / h - at(pull, i) / body.mass_[i];
    put(start, i, a);
    put(coast, i, at(coast, i) + share * a);
  }
}

void Body::Step::predict() {
  SecondMoment moment;
  Vec3 now = Vec3::Zero(), half_push = Vec3::Zero(), linear = Vec3::Zero(), angular = Vec3::Zero();
  for (std::size_t i = 0; i < n; ++i) {
    const double m = body.mass_[i];
    const Vec3 x = at(p, i), kick = m * at(push, i);
    moment.add(m, x.x(), x.y(), x.z());
    now += m * x.cross(at(u, i));
    half_push += 0.5 * x.cross(kick);
    linear += kick;
    angular += at(body.reference_.data(), i).cross(kick);
  }
  linear /= body.total_mass_;
  if (body.pinned()) linear.setZero();
  const Vec3 spin = body.directions_.solve(moment.inertia(), now);
  const Vec3 middle = h * body.directions_.solve(moment.inertia(), now + half_push);
  const Mat3 half_way = exp_rotation(-0.5 * middle).toRotationMatrix();
  const Vec3 turned = body.reference_inverse_ * angular;
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3 v = at(u, i) - spin.cross(at(p, i));
    put(rate, i, v);
    put(strain, i, at(d, i) + 0.5 * h * v);
  }
  body.clear_held(rate);
  body.spring_forces(strain, rate, body.kept(d), drive, pull);
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double m = body.mass_[i];
    const Vec3 r = at(body.reference_.data(), i);
    const Vec3 x = h * at(pull, i) + m * (half_way * at(push, i) - linear - turned.cross(r));
    put(pull, i, x);
  }
  body.clear_held(pull);
  for (std::size_t i = 0; i < n; ++i) sum += at(pull, i).squaredNorm() / body.mass_[i];
  if (std::sqrt(sum / body.total_mass_) > tolerance) {
    ++*passes;
    factor->solve(pull, scratch);
  } else {
    std::fill(pull, pull + 3 * n, 0.0);
  }
  // w = 2 (ū − u⁻), ū from the turn T′ by h ω̄ and the deformation: T′ − 1 = ½ (T′ + 1) [θ], without cancellation.
  const Quat q = exp_rotation(middle);
  const Mat3 whole = q.toRotationMatrix();
  const Mat3 turning = (0.5 / h) * (Mat3::Identity() + whole) * skew(2 / q.w() * q.vec());
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3 deformed = at(rate, i) + 0.5 * at(pull, i);
    put(w, i, 2 * (0.5 * linear + turning * at(p, i) + whole * deformed - at(u, i)));
  }
  body.clear_held(w);
}

}  // namespace hazumi::lagrange
