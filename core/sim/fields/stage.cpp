#include "core/sim/fields/stage.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "core/geometry/mesh/mass_properties.h"
#include "core/scene/derived/felt.h"
#include "core/scene/derived/field_values.h"
#include "core/scene/derived/following.h"
#include "core/scene/derived/rope.h"
#include "core/sim/advance.h"
#include "core/sim/body/motion.h"
#include "core/sim/body/rigid_values.h"
#include "core/sim/constraint/sleep.h"
#include "core/sim/fields/ball.h"
#include "core/sim/fields/immersed.h"
#include "core/sim/fields/surface.h"
#include "core/sim/model.h"

namespace hazumi {

namespace {

constexpr std::size_t kBodiesAtOnce = 4;
constexpr double kStill = 1e-9;  // m/s

/// A body that fields or a drag of its own act on.
struct Felt {
  std::uint32_t body = 0;
  std::vector<std::size_t> fields;  ///< ascending
  double air = 1, linear = 0, quadratic = 0;
  std::vector<Vec3> vertices;  ///< of the mesh, from the origin of the body frame; of what does not bend and is closed
  BodySurface surface;
  std::vector<double> triangles;  ///< of what bends: on each node
  double round = 0;               ///< m, of a ball that air brakes as much as it on the mean of its attitudes
  double radius = 0;              ///< m, of a rope
  bool has_drag() const { return linear > 0 || quadratic > 0; }
};

/// The fields in a sub-step.
struct Moment {
  std::vector<const FieldNow*> fields;
  std::vector<std::optional<FieldNow>> told;  ///< those that are not as they are by themselves
  double time = 0;                            ///< s, of the run, half-way
  double h = 0;                               ///< s, that forces last
};

/// What is round a body that does not bend.
struct Around {
  Medium medium;
  std::vector<Water> waters;
  double below = 0;             ///< part of it
  Vec3 lift = Vec3::Zero();     ///< N
  Vec3 turning = Vec3::Zero();  ///< N m
};

struct Push {
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
};

/// A body that does not bend, half-way.
struct Half {
  Pose pose;
  Vec3 velocity = Vec3::Zero(), spin = Vec3::Zero(), angular = Vec3::Zero();  ///< m/s, rad/s, kg m²/s at the beginning
  double mass = 1;
};

Vec3 pull_at(const Moment& now, const Felt& felt, const Vec3& place) {
  Vec3 sum = Vec3::Zero();
  for (const std::size_t f : felt.fields) sum += now.fields[f]->acceleration(place);
  return sum;
}

Medium air_at(const Moment& now, const Felt& felt, const Vec3& place) {
  Medium medium;
  for (const std::size_t f : felt.fields) now.fields[f]->add_air(place, now.time, medium);
  return medium;
}

std::vector<Water> waters_at(const Moment& now, const Felt& felt, const Vec3& place) {
  std::vector<Water> all;
  for (const std::size_t f : felt.fields) {
    if (now.fields[f]->field().kind != FieldKind::water) continue;
    const Water water = now.fields[f]->water(place);
    if (water.weight > 0) all.push_back(water);
  }
  return all;
}

/// Gravity as a body feels it: water weighs as much.
Vec3 weight_of(const Model& model, const Body& body, const BodyForces& forces) {
  return body.gravity ? Vec3(model.gravity + forces.acceleration) : model.gravity;
}

Around around(const Moment& now, const Felt& felt, const Body& body, const Half& half, const Vec3& gravity) {
  Around out;
  out.medium = air_at(now, felt, half.pose.position);
  out.waters = waters_at(now, felt, half.pose.position);
  const Quat back = half.pose.rotation.conjugate();
  for (const Water& water : out.waters) {
    double volume = 0;
    Vec3 arm = Vec3::Zero();
    if (!felt.vertices.empty()) {
      const Immersed part =
          immersed(felt.vertices, body.mesh->faces, back * (water.place - half.pose.position), back * water.up);
      volume = std::clamp(part.volume, 0.0, felt.surface.volume);
      if (volume > 0) arm = half.pose.rotation * (part.moment / part.volume);
    } else {
      volume = felt.surface.volume * immersed_part_of_ball(felt.surface.radius, water.depth(half.pose.position));
    }
    const double below = water.weight * volume / felt.surface.volume;
    const Vec3 lift = -water.density * water.weight * volume * gravity;
    out.lift += lift;
    out.turning += arm.cross(lift);
    out.medium.velocity *= 1 - below;
    out.medium.linear = (1 - below) * out.medium.linear + below * water.linear;
    out.medium.quadratic = (1 - below) * out.medium.quadratic + below * water.quadratic;
    out.below = std::max(out.below, below);
  }
  return out;
}

/// By air and water on the surface of what goes at `velocity` and turns at `spin`.
Push surface_push(const Felt& felt, const Around& around, const Half& half, const Vec3& velocity, const Vec3& spin) {
  Push sum;
  if (!(felt.air > 0) || (around.medium.density <= 0 && around.waters.empty())) return sum;
  const Medium& air = around.medium;
  if (felt.surface.pieces.empty()) {
    double density = (1 - around.below) * air.density;
    for (const Water& water : around.waters) density += around.below * water.density / double(around.waters.size());
    const Vec3 past = air.velocity - velocity;
    sum.force = 0.25 * density * felt.air * kPi * felt.surface.radius * felt.surface.radius * past.norm() * past;
    return sum;
  }
  const Mat3 turn = half.pose.rotation.toRotationMatrix();
  for (const SurfacePiece& piece : felt.surface.pieces) {
    const Vec3 arm = turn * piece.arm, normal = turn * piece.normal;
    double density = air.density;
    bool wet = false;
    for (const Water& water : around.waters)
      if (water.depth(half.pose.position + arm) > 0) {
        density = water.weight * water.density;
        wet = true;
      }
    const Vec3 past = (wet ? Vec3(Vec3::Zero()) : air.velocity) - velocity - spin.cross(arm);
    const double push = pressure(density, past.dot(normal), felt.surface.closed);
    if (push == 0) continue;
    const Vec3 force = felt.air * piece.area * push * normal;
    sum.force += force;
    sum.torque += arm.cross(force);
  }
  return sum;
}

/// 1/s, the drag K of a body at `velocity`; what of the push on its surface is across it is left in `push`.
double drag_rate(const Felt& felt, const Around& around, const Half& half, const Vec3& velocity, Push& push) {
  const Vec3 past = around.medium.velocity - velocity;
  const double speed = past.norm();
  push = surface_push(felt, around, half, velocity, half.spin);
  double surface = 0;
  if (speed > kStill) surface = std::max(0.0, push.force.dot(past) / (half.mass * speed * speed));
  push.force -= half.mass * surface * past;
  return around.medium.linear + felt.linear + (around.medium.quadratic + felt.quadratic) * speed + surface;
}

Half half_of(const Body& body, double h, std::span<const double> values) {
  const Observables at = body.observe(values);
  BodyMotion motion;
  body.motion(h, values, values, motion);
  Half half;
  half.mass = at.mass;
  half.velocity = at.momentum / at.mass;
  half.spin = motion.angular_start;
  half.angular = at.angular_momentum;
  half.pose = body.pose(values);
  half.pose.position += 0.5 * h * half.velocity;
  half.pose.rotation = rotated(half.pose.rotation, 0.5 * h * half.spin);
  return half;
}

void push_stiff(const Model& model, const Moment& now, const Felt& felt, std::span<const double> values, bool asleep,
                BodyForces& to) {
  const Body& body = model.bodies[felt.body];
  const double h = now.h;
  const Half half = half_of(body, h, values);
  const Around at = around(now, felt, body, half, weight_of(model, body, to));
  Vec3 force = half.mass * pull_at(now, felt, half.pose.position) + at.lift;
  to.torque += at.turning;
  if (!(asleep && at.medium.velocity == Vec3::Zero())) {
    Vec3 other = to.acceleration + (to.force + force) / half.mass;
    if (body.gravity) other += model.gravity;
    Push push;
    const auto with_push = [&] { return Vec3(other + push.force / half.mass); };
    double rate = drag_rate(felt, at, half, half.velocity, push);
    // Half a step implicitly: of K = q |u| it is exact, where an exponential would come to a stop.
    const Vec3 middle = (half.velocity + 0.5 * h * (with_push() + rate * at.medium.velocity)) / (1 + 0.5 * h * rate);
    rate = drag_rate(felt, at, half, middle, push);
    force += push.force + half.mass * mean_drag(rate, h, half.velocity, at.medium.velocity, with_push());
    Vec3 torque = push.torque;
    if (half.spin != Vec3::Zero()) {
      torque = surface_push(felt, at, half, middle, Vec3::Zero()).torque;
      Vec3 braking = push.torque - torque;
      const double most = half.angular.norm() / h, wanted = braking.norm();
      if (wanted > most) braking *= most / wanted;
      torque += braking + mean_drag(at.medium.linear + felt.linear, h, half.angular, Vec3::Zero(), Vec3::Zero());
    }
    to.torque += torque;
  }
  to.force += force;
}

/// What bends, at its nodes half-way.
struct Nodes {
  std::vector<Vec3> places, velocities;
  std::vector<Medium> media;
};

/// Pulls, drag in proportion to the mass, and buoyancy; what is round each node is then in `nodes.media`, and what drag leaves of its velocity
/// in `nodes.velocities`.
void push_each(const Model& model, const Moment& now, const Felt& felt, Nodes& nodes, BodyForces& to) {
  const Body& body = model.bodies[felt.body];
  const double h = now.h;
  const Vec3 gravity = weight_of(model, body, to);
  for (std::size_t i = 0; i < nodes.places.size(); ++i) {
    const Vec3& x = nodes.places[i];
    Vec3& u = nodes.velocities[i];
    const double mass = body.truss.masses[i], volume = felt.surface.volume * mass / body.mass;
    Medium& medium = nodes.media[i] = air_at(now, felt, x);
    Vec3 force = mass * pull_at(now, felt, x);
    for (const Water& water : waters_at(now, felt, x)) {
      const double below = water.weight * std::clamp(0.5 + water.depth(x) / std::cbrt(volume), 0.0, 1.0);
      force -= below * water.density * volume * gravity;
      if (below <= 0) continue;
      medium.velocity *= 1 - below;
      medium.density = (1 - below) * medium.density + below * water.density;
      medium.linear = (1 - below) * medium.linear + below * water.linear;
      medium.quadratic = (1 - below) * medium.quadratic + below * water.quadratic;
    }
    const Vec3 past = medium.velocity - u;
    const double rate = medium.linear + felt.linear + (medium.quadratic + felt.quadratic) * past.norm();
    const Vec3 braking = std::min(rate, 1 / h) * past;
    to.nodes[i] += force + mass * braking;
    u += h * braking;
  }
}

void push_triangles(const Model& model, const Moment& now, const Felt& felt, const Nodes& nodes, BodyForces& to) {
  const Body& body = model.bodies[felt.body];
  const double h = now.h;
  for (const auto& f : body.truss.hull) {
    const Vec3 &a = nodes.places[f[0]], &b = nodes.places[f[1]], &c = nodes.places[f[2]];
    const Vec3 across = 0.5 * (b - a).cross(c - a);
    const double area = across.norm();
    if (!(area > 0)) continue;
    const Vec3 normal = across / area;
    double density = 0, past = 0;
    for (const std::uint32_t i : f) {
      density += nodes.media[i].density / 3;
      past += (nodes.media[i].velocity - nodes.velocities[i]).dot(normal) / 3;
    }
    double push = felt.air * area / 3 * pressure(density, past, felt.surface.closed);
    if (push == 0) continue;
    for (const std::uint32_t i : f) {
      const double most = body.truss.masses[i] / felt.triangles[i] * std::abs(past) / h;
      push = std::clamp(push, -most, most);
    }
    for (const std::uint32_t i : f) to.nodes[i] += push * normal;
  }
}

/// Parts of a rope as cylinders. The pressure on a round side is ½ ρ |V·n| V·n as on triangles, ∫ of it 2/3 of that on a board as wide.
void push_line(const Model& model, const Moment& now, const Felt& felt, const Nodes& nodes, BodyForces& to) {
  constexpr double kRound = 2.0 / 3;
  const Body& body = model.bodies[felt.body];
  const std::vector<std::uint32_t>& line = body.truss.line;
  const auto parts_on = [&](std::size_t k) { return k == 0 || k + 1 == line.size() ? 1.0 : 2.0; };
  for (std::size_t k = 0; k + 1 < line.size(); ++k) {
    const std::uint32_t i = line[k], j = line[k + 1];
    const Vec3 along = nodes.places[j] - nodes.places[i];
    const double length = along.norm();
    if (!(length > 0)) continue;
    const Vec3 past =
        0.5 * (nodes.media[i].velocity - nodes.velocities[i] + nodes.media[j].velocity - nodes.velocities[j]);
    const Vec3 across = past - along * (along.dot(past) / (length * length));
    const double density = 0.5 * (nodes.media[i].density + nodes.media[j].density), speed = across.norm();
    double push = 0.5 * kRound * felt.air * 2 * felt.radius * length * pressure(density, speed, false);
    for (const std::size_t end : {k, k + 1})
      push = std::min(push, body.truss.masses[line[end]] / parts_on(end) * speed / now.h);
    if (!(push > 0)) continue;
    for (const std::uint32_t node : {i, j}) to.nodes[node] += push / speed * across;
  }
}

void push_soft(const Model& model, const Moment& now, const Felt& felt, std::span<const double> values, bool,
               BodyForces& to) {
  const Body& body = model.bodies[felt.body];
  const std::size_t n = body.truss.nodes.size();
  Nodes nodes{std::vector<Vec3>(n), std::vector<Vec3>(n), std::vector<Medium>(n)};
  body.positions(values, nodes.places);
  body.node_velocities(values, nodes.velocities);
  for (std::size_t i = 0; i < n; ++i) nodes.places[i] += 0.5 * now.h * nodes.velocities[i];
  push_each(model, now, felt, nodes, to);
  if (felt.air > 0) push_triangles(model, now, felt, nodes, to);
  if (felt.air > 0 && felt.radius > 0) push_line(model, now, felt, nodes, to);
}

/// Where it is and how it goes once it has what it is told at once: the sub-step begins with that.
std::vector<double> given_at_once(const Body& body, const BodyForces& told, std::vector<double> values) {
  if (told.put) body.put(*told.put, values);
  kick(body, told, body.observe(values).centre, values);
  return values;
}

class Stage final : public FieldStage {
 public:
  Stage(const Scene& scene, const Model& model) : keyed_(scene), own_(keyed_.at(0)), seed_(model.seed) {
    for (const auto& field : own_) {
      ways_.push_back(way_round(scene, *field));
      fixed_.emplace_back(*field, ways_.back(), seed_);
    }
    std::vector<std::vector<Id>> who;
    for (const auto& field : own_) who.push_back(who_feels(scene, *find_force_field(scene, field->id)));
    for (std::uint32_t i = 0; i < model.bodies.size(); ++i) {
      const Body& body = model.bodies[i];
      if (!body.moves) continue;
      Felt felt;
      felt.body = i;
      for (std::size_t f = 0; f < who.size(); ++f)
        if (std::binary_search(who[f].begin(), who[f].end(), body.made_from)) felt.fields.push_back(f);
      const BodySettings& settings = find_object(scene, body.made_from)->body;
      felt.linear = settings.drag_linear;
      felt.quadratic = settings.drag_quadratic;
      felt.air = settings.air;
      if (!body.truss.line.empty()) felt.radius = rope_radius(*find_object(scene, body.made_from));
      if (felt.fields.empty() && !felt.has_drag()) continue;
      measure_surface(body, felt);
      felt.round = mean_radius(body, felt);
      felt_.push_back(std::move(felt));
    }
  }
  bool any() const { return !felt_.empty(); }

