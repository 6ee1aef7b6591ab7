#include "core/sim/body/flexible.h"

#include <algorithm>
#include <map>

#include "core/geometry/mapping/shard_mapping.h"
#include "core/geometry/mesh/mass_properties.h"
#include "core/math/rotation.h"
#include "core/sim/body/motion.h"
#include "core/sim/body/rigid_values.h"
#include "core/sim/elastic/setup.h"

namespace hazumi {
namespace {

/// The velocity of the frame of a body whose nodes move at m, as it is held.
template <class Velocity>
Vec3 turn_rate(const BodyMotion& m, const Velocity& of_node) {
  Vec3 sum = Vec3::Zero();
  for (std::uint32_t i = 0; i < m.arms.size(); ++i)
    sum += m.masses[i] * (m.held.attitude * m.arms[i]).cross(of_node(i));
  return m.held.rate * sum;
}

void find_turn_rates(double h, BodyMotion& m) {
  m.angular_start = turn_rate(m, [&](std::uint32_t i) { return m.velocities[i]; });
  m.angular_mean = turn_rate(m, [&](std::uint32_t i) { return Vec3((m.nodes_to[i] - m.nodes_from[i]) / h); });
}

double length_of(const Spring& spring, const Truss& truss) {
  return (truss.nodes[spring.b] - truss.nodes[spring.a]).norm();
}

/// Of springs that there are; ascending, each once.
std::vector<SpringPast> past_of(std::span<const StartSpring> rows, const Truss& truss) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> numbers;
  if (!rows.empty())
    for (std::uint32_t k = 0; k < truss.springs.size(); ++k)
      numbers.emplace(std::minmax(truss.springs[k].a, truss.springs[k].b), k);
  std::map<std::uint32_t, SpringPast> found;
  for (const StartSpring& row : rows)
    if (const auto at = numbers.find(std::minmax(row.a, row.b)); at != numbers.end())
      found[at->second] = {at->second, row.longer * length_of(truss.springs[at->second], truss), row.broken};
  std::vector<SpringPast> out;
  for (const auto& [number, past] : found) out.push_back(past);
  return out;
}

}  // namespace

FlexibleBody::FlexibleBody(const BodySetup& setup, std::unique_ptr<const ElasticSolver> solver, double contact_modulus)
    : Body(setup), elastic(std::move(solver)) {
  const MassProperties p = mass_properties(truss.nodes, truss.masses);
  mass = p.mass;
  hertz_young = contact_modulus;
  pins = pin_frame(truss.nodes, truss.pinned);
  const bool pinned = pins.kind != PinKind::none;
  const Vec3 origin = pinned ? pins.origin : p.centre, arm = p.centre - origin;
  directions = RigidDirections(p.inertia + mass * (arm.squaredNorm() * Mat3::Identity() - arm * arm.transpose()), pins);
  for (const Vec3& x : truss.nodes) arms.push_back(x - origin);
  put_origin(setup.object, p.centre);
}

namespace {

/// A solver made for a body.
struct MadeElastic {
  std::unique_ptr<const ElasticSolver> elastic;
  const KeptVolume* kept = nullptr;
  const Brittle* brittle = nullptr;
  double contact_modulus = 0;
};

Result<MadeElastic> make_elastic(const ElasticSolverInfo& info, const BodySetup& setup) {
  const Object& object = setup.object;
  const auto elastic_setup = setup_of_object(info, object, setup.truss, setup.time_step);
  if (!elastic_setup.ok()) return elastic_setup.diagnostics();
  auto solver = info.make(*elastic_setup);
  if (!solver.ok()) return solver.diagnostics();
  MadeElastic made;
  made.elastic = std::move(solver).value();
  made.brittle = dynamic_cast<const Brittle*>(made.elastic.get());
  made.contact_modulus = info.contact_modulus(*elastic_setup);
  const VolumeSettings& volume = object.body.volume;
  if (volume.of != VolumeOf::off) {
    if (made.brittle)
      return Diagnostic{Severity::error, "", "A body that breaks cannot keep its volume.",
                        "Turn Volume off, or set Breaks to 0."};
    auto with_volume = KeptVolume::make(std::move(made.elastic), *elastic_setup, volume);
    if (!with_volume.ok()) return with_volume.diagnostics();
    made.kept = with_volume->get();
    made.elastic = std::move(with_volume).value();
  }
  return {std::move(made), elastic_setup.diagnostics()};
}

}  // namespace

