// The step of flexible bodies and of rigid ones against their identities (contact.md, A1 and A2).
#include <catch2/catch.hpp>

#include "tests/sim/reference/rigid.h"
#include "tests/sim/reference/trusses.h"

namespace reference_step_test {

using namespace hazumi;
using namespace hazumi::reference;

namespace {

const Vec3 kGravity(0.3, -9.81, 0.1);

/// How far a run is from what the equations say, relative to the sum of absolute terms.
struct Breach {
  double energy = 0, momentum = 0, angular = 0, residual = 0;
  int most_passes = 0, steps = 0, failed = 0;
  long passes = 0;
};

/// Random impulses at random nodes every third sub-step.
void shake(FlexibleBody b, Dice& dice, double h, int steps, double strength, Breach& worst) {
  for (int k = 0; k < steps; ++k) {
    Nodes impulse = Nodes::Zero(3, b.count());
    if (k % 3 == 0)
      for (Eigen::Index i = 0; i < b.count(); ++i)
        if (dice.uniform() < 0.3) impulse.col(i) = strength * b.mass[i] * dice.vector();
    const FlexibleStep s = step_flexible(b, h, kGravity, impulse);
    const double e0 = b.kinetic() + b.elastic();
    const Vec3 p0 = b.momentum(), l0 = b.angular_momentum(), about(3, -2, 1);
    const Nodes mean_velocity = 0.5 * (b.velocity + s.velocity);
    Nodes force = impulse;
    for (Eigen::Index i = 0; i < b.count(); ++i) force.col(i) += h * b.mass[i] * kGravity;
    const double work = force.cwiseProduct(mean_velocity).sum();
    Vec3 torque = Vec3::Zero();
    for (Eigen::Index i = 0; i < b.count(); ++i) torque += (s.mean.col(i) - about).cross(force.col(i));
    b.centre = s.centre, b.attitude = s.attitude, b.displacement = s.displacement, b.velocity = s.velocity;

    const double e1 = b.kinetic() + b.elastic(), terms = e0 + e1 + std::abs(work) + std::abs(s.dissipated);
    worst.energy = std::max(worst.energy, std::abs(e1 - e0 - work + s.dissipated - s.residual_work) / terms);
    worst.residual = std::max(worst.residual, std::abs(s.residual_work) / terms);
    const double speed = b.velocity.colwise().norm().maxCoeff() + 1e-3;
    const Vec3 dp = b.momentum() - p0 - force.rowwise().sum();
    worst.momentum = std::max(worst.momentum, dp.norm() / (b.total * speed));
    const Vec3 dl = (b.angular_momentum() - about.cross(b.momentum())) - (l0 - about.cross(p0)) - torque;
    worst.angular = std::max(worst.angular, dl.norm() / (b.total * speed * (about.norm() + b.centre.norm())));
    worst.passes += s.passes, ++worst.steps, worst.failed += !s.converged;
    worst.most_passes = std::max(worst.most_passes, s.passes);
  }
}

}  // namespace

TEST_CASE("A flexible step changes energy, momentum and spin by the impulses alone", "[reference]") {
  for (const double stiffness : {1e2, 1e4, 1e6, 1e8})
    for (const double spin : {0.0, 3.0, 12.0}) {
      Breach worst;
      for (const int rate : {60, 240, 960})
        for (std::uint64_t seed = 1; seed <= 2; ++seed) {
          Dice dice(seed);
          const double h = 1.0 / rate;
          FlexibleBody b = random_truss(dice, 10, stiffness, seed == 2 ? 1e-4 : 0, h);
          b.attitude = dice.attitude();
          const Vec3 turn = spin * dice.vector().normalized(), drift = dice.vector();
          for (Eigen::Index i = 0; i < b.count(); ++i) b.velocity.col(i) = drift + turn.cross(b.arms().col(i));
          shake(b, dice, h, 24, 1.0, worst);
        }
      std::printf("k %.0e spin %.0f: E %.1e res %.1e P %.1e L %.1e passes %.1f most %d failed %d\n", stiffness, spin, worst.energy, worst.residual, worst.momentum, worst.angular, double(worst.passes)/worst.steps, worst.most_passes, worst.failed);
    }
}

}  // namespace reference_step_test
