// The step of a body that keeps its volume (kept_volume.h has the equations).
#include <algorithm>
#include <cmath>

#include "core/math/anderson.h"
#include "core/math/rotation.h"
#include "core/sim/elastic/kept_volume.h"
#include "core/sim/elastic/volume_search.h"

namespace hazumi {

namespace {

constexpr int kMostVolumeSteps = 25, kPatience = 6;  // steps; without coming near
constexpr double kNearVolume = 1e-6;                 // of the volume
constexpr double kRightVolume = 1e-12;               // of the volume
constexpr double kRoundOff = 1e-10;                  // of it: with less, and no longer shrinking, it is right
/// What leads the guess of a step that is made again, before the numbers: which way found them.
constexpr double kFoundInOne = 1, kFoundAround = 2;
constexpr double kAligned = 1e-14;  // torque of p g about the true middle, of what its forces could have

/// How far the force along `g` is from the gradient at `middle`, as far as it turns the body; of the greatest that it could be. `way`: of
/// the nodes in the step, m.
struct Torque {
  Vec3 sum = Vec3::Zero();
  double lever = 0, momentum = 0;  // Σ |y| |g|, Σ m |y| |way|
};
Torque torque_of(std::span<const Vec3> g, std::span<const Vec3> from, std::span<const Vec3> to,
                 std::span<const double> masses, std::span<const std::uint32_t> pinned) {
  Torque t;
  Vec3 centre = Vec3::Zero();
  for (std::size_t i = 0; i < g.size(); ++i) centre += 0.5 / static_cast<double>(g.size()) * (from[i] + to[i]);
  if (!pinned.empty()) centre = from[pinned[0]];
  for (std::size_t i = 0; i < g.size(); ++i) {
    const Vec3 y = 0.5 * (from[i] + to[i]) - centre;
    const double arm = y.norm();
    t.sum += y.cross(g[i]);
    t.lever += arm * g[i].norm();
    t.momentum += masses[i] * arm * (to[i] - from[i]).norm();
  }
  return t;
}

}  // namespace

bool KeptVolume::step(std::span<double> state, std::span<const Vec3> forces, const Vec3& acceleration,
                      ElasticWorkspace& workspace) const {
  std::vector<double>* const told = workspace.found;
  const bool good = method_ != VolumeMethod::exact ? search(state, forces, acceleration, workspace, told)
                                                   : in_one(state, forces, acceleration, workspace, told) ||
                                                         solve(state, forces, acceleration, workspace, told);
  workspace.found = told;
  if (!good) return false;
  if (!told) calm(state, workspace);
  return true;
}

/// By a solver that takes the row into its own iteration; false: it takes none, or that did not settle, and nothing has changed.
bool KeptVolume::in_one(std::span<double> state, std::span<const Vec3> forces, const Vec3& acceleration,
                        ElasticWorkspace& workspace, std::vector<double>* told) const {
  if (!inner_->takes_volume()) return false;
  const bool begun = told && !told->empty() && told->front() == kFoundInOne;
  const auto inner = own(state);
  const auto t = tail(state);
  auto& w = workspace.volume;
  w.begun.assign(inner.begin(), inner.end());
  w.found.clear();
  if (begun) w.found.assign(told->begin() + 1, told->end());
  ElasticWorkspace::VolumeRow row{&surface_, t[kSize] * rest_volume_, t[kPressure]};
  const double wanted = row.wanted;
  workspace.found = &w.found;
  workspace.row = &row;
  const bool good = inner_->step(inner, forces, acceleration, workspace);
  workspace.row = nullptr;
  if (!good || !(row.off <= kRoundOff) || row.wanted != wanted) {
    std::copy(w.begun.begin(), w.begun.end(), inner.begin());
    if (begun) told->clear();
    return false;
  }
  t[kPressure] = row.impulse / h_;
  t[kWork] = row.work;
  if (told) {
    told->assign(1, kFoundInOne);
    told->insert(told->end(), w.found.begin(), w.found.end());
  }
  return true;
}

bool KeptVolume::solve(std::span<double> state, std::span<const Vec3> forces, const Vec3& acceleration,
                       ElasticWorkspace& workspace, std::vector<double>* told) const {
  const std::size_t n = node_count();
  const auto inner = own(state);
  const auto t = tail(state);
  auto& w = workspace.volume;
  for (auto* of : {&w.from, &w.to, &w.gradient, &w.answer, &w.pushes}) of->resize(n);
  w.begun.assign(inner.begin(), inner.end());
  inner_->positions(w.begun, w.from);
  const double wanted = t[kSize] * rest_volume_;
  const double slope = begin(state, acceleration, w, told);
  if (!(slope > 0)) return false;
  double* const middle = w.unknowns.data();
  double& p = w.unknowns[3 * n];
  AndersonMixing mixing(w.masses, w.mixing.data());

  workspace.found = &w.found;
  double change = 0, off_before = 1e300, best = 1e300;
  bool right = false;
  int passes = 0;
  Vec3 torque = Vec3::Zero();  // N m, of the best
  for (int k = 0; k < kMostVolumeSteps; ++k) {
    for (std::size_t i = 0; i < n; ++i)
      w.pushes[i] = (forces.empty() ? Vec3(Vec3::Zero()) : forces[i]) + p * w.gradient[i];
    std::copy(w.begun.begin(), w.begun.end(), inner.begin());
    const bool good = inner_->step(inner, w.pushes, acceleration, workspace);
    passes += workspace.passes;
    if (!good) {  // pushed too hard
      if (p == 0) return false;
      p -= change = k == 0 ? p : 0.5 * change;
      continue;
    }
    inner_->positions(inner, w.to);
    const double volume = surface_.volume(w.to), off = std::abs(volume / wanted - 1);
    const Torque turning = torque_of(w.gradient, w.from, w.to, masses_, pinned_);
    const double push = h_ * std::abs(p);
    // Two pins take up torques.
    const bool aligned = pinned_.size() < 2
                             ? push * turning.sum.norm() <= kAligned * (push * turning.lever + turning.momentum / h_)
                             : k > 1 || p == 0;
    right = aligned && (off <= kRightVolume || (off < kRoundOff && off > 0.5 * off_before));
    if (right || off < best) {
      best = off;
      torque = p * turning.sum;
      t[kPressure] = p;
      t[kWork] = 0;
      for (std::size_t i = 0; i < n; ++i) t[kWork] += p * w.gradient[i].dot(w.to[i] - w.from[i]);
      if (!right) w.best.assign(inner.begin(), inner.end());
    }
    if (right || (k > kPatience && best > kNearVolume)) break;
    off_before = off;
    change = (wanted - volume) / slope;
    if (!std::isfinite(change)) break;
    for (std::size_t i = 0; i < n; ++i)
      Vec3::Map(w.off.data() + 3 * i) =
          0.5 * (w.from[i] + w.to[i]) + 0.25 * h_ * h_ * change * w.answer[i] - Vec3::Map(middle + 3 * i);
    w.off[3 * n] = change;
    mixing.advance(w.unknowns.data(), w.off.data());
    gradient_at(middle, w.gradient);
  }
  workspace.passes = passes;
  if (!right) {
    const bool near = best < kNearVolume;
    if (near) {
      std::copy(w.best.begin(), w.best.end(), inner.begin());
      t[kWork] += put_right_at_end(inner, wanted, h_ * torque, forces, acceleration, w);
    } else {
      t[kWork] = freeze(inner, wanted, forces, acceleration, w);
    }
  }
  if (told) {
    told->clear();
    if (right) {
      told->assign(1, kFoundAround);
      told->insert(told->end(), w.unknowns.begin(), w.unknowns.end());
      told->insert(told->end(), w.found.begin(), w.found.end());
    }
  }
  return true;
}

/// Unknowns: the middle of all nodes, p, and two numbers that stay 0. Of a step that is made again those that it found. Then g there,
/// B g in `answer`, and what mixing needs. ½ h² gᵀBg.
double KeptVolume::begin(std::span<const double> state, const Vec3& acceleration, ElasticWorkspace::Volume& w,
                         const std::vector<double>* told) const {
  const std::size_t n = node_count(), count = 3 * n + 3;
  w.off.assign(count, 0.0);
  if (told && told->size() > count && told->front() == kFoundAround) {
    const auto begin = told->begin() + 1, end = begin + static_cast<std::ptrdiff_t>(count);
    w.unknowns.assign(begin, end);
    w.found.assign(end, told->end());
  } else {
    w.found.clear();
    w.unknowns.assign(count, 0.0);
    inner_->velocities(w.begun, w.to);
    for (const std::uint32_t node : pinned_) w.to[node].setZero();
    const Vec3 fall = pinned_.empty() ? Vec3(0.25 * h_ * h_ * acceleration) : Vec3(Vec3::Zero());
    for (std::size_t i = 0; i < n; ++i) Vec3::Map(w.unknowns.data() + 3 * i) = w.from[i] + 0.5 * h_ * w.to[i] + fall;
    w.unknowns[3 * n] = tail(state)[kPressure];
  }
  gradient_at(w.unknowns.data(), w.gradient);
  answer(w.begun, w.gradient, w.answer);
  double slope = 0, size = 0;
  for (std::size_t i = 0; i < n; ++i) {
    slope += 0.5 * h_ * h_ * w.gradient[i].dot(w.answer[i]);
    size += masses_[i] * w.answer[i].squaredNorm();
  }
  // Changes of p count by what they move the middle.
  w.masses.assign(masses_.begin(), masses_.end());
  w.masses.push_back(h_ * h_ * h_ * h_ / 16 * size);
  w.mixing.resize(AndersonMixing::memory_size(count));
  return slope;
}

void KeptVolume::gradient_at(const double* places, std::span<Vec3> out) const {
  std::vector<Vec3> x(node_count());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = Vec3::Map(places + 3 * i);
  gradient(x, out);
}

/// After a step whose row has nearly come to its end: volume and angular momentum are put right, `twist` is what the body has too much
/// of. J, what that took.
double KeptVolume::put_right_at_end(std::span<double> inner_state, double wanted, const Vec3& twist,
                                    std::span<const Vec3> forces, const Vec3& acceleration,
                                    ElasticWorkspace::Volume& w) const {
  const std::size_t n = node_count();
  const Vec3 before = inner_->observe(inner_state).angular_momentum;
  inner_->positions(inner_state, w.to);
  w.begun.assign(inner_state.begin(), inner_state.end());
  put_right(w.begun, wanted);
  inner_->positions(w.begun, w.answer);
  for (std::size_t i = 0; i < n; ++i) w.answer[i] -= w.to[i];
  double work = carry(inner_state, w.answer, forces, acceleration);
  put_right(inner_state, wanted);
  if (!pinned_.empty()) return work;
  const Observables moved = inner_->observe(inner_state);
  inner_->positions(inner_state, w.to);
  const Vec3 turn = turned_by(w.to, moved.centre, before - twist - moved.angular_momentum);
  w.impulses.clear();
  for (std::uint32_t i = 0; i < n; ++i) w.impulses.push_back({i, masses_[i] * turn.cross(w.to[i] - moved.centre)});
  inner_->apply_impulses(inner_state, w.impulses);
  return work + inner_->observe(inner_state).kinetic_energy - moved.kinetic_energy;
}

/// rad/s, of nodes that turn as a rigid body with this angular momentum about the place.
Vec3 KeptVolume::turned_by(std::span<const Vec3> nodes, const Vec3& about, const Vec3& angular) const {
  Mat3 inertia = Mat3::Zero();
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Vec3 y = nodes[i] - about;
    inertia += masses_[i] * (y.squaredNorm() * Mat3::Identity() - y * y.transpose());
  }
  const Vec3 turn = inertia.inverse() * angular;
  return turn.allFinite() ? turn : Vec3(Vec3::Zero());
}

