#include "core/sim/contact/body_motion.h"

#include <utility>

namespace hazumi {

void MotionNow::reset() {
  MotionNow fresh;
  fresh.nodes.swap(nodes);
  fresh.deformation_velocity.swap(deformation_velocity);
  *this = std::move(fresh);
}

void BodyMotion::load(const Body& body, std::span<const double> values, std::span<const Vec3> nodes) {
  loaded_ = true;
  now_.reset();
  for (Rates* rates : {&change_, &shift_}) {
    rates->linear.setZero();
    rates->angular.setZero();
    rates->nodes_linear.setZero();
    rates->nodes_angular.setZero();
    rates->nodal = rates->any = false;
  }
  body.load(values, nodes, now_);
}

Vec3 BodyMotion::anchor_nodes(const ContactAnchor& anchor) const {
  Vec3 sum = Vec3::Zero();
  for (int k = 0; k < 3; ++k) sum += anchor.weights[k] * now_.nodes[anchor.nodes[k]];
  return sum;
}

Vec3 BodyMotion::point(const ContactAnchor& anchor) const {
  if (anchor.kind == ContactAnchor::nodal) return anchor_nodes(anchor) + now_.rotation * anchor.offset;
  if (anchor.kind == ContactAnchor::world_axes) return now_.mass_centre + anchor.offset;
  return now_.mass_centre + now_.rotation * anchor.offset;
}

Vec3 BodyMotion::deformation(const Rates& rates, std::uint32_t node) const {
  if (!rates.nodal) return Vec3::Zero();
  return rates.nodes[node] - rates.nodes_linear - rates.nodes_angular.cross(now_.nodes[node] - now_.centre);
}

Vec3 BodyMotion::deformation_velocity(const ContactAnchor& anchor) const {
  Vec3 sum = Vec3::Zero();
  if (anchor.kind != ContactAnchor::nodal || !now_.nodal) return sum;
  for (int k = 0; k < 3; ++k) {
    const std::uint32_t node = anchor.nodes[k];
    sum += anchor.weights[k] * (now_.deformation_velocity[node] + deformation(change_, node));
  }
  return sum;
}

Vec3 BodyMotion::contact_velocity(const ContactAnchor& anchor, const Vec3& p, double share) const {
  return share == 0 ? rigid_velocity(p) : Vec3(rigid_velocity(p) + share * deformation_velocity(anchor));
}

double BodyMotion::rigid_mobility(const Vec3& p, const Vec3& n) const {
  const Vec3 t = (p - now_.centre).cross(n);
  return now_.inverse_mass + t.dot(now_.inverse_inertia * t);
}

double BodyMotion::deformation_mobility(const ContactAnchor& anchor, const Vec3& n) const {
  if (anchor.kind != ContactAnchor::nodal || !now_.nodal) return 0.0;
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
  if (!now_.movable) return;
  rates.any = true;
  rates.linear += now_.inverse_mass * impulse;
  rates.angular += now_.inverse_inertia * (p - now_.centre).cross(impulse);
  if (anchor.kind != ContactAnchor::nodal || !now_.nodal || share == 0) return;
  if (!rates.nodal) {
    rates.nodal = true;
    rates.nodes.assign(now_.nodes.size(), Vec3::Zero());
  }
  for (int k = 0; k < 3; ++k)
    rates.nodes[anchor.nodes[k]] += share * anchor.weights[k] * inverse_node_mass(anchor.nodes[k]) * impulse;
  rates.nodes_linear += share * now_.inverse_mass * impulse;
  rates.nodes_angular += share * (now_.inverse_inertia * (anchor_nodes(anchor) - now_.centre).cross(impulse));
}

void BodyMotion::add_impulse(const ContactAnchor& anchor, const Vec3& p, const Vec3& impulse, double share) {
  if (!now_.movable) return;
  add(change_, anchor, p, impulse, share);
  now_.velocity += now_.inverse_mass * impulse;
  now_.spin += now_.inverse_inertia * (p - now_.centre).cross(impulse);
}

void BodyMotion::add_shift(const ContactAnchor& anchor, const Vec3& p, const Vec3& impulse, double share) {
  add(shift_, anchor, p, impulse, share);
}

void BodyMotion::share_force(const Body& body, const ContactAnchor& anchor, const Vec3& p, const Vec3& force,
                             std::vector<Vec3>& out) const {
  for (int k = 0; k < 3; ++k) out[anchor.nodes[k]] += anchor.weights[k] * force;
  const Vec3 arm = p - anchor_nodes(anchor);
  if (arm.squaredNorm() == 0) return;
  const Vec3 turn = now_.inverse_inertia * arm.cross(force);
  for (std::size_t i = 0; i < now_.nodes.size(); ++i)
    out[i] += body.truss.masses[i] * turn.cross(now_.nodes[i] - now_.centre);
}

Vec3 BodyMotion::shift_at(const ContactAnchor& anchor, const Vec3& p) const {
  Vec3 sum = shift_.linear + shift_.angular.cross(p - now_.centre);
  if (anchor.kind == ContactAnchor::nodal && now_.nodal && shift_.nodal)
    for (int k = 0; k < 3; ++k) sum += anchor.weights[k] * deformation(shift_, anchor.nodes[k]);
  return sum;
}

void BodyMotion::store(const Body& body, std::span<double> values) {
  if (movable() && (change_.any || shift_.any)) body.store(*this, values);
}

}  // namespace hazumi
