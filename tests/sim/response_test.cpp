// Response of every kind of body to impulses within a sub-step, against matrices that are written down here and inverted
// densely.
#include "core/sim/body/response.h"

#include <Eigen/Dense>

#include "tests/support/run.h"

using namespace hazumi;
using namespace hazumi::test;

namespace {

using Dense = Eigen::MatrixXd;

Mat3 cross_matrix(const Vec3& a) {
  Mat3 m;
  m << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return m;
}

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

/// A box of eight nodes, every two joined, with these nodes pinned.
Object eight_nodes(const std::vector<std::uint32_t>& pins) {
  StrungTruss truss;
  for (std::uint32_t i = 0; i < 8; ++i) {
    const Vec3 p(i & 1 ? 0.3 : -0.3, i & 2 ? 0.2 : -0.2, i & 4 ? 0.5 : -0.5);
    truss.nodes.push_back({p, 1.0 + 0.1 * i, std::find(pins.begin(), pins.end(), i) != pins.end()});
  }
  for (std::uint32_t i = 0; i < 8; ++i)
    for (std::uint32_t j = i + 1; j < 8; ++j) truss.springs.push_back({i, j, 1, 1, 1});
  Object o = World::box(Vec3(0.6, 0.4, 1), Vec3(0.2, 1, -0.4), 3);
  o.analysis = {"Box",        AnalysisKind::strung, {1, 1, 1},
                Vec3::Ones(), Vec3::Zero(),         std::make_shared<const StrungTruss>(truss)};
  o.transform.rotation = Quat(0.8, 0.3, -0.4, 0.2).normalized();
  o.body.velocity = Vec3(0.3, 2, -0.5);
  o.body.spin = Vec3(1.5, -2, 1);
  return o;
}

struct Moving {
  Run run;
  const hazumi::Body& body;
  std::vector<double>& values;

  Moving(const World& world, int steps) : run(world), body(run.model->bodies[0]), values(run.state.bodies[0].values) {
    run.steps(steps);
  }
};

World of(const Object& object, int substeps = 4) {
  World world;
  world.scene.settings.substeps = substeps;
  world.add(object);
  return world;
}

void check_close(const Mat3& found, const Mat3& expected, double scale) {
  INFO(found << "\nexpected\n" << expected);
  CHECK((found - expected).norm() < scale * (1e-30 + expected.norm()));
}

/// Everything that is asked of a body against its dense answer `coupled(i, j)`, and respond() of several impulses at once.
template <class Coupled>
void check_against(const hazumi::Body& body, std::vector<double>& values, const std::vector<ContactAnchor>& anchors,
                   double scale, const Coupled& coupled) {
  const Vec3 impulses[] = {Vec3(0.3, -0.8, 0.5), Vec3(-0.1, 0.4, 0.9), Vec3(0.7, 0.2, -0.6)};
  std::vector<AnchorImpulse> all;
  for (std::size_t i = 0; i < anchors.size(); ++i) {
    check_close(mobility(body, values, anchors[i]), coupled(i, i), scale);
    for (std::size_t j = 0; j < anchors.size(); ++j)
      check_close(coupling(body, values, anchors[i], anchors[j]), coupled(i, j), scale);
    all.push_back({anchors[i], impulses[i % 3]});
  }
  std::vector<double> du(body.velocity_size()), before(du.size()), after(du.size());
  body.respond(values, all, du);
  for (std::size_t i = 0; i < anchors.size(); ++i) {
    Vec3 expected = Vec3::Zero();
    double size = 0;
    for (std::size_t j = 0; j < anchors.size(); ++j) {
      expected += coupled(i, j) * all[j].impulse;
      size += coupled(i, j).norm();
    }
    // Twice, for what all the answers are off together; measured 6 % of it.
    CHECK((body.velocity_at(values, du, anchors[i]) - expected).norm() < 2 * scale * (1e-30 + size));
  }
  // What is added to the velocities is there afterwards.
  body.velocities(values, before);
  std::vector<double> hit = values;
  body.add_velocity(hit, du);
  body.velocities(hit, after);
  for (std::size_t k = 0; k < du.size(); ++k) CHECK(after[k] == Approx(before[k] + du[k]).margin(1e-9));
}

/// A flexible body by hand: node blocks of J and of A = M + ½ h C + ¼ h² K of the nodes that are free.
struct DenseTruss {
  std::vector<Vec3> x;
  std::vector<double> masses;
  std::vector<char> held;
  Quat rotation;
  Vec3 centre = Vec3::Zero();
  Mat3 inverse_inertia = Mat3::Zero();
  Dense inverse, stiffness;  // world axes

