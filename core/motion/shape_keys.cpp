#include "core/motion/shape_keys.h"

#include <algorithm>
#include <cmath>

#include "core/geometry/mesh/mass_properties.h"
#include "core/math/rotation.h"
#include "core/scene/derived/poses.h"
#include "core/sim/body/body.h"
#include "core/sim/elastic/body_frame.h"
#include "core/sim/elastic/rest_path.h"
#include "core/sim/elastic/setup.h"

namespace hazumi {

namespace {

constexpr int kShapes = 24;      // of a way
constexpr double kNearer = 0.1;  // s, τ at a following of one half

std::vector<Vec3> nodes_of(const Object& object, const Truss& truss, int pose) {
  const AnalysisPose* const found = pose == 0 ? nullptr : find_pose(object.analysis, static_cast<std::uint32_t>(pose));
  std::vector<Vec3> nodes = found ? pose_nodes(object, *found, truss.nodes) : std::vector<Vec3>();
  return nodes.empty() ? truss.nodes : nodes;
}

struct Rigid {
  Vec3 centre = Vec3::Zero(), velocity = Vec3::Zero(), spin = Vec3::Zero();
  double mass = 0;
};

Rigid rigid_motion(std::span<const double> masses, std::span<const Vec3> x, std::span<const Vec3> v) {
  Rigid out;
  for (std::size_t i = 0; i < x.size(); ++i) {
    out.mass += masses[i];
    out.centre += masses[i] * x[i];
    out.velocity += masses[i] * v[i];
  }
  out.centre /= out.mass;
  out.velocity /= out.mass;
  SecondMoment moment;
  Vec3 angular = Vec3::Zero();
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Vec3 r = x[i] - out.centre;
    moment.add(masses[i], r.x(), r.y(), r.z());
    angular += masses[i] * r.cross(v[i]);
  }
  out.spin = free_rate(moment.inertia(), angular);
  return out;
}

}  // namespace

ShapedBody::ShapedBody(const Body& body, std::uint32_t number, const Object& object, const ShapeTracks& tracks,
                       double h)
    : number_(number), object_(&object), tracks_(tracks), masses_(body.truss.masses), weights_(masses_) {
  tracks_.late = shape_lateness(body.truss);
  if (body.truss.pinned.size() > 2) {
    std::fill(weights_.begin(), weights_.end(), 0.0);
    for (const std::uint32_t i : body.truss.pinned) weights_[i] = masses_[i];
  }
  ElasticSetup setup = setup_of_truss(body.truss, h);
  setup.substance = object.material.substance;
  const auto nodes = [&](int pose) { return nodes_of(object, body.truss, pose); };
  const bool directed = object.body.shape.way == ShapeWay::directed;
  for (const auto& [from, to] : shape_ways(object, tracks))
    ways_.push_back({from, to, rest_path(setup, nodes(from), nodes(to), kShapes, directed)});
  const auto know = [&](int pose) {
    if (std::any_of(poses_.begin(), poses_.end(), [&](const auto& known) { return known.first == pose; })) return;
    poses_.emplace_back(pose, rest_path(setup, nodes(pose), nodes(pose), 1, false)[0]);
  };
  if (!tracks.pose) know(object.body.shape.pose);
  for (std::size_t k = 0; tracks.pose && k < tracks.pose->keys.size(); ++k)
    know(static_cast<int>(std::lround(tracks.pose->keys[k].value[0])));
  know(0);
}

std::vector<Vec3> ShapedBody::nodes_at(const ShapeTold& told) const {
  for (const Way& way : ways_) {
    if (told.from == told.to || way.from != told.from || way.to != told.to) continue;
    const double at = std::clamp(told.share, 0.0, 1.0) * static_cast<double>(way.shapes.size() - 1);
    const std::size_t k = std::min(static_cast<std::size_t>(at), way.shapes.size() - 2);
    const double part = at - static_cast<double>(k);
    std::vector<Vec3> nodes(way.shapes[k].size());
    for (std::size_t i = 0; i < nodes.size(); ++i)
      nodes[i] = (1 - part) * way.shapes[k][i] + part * way.shapes[k + 1][i];
    return nodes;
  }
  for (const auto& [pose, nodes] : poses_)
    if (pose == told.from) return nodes;
  return poses_.back().second;
}

RestShape ShapedBody::begins(const RunClock& clock) const {
  RestShape shape;
  const ShapeTold told = told_shape(*object_, tracks_, -1, clock);
  if (told.from != 0 || told.share > 0) shape.nodes = nodes_at(told);
  return shape;
}

