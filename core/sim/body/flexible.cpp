#include "core/sim/body/flexible.h"

#include <cmath>

#include "core/geometry/mesh/mass_properties.h"
#include "core/sim/contact/body_motion.h"
#include "core/sim/elastic/setup.h"

namespace hazumi {
namespace {

std::vector<Vec3> as_vectors(std::span<const double> numbers) {
  std::vector<Vec3> out(numbers.size() / 3);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = {numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]};
  return out;
}

void put_numbers(const std::vector<Vec3>& vectors, std::span<double> out) {
  for (std::size_t i = 0; i < vectors.size(); ++i)
    for (int k = 0; k < 3; ++k) out[3 * i + static_cast<std::size_t>(k)] = vectors[i][k];
}

/// An anchor as shares of the nodes and an arm from the place that they give, world. What names no nodes is held by all,
/// each with its mass.
struct NodalAnchor {
  std::vector<NodeWeight> shares;
  Vec3 arm = Vec3::Zero();
};

NodalAnchor nodal(const Body& body, const MotionNow& now, const ContactAnchor& anchor) {
  NodalAnchor out;
  out.arm = anchor.kind == ContactAnchor::world_axes ? anchor.offset : Vec3(now.rotation * anchor.offset);
  if (anchor.kind == ContactAnchor::nodal) {
    for (int k = 0; k < 3; ++k) out.shares.push_back({anchor.nodes[k], anchor.weights[k]});
  } else {
    for (std::uint32_t i = 0; i < body.truss.nodes.size(); ++i)
      out.shares.push_back({i, body.truss.masses[i] / body.mass});
  }
  return out;
}

}  // namespace

FlexibleBody::FlexibleBody(const BodySetup& setup, std::unique_ptr<const ElasticSolver> solver,
                           const ElasticContact& contact)
    : Body(setup), elastic(std::move(solver)) {
  const MassProperties p = mass_properties(truss.nodes, truss.masses);
  mass = p.mass;
  hertz_young = contact.modulus;
  contact_softness = contact.softness;
  node_stiffness = contact.node_stiffness;
  pins = pin_frame(truss.nodes, truss.pinned);
  if (!truss.pinned.empty()) held_nodes.assign(truss.nodes.size(), 0);
  for (const std::uint32_t node : truss.pinned) held_nodes[node] = 1;
  put_origin(setup.object, p.centre);
}

Result<std::unique_ptr<Body>> FlexibleBody::make(const BodySetup& setup) {
  const Object& object = setup.object;
  const auto failure = [&](std::string message, std::string hint) {
    return Diagnostic{Severity::error, object.name, std::move(message), std::move(hint)};
  };
  if (setup.truss.empty())
    return failure("A flexible body needs an analysis model.", "Give it one under Analysis, or make it rigid.");
  const ElasticSolverInfo* info = find_elastic_solver(object.body.solver);
  if (!info) {
    std::string names;
    for (const ElasticSolverInfo* s : elastic_solvers()) names += (names.empty() ? "" : ", ") + std::string(s->name);
    return failure("There is no elastic solver \"" + object.body.solver + "\".", "Choose one of: " + names + ".");
  }
  const auto named = [&](Diagnostics out) {
    for (Diagnostic& d : out) d.path = d.path.empty() ? object.name : object.name + ": " + d.path;
    return out;
  };
  const auto elastic_setup = setup_of_object(*info, object, setup.truss, setup.time_step);
  if (!elastic_setup.ok()) return named(elastic_setup.diagnostics());
  auto solver = info->make(*elastic_setup);
  if (!solver.ok()) return named(solver.diagnostics());
  std::unique_ptr<Body> body =
      std::make_unique<FlexibleBody>(setup, std::move(solver).value(), info->contact(*elastic_setup));
  return {std::move(body), named(elastic_setup.diagnostics())};
}

void FlexibleBody::initialise(std::span<double> values) const {
  Pose object = start;
  object.position -= object.rotation * mesh_origin;
  elastic->initialise(object, velocity, spin, values);
}

