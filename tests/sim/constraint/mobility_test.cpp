// W of rows against matrices that are written down here and inverted densely, for every kind of body; how G follows the nodes; and
// what it costs to move a body.
#include "core/sim/constraint/mobility.h"

#include <Eigen/Core>

#include "core/geometry/mapping/bones.h"
#include "tests/sim/constraint/eight_nodes.h"
#include "tests/support/dense.h"

namespace mobility_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

using Dense = Eigen::MatrixXd;
using Pins = std::vector<std::uint32_t>;

const std::vector<Pins> kPins = {{}, {0}, {0, 4}, {0, 1, 6}, {0, 1, 2, 3, 4, 5, 6, 7}};

/// Rows between one body, as a and as b in turns, and nothing that moves.
struct Rows {
  Moving moving;
  std::vector<BodyMotion> motions;
  std::vector<Row> rows;
  Mobility mobility;

  Rows(const World& world, int steps) : moving(world, steps), motions(1) {
    REQUIRE(moving.run.model->bodies.size() == 1);
    moving.body.motion(moving.run.model->step, moving.values, moving.values, motions[0]);
    motions.emplace_back();
  }
  const hazumi::Body& body() const { return moving.body; }

  void make(const std::vector<ContactAnchor>& anchors) {
    BodyMotion& m = motions[0];
    for (const ContactAnchor& anchor : anchors) list_vertices(anchor, m);
    body().hold(moving.run.model->step, m);
    rows.assign(anchors.size(), Row());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      Row& row = rows[i];
      row.key.feature = i;
      (i % 2 ? row.body_a : row.body_b) = 1;
      (i % 2 ? row.anchor_b : row.anchor_a) = anchors[i];
      row.point = place(m, anchors[i]);
      take_hold(m, anchors[i], row.point, i % 2 ? row.b : row.a);
    }
    const std::vector<std::uint32_t> bodies = m.moves ? std::vector<std::uint32_t>{0} : std::vector<std::uint32_t>{};
    const std::vector<std::uint32_t> local = {0, 0};
    ElasticWorkspace workspace;
    mobility.make(*moving.run.model, motions, bodies, local, rows, {}, workspace);
  }

  /// W_ij, without the signs of the rows.
  Mat3 block(std::size_t i, std::size_t j) const {
    Mat3 w;
    std::vector<Vec3> impulses(rows.size(), Vec3::Zero()), said(rows.size());
    for (int k = 0; k < 3; ++k) {
      impulses[j] = Vec3::Unit(k);
      mobility.product(impulses, said);
      w.col(k) = said[i];
    }
    return i % 2 == j % 2 ? w : Mat3(-w);
  }
};

void check_close(const Mat3& found, const Mat3& expected, double scale) {
  INFO(found << "\nexpected\n" << expected);
  CHECK((found - expected).norm() < 1e-10 * (1e-20 + scale));
}

/// A⁻¹ of a truss by hand: (M + ½ h C + ¼ h² K)⁻¹ of the nodes that are free, world axes.
struct DenseTruss {
  Dense inverse, stiffness;

  DenseTruss(const Truss& truss, const Mat3& rotation, double h) {
    const auto n = static_cast<Eigen::Index>(truss.nodes.size());
    Dense a = Dense::Zero(3 * n, 3 * n);
    stiffness = a;
    const bool damped =
        std::any_of(truss.springs.begin(), truss.springs.end(), [](const Spring& s) { return s.damping > 0; });
    for (Eigen::Index i = 0; i < n; ++i)
      a.block<3, 3>(3 * i, 3 * i) = truss.masses[static_cast<std::size_t>(i)] * Mat3::Identity();
    for (const Spring& s : truss.springs) {
      const Vec3 along = rotation * (truss.nodes[s.b] - truss.nodes[s.a]).normalized();
      const Mat3 block = along * along.transpose();
      // With the damping floor of what the step does not resolve.
      const double resolved = 0.25 * h * h * s.stiffness * (1 / truss.masses[s.a] + 1 / truss.masses[s.b]);
      const double damping = s.damping + (damped ? 0.05 * h * s.stiffness * resolved / (1 + resolved) : 0);
      for (const auto& [i, j, sign] :
           {std::tuple{s.a, s.a, 1.0}, {s.b, s.b, 1.0}, {s.a, s.b, -1.0}, {s.b, s.a, -1.0}}) {
        stiffness.block<3, 3>(3 * i, 3 * j) += sign * s.stiffness * block;
        a.block<3, 3>(3 * i, 3 * j) += sign * (0.5 * h * damping + 0.25 * h * h * s.stiffness) * block;
      }
    }
    std::vector<Eigen::Index> free;
    for (Eigen::Index i = 0; i < 3 * n; ++i)
      if (std::find(truss.pinned.begin(), truss.pinned.end(), i / 3) == truss.pinned.end()) free.push_back(i);
    inverse = Dense::Zero(3 * n, 3 * n);
    if (free.empty()) return;
    const Dense of_free = test::inverse(a(free, free));
    inverse(free, free) = of_free;
  }
};

