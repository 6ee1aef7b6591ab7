#include "core/scene/derived/body_course.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <queue>

namespace hazumi {

namespace {

constexpr int kCourseStations = 64;
constexpr double kLayerApart =
    0.02;  // of the length: nodes that are nearer to each other along the axis are of one layer
constexpr std::size_t kLayersNear = 4;  // where weights end
constexpr double kLeastWidth = 0.75;    // of the half thickness: the least width
constexpr double kHeldShift = 1e-9;     // of the weights: what is not determined, as across a chain, is none
constexpr double kEvenShift = 1e-6;     // the same of d", so that what two layers say is straight

/// u of each layer, ascending.
std::vector<double> layers_of(std::vector<double> along, double length) {
  std::sort(along.begin(), along.end());
  std::vector<double> layers;
  for (const double u : along)
    if (layers.empty() || u - layers.back() > kLayerApart * length) layers.push_back(u);
  return layers;
}

double width_at(const std::vector<double>& layers, double u, double least) {
  std::vector<double> far;
  for (const double layer : layers) far.push_back(std::abs(layer - u));
  if (far.empty()) return std::max(least, 1e-12);
  const std::size_t last = std::min(kLayersNear, far.size()) - 1;
  std::nth_element(far.begin(), far.begin() + static_cast<std::ptrdiff_t>(last), far.end());
  // Weights end there: where there is no layer more all count.
  return std::max({far.size() < kLayersNear ? 1.5 * far[last] : far[last], least, 1e-12});
}

struct CourseSample {
  double u;
  Vec3 across, shift;
};

/// d at u.
Vec3 shift_at(const std::vector<CourseSample>& samples, double u, double width, double half) {
  using Row = Eigen::Matrix<double, 6, 1>;
  Eigen::Matrix<double, 6, 6> sums = Eigen::Matrix<double, 6, 6>::Zero();
  Eigen::Matrix<double, 6, 3> told = Eigen::Matrix<double, 6, 3>::Zero();
  double weights = 0;
  for (const CourseSample& sample : samples) {
    const double t = (sample.u - u) / width;
    if (!(std::abs(t) < 1)) continue;
    const double cube = 1 - std::abs(t * t * t), weight = cube * cube * cube;
    Row row;
    row << 1, t, t * t, sample.across / std::max(half, 1e-12);
    sums += weight * row * row.transpose();
    told += weight * row * sample.shift.transpose();
    weights += weight;
  }
  if (!(weights > 0)) return Vec3::Zero();
  for (int k = 1; k < 6; ++k) sums(k, k) += (k == 2 ? kEvenShift : kHeldShift) * weights;
  return sums.ldlt().solve(told).row(0).transpose();
}

}  // namespace

BodyAxis axis_along(std::span<const Vec3> nodes, const Vec3& way) {
  BodyAxis axis;
  if (nodes.size() < 2) return axis;
  Vec3 middle = Vec3::Zero();
  for (const Vec3& x : nodes) middle += x;
  middle /= static_cast<double>(nodes.size());
  double low = 0, high = 0;
  for (const Vec3& x : nodes) {
    const double s = (x - middle).dot(way);
    low = std::min(low, s);
    high = std::max(high, s);
    axis.half = std::max(axis.half, (x - middle - s * way).norm());
  }
  axis.from = middle + low * way;
  axis.to = middle + high * way;
  return axis;
}

BodyAxis body_axis(std::span<const Vec3> nodes) {
  if (nodes.size() < 2) return {};
  Vec3 middle = Vec3::Zero();
  for (const Vec3& x : nodes) middle += x;
  middle /= static_cast<double>(nodes.size());
  Mat3 spread = Mat3::Zero();
  for (const Vec3& x : nodes) spread += (x - middle) * (x - middle).transpose();
  const Eigen::SelfAdjointEigenSolver<Mat3> principal(spread);
  Vec3 along = principal.eigenvectors().col(2);
  int most = 0;
  along.cwiseAbs().maxCoeff(&most);
  if (along[most] < 0) along = -along;
  return axis_along(nodes, along);
}

namespace {

constexpr int kCurveRounds = 12;
constexpr double kFirstWidth = 0.4,
                 kLastWidth = 0.15;   // of the length: what the curve is evened over, from round to round
constexpr double kStraightAs = 1.03;  // of a chord: what is not longer is straight
constexpr double kSlender = 0.3;      // of the length: how far nodes of a bent rod reach from its middle line

/// How far nodes are from one along springs; those that nothing leads to: infinitely.
std::vector<double> far_along(std::span<const Vec3> nodes, const std::vector<std::vector<std::uint32_t>>& beside,
                              std::uint32_t from) {
  std::vector<double> far(nodes.size(), std::numeric_limits<double>::infinity());
  using Entry = std::pair<double, std::uint32_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
  far[from] = 0;
  open.emplace(0, from);
  while (!open.empty()) {
    const auto [reached, i] = open.top();
    open.pop();
    if (reached > far[i]) continue;
    for (const std::uint32_t j : beside[i]) {
      const double next = reached + (nodes[j] - nodes[i]).norm();
      if (next < far[j]) open.emplace(far[j] = next, j);
    }
  }
  return far;
}

/// Places of a curve through the nodes, u of which is `on` (0 … 1): straight means around each station.
std::vector<Vec3> curve_through(std::span<const Vec3> nodes, const std::vector<double>& on, double least) {
  const std::vector<double> layers = layers_of(on, 1);
  std::vector<Vec3> places;
  for (int k = 0; k <= kCourseStations; ++k) {
    const double u = static_cast<double>(k) / kCourseStations, width = width_at(layers, u, least);
    double w = 0, wt = 0, wtt = 0;
    Vec3 wx = Vec3::Zero(), wtx = Vec3::Zero();
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const double t = (on[i] - u) / width;
      if (!(std::abs(t) < 1)) continue;
      const double cube = 1 - std::abs(t * t * t), weight = cube * cube * cube;
      w += weight, wt += weight * t, wtt += weight * t * t;
      wx += weight * nodes[i], wtx += weight * t * nodes[i];
    }
    const double spread = w * wtt - wt * wt;
    places.push_back(spread > 1e-9 * w * w ? Vec3((wtt * wx - wt * wtx) / spread)
                     : w > 0               ? Vec3(wx / w)
                     : places.empty()      ? nodes[0]
                                           : places.back());
  }
  return places;
}

struct Straightening {
  std::vector<double> ways;         // of stations
  std::vector<Vec3> places, nodes;  // of nodes: s and what is across
  double half = 0;
};

/// Each node where it is nearest to the curve, within a quarter of it from where it was: what lies near in space may be far along.
void lay_on(std::span<const Vec3> nodes, const std::vector<Vec3>& places, std::vector<double>& on, Straightening& out) {
  out = {{0}, places, {}, 0};
  std::vector<Vec3> tangents;
  std::vector<Quat> turns;
  for (int k = 0; k <= kCourseStations; ++k) {
    const auto at = static_cast<std::size_t>(k);
    if (k > 0) out.ways.push_back(out.ways.back() + (places[at] - places[at - 1]).norm());
    const Vec3 way = places[std::min<std::size_t>(at + 1, kCourseStations)] - places[at > 0 ? at - 1 : 0];
    tangents.push_back(way.norm() > 0 ? Vec3(way.normalized()) : at > 0 ? tangents.back() : Vec3(Vec3::UnitX()));
    turns.push_back(k == 0 ? Quat::FromTwoVectors(Vec3::UnitX(), tangents[0])
                           : Quat(Quat::FromTwoVectors(tangents[at - 1], tangents[at]) * turns[at - 1]));
  }
  const double length = out.ways.back();
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const int around = static_cast<int>(std::lround(on[i] * kCourseStations)), reach = kCourseStations / 4;
    int nearest = std::clamp(around, 0, kCourseStations);
    for (int k = std::max(0, around - reach); k <= std::min(kCourseStations, around + reach); ++k)
      if ((nodes[i] - places[static_cast<std::size_t>(k)]).squaredNorm() <
          (nodes[i] - places[static_cast<std::size_t>(nearest)]).squaredNorm())
        nearest = k;
    const auto k = static_cast<std::size_t>(nearest);
    const Vec3 off = nodes[i] - places[k];
    const double beyond = off.dot(tangents[k]);
    on[i] = length > 0 ? std::clamp((out.ways[k] + beyond) / length, 0.0, 1.0) : 0;
    const Vec3 across = turns[k].conjugate() * (off - beyond * tangents[k]);
    out.nodes.emplace_back(out.ways[k] + beyond, across.y(), across.z());
    out.half = std::max(out.half, across.norm());
  }
}

}  // namespace