  void add(const Model& model, const State& state, std::span<const NumberTold> said, std::span<BodyForces> forces,
           Executor& executor) const override {
    const double begin = model.clock.film(state.substep);
    const double middle = (static_cast<double>(state.substep) + 0.5) * model.step;
    const Moment now = moment(model, state.substep, middle, model.step, said);
    std::vector<char> asleep(model.bodies.size(), 0);
    for (const RowMemory& row : state.rows)
      if ((row.unloading & kAsleep) != 0) asleep[row.key.bodies >> 32] = asleep[row.key.bodies & 0xffffffffu] = 1;
    executor.blocks(felt_.size(), kBodiesAtOnce, [&](std::size_t first, std::size_t end) {
      for (std::size_t i = first; i < end; ++i) {
        const Felt& felt = felt_[i];
        const Body& body = model.bodies[felt.body];
        BodyForces& to = forces[felt.body];
        const std::vector<double>& at = state.bodies[felt.body].values;
        if (to.led || !body.present(begin, at)) continue;
        const auto push = body.deforms ? push_soft : push_stiff;
        if (to.put || to.kick != Vec3::Zero() || to.kick_turn != Vec3::Zero())
          push(model, now, felt, given_at_once(body, to, at), false, to);
        else
          push(model, now, felt, at, asleep[felt.body] != 0 && body.lies(at), to);
      }
    });
  }

