#include "core/sim/elastic/solver.h"

namespace hazumi {

void ElasticSolver::respond(std::span<const double> state, std::span<const NodeImpulse> impulses,
                            std::span<Vec3> dv) const {
  std::vector<double> hit(state.begin(), state.end());
  std::vector<Vec3> before(dv.size());
  velocities(state, before);
  apply_impulses(hit, impulses);
  velocities(hit, dv);
  for (std::size_t i = 0; i < dv.size(); ++i) dv[i] -= before[i];
}

}  // namespace hazumi