std::vector<Vec3> straightened(std::span<const Vec3> rest, std::span<const Spring> springs) {
  const std::vector<Vec3> as_it_is(rest.begin(), rest.end());
  if (rest.size() < 4) return as_it_is;
  std::vector<std::vector<std::uint32_t>> beside(rest.size());
  for (const Spring& s : springs) {
    beside[s.a].push_back(s.b);
    beside[s.b].push_back(s.a);
  }
  const auto last = [](const std::vector<double>& far) {
    return static_cast<std::uint32_t>(std::max_element(far.begin(), far.end()) - far.begin());
  };
  const std::vector<double> one = far_along(rest, beside, last(far_along(rest, beside, 0)));
  const double longest = one[last(one)];
  if (!std::isfinite(longest) || !(longest > 0)) return as_it_is;  // in pieces
  const std::vector<double> other = far_along(rest, beside, last(one));
  std::vector<double> on;
  for (std::size_t i = 0; i < rest.size(); ++i) on.push_back(0.5 * (1 + (one[i] - other[i]) / longest));
  const BodyAxis axis = body_axis(rest);
  Straightening straight;
  for (int round = 0; round < kCurveRounds; ++round) {
    const double share = static_cast<double>(round) / (kCurveRounds - 1);
    lay_on(rest, curve_through(rest, on, kFirstWidth + share * (kLastWidth - kFirstWidth)), on, straight);
  }
  const double length = straight.ways.back(), chord = (straight.places.back() - straight.places.front()).norm();
  const bool bent =
      length > kStraightAs * chord && straight.half < kSlender * length && straight.half < 0.8 * axis.half;
  return bent ? straight.nodes : as_it_is;
}

