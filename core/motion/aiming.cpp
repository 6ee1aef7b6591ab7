#include "core/motion/aiming.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/math/golden_section.h"
#include "core/motion/sight.h"

namespace hazumi {

namespace {

constexpr double kNowhere = 1e300, kOnCurve = 1e-6;
constexpr int kHalvings = 6;
constexpr double kNearer = 0.5, kSmall = 1e-5;    // of the way that is left, after which the matrix will do; of v, m/s
constexpr double kAsNear = 1e-9, kOfWay = 1e-10;  // m; of the way
constexpr int kSections = 14;                     // T to 0.4 %, |v| to a thousandth of that
constexpr int kRoughSteps = 48, kMostOfFlight = 20'000;  // of a flight

/// A body by itself from where a sub-step begins.
class LoneFlight {
 public:
  LoneFlight(const MotionContext& context, const Vec3& acceleration)
      : model_(context.model),
        body_(context.of_body()),
        number_(static_cast<std::uint32_t>(context.body)),
        first_(context.state.substep),
        told_(context.told_now),
        begin_(context.values().begin(), context.values().end()),
        acceleration_(acceleration),
        velocity_(velocity_of(context.model, context.state, context.body)),
        centre_(centre_of(context.model, context.state, context.body)) {
    forces_.acceleration = acceleration - (body_.gravity ? model_.gravity : Vec3(Vec3::Zero()));
    if (body_.deforms) forces_.nodes.resize(body_.truss.nodes.size());
  }

  /// As a run has it: sub-step by sub-step, between the last two by their places and velocities.
  /// `share`: of all that fields and drag do.
  std::optional<Vec3> end(const Vec3& velocity, double time, double share) {
    const double h = model_.step;
    const auto whole = static_cast<std::int64_t>(std::floor(time / h + 1e-9));
    std::vector<double> now = begin_, next = begin_;
    body_.add_velocity(now, velocity - velocity_);
    for (std::int64_t k = 0; k <= whole; ++k) {
      const double rest = time - static_cast<double>(k) * h;
      if (k == whole && rest <= 1e-9 * h) break;
      push(now, {first_ + k, static_cast<double>(first_ + k) * h, h}, share);
      if (!body_.advance(h, forces_, acceleration_, now, next, workspace_, nullptr)) return std::nullopt;
      body_.calm(next, workspace_);
      if (k == whole) return between(body_.observe(now), body_.observe(next), rest);
      now.swap(next);
    }
    return body_.observe(now).centre;
  }
  /// About there: as a ball, in a few long steps.
  std::optional<Vec3> rough_end(const Vec3& velocity, double time, double share) const {
    Vec3 place = centre_, u = velocity;
    const double h = time / kRoughSteps;
    for (int k = 0; k < kRoughSteps; ++k) {
      const double begin = static_cast<double>(first_) * model_.step + k * h;
      const FieldStage::Part part{static_cast<std::int64_t>(begin / model_.step), begin, h};
      const Vec3 felt = model_.fields->on_ball(model_, number_, place, u, acceleration_, part, told_);
      const Vec3 after = u + h * (acceleration_ + share * felt);
      place += 0.5 * h * (u + after);
      u = after;
      if (!place.allFinite() || !u.allFinite()) return std::nullopt;
    }
    return place;
  }
  bool is_long(double time) const { return !(time / model_.step < kMostOfFlight); }

 private:
  void push(std::span<const double> values, const FieldStage::Part& part, double share) {
    forces_.force.setZero();
    forces_.torque.setZero();
    std::fill(forces_.nodes.begin(), forces_.nodes.end(), Vec3::Zero());
    model_.fields->add_part(model_, number_, values, part, told_, forces_);
    if (share == 1) return;
    forces_.force *= share;
    forces_.torque *= share;
    for (Vec3& f : forces_.nodes) f *= share;
  }
  /// Cubic by places and velocities at both ends of a sub-step.
  Vec3 between(const Observables& from, const Observables& to, double time) const {
    const double h = model_.step, s = time / h, r = 1 - s;
    const Vec3 u = from.momentum / from.mass, w = to.momentum / to.mass;
    return r * r * (1 + 2 * s) * from.centre + s * s * (3 - 2 * s) * to.centre + h * s * r * (r * u - s * w);
  }