  DenseTruss(const Moving& m, double h, bool springs = true) : masses(m.body.truss.masses) {
    const Truss& truss = m.body.truss;
    const std::size_t n = truss.nodes.size();
    x.resize(n);
    m.body.positions(m.values, x);
    rotation = m.body.pose(m.values).rotation;
    held.assign(n, 0);
    for (const std::uint32_t i : truss.pinned) held[i] = 1;
    Dense a = Dense::Zero(3 * n, 3 * n);
    stiffness = a;
    const bool damped =
        std::any_of(truss.springs.begin(), truss.springs.end(), [](const Spring& s) { return s.damping > 0; });
    for (std::size_t i = 0; i < n; ++i) a.block<3, 3>(3 * i, 3 * i) = masses[i] * Mat3::Identity();
    for (const Spring& s : truss.springs) {
      const Vec3 along = rotation * (truss.nodes[s.b] - truss.nodes[s.a]).normalized();
      const Mat3 block = along * along.transpose();
      // With the damping floor of what the step does not resolve.
      const double resolved = 0.25 * h * h * s.stiffness * (1 / masses[s.a] + 1 / masses[s.b]);
      const double damping = s.damping + (damped ? 0.05 * h * s.stiffness * resolved / (1 + resolved) : 0);
      for (const auto& [i, j, sign] :
           {std::tuple{s.a, s.a, 1.0}, {s.b, s.b, 1.0}, {s.a, s.b, -1.0}, {s.b, s.a, -1.0}}) {
        stiffness.block<3, 3>(3 * i, 3 * j) += sign * s.stiffness * block;
        if (springs) a.block<3, 3>(3 * i, 3 * j) += sign * (0.5 * h * damping + 0.25 * h * h * s.stiffness) * block;
      }
    }
    std::vector<Eigen::Index> free;
    for (std::size_t i = 0; i < 3 * n; ++i)
      if (!held[i / 3]) free.push_back(static_cast<Eigen::Index>(i));
    inverse = Dense::Zero(3 * n, 3 * n);
    const Dense of_free = Dense(a(free, free)).inverse();
    inverse(free, free) = of_free;
    turns(truss);
  }

  void turns(const Truss& truss) {
    double mass = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      mass += masses[i];
      centre += masses[i] * x[i];
    }
    centre = truss.pinned.empty() ? Vec3(centre / mass) : x[truss.pinned.front()];
    Mat3 inertia = Mat3::Zero();
    for (std::size_t i = 0; i < x.size(); ++i)
      inertia -= masses[i] * cross_matrix(x[i] - centre) * cross_matrix(x[i] - centre);
    if (truss.pinned.size() < 2) {
      inverse_inertia = inertia.inverse();
    } else if (truss.pinned.size() == 2) {
      const Vec3 axis = (x[truss.pinned[1]] - x[truss.pinned[0]]).normalized();
      inverse_inertia = axis * axis.transpose() / axis.dot(inertia * axis);
    }
  }

  Dense jacobian(const ContactAnchor& anchor) const {
    Dense j = Dense::Zero(3, 3 * x.size());
    const Mat3 arm = cross_matrix(rotation * anchor.offset);
    for (std::size_t i = 0; i < x.size(); ++i)
      j.block<3, 3>(0, 3 * i) = -arm * inverse_inertia * masses[i] * cross_matrix(x[i] - centre);
    for (int k = 0; k < 3; ++k) j.block<3, 3>(0, 3 * anchor.nodes[k]) += anchor.weights[k] * Mat3::Identity();
    return j;
  }
};

const std::vector<ContactAnchor> kArms = {on_body(Vec3(0.3, -0.2, 0.1)), on_body(Vec3(0, 0, 0)),
                                          on_body(Vec3(-0.1, 0.4, 0.2), ContactAnchor::world_axes)};

}  // namespace

