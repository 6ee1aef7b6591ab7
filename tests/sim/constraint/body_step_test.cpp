// A sub-step of every kind of body under impulses at places of it: the identity that contacts rest on, and W against the true step.
#include "core/sim/constraint/row.h"

#include <random>

#include "core/geometry/mapping/bones.h"
#include "core/sim/constraint/mobility.h"
#include "tests/sim/constraint/eight_nodes.h"

namespace body_step_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

ContactAnchor on_body(const Vec3& offset, ContactAnchor::Kind kind = ContactAnchor::body_axes) {
  ContactAnchor anchor;
  anchor.kind = kind;
  anchor.offset = offset;
  return anchor;
}

ContactAnchor on_nodes(std::array<std::uint32_t, 3> nodes, std::array<double, 3> weights, const Vec3& offset) {
  ContactAnchor anchor = on_body(offset, ContactAnchor::nodal);
  anchor.nodes = nodes;
  anchor.weights = weights;
  return anchor;
}

/// One body under impulses at anchors, stepped until the places half-way and the impulses' moments agree.
struct Pushed {
  const Model& model;
  const hazumi::Body& body;
  std::vector<double> before, after;
  std::vector<ContactAnchor> anchors;
  std::vector<Vec3> points;
  std::vector<RowGrip> grips;
  BodyMotion motion;
  BodyForces forces;
  ElasticWorkspace workspace;

  Pushed(Moving& m, const std::vector<ContactAnchor>& at)
      : model(*m.run.model), body(m.body), before(m.values), after(m.values), anchors(at) {}

  Vec3 weight() const { return body.gravity && body.moves ? model.gravity : Vec3(Vec3::Zero()); }

  void step(const std::vector<Vec3>& impulses, int repeats = 30) {
    points.assign(anchors.size(), Vec3::Zero());
    grips.assign(anchors.size(), RowGrip());
    forces = BodyForces();
    forces.nodes.assign(body.deforms ? body.truss.nodes.size() : 0, Vec3::Zero());
    REQUIRE(body.advance(model.step, forces, weight(), before, after, workspace, nullptr));
    body.motion(model.step, before, after, motion);
    for (const ContactAnchor& anchor : anchors) list_vertices(anchor, motion);
    for (int k = 0; k < repeats; ++k) {
      BodyForces now;
      now.nodes.assign(forces.nodes.size(), Vec3::Zero());
      body.hold(model.step, motion);
      for (std::size_t i = 0; i < anchors.size(); ++i) {
        points[i] = place(motion, anchors[i]);
        take_hold(motion, anchors[i], points[i], grips[i]);
        add_impulse(motion, grips[i], points[i], impulses[i], now);
      }
      if (body.deforms) share_out(motion, now);
      for (Vec3& f : now.nodes) f /= model.step;
      REQUIRE(body.advance(model.step, now, weight(), before, after, workspace, &motion));
    }
  }
  /// Where an anchor on the skin is in a state.
  Vec3 seen(const std::vector<double>& values, std::size_t i) const {
    std::vector<Vec3> nodes(body.truss.nodes.size());
    body.positions(values, nodes);
    Vec3 p;
    body.mapping->map_points(nodes, body.pose(values), {&anchors[i].skin[0]->vertex, 1}, {&p, 1});
    return p;
  }
  Vec3 mean(std::size_t i) const { return mean_velocity(motion, grips[i], points[i], model.step); }
  Vec3 end(std::size_t i) const { return 2 * mean(i) - start_velocity(motion, grips[i], points[i]); }
  double energy(const std::vector<double>& values) const {
    const Observables o = body.observe(values);
    return o.kinetic_energy + o.elastic_energy - o.mass * weight().dot(o.centre);
  }
};

struct Case {
  std::string name;
  Object object;
  bool free;  // its momenta are kept
};