BodyCourse::BodyCourse(std::span<const Vec3> rest, std::span<const Vec3> now, const BodyAxis& axis,
                       std::span<const std::uint32_t> part)
    : half_(axis.half), now_(now.begin(), now.end()) {
  const double length = axis.length();
  if (!(length > 0) || rest.size() != now.size()) return;
  const Vec3 along = (axis.to - axis.from) / length;
  std::vector<double> on;
  for (const Vec3& x : rest) on.push_back((x - axis.from).dot(along));
  std::vector<CourseSample> samples;
  const auto sample = [&](std::size_t i) {
    samples.push_back({on[i], rest[i] - axis.from - on[i] * along, now[i] - rest[i]});
  };
  if (part.empty())
    for (std::size_t i = 0; i < rest.size(); ++i) sample(i);
  for (const std::uint32_t i : part)
    if (i < rest.size()) sample(i);
  std::vector<double> sampled;
  for (const CourseSample& one : samples) sampled.push_back(one.u);
  const std::vector<double> layers = layers_of(std::move(sampled), length);
  for (int k = 0; k <= kCourseStations; ++k) {
    const double u = length * k / kCourseStations;
    places_.push_back(axis.from + u * along + shift_at(samples, u, width_at(layers, u, kLeastWidth * half_), half_));
  }
  for (int k = 0; k <= kCourseStations; ++k) {
    const Vec3 way = places_[static_cast<std::size_t>(std::min(k + 1, kCourseStations))] -
                     places_[static_cast<std::size_t>(std::max(k - 1, 0))];
    tangents_.push_back(way.norm() > 0 ? Vec3(way.normalized()) : tangents_.empty() ? along : tangents_.back());
    const auto at = static_cast<std::size_t>(k);
    turns_.push_back(
        k == 0 ? Quat::Identity()
               : Quat((Quat::FromTwoVectors(tangents_[at - 1], tangents_[at]) * turns_[at - 1]).normalized()));
    ways_.push_back(k == 0 ? 0 : ways_.back() + (places_[at] - places_[at - 1]).norm());
  }
  for (const double u : on) {
    const double step = length / kCourseStations;
    const int k = std::clamp(static_cast<int>(u / step), 0, kCourseStations - 1);
    const double first = ways_[static_cast<std::size_t>(k)], next = ways_[static_cast<std::size_t>(k) + 1];
    // Before and behind the ends as at rest.
    node_ways_.push_back(u < 0 ? u : u > length ? ways_.back() + u - length : first + (u / step - k) * (next - first));
  }
}