bool FlexibleBody::advance(double, const BodyForces& forces, const Vec3& g, std::span<double> values,
                           ElasticWorkspace& workspace) const {
  return elastic->step(values, forces.nodes, g, workspace);
}

std::string FlexibleBody::divergence_hint() const {
  return "Raise the sub-steps, the damping or lower the stiffness of \"" + name + "\".";
}

void FlexibleBody::positions(std::span<const double> values, std::span<Vec3> nodes) const {
  elastic->positions(values, nodes);
}

ContactShape FlexibleBody::contact_shape(ContactShape wanted) const {
  if (wanted == ContactShape::vertices) return mapping ? wanted : ContactShape::nodes;
  return wanted == ContactShape::sphere ? wanted : ContactShape::nodes;
}

// Stretches the springs of one node by a quarter of the body's radius: beyond, linear springs turn it inside out.
double FlexibleBody::deformation_energy() const { return 0.5 * node_stiffness * 0.0625 * proxy.radius * proxy.radius; }

Vec3 FlexibleBody::centre_velocity(std::span<const double> values, std::vector<Vec3>& scratch) const {
  Vec3 sum = Vec3::Zero();
  if (pins.kind != PinKind::none) return sum;
  scratch.resize(truss.nodes.size());
  elastic->velocities(values, scratch);
  for (std::size_t i = 0; i < scratch.size(); ++i) sum += truss.masses[i] / mass * scratch[i];
  return sum;
}

void FlexibleBody::load(std::span<const double> values, std::span<const Vec3> nodes, MotionNow& now) const {
  const std::size_t n = nodes.size();
  now.set_mass(mass);
  now.nodal = true;
  now.softness = contact_softness;
  now.masses = &truss.masses;
  now.nodes.assign(nodes.begin(), nodes.end());
  now.deformation_velocity.resize(n);
  elastic->velocities(values, now.deformation_velocity);
  now.rotation = elastic->frame(values).rotation;
  if (pins.kind != PinKind::none) return load_pinned(now);
  for (std::size_t i = 0; i < n; ++i) {
    now.centre += truss.masses[i] * now.inverse_mass * now.nodes[i];
    now.velocity += truss.masses[i] * now.inverse_mass * now.deformation_velocity[i];
  }
  now.mass_centre = now.centre;
  Mat3 inertia = Mat3::Zero();
  Vec3 angular = Vec3::Zero();
  for (std::size_t i = 0; i < n; ++i) {
    const double m = truss.masses[i];
    const Vec3 r = now.nodes[i] - now.centre;
    inertia += m * (r.squaredNorm() * Mat3::Identity() - r * r.transpose());
    angular += m * r.cross(now.deformation_velocity[i] - now.velocity);
  }
  // Nodes on one line resist no turn about it; impulses there turn nothing that can be seen.
  inertia += 1e-9 * inertia.trace() * Mat3::Identity();
  now.inverse_inertia = inertia.inverse();
  now.spin = now.inverse_inertia * angular;
  for (std::size_t i = 0; i < n; ++i)
    now.deformation_velocity[i] -= now.velocity + now.spin.cross(now.nodes[i] - now.centre);
}

void FlexibleBody::load_pinned(MotionNow& now) const {
  const std::size_t n = now.nodes.size();
  now.set_pinned();
  now.held = &held_nodes;
  now.movable = truss.pinned.size() < n;
  now.centre = now.mass_centre = now.nodes[truss.pinned.front()];
  Mat3 inertia = Mat3::Zero();
  Vec3 angular = Vec3::Zero();
  for (std::size_t i = 0; i < n; ++i) {
    const double m = truss.masses[i];
    const Vec3 r = now.nodes[i] - now.centre;
    inertia += m * (r.squaredNorm() * Mat3::Identity() - r * r.transpose());
    angular += m * r.cross(now.deformation_velocity[i]);
  }
  if (pins.kind == PinKind::point && inertia.trace() > 0) {
    inertia += 1e-9 * inertia.trace() * Mat3::Identity();
    now.inverse_inertia = inertia.inverse();
  } else if (pins.kind == PinKind::line) {
    const Vec3 axis = now.rotation * pins.axis;
    const double about = axis.dot(inertia * axis);
    if (about > 1e-10 * inertia.trace()) now.inverse_inertia = axis * axis.transpose() / about;
  }
  now.spin = now.inverse_inertia * angular;
  for (std::size_t i = 0; i < n; ++i) now.deformation_velocity[i] -= now.spin.cross(now.nodes[i] - now.centre);
}