void ShapedBody::direct(const Model& model, const State& state, BodyForces& to) const {
  const Body& body = model.bodies[number_];
  const ShapeTold told = told_shape(*object_, tracks_, state.substep, model.clock);
  RestShape shape;
  if (told.from != 0 || told.to != 0) shape.nodes = nodes_at(told);
  to.shape += shape;
  if (!(told.following > 0)) return;
  const std::vector<double>& values = state.bodies[number_].values;
  const ShapeTold was = told_shape(*object_, tracks_, state.substep - 1, model.clock);
  follow(body, values, nodes_at(was), nodes_at(told), told.following, model.step, to.nodes);
  to.stirred = to.stirred || was != told;
}

void ShapedBody::begin_led(const RunClock& clock, Lead& to) const {
  to.nodes = nodes_at(told_shape(*object_, tracks_, -1, clock));
  to.velocities.resize(to.nodes.size());
  for (std::size_t i = 0; i < to.nodes.size(); ++i) {
    const Vec3 arm = to.pose.rotation * to.nodes[i];
    to.nodes[i] = to.pose.position + arm;
    to.velocities[i] = to.velocity + to.spin.cross(arm);
  }
}

void ShapedBody::lead(const Model& model, const State& state, std::int64_t left, Lead& to) const {
  const Body& body = model.bodies[number_];
  const std::vector<double>& values = state.bodies[number_].values;
  const std::vector<Vec3> before = nodes_at(told_shape(*object_, tracks_, state.substep - 1, model.clock)),
                          after = nodes_at(told_shape(*object_, tracks_, state.substep, model.clock));
  const Pose seen = body.object_pose(body.pose(values));
  std::vector<Vec3> x(after.size());
  body.positions(values, x);
  const double part = 1.0 / static_cast<double>(left);
  to.nodes.resize(x.size());
  to.velocities.resize(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Vec3 was = seen.rotation.conjugate() * (x[i] - seen.position);
    const Vec3 own = left > 1 ? Vec3(was + part * (after[i] - was)) : after[i];
    const Vec3 bends = (left > 1 ? Vec3(own - was) : Vec3(after[i] - before[i])) / model.step;
    const Vec3 arm = to.pose.rotation * own;
    to.nodes[i] = to.pose.position + arm;
    to.velocities[i] = to.velocity + to.spin.cross(arm) + to.pose.rotation * bends;
  }
}

void ShapedBody::follow(const Body& body, std::span<const double> values, const std::vector<Vec3>& before,
                        const std::vector<Vec3>& after, double following, double h, std::vector<Vec3>& forces) const {
  const std::size_t n = masses_.size();
  std::vector<Vec3> x(n), v(n);
  body.positions(values, x);
  body.node_velocities(values, v);
  // Three pins and more say where the shape is, and take up what it pushes.
  const auto& pins = body.truss.pinned;
  const bool stands = pins.size() > 2;
  const Rigid whole =
      stands ? rigid_motion(weights_, x, std::vector<Vec3>(n, Vec3::Zero())) : rigid_motion(masses_, x, v);
  Vec3 centre = Vec3::Zero(), centre_after = Vec3::Zero();
  for (std::size_t i = 0; i < n; ++i) centre += weights_[i] / whole.mass * before[i];
  for (std::size_t i = 0; i < n; ++i) centre_after += weights_[i] / whole.mass * after[i];
  const auto turned = [&](const std::vector<Vec3>& shape, const Vec3& from) -> Mat3 {
    Mat3 fit = Mat3::Zero();
    for (std::size_t i = 0; i < n; ++i) fit += weights_[i] * (x[i] - whole.centre) * (shape[i] - from).transpose();
    return polar_rotation_near(fit, body.pose(values).rotation).toRotationMatrix();
  };
  const Mat3 turn = turned(before, centre), turn_after = stands ? turned(after, centre_after) : turn;
  const double tau = kNearer * (1 - following) / following;
  const double strength = tau > 0 ? -std::expm1(-2 * h / tau) : 1;
  Vec3 push = Vec3::Zero(), twist = Vec3::Zero();
  SecondMoment moment;
  std::vector<Vec3> own(n);
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3 r = x[i] - whole.centre, s = turn * (before[i] - centre), next = turn_after * (after[i] - centre_after);
    const Vec3 goal = (next - s) / h + (s - r) / std::max(tau, h);
    const Vec3 moving = v[i] - whole.velocity - whole.spin.cross(r);
    own[i] = masses_[i] * strength / h * (goal - moving);
    if (stands) continue;
    push += own[i];
    twist += r.cross(own[i]);
    moment.add(masses_[i], r.x(), r.y(), r.z());
  }
  const Vec3 rate = stands ? Vec3(Vec3::Zero()) : free_rate(moment.inertia(), twist);
  for (std::size_t i = 0; i < n; ++i)
    forces[i] += own[i] - masses_[i] * (push / whole.mass + rate.cross(x[i] - whole.centre));
}

}  // namespace hazumi
