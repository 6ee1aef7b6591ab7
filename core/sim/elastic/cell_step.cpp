// What one pass of a step evaluates: where the nodes come, how the cells turn, their forces without a torque, and what is left of
// the equations (cell_settle.cpp has them).
#include "core/sim/elastic/cell_step.h"

#include <cmath>

#include "core/math/anderson.h"

namespace hazumi::cell_body {

namespace {

constexpr double kMostTurn = 2.8;  // rad, of a start value
constexpr double kLoose = 1e-7;    // of the speeds, where no factor of A is made: energy is held apart
// Of the speeds, of many springs: energy is held apart here, too. What touches is asked for more than what moves by itself.
constexpr double kOfMany = 1e-2, kAsked = 1e-4;
constexpr double kEased = 1e-4;  // of the speeds, of many cells where nothing touches: the same
constexpr double kPass = 1e-3, kLoosePass = 1e-2, kFrontPass = 0.1;  // of what a pass solves for
constexpr int kStale = 2;  // sweeps with a factor of an earlier pass: more cost as much as another factor
constexpr int kStaleFronts = 4;

}  // namespace

Body::Step::Step(const Body& of, int depth, std::span<double> state, std::span<const Vec3> forces,
                 const Vec3& acceleration, ElasticWorkspace& workspace)
    : body(of),
      kept_cells(of.cells_in(state)),
      cells(*kept_cells),
      n(of.node_count()),
      h(std::ldexp(of.h_, -depth)),
      factor(of.factor(depth)),
      centre(at(state.data(), 0)),
      frame(state[3], state[4], state[5], state[6]),
      attitude(frame.toRotationMatrix()),
      cell_turns(state.data() + kFrame + 6 * n),
      passes(&workspace.passes),
      executor(workspace.executor),
      eased_(!cells.are_springs() && n > kManyNodes && !workspace.found) {
  const std::size_t size = 3 * n, turned = cells.turn_count();
  const std::size_t springs = cells.are_springs() ? body.stepped().memory() : 0;
  const std::size_t wanted = 10 * size + 8 * n + 4 * turned + springs + 3 * body.slots_ * body.slot_.size() +
                             factor.scratch_size() + AndersonMixing::memory_size(size);
  if (workspace.numbers.size() < wanted) workspace.numbers.resize(wanted);
  double* next = workspace.numbers.data();
  const auto take = [&](std::size_t count) {
    double* const array = next;
    next += count;
    return array;
  };
  for (double** array : {&p, &u, &push, &coast, &w, &moved, &pull, &strain, &rate, &best}) *array = take(size);
  from = take(4 * n);
  to = take(4 * n);
  turns = take(4 * turned);
  of_cells = take(3 * body.slots_ * body.slot_.size());
  if (springs > 0) {
    std::vector<double>* const found = depth == 0 ? workspace.found : nullptr;
    factored_ = has_factor_ = found && found->size() == size + springs;
    matrix.emplace(body.stepped(), body.mass_, factored_ ? found->data() + size : take(springs));
  }
  scratch = next;
  if (many() && !factored_)
    for (std::size_t e = 0; e < cells.size(); ++e)
      if (cells[e].bends)
        matrix->set(e, Vec3::Zero(), 0.125 * h * h * cells[e].stiffness, 0.125 * h * h * cells[e].stiffness);

  std::copy(cell_turns, cell_turns + 4 * turned, turns);
  body.node_turns(cells, cell_turns, Quat::Identity(), from, executor);
  const double* position = state.data() + kFrame;
  const double* velocity = position + size;
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
    const Vec3 r = at(body.reference_.data(), i), pi = at(position, i);
    const Vec3 ui = to_body * (at(velocity, i) - centre_velocity);
    Vec3 kick = weight;
    if (!forces.empty()) {
      const Vec3& f = forces[body.order_[i]];
      if (!(f.x() == 0 && f.y() == 0 && f.z() == 0)) kick += (h / m) * (to_body * f);
    }
    put(p, i, pi);
    put(u, i, ui);
    put(push, i, kick);
    put(coast, i, h * ui);
    put(w, i, Vec3::Zero());
    put(moved, i, Vec3::Zero());
    fit_before += m * pi * r.transpose();
    moving += m * ui.squaredNorm();
    bent += m * (pi - r).squaredNorm();
  }
  body.clear_held(push);
  for (std::size_t i = 0; i < n; ++i) pushed += body.mass_[i] * at(push, i).squaredNorm();
  // 1e-13 of the speeds of the motion about the centre. Floors: what the round-off of the positions moves.
  const double mass = body.total_mass_;
  tolerance = (loose()                     ? kLoose
               : many() && workspace.found ? kAsked
               : many()                    ? kOfMany
               : eased()                   ? kEased
                                           : 1e-13) *
                  (std::sqrt(moving / mass) + std::sqrt(pushed / mass) + 0.01 / h * std::sqrt(bent / mass)) +
              1e-16 * body.extent_ / h;
}