/// What cannot be made, of what a graph asks for, the graph says already (core/motion/check.cpp) as far as that follows from the model;
/// what does not is told here. The run goes on without.
void FlexibleBody::add_others(const BodySetup& setup, Diagnostics& notes) {
  if (brittle) return;
  for (const std::string_view solver : setup.solvers) {
    const ElasticSolverInfo* const info = find_elastic_solver(solver);
    if (!info || solver == setup.object.body.solver) continue;
    if (solver_problem(*info, setup.object, setup.truss)) continue;
    auto made = make_elastic(*info, setup);
    if (!made.ok()) {
      const Diagnostic& why = made.diagnostics().front();
      notes.push_back({Severity::warning, setup.object.name,
                       "It cannot come to bend by \"" + std::string(solver) + "\": " + why.message, why.hint});
      continue;
    }
    if (made->brittle) continue;
    MadeElastic one = std::move(made).value();
    others.push_back({number_of_solver(solver), std::move(one.elastic), one.kept, one.contact_modulus});
  }
  std::sort(others.begin(), others.end(),
            [](const OtherElastic& a, const OtherElastic& b) { return a.number < b.number; });
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
  auto made = make_elastic(*info, setup);
  if (!made.ok()) return named(made.diagnostics());
  Diagnostics notes = named(made.diagnostics());
  MadeElastic own = std::move(made).value();
  auto body = std::make_unique<FlexibleBody>(setup, std::move(own.elastic), own.contact_modulus);
  body->kept = own.kept;
  body->brittle = own.brittle;
  body->own_number = number_of_solver(info->name);
  body->add_others(setup, notes);
  const std::size_t given = object.body.start.size(), needed = setup.truss.nodes.size();
  if (given == needed) body->bent = object.body.start;
  if (given == 0 || given == needed)
    body->past = past_of(object.body.start_springs, body->truss);
  else
    notes.push_back({Severity::warning, object.name,
                     "How it is bent at the start was taken from " + std::to_string(given) +
                         " nodes, but its analysis model has " + std::to_string(needed) +
                         ", so it starts at rest shape.",
                     "Start from a frame again, or straighten it: Object, Start Unbent."});
  return {std::unique_ptr<Body>(std::move(body)), std::move(notes)};
}

void FlexibleBody::initialise(std::span<double> values) const {
  Pose object = start;
  object.position -= object.rotation * mesh_origin;
  elastic->initialise(object, velocity, spin, values);
  elastic->take_past(values, past);  // while it is whole and straight: its attitude is the object's
  if (bent.empty()) return;
  std::vector<Vec3> shifts(bent.size());
  std::vector<NodeImpulse> impulses(bent.size());
  for (std::uint32_t i = 0; i < bent.size(); ++i) {
    shifts[i] = object.rotation * bent[i].shift;
    impulses[i] = {i, truss.masses[i] * (object.rotation * bent[i].velocity)};
  }
  elastic->displace(values, shifts);
  elastic->apply_impulses(values, impulses);
  // Scenes of before what springs go through was kept have their cracks in the places of nodes alone.
  if (brittle && past.empty()) brittle->tear(values);
}

void FlexibleBody::begin_in(const RestShape& shape, std::span<double> values) const {
  if (!elastic->take_shape(values, shape) || shape.nodes.size() != truss.nodes.size() || !bent.empty()) return;
  std::vector<Vec3> shifts(truss.nodes.size());
  for (std::size_t i = 0; i < shifts.size(); ++i) shifts[i] = start.rotation * (shape.nodes[i] - truss.nodes[i]);
  elastic->displace(values, shifts);
}