  const Model& model_;
  const Body& body_;
  const std::uint32_t number_;
  const std::int64_t first_;
  const std::span<const NumberTold> told_;
  const std::vector<double> begin_;
  const Vec3 acceleration_, velocity_, centre_;
  BodyForces forces_;
  ElasticWorkspace workspace_;
};

double as_near_as(const Shot& guess) { return kAsNear + kOfWay * guess.velocity.norm() * guess.time; }

/// How the end of a flight changes with the velocity at its start. `there`: the end.
template <class End>
Mat3 measured_change(const End& end, const Vec3& velocity, const Vec3& there, double time) {
  Mat3 change = time * Mat3::Identity();
  const double small = kSmall * std::max(1.0, velocity.norm());
  for (int k = 0; k < 3; ++k)
    if (const auto moved = end(velocity + small * Vec3::Unit(k), time)) change.col(k) = (*moved - there) / small;
  return change;
}

/// A velocity, and how far from the target it ends.
struct Found {
  Vec3 velocity = Vec3::Zero();
  double off = kNowhere;  ///< m
};

Found found_from(const EndOfFlight& whole, double share, const Vec3& target, const Shot& guess) {
  const auto end = [&](const Vec3& velocity, double time) { return whole(velocity, time, share); };
  Vec3 best = guess.velocity;
  const auto first = end(best, guess.time);
  if (!first) return {best};
  Vec3 off = *first - target;
  const double good = as_near_as(guess);
  Mat3 change = guess.time * Mat3::Identity();  // of x with v
  for (bool measured = false; off.norm() > good;) {
    const double before = off.norm();
    Vec3 step = -change.partialPivLu().solve(off);
    for (int half = 0; half < kHalvings && off.norm() >= before && step.allFinite(); ++half, step *= 0.5) {
      const auto there = end(best + step, guess.time);
      if (!there) continue;
      const Vec3 left = *there - target;
      change += (left - off - change * step) * step.transpose() / step.squaredNorm();
      if (left.norm() >= before) continue;
      best += step;
      off = left;
    }
    if (off.norm() >= before && measured) break;
    measured = off.norm() > kNearer * before;
    if (measured) change = measured_change(end, best, target + off, guess.time);
  }
  return {best, off.norm()};
}

Found nearer(const Found& a, const Found& b) { return b.off < a.off ? b : a; }

/// Stirred air may lead away from the target, or past it. From the one velocity that comes there without air a curve of all (v, share)
/// that do leads to share 1: it has no other end but there or at velocities without bound. It is followed by its length, as it may turn back.
class ShareCurve {
 public:
  ShareCurve(const EndOfFlight& end, const Vec3& target, double time) : end_(end), target_(target), time_(time) {}

  Found followed() {
    const Found first = found_from(end_, 0, target_, {time_, Vec3::Zero()});
    unit_ = std::max(1.0, first.velocity.norm());
    Four at(first.velocity.x() / unit_, first.velocity.y() / unit_, first.velocity.z() / unit_, 0), along(0, 0, 0, 1);
    double step = kFirstStep;
    Found best;
    for (int k = 0; k < kMostSteps && step > kLeastStep && at.head<3>().norm() < kFastest; ++k) {
      const auto slopes = slopes_at(at);
      if (!slopes) break;
      Four tangent = slopes->fullPivLu().kernel().col(0).normalized();
      if (tangent.dot(along) < 0) tangent = -tangent;
      const auto next = onto_curve(at + step * tangent, tangent, *slopes);
      if (!next || (*next - at).dot(tangent) < kStraight * (*next - at).norm()) {
        step *= 0.5;
        continue;
      }
      if ((*next)[3] >= 1) {
        const Four there = at + (1 - at[3]) / ((*next)[3] - at[3]) * (*next - at);
        best = found_from(end_, 1, target_, {time_, velocity(there)});
        if (best.off <= as_near_as({time_, best.velocity})) return best;
        step *= 0.5;
        continue;
      }
      along = (*next - at).normalized();
      at = *next;
      step = std::min(kLongestStep * std::max(1.0, 0.2 * at.head<3>().norm()), 1.5 * step);
    }
    runs_away_ = at.head<3>().norm() >= kFastest;
    return best;
  }
  bool runs_away() const { return runs_away_; }  ///< faster and faster

 private:
  using Four = Eigen::Vector4d;  ///< of the velocity in units, and the share
  using Slopes = Eigen::Matrix<double, 3, 4>;
  static constexpr double kFirstStep = 0.1, kLongestStep = 0.25, kLeastStep = 1e-4, kStraight = 0.9;
  static constexpr double kFastest = 50;  // units: nobody can throw that fast, and it may be without end
  static constexpr int kMostSteps = 1000, kCorrections = 6;