std::vector<Case> cases() {
  std::vector<Case> out;
  const auto add = [&](const std::string& name, BodyKind kind, const std::vector<std::uint32_t>& pins, double spin,
                       double stiffness) {
    Object o = eight_nodes(pins);
    o.body.kind = kind;
    o.body.spin *= spin;
    o.body.stiffness = stiffness;
    o.body.damping = 0;
    out.push_back({name, o, pins.empty() && kind != BodyKind::point});
  };
  add("point", BodyKind::point, {}, 1, 1);
  add("rigid", BodyKind::rigid, {}, 1, 1);
  add("rigid, 300 rad/s", BodyKind::rigid, {}, 115, 1);
  add("rigid on a pin", BodyKind::rigid, {0}, 1, 1);
  add("rigid on a hinge", BodyKind::rigid, {0, 4}, 1, 1);
  add("rigid, held", BodyKind::rigid, {0, 1, 6}, 1, 1);
  for (const double k : {300.0, 1e5, 1e8}) {
    add("flexible", BodyKind::flexible, {}, 1, k);
    add("flexible on a pin", BodyKind::flexible, {0}, 1, k);
    add("flexible on a hinge", BodyKind::flexible, {0, 4}, 1, k);
    add("flexible, clamped", BodyKind::flexible, {0, 1, 6}, 1, k);
  }
  for (const MappingKind kind : {MappingKind::linear, MappingKind::lattice, MappingKind::skeleton})
    for (const std::vector<std::uint32_t>& pins : {std::vector<std::uint32_t>{}, {0}, {0, 4}, {0, 1, 6}}) {
      add("skin", BodyKind::flexible, pins, 1, 3e3);
      Object& o = out.back().object;
      o.mapping.kind = kind;
      // A lattice that the nodes do not fill, so that some of the skin hangs on the frame.
      o.display.primitive.size = Vec3(1.2, 0.5, 1.4);
      o.mapping.bones = bones_along_longest_axis(std::vector<Vec3>{{0, 0.2, -0.5}, {0, -0.2, -0.5}, {0, 0.2, 0.5}}, 2);
      out.back().name += " " + std::to_string(static_cast<int>(kind)) + ", pins " + std::to_string(pins.size());
    }
  return out;
}

std::vector<ContactAnchor> anchors_of(const Object& o, const hazumi::Body& body) {
  if (o.body.kind == BodyKind::flexible && o.mapping.kind != MappingKind::automatic) {
    REQUIRE(body.proxy.skin_drivers.size() > 7);
    std::vector<ContactAnchor> anchors(3, on_nodes({3, 0, 0}, {1, 0, 0}, Vec3::Zero()));
    anchors[0].skin[0] = &body.proxy.skin_drivers[1];
    anchors[1].skin[0] = &body.proxy.skin_drivers[6];
    anchors[2] = on_nodes({0, 5, 0}, {0.5, 0.2, 0.3}, Vec3(0, 0.02, 0.01));
    anchors[2].skin = {&body.proxy.skin_drivers[2], nullptr, &body.proxy.skin_drivers[7]};
    return anchors;
  }
  if (o.body.kind != BodyKind::flexible)
    return {on_body(Vec3(0.3, -0.2, 0.1)), on_body(Vec3(-0.1, 0.4, 0.2), ContactAnchor::world_axes)};
  return {on_nodes({3, 0, 0}, {1, 0, 0}, Vec3::Zero()), on_nodes({2, 5, 7}, {0.5, 0.2, 0.3}, Vec3(0.05, 0.1, -0.02)),
          on_nodes({6, 0, 0}, {1, 0, 0}, Vec3(0.05, 0.02, 0))};
}

}  // namespace

TEST_CASE("the energy of every kind of body changes by the work of impulses at its places, whatever they are",
          "[constraint][body_step]") {
  std::mt19937 dice(20261122);
  std::uniform_real_distribution<double> number(-1, 1);
  double worst = 0, worst_way = 0;
  for (const Case& c : cases())
    for (const int substeps : {1, 4})
      for (int trial = 0; trial < 6; ++trial) {
        Moving m(of(c.object, substeps), 7 * trial);
        Pushed p(m, anchors_of(c.object, m.body));
        std::vector<Vec3> impulses;
        for (std::size_t i = 0; i < p.anchors.size(); ++i)
          impulses.push_back(0.6 * trial * Vec3(number(dice), number(dice), number(dice)));
        p.step(impulses);
        double work = 0;
        Vec3 push = Vec3::Zero(), twist = Vec3::Zero();
        for (std::size_t i = 0; i < impulses.size(); ++i) {
          work += impulses[i].dot(p.mean(i));
          push += impulses[i];
          twist += p.points[i].cross(impulses[i]);
        }
        const Observables from = p.body.observe(p.before), to = p.body.observe(p.after);
        const double scale = 1 + from.kinetic_energy + to.kinetic_energy + std::abs(p.energy(p.before));
        INFO(c.name << ", k " << c.object.body.stiffness << ", sub-steps " << substeps << ", trial " << trial);
        const double error = std::abs(p.energy(p.after) - p.energy(p.before) - work) / scale;
        worst = std::max(worst, error);
        CHECK(error < 2e-12);
        const double h = p.model.step;
        const Vec3 weight = p.body.mass * p.weight();
        for (std::size_t i = 0; i < 2 && p.anchors[i].skin[0]; ++i) {
          const Vec3 way = h * p.mean(i);
          const double missed = (p.seen(p.after, i) - p.seen(p.before, i) - way).norm() / way.norm();
          worst_way = std::max(worst_way, missed);
        }
        if (c.free || c.object.body.kind == BodyKind::point)
          CHECK((to.momentum - from.momentum - h * weight - push).norm() < 1e-12 * (1 + to.momentum.norm()));
        if (!c.free) continue;
        const auto whole = [](const Observables& o) { return Vec3(o.angular_momentum + o.centre.cross(o.momentum)); };
        const Vec3 falling = h * (0.5 * (from.centre + to.centre)).cross(weight);
        CHECK((whole(to) - whole(from) - falling - twist).norm() < 2e-12 * (1 + whole(to).norm() + to.momentum.norm()));
      }
  CHECK(worst_way < 5e-3);  // 0.0032: a vertex on bones that goes 15 cm in a sub-step of 1/60 s
  WARN("energy against work: " << worst << ", way of vertices: " << worst_way);
}

