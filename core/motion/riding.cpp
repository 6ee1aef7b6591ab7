#include "core/motion/riding.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "core/math/rotation.h"
#include "core/motion/sight.h"
#include "core/sim/body/rigid_body.h"
#include "core/sim/body/rigid_values.h"

namespace hazumi {
namespace {

using Three = std::array<std::uint32_t, 3>;

constexpr double kFlat = 0.1;  // of a triangle: its height over its longest side, at least

bool spans(std::span<const Vec3> x, const Three& nodes) {
  const Vec3 a = x[nodes[1]] - x[nodes[0]], b = x[nodes[2]] - x[nodes[0]];
  const double longest = std::max({a.squaredNorm(), b.squaredNorm(), (a - b).squaredNorm()});
  return a.cross(b).norm() > kFlat * longest;
}

/// c and R of three places.
Pose frame_of_three(const std::array<Vec3, 3>& x, const std::array<Vec3, 3>& rest) {
  const Vec3 c = (x[0] + x[1] + x[2]) / 3, r = (rest[0] + rest[1] + rest[2]) / 3;
  const Vec3 n = (x[1] - x[0]).cross(x[2] - x[0]), m = (rest[1] - rest[0]).cross(rest[2] - rest[0]);
  Mat3 a = Mat3::Zero();
  double size = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    a += (x[i] - c) * (rest[i] - r).transpose();
    size += (rest[i] - r).squaredNorm();
  }
  a += size * n.normalized() * m.normalized().transpose();
  return {c, polar_rotation(a, Quat::Identity())};
}

MovingFrame frame_of_nodes(const Body& body, std::span<const double> values, const Three& nodes,
                           const MovingFrame* carrier) {
  const std::size_t n = body.truss.nodes.size();
  std::vector<Vec3> x(n), u(n);
  body.positions(values, x);
  body.node_velocities(values, u);
  std::array<Vec3, 3> now, rest, fast;
  for (std::size_t i = 0; i < 3; ++i) {
    now[i] = x[nodes[i]];
    rest[i] = body.truss.nodes[nodes[i]];
    fast[i] = carrier ? Vec3(u[nodes[i]] + carrier->at(now[i])) : u[nodes[i]];
  }
  // How fast it turns, from a little before and after: places that their velocities move by a millionth of their distance.
  const double size = (now[1] - now[0]).norm() + (now[2] - now[0]).norm();
  const Vec3 mean = (fast[0] + fast[1] + fast[2]) / 3;
  double fastest = 0;
  for (const Vec3& f : fast) fastest = std::max(fastest, (f - mean).norm());
  MovingFrame frame;
  const Pose pose = frame_of_three(now, rest);
  frame.place = pose.position;
  frame.rotation = pose.rotation;
  frame.velocity = mean;
  if (!(fastest > 0)) return frame;
  const double dt = 1e-5 * size / fastest;
  std::array<Vec3, 3> ahead = now, back = now;
  for (std::size_t i = 0; i < 3; ++i) {
    ahead[i] += dt * (fast[i] - mean);
    back[i] -= dt * (fast[i] - mean);
  }
  frame.spin =
      log_rotation(frame_of_three(ahead, rest).rotation * frame_of_three(back, rest).rotation.conjugate()) / (2 * dt);
  return frame;
}

MovingFrame frame_of_pose(const Model& model, const State& state, std::size_t number) {
  MovingFrame frame;
  const Body& body = model.bodies[number];
  const std::vector<double>& values = state.bodies[number].values;
  std::size_t mover = number;
  if (const CarriedBody* carried = find_carried(model, number)) {
    const Pose pose = carried_pose(model, state, *carried);
    frame.place = pose.position;
    frame.rotation = pose.rotation;
    mover = carried->carrier;
  } else {
    const Pose pose = body.pose(values);
    frame.place = pose.position;
    frame.rotation = pose.rotation;
  }
  const Body& moves = model.bodies[mover];
  const std::vector<double>& of = state.bodies[mover].values;
  Vec3 centre = moves.pose(of).position;
  if (moves.moves) {
    frame.velocity = velocity_of(model, state, mover);
    frame.spin = spin_of(model, state, mover);
    centre = centre_of(model, state, mover);
  } else if (of.size() == kRigidStateSize) {  // led by keys: mass and inertia are 1
    const RigidValues led = read_rigid(of);
    frame.velocity = led.momentum;
    frame.spin = led.angular_momentum;
    centre = led.pose.position;
  }
  frame.velocity += frame.spin.cross(frame.place - centre);
  return frame;
}

}  // namespace