TEST_CASE("every kind of body of a scene has one row in the table, with the rights of its kind", "[bodies]") {
  Truss free, pinned;
  pinned.pinned = {0};
  for (const Truss& truss : {free, pinned})
    for (const BodyKindInfo& kind : kBodyKinds) {
      int rows = 0;
      for (const BodyInfo* info : body_table()) rows += info->kind == kind.name && (!info->fits || info->fits(truss));
      CHECK(rows == 1);
      REQUIRE(find_body(kind.name, truss) != nullptr);
      CHECK(find_body(kind.name, truss)->kind == kind.name);
    }
  CHECK(find_body("treacle", free) == nullptr);
  for (const BodyInfo* info : body_table())
    CHECK(std::count_if(kBodyKinds.begin(), kBodyKinds.end(), [&](const auto& k) { return k.name == info->kind; }) ==
          1);
  for (std::size_t k = 0; k < kBodyKinds.size(); ++k) {
    Object o = eight_nodes({});
    o.body.kind = static_cast<BodyKind>(k);
    const Moving m(of(o), 0);
    CHECK(m.body.moves == kBodyKinds[k].moves);
    CHECK(m.body.deforms == kBodyKinds[k].deforms);
    CHECK((m.body.mass > 0) == m.body.moves);
    CHECK(m.values.size() == m.body.state_size());
  }
}

TEST_CASE("response of what is fixed: nothing", "[bodies][response]") {
  Object o = eight_nodes({});
  o.body.kind = BodyKind::fixed;
  Moving m(of(o), 5);
  CHECK(m.body.velocity_size() == 0);
  check_against(m.body, m.values, kArms, 0.1, [](std::size_t, std::size_t) -> Mat3 { return Mat3::Zero(); });
}

TEST_CASE("response of a point: 1/m", "[bodies][response]") {
  Object o = eight_nodes({});
  o.body.kind = BodyKind::point;
  Moving m(of(o), 5);
  check_against(m.body, m.values, kArms, 1e-14, [](std::size_t, std::size_t) -> Mat3 { return Mat3::Identity() / 3; });
}

TEST_CASE("response of rigid bodies, free and on pins, against the inverse with the pins as constraints",
          "[bodies][response]") {
  for (const std::vector<std::uint32_t>& pins :
       {std::vector<std::uint32_t>{}, {0}, {0, 4}, {0, 1, 6}, {0, 1, 2, 3, 4, 5, 6, 7}}) {
    CAPTURE(pins.size());
    Object o = eight_nodes(pins);
    Moving m(of(o), 40);
    const Pose pose = m.body.pose(m.values);
    const Mat3 r = pose.rotation.toRotationMatrix();
    // Box of 0.6 × 0.4 × 1 m, 3 kg.
    const Mat3 inertia = r * Vec3(3.0 / 12 * Vec3(1.16, 1.36, 0.52)).asDiagonal() * r.transpose();
    const Eigen::Index rows = 3 * static_cast<Eigen::Index>(pins.size());
    Dense kkt = Dense::Zero(6 + rows, 6 + rows);
    kkt.block<3, 3>(0, 0) = 3 * Mat3::Identity();
    kkt.block<3, 3>(3, 3) = inertia;
    for (std::size_t k = 0; k < pins.size(); ++k) {
      const Vec3 arm = pose.rotation * (m.body.truss.nodes[pins[k]] - m.body.mesh_origin);
      Dense c(3, 6);
      c << Mat3::Identity(), -cross_matrix(arm);
      kkt.block(6 + 3 * static_cast<Eigen::Index>(k), 0, 3, 6) = c;
      kkt.block(0, 6 + 3 * static_cast<Eigen::Index>(k), 6, 3) = c.transpose();
    }
    const Dense inverse = Dense(kkt.completeOrthogonalDecomposition().pseudoInverse()).block(0, 0, 6, 6);
    const auto jacobian = [&](std::size_t i) {
      const Vec3 arm =
          kArms[i].kind == ContactAnchor::world_axes ? kArms[i].offset : Vec3(pose.rotation * kArms[i].offset);
      Dense j(3, 6);
      j << Mat3::Identity(), -cross_matrix(arm);
      return j;
    };
    const bool held = pins.size() > 2;
    check_against(m.body, m.values, kArms, held ? 0.1 : 1e-9, [&](std::size_t i, std::size_t j) -> Mat3 {
      return held ? Mat3(Mat3::Zero()) : Mat3(jacobian(i) * inverse * jacobian(j).transpose());
    });
    if (held) CHECK((jacobian(0) * inverse * jacobian(0).transpose()).norm() < 1e-12);
  }
}

