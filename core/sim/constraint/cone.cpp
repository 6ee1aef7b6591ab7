#include "core/sim/constraint/cone.h"

#include <algorithm>
#include <cmath>

#include "core/math/clones.h"
#include "core/math/eigen.h"
#include "core/sim/constraint/cone_solve.h"

namespace hazumi {

namespace {

constexpr double kLeastShare = 1e-14;  // of the island's greatest mobility: round-off of what cancels
constexpr int kRefresh = 50;           // passes after which u is made anew from λ

double largest_across(const Mat3& block, const Vec3& n) {
  const Vec3 t1 = n.unitOrthogonal(), t2 = n.cross(t1);
  const double a = t1.dot(block * t1), b = t2.dot(block * t2), s = t1.dot(block * t2);
  return 0.5 * (a + b) + std::hypot(0.5 * (a - b), s);
}

template <class T>
std::size_t bytes_of(const std::vector<T>& v) {
  return v.capacity() * sizeof(T);
}

/// u += W_ji step over the blocks of row i.
HAZUMI_CLONES void add_blocks(const double* blocks, const std::uint32_t* column, std::size_t count, const Vec3& step,
                              double* u) {
  const Four x = {step.x(), step.x(), step.x(), step.x()}, y = {step.y(), step.y(), step.y(), step.y()},
             z = {step.z(), step.z(), step.z(), step.z()};
  for (std::size_t k = 0; k < count; ++k, blocks += 12) {
    double* const to = u + 4 * std::size_t{column[k]};
    Four a, b, c, v;
    __builtin_memcpy(&a, blocks, sizeof a);
    __builtin_memcpy(&b, blocks + 4, sizeof b);
    __builtin_memcpy(&c, blocks + 8, sizeof c);
    __builtin_memcpy(&v, to, sizeof v);
    v += (a * x + b * y) + c * z;
    __builtin_memcpy(to, &v, sizeof v);
  }
}

}  // namespace

std::size_t ConeWorkspace::bytes() const {
  std::size_t sum = bytes_of(diagonal) + bytes_of(w) + bytes_of(w_t) + bytes_of(axes) + bytes_of(unknowns) +
                    bytes_of(first) + bytes_of(matrix) + bytes_of(swept) + bytes_of(contacts) + bytes_of(joints) +
                    lanes.bytes();
  for (const auto* v : {&spread, &u, &x, &w_n, &before, &direction, &x_last, &w_last, &next, &given})
    sum += bytes_of(*v);
  for (const auto* v : {&u_padded, &across, &moved_before, &moved_direction}) sum += bytes_of(*v);
  return sum;
}

ConeSolve::ConeSolve(const ConeIsland& island, const ConeOptions& options, ConeWorkspace& workspace,
                     std::span<Vec3> impulse)
    : rows_(island.rows),
      w_(island.w),
      free_(island.free),
      parts_(island.parts),
      products_(island.products),
      options_(options),
      ws_(workspace),
      impulse_(impulse) {
  const std::size_t n = count(), parts = has_parts() ? 2 * parts_.part.size() + 2 : 0;  // and nobody's
  ws_.diagonal.resize(n);
  ws_.w.resize(n);
  ws_.w_t.resize(n);
  ws_.axes.resize(n);
  for (auto* v : {&ws_.spread, &ws_.u, &ws_.w_n, &ws_.before, &ws_.direction, &ws_.next, &ws_.given}) v->resize(n);
  for (auto* v : {&ws_.x, &ws_.x_last}) v->resize(parts);
  ws_.u_padded.resize(has_parts() ? 0 : 4 * n);
  for (auto* v : {&ws_.moved_before, &ws_.moved_direction}) v->resize(has_parts() ? 3 * parts : 4 * n);
}

void ConeSolve::find_mobilities() {
  double largest = 0;
  for (std::size_t i = 0; i < count(); ++i) {
    const auto begin = w_.column.begin() + w_.start[i], end = w_.column.begin() + w_.start[i + 1];
    ws_.diagonal[i] = static_cast<std::uint32_t>(std::lower_bound(begin, end, i) - w_.column.begin());
    largest = std::max(largest, own(i).trace());
  }
  const double least = std::max(options_.least_mobility, kLeastShare * largest);
  const auto found = [least](double mobility) { return mobility > least ? mobility : 0.0; };
  for (std::size_t i = 0; i < count(); ++i) {
    ws_.w[i] = ws_.w_t[i] = 0;
    if (is_contact(i)) {
      const Vec3& n = rows_[i].normal;
      ws_.w_n[i] = own(i) * n;
      ws_.w[i] = found(n.dot(ws_.w_n[i]));
      if (friction(i) > 0) ws_.w_t[i] = found(largest_across(own(i), n));
      if (ws_.w[i] > 0) continue;
    } else if (is_turning(i)) {
      const Vec3& n = rows_[i].normal;
      ws_.w_n[i] = own(i) * n;
      const double along = found(n.dot(ws_.w_n[i])), across = found(largest_across(own(i), n));
      ws_.spread[i] = Vec3(along > 0 ? 1 / along : 0.0, across > 0 ? 1 / across : 0.0, 0);
      ws_.w[i] = std::max(along, across);
      if (ws_.w[i] > 0) continue;
    } else {
      const EigenPairs3 pairs = symmetric_eigen(own(i));
      for (int k = 0; k < 3; ++k) {
        const double mobility = found(pairs.values[k]);
        ws_.w[i] = std::max(ws_.w[i], mobility);
        ws_.spread[i][k] = mobility > 0 ? 1 / mobility : 0.0;
        ws_.axes[i].col(k) = mobility > 0 ? Vec3(pairs.vectors.col(k)) : Vec3(Vec3::Zero());
      }
      impulse_[i] = ws_.axes[i] * (ws_.axes[i].transpose() * impulse_[i]);
      if (ws_.w[i] > 0) continue;
    }
    impulse_[i].setZero();
  }
}

/// Blocks as push() reads them.
void ConeSolve::lay_across() {
  ws_.across.resize(12 * w_.block.size());
  double* to = ws_.across.data();
  for (const Mat3& block : w_.block)
    for (int c = 0; c < 3; ++c) {
      for (int r = 0; r < 3; ++r) *to++ = block(c, r);
      *to++ = 0;
    }
  across_is_there_ = true;
}

void ConeSolve::push(std::size_t i, const Vec3& step) {
  if (has_parts()) return parts_.push(i, step, ws_.x);
  if (!across_is_there_) lay_across();
  add_blocks(ws_.across.data() + 12 * std::size_t{w_.start[i]}, w_.column.data() + w_.start[i],
             w_.start[i + 1] - w_.start[i], step, ws_.u_padded.data());
}

void ConeSolve::find_velocities() {
  if (has_parts()) {
    std::fill(ws_.x.begin(), ws_.x.end(), Vec3::Zero());
    for (std::size_t i = 0; i < count(); ++i) parts_.push(i, impulse_[i], ws_.x);
    return;
  }
  for (std::size_t i = 0; i < count(); ++i) {
    Vec3 sum = free_[i];
    for (std::uint32_t k = w_.start[i]; k < w_.start[i + 1]; ++k) sum += w_.block[k] * impulse_[w_.column[k]];
    std::copy(sum.data(), sum.data() + 3, ws_.u_padded.data() + 4 * i);
    ws_.u_padded[4 * i + 3] = 0;
  }
}

void ConeSolve::tell_velocities() {
  for (std::size_t i = 0; i < count(); ++i) ws_.u[i] = velocity(i);
}

double ConeSolve::change_of(std::size_t i, const Vec3& step) const {
  return is_contact(i) ? ws_.w[i] * step.cwiseAbs().maxCoeff() : (own(i) * step).cwiseAbs().maxCoeff();
}

Vec3 ConeSolve::clamped(std::size_t i, const Vec3& impulse) const {
  if (!is_contact(i)) return impulse;
  const Vec3& n = rows_[i].normal;
  const double normal = std::max(0.0, n.dot(impulse));
  Vec3 across = impulse - n * n.dot(impulse);
  const double most = friction(i) * normal, size = across.norm();
  if (size > most) across *= most / size;
  return normal * n + across;
}

/// The contacts of the island as sweeps read them.
void ConeSolve::prepare_sweeps() {
  ws_.swept.resize(count());
  for (std::size_t i = 0; i < count(); ++i) {
    if (!is_contact(i)) continue;
    ConeWorkspace::Swept& s = ws_.swept[i];
    s.normal = rows_[i].normal;
    s.w_n = ws_.w_n[i];
    s.least = rows_[i].least;
    s.friction = friction(i);
    s.spread = ws_.w[i] > 0 ? 1 / ws_.w[i] : 0.0;
    s.spread_t = ws_.w_t[i] > 0 ? 1 / ws_.w_t[i] : 0.0;
  }
}

Vec3 ConeSolve::equality_step(std::size_t i, const Vec3& u) const {
  const Vec3 off = ws_.axes[i].transpose() * (rows_[i].wanted - u);
  return ws_.axes[i] * ws_.spread[i].cwiseProduct(off);
}

Vec3 ConeSolve::turning_step(std::size_t i, const Vec3& u) const {
  const ConeRow& row = rows_[i];
  const Vec3 &n = row.normal, &before = impulse_[i];
  const double push = std::max(0.0, impulse_[row.of].dot(rows_[row.of].normal)), was = before.dot(n);
  const double now = std::clamp(was - u.dot(n) * ws_.spread[i].x(), -row.spin * push, row.spin * push);
  const Vec3 turned = u + (now - was) * ws_.w_n[i];
  Vec3 across = before - n * was - (turned - n * n.dot(turned)) * ws_.spread[i].y();
  const double most = row.rolling * push, size = across.norm();
  if (size > most) across *= most / size;
  return now * n + across - before;
}

Vec3 ConeSolve::step_of(std::size_t i, const Vec3& u) const {
  return is_contact(i)   ? Vec3(contact_next(i, u) - impulse_[i])
         : is_turning(i) ? turning_step(i, u)
                         : equality_step(i, u);
}

double ConeSolve::sweep() {
  double change = 0;
  for (std::size_t i = 0; i < count(); ++i) {
    if (ws_.w[i] == 0) continue;
    const Vec3 step = step_of(i, velocity(i));
    if (step.x() == 0 && step.y() == 0 && step.z() == 0) continue;
    impulse_[i] += step;
    push(i, step);
    change = std::max(change, change_of(i, step));
  }
  result_.change = change;
  return change;
}

void ConeSolve::by_sweeps() {
  result_.used = ConeMethod::sweep;
  result_.settled = false;
  for (int k = 0; k < options_.most_passes && !result_.settled; ++k) {
    ++result_.passes;
    result_.settled = sweep() < options_.tolerance;
  }
}

// u follows λ by W times the changes, of which the sweeps have made all but the direction's; that one is summed along.
void ConeSolve::by_gradients() {
  result_.used = ConeMethod::gradients;
  const std::span<double> moving =
      has_parts() ? std::span<double>(ws_.x.front().data(), 3 * ws_.x.size()) : ws_.u_padded;
  double last = 0;
  bool fresh = true;  // no direction yet
  for (int k = 0; k < options_.most_passes; ++k) {
    std::copy(impulse_.begin(), impulse_.end(), ws_.before.begin());
    std::copy(moving.begin(), moving.end(), ws_.moved_before.begin());
    ++result_.passes;
    result_.settled = sweep() < options_.tolerance;
    if (result_.settled || k + 1 == options_.most_passes) return;
    double size = 0;
    for (std::size_t i = 0; i < count(); ++i) size += own(i).trace() * (impulse_[i] - ws_.before[i]).squaredNorm();
    const double beta = size / (last + 1e-300);
    last = size;
    fresh = fresh || beta > 1;
    for (std::size_t i = 0; i < count(); ++i) {
      const Vec3 gradient = impulse_[i] - ws_.before[i];
      if (!fresh) impulse_[i] += beta * ws_.direction[i];
      ws_.direction[i] = fresh ? gradient : Vec3(beta * ws_.direction[i] + gradient);
    }
    double *const way = ws_.moved_direction.data(), *const was = ws_.moved_before.data(), *const now = moving.data();
    for (std::size_t i = 0; i < moving.size(); ++i) {
      const double answer = now[i] - was[i];
      now[i] = fresh ? now[i] : now[i] + beta * way[i];
      way[i] = fresh ? answer : beta * way[i] + answer;
    }
    fresh = false;
    if (k % kRefresh == kRefresh - 1) find_velocities();
  }
}

bool ConeSolve::finite() const {
  return std::all_of(impulse_.begin(), impulse_.end(), [](const Vec3& j) { return j.allFinite(); }) &&
         std::all_of(ws_.u.begin(), ws_.u.end(), [](const Vec3& u) { return u.allFinite(); });
}

/// Where gradients stay unsettled, as where rows are more than freedoms: guesses from where they have come to, if these settle.
void ConeSolve::guess_instead() {
  const ConeResult so_far = result_;
  std::copy(impulse_.begin(), impulse_.end(), ws_.given.begin());
  find_velocities();
  by_guesses();
  tell_velocities();
  result_.passes = so_far.passes;
  if (result_.settled && finite()) return;
  std::copy(ws_.given.begin(), ws_.given.end(), impulse_.begin());
  result_ = so_far;
}

ConeResult ConeSolve::run() {
  find_mobilities();
  if (products_) {
    by_products();
    return ended();
  }
  prepare_sweeps();
  find_velocities();
  const bool automatic = options_.method == ConeMethod::automatic;
  bool turning = false;
  for (std::size_t i = 0; i < count(); ++i) turning = turning || is_turning(i);
  if (turning && options_.method != ConeMethod::sweep) {
    by_gradients();
  } else if (options_.method == ConeMethod::direct ||
             (automatic && options_.rigid && !has_parts() && count() <= kDirectRows)) {
    std::copy(impulse_.begin(), impulse_.end(), ws_.given.begin());
    by_guesses();
    if (automatic && !result_.settled) {
      std::copy(ws_.given.begin(), ws_.given.end(), impulse_.begin());
      find_velocities();
      by_gradients();
    }
  } else if (options_.method == ConeMethod::sweep) {
    by_sweeps();
  } else if (has_parts() && (automatic || options_.method == ConeMethod::momentum)) {
    by_momentum();
  } else {
    by_gradients();
    if (automatic && !result_.settled && !has_parts() && count() <= kDirectRows) guess_instead();
  }
  find_velocities();
  tell_velocities();
  return ended();
}

ConeResult ConeSolve::ended() {
  if (!finite()) {
    result_.finite = result_.settled = false;
    for (Vec3& j : impulse_) j.setZero();
    std::copy(free_.begin(), free_.end(), ws_.u.begin());
  }
  return result_;
}

ConeResult solve_cone(const ConeIsland& island, const ConeOptions& options, ConeWorkspace& workspace,
                      std::span<Vec3> impulse) {
  return ConeSolve(island, options, workspace, impulse).run();
}

}  // namespace hazumi