/// G of a grip as one dense matrix, by the sums that motion.h and row.h say.
Dense jacobian(const BodyMotion& m, const RowGrip& grip) {
  const auto n = static_cast<Eigen::Index>(m.masses.size());
  Dense g = Dense::Zero(3, 3 * n);
  const GripSums sums = each_node(grip, m, [&](std::uint32_t k, const Mat3& w) { g.block<3, 3>(0, 3 * k) += w; });
  for (Eigen::Index k = 0; k < n; ++k) {
    const auto i = static_cast<std::size_t>(k);
    g.block<3, 3>(0, 3 * k) += m.masses[i] * m.inverse_mass * sums.of_centre +
                               sums.of_turn * m.held.rate * m.masses[i] * skew(m.held.attitude * m.arms[i]);
  }
  return g;
}

ContactAnchor on_nodes(std::array<std::uint32_t, 3> nodes, std::array<double, 3> weights, const Vec3& offset) {
  ContactAnchor anchor;
  anchor.kind = ContactAnchor::nodal;
  anchor.nodes = nodes;
  anchor.weights = weights;
  anchor.offset = offset;
  return anchor;
}

std::vector<ContactAnchor> anchors_of(const hazumi::Body& body) {
  std::vector<ContactAnchor> anchors = {
      on_nodes({3, 0, 0}, {1, 0, 0}, Vec3::Zero()),
      on_nodes({2, 5, 7}, {0.5, 0.2, 0.3}, Vec3(0.05, 0.1, -0.02)),
      on_nodes({1, 4, 6}, {1.5, -0.2, -0.3}, Vec3(0, 0.3, 0)),
  };
  if (body.proxy.skin_drivers.empty()) return anchors;
  const std::vector<SkinDrivers>& skin = body.proxy.skin_drivers;
  REQUIRE(skin.size() > 7);
  anchors.push_back(anchors[0]);
  anchors.back().skin[0] = &skin[2];
  anchors.push_back(anchors[1]);
  anchors.back().skin = {&skin[0], &skin[7], &skin[5]};
  anchors.push_back(anchors[1]);
  anchors.back().skin[1] = &skin[3];
  return anchors;
}

/// The flexible bodies that are looked at: every mapping on every kind of pins.
std::vector<std::pair<std::string, Object>> flexible_bodies() {
  std::vector<std::pair<std::string, Object>> out;
  for (const double stiffness : {300.0, 1e5, 1e8})
    for (const Pins& pins : kPins)
      for (const MappingKind kind :
           {MappingKind::automatic, MappingKind::linear, MappingKind::lattice, MappingKind::skeleton}) {
        if (stiffness > 300 && kind != MappingKind::automatic) continue;
        Object o = eight_nodes(pins);
        o.body.kind = BodyKind::flexible;
        o.body.stiffness = stiffness;
        o.body.damping = 3;
        o.body.gravity = false;
        o.display.primitive.size = Vec3(1.2, 0.5, 1.4);
        o.mapping.kind = kind;
        o.mapping.bones =
            bones_along_longest_axis(std::vector<Vec3>{{0, 0.2, -0.5}, {0, -0.2, -0.5}, {0, 0.2, 0.5}}, 2);
        if (kind == MappingKind::automatic) o.display.kind = DisplayKind::none;
        out.push_back({"k " + std::to_string(stiffness) + ", pins " + std::to_string(pins.size()) + ", mapping " +
                           std::to_string(static_cast<int>(kind)),
                       o});
      }
  return out;
}

}  // namespace