void FlexibleBody::store(BodyMotion& motion, std::span<double> values) const {
  const std::size_t n = motion.now().nodes.size();
  if (motion.changed()) {
    motion.impulses.resize(n);
    for (std::uint32_t i = 0; i < n; ++i) motion.impulses[i] = {i, truss.masses[i] * motion.node_change(i)};
    elastic->apply_impulses(values, motion.impulses);
  }
  if (motion.shifted()) {
    motion.displacement.resize(n);
    for (std::uint32_t i = 0; i < n; ++i) motion.displacement[i] = motion.node_shift(i);
    elastic->displace(values, motion.displacement);
  }
}

void FlexibleBody::velocities(std::span<const double> values, std::span<double> u) const {
  std::vector<Vec3> nodes(truss.nodes.size());
  elastic->velocities(values, nodes);
  put_numbers(nodes, u);
}

Vec3 FlexibleBody::velocity_at(std::span<const double> values, std::span<const double> u,
                               const ContactAnchor& anchor) const {
  const std::vector<Vec3> velocity_of = as_vectors(u);
  std::vector<Vec3> nodes(velocity_of.size());
  positions(values, nodes);
  MotionNow now;
  load(values, nodes, now);
  const NodalAnchor place = nodal(*this, now, anchor);
  Vec3 sum = Vec3::Zero(), angular = Vec3::Zero();
  for (const NodeWeight& s : place.shares) sum += s.weight * velocity_of[s.node];
  for (std::size_t i = 0; i < nodes.size(); ++i)
    angular += truss.masses[i] * (nodes[i] - now.centre).cross(velocity_of[i]);
  return sum + Vec3(now.inverse_inertia * angular).cross(place.arm);
}

void FlexibleBody::respond(std::span<const double> values, std::span<const AnchorImpulse> impulses,
                           std::span<double> du) const {
  std::vector<Vec3> nodes(truss.nodes.size()), dv(nodes.size());
  positions(values, nodes);
  MotionNow now;
  load(values, nodes, now);
  std::vector<NodeImpulse> on_nodes(nodes.size());
  Vec3 moment = Vec3::Zero();  // what the shares do not give
  for (std::uint32_t i = 0; i < nodes.size(); ++i) on_nodes[i].node = i;
  for (const AnchorImpulse& at : impulses) {
    const NodalAnchor place = nodal(*this, now, at.anchor);
    for (const NodeWeight& s : place.shares) on_nodes[s.node].impulse += s.weight * at.impulse;
    moment += place.arm.cross(at.impulse);
  }
  const Vec3 turn = now.inverse_inertia * moment;
  for (std::size_t i = 0; i < nodes.size(); ++i)
    on_nodes[i].impulse += truss.masses[i] * turn.cross(nodes[i] - now.centre);
  elastic->respond(values, on_nodes, dv);
  put_numbers(dv, du);
}

void FlexibleBody::add_velocity(std::span<double> values, std::span<const double> du) const {
  std::vector<NodeImpulse> impulses(truss.nodes.size());
  for (std::uint32_t i = 0; i < impulses.size(); ++i)
    impulses[i] = {i, truss.masses[i] * Vec3(du[3 * i], du[3 * i + 1], du[3 * i + 2])};
  elastic->apply_impulses(values, impulses);
}

void FlexibleBody::displace(std::span<double> values, std::span<const double> dx) const {
  elastic->displace(values, as_vectors(dx));
}

HAZUMI_BODY_KIND(40, flexible, moves | turns | deforms)

const BodyInfo& body_flexible() {
  static const BodyInfo info = {"flexible", "flexible", nullptr, &FlexibleBody::make};
  return info;
}

}  // namespace hazumi