// The motion of the whole is the one with the body's momenta, about the pins where there are some; what the nodes do beyond it is
// the difference to where a body at rest shape would begin, so that initialise() adds up to the state whatever the solver makes of
// place, velocity and spin.
BodyStart FlexibleBody::start_of(std::span<const double> values) const {
  const std::size_t n = truss.nodes.size();
  const bool pinned = pins.kind != PinKind::none;
  std::vector<Vec3> x(n), u(n), rest(n), carried(n);
  const auto is = now(values);
  is.elastic.positions(is.values, x);
  is.elastic.velocities(is.values, u);
  const Pose frame = is.elastic.frame(is.values);
  const Quat back = frame.rotation.conjugate();
  const std::uint32_t pin = pinned ? truss.pinned.front() : 0;
  const Vec3 about = pinned ? x[pin] : frame.position, about_rest = pinned ? truss.nodes[pin] : mesh_origin;
  BodyStart out;
  out.pose = {about - frame.rotation * about_rest, frame.rotation};
  Vec3 drift = Vec3::Zero(), angular = Vec3::Zero();
  if (!pinned)
    for (std::size_t i = 0; i < n; ++i) drift += truss.masses[i] / mass * u[i];
  SecondMoment moment;
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3 arm = back * (x[i] - about);
    moment.add(truss.masses[i], arm.x(), arm.y(), arm.z());
    angular += truss.masses[i] * arm.cross(back * (u[i] - drift));
  }
  out.spin = frame.rotation * directions.solve(moment.inertia(), angular);
  out.velocity = pinned ? Vec3(out.spin.cross(frame.rotation * (mesh_origin - about_rest))) : drift;

  std::vector<SpringPast> gone_through;
  is.elastic.past(is.values, gone_through);
  for (const SpringPast& p : gone_through) {
    const Spring& s = truss.springs[p.spring];
    out.springs.push_back({s.a, s.b, p.kept / length_of(s, truss), p.broken});
  }

  if (const OtherElastic* const other = other_of(values)) out.solver = other->number;
  std::vector<double> begun(is.elastic.state_size());
  is.elastic.initialise(out.pose, out.velocity, out.spin, begun);
  is.elastic.positions(begun, rest);
  is.elastic.velocities(begun, carried);
  double size = 0, speed = 0, moved = 0, faster = 0;
  out.nodes.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    out.nodes[i] = {back * (x[i] - rest[i]), back * (u[i] - carried[i])};
    size = std::max(size, arms[i].norm());
    speed = std::max(speed, u[i].norm());
  }
  for (const std::uint32_t held : truss.pinned) out.nodes[held] = {};
  for (const StartNode& node : out.nodes) {
    moved = std::max(moved, node.shift.norm());
    faster = std::max(faster, node.velocity.norm());
  }
  constexpr double kRoundOff = 1e-13;
  const double far = about.norm() + size;
  if (moved <= kRoundOff * far && faster <= kRoundOff * (speed + out.spin.norm() * size)) out.nodes.clear();
  return out;
}

bool FlexibleBody::advance(double h, const BodyForces& forces, const Vec3& g, std::span<const double> before,
                           std::span<double> after, ElasticWorkspace& workspace, BodyMotion* motion) const {
  std::copy(before.begin(), before.end(), after.begin());
  const auto is = now(after);
  if (is.kept) is.kept->tell(is.values, forces.size.value_or(is.kept->size(is.values)));
  const bool good = is.elastic.step(is.values, forces.nodes, g, workspace);
  if (!motion) return good;
  read_motion(h, before, after, *motion);
  find_turn_rates(h, *motion);
  return good;
}

std::string FlexibleBody::divergence_hint() const {
  return "Raise the sub-steps, the damping or lower the stiffness of \"" + name + "\".";
}

void FlexibleBody::calm(std::span<double> values, ElasticWorkspace& workspace) const {
  const auto is = now(values);
  is.elastic.calm(is.values, workspace);
}

void FlexibleBody::positions(std::span<const double> values, std::span<Vec3> nodes) const {
  const auto is = now(values);
  is.elastic.positions(is.values, nodes);
}

ContactShape FlexibleBody::contact_shape(ContactShape wanted) const {
  if (wanted == ContactShape::vertices) return mapping ? wanted : ContactShape::nodes;
  if (!truss.line.empty() && (wanted == ContactShape::automatic || wanted == ContactShape::rope))
    return ContactShape::rope;
  const bool possible = wanted == ContactShape::sphere || wanted == ContactShape::nodes ||
                        wanted == ContactShape::simplified || wanted == ContactShape::hull;
  return possible ? wanted : ContactShape::surface;
}

