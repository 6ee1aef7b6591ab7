#include "core/motion/sight.h"

#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>

#include "core/sim/carried.h"

namespace hazumi {
namespace {

struct NodeTurn {
  Vec3 centre = Vec3::Zero(), velocity = Vec3::Zero(), spin = Vec3::Zero();
  std::vector<Vec3> places;
};

NodeTurn node_turn(const Body& body, std::span<const double> values) {
  NodeTurn out;
  const std::size_t n = body.truss.nodes.size();
  out.places.resize(n);
  std::vector<Vec3> velocities(n, Vec3::Zero());
  body.positions(values, out.places);
  body.node_velocities(values, velocities);
  double mass = 0;
  for (std::size_t i = 0; i < n; ++i) {
    mass += body.truss.masses[i];
    out.centre += body.truss.masses[i] * out.places[i];
    out.velocity += body.truss.masses[i] * velocities[i];
  }
  out.centre /= mass;
  out.velocity /= mass;
  Mat3 inertia = Mat3::Zero();
  Vec3 angular = Vec3::Zero();
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3 r = out.places[i] - out.centre;
    inertia += body.truss.masses[i] * (r.squaredNorm() * Mat3::Identity() - r * r.transpose());
    angular += body.truss.masses[i] * r.cross(velocities[i] - out.velocity);
  }
  inertia += 1e-9 * inertia.trace() * Mat3::Identity();
  out.spin = inertia.inverse() * angular;
  return out;
}

bool is_rigid(const Body& body) { return body.moves && !body.deforms && body.can_be_joined(); }

}  // namespace

bool MotionContext::is_other(Id id) const {
  if (anything) return true;
  for (const std::uint32_t number : others)
    if (model.bodies[number].id == id) return true;
  return false;
}

Vec3 centre_of(const Model& model, const State& state, std::size_t body) {
  if (const CarriedBody* carried = find_carried(model, body)) return carried_pose(model, state, *carried).position;
  const Body& of = model.bodies[body];
  if (of.deforms) return of.observe(state.bodies[body].values).centre;
  return of.pose(state.bodies[body].values).position;
}

Vec3 velocity_of(const Model& model, const State& state, std::size_t body) {
  const Body& of = model.bodies[body];
  if (!of.moves) return Vec3::Zero();
  std::vector<Vec3> scratch;
  return of.centre_velocity(state.bodies[body].values, scratch);
}

Vec3 spin_of(const Model& model, const State& state, std::size_t body) {
  const Body& of = model.bodies[body];
  const std::vector<double>& values = state.bodies[body].values;
  if (of.deforms) return node_turn(of, values).spin;
  if (!is_rigid(of)) return Vec3::Zero();
  const JoinedBody joined = of.read_joined(values);
  if (!joined.turns) return Vec3::Zero();
  const Quat& q = joined.pose.rotation;
  return q * Vec3(joined.inertia.inverse() * (q.conjugate() * joined.angular_momentum));
}

double liveliness(const Model& model, const State& state, std::size_t body) {
  const Body& of = model.bodies[body];
  if (!of.moves) return 0;
  const Observables seen = of.observe(state.bodies[body].values);
  return seen.mass > 0 ? std::sqrt(2 * seen.kinetic_energy / seen.mass) : 0;
}

double distance_to(const MotionContext& context, const State& state) {
  double least = std::numeric_limits<double>::infinity();
  const Vec3 own = centre_of(context.model, state, context.body);
  for (const std::uint32_t other : context.others)
    if (other != context.body) least = std::min(least, (centre_of(context.model, state, other) - own).norm());
  return least;
}

BodyNumbers::BodyNumbers(std::vector<Id> ids) : ids_(std::move(ids)) {
  if (ids_.empty() || ids_.back().value > 1000 + 4 * ids_.size()) return;
  close_.assign(ids_.back().value + 1, 0);
  for (std::size_t i = 0; i < ids_.size(); ++i) close_[ids_[i].value] = static_cast<std::uint32_t>(i);
}