TEST_CASE("response of flexible bodies against the dense inverse of M + h/2 C + h²/4 K", "[bodies][response]") {
  for (const double stiffness : {300.0, 1e5})
    for (const std::vector<std::uint32_t>& pins :
         {std::vector<std::uint32_t>{}, {0}, {0, 4}, {0, 1, 6}, {0, 1, 2, 3, 4, 5, 6, 7}}) {
      CAPTURE(stiffness, pins.size());
      Object o = eight_nodes(pins);
      o.body.kind = BodyKind::flexible;
      o.body.stiffness = stiffness;
      o.body.damping = 3;
      Moving m(of(o), 40);
      const double h = m.run.model->step;
      const DenseTruss dense(m, h);
      const std::vector<ContactAnchor> anchors = {
          on_nodes({3, 0, 0}, {1, 0, 0}, Vec3::Zero()),
          on_nodes({2, 5, 7}, {0.5, 0.2, 0.3}, Vec3(0.05, 0.1, -0.02)),
          on_nodes({1, 4, 6}, {1.5, -0.2, -0.3}, Vec3(0, 0.3, 0)),
      };
      // 1e-8: the inertia that gives an offset its turn is raised by 1e-9 (nodes on one line).
      check_against(m.body, m.values, anchors, 1e-8, [&](std::size_t i, std::size_t j) -> Mat3 {
        return dense.jacobian(anchors[i]) * dense.inverse * dense.jacobian(anchors[j]).transpose();
      });
      if (pins.size() > 3) continue;
      // The springs count: without them the answer is another one.
      const DenseTruss loose(m, h, false);
      const Mat3 free = loose.jacobian(anchors[0]) * loose.inverse * loose.jacobian(anchors[0]).transpose();
      const Mat3 w = mobility(m.body, m.values, anchors[0]);
      CHECK((free - w).norm() > 0.002 * w.norm());
    }
}

TEST_CASE("response of a flexible body does not depend on the method that steps it", "[bodies][response]") {
  Object o = eight_nodes({});
  o.body.kind = BodyKind::flexible;
  o.body.stiffness = 300;
  Moving factored(of(o), 0);
  set_parameter(o.body.parameters, {"lagrange", "method", "fixed point"});
  Moving iterated(of(o), 0);
  const ContactAnchor anchor = on_nodes({2, 5, 7}, {0.5, 0.2, 0.3}, Vec3(0.05, 0.1, -0.02));
  const Mat3 w = mobility(factored.body, factored.values, anchor);
  check_close(mobility(iterated.body, iterated.values, anchor), w, 1e-13);
}

TEST_CASE("a solver without an implicit matrix answers as its kicks do", "[bodies][response]") {
  Object o = eight_nodes({});
  o.body.kind = BodyKind::flexible;
  const Moving m(of(o), 10);
  const ElasticSolver& solver = *flexible(m.body).elastic;
  CHECK(solver.before() == Before::start);
  CHECK(solver.ElasticSolver::before() == Before::kicked);
  const NodeImpulse kicks[] = {{2, Vec3(0.1, -0.2, 0.3)}, {5, Vec3(0, 0.4, 0)}};
  std::vector<Vec3> dv(8);
  solver.ElasticSolver::respond(m.values, kicks, dv);
  for (std::uint32_t i = 0; i < 8; ++i) {
    Vec3 expected = Vec3::Zero();
    for (const NodeImpulse& kick : kicks)
      if (kick.node == i) expected = kick.impulse / m.body.truss.masses[i];
    CHECK((dv[i] - expected).norm() < 1e-12);
  }
}