  Vec3 velocity(const Four& at) const { return unit_ * at.head<3>(); }
  std::optional<Vec3> off(const Four& at) const {
    const auto there = end_(velocity(at), time_, at[3]);
    return there ? std::optional<Vec3>(*there - target_) : std::nullopt;
  }
  std::optional<Slopes> slopes_at(const Four& at) const {
    const auto here = off(at);
    Slopes slopes;
    for (int k = 0; k < 4 && here; ++k) {
      const auto moved = off(at + kSmall * Four::Unit(k));
      if (!moved) return std::nullopt;
      slopes.col(k) = (*moved - *here) / kSmall;
    }
    return here ? std::optional<Slopes>(slopes) : std::nullopt;
  }
  /// The place of the curve in the plane across the tangent; nothing: not near.
  std::optional<Four> onto_curve(Four at, const Four& tangent, Slopes slopes) const {
    auto left = off(at);
    for (int k = 0; k < kCorrections && left; ++k) {
      if (left->norm() <= kOnCurve * unit_ * time_) return at;
      Eigen::Matrix4d all;
      all << slopes, tangent.transpose();
      const Four change = all.fullPivLu().solve(Four(-left->x(), -left->y(), -left->z(), 0));
      if (!change.allFinite() || change.norm() > 1) return std::nullopt;
      const auto now = off(at + change);
      if (!now) return std::nullopt;
      slopes += (*now - *left - slopes * change) * change.transpose() / change.squaredNorm();
      at += change;
      left = now;
    }
    return std::nullopt;
  }

  const EndOfFlight& end_;
  const Vec3 target_;
  const double time_;
  double unit_ = 1;  // m/s
  bool runs_away_ = false;
};

}  // namespace

Shot shot_over(const Vec3& way, const Vec3& acceleration, double duration, double least) {
  double time = duration;
  if (!(time > 0)) time = acceleration.norm() > 0 ? std::sqrt(2 * way.norm() / acceleration.norm()) : 1;
  time = std::max(time, least);
  return {time, way / time - 0.5 * time * acceleration};
}

Vec3 velocity_to(const EndOfFlight& end, const Vec3& target, const Shot& guess, bool at_once) {
  const Found best = found_from(end, 1, target, guess);
  if (at_once || best.off <= as_near_as(guess)) return best.velocity;
  return nearer(best, ShareCurve(end, target, guess.time).followed()).velocity;
}

Shot gentlest_to(const EndOfFlight& end, const Vec3& target, const Shot& guess, double least) {
  Shot best = guess;
  double slowest = kNowhere;
  Vec3 last = guess.velocity * guess.time;
  const auto speed = [&](double log_time) {
    const double time = std::exp(log_time);
    const Found found = found_from(end, 1, target, {time, last / time});
    if (found.off > as_near_as(guess)) return kNowhere;
    last = found.velocity * time;
    const double now = found.velocity.norm();
    if (now < slowest) slowest = now, best = {time, found.velocity};
    return now;
  };
  least_between(speed, std::log(std::max(least, guess.time / 4)), std::log(std::max(least, guess.time * 4)), kSections);
  return best;
}

Shot shot_of(const MotionContext& context, const Vec3& acceleration, const Vec3& target, double duration) {
  const double least = context.model.step;
  const Vec3 way = target - centre_of(context.model, context.state, context.body);
  Shot shot = shot_over(way, acceleration, duration, least);
  if (!context.model.fields || !context.model.fields->acts_on(static_cast<std::uint32_t>(context.body))) return shot;
  LoneFlight flight(context, acceleration);
  const EndOfFlight rough = [&](const Vec3& velocity, double time, double share) {
    return flight.rough_end(velocity, time, share);
  };
  const EndOfFlight exact = [&](const Vec3& velocity, double time, double share) {
    return flight.end(velocity, time, share);
  };
  if (!(duration > 0)) shot = gentlest_to(rough, target, shot, least);
  const double good = as_near_as(shot);
  if (flight.is_long(shot.time)) return {shot.time, velocity_to(rough, target, shot)};
  Found best = found_from(exact, 1, target, shot);
  if (best.off <= good) return {shot.time, best.velocity};
  // What takes long first of all with flights that do not: where not even a ball comes there it does not.
  Found ball = found_from(rough, 1, target, shot);
  if (ball.off > good) {
    ShareCurve curve(rough, target, shot.time);
    ball = nearer(ball, curve.followed());
    if (curve.runs_away()) return {shot.time, best.velocity};
  }
  best = nearer(best, found_from(exact, 1, target, {shot.time, ball.velocity}));
  if (best.off > good) best = nearer(best, ShareCurve(exact, target, shot.time).followed());
  return {shot.time, best.velocity};
}

}  // namespace hazumi
