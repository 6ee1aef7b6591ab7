#include "core/sim/constraint/row.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "core/math/rotation.h"
#include "core/sim/advance.h"

namespace hazumi {

Vec3 place(const BodyMotion& motion, const ContactAnchor& anchor) {
  if (anchor.kind == ContactAnchor::world_axes) return motion.centre + anchor.offset;
  if (anchor.kind == ContactAnchor::body_axes) return motion.centre + motion.mean_attitude * anchor.offset;
  if (anchor.skin) {
    Vec3 sum = anchor.skin->centre * motion.centre;
    for (const NodeWeight& w : anchor.skin->nodes) sum += w.weight * motion.middle(w.node);
    return sum;
  }
  Vec3 sum = motion.attitude * anchor.offset;
  for (std::size_t k = 0; k < 3; ++k)
    if (anchor.weights[k] != 0) sum += anchor.weights[k] * motion.middle(anchor.nodes[k]);
  return sum;
}

int holder(const Row& row, const BodyMotion& a, const BodyMotion& b) {
  const auto sharp = [](const BodyMotion& m, const ContactAnchor& anchor) {
    return !m.moves                                   ? 0
           : anchor.kind == ContactAnchor::body_axes  ? 1
           : anchor.kind == ContactAnchor::world_axes ? 2
                                                      : 3;
  };
  const int of_a = sharp(a, row.anchor_a), of_b = sharp(b, row.anchor_b);
  return of_a > of_b ? 1 : of_b > of_a ? -1 : 0;
}

Vec3 common_point(const Row& row, const BodyMotion& a, const BodyMotion& b) {
  const int by = holder(row, a, b);
  if (by > 0) return place(a, row.anchor_a);
  if (by < 0) return place(b, row.anchor_b);
  return 0.5 * (place(a, row.anchor_a) + place(b, row.anchor_b));
}

namespace {

/// Inverse of Σ (|s|² − s sᵀ); of nodes on a line without the turn about it.
Mat3 spread_inverse(const std::array<Vec3, RowGrip::kMost>& arms, std::size_t count) {
  Mat3 inertia = Mat3::Zero();
  Vec3 line = Vec3::Zero();
  for (std::size_t k = 0; k < count; ++k) {
    inertia += arms[k].squaredNorm() * Mat3::Identity() - arms[k] * arms[k].transpose();
    if (arms[k].squaredNorm() > line.squaredNorm()) line = arms[k];
  }
  const double size = inertia.trace();
  if (!(size > 0)) return Mat3::Zero();
  if (inertia.determinant() > 1e-9 * size * size * size) return inertia.inverse();
  line.normalize();
  const Mat3 across = Mat3::Identity() - line * line.transpose();
  return across * (inertia + size * line * line.transpose()).inverse() * across;
}

/// Whether the nodes span a triangle that can take a torque about any axis.
bool spans(const std::array<Vec3, 3>& x) {
  const Vec3 p = x[1] - x[0], q = x[2] - x[0], r = x[2] - x[1];
  const double longest = std::max({p.squaredNorm(), q.squaredNorm(), r.squaredNorm()});
  return p.cross(q).norm() > 0.1 * longest;
}

}  // namespace

void take_hold(const Body& body, const BodyMotion& motion, const ContactAnchor& anchor, const Vec3& point,
               RowGrip& grip) {
  grip.count = 0;
  grip.plain = true;
  grip.skin = anchor.skin;
  if (!motion.deforms || anchor.skin) return;
  std::array<double, RowGrip::kMost> weights = {};
  const auto add = [&](std::uint32_t node, double weight) {
    std::size_t k = 0;
    while (k < grip.count && grip.node[k] != node) ++k;
    if (k == grip.count) grip.node[grip.count++] = node;
    weights[k] += weight;
  };
  for (std::size_t k = 0; k < 3; ++k)
    if (anchor.weights[k] != 0) add(anchor.nodes[k], anchor.weights[k]);
  if (grip.count == 1 && anchor.offset.squaredNorm() == 0 && point == motion.middle(grip.node[0])) {
    grip.weight[0].setIdentity();
    return;
  }
  grip.plain = false;
  for (std::size_t k = 0; k < 3; ++k) add(anchor.nodes[k], 0);
  if (grip.count < 3 || !spans({motion.middle(grip.node[0]), motion.middle(grip.node[1]), motion.middle(grip.node[2])}))
    for (const std::uint32_t node : body.far_nodes) add(node, 0);
  std::array<Vec3, RowGrip::kMost> arms;
  Vec3 mean = Vec3::Zero(), held = Vec3::Zero();
  for (std::size_t k = 0; k < grip.count; ++k) {
    arms[k] = motion.middle(grip.node[k]);
    mean += arms[k] / static_cast<double>(grip.count);
    held += weights[k] * arms[k];
  }
  for (std::size_t k = 0; k < grip.count; ++k) arms[k] -= mean;
  const Mat3 lever = skew(point - held) * spread_inverse(arms, grip.count);
  for (std::size_t k = 0; k < grip.count; ++k) grip.weight[k] = weights[k] * Mat3::Identity() - lever * skew(arms[k]);
}

Vec3 start_velocity(const BodyMotion& motion, const RowGrip& grip, const Vec3& point) {
  if (!motion.deforms) return motion.linear_start + motion.angular_start.cross(point - motion.origin);
  Vec3 sum = Vec3::Zero();
  if (grip.skin) {
    sum = grip.skin->centre * motion.linear_start;
    for (const NodeWeight& w : grip.skin->nodes) sum += w.weight * motion.velocities[w.node];
  }
  for (std::size_t k = 0; k < grip.count; ++k) sum += grip.weight[k] * motion.velocities[grip.node[k]];
  return sum;
}

Vec3 mean_velocity(const BodyMotion& motion, const RowGrip& grip, const Vec3& point, double h) {
  if (!motion.deforms) return motion.linear_mean + motion.angular_mean.cross(point - motion.origin);
  Vec3 sum = Vec3::Zero();
  if (grip.skin) {
    for (const NodeWeight& w : grip.skin->nodes)
      sum += w.weight * (motion.nodes_to[w.node] - motion.nodes_from[w.node]);
    return sum / h + grip.skin->centre * motion.linear_mean;
  }
  for (std::size_t k = 0; k < grip.count; ++k)
    sum += grip.weight[k] * (motion.nodes_to[grip.node[k]] - motion.nodes_from[grip.node[k]]);
  return sum / h;
}

void add_impulse(const BodyMotion& motion, const RowGrip& grip, const Vec3& point, const Vec3& impulse,
                 BodyForces& to) {
  if (!motion.deforms) {
    to.push += impulse;
    to.twist += (point - motion.origin).cross(impulse);
    return;
  }
  if (grip.skin) {
    for (const NodeWeight& w : grip.skin->nodes) to.nodes[w.node] += w.weight * impulse;
    const Vec3 shared = grip.skin->centre * motion.inverse_mass * impulse;
    if (grip.skin->centre != 0)
      for (std::size_t i = 0; i < to.nodes.size(); ++i) to.nodes[i] += motion.masses[i] * shared;
    return;
  }
  for (std::size_t k = 0; k < grip.count; ++k) to.nodes[grip.node[k]] += grip.weight[k].transpose() * impulse;
}

double pair_restitution(const Body& a, const Body& b) {
  return std::sqrt(a.substance.restitution * b.substance.restitution);
}
double pair_friction(const Body& a, const Body& b) { return std::sqrt(a.substance.friction * b.substance.friction); }

Row make_row(const Model& model, const Contact& contact, std::span<const BodyForces> forces, const BodyMotion& a,
             const BodyMotion& b) {
  const Body &body_a = model.bodies[contact.body_a], &body_b = model.bodies[contact.body_b];
  Row row;
  row.key = contact_key(contact);
  row.body_a = contact.body_a;
  row.body_b = contact.body_b;
  row.anchor_a = contact.a;
  row.anchor_b = contact.b;
  row.normal = contact.normal;
  row.slop = contact.slop;
  row.friction = pair_friction(body_a, body_b);
  const auto weight = [&](const Body& body, std::uint32_t i) {
    return body.moves ? acceleration_of(model, forces[i], body) : Vec3(Vec3::Zero());
  };
  row.law.h = model.step;
  row.law.rest_speed = model.rest_speed;
  row.law.restitution = pair_restitution(body_a, body_b);
  row.law.closing = row.normal.dot(weight(body_b, row.body_b) - weight(body_a, row.body_a));
  row.law.reach = contact.slop * (kKeep / kSlop);
  row.point = common_point(row, a, b);
  take_hold(body_a, a, row.anchor_a, row.point, row.a);
  take_hold(body_b, b, row.anchor_b, row.point, row.b);
  const Vec3 way = mean_velocity(a, row.a, row.point, model.step) - mean_velocity(b, row.b, row.point, model.step);
  row.gap = contact.gap - model.step * row.normal.dot(way);
  row.before = row.normal.dot(start_velocity(a, row.a, row.point) - start_velocity(b, row.b, row.point));
  return row;
}

}  // namespace hazumi