TEST_CASE("W of a row that holds one body at two places", "[constraint][mobility]") {
  for (const auto& [name, object] : flexible_bodies()) {
    INFO(name);
    Rows apart(of(object), 7);
    if (!apart.motions[0].moves) continue;
    const std::vector<ContactAnchor> anchors = anchors_of(apart.body());
    apart.make({anchors[0], anchors[1], anchors[2]});
    const Mat3 expected = apart.block(0, 0) + apart.block(1, 1) - apart.block(0, 1) - apart.block(1, 0);

    Rows both(of(object), 7);
    both.make({anchors[0], anchors[1], anchors[2]});
    Row& row = both.rows[0];
    row.anchor_b = anchors[1];
    row.body_b = 0;
    row.b = both.rows[1].b;
    const std::vector<std::uint32_t> bodies = {0}, local = {0, 0};
    ElasticWorkspace workspace;
    both.mobility.make(*both.moving.run.model, both.motions, bodies, local, both.rows, {}, workspace);
    check_close(both.block(0, 0), expected, apart.block(0, 0).norm() + apart.block(1, 1).norm());
    check_close(both.mobility.own(0), expected, apart.block(0, 0).norm() + apart.block(1, 1).norm());
    // Of this row and others: row 2 is that of `apart`.
    check_close(both.block(0, 2), apart.block(0, 2) - apart.block(1, 2),
                apart.block(0, 0).norm() + apart.block(2, 2).norm());
  }
}

TEST_CASE("W of points and rigid bodies is the inverse with the pins as constraints", "[constraint][mobility]") {
  std::vector<ContactAnchor> arms(3);
  arms[0].offset = Vec3(0.3, -0.2, 0.1);
  arms[2].kind = ContactAnchor::world_axes;
  arms[2].offset = Vec3(-0.1, 0.4, 0.2);
  Object point = eight_nodes({});
  point.body.kind = BodyKind::point;
  Rows light(of(point), 5);
  light.make(arms);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) check_close(light.block(i, j), Mat3::Identity() / 3, 1);

  for (const Pins& pins : kPins) {
    CAPTURE(pins.size());
    Rows r(of(eight_nodes(pins)), 40);
    r.make(arms);
    const Pose pose = r.body().pose(r.moving.values);
    const Mat3 turn = pose.rotation.toRotationMatrix();
    // Box of 0.6 × 0.4 × 1 m, 3 kg.
    const Mat3 inertia = turn * Vec3(3.0 / 12 * Vec3(1.16, 1.36, 0.52)).asDiagonal() * turn.transpose();
    const auto held = static_cast<Eigen::Index>(pins.size());
    Dense kkt = Dense::Zero(6 + 3 * held, 6 + 3 * held);
    kkt.block<3, 3>(0, 0) = 3 * Mat3::Identity();
    kkt.block<3, 3>(3, 3) = inertia;
    for (Eigen::Index k = 0; k < held; ++k) {
      Dense c(3, 6);
      const std::uint32_t pin = pins[static_cast<std::size_t>(k)];
      c << Mat3::Identity(), -skew(pose.rotation * (r.body().truss.nodes[pin] - r.body().mesh_origin));
      kkt.block(6 + 3 * k, 0, 3, 6) = c;
      kkt.block(0, 6 + 3 * k, 6, 3) = c.transpose();
    }
    const Dense inverse = test::pseudo_inverse(kkt).block(0, 0, 6, 6);
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) {
        Dense of_i(3, 6), of_j(3, 6);
        of_i << Mat3::Identity(), -skew(r.rows[i].point - pose.position);
        of_j << Mat3::Identity(), -skew(r.rows[j].point - pose.position);
        if (pins.size() < 3) {
          check_close(r.block(i, j), of_i * inverse * of_j.transpose(), 1);
          continue;
        }
        CHECK((of_i * inverse * of_j.transpose()).norm() < 1e-10);
        CHECK(r.block(i, j) == Mat3::Zero());
      }
  }
}

TEST_CASE("W of flexible bodies is G A⁻¹ Gᵀ with the dense inverse of M + h/2 C + h²/4 K", "[constraint][mobility]") {
  double worst = 0;
  for (const auto& [name, object] : flexible_bodies()) {
    INFO(name);
    Rows r(of(object), 40);
    const std::vector<ContactAnchor> anchors = anchors_of(r.body());
    r.make(anchors);
    const BodyMotion& m = r.motions[0];
    const DenseTruss dense(r.body().truss, m.held.attitude, r.moving.run.model->step);
    std::vector<Dense> g;
    for (std::size_t i = 0; i < anchors.size(); ++i) g.push_back(jacobian(m, i % 2 ? r.rows[i].b : r.rows[i].a));
    for (std::size_t i = 0; i < anchors.size(); ++i)
      for (std::size_t j = 0; j < anchors.size(); ++j) {
        const Mat3 expected = g[i] * dense.inverse * g[j].transpose(), found = r.block(i, j);
        const double size = std::sqrt((g[i] * dense.inverse * g[i].transpose()).trace() *
                                      (g[j] * dense.inverse * g[j].transpose()).trace());
        check_close(found, expected, size);
        if (size > 0) worst = std::max(worst, (found - expected).norm() / size);
      }
  }
  WARN("W against the dense inverse: " << worst);
}