void TouchIndex::fill(const BodyNumbers& ids, std::span<const std::pair<Id, Id>> touching) {
  bodies_.clear();
  for (const auto& [a, b] : touching) {
    bodies_.push_back(ids.of(a));
    bodies_.push_back(ids.of(b));
  }
  first_.assign(ids.size() + 1, 0);
  for (const std::uint32_t body : bodies_) ++first_[body + 1];
  for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
  next_.assign(first_.begin(), first_.end() - 1);
  with_.resize(bodies_.size());
  for (std::size_t i = 0; i < touching.size(); ++i) {
    with_[next_[bodies_[2 * i]]++] = touching[i].second;
    with_[next_[bodies_[2 * i + 1]]++] = touching[i].first;
  }
}

void HitIndex::fill(const BodyNumbers& ids, std::span<const ContactEvent> contacts) {
  hits_.clear();
  double order = 0;
  for (const ContactEvent& contact : contacts) {
    order += kApart;
    for (const Id id : {contact.a, contact.b}) hits_.push_back({ids.of(id), &contact, order});
  }
  // Of one body in order, without the memory that a stable sort takes.
  std::sort(hits_.begin(), hits_.end(),
            [](const Hit& x, const Hit& y) { return std::pair(x.body, x.order) < std::pair(y.body, y.order); });
}

std::span<const HitIndex::Hit> HitIndex::of(std::uint32_t body) const {
  const auto [begin, end] = std::equal_range(hits_.begin(), hits_.end(), Hit{body},
                                             [](const Hit& x, const Hit& y) { return x.body < y.body; });
  return {begin, end};
}

std::optional<Id> touched_other(const MotionContext& context, const StepReport& report) {
  if (context.touches) {
    for (const Id with : context.touches->of(context.body))
      if (context.is_other(with)) return with;
    return std::nullopt;
  }
  const Id id = context.of_body().id;
  for (const auto& [a, b] : report.touching)
    if ((a == id || b == id) && context.is_other(a == id ? b : a)) return a == id ? b : a;
  return std::nullopt;
}

bool ran_for(const MotionContext& context, const RunningProcedure& own, double duration) {
  return duration > 0 && context.time(static_cast<double>(context.state.substep + 1 - own.start)) >= duration - 1e-9;
}

void keep_pose(const MotionContext& context, std::span<double> memory) {
  const Pose pose = context.of_body().object_pose(context.of_body().pose(context.values()));
  const Quat& q = pose.rotation;
  const double numbers[] = {pose.position.x(), pose.position.y(), pose.position.z(), q.w(), q.x(), q.y(), q.z()};
  std::copy(std::begin(numbers), std::end(numbers), memory.begin());
}

Pose kept_pose(std::span<const double> memory) {
  return {Vec3(memory[0], memory[1], memory[2]), Quat(memory[3], memory[4], memory[5], memory[6])};
}

void tell_contacts(const MotionContext& context, const RunningProcedure& own, double restitution, double friction,
                   BodyForces& forces) {
  ContactTold told;
  told.since = own.start;
  told.restitution = restitution;
  told.friction = friction;
  tell_contacts(context, told, forces);
}

void tell_contacts(const MotionContext& context, ContactTold told, BodyForces& forces) {
  if (context.anything) return forces.contacts.push_back(told);
  for (const std::uint32_t other : context.others) {
    told.other = static_cast<std::int32_t>(other);
    forces.contacts.push_back(told);
  }
}

Vec3 weight_of(const MotionContext& context) {
  return context.of_body().gravity ? context.model.gravity : Vec3(Vec3::Zero());
}

double film_at(const RunClock& clock, double substep) {
  const double whole = std::floor(substep);
  const auto k = static_cast<std::int64_t>(whole);
  if (k < 0) return substep * clock.step();
  const double begin = clock.film(k);
  return substep == whole ? begin : begin + (substep - whole) * (clock.film(k + 1) - begin);
}

}  // namespace hazumi
