#include "core/sim/contact/body_motion.h"

#include "core/sim/body_values.h"

namespace hazumi {

void BodyMotion::load(const Body& body, const std::vector<double>& values, std::span<const Vec3> nodes) {
  loaded_ = true;
  flexible_ = body.kind == BodyKind::flexible;
  inverse_mass_ = body.kind == BodyKind::fixed ? 0.0 : 1.0 / body.mass;
  movable_ = inverse_mass_ > 0;
  pinned_ = body.pins.kind != PinKind::none;
  held_ = pinned_ && flexible_ ? &body.held_nodes : nullptr;
  least_mobility_ = pinned_ ? 1e-9 * inverse_mass_ : 0.0;
  softness_ = body.contact_softness;
  inverse_inertia_.setZero();
  velocity_.setZero();
  spin_.setZero();
  for (Rates* rates : {&change_, &shift_}) {
    rates->linear.setZero();
    rates->angular.setZero();
    rates->nodes_linear.setZero();
    rates->nodes_angular.setZero();
    rates->nodal = rates->any = false;
  }
  switch (body.kind) {
    case BodyKind::fixed:
      centre_ = mass_centre_ = body.start.position;
      rotation_ = body.start.rotation;
      return;
    case BodyKind::point: {
      const PointValues p = read_point(values);
      centre_ = mass_centre_ = p.position;
      velocity_ = p.velocity;
      rotation_ = body.start.rotation;
      return;
    }
    case BodyKind::rigid: {
      const RigidValues r = read_rigid(values);
      centre_ = mass_centre_ = r.pose.position;
      rotation_ = r.pose.rotation;
      if (pinned_) {
        inverse_mass_ = 0;
        centre_ = body.pinned.place;
        inverse_inertia_ = body.pinned.inverse_inertia(rotation_);
        spin_ = body.pinned.spin(values);
        return;
      }
      velocity_ = r.momentum / body.mass;
      inverse_inertia_ = world_inertia(body.rigid.inverse, rotation_);
      spin_ = inverse_inertia_ * r.angular_momentum;
      return;
    }
    case BodyKind::flexible:
      break;
  }
  const std::size_t n = nodes.size();
  masses_ = &body.truss.masses;
  nodes_.assign(nodes.begin(), nodes.end());
  deformation_velocity_.resize(n);
  body.elastic->velocities(values, deformation_velocity_);
  rotation_ = body.elastic->frame(values).rotation;
  if (pinned_) return load_pinned(body);
  centre_.setZero();
  for (std::size_t i = 0; i < n; ++i) {
    centre_ += (*masses_)[i] * inverse_mass_ * nodes_[i];
    velocity_ += (*masses_)[i] * inverse_mass_ * deformation_velocity_[i];
  }
  mass_centre_ = centre_;
  Mat3 inertia = Mat3::Zero();
  Vec3 angular = Vec3::Zero();
  for (std::size_t i = 0; i < n; ++i) {
    const double m = (*masses_)[i];
    const Vec3 r = nodes_[i] - centre_;
    inertia += m * (r.squaredNorm() * Mat3::Identity() - r * r.transpose());
    angular += m * r.cross(deformation_velocity_[i] - velocity_);
  }
  // Nodes on one line resist no turn about it; impulses there turn nothing that can be seen.
  inertia += 1e-9 * inertia.trace() * Mat3::Identity();
  inverse_inertia_ = inertia.inverse();
  spin_ = inverse_inertia_ * angular;
  for (std::size_t i = 0; i < n; ++i) deformation_velocity_[i] -= velocity_ + spin_.cross(nodes_[i] - centre_);
}

void BodyMotion::load_pinned(const Body& body) {
  inverse_mass_ = 0;
  movable_ = body.truss.pinned.size() < nodes_.size();
  centre_ = mass_centre_ = nodes_[body.truss.pinned.front()];
  Mat3 inertia = Mat3::Zero();
  Vec3 angular = Vec3::Zero();
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const double m = (*masses_)[i];
    const Vec3 r = nodes_[i] - centre_;
    inertia += m * (r.squaredNorm() * Mat3::Identity() - r * r.transpose());
    angular += m * r.cross(deformation_velocity_[i]);
  }
  if (body.pins.kind == PinKind::point && inertia.trace() > 0) {
    inertia += 1e-9 * inertia.trace() * Mat3::Identity();
    inverse_inertia_ = inertia.inverse();
  } else if (body.pins.kind == PinKind::line) {
    const Vec3 axis = rotation_ * body.pins.axis;
    const double about = axis.dot(inertia * axis);
    if (about > 1e-10 * inertia.trace()) inverse_inertia_ = axis * axis.transpose() / about;
  }
  spin_ = inverse_inertia_ * angular;
  for (std::size_t i = 0; i < nodes_.size(); ++i) deformation_velocity_[i] -= spin_.cross(nodes_[i] - centre_);
}