TEST_CASE("W does not depend on the method that steps the body", "[constraint][mobility]") {
  Object o = eight_nodes({});
  o.body.kind = BodyKind::flexible;
  o.body.stiffness = 300;
  o.display.kind = DisplayKind::none;
  Rows factored(of(o), 0);
  set_parameter(o.body.parameters, {"lagrange", "method", "fixed point"});
  Rows iterated(of(o), 0);
  factored.make(anchors_of(factored.body()));
  iterated.make(anchors_of(iterated.body()));
  for (std::size_t i = 0; i < 3; ++i) check_close(iterated.block(i, 1), factored.block(i, 1), 1);
}

TEST_CASE("G says how a place of a flexible body follows its nodes", "[constraint][mobility]") {
  double worst = 0, worst_rigid = 0;
  for (const auto& [name, object] : flexible_bodies()) {
    if (object.body.stiffness > 300) continue;
    INFO(name);
    Rows r(of(object), 40);
    const std::vector<ContactAnchor> anchors = anchors_of(r.body());
    r.make(anchors);
    const BodyMotion& m = r.motions[0];
    const auto moved = [&](std::size_t anchor, std::uint32_t node, const Vec3& by) {
      BodyMotion there = m;
      there.nodes_from[node] += by;
      there.nodes_to[node] += by;
      there.centre += r.body().truss.masses[node] / r.body().mass * by;
      r.body().hold(r.moving.run.model->step, there);
      return place(there, anchors[anchor]);
    };
    const std::vector<std::uint32_t>& pinned = r.body().truss.pinned;
    for (std::size_t i = 0; i < anchors.size(); ++i) {
      const Dense g = jacobian(m, i % 2 ? r.rows[i].b : r.rows[i].a);
      Mat3 sum = Mat3::Zero(), about = Mat3::Zero();
      for (std::uint32_t k = 0; k < m.masses.size(); ++k) {
        sum += g.block<3, 3>(0, 3 * k);
        about -= g.block<3, 3>(0, 3 * k) * skew(m.middle(k) - r.rows[i].point);
        if (std::find(pinned.begin(), pinned.end(), k) != pinned.end()) continue;
        for (int axis = 0; axis < 3; ++axis) {
          const double step = 1e-5;
          const Vec3 up = moved(i, k, step * Vec3::Unit(axis)), down = moved(i, k, -step * Vec3::Unit(axis));
          worst = std::max(worst, ((up - down) / (2 * step) - g.col(3 * k + axis)).norm());
        }
      }
      if (pinned.empty()) worst_rigid = std::max({worst_rigid, (sum - Mat3::Identity()).norm(), about.norm()});
    }
  }
  CHECK(worst < 2e-9);
  CHECK(worst_rigid < 1e-12);
  WARN("G against differences: " << worst << ", rigid motion: " << worst_rigid);
}

