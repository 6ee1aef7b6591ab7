#include "core/sim/constraint/row.h"

#include <algorithm>
#include <cmath>

#include "core/math/rotation.h"
#include "core/sim/advance.h"
#include "core/sim/constraint/row_curve.h"
#include "core/sim/constraint/substance_told.h"

namespace hazumi {

namespace {

std::uint32_t number_of(const HeldFrame& held, std::uint32_t vertex) {
  return static_cast<std::uint32_t>(std::find(held.vertices.begin(), held.vertices.end(), vertex) -
                                    held.vertices.begin());
}

}  // namespace

bool list_vertices(const ContactAnchor& anchor, BodyMotion& motion) {
  bool any = false;
  for (const SkinDrivers* skin : anchor.skin) {
    if (!skin || skin->linear || number_of(motion.held, skin->vertex) < motion.held.vertices.size()) continue;
    motion.held.vertices.push_back(skin->vertex);
    any = true;
  }
  return any;
}

Vec3 place(const BodyMotion& motion, const ContactAnchor& anchor) {
  if (anchor.kind == ContactAnchor::world_axes) return motion.centre + anchor.offset;
  if (anchor.kind == ContactAnchor::body_axes) return motion.centre + motion.mean_attitude * anchor.offset;
  Vec3 sum = motion.held.attitude * anchor.offset;
  for (std::size_t k = 0; k < 3; ++k) {
    const SkinDrivers* skin = anchor.skin[k];
    if (anchor.weights[k] == 0) continue;
    if (!skin) {
      sum += anchor.weights[k] * motion.middle(anchor.nodes[k]);
    } else if (skin->linear) {
      sum += anchor.weights[k] * (motion.held.attitude * skin->arm + skin->centre * motion.centre);
      for (const NodeWeight& w : skin->nodes) sum += anchor.weights[k] * w.weight * motion.middle(w.node);
    } else {
      sum += anchor.weights[k] * motion.held.rates[number_of(motion.held, skin->vertex)].place;
    }
  }
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

void take_hold(const BodyMotion& motion, const ContactAnchor& anchor, const Vec3& point, RowGrip& grip) {
  grip.count = 0;
  grip.plain = true;
  grip.lever.setZero();
  if (!motion.deforms) return;
  Vec3 arm = Vec3::Zero();
  for (std::size_t k = 0; k < 3; ++k) {
    const SkinDrivers* skin = anchor.skin[k];
    if (anchor.weights[k] == 0) continue;
    RowGrip::Part& part = grip.part[grip.count++];
    part = {skin, skin ? 0 : anchor.nodes[k], anchor.weights[k]};
    if (!skin) continue;
    if (skin->linear) arm += part.weight * skin->arm;
    if (skin->linear) continue;
    part.node = number_of(motion.held, skin->vertex);
    grip.plain = false;
  }
  // Where p is the place of the anchor itself, the difference below is round-off.
  const Vec3 own = motion.held.attitude * (arm + anchor.offset), beside = point - place(motion, anchor);
  grip.lever = own;
  if (beside.squaredNorm() > 1e-28 * point.squaredNorm()) grip.lever += beside;
  grip.plain = grip.plain && grip.lever == Vec3::Zero();
}

namespace {

/// G of these velocities.
template <class Velocity>
Vec3 velocity_of(const BodyMotion& motion, const RowGrip& grip, const Velocity& of_node, const Vec3& centre,
                 const Vec3& turn) {
  Vec3 sum = turn.cross(grip.lever);
  for (std::size_t k = 0; k < grip.count; ++k) {
    const RowGrip::Part& part = grip.part[k];
    Vec3 own;
    if (!part.skin) {
      own = of_node(part.node);
    } else if (part.skin->linear) {
      own = part.skin->centre * centre;
      for (const NodeWeight& w : part.skin->nodes) own += w.weight * of_node(w.node);
    } else {
      const VertexRate& rate = motion.held.rates[part.node];
      own = rate.origin * centre + rate.turn * turn;
      for (const NodeBlock& b : rate.nodes) own += b.block * of_node(b.node);
    }
    sum += part.weight * own;
  }
  return sum;
}

}  // namespace

Vec3 start_velocity(const BodyMotion& motion, const RowGrip& grip, const Vec3& point) {
  if (!motion.deforms) return motion.linear_start + motion.angular_start.cross(point + grip.lever - motion.origin);
  const auto of_node = [&](std::uint32_t i) -> const Vec3& { return motion.velocities[i]; };
  return velocity_of(motion, grip, of_node, motion.linear_start, motion.angular_start);
}

Vec3 mean_velocity(const BodyMotion& motion, const RowGrip& grip, const Vec3& point, double h) {
  if (!motion.deforms) return motion.linear_mean + motion.angular_mean.cross(point + grip.lever - motion.origin);
  const auto of_node = [&](std::uint32_t i) { return Vec3((motion.nodes_to[i] - motion.nodes_from[i]) / h); };
  return velocity_of(motion, grip, of_node, motion.linear_mean, motion.angular_mean);
}

double to_be_taken(const BodyMotion& a, const BodyMotion& b, const Row& row) {
  double inverse = 0;
  for (const BodyMotion* motion : {&a, &b}) {
    if (!motion->moves) continue;
    if (!(motion->inverse_mass > 0)) return 1e300;  // it hangs on pins: what it weighs here nobody says
    inverse += motion->inverse_mass;
  }
  if (!(inverse > 0)) return 0;
  return 0.5 * (start_velocity(a, row.a, row.point) - start_velocity(b, row.b, row.point)).squaredNorm() / inverse;
}

void add_impulse(const BodyMotion& motion, const RowGrip& grip, const Vec3& point, const Vec3& impulse,
                 BodyForces& to) {
  if (!motion.deforms) {
    to.push += impulse;
    to.twist += (point + grip.lever - motion.origin).cross(impulse);
    return;
  }
  to.twist += grip.lever.cross(impulse);
  for (std::size_t k = 0; k < grip.count; ++k) {
    const RowGrip::Part& part = grip.part[k];
    const Vec3 own = part.weight * impulse;
    if (!part.skin) {
      to.nodes[part.node] += own;
    } else if (part.skin->linear) {
      for (const NodeWeight& w : part.skin->nodes) to.nodes[w.node] += w.weight * own;
      to.push += part.skin->centre * own;
    } else {
      const VertexRate& rate = motion.held.rates[part.node];
      for (const NodeBlock& b : rate.nodes) to.nodes[b.node] += b.block.transpose() * own;
      to.push += rate.origin.transpose() * own;
      to.twist += rate.turn.transpose() * own;
    }
  }
}

void share_out(const BodyMotion& motion, BodyForces& to) {
  if (to.push != Vec3::Zero() || to.twist != Vec3::Zero()) {
    const Vec3 shared = motion.inverse_mass * to.push;
    const Vec3 turned = motion.held.attitude.transpose() * (motion.held.rate.transpose() * to.twist);
    for (std::size_t i = 0; i < to.nodes.size(); ++i)
      to.nodes[i] += motion.masses[i] * (shared + motion.held.attitude * turned.cross(motion.arms[i]));
  }
  to.push.setZero();
  to.twist.setZero();
}

namespace {

const BodyPairValues* given_values(const Model& model, std::uint32_t a, std::uint32_t b) {
  if (model.pairs.empty()) return nullptr;
  const std::pair<std::uint32_t, std::uint32_t> wanted = std::minmax(a, b);
  const auto at =
      std::lower_bound(model.pairs.begin(), model.pairs.end(), wanted,
                       [](const auto& pair, const auto& key) { return std::pair(pair.body_a, pair.body_b) < key; });
  return at != model.pairs.end() && std::pair(at->body_a, at->body_b) == wanted ? &*at : nullptr;
}

/// Of what the two are told of each other; null: nothing of that.
template <class Says>
const ContactTold* told_of(std::span<const BodyForces> forces, std::uint32_t a, std::uint32_t b, const Says& says) {
  if (forces.empty() || (forces[a].contacts.empty() && forces[b].contacts.empty())) return nullptr;
  const ContactTold* best = nullptr;
  const auto look = [&](std::uint32_t of, std::uint32_t other) {
    for (const ContactTold& told : forces[of].contacts) {
      if (told.other == kOfItself || (told.other >= 0 && static_cast<std::uint32_t>(told.other) != other)) continue;
      if (!says(told)) continue;
      if (!best || std::pair(told.other >= 0, told.since) > std::pair(best->other >= 0, best->since)) best = &told;
    }
  };
  look(std::min(a, b), std::max(a, b));
  look(std::max(a, b), std::min(a, b));
  return best;
}

}  // namespace

double pair_restitution(const Model& model, std::span<const BodyForces> forces, std::uint32_t a, std::uint32_t b) {
  if (const ContactTold* told = told_of(forces, a, b, [](const ContactTold& t) { return t.restitution.has_value(); }))
    return *told->restitution;
  if (const BodyPairValues* given = given_values(model, a, b)) return given->restitution;
  const auto own = [&](std::uint32_t i) {
    const ContactTold* told = substance_told(forces, i);
    return told ? *told->restitution : model.bodies[i].substance.restitution;
  };
  return mixed_value(own(a), own(b));
}

double pair_friction(const Model& model, std::span<const BodyForces> forces, std::uint32_t a, std::uint32_t b) {
  if (const ContactTold* told = told_of(forces, a, b, [](const ContactTold& t) { return t.friction.has_value(); }))
    return *told->friction;
  if (const BodyPairValues* given = given_values(model, a, b)) return given->friction;
  const auto own = [&](std::uint32_t i) {
    const ContactTold* told = substance_told(forces, i);
    return told ? *told->friction : model.bodies[i].substance.friction;
  };
  return mixed_value(own(a), own(b));
}

bool told_to_pass(std::span<const BodyForces> forces, std::uint32_t a, std::uint32_t b) {
  return told_of(forces, a, b, [](const ContactTold& t) { return t.pass; }) != nullptr;
}

void lay_row(const RowSetting& on, const Contact& contact, const Vec3& normal, Row& row) {
  const BodyMotion &a = on.a, &b = on.b;
  row.anchor_a = contact.a;
  row.anchor_b = contact.b;
  if (normal != contact.normal) {
    if (contact.a.kind == ContactAnchor::world_axes) row.anchor_a.offset = -contact.a.offset.norm() * normal;
    if (contact.b.kind == ContactAnchor::world_axes) row.anchor_b.offset = contact.b.offset.norm() * normal;
  }
  row.normal = normal;
  row.point = common_point(row, a, b);
  take_hold(a, row.anchor_a, row.point, row.a);
  take_hold(b, row.anchor_b, row.point, row.b);
  const double h = on.model.step;
  const Vec3 way = mean_velocity(on.seen_a, row.a, row.point, h) - mean_velocity(on.seen_b, row.b, row.point, h);
  row.gap = contact.gap - h * row.normal.dot(way);
  row.before = row.normal.dot(start_velocity(a, row.a, row.point) - start_velocity(b, row.b, row.point));
  const auto drawn = [&](const BodyMotion& motion, const RowGrip& grip, std::uint32_t i) -> Vec3 {
    if (motion.led)
      return 2 / h * (mean_velocity(motion, grip, row.point, h) - start_velocity(motion, grip, row.point));
    const Body& body = on.model.bodies[i];
    return body.moves ? acceleration_of(on.model, on.forces[i], body) : Vec3(Vec3::Zero());
  };
  row.law.closing = row.normal.dot(drawn(b, row.b, row.body_b) - drawn(a, row.a, row.body_a));
}

Row make_row(const RowSetting& on, const Contact& contact, double credit) {
  const Model& model = on.model;
  Row row;
  row.key = contact_key(contact);
  row.body_a = contact.body_a;
  row.body_b = contact.body_b;
  row.slop = contact.slop;
  row.friction = pair_friction(model, on.forces, contact.body_a, contact.body_b);
  row.law.h = model.step;
  row.law.rest_speed = model.rest_speed;
  row.law.restitution = pair_restitution(model, on.forces, contact.body_a, contact.body_b);
  row.law.reach = contact.slop * (kKeep / kSlop);
  lay_row(on, contact, contact.normal, row);
  const bool is_ball = contact.a.kind == ContactAnchor::world_axes || contact.b.kind == ContactAnchor::world_axes;
  if (is_ball && !contact.starts.empty()) follow_surface(on, contact, credit, row);
  return row;
}

}  // namespace hazumi
