// The production sub-step against the dense reference, sub-step by sub-step, with the production's own rows and targets
// (docs/numerics/contact-reference.md). The reference begins each sub-step at the production's state, so that nothing adds up.
//
// Without friction the velocities that solve the rows are unique, and the reference's own solution of the whole sub-step is compared.
// With friction several λ may solve one sub-step: how the push is shared out over four corners is free, and with it how each may rub.
// So in every case the production's λ are put to the reference's equations too: its step under these λ must end at the same state, its geometry
// half-way must be the production's, and with its true velocities the λ must solve the cone problem, row by row:
//   min(w λ_n, u_n − b) = 0,   w_t |λ_t − P(λ_t − u_t/w_t)| = 0,  P onto the disc of μ λ_n      (m/s)
#include "core/sim/advance.h"
#include "core/sim/body/rigid.h"
#include "core/sim/body/rigid_values.h"
#include "core/sim/constraint/island.h"
#include "core/sim/constraint/islands.h"
#include "core/sim/contact/narrow.h"
#include "core/sim/elastic/setup.h"
#include "tests/sim/constraint/eight_nodes.h"
#include "tests/sim/reference/substep.h"

namespace against_reference_test {

using namespace hazumi;
using namespace hazumi::test;
namespace ref = hazumi::reference;
using ref::Matrix;
using ref::Nodes;
using ref::Vector;

namespace {

/// What differs most, in parts of what is compared.
struct Difference {
  ref::Worst velocity, position, work, momentum, angular, purse;
  ref::Worst geometry, cone;  ///< of λ that were put to the reference's equations: m, m/s
  int substeps = 0, islands = 0, purses = 0, second_solves = 0, scaled = 0, put = 0;
};

ref::Body reference_body(const Run& run, const Object& object, std::size_t i, std::span<const double> values) {
  const hazumi::Body& body = run.model->bodies[i];
  if (!body.deforms) {
    const auto& rigid = dynamic_cast<const RigidBody&>(body);
    const RigidValues r = read_rigid(values);
    ref::RigidBody b;
    b.mass = body.mass;
    b.inertia = rigid.rigid.inertia;
    b.centre = r.pose.position;
    b.attitude = r.pose.rotation.toRotationMatrix();
    b.velocity = r.momentum / body.mass;
    b.spin = r.angular_momentum;
    return ref::Body(b);
  }
  const ElasticSolverInfo& info = *find_elastic_solver(object.body.solver);
  auto made = setup_of_object(info, object, body.truss, run.model->step);
  REQUIRE(made.ok());
  ElasticSetup setup = *made;
  // The floors of docs/numerics/flexible-body.md, of which the springs as given know nothing.
  const bool damped =
      std::any_of(setup.springs.begin(), setup.springs.end(), [](const Spring& s) { return s.damping > 0; });
  const double h = run.model->step;
  for (Spring& spring : setup.springs) {
    const double x = 0.25 * h * h * spring.stiffness * (1 / setup.masses[spring.a] + 1 / setup.masses[spring.b]);
    if (damped) spring.damping += 0.05 * h * spring.stiffness * x / (1 + x);
  }
  const auto system = info.linearise(setup);
  REQUIRE(system.ok());
  ref::FlexibleBody b;
  const auto n = static_cast<Eigen::Index>(body.truss.nodes.size());
  b.mass = Eigen::Map<const Vector>(body.truss.masses.data(), n);
  b.total = b.mass.sum();
  b.rest.resize(3, n);
  for (Eigen::Index k = 0; k < n; ++k) b.rest.col(k) = body.truss.nodes[k];
  b.rest.colwise() -= Vec3(b.rest * b.mass / b.total);
  b.stiffness = Matrix(system->stiffness);
  b.damping = Matrix(system->damping);
  b.prepare(run.model->step);
  if (damped) b.use_velocity_floor();
  std::vector<Vec3> x(n), u(n);
  const ElasticSolver& elastic = *flexible(body).elastic;
  elastic.positions(values, x);
  elastic.velocities(values, u);
  const Pose frame = elastic.frame(values);
  b.centre = frame.position;
  b.attitude = frame.rotation.toRotationMatrix();
  b.displacement.resize(3, n);
  b.velocity.resize(3, n);
  for (Eigen::Index k = 0; k < n; ++k) {
    b.displacement.col(k) = b.attitude.transpose() * (x[k] - b.centre) - b.rest.col(k);
    b.velocity.col(k) = u[k];
  }
  return ref::Body(b);
}

/// The production's hold of one body, for the reference; p half-way.
ref::Anchor reference_anchor(const BodyMotion& motion, const RowGrip& grip, const Vec3& point, int number) {
  ref::Anchor a{number, point, {}, {}};
  if (number < 0 || !motion.deforms) return a;
  std::vector<Mat3> weights(motion.masses.size(), Mat3::Zero());
  const GripSums sums =
      each_node(grip, motion, [&](std::uint32_t node, const Mat3& weight) { weights[node] += weight; });
  const HeldFrame& held = motion.held;
  for (std::size_t k = 0; k < weights.size(); ++k) {
    const Mat3 turn = held.rate * skew(held.attitude * motion.arms[k]);
    weights[k] += motion.masses[k] * (motion.inverse_mass * sums.of_centre + sums.of_turn * turn);
    if (weights[k].isZero(0)) continue;
    a.node.push_back(static_cast<int>(k));
    a.weight.push_back(weights[k]);
  }
  return a;
}

/// One sub-step of the run, made of the production's parts, and of the reference beside it.
class Beside {
 public:
  Beside(const World& world, std::uint64_t seed, Difference& difference)
      : run_(world), seed_(seed), difference_(difference) {
    for (const hazumi::Body& b : run_.model->bodies)
      for (const auto& o : world.scene.objects)
        if (o->id == b.id) objects_.push_back(o.get());
    const std::size_t n = run_.model->bodies.size();
    forces_.resize(n);
    pushed_.resize(n);
    elastic_.resize(n);
    motions_.resize(n);
    local_.resize(n);
    good_.assign(n, 1);
    shapes_.resize(n);
  }