Vec3 BodyMotion::anchor_nodes(const ContactAnchor& anchor) const {
  Vec3 sum = Vec3::Zero();
  for (int k = 0; k < 3; ++k) sum += anchor.weights[k] * nodes_[anchor.nodes[k]];
  return sum;
}

Vec3 BodyMotion::point(const ContactAnchor& anchor) const {
  if (anchor.kind == ContactAnchor::nodal) return anchor_nodes(anchor) + rotation_ * anchor.offset;
  if (anchor.kind == ContactAnchor::world_axes) return mass_centre_ + anchor.offset;
  return mass_centre_ + rotation_ * anchor.offset;
}

Vec3 BodyMotion::deformation(const Rates& rates, std::uint32_t node) const {
  if (!rates.nodal) return Vec3::Zero();
  return rates.nodes[node] - rates.nodes_linear - rates.nodes_angular.cross(nodes_[node] - centre_);
}

Vec3 BodyMotion::deformation_velocity(const ContactAnchor& anchor) const {
  Vec3 sum = Vec3::Zero();
  if (anchor.kind != ContactAnchor::nodal || !flexible_) return sum;
  for (int k = 0; k < 3; ++k) {
    const std::uint32_t node = anchor.nodes[k];
    sum += anchor.weights[k] * (deformation_velocity_[node] + deformation(change_, node));
  }
  return sum;
}

Vec3 BodyMotion::contact_velocity(const ContactAnchor& anchor, const Vec3& p, double share) const {
  return share == 0 ? rigid_velocity(p) : Vec3(rigid_velocity(p) + share * deformation_velocity(anchor));
}

double BodyMotion::rigid_mobility(const Vec3& p, const Vec3& n) const {
  const Vec3 t = (p - centre_).cross(n);
  return inverse_mass_ + t.dot(inverse_inertia_ * t);
}

double BodyMotion::deformation_mobility(const ContactAnchor& anchor, const Vec3& n) const {
  if (anchor.kind != ContactAnchor::nodal || !flexible_) return 0.0;
  double raw = 0;
  for (int k = 0; k < 3; ++k) {
    // One node may be named more than once: its weights act together.
    for (int l = 0; l < 3; ++l)
      if (anchor.nodes[k] == anchor.nodes[l])
        raw += anchor.weights[k] * anchor.weights[l] * inverse_node_mass(anchor.nodes[k]);
  }
  return std::max(0.0, raw - rigid_mobility(anchor_nodes(anchor), n));
}

void BodyMotion::add(Rates& rates, const ContactAnchor& anchor, const Vec3& p, const Vec3& impulse, double share) {
  if (!movable_) return;
  rates.any = true;
  rates.linear += inverse_mass_ * impulse;
  rates.angular += inverse_inertia_ * (p - centre_).cross(impulse);
  if (anchor.kind != ContactAnchor::nodal || !flexible_ || share == 0) return;
  if (!rates.nodal) {
    rates.nodal = true;
    rates.nodes.assign(nodes_.size(), Vec3::Zero());
  }
  for (int k = 0; k < 3; ++k)
    rates.nodes[anchor.nodes[k]] += share * anchor.weights[k] * inverse_node_mass(anchor.nodes[k]) * impulse;
  rates.nodes_linear += share * inverse_mass_ * impulse;
  rates.nodes_angular += share * (inverse_inertia_ * (anchor_nodes(anchor) - centre_).cross(impulse));
}

