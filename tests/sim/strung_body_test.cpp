// A strung truss in the simulation: factors of nodes and springs become kilograms and newtons per metre, and
// the body moves by them.
#include "tests/support/run.h"
#include "tests/support/swings.h"

namespace strung_body_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

/// Two nodes a metre apart along x, 1 : 3 in mass, one spring.
Object dumb_bell() {
  StrungTruss strung;
  strung.nodes = {{Vec3(0, 0, 0), 1, false}, {Vec3(0.5, 0, 0), 3, false}};
  strung.springs = {{0, 1, 2, 0.5, 3}};
  Object o;
  o.display.kind = DisplayKind::none;
  o.analysis = {"Bell",       AnalysisKind::strung, {1, 1, 1},
                Vec3::Ones(), Vec3::Zero(),         std::make_shared<const StrungTruss>(strung)};
  o.transform.scale = Vec3(2, 1, 1);
  o.body.kind = BodyKind::flexible;
  o.body.mass = 4;
  o.body.stiffness = 500;
  o.body.damping = 0.8;
  o.body.gravity = false;
  return o;
}

}  // namespace

TEST_CASE("Factors of a strung truss are shares of the body's mass, stiffness and damping", "[strung_body]") {
  Object o = dumb_bell();
  Truss truss = object_truss(o, {});
  CHECK(truss.masses[0] == Approx(1));
  CHECK(truss.masses[1] == Approx(3));
  CHECK(truss.springs[0].stiffness == Approx(1000));
  CHECK(truss.springs[0].damping == Approx(0.4));
  o.body.stiffness_source = StiffnessSource::material;
  o.body.cross_section = 2e-4;
  o.material.substance.young = 1e6;
  truss = object_truss(o, {});
  CHECK(truss.springs[0].stiffness ==
        Approx(2 * 1e6 * 3 * 2e-4 / 1.0));  // factor × E × A of this spring / scaled length
}

TEST_CASE("A strung body swings with its own masses and its own springs", "[strung_body]") {
  for (const bool material : {false, true}) {
    World world;
    Object o = dumb_bell();
    o.body.damping = 0;
    if (material) {
      o.body.stiffness_source = StiffnessSource::material;
      o.body.cross_section = 1e-4;
      o.material.substance.young = 1e6;
    }
    const double k = material ? 600 : 1000, mu = 1.0 * 3.0 / 4.0;
    const Id id = world.add(o);
    world.scene.settings.substeps = 16;
    Run run(world);
    const std::size_t body = run.index(id);
    const NodeImpulse kick[] = {{0, Vec3(0.02, 0, 0)}, {1, Vec3(-0.02, 0, 0)}};
    flexible(run.model->bodies[body]).elastic->apply_impulses(run.state.bodies[body].values, kick);
    std::vector<Vec3> x(2);
    const auto stretch = [&] {
      flexible(run.model->bodies[body]).elastic->positions(run.state.bodies[body].values, x);
      return (x[1] - x[0]).norm() - 1;
    };
    Crossings crossings(run.model->step, stretch());
    for (int n = 1; n < 3000; ++n) {
      REQUIRE(run.step().ok);
      crossings.add(stretch());
    }
    REQUIRE(crossings.periods() > 5);
    CHECK(crossings.period() == Approx(2 * kPi * std::sqrt(mu / k)).epsilon(3e-4));
    CHECK(run.at(id).momentum.norm() < 1e-12);
  }
}

}  // namespace strung_body_test