  void step() {
    const Model& model = *run_.model;
    const State before = run_.state;
    State state = before;
    for (std::size_t i = 0; i < model.bodies.size(); ++i) {
      forces_[i] = pushed_[i] = BodyForces();
      const std::size_t nodes = model.bodies[i].deforms ? model.bodies[i].truss.nodes.size() : 0;
      forces_[i].nodes.assign(nodes, Vec3::Zero());
      shapes_[i] = BodyShape();
      shapes_[i].body = &model.bodies[i];
      shapes_[i].active = true;
      read_shape(model.bodies[i], before.bodies[i].values, false, shapes_[i]);
    }
    advance_bodies(model, before, state, forces_, elastic_, run_.executor, good_);
    for (std::size_t i = 0; i < shapes_.size(); ++i) {
      read_shape(model.bodies[i], state.bodies[i].values, true, shapes_[i]);
      finish_shape(shapes_[i]);
      model.bodies[i].motion(model.step, before.bodies[i].values, state.bodies[i].values, motions_[i]);
    }
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
    std::vector<Contact> contacts;
    NearPairs().find(shapes_, pairs);
    ContactSearch().find(shapes_, pairs, before.rows, contacts);
    std::vector<Row> rows;
    for (const Contact& c : contacts)
      rows.push_back(make_row(
          {model, forces_, motions_[c.body_a], motions_[c.body_b], motions_[c.body_a], motions_[c.body_b]}, c));
    const Substep s{model, before, state, forces_, pushed_, motions_, local_};
    for (const IslandRange& range : sort_into_islands(motions_, rows))
      island(s, std::span(rows).subspan(range.begin, range.end - range.begin));
    ++difference_.substeps;
    run_.steps(1);
  }

 private:
  void island(const Substep& s, std::span<Row> rows);
  void put_to(ref::World& world, const Substep& s, std::span<const Row> rows, const std::vector<std::uint32_t>& bodies);
  ref::World reference_world(const Substep& s, std::span<const Row> rows, std::vector<std::uint32_t>& bodies);
  void compare(const Substep& s, const ref::World& world, const std::vector<std::uint32_t>& bodies);