  bool acts_on(std::uint32_t body) const override { return find(body) != nullptr; }

  void add_part(const Model& model, std::uint32_t body, std::span<const double> values, const Part& part,
                std::span<const NumberTold> said, BodyForces& to) const override {
    const Felt* felt = find(body);
    if (!felt) return;
    const Moment now = moment(model, part.substep, part.begin + 0.5 * part.h, part.h, said);
    (model.bodies[body].deforms ? push_soft : push_stiff)(model, now, *felt, values, false, to);
  }

  Vec3 on_ball(const Model& model, std::uint32_t body, const Vec3& place, const Vec3& velocity, const Vec3& other,
               const Part& part, std::span<const NumberTold> said) const override {
    const Felt* felt = find(body);
    if (!felt) return Vec3::Zero();
    const Moment now = moment(model, part.substep, part.begin + 0.5 * part.h, part.h, said);
    std::vector<const FieldNow*> fields;
    for (const std::size_t f : felt->fields) fields.push_back(now.fields[f]);
    const FlyingBall ball{model.bodies[body].mass, felt->surface.volume, felt->round, felt->air, felt->linear,
                          felt->quadratic};
    return felt_by_ball(fields, ball, {place, velocity, other, model.gravity, now.time, part.h});
  }

 private:
  /// Null: nothing acts on it.
  const Felt* find(std::uint32_t body) const {
    const auto felt = std::lower_bound(felt_.begin(), felt_.end(), body,
                                       [](const Felt& one, std::uint32_t wanted) { return one.body < wanted; });
    return felt == felt_.end() || felt->body != body ? nullptr : &*felt;
  }
  /// Fields as they are in that sub-step; `time`: half-way, s of the run.
  Moment moment(const Model& model, std::int64_t substep, double time, double h,
                std::span<const NumberTold> said) const {
    std::vector<Shared<ForceField>> values = keyed_.at(middle_of(substep, model.clock));
    put_told(said, values);
    Moment now;
    now.time = time;
    now.h = h;
    now.told.resize(values.size());
    for (std::size_t f = 0; f < values.size(); ++f) {
      if (values[f].same_as(own_[f])) {
        now.fields.push_back(&fixed_[f]);
        continue;
      }
      now.told[f].emplace(*values[f], ways_[f], seed_);
      now.fields.push_back(&*now.told[f]);
    }
    return now;
  }