TEST_CASE("What a move costs: weight, springs, and rotation at constant angular momentum", "[constraint][mobility]") {
  const auto energy = [](const Rows& r, std::span<const double> values) {
    const Observables o = r.body().observe(values);
    return o.kinetic_energy + o.elastic_energy - o.mass * r.moving.run.model->gravity.dot(o.centre);
  };
  // Of pushes μ (kg m) at anchors: what shift() makes of the energy, and where it puts the places.
  const auto pushed = [](Rows& r, const std::vector<ContactAnchor>& anchors, const std::vector<Vec3>& by,
                         std::vector<double>& values) {
    r.make(anchors);
    BodyForces pushes;
    pushes.nodes.assign(r.body().deforms ? r.body().truss.nodes.size() : 0, Vec3::Zero());
    for (std::size_t i = 0; i < anchors.size(); ++i)
      add_impulse(r.motions[0], i % 2 ? r.rows[i].b : r.rows[i].a, r.rows[i].point, by[i], pushes);
    if (r.body().deforms) share_out(r.motions[0], pushes);
    r.body().shift(values, pushes, r.motions[0]);
  };
  for (const BodyKind kind : {BodyKind::point, BodyKind::rigid}) {
    CAPTURE(static_cast<int>(kind));
    Object o = eight_nodes({});
    o.body.kind = kind;
    Rows r(of(o), 3);
    std::vector<double> values = r.moving.values;
    const double before = energy(r, values);
    pushed(r, {ContactAnchor()}, {Vec3(0, 0.02 * r.body().mass, 0)}, values);  // at the centre: 2 cm up
    CHECK(energy(r, values) - before == Approx(-0.02 * r.moving.run.model->gravity.y() * r.body().mass).epsilon(1e-11));
  }

  Object rigid = eight_nodes({});
  rigid.body.gravity = false;
  rigid.body.spin = Vec3(0, 0, 3);
  rigid.transform.rotation = Quat::Identity();
  Rows spinning(of(rigid), 0);
  std::vector<double> turned = spinning.moving.values;
  const double jx = 3.0 / 12 * 1.16, jy = 3.0 / 12 * 1.36, jz = 3.0 / 12 * 0.52, l = 3 * jz,
               still = energy(spinning, turned);
  BodyForces quarter;  // about x: L ends up along the body's y axis
  quarter.twist = Vec3(0.5 * kPi * jx, 0, 0);
  spinning.body().shift(turned, quarter, spinning.motions[0]);
  CHECK(energy(spinning, turned) - still == Approx(0.5 * l * l * (1 / jy - 1 / jz)).epsilon(1e-9));

  for (const auto& [name, object] : flexible_bodies()) {
    if (object.body.stiffness > 1e5 || object.analysis.strung->nodes[7].pinned) continue;
    INFO(name);
    Object o = object;
    o.body.velocity.setZero();
    o.body.spin.setZero();
    Rows r(of(o), 0);
    const std::vector<ContactAnchor> anchors = anchors_of(r.body());
    std::vector<Vec3> by;
    for (int i = 0; i < static_cast<int>(anchors.size()); ++i)
      by.push_back(1e-6 * Vec3(std::sin(1.0 + 7 * i), std::cos(2.0 + 5 * i), std::sin(3.0 * i)));
    std::vector<double> values = r.moving.values;
    pushed(r, anchors, by, values);
    const BodyMotion& m = r.motions[0];
    const DenseTruss dense(r.body().truss, m.held.attitude, r.moving.run.model->step);
    Eigen::VectorXd impulse = Eigen::VectorXd::Zero(24);
    for (std::size_t i = 0; i < anchors.size(); ++i)
      impulse += jacobian(m, i % 2 ? r.rows[i].b : r.rows[i].a).transpose() * by[i];
    const Eigen::VectorXd dx = dense.inverse * impulse;
    CHECK(energy(r, values) - energy(r, r.moving.values) ==
          Approx(0.5 * dx.dot(dense.stiffness * dx) -
                 r.body().mass * r.moving.run.model->gravity.dot(r.body().observe(values).centre -
                                                                 r.body().observe(r.moving.values).centre))
              .epsilon(2e-5)
              .margin(1e-15));
    // The places go where W says.
    std::vector<Vec3> there(8), was(8);
    r.body().positions(values, there);
    r.body().positions(r.moving.values, was);
    for (std::size_t k = 0; k < 8; ++k)
      CHECK((there[k] - was[k] - dx.segment<3>(3 * static_cast<Eigen::Index>(k))).norm() < 1e-4 * dx.norm());
  }
}

namespace {

Object plane_of_cloth() {
  Object o;
  o.name = "cloth";
  o.display.kind = DisplayKind::primitive;
  o.display.primitive = {PrimitiveShape::plane, Vec3(1, 1, 0.8), {16, 1, 13}};
  o.analysis.kind = AnalysisKind::cloth;
  o.analysis.divisions = {16, 1, 13};
  o.analysis.size = Vec3(1, 1, 0.8);
  o.analysis.bending = 1e-3;
  o.body.kind = BodyKind::flexible;
  o.body.mass = 0.3;
  o.body.stiffness = 500;
  o.body.damping = 0.5;
  o.body.solver = "springs";
  o.body.gravity = false;
  return o;
}

}  // namespace