bool Body::Step::place() {
  Mat3 gained = Mat3::Zero();
  shift.setZero();
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3 mass_way = body.mass_[i] * way(i);
    gained += mass_way * at(body.reference_.data(), i).transpose();
    shift += mass_way;
  }
  shift /= body.total_mass_;
  if (body.pinned()) shift.setZero();
  if (!std::isfinite(gained.sum())) return false;
  turn = fitted_turn(body.directions_, fit_before + gained, turn);
  if (turn.w() < 0) turn.coeffs() = -turn.coeffs();
  for (std::size_t i = 0; i < n; ++i) put(moved, i, way(i) - shift);
  return true;
}

/// pull ← ρ of the w at hand, after place(); how far off w is at most, m/s.
double Body::Step::balance() {
  cell_forces();
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double m = body.mass_[i];
    const Vec3 x = m * (at(w, i) - at(push, i)) + h * at(pull, i);
    put(pull, i, x);
    sum += x.squaredNorm() / m;
  }
  body.clear_held(pull);
  return std::sqrt(sum / body.total_mass_);
}

void Body::Step::warped_solve(double* x) {
  body.node_turns(cells, turns, turn, to, executor);
  in_blocks(executor, n, kNodesTogether, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const Mat3 d0 = turn_at(from, i).toRotationMatrix(), d1 = turn_at(to, i).toRotationMatrix();
      const Mat3 mean = 0.5 * (d0 + d1);
      put(x, i, mean.determinant() > 0.03 ? Vec3(inverse3(mean) * at(x, i)) : Vec3(d1.transpose() * at(x, i)));
    }
  });
  factor.solve(x, scratch, executor);
  for (std::size_t i = 0; i < n; ++i) put(x, i, turn_at(to, i) * at(x, i));
  body.clear_held(x);
}

/// strain ← the step of a pass; its norm.
double Body::Step::solve() {
  ++*passes;
  for (std::size_t j = 0; j < 3 * n; ++j) strain[j] = -pull[j];
  if (matrix) {
    if (body.stepped().in_fronts()) {
      // A factor of this very pass: what is solved with an older one is so much further off that passes become more. Or that of the step
      // which this one repeats, while it is near.
      if (!factored_ || matrix->solve(strain, kFrontPass, kStaleFronts) > kStaleFronts) {
        for (std::size_t j = 0; j < 3 * n; ++j) strain[j] = -pull[j];
        matrix->factor();
        matrix->solve(strain, kFrontPass);
        factored_ = false;
      }
      has_factor_ = true;
      return norm(strain);
    }
    if (!factored_) matrix->factor();
    has_factor_ = true;
    factored_ = matrix->solve(strain, loose() ? kLoosePass : kPass) <= kStale || loose();
  } else {
    warped_solve(strain);
  }
  return norm(strain);
}

double Body::Step::norm(const double* x) const {
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += body.mass_[i] * at(x, i).squaredNorm();
  return std::sqrt(sum / body.total_mass_);
}

// The turn that the momenta give, and the deformation by one linear solve in the cells as they are.
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
    angular += x.cross(kick);
  }
  linear /= body.total_mass_;
  if (body.pinned()) linear.setZero();
  const Vec3 spin = body.rigid_rate(moment, now), turned = body.rigid_rate(moment, angular);
  Vec3 middle = h * body.rigid_rate(moment, now + half_push);
  if (middle.norm() > kMostTurn) middle *= kMostTurn / middle.norm();
  const Mat3 half_way = exp_rotation(-0.5 * middle).toRotationMatrix();
  // The forces at p⁻ + ½ h v, v the vibration: as of a step that goes there and no cell turns on.
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3 v = at(u, i) - spin.cross(at(p, i));
    put(rate, i, v);
    put(moved, i, h * v);
  }
  body.clear_held(rate);
  body.clear_held(moved);
  if (matrix)
    std::fill(pull, pull + 3 * n, 0.0);
  else
    cell_forces();
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double m = body.mass_[i];
    const Vec3 x = m * (half_way * at(push, i) - linear - turned.cross(at(p, i))) - h * at(pull, i);
    put(pull, i, x);
    sum += x.squaredNorm() / m;
  }
  body.clear_held(pull);
  if (!matrix && std::sqrt(sum / body.total_mass_) > tolerance) {
    ++*passes;
    turn = Quat::Identity();
    warped_solve(pull);
  } else {
    std::fill(pull, pull + 3 * n, 0.0);
  }
  std::copy(cell_turns, cell_turns + 4 * cells.turn_count(), turns);
  const Quat q = exp_rotation(middle);
  const Mat3 whole = q.toRotationMatrix();
  const Mat3 turning = (0.5 / h) * (Mat3::Identity() + whole) * skew(2 / q.w() * q.vec());
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3 deformed = at(rate, i) + 0.5 * at(pull, i);
    put(w, i, 2 * (0.5 * linear + turning * at(p, i) + whole * deformed - at(u, i)));
  }
  body.clear_held(w);
}

}  // namespace hazumi::cell_body
