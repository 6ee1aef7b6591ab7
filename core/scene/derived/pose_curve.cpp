#include "core/scene/derived/pose_curve.h"

#include <algorithm>
#include <cmath>

namespace hazumi {

namespace {

constexpr int kArcs = 128;
constexpr double kRound = 0.85;  // of the half thickness: a right angle then has a radius of 1.06 of it
constexpr int kPieces = 12;      // of a smooth line between two points

/// Places on a drawn line in steps of its length; behind its end it goes on straight.
std::vector<Vec3> stepped(std::span<const Vec3> drawn, double step, int count, const Vec3& otherwise) {
  std::vector<Vec3> places;
  Vec3 way = otherwise;
  std::size_t k = 0;
  Vec3 at = drawn[0];
  places.push_back(at);
  while (static_cast<int>(places.size()) < count) {
    double left = step;
    while (k + 1 < drawn.size()) {
      const Vec3 to = drawn[k + 1] - at;
      const double far = to.norm();
      if (far > 0) way = to / far;
      if (far >= left) break;
      left -= far;
      at = drawn[++k];
    }
    at += left * way;
    places.push_back(at);
  }
  return places;
}

/// The mean of directions around each, by a Gaussian of this width in steps: what is evenly bent stays so. Before the first they are as in
/// a mirror, so that an arc goes on. The last 3 widths are left out.
std::vector<Vec3> evened(const std::vector<Vec3>& ways, double width) {
  const int reach = static_cast<int>(std::ceil(3 * width)), count = static_cast<int>(ways.size()) - reach;
  std::vector<double> weights;
  for (int k = -reach; k <= reach; ++k) weights.push_back(std::exp(-0.5 * k * k / std::max(width * width, 1e-12)));
  const auto way = [&](int i) { return i >= 0 ? ways[i] : Vec3(2 * ways[0].dot(ways[-i]) * ways[0] - ways[-i]); };
  std::vector<Vec3> even;
  for (int i = 0; i < count; ++i) {
    Vec3 sum = Vec3::Zero();
    for (int k = -reach; k <= reach; ++k) sum += weights[k + reach] * way(i + k);
    // A line that comes straight back has no mean direction where it turns: it keeps the one before.
    even.push_back(sum.norm() > 1e-9 ? Vec3(sum.normalized()) : even.empty() ? ways[0] : even.back());
  }
  return even;
}

}  // namespace

EvenLine::EvenLine(double length, double half, const Vec3& along, std::span<const Vec3> drawn) {
  step_ = std::max(length, 1e-12) / kArcs;
  const double width = kRound * half / step_;
  const int count = kArcs + 1 + static_cast<int>(std::ceil(3 * width));
  const std::vector<Vec3> on = stepped(drawn, step_, count + 1, along);
  std::vector<Vec3> ways;
  for (int i = 0; i < count; ++i) {
    const Vec3 way = on[i + 1] - on[i];
    ways.push_back(way.norm() > 1e-9 * step_ ? Vec3(way.normalized()) : along);
  }
  ways_ = evened(ways, width);
  places_ = {drawn[0]};
  turns_ = {Quat::FromTwoVectors(along, ways_[0])};
  for (int i = 0; i < kArcs; ++i) {
    const Quat next = Quat::FromTwoVectors(ways_[i], ways_[i + 1]);
    const double angle = std::atan2(ways_[i].cross(ways_[i + 1]).norm(), ways_[i].dot(ways_[i + 1]));
    const Vec3 chord = ways_[i] + ways_[i + 1];
    // Of an arc of this length the chord is shorter: sin(φ/2) / (φ/2).
    const double shorter = angle > 1e-9 ? std::sin(0.5 * angle) / (0.5 * angle) : 1;
    places_.push_back(places_[i] + step_ * shorter * (chord.norm() > 0 ? Vec3(chord.normalized()) : ways_[i]));
    turns_.push_back((next * turns_[i]).normalized());
  }
}

EvenLine::At EvenLine::at(double s) const {
  const double end = kArcs * step_;
  if (s <= 0) return {places_[0] + s * ways_[0], turns_[0]};
  if (s >= end) return {places_[kArcs] + (s - end) * ways_[kArcs], turns_[kArcs]};
  const int i = std::min(static_cast<int>(s / step_), kArcs - 1);
  const double on = s - i * step_;
  const Vec3 about = ways_[i].cross(ways_[i + 1]);
  const double angle = std::atan2(about.norm(), ways_[i].dot(ways_[i + 1])), bow = angle / step_;
  if (!(angle > 1e-9)) return {places_[i] + on * ways_[i], turns_[i]};
  const Vec3 axis = about.normalized(), side = axis.cross(ways_[i]);
  return {places_[i] + (std::sin(bow * on) * ways_[i] + (1 - std::cos(bow * on)) * side) / bow,
          (Quat(Eigen::AngleAxisd(bow * on, axis)) * turns_[i]).normalized()};
}

double EvenLine::most_bent() const {
  double most = 0;
  for (int i = 0; i < kArcs; ++i)
    most = std::max(most, std::atan2(ways_[i].cross(ways_[i + 1]).norm(), ways_[i].dot(ways_[i + 1])) / step_);
  return most;
}

void bend_along(std::span<Vec3> nodes, std::span<const double> shares, const BodyCourse& course, const EvenLine& line) {
  if (!(course.length() > 0) || course.nodes() != nodes.size()) return;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const double share = shares.empty() ? 1 : shares[i];
    if (share == 0) continue;
    const double s = course.way_of(i);
    const BodyCourse::At was = course.at(s);
    const EvenLine::At at = line.at(s);
    const Vec3 to = at.place + at.turn * (was.turn.conjugate() * (nodes[i] - was.place));
    nodes[i] += share * (to - nodes[i]);
  }
}

std::vector<Vec3> through_points(std::span<const Vec3> points) {
  std::vector<Vec3> apart;  // no two after each other in one place
  for (const Vec3& p : points)
    if (apart.empty() || (p - apart.back()).norm() > 0) apart.push_back(p);
  if (apart.size() < 3) return apart;
  std::vector<Vec3> line = {apart[0]};
  for (std::size_t k = 0; k + 1 < apart.size(); ++k) {
    const Vec3 &b = apart[k], &c = apart[k + 1];
    const Vec3 a = k > 0 ? apart[k - 1] : Vec3(2 * b - c), d = k + 2 < apart.size() ? apart[k + 2] : Vec3(2 * c - b);
    const double t1 = std::sqrt((b - a).norm()), t2 = t1 + std::sqrt((c - b).norm()),
                 t3 = t2 + std::sqrt((d - c).norm());
    const auto mix = [](const Vec3& p, const Vec3& q, double low, double high, double t) {
      return Vec3(((high - t) * p + (t - low) * q) / (high - low));
    };
    for (int i = 1; i <= kPieces; ++i) {
      const double t = t1 + (t2 - t1) * i / kPieces;
      const Vec3 ab = mix(a, b, 0, t1, t), bc = mix(b, c, t1, t2, t), cd = mix(c, d, t2, t3, t);
      line.push_back(i == kPieces ? c : mix(mix(ab, bc, 0, t2, t), mix(bc, cd, t1, t3, t), t1, t2, t));
    }
  }
  return line;
}

}  // namespace hazumi