Vec3 FlexibleBody::centre_velocity(std::span<const double> values, std::vector<Vec3>& scratch) const {
  Vec3 sum = Vec3::Zero();
  if (pins.kind != PinKind::none) return sum;
  scratch.resize(truss.nodes.size());
  node_velocities(values, scratch);
  for (std::size_t i = 0; i < scratch.size(); ++i) sum += truss.masses[i] / mass * scratch[i];
  return sum;
}

void FlexibleBody::motion(double h, std::span<const double> before, std::span<const double> after,
                          BodyMotion& out) const {
  read_motion(h, before, after, out);
  out.held.vertices.clear();
  hold(h, out);
}

void FlexibleBody::read_motion(double h, std::span<const double> before, std::span<const double> after,
                               BodyMotion& out) const {
  const std::size_t n = truss.nodes.size();
  out.deforms = true;
  out.parts = parts(before);
  out.moves = truss.pinned.size() < n;
  out.turns_freely = truss.pinned.empty();
  out.nodes_from.resize(n);
  out.nodes_to.resize(n);
  out.velocities.resize(n);
  positions(before, out.nodes_from);
  positions(after, out.nodes_to);
  node_velocities(before, out.velocities);
  const OtherElastic* const other = other_of(before);
  out.solver = other ? other->number : -1;
  out.limp = limp(before);
  const Pose from = pose(before), to = pose(after);
  out.centre = out.origin = 0.5 * (from.position + to.position);
  out.attitude = out.mean_attitude = half_way(from.rotation, to.rotation).toRotationMatrix();
  out.masses = truss.masses;
  out.arms = arms;
  out.inverse_mass = 1 / mass;
  out.linear_start = out.linear_mean = Vec3::Zero();
  for (std::size_t i = 0; i < n; ++i) {
    out.linear_start += truss.masses[i] / mass * out.velocities[i];
    out.linear_mean += truss.masses[i] / (mass * h) * (out.nodes_to[i] - out.nodes_from[i]);
  }
}

void FlexibleBody::hold(double h, BodyMotion& m) const {
  const bool pinned = pins.kind != PinKind::none;
  if (m.parts && m.parts->count > 1) {  // no frame holds them all, and no place follows one
    m.held.attitude = m.attitude;
    m.held.rate.setZero();
    find_turn_rates(h, m);
    hold_vertices(m);
    return;
  }
  const Vec3 about = pinned ? m.middle(truss.pinned.front()) : m.centre;
  Mat3 fit = Mat3::Zero();
  for (std::uint32_t i = 0; i < arms.size(); ++i) fit += m.masses[i] * (m.middle(i) - about) * arms[i].transpose();
  const Quat turn = fitted_turn(directions, m.attitude.transpose() * fit, Quat::Identity());
  const Mat3 r = m.attitude * turn.toRotationMatrix();
  HeldFrame& held = m.held;
  held.attitude = r;
  if (directions.is_free() && !directions.is_line()) {
    held.rate = polar_rate(fit, r);
  } else {
    const Mat3 seen = r.transpose() * fit, moment = seen.trace() * Mat3::Identity() - seen;
    for (int k = 0; k < 3; ++k) held.rate.col(k) = directions.solve(moment, Vec3::Unit(k));
    held.rate = r * held.rate * r.transpose();
  }
  find_turn_rates(h, m);
  hold_vertices(m);
}

/// Vertices of the skin that do not follow the nodes linearly.
void FlexibleBody::hold_vertices(BodyMotion& m) const {
  HeldFrame& held = m.held;
  held.rates.resize(held.vertices.size());
  if (held.vertices.empty()) return;
  std::vector<Vec3> nodes(arms.size());
  for (std::uint32_t i = 0; i < nodes.size(); ++i) nodes[i] = m.middle(i);
  mapping_in(m.parts.get())->rates(nodes, {m.centre, Quat(held.attitude)}, held.vertices, held.rates);
  if (pins.kind == PinKind::none) return;
  for (VertexRate& rate : held.rates) {
    for (std::uint32_t i = 0; i < nodes.size(); ++i)
      rate.nodes.push_back({i, m.masses[i] * m.inverse_mass * rate.origin});
    rate.origin.setZero();
  }
}

