// A rigid body whose analysis model has pinned nodes (equations: pinned_body.h). Rows turn it about the first pin:
// A⁻¹ = J_p⁻¹ of the turns that the pins leave.
#include "core/sim/body/motion.h"
#include "core/sim/body/pinned_body.h"
#include "core/sim/body/rigid.h"
#include "core/sim/body/rigid_midpoint.h"
#include "core/sim/body/rigid_values.h"

namespace hazumi {
namespace {

constexpr double kTurnAlone = 0.1;  // rad: what meets nothing goes on in as many parts as a step of it turns by

struct PinnedRigidBody final : RigidBody {
  PinnedBody pinned;
  PinFrame frame;  ///< in the body frame

  explicit PinnedRigidBody(const BodySetup& setup) : RigidBody(setup) {
    frame = pin_frame(truss.nodes, truss.pinned);
    frame.origin -= mesh_origin;
    pinned = PinnedBody(rigid, frame, start);
  }

  void initialise(std::span<double> values) const override {
    pinned.initialise(rigid, start.rotation, velocity, spin, values);
  }
  BodyStart start_of(std::span<const double> values) const override {
    return {object_pose(pose(values)), read_rigid(values).momentum / mass, pinned.spin(values), {}};
  }
  bool advance(double h, const BodyForces& forces, const Vec3& g, std::span<const double> before,
               std::span<double> after, ElasticWorkspace&, BodyMotion* motion) const override {
    std::copy(before.begin(), before.end(), after.begin());
    RigidMidpoint step;
    const Vec3 twist = motion ? Vec3(forces.twist / h) : Vec3(Vec3::Zero());
    const bool good = pinned_midpoint(rigid, pinned, read_rigid(before), h, forces.force, forces.torque + twist, g,
                                      step, motion ? kTurnPerMidpoint : kTurnAlone);
    if (good) write_rigid(step.after, after);
    if (!motion) return good;
    this->motion(h, before, after, *motion);
    motion->angular_mean = step.mean_spin;
    return good;
  }

  Vec3 centre_velocity(std::span<const double>, std::vector<Vec3>&) const override { return Vec3::Zero(); }
  PlainCentre plain_centre() const override { return {}; }
  void motion(double h, std::span<const double> before, std::span<const double> after, BodyMotion& out) const override {
    RigidBody::motion(h, before, after, out);
    out.moves = pinned.can_turn();
    out.turns_freely = false;
    out.origin = pinned.place;
    out.inverse_mass = 0;
    out.linear_start.setZero();
    out.linear_mean.setZero();
    out.angular_start = pinned.spin(before);
    out.inverse_inertia =
        pinned.inverse_inertia(half_way(read_rigid(before).pose.rotation, read_rigid(after).pose.rotation));
  }
  void shift(std::span<double> values, const BodyForces& pushes, const BodyMotion& motion) const override {
    const Vec3 turn = motion.inverse_inertia * pushes.twist;
    pinned.put(rigid, rotated(rigid_pose(values).rotation, turn), pinned.spin(values), values);
  }
  void add_turn(std::span<double>, const Vec3&, const Vec3&) const override {}  // its island has no turn in common
  void stay(std::span<const double> from, std::span<double> values, const Vec3& place, const Vec3& out) const override {
    const Quat rotation = rigid_pose(from).rotation;
    const Mat3 inverse = pinned.inverse_inertia(rotation);
    Vec3 turning = pinned.spin(values);
    const Vec3 arm = (place - pinned.place).cross(out);
    const double own = arm.dot(inverse * arm);
    if (own > 0) turning -= std::min(0.0, arm.dot(turning)) / own * (inverse * arm);
    pinned.put(rigid, rotation, turning, values);
  }
  bool can_be_joined() const override { return false; }
  std::optional<BodyPins> pins() const override {
    if (!pinned.can_turn()) return std::nullopt;
    return BodyPins{frame.origin, frame.kind == PinKind::line ? std::optional(frame.axis) : std::nullopt};
  }
  bool can_be_led() const override { return false; }
  void slow(std::span<double> values, double share) const override {
    pinned.put(rigid, rigid_pose(values).rotation, share * pinned.spin(values), values);
  }
};

}  // namespace

const BodyInfo& body_pinned() {
  static const BodyInfo info = {"pinned", "rigid", [](const Truss& truss, bool) { return !truss.pinned.empty(); },
                                &make_body<PinnedRigidBody>};
  return info;
}

}  // namespace hazumi
