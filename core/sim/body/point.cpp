#include "core/sim/body/point.h"

#include <algorithm>

#include "core/sim/body/body.h"
#include "core/sim/body/motion.h"

namespace hazumi {

namespace {

void store(const Vec3& x, const Vec3& v, std::span<double> state) {
  for (int k = 0; k < 3; ++k) {
    state[k] = x[k];
    state[3 + k] = v[k];
  }
}

}  // namespace

Vec3 point_position(std::span<const double> state) { return {state[0], state[1], state[2]}; }
Vec3 point_velocity(std::span<const double> state) { return {state[3], state[4], state[5]}; }

void point_initialise(const Vec3& position, const Vec3& velocity, std::span<double> state) {
  store(position, velocity, state);
}

bool point_step(double mass, double h, const Vec3& force, const Vec3& acceleration, std::span<double> state) {
  const Vec3 v = point_velocity(state);
  const Vec3 v_after = v + h * (force / mass + acceleration);
  const Vec3 x_after = point_position(state) + 0.5 * h * (v + v_after);
  store(x_after, v_after, state);
  return x_after.allFinite() && v_after.squaredNorm() < 1e12;
}

void point_apply_impulse(double mass, const Vec3& impulse, std::span<double> state) {
  store(point_position(state), point_velocity(state) + impulse / mass, state);
}

Observables point_observe(double mass, std::span<const double> state) {
  Observables result;
  result.mass = mass;
  result.centre = point_position(state);
  result.momentum = mass * point_velocity(state);
  result.kinetic_energy = 0.5 * mass * point_velocity(state).squaredNorm();
  return result;
}

namespace {

// A place of it moves with the point wherever it is: it does not turn. A = m.
struct PointBody final : Body {
  double birth, death;  // s

  explicit PointBody(const BodySetup& setup)
      : Body(setup), birth(setup.object.body.birth), death(setup.object.body.death) {}

  std::size_t state_size() const override { return kPointStateSize; }
  void initialise(std::span<double> values) const override { point_initialise(start.position, velocity, values); }
  bool advance(double h, const BodyForces& forces, const Vec3& g, std::span<const double> before,
               std::span<double> after, ElasticWorkspace&, BodyMotion* motion) const override {
    std::copy(before.begin(), before.end(), after.begin());
    const bool good = point_step(mass, h, forces.force + forces.push / h, g, after);
    if (motion) this->motion(h, before, after, *motion);
    return good;
  }
  BodyStart start_of(std::span<const double> values) const override {
    return {object_pose(pose(values)), point_velocity(values), spin, {}};
  }
  bool lives(double time) const override { return time >= birth && time < death; }
  Pose pose(std::span<const double> values) const override { return {point_position(values), start.rotation}; }
  Observables observe(std::span<const double> values) const override { return point_observe(mass, values); }

  ContactShape contact_shape(ContactShape) const override { return ContactShape::sphere; }
  bool collides_bare() const override { return true; }
  Vec3 centre_velocity(std::span<const double> values, std::vector<Vec3>&) const override {
    return point_velocity(values);
  }
  PlainCentre plain_centre() const override { return {0, 3, 1}; }
  void motion(double, std::span<const double> before, std::span<const double> after, BodyMotion& out) const override {
    out.moves = true;
    out.deforms = out.turns_freely = false;
    out.origin = out.centre = 0.5 * (point_position(before) + point_position(after));
    out.attitude = out.mean_attitude = start.rotation.toRotationMatrix();
    out.inverse_mass = 1 / mass;
    out.linear_start = point_velocity(before);
    out.linear_mean = 0.5 * (point_velocity(before) + point_velocity(after));
  }
  void shift(std::span<double> values, const BodyForces& pushes, const BodyMotion&) const override {
    point_initialise(point_position(values) + pushes.push / mass, point_velocity(values), values);
  }
  void add_turn(std::span<double> values, const Vec3& centre, const Vec3& turn) const override {
    const Vec3 x = point_position(values);
    point_initialise(x, point_velocity(values) + turn.cross(x - centre), values);
  }
  void stay(std::span<const double> from, std::span<double> values, const Vec3&, const Vec3& out) const override {
    const Vec3 v = point_velocity(values);
    point_initialise(point_position(from), v - std::min(0.0, v.dot(out)) * out, values);
  }
  bool can_be_joined() const override { return true; }
  JoinedBody read_joined(std::span<const double> values) const override {
    return {mass,        false, Mat3::Zero(), {point_position(values), start.rotation}, mass * point_velocity(values),
            Vec3::Zero()};
  }
  void write_joined(const JoinedBody& joined, std::span<double> values) const override {
    point_initialise(joined.pose.position, joined.momentum / mass, values);
  }
  bool can_be_led() const override { return true; }
  void lead(const Lead& to, std::span<double> values) const override {
    point_initialise(to.pose.position, to.velocity, values);
  }
  bool put(const Pose& to, std::span<double> values) const override {
    point_initialise(to.position + to.rotation * mesh_origin, point_velocity(values), values);
    return true;
  }
  void slow(std::span<double> values, double share) const override {
    point_initialise(point_position(values), share * point_velocity(values), values);
  }
};

}  // namespace

HAZUMI_BODY_KIND(20, point, moves | has_lifetime | follows)

const BodyInfo& body_point() {
  static const BodyInfo info = {"point", "point", nullptr, &make_body<PointBody>};
  return info;
}

}  // namespace hazumi