TEST_CASE("an answered impulse changes momenta by its own, and moves by half a sub-step of it", "[bodies][response]") {
  for (const BodyKind kind : {BodyKind::point, BodyKind::rigid, BodyKind::flexible}) {
    CAPTURE(static_cast<int>(kind));
    Object o = eight_nodes({});
    o.body.kind = kind;
    Moving m(of(o), 0);  // undeformed: there the springs resist no turn
    const double h = m.run.model->step;
    const bool turns = kind != BodyKind::point;
    const AnchorImpulse hit = {kind == BodyKind::flexible ? on_nodes({2, 5, 7}, {0.5, 0.2, 0.3}, Vec3(0.05, 0.1, -0.02))
                                                          : on_body(Vec3(0.3, -0.2, 0.1)),
                               Vec3(0.3, -0.8, 0.5)};
    std::vector<double> du(m.body.velocity_size());
    m.body.respond(m.values, {&hit, 1}, du);
    const Observables before = m.body.observe(m.values);
    const Pose pose = m.body.pose(m.values);
    Vec3 arm = pose.rotation * hit.anchor.offset;
    if (kind == BodyKind::flexible) {
      std::vector<Vec3> x(8);
      m.body.positions(m.values, x);
      for (int k = 0; k < 3; ++k) arm += hit.anchor.weights[k] * x[hit.anchor.nodes[k]];
      arm -= before.centre;
    }
    std::vector<double> kicked = m.values, moved = m.values;
    m.body.add_velocity(kicked, du);
    const Observables after = m.body.observe(kicked);
    CHECK((after.momentum - before.momentum - hit.impulse).norm() < 1e-12);
    if (turns) CHECK((after.angular_momentum - before.angular_momentum - arm.cross(hit.impulse)).norm() < 1e-9);
    apply_response(m.body, moved, du, h);
    const Observables there = m.body.observe(moved);
    CHECK((there.centre - before.centre - 0.5 * h / m.body.mass * hit.impulse).norm() < 1e-12);
    CHECK((there.momentum - after.momentum).norm() < 1e-12);
  }
}

TEST_CASE("what a move costs: weight, springs, and rotation at constant angular momentum", "[bodies][response]") {
  const Vec3 g(0, -9.80665, 0);
  for (const BodyKind kind : {BodyKind::point, BodyKind::rigid, BodyKind::flexible}) {
    Object o = eight_nodes({});
    o.body.kind = kind;
    Moving m(of(o), 0);
    std::vector<double> up(m.body.velocity_size(), 0.0);
    for (std::size_t k = 1; k < (kind == BodyKind::flexible ? up.size() : 3); k += 3) up[k] = 0.02;
    CHECK(displacement_cost(m.body, m.values, up, g) == Approx(0.02 * 9.80665 * m.body.mass).epsilon(1e-9));
  }
  Object rigid = eight_nodes({});
  rigid.body.spin = Vec3(0, 0, 3);
  rigid.transform.rotation = Quat::Identity();
  Moving spinning(of(rigid), 0);
  const std::vector<double> quarter = {0, 0, 0, 0.5 * kPi, 0, 0};  // L ends up along the body's y axis
  const double jy = 3.0 / 12 * 1.36, jz = 3.0 / 12 * 0.52, l = 3 * jz;
  CHECK(displacement_cost(spinning.body, spinning.values, quarter, Vec3::Zero()) ==
        Approx(0.5 * l * l * (1 / jy - 1 / jz)).epsilon(1e-9));

  Object soft = eight_nodes({});
  soft.body.kind = BodyKind::flexible;
  Moving m(of(soft), 0);
  const DenseTruss dense(m, m.run.model->step);
  std::vector<double> dx(24);
  for (std::size_t k = 0; k < 24; ++k) dx[k] = 1e-6 * std::sin(1.0 + 7.0 * static_cast<double>(k));
  const Eigen::Map<const Eigen::VectorXd> d(dx.data(), 24);
  CHECK(displacement_cost(m.body, m.values, dx, Vec3::Zero()) ==
        Approx(0.5 * d.dot(dense.stiffness * d)).epsilon(1e-4));
}