  Run run_;
  std::uint64_t seed_;
  Difference& difference_;
  std::vector<const Object*> objects_;
  std::vector<BodyForces> forces_, pushed_;
  std::vector<ElasticWorkspace> elastic_;
  std::vector<BodyMotion> motions_;
  std::vector<std::uint32_t> local_;
  std::vector<char> good_;
  std::vector<BodyShape> shapes_;
};

ref::Settings reference_settings(const Substep& s, const Row& row, double mass) {
  ref::Settings settings;
  settings.h = s.model.step;
  settings.gravity = s.model.gravity;
  settings.rules.restitution = row.law.restitution;
  settings.rules.friction = row.friction;
  settings.rules.rest_speed = s.model.rest_speed;
  settings.solver = ref::Solver::cg;
  settings.tolerance = 1e-13;
  settings.most_passes = 20000;
  settings.rounds = 6;
  settings.project = false;
  settings.spent_cap = 10 * 0.5 * mass * s.model.rest_speed * s.model.rest_speed;
  settings.prescribed = true;
  return settings;
}

/// A step of the reference as a motion of the production, so that places of rows are found by the same rule.
BodyMotion reference_motion(BodyMotion m, const ref::World& w, const std::vector<ref::BodyStep>& now, int at) {
  if (at < 0) return m;
  const ref::Body& b = w.bodies[at];
  if (!b.is_flexible) {
    const ref::RigidStep& step = now[at].rigid;
    m.centre = m.origin = b.arm_centre;
    m.attitude = step.half;
    m.mean_attitude = 0.5 * (b.rigid.attitude + step.attitude);
    return m;
  }
  const ref::FlexibleStep& step = now[at].flexible;
  m.centre = m.origin = 0.5 * (b.flexible.centre + step.centre);
  m.attitude = m.mean_attitude = step.half;
  for (std::size_t k = 0; k < m.nodes_to.size(); ++k)
    m.nodes_to[k] = 2 * step.mean.col(static_cast<Eigen::Index>(k)) - m.nodes_from[k];
  return m;
}

int pair_number(std::uint32_t a, std::uint32_t b) { return static_cast<int>(1000 * a + b); }

/// Bodies at the start of the sub-step, and the rows as they are before the island is solved.
ref::World Beside::reference_world(const Substep& s, std::span<const Row> rows, std::vector<std::uint32_t>& bodies) {
  ref::World world;
  for (const Row& row : rows)
    for (const std::uint32_t i : {row.body_a, row.body_b})
      if (motions_[i].moves) bodies.push_back(i);
  std::sort(bodies.begin(), bodies.end());
  bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
  double mass = 0;
  for (const std::uint32_t i : bodies) {
    world.bodies.push_back(reference_body(run_, *objects_[i], i, s.start.bodies[i].values));
    mass += s.model.bodies[i].mass;
  }
  const auto number = [&](std::uint32_t i) {
    const auto at = std::lower_bound(bodies.begin(), bodies.end(), i);
    return at != bodies.end() && *at == i ? static_cast<int>(at - bodies.begin()) : -1;
  };
  world.settings = reference_settings(s, rows.front(), mass);
  std::map<long, const Row*> of_key;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const Row& row = rows[k];
    const auto known = std::lower_bound(s.start.rows.begin(), s.start.rows.end(), row.key,
                                        [](const RowMemory& m, const ContactKey& key) { return m.key < key; });
    const bool is_known = known != s.start.rows.end() && known->key == row.key;
    RowMemory memory = is_known ? *known : RowMemory();
    begin_row(row.law, is_known, row.gap, row.before, memory);
    const long key = static_cast<long>(k);
    of_key[key] = &row;
    world.memory[key] = {memory.exit, memory.recoverable, memory.unloading != 0, memory.impulse,
                         row_target(row.law, row.gap, row.before, memory)};
  }
  const auto copy = std::make_shared<std::vector<Row>>(rows.begin(), rows.end());
  const auto start_motions = std::make_shared<std::vector<BodyMotion>>(motions_);
  const auto motion_now = [start_motions](const ref::World& w, const std::vector<ref::BodyStep>& now, std::uint32_t i,
                                          int at) { return reference_motion((*start_motions)[i], w, now, at); };
  const Model& model = s.model;
  world.contacts.place = [copy, motion_now, number, &model](const ref::World& w, const std::vector<ref::BodyStep>& now,
                                                            ref::Row& row) {
    const Row& own = (*copy)[static_cast<std::size_t>(row.key)];
    BodyMotion a = motion_now(w, now, own.body_a, number(own.body_a));
    BodyMotion b = motion_now(w, now, own.body_b, number(own.body_b));
    model.bodies[own.body_a].hold(model.step, a);
    model.bodies[own.body_b].hold(model.step, b);
    const Vec3 point = common_point(own, a, b);
    RowGrip grip_a, grip_b;
    take_hold(a, own.anchor_a, point, grip_a);
    take_hold(b, own.anchor_b, point, grip_b);
    row.a = reference_anchor(a, grip_a, point, number(own.body_a));
    row.b = reference_anchor(b, grip_b, point, number(own.body_b));
  };
  world.contacts.touch = [copy, place = world.contacts.place](const ref::World& w,
                                                              const std::vector<ref::BodyStep>& free) {
    std::vector<ref::Row> out;
    for (std::size_t k = 0; k < copy->size(); ++k) {
      ref::Row row;
      row.key = static_cast<long>(k);
      row.normal = (*copy)[k].normal;
      row.gap = (*copy)[k].gap;
      row.slop = (*copy)[k].slop;
      row.pair = pair_number((*copy)[k].body_a, (*copy)[k].body_b);
      place(w, free, row);
      out.push_back(row);
    }
    return out;
  };
  return world;
}

void Beside::compare(const Substep& s, const ref::World& world, const std::vector<std::uint32_t>& bodies) {
  double fastest = 1, momentum = 0, angular = 0;
  Vec3 p = Vec3::Zero(), l = Vec3::Zero();
  for (std::size_t k = 0; k < bodies.size(); ++k) fastest = std::max(fastest, world.bodies[k].speed());
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    const std::uint32_t i = bodies[k];
    const ref::Body own = reference_body(run_, *objects_[i], i, s.state.bodies[i].values);
    const ref::Body& other = world.bodies[k];
    if (own.is_flexible) {
      difference_.velocity.take((own.flexible.velocity - other.flexible.velocity).cwiseAbs().maxCoeff() / fastest,
                                seed_);
      difference_.position.take((own.flexible.positions() - other.flexible.positions()).cwiseAbs().maxCoeff(), seed_);
    } else {
      difference_.velocity.take((own.rigid.velocity - other.rigid.velocity).norm() / fastest, seed_);
      difference_.velocity.take(
          ((own.rigid.attitude * own.rigid.rate()) - (other.rigid.attitude * other.rigid.rate())).norm() /
              (10 * fastest),
          seed_);
      difference_.position.take((own.rigid.centre - other.rigid.centre).norm(), seed_);
      difference_.position.take((own.rigid.attitude - other.rigid.attitude).norm(), seed_);
    }
    p += own.momentum() - other.momentum();
    l += own.angular_momentum() - other.angular_momentum();
    momentum += own.mass() * fastest;
    angular += own.mass() * fastest;
  }
  difference_.momentum.take(p.norm() / momentum, seed_);
  difference_.angular.take(l.norm() / angular, seed_);
}