std::optional<Three> nodes_to_ride(std::span<const Vec3> nodes, const Vec3& place, std::span<const double> asked) {
  const std::size_t n = nodes.size();
  if (n < 3) return std::nullopt;
  if (asked.size() == 3 &&
      std::all_of(asked.begin(), asked.end(), [&](double a) { return a >= 0 && a < static_cast<double>(n); })) {
    Three out{};
    for (std::size_t i = 0; i < 3; ++i) out[i] = static_cast<std::uint32_t>(asked[i]);
    if (spans(nodes, out)) return out;
  }
  std::vector<std::uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return (nodes[a] - place).squaredNorm() < (nodes[b] - place).squaredNorm();
  });
  for (std::size_t k = 2; k < n; ++k)
    if (const Three out{order[0], order[1], order[k]}; spans(nodes, out)) return out;
  return std::nullopt;
}

Ridden ridden_frame(const Model& model, const State& before, const State& after, std::size_t parent,
                    const std::optional<Three>& nodes, const Ridden* carrier) {
  if (!nodes) return {frame_of_pose(model, before, parent), frame_of_pose(model, after, parent)};
  const Body& body = model.bodies[parent];
  return {frame_of_nodes(body, before.bodies[parent].values, *nodes, carrier ? &carrier->before : nullptr),
          frame_of_nodes(body, after.bodies[parent].values, *nodes, carrier ? &carrier->after : nullptr)};
}

FrameRates rates_after(const Ridden& frame, double h) {
  const MovingFrame &was = frame.before, &is = frame.after;
  return {is.place, is.spin, (is.velocity - was.velocity) / h, (is.spin - was.spin) / h};
}

FrameRates felt_by_rider(std::span<const double> memory) {
  const auto three = [&](std::size_t at) { return Vec3(memory[at], memory[at + 1], memory[at + 2]); };
  return {three(3), three(6), three(9), three(12)};
}

void remember_rates(const FrameRates& rates, std::span<double> memory) {
  std::size_t at = 3;
  for (const Vec3* v : {&rates.place, &rates.spin, &rates.speeding, &rates.turning})
    for (int k = 0; k < 3; ++k) memory[at++] = (*v)[k];
}

void carry_along(const Body& part, std::span<const double> before, const Ridden& frame, const FrameRates& felt,
                 double feels, double h, std::span<double> values) {
  const std::size_t n = part.truss.nodes.size();
  const MovingFrame &was = frame.before, &is = frame.after;
  std::vector<Vec3> x(n), end(n), u(n), turned(n);
  part.positions(before, x);
  part.node_velocities(before, u);
  const Quat turn = (is.rotation * was.rotation.conjugate()).normalized();
  if (!part.carry({is.place - turn * was.place, turn}, values) || feels == 0) return;
  part.positions(values, end);
  part.node_velocities(values, turned);
  const Quat half = exp_rotation(0.5 * log_rotation(turn));
  FrameRates rates = rates_after(frame, h);
  rates.place.setZero();
  rates.spin = 0.5 * (was.spin + is.spin);
  std::vector<NodeImpulse> impulses(n);
  for (std::uint32_t i = 0; i < n; ++i) {
    const Vec3 arm = 0.5 * (x[i] - was.place + end[i] - is.place);
    const Vec3 more = turn * felt.at(x[i], u[i]) - half * rates.at(arm, 0.5 * (u[i] + turned[i]));
    impulses[i] = {i, feels * h * part.truss.masses[i] * more};
  }
  part.push_nodes(values, impulses);
}

}  // namespace hazumi