  static std::shared_ptr<const CurveWay> way_round(const Scene& scene, const ForceField& field) {
    if (field.shape == FieldShape::curve)
      for (const auto& curve : scene.curves)
        if (curve->id.value == field.curve) return way_of(curve);
    return nullptr;
  }

  static double mean_radius(const Body& body, const Felt& felt) {
    double area = 0;
    for (const SurfacePiece& piece : felt.surface.pieces) area += piece.area;
    if (body.deforms)
      for (const auto& f : body.truss.hull) {
        const auto& x = body.truss.nodes;
        area += 0.5 * (x[f[1]] - x[f[0]]).cross(x[f[2]] - x[f[0]]).norm();
      }
    return area > 0 ? radius_of_surface(area, felt.surface.closed) : std::cbrt(3 * felt.surface.volume / (4 * kPi));
  }

  static void measure_surface(const Body& body, Felt& felt) {
    const double matter = body.mass / std::max(1e-9, body.substance.density);
    if (!body.deforms) {
      felt.surface = surface_of(*body.mesh, body.mesh_origin, matter);
      if (felt.surface.closed)
        for (const Vec3& x : body.mesh->positions) felt.vertices.push_back(x - body.mesh_origin);
      return;
    }
    felt.surface.closed = is_closed(body.truss.hull);
    felt.surface.volume = matter;
    if (felt.surface.closed) {
      const double hull = mesh_volume(body.truss.nodes, body.truss.hull);
      if (hull > 0) felt.surface.volume = hull;
    }
    felt.triangles.assign(body.truss.nodes.size(), 0);
    for (const auto& f : body.truss.hull)
      for (const std::uint32_t node : f) felt.triangles[node] += 1;
  }

  const KeyedFields keyed_;
  std::vector<Shared<ForceField>> own_;  ///< at time 0
  const std::uint64_t seed_;
  std::vector<std::shared_ptr<const CurveWay>> ways_;
  std::vector<FieldNow> fixed_;  ///< of `own_`
  std::vector<Felt> felt_;       ///< ascending by body
};

}  // namespace

std::shared_ptr<const FieldStage> make_field_stage(const Scene& scene, const Model& model) {
  auto stage = std::make_shared<Stage>(scene, model);
  return stage->any() ? stage : nullptr;
}

}  // namespace hazumi
