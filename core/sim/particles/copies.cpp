#include "core/sim/particles/copies.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "core/geometry/mesh/mesh.h"
#include "core/scene/derived/copies.h"
#include "core/scene/derived/mesh_store.h"
#include "core/sim/advance.h"
#include "core/sim/body/rigid_values.h"
#include "core/sim/contact/surface_mesh.h"
#include "core/sim/fields/stage.h"
#include "core/sim/model.h"
#include "core/sim/particles/room.h"

namespace hazumi {

namespace {

enum : std::size_t { kThere = kRigidStateSize, kBirth, kEnd, kNumber, kCopyStateSize };

/// Of (seed, source, number of the birth), beside those of particles.
enum class CopyDraw : std::uint64_t { turn_a = 0x636f7079, turn_b, turn_c, spin_a, spin_b, spin, scale, aside };

double draw(const ParticleDice& dice, std::uint64_t number, CopyDraw what) {
  return dice.draw(number, static_cast<ParticleDraw>(what));
}

/// Evenly over all rotations (Shoemake 1992).
Quat any_turn(double a, double b, double c) {
  const double p = std::sqrt(1 - a), q = std::sqrt(a);
  return Quat(q * std::cos(2 * kPi * c), p * std::sin(2 * kPi * b), p * std::cos(2 * kPi * b),
              q * std::sin(2 * kPi * c));
}

Vec3 any_way(double a, double b) {
  const double z = 2 * a - 1, flat = std::sqrt(std::max(0.0, 1 - z * z));
  return {flat * std::cos(2 * kPi * b), z, flat * std::sin(2 * kPi * b)};
}

/// What pairs remember of a body.
void forget_pairs(State& state, std::uint32_t body) {
  std::erase_if(state.pairs, [&](const PairMemory& pair) { return pair.body_a == body || pair.body_b == body; });
}

double energy(const Model& model, const Body& body, std::span<const double> values) {
  const Observables seen = body.observe(values);
  return seen.kinetic_energy - (body.gravity ? seen.mass * model.gravity.dot(seen.centre) : 0);
}

/// `object`, so many times as large, as the setup of a body.
Object scaled(const Object& object, double scale) {
  Object copy = object;
  copy.transform.scale *= scale;
  copy.body.mass *= scale * scale * scale;
  copy.body.velocity = copy.body.spin = Vec3::Zero();
  return copy;
}

std::shared_ptr<const DisplayMesh> scaled(const std::shared_ptr<const DisplayMesh>& mesh, double scale) {
  if (scale == 1) return mesh;
  auto copy = std::make_shared<DisplayMesh>(*mesh);
  for (Vec3& place : copy->positions) place *= scale;
  return copy;
}

}  // namespace

CopyLife read_copy(std::span<const double> values) {
  return {values[kThere] != 0, values[kBirth], values[kEnd], static_cast<std::uint64_t>(values[kNumber])};
}

CopyBody::CopyBody(const BodySetup& setup) : RigidBody(setup) {
  if (!mesh->empty()) across = bounds(*mesh).size().maxCoeff();
}

std::size_t CopyBody::state_size() const { return kCopyStateSize; }

void CopyBody::initialise(std::span<double> values) const {
  RigidBody::initialise(values.first(kRigidStateSize));
  std::fill(values.begin() + kRigidStateSize, values.end(), 0.0);
}

bool CopyBody::is_there(std::span<const double> values) const { return values[kThere] != 0; }

Observables CopyBody::observe(std::span<const double> values) const {
  return is_there(values) ? RigidBody::observe(values) : Observables();
}

SourceCopies copies_of(const Model& model, Id source) {
  const std::uint32_t first = model.bodies.number(copy_id(source, 0));
  std::uint32_t end = first;
  while (end < model.bodies.size() && thing_of(model.bodies[end].id) == source) ++end;
  return {first, end - first};
}

void add_copies(const Scene& scene, MeshStore& meshes, const std::vector<ObjectGroups>& groups, Model& model) {
  std::map<Id, const ParticleSource*> sources;  // ascending
  for (const auto& source : scene.particles) sources[source->id] = &*source;
  for (const auto& [id, source] : sources) {
    const Object* const object = copied_object(scene, *source);
    if (!object) continue;
    const ParticleDice dice(model.seed, id);
    const std::shared_ptr<const DisplayMesh> mesh = meshes.mesh(*object);
    const Body* before = nullptr;
    for (int k = 0; k < source->most_copies; ++k) {
      const double spread = source->scale_spread;
      const auto number = static_cast<std::uint64_t>(k);
      const double scale = spread > 0 ? 1 + spread * (2 * draw(dice, number, CopyDraw::scale) - 1) : 1;
      const Object made = scaled(*object, scale);
      BodySetup setup{made, scaled(mesh, scale), {}, model.step};
      setup.truss = object_truss(made, *setup.mesh);
      auto body = std::make_shared<CopyBody>(setup);
      body->id = copy_id(id, number);
      body->name = source->name;
      body->proxy = make_contact_proxy(made, *body, before);
      body->proxy.groups = mask_of(groups, object->id);
      before = body.get();
      model.bodies.push_back(std::move(body));
    }
  }
}

std::vector<BodyPairValues> pairs_of(const Scene& scene, const Model& model) {
  std::map<Id, std::vector<std::uint32_t>> made;
  for (std::uint32_t i = 0; i < model.bodies.size(); ++i) made[model.bodies[i].made_from].push_back(i);
  std::vector<BodyPairValues> pairs;
  for (const PairValues& pair : pair_values(scene))
    for (const std::uint32_t a : made[pair.a])
      for (const std::uint32_t b : made[pair.b])
        pairs.push_back({std::min(a, b), std::max(a, b), pair.restitution, pair.friction});
  std::sort(pairs.begin(), pairs.end(), [](const BodyPairValues& x, const BodyPairValues& y) {
    return x.body_a != y.body_a ? x.body_a < y.body_a : x.body_b < y.body_b;
  });
  return pairs;
}

std::size_t free_copies(const SourceCopies& copies, const State& state) {
  std::size_t count = 0;
  for (std::uint32_t i = copies.first; i < copies.first + copies.count; ++i)
    if (!read_copy(state.bodies[i].values).there) ++count;
  return count;
}

namespace {

/// How copy `number` is turned when it is born.
Quat turn_of(const Body& body, const CopyBirths& b, std::uint64_t number) {
  const auto own = [&](CopyDraw what) { return draw(b.dice, number, what); };
  return b.source.any_turn ? any_turn(own(CopyDraw::turn_a), own(CopyDraw::turn_b), own(CopyDraw::turn_c)).normalized()
                           : (b.axes * body.start.rotation).normalized();
}

/// m, how far what collides of a body reaches along `way`, unit, in the body frame, from its origin.
double reach_along(const Body& body, const Vec3& way) {
  const ContactProxy& proxy = body.proxy;
  double reach = 0;
  switch (proxy.shape) {
    case ContactShape::sphere:
      reach = way.dot(proxy.centre) + proxy.radius;
      break;
    case ContactShape::box:
      reach = way.dot(proxy.centre) + way.cwiseAbs().dot(proxy.half_extents);
      break;
    default: {
      const std::vector<Vec3>& points = proxy.surface ? proxy.surface->points : proxy.points;
      for (const Vec3& x : points) reach = std::max(reach, way.dot(x));
    }
  }
  return reach + proxy.thickness;
}

/// As copy `number` of the list is born, and flown from then on.
void bear(const Model& model, std::uint32_t slot, const CopyBirths& b, const ParticleMemory& p, std::size_t i,
          std::vector<double>& values) {
  const Body& body = model.bodies[slot];
  const auto& rigid = static_cast<const CopyBody&>(body).rigid;
  const std::uint64_t number = p.number[i];
  const auto own = [&](CopyDraw what) { return draw(b.dice, number, what); };
  RigidValues r;
  r.pose.position = Vec3(p.x[i], p.y[i], p.z[i]);
  r.pose.rotation = turn_of(body, b, number);
  r.momentum = body.mass * Vec3(p.u[i], p.v[i], p.w[i]);
  const Vec3 spin = b.source.whirl * own(CopyDraw::spin) * any_way(own(CopyDraw::spin_a), own(CopyDraw::spin_b));
  r.angular_momentum = world_inertia(rigid.inertia, r.pose.rotation) * spin;
  values.assign(kCopyStateSize, 0.0);
  write_rigid(r, values);
  values[kThere] = 1;
  values[kBirth] = p.birth[i];
  values[kEnd] = b.source.stays ? 0 : p.birth[i] + p.life[i];
  values[kNumber] = static_cast<double>(number);
  const double rest = b.end - p.birth[i];
  if (!(rest > 0)) return;
  const std::vector<double> born = values;
  const Vec3 gravity = body.gravity ? b.gravity : Vec3(Vec3::Zero());
  BodyForces forces;
  if (model.fields) {
    if (body.gravity) forces.acceleration = b.gravity - model.gravity;
    model.fields->add_part(model, slot, born, {b.substep, p.birth[i], rest}, b.told, forces);
    forces.acceleration.setZero();  // it is in `gravity`
  }
  ElasticWorkspace none;
  if (!body.advance(rest, forces, gravity, born, values, none, nullptr)) values = born;
}

}  // namespace

namespace {

void put(const Vec3& place, std::size_t i, ParticleMemory& p) {
  p.x[i] = place.x();
  p.y[i] = place.y();
  p.z[i] = place.z();
}

/// To the nearest place across the axis, of some in all directions, where there is room; there is none: it stays where it is.
void go_aside(const Model& model, std::uint32_t slot, const CopyBirths& b, const Vec3& axis, std::size_t i,
              ParticleMemory& p, CopyRoom& room) {
  constexpr int kRounds = 16, kWays = 8;
  const Vec3 place(p.x[i], p.y[i], p.z[i]), side = axis.unitOrthogonal(), across = axis.cross(side);
  const double step = 0.5 * static_cast<const CopyBody&>(model.bodies[slot]).across;
  const double begin = 2 * kPi * draw(b.dice, p.number[i], CopyDraw::aside);
  std::vector<double> values;
  for (int round = 0; round <= kRounds; ++round)
    for (int way = 0; way < (round == 0 ? 1 : kWays); ++way) {
      const double angle = begin + 2 * kPi * way / kWays;
      put(place + round * step * (std::cos(angle) * side + std::sin(angle) * across), i, p);
      bear(model, slot, b, p, i, values);
      if (room.has(slot, values)) return;
    }
  put(place, i, p);
}

}  // namespace

void put_beside(const Model& model, const State& state, const CopyBirths& b, const ParticleBurst& burst, std::size_t i,
                ParticleMemory& p, CopyRoom& room) {
  constexpr double kFree = 1e-3;  // of the copy's size, from what it must not overlap
  constexpr int kTries = 4;       // one is enough beside a plane
  double reach = 0;
  std::uint32_t largest = 0;  // of those that are not there; which of them it takes is not known yet
  for (std::uint32_t k = b.copies.first; k < b.copies.first + b.copies.count; ++k) {
    if (read_copy(state.bodies[k].values).there) continue;
    const Body& body = model.bodies[k];
    const double here = reach_along(body, turn_of(body, b, p.number[i]).conjugate() * -burst.axis);
    if (largest == 0 || here > reach) largest = k;
    reach = std::max(reach, here);
    if (!(b.source.scale_spread > 0)) break;
  }
  if (largest == 0) return;
  const double free = kFree * static_cast<const CopyBody&>(model.bodies[largest]).across;
  const double level = burst.place.dot(burst.axis) + burst.thickness + 0.5 * reach;  // over it is what hits
  Vec3 place(p.x[i], p.y[i], p.z[i]);
  double out = std::max(0.0, reach + std::min(0.0, burst.thickness) + free - (place - burst.place).dot(burst.axis));
  std::vector<double> values;
  for (int k = 0; k <= kTries && out > 0; ++k) {
    place += out * burst.axis;
    put(place, i, p);
    bear(model, largest, b, p, i, values);
    const double in = room.out_along(largest, values, burst.axis, level);
    out = in > 0 ? in + free : 0;
  }
  go_aside(model, largest, b, burst.axis, i, p, room);
}

namespace {

/// What it was to be born after it, at its rate or in the next burst, is there too. Of what is born once nothing is.
bool is_late(const ParticleSource& s, const ParticleMemory& waiting, std::size_t i) {
  const bool again = s.burst > 0 && s.burst_period > 0;
  if (waiting.held[i] != 0 || (!(s.rate > 0) && !again)) return false;
  const std::uint64_t ahead = static_cast<std::uint64_t>(std::max(s.burst, 0)) + (s.rate > 0 ? 1 : 0);
  return waiting.number[i] + ahead < waiting.born;
}

}  // namespace

void wake_copies(const Model& model, const CopyBirths& births, State& state, ParticleMemory& waiting, CopyRoom& room,
                 CopyTurn& turn) {
  std::vector<char> born(waiting.size(), 0);
  std::optional<CopyDenied> denied;
  std::vector<double> values;
  std::uint32_t slot = births.copies.first;
  const std::uint32_t end = slot + births.copies.count;
  for (std::size_t i = 0; i < waiting.size(); ++i) {
    while (slot < end && read_copy(state.bodies[slot].values).there) ++slot;
    if (slot == end) break;
    const Body& body = model.bodies[slot];
    bear(model, slot, births, waiting, i, values);
    if (!room.has(slot, values)) {
      const bool late = is_late(births.source, waiting, i);
      if (!denied || (late && !denied->late))
        denied = CopyDenied{births.source.id, thing_of(model.bodies[room.in_the_way()].id), late};
      continue;
    }
    forget_rows(state, slot);
    forget_pairs(state, slot);
    state.bodies[slot].values = values;
    room.take(slot);
    turn.born += energy(model, body, values);
    born[i] = 1;
  }
  const auto count = static_cast<std::size_t>(std::count(born.begin(), born.end(), 1));
  if (count > 0) turn.bore.push_back(births.source.id);
  if (denied) turn.denied.push_back(*denied);
  leave_particles(born, waiting);
}

void end_copies(const Model& model, const SourceCopies& copies, double end, State& state, CopyTurn& turn) {
  for (std::uint32_t i = copies.first; i < copies.first + copies.count; ++i) {
    std::vector<double>& values = state.bodies[i].values;
    const CopyLife life = read_copy(values);
    if (!life.there || life.lasts() || life.end > end) continue;
    turn.gone += energy(model, model.bodies[i], values);
    model.bodies[i].initialise(values);
    forget_pairs(state, i);  // rows stay for the next sub-step, which wakes what slept on it
  }
}

}  // namespace hazumi