// A step that nothing settles, as of bodies much stiffer than the step can follow, swollen at once: the shape goes on as a rigid body with
// P and L, what is pinned stays; then nodes are moved until the volume is right. The vibration is lost.
double KeptVolume::freeze(std::span<double> inner_state, double wanted, std::span<const Vec3> forces,
                          const Vec3& acceleration, ElasticWorkspace::Volume& w) const {
  const std::size_t n = node_count();
  std::copy(w.begun.begin(), w.begun.end(), inner_state.begin());
  const Observables before = inner_->observe(inner_state);
  const auto force = [&](std::size_t i) {
    return Vec3(masses_[i] * acceleration + (forces.empty() ? Vec3(Vec3::Zero()) : forces[i]));
  };
  std::vector<Vec3>& velocity = w.answer;
  inner_->velocities(inner_state, velocity);
  Vec3 drift = Vec3::Zero(), spin = Vec3::Zero(), push = Vec3::Zero(), twist = Vec3::Zero();
  Vec3 way = Vec3::Zero();
  Quat turn = Quat::Identity();
  if (pinned_.empty()) {
    for (std::size_t i = 0; i < n; ++i) {
      push += h_ * force(i);
      twist += h_ * (w.from[i] - before.centre).cross(force(i));
    }
    drift = (before.momentum + push) / before.mass;
    way = 0.5 * h_ * (drift + before.momentum / before.mass);
    turn = exp_rotation(h_ * turned_by(w.from, before.centre, before.angular_momentum + 0.5 * twist));
  }
  for (std::size_t i = 0; i < n; ++i)
    w.pushes[i] = before.centre + way + turn * (w.from[i] - before.centre) - w.from[i];
  if (pinned_.empty()) inner_->displace(inner_state, w.pushes);
  put_right(inner_state, wanted);

  inner_->positions(inner_state, w.to);
  const Vec3 centre = inner_->frame(inner_state).position;
  if (pinned_.empty()) {
    // L⁺ about the centre, from L⁻ and the moments of the forces about the same place.
    twist.setZero();
    for (std::size_t i = 0; i < n; ++i) twist += h_ * (0.5 * (w.from[i] + w.to[i]) - before.centre).cross(force(i));
    const Vec3 angular = before.angular_momentum + twist - (centre - before.centre).cross(before.mass * drift);
    spin = turned_by(w.to, centre, angular);
  }
  w.impulses.clear();
  double outer = 0;
  for (std::uint32_t i = 0; i < n; ++i) {
    w.impulses.push_back({i, masses_[i] * (drift + spin.cross(w.to[i] - centre) - velocity[i])});
    outer += force(i).dot(w.to[i] - w.from[i]);
  }
  inner_->apply_impulses(inner_state, w.impulses);
  const Observables after = inner_->observe(inner_state);
  return after.kinetic_energy + after.elastic_energy - before.kinetic_energy - before.elastic_energy - outer;
}

