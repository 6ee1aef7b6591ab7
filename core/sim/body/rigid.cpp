#include "core/sim/body/rigid.h"

#include "core/geometry/mesh/mass_properties.h"
#include "core/sim/body/inertia.h"
#include "core/sim/body/rigid_values.h"
#include "core/sim/contact/body_motion.h"

namespace hazumi {

RigidBody::RigidBody(const BodySetup& setup) : Body(setup) {
  const BodyInertia whole = body_inertia(mass, *mesh, truss);
  rigid = RigidInertia(mass, whole.inertia);
  put_origin(setup.object, whole.centre);
}

void RigidBody::initialise(std::span<double> values) const {
  RigidValues r;
  r.pose = start;
  r.momentum = mass * velocity;
  r.angular_momentum = world_inertia(rigid.inertia, start.rotation) * spin;
  write_rigid(r, values);
}

bool RigidBody::advance(double h, const BodyForces& forces, const Vec3& g, std::span<double> values,
                        ElasticWorkspace&) const {
  return rigid_step(rigid, h, forces.force, forces.torque, g, values);
}

Observables RigidBody::observe(std::span<const double> values) const {
  return rigid_observe(rigid, values, mesh->empty() ? 0.0 : mesh_volume(mesh->positions, mesh->faces));
}

Vec3 RigidBody::centre_velocity(std::span<const double> values, std::vector<Vec3>&) const {
  return read_rigid(values).momentum / mass;
}

void RigidBody::load(std::span<const double> values, std::span<const Vec3>, MotionNow& now) const {
  const RigidValues r = read_rigid(values);
  now.set_mass(mass);
  now.centre = now.mass_centre = r.pose.position;
  now.rotation = r.pose.rotation;
  now.velocity = r.momentum / mass;
  now.inverse_inertia = world_inertia(rigid.inverse, now.rotation);
  now.spin = now.inverse_inertia * r.angular_momentum;
}

void RigidBody::store(BodyMotion& motion, std::span<double> values) const {
  const Quat rotation = motion.now().rotation;
  RigidValues r = read_rigid(values);
  if (motion.changed()) {
    r.momentum = mass * motion.velocity();
    r.angular_momentum = world_inertia(rigid.inertia, rotation) * motion.spin();
  }
  r.pose.position += motion.linear_shift();
  // Turning a body at constant L changes its energy of rotation, ½ L·I⁻¹L. A shift must not add any (a bounce with
  // e = 1 would): then it turns less, and what overlaps is left to the next sub-steps.
  const auto energy = [&](const Quat& q) {
    return 0.5 * r.angular_momentum.dot(world_inertia(rigid.inverse, q) * r.angular_momentum);
  };
  const double most = energy(rotation) * (1 + 1e-12) + 1e-9 * mass;
  for (double part : {1.0, 0.5, 0.25}) {
    const Quat turned = rotated(rotation, part * motion.angular_shift());
    if (energy(turned) > most) continue;
    r.pose.rotation = turned;
    break;
  }
  write_rigid(r, values);
}

Vec3 RigidBody::arm_of(std::span<const double> values, const ContactAnchor& anchor) {
  return anchor.kind == ContactAnchor::world_axes ? anchor.offset : rigid_pose(values).rotation * anchor.offset;
}

void RigidBody::velocities(std::span<const double> values, std::span<double> u) const {
  const Vec3 v = read_rigid(values).momentum / mass, w = rigid_spin(rigid, values);
  for (int k = 0; k < 3; ++k) u[k] = v[k], u[3 + k] = w[k];
}

Vec3 RigidBody::velocity_at(std::span<const double> values, std::span<const double> u,
                            const ContactAnchor& anchor) const {
  return Vec3(u[0], u[1], u[2]) + Vec3(u[3], u[4], u[5]).cross(arm_of(values, anchor));
}

void RigidBody::respond(std::span<const double> values, std::span<const AnchorImpulse> impulses,
                        std::span<double> du) const {
  Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
  for (const AnchorImpulse& i : impulses) {
    linear += i.impulse;
    angular += arm_of(values, i.anchor).cross(i.impulse);
  }
  angular = rigid_inverse_inertia(rigid, values) * angular;
  for (int k = 0; k < 3; ++k) du[k] = linear[k] / mass, du[3 + k] = angular[k];
}

void RigidBody::add_velocity(std::span<double> values, std::span<const double> du) const {
  RigidValues r = read_rigid(values);
  r.momentum += mass * Vec3(du[0], du[1], du[2]);
  r.angular_momentum += world_inertia(rigid.inertia, r.pose.rotation) * Vec3(du[3], du[4], du[5]);
  write_rigid(r, values);
}

void RigidBody::displace(std::span<double> values, std::span<const double> dx) const {
  RigidValues r = read_rigid(values);
  r.pose.position += Vec3(dx[0], dx[1], dx[2]);
  r.pose.rotation = rotated(r.pose.rotation, Vec3(dx[3], dx[4], dx[5]));
  write_rigid(r, values);
}

HAZUMI_BODY_KIND(30, rigid, moves | turns)

const BodyInfo& body_rigid() {
  static const BodyInfo info = {"rigid", "rigid", [](const Truss& truss) { return truss.pinned.empty(); },
                                &make_body<RigidBody>};
  return info;
}

}  // namespace hazumi
