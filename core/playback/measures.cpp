#include "core/playback/measures.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace hazumi {

namespace {

using MeasureState = ContactMeasure::State;

constexpr double kSameWayMeasured = 0.7;  // cosine, as in events.cpp
constexpr double kLeastRest = 1e-3;       // m/s: of scenes whose speed of rest is nought
constexpr int kLeastSteps = 3;            // that count as a while
constexpr int kLongest = 4;  // of the time it took to get nearest: without a touch for so long they have parted

Pose pose_of(const Model& model, const State& state, Id id) {
  std::size_t low = 0, high = model.bodies.size();  // ascending ids
  while (high - low > 1) {
    const std::size_t middle = (low + high) / 2;
    (model.bodies[middle].id > id ? high : low) = middle;
  }
  return model.bodies[low].pose(state.bodies[low].values);
}

Vec3 into(const Pose& frame, const Vec3& world) { return frame.rotation.conjugate() * (world - frame.position); }

}  // namespace

void Measures::begin(const Model& model, const State& state, const ContactEvent& event) {
  const std::uint32_t number = events_++;
  if (!event.measured) return;
  Open one{event.a, event.b, event.normal, {}};
  ContactMeasure& m = one.measure;
  m.event = number;
  m.began = m.last = m.nearest = event.substep;
  m.arm_a = into(pose_of(model, state, event.a), event.point);
  m.arm_b = into(pose_of(model, state, event.b), event.point);
  for (Open& other : open_) {
    if (other.measure.state != MeasureState::touching || other.a != event.a || other.b != event.b ||
        other.normal.dot(event.normal) <= kSameWayMeasured)
      continue;
    if (other.measure.now > 0) {
      m.state = MeasureState::part;
      m.whole = other.measure.event;
    } else {
      other.measure.state = MeasureState::parted;
    }
  }
  open_.push_back(one);
}

void Measures::resume(int frame, const std::vector<std::pair<int, ContactEvent>>& events, const MeasureLog& log) {
  open_.clear();
  events_ = static_cast<std::uint32_t>(events.size());
  for (auto it = log.rbegin(); it != log.rend() && it->first == frame - 1; ++it) {
    if (it->second.state != MeasureState::touching) continue;
    const ContactEvent& event = events[it->second.event].second;
    open_.push_back({event.a, event.b, event.normal, it->second});
  }
  std::reverse(open_.begin(), open_.end());
}

void Measures::follow(const Model& model, const State& state, std::int64_t substep, const StepReport& report,
                      Open& open) {
  ContactMeasure& m = open.measure;
  const auto before = [](const ContactTouch& t, const std::pair<Id, Id>& pair) {
    return std::tie(t.a, t.b) < std::tie(pair.first, pair.second);
  };
  double force = 0;
  for (auto t = std::lower_bound(report.touches.begin(), report.touches.end(), std::pair(open.a, open.b), before);
       t != report.touches.end() && t->a == open.a && t->b == open.b; ++t)
    if (t->normal.dot(open.normal) > kSameWayMeasured) force += t->force;
  const double h = model.step;
  const double was = m.now;
  m.now = open.normal.dot(pose_of(model, state, open.b) * m.arm_b - pose_of(model, state, open.a) * m.arm_a);
  if (m.now > m.squash) {
    m.squash = m.now;
    m.nearest = substep;
  }
  if (force > 0) {
    m.last = substep;
    m.force = std::max(m.force, force);
    m.impulse += force * h;
  }
  const std::int64_t apart = substep - m.last, way_in = m.nearest - m.began + 1;
  // What sleeps, and what is near enough to be pushed at any time, has not parted.
  const bool touch = std::binary_search(report.touching.begin(), report.touching.end(), std::pair(open.a, open.b));
  if (!touch && ((m.now <= 0 && apart >= kLeastSteps) || apart > kLeastSteps + kLongest * way_in)) {
    m.state = MeasureState::parted;
    return;
  }
  const double slowest = std::max(model.rest_speed, kLeastRest) * h;
  m.slow = substep > m.nearest && std::abs(m.now - was) < slowest ? m.slow + 1 : 0;
  if (m.slow > std::max<std::int64_t>(kLeastSteps, way_in)) m.state = MeasureState::resting;
}

void Measures::add(const Model& model, const State& state, std::int64_t substep, const StepReport& report) {
  for (const ContactEvent& event : report.contacts) begin(model, state, event);
  for (Open& open : open_)
    if (open.measure.state == MeasureState::touching) follow(model, state, substep, report, open);
}

void Measures::end_frame(int frame, MeasureLog& log) {
  for (const Open& open : open_) log.emplace_back(frame, open.measure);
  std::erase_if(open_, [](const Open& open) { return open.measure.state != MeasureState::touching; });
}

}  // namespace hazumi
