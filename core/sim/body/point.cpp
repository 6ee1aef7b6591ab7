#include "core/sim/body/point.h"

#include "core/sim/body/body.h"
#include "core/sim/contact/body_motion.h"

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

Vec3 vector_at(std::span<const double> numbers) { return {numbers[0], numbers[1], numbers[2]}; }

// u: velocity, m/s; an anchor's place moves with the point wherever it is. A = m.
struct PointBody final : Body {
  double birth, death;  // s

  explicit PointBody(const BodySetup& setup)
      : Body(setup), birth(setup.object.body.birth), death(setup.object.body.death) {}

  std::size_t state_size() const override { return kPointStateSize; }
  void initialise(std::span<double> values) const override { point_initialise(start.position, velocity, values); }
  bool advance(double h, const BodyForces& forces, const Vec3& g, std::span<double> values,
               ElasticWorkspace&) const override {
    return point_step(mass, h, forces.force, g, values);
  }
  bool present(double time) const override { return time >= birth && time < death; }
  Pose pose(std::span<const double> values) const override { return {point_position(values), start.rotation}; }
  Observables observe(std::span<const double> values) const override { return point_observe(mass, values); }

  ContactShape contact_shape(ContactShape) const override { return ContactShape::sphere; }
  bool collides_bare() const override { return true; }
  Vec3 centre_velocity(std::span<const double> values, std::vector<Vec3>&) const override {
    return point_velocity(values);
  }
  void load(std::span<const double> values, std::span<const Vec3>, MotionNow& now) const override {
    now.set_mass(mass);
    now.centre = now.mass_centre = point_position(values);
    now.velocity = point_velocity(values);
    now.rotation = start.rotation;
  }
  void store(BodyMotion& motion, std::span<double> values) const override {
    point_initialise(motion.centre() + motion.linear_shift(), motion.velocity(), values);
  }

  std::size_t velocity_size() const override { return 3; }
  void velocities(std::span<const double> values, std::span<double> u) const override {
    for (int k = 0; k < 3; ++k) u[k] = values[3 + k];
  }
  Vec3 velocity_at(std::span<const double>, std::span<const double> u, const ContactAnchor&) const override {
    return vector_at(u);
  }
  void respond(std::span<const double>, std::span<const AnchorImpulse> impulses, std::span<double> du) const override {
    Vec3 sum = Vec3::Zero();
    for (const AnchorImpulse& i : impulses) sum += i.impulse;
    for (int k = 0; k < 3; ++k) du[k] = sum[k] / mass;
  }
  void add_velocity(std::span<double> values, std::span<const double> du) const override {
    point_apply_impulse(mass, mass * vector_at(du), values);
  }
  void displace(std::span<double> values, std::span<const double> dx) const override {
    point_initialise(point_position(values) + vector_at(dx), point_velocity(values), values);
  }
};

}  // namespace

HAZUMI_BODY_KIND(20, point, moves | has_lifetime)

const BodyInfo& body_point() {
  static const BodyInfo info = {"point", "point", nullptr, &make_body<PointBody>};
  return info;
}

}  // namespace hazumi