bool FlexibleBody::own_answers(const BodyMotion& m, std::span<const std::uint32_t> nodes, std::span<double> own) const {
  const OtherElastic* const other = find_other(m.solver);
  if ((other ? other->kept : kept) || m.parts) return false;
  return (other ? *other->elastic : *elastic).own_answers(nodes, own);
}

void FlexibleBody::inverse_blocks(const BodyMotion& m, std::span<const std::uint32_t> nodes, std::span<Mat3> blocks,
                                  ElasticWorkspace& workspace) const {
  const OtherElastic* const other = find_other(m.solver);
  const ElasticSolver& solver = other ? *other->elastic : *elastic;
  const KeptVolume* const volume = other ? other->kept : kept;
  const bool follows = solver.inverse_follows_nodes();
  std::vector<Vec3> middle(volume || m.parts || follows ? truss.nodes.size() : 0);
  if (m.parts) {
    for (std::uint32_t i = 0; i < middle.size(); ++i) middle[i] = m.middle(i);
    return brittle->inverse_blocks(*m.parts, middle, m.held.attitude, nodes, blocks, workspace);
  }
  const Mat3 back = m.held.attitude.transpose();
  for (std::uint32_t i = 0; i < middle.size(); ++i) middle[i] = back * (m.middle(i) - m.centre);
  if (follows)
    solver.inverse_blocks_at(middle, nodes, blocks, workspace);
  else
    solver.inverse_blocks(nodes, blocks, workspace);
  if (volume) volume->project(middle, nodes, blocks);
}

std::unique_ptr<ElasticAnswer> FlexibleBody::answer(const BodyMotion& m) const {
  const OtherElastic* const other = find_other(m.solver);
  if (!m.limp || kept || m.parts) return nullptr;
  const Mat3 back = m.held.attitude.transpose();
  std::vector<Vec3> middle(truss.nodes.size());
  for (std::uint32_t i = 0; i < middle.size(); ++i) middle[i] = back * (m.middle(i) - m.centre);
  return (other ? *other->elastic : *elastic).answer_at(middle);
}

void FlexibleBody::shift(std::span<double> values, const BodyForces& pushes, const BodyMotion&) const {
  std::vector<NodeImpulse> impulses;
  for (std::uint32_t i = 0; i < pushes.nodes.size(); ++i)
    if (pushes.nodes[i] != Vec3::Zero()) impulses.push_back({i, pushes.nodes[i]});
  std::vector<Vec3> dx(truss.nodes.size());
  const auto is = now(values);
  is.elastic.respond(is.values, impulses, dx);
  is.elastic.displace(is.values, dx);
}

void FlexibleBody::add_turn(std::span<double> values, const Vec3& centre, const Vec3& turn) const {
  std::vector<Vec3> x(truss.nodes.size());
  positions(values, x);
  std::vector<NodeImpulse> impulses(x.size());
  for (std::uint32_t i = 0; i < x.size(); ++i) impulses[i] = {i, truss.masses[i] * turn.cross(x[i] - centre)};
  push_nodes(values, impulses);
}

void FlexibleBody::lead(const Lead& to, std::span<double> values) const {
  const std::size_t n = truss.nodes.size();
  std::vector<Vec3> x(n), u(n), way(n);
  const auto is = now(values);
  is.elastic.positions(is.values, x);
  is.elastic.velocities(is.values, u);
  const Pose was = object_pose(is.elastic.frame(is.values));
  const Quat turn = to.pose.rotation * was.rotation.conjugate();
  std::vector<NodeImpulse> impulses(n);
  for (std::uint32_t i = 0; i < n; ++i) {
    const Vec3 arm = turn * (x[i] - was.position);
    const Vec3 place = to.nodes.empty() ? Vec3(to.pose.position + arm) : to.nodes[i];
    const Vec3 speed = to.velocities.empty() ? Vec3(to.velocity + to.spin.cross(arm)) : to.velocities[i];
    way[i] = place - x[i];
    impulses[i] = {i, truss.masses[i] * (speed - u[i])};
  }
  is.elastic.displace(is.values, way);
  is.elastic.apply_impulses(is.values, impulses);
}

