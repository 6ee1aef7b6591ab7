// A rigid body whose analysis model has pinned nodes (equations: pinned_body.h). u: spin about the pin, rad/s, world.
//   A⁻¹ = J_p⁻¹ of the turns that the pins leave,   J = −[p − x]ₓ,   x the first pin
#include "core/sim/body/pinned_body.h"
#include "core/sim/body/rigid.h"
#include "core/sim/body/rigid_values.h"
#include "core/sim/contact/body_motion.h"

namespace hazumi {
namespace {

Vec3 turn_of(std::span<const double> numbers) { return {numbers[0], numbers[1], numbers[2]}; }

struct PinnedRigidBody final : RigidBody {
  PinnedBody pinned;

  explicit PinnedRigidBody(const BodySetup& setup) : RigidBody(setup) {
    PinFrame pins = pin_frame(truss.nodes, truss.pinned);
    pins.origin -= mesh_origin;
    pinned = PinnedBody(rigid, pins, start);
  }

  void initialise(std::span<double> values) const override {
    pinned.initialise(rigid, start.rotation, velocity, spin, values);
  }
  bool advance(double h, const BodyForces& forces, const Vec3& g, std::span<double> values,
               ElasticWorkspace&) const override {
    return pinned.step(rigid, h, forces.force, forces.torque, g, values);
  }

  Vec3 centre_velocity(std::span<const double>, std::vector<Vec3>&) const override { return Vec3::Zero(); }
  void load(std::span<const double> values, std::span<const Vec3>, MotionNow& now) const override {
    const RigidValues r = read_rigid(values);
    now.set_mass(mass);
    now.set_pinned();
    now.mass_centre = r.pose.position;
    now.centre = pinned.place;
    now.rotation = r.pose.rotation;
    now.inverse_inertia = pinned.inverse_inertia(now.rotation);
    now.spin = pinned.spin(values);
  }
  void store(BodyMotion& motion, std::span<double> values) const override {
    pinned.put(rigid, rotated(motion.now().rotation, motion.angular_shift()), motion.spin(), values);
  }

  std::size_t velocity_size() const override { return 3; }
  void velocities(std::span<const double> values, std::span<double> u) const override {
    const Vec3 w = pinned.spin(values);
    for (int k = 0; k < 3; ++k) u[k] = w[k];
  }
  Vec3 velocity_at(std::span<const double> values, std::span<const double> u,
                   const ContactAnchor& anchor) const override {
    return turn_of(u).cross(from_pin(values, anchor));
  }
  void respond(std::span<const double> values, std::span<const AnchorImpulse> impulses,
               std::span<double> du) const override {
    Vec3 moment = Vec3::Zero();
    for (const AnchorImpulse& i : impulses) moment += from_pin(values, i.anchor).cross(i.impulse);
    const Vec3 w = pinned.inverse_inertia(rigid_pose(values).rotation) * moment;
    for (int k = 0; k < 3; ++k) du[k] = w[k];
  }
  void add_velocity(std::span<double> values, std::span<const double> du) const override {
    pinned.put(rigid, rigid_pose(values).rotation, pinned.spin(values) + turn_of(du), values);
  }
  void displace(std::span<double> values, std::span<const double> dx) const override {
    pinned.put(rigid, rotated(rigid_pose(values).rotation, turn_of(dx)), pinned.spin(values), values);
  }

 private:
  Vec3 from_pin(std::span<const double> values, const ContactAnchor& anchor) const {
    return rigid_pose(values).position + arm_of(values, anchor) - pinned.place;
  }
};

}  // namespace

const BodyInfo& body_pinned() {
  static const BodyInfo info = {"pinned", "rigid", [](const Truss& truss) { return !truss.pinned.empty(); },
                                &make_body<PinnedRigidBody>};
  return info;
}

}  // namespace hazumi