/// The production's λ in the reference's equations; `world` is then at the end of the sub-step.
void Beside::put_to(ref::World& world, const Substep& s, std::span<const Row> rows,
                    const std::vector<std::uint32_t>& bodies) {
  const auto number = [&](std::uint32_t i) {
    const auto at = std::lower_bound(bodies.begin(), bodies.end(), i);
    return at != bodies.end() && *at == i ? static_cast<int>(at - bodies.begin()) : -1;
  };
  std::vector<ref::Row> made;
  Vector impulse(3 * static_cast<Eigen::Index>(rows.size()));
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const Row& row = rows[k];
    ref::Row r;
    r.normal = row.normal;
    r.key = static_cast<long>(k);
    r.a = reference_anchor(motions_[row.body_a], row.a, row.point, number(row.body_a));
    r.b = reference_anchor(motions_[row.body_b], row.b, row.point, number(row.body_b));
    impulse.segment<3>(3 * static_cast<Eigen::Index>(k)) = row.impulse;
    made.push_back(r);
  }
  const double h = s.model.step;
  std::vector<ref::BodyStep> steps;
  for (int twice = 0; twice < 2; ++twice) {  // c̄ depends on the sum of the impulses alone
    steps = ref::advance(world.bodies, h, s.model.gravity, made, impulse);
    for (std::size_t i = 0; i < bodies.size(); ++i)
      if (!world.bodies[i].is_flexible) world.bodies[i].arm_centre = steps[i].rigid.mean_centre;
  }
  const std::vector<Mat3> half = ref::half_attitudes(world.bodies, steps);
  const Matrix w = ref::mobility(world.bodies, made, half);
  double work = 0;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const Row& row = rows[k];
    const Vec3 n = row.normal;
    const auto at = 3 * static_cast<Eigen::Index>(k);
    const Vec3 start = ref::start_velocity(world.bodies, made[k].a) - ref::start_velocity(world.bodies, made[k].b);
    const Vec3 mean =
        ref::mean_velocity(world.bodies, steps, made[k].a) - ref::mean_velocity(world.bodies, steps, made[k].b);
    const Vec3 u = 2 * mean - start;
    work += row.impulse.dot(mean);
    if (!world.settings.prescribed) continue;
    const Mat3 own = w.block<3, 3>(at, at);
    const Vec3 t1 = n.unitOrthogonal(), t2 = n.cross(t1);
    const double w_n = n.dot(own * n), w_t = std::max(t1.dot(own * t1), t2.dot(own * t2));
    const double f = row.impulse.dot(n);
    difference_.cone.take(std::abs(std::min(w_n * f, u.dot(n) - row.target)), seed_);
    const Vec3 rubs = row.impulse - f * n;
    Vec3 next = rubs - (u - n * n.dot(u)) / w_t;
    if (const double size = next.norm(); size > row.friction * f) next *= std::max(0.0, row.friction * f) / size;
    difference_.cone.take(w_t * (next - rubs).norm(), seed_);
    ref::Row again = made[k];
    world.contacts.place(world, steps, again);
    difference_.geometry.take((again.a.point - row.point).norm(), seed_);
  }
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    ref::Body& b = world.bodies[i];
    if (b.is_flexible) {
      const ref::FlexibleStep& f = steps[i].flexible;
      b.flexible.centre = f.centre, b.flexible.attitude = f.attitude;
      b.flexible.displacement = f.displacement, b.flexible.velocity = f.velocity;
      b.flexible.calm();
    } else {
      const ref::RigidStep& f = steps[i].rigid;
      b.rigid.centre = f.centre, b.rigid.attitude = f.attitude, b.rigid.velocity = f.velocity, b.rigid.spin = f.spin;
    }
  }
  world.figures.work = work;
}

