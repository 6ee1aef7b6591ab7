// A fixed object that has keys: it goes where they say, and stands where they say nothing. Others can hit it, and are hit by it.
// State: as of a rigid body with a mass of 1 and an inertia of 1: c(3) q wxyz(4) v(3) ω(3), m, m/s, rad/s, world; c and q of the object
// frame. No impulse moves it: A⁻¹ = 0.
#include "core/geometry/mesh/winding.h"
#include "core/sim/body/body.h"
#include "core/sim/body/motion.h"
#include "core/sim/body/rigid_body.h"
#include "core/sim/body/rigid_values.h"

namespace hazumi {
namespace {

struct LedBody final : Body {
  double volume = 0;  ///< m³, of the mesh

  explicit LedBody(const BodySetup& setup) : Body(setup) {
    if (!mesh->empty()) volume = mesh_volume(mesh->positions, mesh->faces);
  }

  std::size_t state_size() const override { return kRigidStateSize; }
  void initialise(std::span<double> values) const override { write_rigid({start}, values); }
  /// Where nothing leads it.
  bool advance(double h, const BodyForces&, const Vec3&, std::span<const double> before, std::span<double> after,
               ElasticWorkspace&, BodyMotion* motion) const override {
    write_rigid({rigid_pose(before)}, after);
    if (motion) this->motion(h, before, after, *motion);
    return true;
  }
  Pose pose(std::span<const double> values) const override { return rigid_pose(values); }
  Observables observe(std::span<const double> values) const override {
    Observables o;
    o.mass = mass;
    o.volume = volume;
    o.centre = rigid_pose(values).position;
    return o;
  }

  bool can_be_led() const override { return true; }
  void lead(const Lead& to, std::span<double> values) const override {
    write_rigid({to.pose, to.velocity, to.spin}, values);
  }

  Vec3 centre_velocity(std::span<const double> values, std::vector<Vec3>&) const override {
    return read_rigid(values).momentum;
  }
  void motion(double h, std::span<const double> before, std::span<const double> after, BodyMotion& out) const override {
    const RigidValues from = read_rigid(before), to = read_rigid(after);
    out.moves = out.deforms = out.turns_freely = false;
    out.origin = out.centre = 0.5 * (from.pose.position + to.pose.position);
    out.attitude = half_way(from.pose.rotation, to.pose.rotation).toRotationMatrix();
    out.mean_attitude = 0.5 * (from.pose.rotation.toRotationMatrix() + to.pose.rotation.toRotationMatrix());
    out.inverse_mass = 0;
    out.inverse_inertia.setZero();
    out.linear_start = from.momentum;
    out.linear_mean = (to.pose.position - from.pose.position) / h;
    out.angular_start = from.angular_momentum;
    out.angular_mean = mean_rate(from.pose.rotation, to.pose.rotation, h);
  }
  void shift(std::span<double>, const BodyForces&, const BodyMotion&) const override {}
  void add_turn(std::span<double>, const Vec3&, const Vec3&) const override {}
  void stay(std::span<const double>, std::span<double>, const Vec3&, const Vec3&) const override {}
  void slow(std::span<double>, double) const override {}
};

}  // namespace

const BodyInfo& body_led() {
  static const BodyInfo info = {"led", "fixed", [](const Truss&, bool led) { return led; }, &make_body<LedBody>};
  return info;
}

}  // namespace hazumi