double KeptVolume::carry(std::span<double> inner_state, std::span<const Vec3> shift, std::span<const Vec3> forces,
                         const Vec3& acceleration) const {
  const auto energy = [&] {
    const Observables o = inner_->observe(inner_state);
    return o.kinetic_energy + o.elastic_energy;
  };
  const double before = energy();
  inner_->displace(inner_state, shift);
  std::vector<NodeImpulse> impulses;
  double outer = 0;
  for (std::uint32_t i = 0; i < shift.size(); ++i) {
    impulses.push_back({i, 2 * masses_[i] / h_ * shift[i]});
    outer += shift[i].dot(masses_[i] * acceleration + (forces.empty() ? Vec3(Vec3::Zero()) : forces[i]));
  }
  inner_->apply_impulses(inner_state, impulses);
  return energy() - before - outer;
}

// The thesis's way: the step as if there were no volume, then the search from where it came, and its correction carried into the
// velocities. What the correction would shift and turn as a whole is left out.
bool KeptVolume::search(std::span<double> state, std::span<const Vec3> forces, const Vec3& acceleration,
                        ElasticWorkspace& workspace, std::vector<double>* told) const {
  const std::size_t n = node_count();
  const auto inner = own(state);
  const auto t = tail(state);
  auto& w = workspace.volume;
  w.from.resize(n);
  w.to.resize(n);
  inner_->positions(inner, w.from);
  w.found.clear();
  workspace.found = told ? told : &w.found;
  if (!inner_->step(inner, forces, acceleration, workspace)) return false;
  inner_->positions(inner, w.to);
  const double wanted = t[kSize] * rest_volume_;
  std::vector<Vec3> shift = searched_volume(surface_, {w.from, w.to, pinned_, wanted}).shift;
  if (pinned_.empty()) take_out_rigid(w.to, masses_, shift);
  t[kPressure] = 0;
  t[kWork] = carry(inner, shift, forces, acceleration);
  std::vector<double> exact(inner.begin(), inner.end());
  put_right(exact, wanted);
  inner_->positions(inner, w.to);
  inner_->positions(exact, shift);
  for (std::size_t i = 0; i < n; ++i) shift[i] -= w.to[i];
  t[kWork] += carry(inner, shift, forces, acceleration);
  return true;
}

}  // namespace hazumi
