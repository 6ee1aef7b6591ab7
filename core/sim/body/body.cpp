#include "core/sim/body/body.h"

#include <algorithm>

#include <cmath>

#include "core/scene/values/scene.h"
#include "core/sim/body/motion.h"
#include "core/sim/body/rigid_values.h"

namespace hazumi {

Body::Body(const BodySetup& setup) : mesh(setup.mesh), truss(setup.truss) {
  const Object& object = setup.object;
  const BodyKindInfo& kind = body_kind(object.body.kind);
  id = made_from = object.id;
  name = object.name;
  moves = kind.moves;
  deforms = kind.deforms;
  substance = object.material.substance;
  hertz_young = substance.young;
  if (moves) {
    mass = object_mass(object, *mesh);
    gravity = object.body.gravity;
    velocity = object.body.velocity;
    spin = object.body.spin;
  }
  put_origin(object, Vec3::Zero());
}

void Body::put_origin(const Object& object, const Vec3& origin) {
  mesh_origin = origin;
  start.rotation = object.transform.rotation.normalized();
  start.position = object.transform.position + start.rotation * mesh_origin;
}

BodyStart Body::start_of(std::span<const double> values) const {
  return {object_pose(pose(values)), velocity, spin, {}};
}

void Body::add_velocity(std::span<double> values, const Vec3& change) const {
  if (deforms) {
    std::vector<NodeImpulse> impulses;
    for (std::uint32_t i = 0; i < truss.nodes.size(); ++i)
      if (!is_pinned(i)) impulses.push_back({i, truss.masses[i] * change});
    push_nodes(values, impulses);
  } else if (moves && can_be_joined()) {
    JoinedBody joined = read_joined(values);
    joined.momentum += joined.mass * change;
    write_joined(joined, values);
  }
}

void Body::hold(double, BodyMotion&) const {}

bool Body::own_answers(const BodyMotion&, std::span<const std::uint32_t>, std::span<double>) const { return false; }
void Body::inverse_blocks(const BodyMotion&, std::span<const std::uint32_t>, std::span<Mat3>, ElasticWorkspace&) const {
}

std::unique_ptr<ElasticAnswer> Body::answer(const BodyMotion&) const { return nullptr; }

std::string Body::divergence_hint() const { return "Raise the sub-steps, or lower the speed of \"" + name + "\"."; }

bool Body::lives(double) const { return true; }

bool Body::is_pinned(std::uint32_t node) const {
  return std::find(truss.pinned.begin(), truss.pinned.end(), node) != truss.pinned.end();
}

void Body::positions(std::span<const double> values, std::span<Vec3> nodes) const {
  const Pose object = object_pose(pose(values));
  for (std::size_t i = 0; i < nodes.size(); ++i) nodes[i] = object * truss.nodes[i];
}

ContactShape Body::contact_shape(ContactShape wanted) const {
  if (wanted == ContactShape::plane && moves) return ContactShape::box;
  if (wanted == ContactShape::rope) return ContactShape::automatic;
  return wanted == ContactShape::nodes ? ContactShape::vertices : wanted;
}

namespace {

/// Half of what the velocity changes by, as far as both halves of the sub-step say so.
Vec3 half_change(const Vec3& before, const Vec3& mean, const Vec3& after) {
  Vec3 half;
  for (int k = 0; k < 3; ++k) {
    const double first = mean[k] - before[k], second = after[k] - mean[k];
    half[k] = first * second <= 0 ? 0 : std::abs(first) < std::abs(second) ? first : second;
  }
  return half;
}

}  // namespace

void Body::led_motion(double h, const Lead& to, std::span<const double> before, std::span<const double> after,
                      BodyMotion& out) const {
  motion(h, before, after, out);
  const Pose from = pose(before), end = pose(after);
  out.led = true;
  out.moves = out.turns_freely = false;
  out.inverse_mass = 0;
  out.inverse_inertia.setZero();
  out.origin = out.centre;
  out.linear_mean = (end.position - from.position) / h;
  out.angular_mean = mean_rate(from.rotation, end.rotation, h);
  if (out.deforms) {
    std::vector<Vec3> ends(out.nodes_to.size());
    node_velocities(after, ends);
    for (std::size_t i = 0; i < ends.size(); ++i) {
      const Vec3 mean = (out.nodes_to[i] - out.nodes_from[i]) / h;
      out.velocities[i] = mean - half_change(out.velocities[i], mean, ends[i]);
    }
    hold(h, out);  // its turn follows from the nodes
    return;
  }
  const Vec3 linear_end = to.velocity + to.spin.cross(end.rotation * mesh_origin);
  out.linear_start = out.linear_mean - half_change(out.linear_start, out.linear_mean, linear_end);
  out.angular_start = out.angular_mean - half_change(out.angular_start, out.angular_mean, to.spin);
}

const BodyInfo* find_body(std::string_view kind, const Truss& truss, bool led) {
  for (const BodyInfo* info : body_table())
    if (info->kind == kind && (info->fits == nullptr || info->fits(truss, led))) return info;
  return nullptr;
}

}  // namespace hazumi
