// What deforms is held by its nodes: parts that share nodes, rigid bodies and leads on it, and contacts beside them.
#include "core/geometry/truss/strung.h"
#include "tests/sim/joint/joint_support.h"
#include "tests/support/sanitized.h"

namespace soft_joint_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

constexpr double kCell = 0.25;  // m

/// Cells from..to of a beam along x, one wide and high; what lies on a cut counts half on each side of it.
Object beam(int from, int to, int count, bool pinned) {
  TrussRecipe recipe;
  recipe.shape = TrussShape::box_grid;
  recipe.divisions = {to - from, 1, 1};
  recipe.size = Vec3(kCell * (to - from), kCell, kCell);
  StrungTruss truss = to_strung(make_truss(recipe));
  const double left = -0.5 * recipe.size.x(), right = -left;
  const auto cut = [&](double x) {
    return (from > 0 && std::abs(x - left) < 1e-9) || (to < count && std::abs(x - right) < 1e-9);
  };
  for (StrungNode& node : truss.nodes) {
    node.mass = cut(node.position.x()) ? 0.5 : 1;
    node.pinned = pinned && from == 0 && std::abs(node.position.x() - left) < 1e-9;
  }
  for (StrungSpring& spring : truss.springs) {
    const double a = truss.nodes[spring.a].position.x(), b = truss.nodes[spring.b].position.x();
    if (cut(a) && a == b) spring.stiffness = spring.damping = 0.5;
  }
  double mass = 0;
  for (const StrungNode& node : truss.nodes) mass += node.mass;
  Object o = make_object(0, "beam", {PrimitiveShape::box, recipe.size, {1, 1, 1}},
                         Vec3(kCell * 0.5 * (from + to), 2, 0), BodyKind::flexible);
  o.analysis.kind = AnalysisKind::strung;
  o.analysis.strung = std::make_shared<const StrungTruss>(truss);
  o.body.mass = 0.1 * mass;
  o.body.stiffness = 4000;
  o.body.damping = 0;
  o.contact.enabled = false;
  return o;
}

/// A beam of `count` cells cut into `parts` that share the four nodes of each cut.
JointWorld beams(int count, int parts, bool pinned, double stiffness, double damping) {
  JointWorld world;
  Id last{0};
  for (int k = 0; k < parts; ++k) {
    const int from = k * count / parts, to = (k + 1) * count / parts;
    Object part = beam(from, to, count, pinned);
    part.body.stiffness = stiffness;
    part.body.damping = damping;
    const Id id = world.add(part);
    if (k > 0)
      for (const double y : {-0.5, 0.5})
        for (const double z : {-0.5, 0.5})
          world.joined(JointKind::ball, last, id, Vec3(kCell * from, 2 + kCell * y, kCell * z));
    last = id;
  }
  return world;
}

/// The middle of the four nodes at the end.
Vec3 tip(const JointRun& run) {
  const std::size_t last = run.model->bodies.size() - 1;
  const std::vector<Vec3> x = run.nodes(last), &rest = run.model->bodies[last].truss.nodes;
  double most = -1e300;
  for (const Vec3& at : rest) most = std::max(most, at.x());
  Vec3 sum = Vec3::Zero();
  for (std::size_t i = 0; i < x.size(); ++i)
    if (rest[i].x() > most - 1e-6) sum += 0.25 * x[i];
  return sum;
}

}  // namespace

TEST_CASE("A beam cut in four and joined at its nodes bends as the uncut one", "[joint][soft_joint]") {
  // So little that what is one body, which bends linearly in its frame, bends as bodies do that turn by themselves.
  const JointWorld whole = beams(8, 1, true, 4e6, 2e3), cut = beams(8, 4, true, 4e6, 2e3);
  JointRun a(whole), b(cut);
  REQUIRE(b.model->joints.size() == 12);
  const double start = tip(a).y();
  double most = 0, gap = 0;
  for (int n = 0; n < 480; ++n) {
    a.steps(1);
    b.steps(1);
    gap = std::max(gap, b.gap());
    most = std::max(most, (tip(a) - tip(b)).norm());
  }
  const double bent = start - tip(a).y();
  INFO("bent by " << bent << ", apart at most " << most << ", in the end " << (tip(a) - tip(b)).norm() << ", gap "
                  << gap << ", passes " << b.figures.passes / 480.0 << ", stayed " << b.figures.stayed);
  CHECK(bent > 1e-4);
  CHECK((tip(a) - tip(b)).norm() < 1e-3 * bent);
  CHECK(gap < 1e-9);
  CHECK(b.figures.stayed == 0);
}