BodyCourse::At BodyCourse::at(double s) const {
  if (places_.empty()) return {Vec3::Zero(), Vec3::UnitX(), Quat::Identity()};
  if (!(s > 0)) return {places_[0] + s * tangents_[0], tangents_[0], turns_[0]};
  if (s >= ways_.back())
    return {places_.back() + (s - ways_.back()) * tangents_.back(), tangents_.back(), turns_.back()};
  const auto next = static_cast<std::size_t>(std::upper_bound(ways_.begin(), ways_.end(), s) - ways_.begin());
  const double share = (s - ways_[next - 1]) / (ways_[next] - ways_[next - 1]);
  const Quat turn = turns_[next - 1].slerp(share, turns_[next]);
  return {places_[next - 1] + share * (places_[next] - places_[next - 1]),
          turn * (turns_[0].conjugate() * tangents_[0]), turn};
}

double BodyCourse::way_at(const Vec3& place) const {
  if (places_.empty() || now_.empty()) return 0;
  const auto far = [&](const Vec3& x) { return (x - place).squaredNorm(); };
  const auto nearest =
      std::min_element(now_.begin(), now_.end(), [&](const Vec3& a, const Vec3& b) { return far(a) < far(b); });
  const double s = node_ways_[static_cast<std::size_t>(nearest - now_.begin())];
  return s + (place - *nearest).dot(at(s).way);
}

namespace {

/// The middle line of `course` turned more and more between two ways along it, `turn(k)`: about what at this station, in the course's own
/// directions as they are, or as they have come to be.
class TurnedCourse {
 public:
  TurnedCourse(const BodyCourse& course, double begin, double end, double angle,
               const std::function<Vec3(const BodyCourse::At&)>& about, bool own)
      : course_(course), begin_(begin), step_((end - begin) / kCourseStations) {
    places_ = {course.at(begin).place};
    turns_ = {Quat::Identity()};
    const double part = angle / kCourseStations;
    for (int k = 0; k < kCourseStations; ++k) {
      // Half of it before and half behind: a chord of the arc.
      const Quat& now = turns_.back();
      const Vec3 way = course.at(begin + (k + 1) * step_).place - course.at(begin + k * step_).place;
      const Vec3 axis = about(course.at(begin + (k + 0.5) * step_));
      const auto by = [&](double turn) {
        const Quat little(Eigen::AngleAxisd(turn, axis));
        return Quat(own ? now * little : little * now);
      };
      // Of an arc the chord is shorter: sin(φ/2) / (φ/2).
      const double across = axis.cross(way).norm() / std::max(way.norm(), 1e-300),
                   shorter = std::abs(part) > 1e-9 ? std::sin(0.5 * part) / (0.5 * part) : 1;
      places_.push_back(places_.back() + (1 - across * (1 - shorter)) * (by(0.5 * part) * way));
      turns_.push_back(by(part).normalized());
    }
  }
  Vec3 moved(const Vec3& x, double s) const {
    if (s <= begin_) return x;
    const double on = std::min((s - begin_) / step_, static_cast<double>(kCourseStations));
    const auto k = static_cast<std::size_t>(std::min(static_cast<int>(on), kCourseStations - 1));
    const double share = on - static_cast<double>(k);
    const Quat turn = turns_[k].slerp(share, turns_[k + 1]);
    const Vec3 place = places_[k] + share * (places_[k + 1] - places_[k]);
    const Vec3 was = course_.at(begin_ + static_cast<double>(k) * step_).place,
               next = course_.at(begin_ + static_cast<double>(k + 1) * step_).place;
    return place + turn * (x - (was + share * (next - was)));
  }

 private:
  const BodyCourse& course_;
  double begin_, step_;
  std::vector<Vec3> places_;
  std::vector<Quat> turns_;
};

}  // namespace

void twist_nodes(std::span<Vec3> nodes, const BodyCourse& course, double at, double radius, double angle) {
  if (angle == 0 || course.nodes() != nodes.size()) return;
  const TurnedCourse turned(
      course, at - radius, at + radius, angle, [](const BodyCourse::At& there) { return there.way; }, true);
  for (std::size_t i = 0; i < nodes.size(); ++i) nodes[i] = turned.moved(nodes[i], course.way_of(i));
}

void bend_nodes(std::span<Vec3> nodes, const BodyCourse& course, double at, const Vec3& about, double radius,
                double angle) {
  if (angle == 0 || course.nodes() != nodes.size()) return;
  const TurnedCourse turned(
      course, at - radius, at + radius, angle, [&](const BodyCourse::At&) { return about; }, false);
  for (std::size_t i = 0; i < nodes.size(); ++i) nodes[i] = turned.moved(nodes[i], course.way_of(i));
}

}  // namespace hazumi
