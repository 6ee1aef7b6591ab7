#include "core/sim/body/rigid.h"

#include "core/geometry/mesh/mass_properties.h"
#include "core/geometry/mesh/winding.h"
#include "core/scene/values/scene.h"
#include "core/sim/body/inertia.h"
#include "core/sim/body/motion.h"
#include "core/sim/body/rigid_midpoint.h"
#include "core/sim/body/rigid_values.h"

namespace hazumi {

RigidBody::RigidBody(const BodySetup& setup) : Body(setup) {
  const BodySettings& settings = setup.object.body;
  const bool hollow = settings.mass_source == MassSource::material && settings.shell > 0 && measure(*mesh).area > 0;
  const BodyInertia whole = hollow ? shell_inertia(mass, *mesh) : body_inertia(mass, *mesh, truss);
  rigid = RigidInertia(mass, whole.inertia);
  put_origin(setup.object, whole.centre);
  if (!mesh->empty()) volume = mesh_volume(mesh->positions, mesh->faces);
}

void RigidBody::initialise(std::span<double> values) const {
  RigidValues r;
  r.pose = start;
  r.momentum = mass * velocity;
  r.angular_momentum = world_inertia(rigid.inertia, start.rotation) * spin;
  write_rigid(r, values);
}

BodyStart RigidBody::start_of(std::span<const double> values) const {
  return {object_pose(pose(values)), read_rigid(values).momentum / mass, rigid_spin(rigid, values), {}};
}

bool RigidBody::advance(double h, const BodyForces& forces, const Vec3& g, std::span<const double> before,
                        std::span<double> after, ElasticWorkspace&, BodyMotion* motion) const {
  std::copy(before.begin(), before.end(), after.begin());
  if (!motion) return rigid_step(rigid, h, forces.force, forces.torque, g, after);
  RigidMidpoint step;
  const bool good = rigid_midpoint(rigid, read_rigid(before), h, forces.force + forces.push / h,
                                   forces.torque + forces.twist / h, g, step);
  if (!good) {
    // It turns by too much to be followed: the attitude stays, which keeps energy and momenta just as well, since ω̄ is then the
    // mean of the rates at both ends.
    RigidValues& to = step.after = read_rigid(before);
    to.momentum += h * (forces.force + mass * g) + forces.push;
    step.mean_velocity = (0.5 / mass) * (read_rigid(before).momentum + to.momentum);
    to.pose.position += h * step.mean_velocity;
    to.angular_momentum += h * forces.torque + forces.twist;
  }
  write_rigid(step.after, after);
  this->motion(h, before, after, *motion);
  motion->angular_mean = good ? step.mean_spin : Vec3(0.5 * (rigid_spin(rigid, before) + rigid_spin(rigid, after)));
  motion->linear_mean = step.mean_velocity;
  return step.after.pose.position.allFinite() && step.after.angular_momentum.allFinite() &&
         step.after.momentum.squaredNorm() < 1e12 * mass * mass;
}

Observables RigidBody::observe(std::span<const double> values) const { return rigid_observe(rigid, values, volume); }

Vec3 RigidBody::centre_velocity(std::span<const double> values, std::vector<Vec3>&) const {
  return read_rigid(values).momentum / mass;
}

void RigidBody::motion(double h, std::span<const double> before, std::span<const double> after, BodyMotion& out) const {
  const RigidValues from = read_rigid(before), to = read_rigid(after);
  const Quat half = half_way(from.pose.rotation, to.pose.rotation);
  out.moves = out.turns_freely = true;
  out.deforms = false;
  out.origin = out.centre = 0.5 * (from.pose.position + to.pose.position);
  out.attitude = half.toRotationMatrix();
  out.mean_attitude = 0.5 * (from.pose.rotation.toRotationMatrix() + to.pose.rotation.toRotationMatrix());
  out.inverse_mass = 1 / mass;
  out.inverse_inertia = world_inertia(rigid.inverse, half);
  out.linear_start = from.momentum / mass;
  out.linear_mean = (0.5 / mass) * (from.momentum + to.momentum);
  out.angular_start = rigid_spin(rigid, before);
  out.angular_mean = mean_rate(from.pose.rotation, to.pose.rotation, h);
}

void RigidBody::shift(std::span<double> values, const BodyForces& pushes, const BodyMotion& motion) const {
  RigidValues r = read_rigid(values);
  r.pose.position += pushes.push / mass;
  r.pose.rotation = rotated(r.pose.rotation, motion.inverse_inertia * pushes.twist);
  write_rigid(r, values);
}

void RigidBody::add_turn(std::span<double> values, const Vec3& centre, const Vec3& turn) const {
  RigidValues r = read_rigid(values);
  r.momentum += mass * turn.cross(r.pose.position - centre);
  r.angular_momentum += world_inertia(rigid.inertia, r.pose.rotation) * turn;
  write_rigid(r, values);
}

bool RigidBody::lay_down(std::span<double> values) const {
  RigidValues r = read_rigid(values);
  r.momentum.setZero();
  r.angular_momentum.setZero();
  write_rigid(r, values);
  return true;
}

bool RigidBody::lies(std::span<const double> values) const {
  const RigidValues r = read_rigid(values);
  return r.momentum == Vec3::Zero() && r.angular_momentum == Vec3::Zero();
}

JoinedBody RigidBody::read_joined(std::span<const double> values) const {
  const RigidValues r = read_rigid(values);
  return {mass, true, rigid.inertia, r.pose, r.momentum, r.angular_momentum};
}

void RigidBody::write_joined(const JoinedBody& joined, std::span<double> values) const {
  write_rigid({joined.pose, joined.momentum, joined.angular_momentum}, values);
}

void RigidBody::lead(const Lead& to, std::span<double> values) const {
  RigidValues r;
  const Vec3 arm = to.pose.rotation * mesh_origin;
  r.pose = {to.pose.position + arm, to.pose.rotation};
  r.momentum = mass * (to.velocity + to.spin.cross(arm));
  r.angular_momentum = world_inertia(rigid.inertia, to.pose.rotation) * to.spin;
  write_rigid(r, values);
}

void RigidBody::stay(std::span<const double> from, std::span<double> values, const Vec3& place, const Vec3& out) const {
  RigidValues r = read_rigid(values);
  r.pose = read_rigid(from).pose;
  const Mat3 inverse = world_inertia(rigid.inverse, r.pose.rotation);
  const Vec3 arm = (place - r.pose.position).cross(out);
  const double into = std::min(0.0, r.momentum.dot(out) / mass + arm.dot(inverse * r.angular_momentum));
  const double push = -into / (1 / mass + arm.dot(inverse * arm));
  r.momentum += push * out;
  r.angular_momentum += push * arm;
  write_rigid(r, values);
}

bool RigidBody::put(const Pose& to, std::span<double> values) const {
  RigidValues r = read_rigid(values);
  r.angular_momentum = to.rotation * (r.pose.rotation.conjugate() * r.angular_momentum);
  r.pose = {to.position + to.rotation * mesh_origin, to.rotation};
  write_rigid(r, values);
  return true;
}

void RigidBody::slow(std::span<double> values, double share) const {
  RigidValues r = read_rigid(values);
  r.momentum *= share;
  r.angular_momentum *= share;
  write_rigid(r, values);
}

HAZUMI_BODY_KIND(30, rigid, moves | turns | follows)

const BodyInfo& body_rigid() {
  static const BodyInfo info = {"rigid", "rigid", [](const Truss& truss, bool) { return truss.pinned.empty(); },
                                &make_body<RigidBody>};
  return info;
}

}  // namespace hazumi