TEST_CASE("W is the change of a row's velocity by the true step", "[constraint][mobility]") {
  for (const Case& c : cases()) {
    if (c.name == "rigid, 300 rad/s") continue;
    Object o = c.object;
    o.body.spin.setZero();
    o.body.velocity.setZero();
    o.body.gravity = false;
    Moving m(of(o), 0);
    // Rows of this body against nothing that moves.
    World still = of(o);
    still.floor();
    Run run(still);
    const std::vector<ContactAnchor> anchors = anchors_of(o, run.model->bodies[0]);
    std::vector<BodyMotion> motions(2);
    for (std::size_t i = 0; i < 2; ++i)
      run.model->bodies[i].motion(run.model->step, run.state.bodies[i].values, run.state.bodies[i].values, motions[i]);
    for (const ContactAnchor& anchor : anchors) list_vertices(anchor, motions[0]);
    run.model->bodies[0].hold(run.model->step, motions[0]);
    std::vector<Row> rows(anchors.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      rows[i].key.feature = i;
      rows[i].body_b = 1;
      rows[i].anchor_a = anchors[i];
      rows[i].point = place(motions[0], anchors[i]);
      take_hold(motions[0], anchors[i], rows[i].point, rows[i].a);
    }
    const std::vector<std::uint32_t> bodies =
        motions[0].moves ? std::vector<std::uint32_t>{0} : std::vector<std::uint32_t>{};
    const std::vector<std::uint32_t> local = {0, 0};
    Mobility w;
    ElasticWorkspace workspace;
    w.make(*run.model, motions, bodies, local, rows, {}, workspace);
    INFO(c.name << ", k " << o.body.stiffness);
    const double size = 1e-7;
    for (std::size_t j = 0; j < rows.size(); ++j)
      for (int axis = 0; axis < 3; ++axis) {
        std::vector<Vec3> impulses(rows.size(), Vec3::Zero());
        impulses[j] = size * Vec3::Unit(axis);
        Pushed p(m, anchors_of(o, m.body));
        p.step(impulses, 4);
        std::vector<Vec3> said(rows.size());
        w.product(impulses, said);
        for (std::size_t i = 0; i < rows.size(); ++i)
          CHECK((p.end(i) / size - said[i] / size).norm() < 2e-5 * (1e-3 + 1 / m.body.truss.masses[0]));
      }
  }
}

TEST_CASE("a body that is held stays where it was, leads no place inward and gains no motion",
          "[constraint][body_step]") {
  std::mt19937 dice(20261123);
  std::uniform_real_distribution<double> number(-1, 1);
  const auto drawn = [&] { return Vec3(number(dice), number(dice), number(dice)); };
  for (const Case& c : cases())
    for (int trial = 0; trial < 6; ++trial) {
      Moving m(of(c.object, 1), 7 * trial);
      Pushed p(m, anchors_of(c.object, m.body));
      p.step(std::vector<Vec3>(p.anchors.size(), 0.6 * drawn()));
      const auto seen = [&](const std::vector<double>& values) {
        if (!p.body.deforms) return Vec3(p.body.pose(values) * Vec3(0.3, -0.2, 0.1));
        std::vector<Vec3> nodes(p.body.truss.nodes.size());
        p.body.positions(values, nodes);
        return Vec3(nodes[3]);
      };
      const Vec3 out = drawn().normalized(), place = seen(p.before);
      INFO(c.name << ", trial " << trial);
      std::vector<double> held = p.after;
      p.body.stay(p.before, held, place, out);
      const Pose was = p.body.pose(p.before), is = p.body.pose(held);
      CHECK((was.position - is.position).norm() < 1e-12);
      CHECK(was.rotation.angularDistance(is.rotation) < 1e-7);
      CHECK((seen(held) - place).norm() < 1e-12);
      BodyMotion motion = p.motion;  // that it begins with
      p.body.motion(p.model.step, held, held, motion);
      const Vec3 before = p.body.deforms
                              ? motion.velocities[3]
                              : Vec3(motion.linear_start + motion.angular_start.cross(place - motion.origin));
      if (motion.moves) CHECK(before.dot(out) > -1e-9);
      const double kinetic = p.body.observe(held).kinetic_energy;
      p.body.slow(held, 0.5);
      CHECK(p.body.observe(held).kinetic_energy == Approx(0.25 * kinetic).margin(1e-15));
      CHECK((seen(held) - place).norm() < 1e-12);
    }
}

}  // namespace body_step_test