TEST_CASE("Parts that share nodes keep energy and momenta", "[joint][soft_joint]") {
  JointWorld world = beams(8, 4, false, 4000, 0);
  world.scene.settings.gravity.setZero();
  for (auto& object : world.scene.objects)
    object = object.edited([&](Object& o) {
      const Vec3 from_middle = o.transform.position - Vec3(1, 2, 0);
      o.body.spin = Vec3(0.3, 0.2, 2);
      o.body.velocity = Vec3(0.3, 0.2, 2).cross(from_middle) + Vec3(0.1, 0, 0.2);
    });
  JointRun run(world);
  const double energy = run.energy();
  const auto momenta = [&] {
    Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
    for (std::size_t i = 0; i < run.model->bodies.size(); ++i) {
      const Observables o = observe(*run.model, run.state, i);
      linear += o.momentum;
      angular += o.angular_momentum + o.centre.cross(o.momentum);
    }
    return std::pair(linear, angular);
  };
  const auto before = momenta();
  double off = 0, gap = 0;
  for (int n = 0; n < (sanitized() ? 500 : 10000); ++n) {
    run.steps(1);
    off = std::max(off, std::abs(run.energy() - energy));
    gap = std::max(gap, run.gap());
  }
  const auto after = momenta();
  INFO("energy " << energy << " off by " << off << ", met " << run.figures.met << ", gap " << gap << ", P "
                 << (after.first - before.first).norm() << ", L " << (after.second - before.second).norm()
                 << ", passes " << run.figures.passes / 1e4 << ", stayed " << run.figures.stayed);
  CHECK(off < 1e-3 * energy);
  CHECK(gap < 1e-9);
  CHECK((after.first - before.first).norm() < 1e-9);
  CHECK((after.second - before.second).norm() < 1e-9);
  CHECK(run.figures.stayed == 0);
}

TEST_CASE("Rigid and flexible bodies in one chain hang and swing", "[joint][soft_joint]") {
  JointWorld world;
  Id last{0};
  for (int k = 0; k < 6; ++k) {
    Object o = k % 2 == 0 ? World::hard("bar", {PrimitiveShape::box, Vec3(0.2, 0.1, 0.1), {1, 1, 1}}, Vec3::Zero(), 1)
                          : beam(0, 1, 1, false);
    o.transform.position = Vec3(0.3 * k + 0.15, 3, 0);
    o.contact.enabled = false;
    const Id id = world.add(o);
    world.joined(JointKind::ball, last, id, Vec3(0.3 * k, 3, 0));
    last = id;
  }
  JointRun run(world);
  const double energy = run.energy();
  double off = 0, gap = 0;
  for (int n = 0; n < 2400; ++n) {
    run.steps(1);
    off = std::max(off, std::abs(run.energy() - energy));
    gap = std::max(gap, run.gap());
  }
  INFO("off by " << off << ", met " << run.figures.met << ", gap " << gap << ", passes " << run.figures.passes / 2400.0
                 << ", stayed " << run.figures.stayed);
  CHECK(off < 1e-3 * 6 * 9.81);
  CHECK(gap < 1e-9);
  CHECK(run.figures.stayed == 0);
}

TEST_CASE("Joints that are closed at the end of a sub-step know how what bends is moved there", "[joint][soft_joint]") {
  // They took A⁻¹ of a rope where it was at the start: of one that swings they never closed, and no overlap of what hangs on it was taken out.
  for (const char* solver : {"springs", "lagrange", "polyhedral"})
    for (int seed = 0; seed < 8; ++seed) {
      reference::Dice dice(static_cast<std::uint64_t>(seed));
      const bool limp = std::string(solver) == "springs";
      World world;
      Object o = limp ? make_object(0, "rope", {PrimitiveShape::cylinder, Vec3(0.02, 1, 0.02), {6, 5, 1}}, Vec3::Zero(),
                                    BodyKind::flexible)
                      : beam(0, 3, 3, false);
      if (limp) {
        o.analysis.kind = AnalysisKind::rope;
        o.analysis.divisions = {8, 1, 1};
        o.analysis.size = Vec3(0.02, 1, 0.02);
      }
      o.body.mass = 0.3;
      o.body.stiffness = std::exp(dice.uniform(std::log(1e3), std::log(1e6)));
      o.body.solver = solver;
      o.body.spin = 5 * dice.vector();
      o.contact.enabled = false;
      world.add(o);
      const Run run(world);
      const Body& body = run.model->bodies[0];
      const auto nodes = static_cast<std::uint32_t>(body.truss.nodes.size());
      LinkSoft soft;
      for (const std::uint32_t node : {0u, nodes / 3, nodes - 1}) soft.anchors.push_back({0, true, {{node, 1}}});
      BodyForces forces;
      forces.nodes.assign(nodes, Vec3::Zero());
      soft.begin(body, run.state.bodies[0].values, forces, Vec3::Zero());
      std::vector<Vec3> pushes(3), before(3);
      for (Vec3& push : pushes) push = 0.2 * dice.vector();
      REQUIRE(soft.advance(body, run.model->step, pushes, nullptr));
      soft.see_end(body);
      soft.answer_where_it_is();
      for (std::size_t i = 0; i < 3; ++i) before[i] = soft.place(i, LinkSoft::At::end);
      for (Vec3& push : pushes) push = 1e-6 * dice.vector();
      soft.shift(body, pushes, {});
      double off = 0, way = 0;
      for (std::size_t i = 0; i < 3; ++i) {
        const Vec3 went = soft.place(i, LinkSoft::At::end) - before[i];
        Vec3 said = Vec3::Zero();
        for (std::size_t k = 0; k < 3; ++k) said += soft.answer(i, k) * pushes[k];
        off = std::max(off, (went - said).norm());
        way = std::max(way, went.norm());
      }
      INFO(solver << ", seed " << seed << ": off " << off << " of " << way);
      CHECK(off < 1e-7 * way);
    }
}

}  // namespace soft_joint_test
