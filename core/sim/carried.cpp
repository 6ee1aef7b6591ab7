#include "core/sim/carried.h"

#include <algorithm>

#include "core/math/rotation.h"
#include "core/scene/derived/family.h"
#include "core/sim/model.h"

namespace hazumi {

namespace {

constexpr double kShareOfWhole = 1e-3;     // ε
constexpr std::size_t kFourthNearest = 3;  // number of the node, from 0, whose distance is s
constexpr double kLeastNodeReach = 1e-6;   // m

void weigh_nodes(CarriedBody& carried) {
  const Vec3& place = carried.start.position;
  std::vector<double> distances;
  for (const Vec3& node : carried.nodes) distances.push_back((node - place).squaredNorm());
  std::vector<double> sorted = distances;
  std::sort(sorted.begin(), sorted.end());
  const double reach =
      std::max(sorted[std::min(kFourthNearest, sorted.size() - 1)], kLeastNodeReach * kLeastNodeReach);  // s²
  double sum = 0;
  for (const double d : distances) {
    const double near = reach / (d + reach);
    carried.weights.push_back(near * near * near);
    sum += carried.weights.back();
  }
  for (double& w : carried.weights) w /= sum;
}

Vec3 weighted_mean(std::span<const Vec3> nodes, std::span<const double> weights) {
  Vec3 sum = Vec3::Zero();
  for (std::size_t i = 0; i < nodes.size(); ++i) sum += weights[i] * nodes[i];
  return sum;
}

}  // namespace

std::vector<CarriedBody> make_carried(const Model& model, const Scene& scene) {
  std::vector<CarriedBody> all;
  for (const Carried& one : carried_objects(scene)) {
    CarriedBody carried;
    carried.child = model.bodies.number(one.child);
    carried.carrier = model.bodies.number(one.carrier);
    const Body &child = model.bodies[carried.child], &carrier = model.bodies[carried.carrier];
    carried.start = child.object_pose(child.start);
    std::vector<double> values(carrier.state_size());
    carrier.initialise(values);
    carried.carrier_start = carrier.object_pose(carrier.pose(values));
    if (carrier.deforms && !carrier.truss.nodes.empty()) {
      carried.nodes.resize(carrier.truss.nodes.size());
      carrier.positions(values, carried.nodes);
      weigh_nodes(carried);
    }
    all.push_back(std::move(carried));
  }
  return all;
}

Pose carried_by(const CarriedBody& carried, const Pose& carrier) {
  const Quat turn = carrier.rotation * carried.carrier_start.rotation.conjugate();
  return {carrier.position + turn * (carried.start.position - carried.carrier_start.position),
          (turn * carried.start.rotation).normalized()};
}

Pose carried_pose(const Model& model, const State& state, const CarriedBody& carried) {
  const Body& carrier = model.bodies[carried.carrier];
  const std::vector<double>& values = state.bodies[carried.carrier].values;
  const Pose now = carrier.object_pose(carrier.pose(values));
  if (carried.nodes.empty()) return carried_by(carried, now);
  const Quat turn = now.rotation * carried.carrier_start.rotation.conjugate();
  std::vector<Vec3> nodes(carried.nodes.size());
  carrier.positions(values, nodes);
  const Vec3 c = weighted_mean(nodes, carried.weights), c0 = weighted_mean(carried.nodes, carried.weights);
  Mat3 a = Mat3::Zero(), b = Mat3::Zero();
  double size = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Vec3 before = carried.nodes[i] - c0;
    a += carried.weights[i] * (nodes[i] - c) * before.transpose();
    b += carried.weights[i] * before * before.transpose();
    size += carried.weights[i] * before.squaredNorm();
  }
  // Nodes in one point say nothing but where it is.
  const double whole = size > 0 ? kShareOfWhole * size : 1;
  a += whole * turn.toRotationMatrix();
  b += whole * Mat3::Identity();
  const Vec3 arm = b.inverse() * (carried.start.position - c0);
  return {c + a * arm, (polar_rotation(a, turn) * carried.start.rotation).normalized()};
}

const CarriedBody* find_carried(const Model& model, std::size_t body) {
  const auto at = std::lower_bound(model.carried.begin(), model.carried.end(), body,
                                   [](const CarriedBody& one, std::size_t wanted) { return one.child < wanted; });
  return at != model.carried.end() && at->child == body ? &*at : nullptr;
}

}  // namespace hazumi