void Beside::island(const Substep& s, std::span<Row> rows) {
  std::vector<std::uint32_t> bodies;
  ref::World world = reference_world(s, rows, bodies);
  IslandSolver solver;
  REQUIRE_FALSE(solver.solve(s, rows).has_value());
  solver.calm(s);
  world.purses.elastic = world.purses.spent = 0;
  for (const PairMemory& pair : solver.account.pairs) {
    world.purses.elastic += pair.elastic + pair.gift;
    world.purses.spent += pair.spent;
    world.purses.sunk[pair_number(pair.body_a, pair.body_b)] = pair.sunk;
  }
  const bool rubs = std::any_of(rows.begin(), rows.end(), [](const Row& row) { return row.friction > 0; });
  ref::World put = world;
  put.settings.prescribed = solver.figures.scaled == 0;  // what is scaled no longer solves the rows
  put_to(put, s, rows, bodies);
  ++difference_.put;
  compare(s, put, bodies);
  if (rubs) {
    world = put;
  } else {
    REQUIRE(world.step());
    compare(s, world, bodies);
  }
  ++difference_.islands;
  difference_.second_solves += solver.figures.second_solves;
  difference_.scaled += solver.figures.scaled;
  solver.finish(s);
  double scale = 0;
  for (std::size_t k = 0; k < bodies.size(); ++k) scale += world.bodies[k].mass() * 9.81 + world.bodies[k].kinetic();
  difference_.work.take(std::abs(solver.figures.work - world.figures.work) / scale, seed_);
  if (rubs || solver.figures.projected > 0 || solver.figures.turns > 0 || world.figures.turns > 0) return;
  double elastic = 0, spent = 0;
  for (const PairMemory& pair : solver.account.pairs) {
    elastic += pair.elastic + pair.gift;
    spent += pair.spent;
    const auto sunk = world.purses.sunk.find(pair_number(pair.body_a, pair.body_b));
    difference_.purse.take(std::abs(pair.sunk - (sunk == world.purses.sunk.end() ? 0 : sunk->second)) / scale, seed_);
  }
  ++difference_.purses;
  difference_.purse.take(std::abs(elastic - world.purses.elastic) / scale, seed_);
  difference_.purse.take(std::abs(spent - world.purses.spent) / scale, seed_);
}

Object truss_box(const Vec3& at, double stiffness, double damping, double friction, ref::Dice& dice) {
  Object o = eight_nodes({});
  o.body.kind = BodyKind::flexible;
  o.display.kind = DisplayKind::none;
  o.transform.position = at;
  const Vec3 v = dice.vector();
  o.transform.rotation = Quat(6, v.x(), v.y(), v.z()).normalized();
  o.body.stiffness_source = StiffnessSource::given;
  o.body.stiffness = stiffness;
  o.body.damping = damping;
  o.body.velocity = 0.5 * dice.vector() - Vec3(0, 2, 0);
  o.body.spin = dice.vector();
  o.material.substance.restitution = 0.5;
  o.material.substance.friction = friction;
  return o;
}

