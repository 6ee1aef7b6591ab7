#include "core/motion/pushing.h"

#include <algorithm>

#include "core/sim/body/body.h"
#include "core/sim/constraint/joint.h"

namespace hazumi {

Pushed acting(const Scene& scene, const Model& model, std::uint32_t number, const Push& push) {
  const Body& body = model.bodies[number];
  const Object& object = *find_object(scene, body.id);
  Pushed out{number, push, place_on_body(model, &object, static_cast<std::int32_t>(number), push.force->place), {}};
  const std::vector<Vec3>& nodes = body.truss.nodes;
  if (!body.deforms || nodes.empty()) return out;
  for (const auto& node : push.force->nodes)
    if (node[0] < nodes.size()) out.nodes.push_back(node[0]);
  if (!push.force->nodes.empty()) return out;
  const Vec3 own = object.transform.scale.cwiseProduct(push.force->place);
  const auto nearest = std::min_element(nodes.begin(), nodes.end(), [&](const Vec3& a, const Vec3& b) {
    return (a - own).squaredNorm() < (b - own).squaredNorm();
  });
  out.nodes = {static_cast<std::uint32_t>(nearest - nodes.begin())};
  return out;
}

void push_by(const Model& model, const State& state, const Pushed& one, Vec3 force, BodyForces& to) {
  if (force == Vec3::Zero()) return;
  const Body& body = model.bodies[one.body];
  const Pose pose = body.pose(state.bodies[one.body].values);
  if (one.push.force->own_axes) force = pose.rotation * force;
  for (const std::uint32_t node : one.nodes) to.nodes[node] += force / static_cast<double>(one.nodes.size());
  if (body.deforms) return;
  to.force += force;
  to.torque += (pose.rotation * one.place).cross(force);
}

}  // namespace hazumi