bool FlexibleBody::lies(std::span<const double> values) const {
  std::vector<Vec3> u(truss.nodes.size());
  node_velocities(values, u);
  return std::all_of(u.begin(), u.end(), [](const Vec3& v) { return v == Vec3::Zero(); });
}

void FlexibleBody::stay(std::span<const double> from, std::span<double> values, const Vec3&, const Vec3& out) const {
  std::vector<Vec3> u(truss.nodes.size()), before(u);
  node_velocities(values, u);
  std::copy(from.begin(), from.end(), values.begin());
  node_velocities(values, before);
  std::vector<NodeImpulse> impulses(u.size());
  for (std::uint32_t i = 0; i < u.size(); ++i)
    impulses[i] = {i, truss.masses[i] * (u[i] - std::min(0.0, u[i].dot(out)) * out - before[i])};
  push_nodes(values, impulses);
}

bool FlexibleBody::put(const Pose& to, std::span<double> values) const {
  if (pins.kind != PinKind::none) return false;
  const std::size_t n = truss.nodes.size();
  std::vector<Vec3> x(n), u(n), after(n);
  std::vector<NodeImpulse> impulses(n);
  const auto is = now(values);
  is.elastic.positions(is.values, x);
  is.elastic.velocities(is.values, u);
  const Pose from = object_pose(is.elastic.frame(is.values));
  const Quat turn = (to.rotation * from.rotation.conjugate()).normalized();
  Vec3 drift = Vec3::Zero();
  for (std::size_t i = 0; i < n; ++i) {
    drift += truss.masses[i] / mass * u[i];
    x[i] = to.position + turn * (x[i] - from.position) - x[i];
  }
  is.elastic.displace(is.values, x);
  is.elastic.velocities(is.values, after);
  for (std::uint32_t i = 0; i < n; ++i) impulses[i] = {i, truss.masses[i] * (drift + turn * (u[i] - drift) - after[i])};
  is.elastic.apply_impulses(is.values, impulses);
  return true;
}

void FlexibleBody::slow(std::span<double> values, double share) const {
  std::vector<Vec3> u(truss.nodes.size());
  node_velocities(values, u);
  std::vector<NodeImpulse> impulses(u.size());
  for (std::uint32_t i = 0; i < u.size(); ++i) impulses[i] = {i, (share - 1) * truss.masses[i] * u[i]};
  push_nodes(values, impulses);
}

std::shared_ptr<const BodyParts> FlexibleBody::parts(std::span<const double> values) const {
  return brittle ? brittle->parts(values) : nullptr;
}

const FlexibleBody::Skin& FlexibleBody::skin_of(const BodyParts& in) const {
  std::call_once(in.skin_asked, [&] {
    auto skin = std::make_shared<Skin>();
    if (mapping && mesh->shards)
      skin->mapping = std::make_shared<const ShardMapping>(mapping->kind(), *mesh, truss, in.of_node);
    skin->proxy = make_parts_proxy(*this, skin->mapping.get(), in.of_node);
    in.skin = std::move(skin);
  });
  return *static_cast<const Skin*>(in.skin.get());
}

const Mapping* FlexibleBody::mapping_in(const BodyParts* in) const {
  if (!in || in->count < 2 || !mapping || !mesh->shards) return mapping.get();
  return skin_of(*in).mapping.get();
}

const ContactProxy& FlexibleBody::proxy_in(const BodyParts* in) const {
  return !in || in->count < 2 || !proxy.info ? proxy : skin_of(*in).proxy;
}

std::optional<KeptVolumeReading> FlexibleBody::volume(std::span<const double> values) const {
  const auto is = now(values);
  if (!is.kept) return std::nullopt;
  return is.kept->reading(is.values);
}

bool FlexibleBody::has_size(std::span<const double> values, double size) const {
  const auto is = now(values);
  return !is.kept || is.kept->size(is.values) == size;
}

double FlexibleBody::resize(double size, std::span<double> values) const {
  const auto is = now(values);
  return is.kept ? is.kept->resize(is.values, size) : 0;
}

HAZUMI_BODY_KIND(40, flexible, moves | turns | deforms)

const BodyInfo& body_flexible() {
  static const BodyInfo info = {"flexible", "flexible", nullptr, &FlexibleBody::make};
  return info;
}

}  // namespace hazumi
