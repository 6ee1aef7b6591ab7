#include "core/sim/elastic/momenta.h"

namespace hazumi {

Observables momenta_of(const ElasticSolver& solver, std::span<const double> state, std::span<const double> masses,
                       double total) {
  std::vector<Vec3> x(masses.size()), u(masses.size());
  solver.positions(state, x);
  solver.velocities(state, u);
  Observables result;
  result.mass = total;
  result.centre = solver.frame(state).position;
  for (std::size_t i = 0; i < masses.size(); ++i) {
    result.momentum += masses[i] * u[i];
    result.angular_momentum += masses[i] * (x[i] - result.centre).cross(u[i]);
    result.kinetic_energy += 0.5 * masses[i] * u[i].squaredNorm();
  }
  return result;
}

}  // namespace hazumi