TEST_CASE("W of a cloth that hundreds of rows hold is told by its products, as the body answers",
          "[constraint][mobility][cloth]") {
  Rows r(of(plane_of_cloth()), 0);
  const auto& body = dynamic_cast<const FlexibleBody&>(r.body());
  const std::size_t n = body.truss.nodes.size();
  std::vector<Vec3> shift(n);
  for (std::size_t i = 0; i < n; ++i) {  // bent into a wave, and pulled
    const Vec3& x = body.truss.nodes[i];
    shift[i] = Vec3(0.1 * x.x(), 0.1 * std::sin(7 * x.x()) + 0.05 * x.z(), 0);
  }
  body.elastic->displace(r.moving.values, shift);
  body.motion(r.moving.run.model->step, r.moving.values, r.moving.values, r.motions[0]);
  std::vector<ContactAnchor> anchors;
  for (std::uint32_t i = 0; i < 205; ++i) anchors.push_back(on_nodes({i, 0, 0}, {1, 0, 0}, Vec3::Zero()));
  for (std::uint32_t i = 0; i + 1 < 25; ++i)  // places between two nodes beside each other
    anchors.push_back(on_nodes({i, i + 1, 0}, {0.3, 0.7, 0}, Vec3::Zero()));
  r.make(anchors);
  REQUIRE(r.mobility.products());
  std::vector<Dense> g;
  const auto expected = [&](std::span<const Vec3> impulses) {
    Eigen::VectorXd push = Eigen::VectorXd::Zero(3 * static_cast<Eigen::Index>(n)), moved = push;
    std::vector<Vec3> dv(n), out(impulses.size());
    for (std::size_t i = 0; i < impulses.size(); ++i) push += g[i].transpose() * impulses[i];
    std::vector<NodeImpulse> pushes;
    for (std::uint32_t k = 0; k < n; ++k) pushes.push_back({k, push.segment<3>(3 * static_cast<Eigen::Index>(k))});
    body.elastic->respond(r.moving.values, pushes, dv);
    for (std::uint32_t k = 0; k < n; ++k) moved.segment<3>(3 * static_cast<Eigen::Index>(k)) = dv[k];
    for (std::size_t i = 0; i < impulses.size(); ++i) out[i] = g[i] * moved + r.mobility.given(i) * impulses[i];
    return out;
  };
  const auto off = [&] {
    g.assign(r.rows.size(), Dense::Zero(3, 3 * static_cast<Eigen::Index>(n)));
    for (std::size_t i = 0; i < r.rows.size(); ++i) {
      if (r.rows[i].body_a == 0) g[i] += jacobian(r.motions[0], r.rows[i].a);
      if (r.rows[i].body_b == 0) g[i] -= jacobian(r.motions[0], r.rows[i].b);
    }
    std::vector<Vec3> impulses(r.rows.size()), said(impulses.size());
    for (std::size_t i = 0; i < impulses.size(); ++i)
      impulses[i] = Vec3(std::sin(1.0 + 3.0 * static_cast<double>(i)), std::cos(2.0 * static_cast<double>(i)), 0.3);
    r.mobility.product(impulses, said);
    const std::vector<Vec3> wanted = expected(impulses);
    double most = 0, size = 0;
    for (std::size_t i = 0; i < said.size(); ++i) {
      most = std::max(most, (said[i] - wanted[i]).norm());
      size = std::max(size, wanted[i].norm());
    }
    return most / size;
  };
  CHECK(off() < 1e-9);
  // Blocks of one row, whose nodes are near each other.
  for (const std::size_t i : {std::size_t{0}, std::size_t{100}, std::size_t{210}, std::size_t{227}}) {
    Mat3 w;
    for (int k = 0; k < 3; ++k) {
      std::vector<Vec3> one(r.rows.size(), Vec3::Zero());
      one[i] = Vec3::Unit(k);
      w.col(k) = expected(one)[i];
    }
    CHECK((r.mobility.own(i) - w).norm() < 1e-9 * w.norm());
  }
  // One that holds it at two places far from each other: it turns the body as a whole, which what is pulled resists a little.
  const std::size_t both = 3;
  r.rows[both].body_a = r.rows[both].body_b = 0;
  take_hold(r.motions[0], on_nodes({180, 0, 0}, {1, 0, 0}, Vec3::Zero()), r.rows[both].point, r.rows[both].a);
  const std::vector<std::uint32_t> bodies = {0}, local = {0, 0};
  ElasticWorkspace workspace;
  r.mobility.make(*r.moving.run.model, r.motions, bodies, local, r.rows, {}, workspace);
  CHECK(r.mobility.given(both) > 0);
  CHECK(off() < 5e-3);  // 2e-3
}

}  // namespace mobility_test