void BodyMotion::add_impulse(const ContactAnchor& anchor, const Vec3& p, const Vec3& impulse, double share) {
  if (!movable_) return;
  add(change_, anchor, p, impulse, share);
  velocity_ += inverse_mass_ * impulse;
  spin_ += inverse_inertia_ * (p - centre_).cross(impulse);
}

void BodyMotion::add_shift(const ContactAnchor& anchor, const Vec3& p, const Vec3& impulse, double share) {
  add(shift_, anchor, p, impulse, share);
}

void BodyMotion::share_force(const Body& body, const ContactAnchor& anchor, const Vec3& p, const Vec3& force,
                             std::vector<Vec3>& out) const {
  for (int k = 0; k < 3; ++k) out[anchor.nodes[k]] += anchor.weights[k] * force;
  const Vec3 arm = p - anchor_nodes(anchor);
  if (arm.squaredNorm() == 0) return;
  const Vec3 turn = inverse_inertia_ * arm.cross(force);
  for (std::size_t i = 0; i < nodes_.size(); ++i) out[i] += body.truss.masses[i] * turn.cross(nodes_[i] - centre_);
}

Vec3 BodyMotion::shift_at(const ContactAnchor& anchor, const Vec3& p) const {
  Vec3 sum = shift_.linear + shift_.angular.cross(p - centre_);
  if (anchor.kind == ContactAnchor::nodal && flexible_ && shift_.nodal)
    for (int k = 0; k < 3; ++k) sum += anchor.weights[k] * deformation(shift_, anchor.nodes[k]);
  return sum;
}

void BodyMotion::store(const Body& body, std::vector<double>& values) {
  if (!movable_ || !(change_.any || shift_.any)) return;
  if (body.kind == BodyKind::point) {
    write_point({centre_ + shift_.linear, velocity_}, values);
  } else if (body.kind == BodyKind::rigid && pinned_) {
    body.pinned.put(body.rigid, rotated(rotation_, shift_.angular), spin_, values);
  } else if (body.kind == BodyKind::rigid) {
    RigidValues r = read_rigid(values);
    const Mat3 inertia = world_inertia(body.inertia, rotation_);
    if (change_.any) {
      r.momentum = body.mass * velocity_;
      r.angular_momentum = inertia * spin_;
    }
    r.pose.position += shift_.linear;
    // Turning a body at constant L changes its energy of rotation, ½ L·I⁻¹L. A shift must not add any (a bounce with
    // e = 1 would): then it turns less, and what overlaps is left to the next sub-steps.
    const auto energy = [&](const Quat& q) {
      return 0.5 * r.angular_momentum.dot(world_inertia(body.rigid.inverse, q) * r.angular_momentum);
    };
    const double most = energy(rotation_) * (1 + 1e-12) + 1e-9 * body.mass;
    for (double part : {1.0, 0.5, 0.25}) {
      const Quat turned = rotated(rotation_, part * shift_.angular);
      if (energy(turned) > most) continue;
      r.pose.rotation = turned;
      break;
    }
    write_rigid(r, values);
  } else if (body.kind == BodyKind::flexible) {
    const std::size_t n = nodes_.size();
    if (change_.any) {
      impulses_.resize(n);
      for (std::uint32_t i = 0; i < n; ++i)
        impulses_[i] = {
            i, (*masses_)[i] * (change_.linear + change_.angular.cross(nodes_[i] - centre_) + deformation(change_, i))};
      body.elastic->apply_impulses(values, impulses_);
    }
    if (shift_.any) {
      displacement_.resize(n);
      for (std::uint32_t i = 0; i < n; ++i)
        displacement_[i] = shift_.linear + shift_.angular.cross(nodes_[i] - centre_) + deformation(shift_, i);
      body.elastic->displace(values, displacement_);
    }
  }
}

}  // namespace hazumi
