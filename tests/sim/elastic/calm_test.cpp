// What the velocity floor takes out of a step of "lagrange" is G³ of the vibration, G = 1 − A⁻¹M, as dense matrices say it; rigid
// motion and positions stay, energy falls.
#include <catch2/catch.hpp>
#include <set>

#include "core/math/rotation.h"
#include "tests/sim/elastic_support.h"

namespace calm_test {

using namespace hazumi;
using namespace hazumi::elastic_test;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using elastic_test::Body;

namespace {

MatrixXd masses(const Truss& truss) {
  MatrixXd m = MatrixXd::Zero(3 * truss.nodes.size(), 3 * truss.nodes.size());
  for (std::size_t i = 0; i < truss.nodes.size(); ++i) m.block<3, 3>(3 * i, 3 * i) = truss.masses[i] * Mat3::Identity();
  return m;
}

/// A of damped springs, with their floor.
MatrixXd implicit_matrix(const Truss& truss, double h) {
  ElasticSetup setup = setup_of_truss(truss, h);
  for (Spring& s : setup.springs) {
    const double resolved = 0.25 * h * h * s.stiffness * (1 / truss.masses[s.a] + 1 / truss.masses[s.b]);
    s.damping += 0.05 * h * s.stiffness * resolved / (1 + resolved);
  }
  const LinearSystem system = linear_springs(setup);
  return masses(truss) + 0.5 * h * MatrixXd(system.damping) + 0.25 * h * h * MatrixXd(system.stiffness);
}

/// The turns that pins on a line, or one of them, or none, leave: columns of ω × (x − first).
MatrixXd rigid_motions(const Truss& truss, const std::vector<Vec3>& x) {
  const std::size_t pins = truss.pinned.size();
  MatrixXd rho = MatrixXd::Zero(3 * x.size(), pins == 0 ? 6 : pins == 1 ? 3 : pins == 2 ? 1 : 0);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Vec3 arm = x[i] - x[pins ? truss.pinned[0] : 0];
    if (pins == 0) rho.block<3, 3>(3 * i, 3) = Mat3::Identity();
    if (pins < 2) rho.block<3, 3>(3 * i, 0) = -skew(arm);
    if (pins == 2) rho.block<3, 1>(3 * i, 0) = (x[truss.pinned[1]] - x[truss.pinned[0]]).normalized().cross(arm);
  }
  return rho;
}

VectorXd stacked(const std::vector<Vec3>& x) {
  VectorXd out(3 * x.size());
  for (std::size_t i = 0; i < x.size(); ++i) out.segment<3>(3 * i) = x[i];
  return out;
}

}  // namespace

TEST_CASE("The velocity floor takes G³ of the vibration, and nothing of what is rigid", "[elastic][calm]") {
  for (const double stiffness : {1e2, 1e4, 1e6})
    for (const std::vector<std::uint32_t>& pins : {std::vector<std::uint32_t>{}, {0}, {0, 26}, {0, 2, 18}}) {
      CAPTURE(stiffness, pins.size());
      Truss truss = lattice(3, 0.5, 0.1, stiffness, 2e-3 * stiffness);
      for (std::size_t i = 0; i < truss.masses.size(); ++i) truss.masses[i] *= 1 + 0.1 * static_cast<double>(i);
      truss.pinned = pins;
      const double h = 1.0 / 60;
      const ElasticSolverInfo& info = *find_elastic_solver("lagrange");
      Body b(std::move(info.make(setup_of(truss, h))).value());
      b.start(Vec3(1, 2, 3), Vec3(0.5, -1, 2), {Vec3(0.1, 0.2, 0.3), Quat(0.5, -0.2, 0.7, 0.1).normalized()});
      b.solver->apply_impulses(b.state, kicks(27, 0.02));

      const MatrixXd m = masses(truss);
      MatrixXd share = m.inverse() * implicit_matrix(truss, h);  // M⁻¹A
      const std::set<std::uint32_t> held(pins.begin(), pins.end());
      for (const std::uint32_t i : held) {
        share.middleRows(3 * i, 3).setZero();
        share.middleCols(3 * i, 3).setZero();
        share.block<3, 3>(3 * i, 3 * i) = Mat3::Identity();
      }
      const MatrixXd g = MatrixXd::Identity(81, 81) - share.inverse();
      double taken = 0;
      for (int step = 0; step < 3; ++step) {
        const VectorXd x0 = stacked(b.positions()), u0 = stacked(b.velocities());
        REQUIRE(b.step());
        const auto now = b.positions();
        const VectorXd left = 2 / h * (stacked(now) - x0) - u0, u = stacked(b.velocities());
        MatrixXd turn = MatrixXd::Zero(81, 81);
        for (int i = 0; i < 27; ++i)
          turn.block<3, 3>(3 * i, 3 * i) = b.solver->frame(b.state).rotation.toRotationMatrix();
        const MatrixXd rho = rigid_motions(truss, now);
        MatrixXd vibration = MatrixXd::Identity(81, 81);
        if (rho.cols() > 0) vibration -= rho * (rho.transpose() * m * rho).inverse() * rho.transpose() * m;
        const VectorXd v = turn.transpose() * vibration * left;
        const VectorXd wanted = left - vibration * turn * (g * (g * (g * v)));
        CHECK((u - wanted).norm() < 1e-10 * left.norm());
        CHECK(u.dot(m * u) < left.dot(m * left));
        taken = std::max(taken, (u - left).norm() / left.norm());
      }
      CHECK(taken > (stiffness < 1e3 ? 1e-6 : 0.01));  // so that there was something to compare
    }
}

TEST_CASE("Bodies without damping have no velocity floor", "[elastic][calm]") {
  Body b(std::move(find_elastic_solver("lagrange")->make(setup_of(lattice(3, 0.5, 0.1, 1e6, 0), 1.0 / 60))).value());
  b.start(Vec3::Zero(), Vec3::Zero());
  b.solver->apply_impulses(b.state, kicks(27, 0.02));
  const VectorXd x0 = stacked(b.positions()), u0 = stacked(b.velocities());
  REQUIRE(b.step());
  const VectorXd left = 120 * (stacked(b.positions()) - x0) - u0;
  CHECK((stacked(b.velocities()) - left).norm() < 1e-12 * left.norm());
}

}  // namespace calm_test