Object hard_box(const Vec3& at, double friction, ref::Dice& dice) {
  Object o = World::box(Vec3(0.6, 0.4, 0.8), at, 5);
  const Vec3 v = dice.vector();
  o.transform.rotation = Quat(6, v.x(), v.y(), v.z()).normalized();
  o.body.velocity = 0.5 * dice.vector() - Vec3(0, 2, 0);
  o.body.spin = dice.vector();
  o.material.substance.restitution = 0.5;
  o.material.substance.friction = friction;
  return o;
}

void check(const Difference& d, double friction) {
  CAPTURE(friction, d.substeps, d.islands, d.purses, d.put, d.second_solves, d.scaled);
  CHECK(d.islands >= 8);
  CHECK(d.velocity < 1e-9);
  CHECK(d.position < 1e-9);
  CHECK(d.work < 1e-9);
  CHECK(d.momentum < 1e-9);
  CHECK(d.angular < 1e-9);
  CHECK(d.purse < 1e-9);
  CHECK(d.cone < 1e-8);
  CHECK(d.geometry < 1e-8);  // measured: 2e-9, where velocities agree to 1e-10
  CHECK(d.put == d.islands);
  CHECK((friction > 0 || d.purses > 0));
}

constexpr double kFrictions[] = {0, 0.4};

}  // namespace

TEST_CASE("A rigid box on a plane is what the dense reference says", "[constraint][against_reference]") {
  for (const double friction : kFrictions) {
    Difference d;
    for (const std::uint64_t seed : {1, 2, 3}) {
      ref::Dice dice(seed);
      World world;
      world.floor(0.4, 0.5);
      world.add(hard_box(Vec3(0, 0.5, 0), friction, dice));
      Beside both(world, seed, d);
      for (int k = 0; k < 120; ++k) both.step();
    }
    check(d, friction);
  }
}

TEST_CASE("A truss on a plane is what the dense reference says", "[constraint][against_reference]") {
  for (const double friction : kFrictions)
    for (const double stiffness : {300.0, 1e4, 1e6, 1e8}) {
      CAPTURE(stiffness);
      Difference d;
      for (const std::uint64_t seed : {11, 12}) {
        ref::Dice dice(seed);
        World world;
        world.floor(0.4, 0.5);
        world.add(truss_box(Vec3(0, 0.65, 0), stiffness, stiffness > 1e5 ? 20 : 0.5, friction, dice));
        Beside both(world, seed, d);
        for (int k = 0; k < 120; ++k) both.step();
      }
      check(d, friction);
    }
}

TEST_CASE("A body with a skin is held as the dense reference says", "[constraint][against_reference]") {
  for (const double friction : kFrictions) {
    Difference d;
    for (const std::uint64_t seed : {21, 22}) {
      World world;
      world.floor(0.4, 0.5);
      Object jelly = World::jelly(0.4, Vec3(0, 0.45, 0), 2000, 2);
      jelly.body.velocity = Vec3(0.5, -2, 0.1 * static_cast<double>(seed - 20));
      jelly.body.spin = Vec3(0.3, 0.2, 1);
      jelly.material.substance.restitution = 0.5;
      jelly.material.substance.friction = friction;
      world.add(jelly);
      Beside both(world, seed, d);
      for (int k = 0; k < 120; ++k) both.step();
    }
    check(d, friction);
  }
}

TEST_CASE("A rigid box on a truss on a plane is what the dense reference says", "[constraint][against_reference]") {
  for (const double friction : kFrictions)
    for (const double stiffness : {1e4, 1e6}) {
      CAPTURE(stiffness);
      Difference d;
      for (const std::uint64_t seed : {31, 32}) {
        ref::Dice dice(seed);
        World world;
        world.floor(0.4, 0.5);
        Object low = truss_box(Vec3(0, 0.5, 0), stiffness, 0.5, friction, dice);
        low.transform.rotation = Quat::Identity();
        world.add(low);
        Object high = hard_box(Vec3(0.1, 1.2, 0), friction, dice);
        high.transform.rotation = Quat::Identity();
        high.body.velocity.y() -= 3;
        world.add(high);
        Beside both(world, seed, d);
        for (int k = 0; k < 120; ++k) both.step();
      }
      check(d, friction);
    }
}

}  // namespace against_reference_test
