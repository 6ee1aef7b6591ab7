// Flexible bodies on the floor: stable at every stiffness, momentum exact, energy never added.
#include <catch2/catch.hpp>
#include <cmath>

#include "tests/support/run.h"

namespace flexible_contact_test {

using namespace hazumi;
using namespace hazumi::test;

TEST_CASE("a flexible body of any stiffness falls, bounces and lies without gaining energy",
          "[flexible_contact][slow]") {
  for (double stiffness : {800.0, 8e4, 8e6, 8e8})
    for (bool skin : {true, false}) {
      World w;
      w.floor();
      Object o = World::jelly(0.5, Vec3(0, 1.5, 0), stiffness, 1, skin);
      o.transform.rotation = Quat(Eigen::AngleAxisd(0.4, Vec3(1, 0.3, 0.2).normalized()));
      const Id id = w.add(o);
      Run run(w);
      const double start = run.energy();
      double most = 0, lowest = 1, strain = 0;
      for (int k = 0; k < 240 * 12; ++k) {
        run.steps(1);
        const Observables now = run.at(id);
        most = std::max(most, run.energy() / start);
        lowest = std::min(lowest, now.centre.y());
        strain = std::max(strain, now.max_strain);
      }
      INFO("k " << stiffness << " skin " << skin);
      CHECK(most < 1 + 1e-9);                           // measured: 1 + 7e-16
      CHECK(lowest > (stiffness < 1e3 ? 0.35 : 0.39));  // the face of an icosahedron lies 0.397 m from its middle
      CHECK(strain < 0.25);                             // measured: 0.096 at 800 N/m
      if (stiffness < 1e3) CHECK(strain > 0.01);        // a jelly is seen to give way
      CHECK(run.at(id).kinetic_energy < 8e-3 * start);
    }
}

TEST_CASE("momentum and angular momentum of two that collide are kept, flexible and rigid", "[flexible_contact]") {
  World w;
  w.scene.settings.gravity.setZero();
  Object soft = World::jelly(0.5, Vec3(0, 0, 0), 800, 1);
  soft.body.velocity = Vec3(2, 0, 0);
  soft.body.spin = Vec3(0.5, 1, -2);
  w.add(soft);
  w.add(World::sphere(0.4, Vec3(1.2, 0.3, 0.1), 2));
  Run run(w);
  const auto total = [&](bool angular) {
    Vec3 sum = Vec3::Zero();
    for (const Body& b : run.model->bodies) {
      const Observables o = run.at(b.id);
      sum += angular ? Vec3(o.angular_momentum + o.centre.cross(o.momentum)) : o.momentum;
    }
    return sum;
  };
  const Vec3 momentum = total(false), angular = total(true);
  run.seconds(1);
  REQUIRE(!run.events.empty());
  CHECK((total(false) - momentum).norm() < 1e-9 * momentum.norm());
  CHECK((total(true) - angular).norm() < 1e-9 * (momentum.norm() + angular.norm()));
}

}  // namespace flexible_contact_test
