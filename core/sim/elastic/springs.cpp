// Springs that pull along where they are (spec 5.1): for cloth, ropes and bodies that bend far. Each is a cell of two nodes (cells.h) in
// the body of cell_body.h; the step is in cell_settle.cpp, the method in docs/numerics/springs.md.
//
// f = (k (l − L) + c l′) p̂, p̂ the present direction, l its length; E = ½ k (l − L)².
// Departure from the spec: not backward Euler, which takes energy and spin, but implicit midpoint with a discrete gradient.
#include "core/sim/elastic/cell_body.h"
#include "core/sim/elastic/setup_check.h"

namespace hazumi {

namespace {

enum SpringsParameter : std::size_t { kSpringsStiffness, kSpringsDamping };

constexpr ParameterRow kSpringsRows[] = {
    {.name = "stiffness",
     .label = "Stiffness",
     .tooltip = "Times the stiffness that the springs of the analysis model have.",
     .low = 0,
     .high = 1e6,
     .low_open = true,
     .fallback = 1},
    {.name = "damping",
     .label = "Damping",
     .tooltip = "Times the damping that the springs of the analysis model have; 0: none.",
     .low = 0,
     .high = 1e6,
     .fallback = 1},
};

constexpr ElasticNeeds kSpringsNeeds{.springs = true};

}  // namespace

const ElasticSolverInfo& elastic_springs() {
  static const ElasticSolverInfo info = {
      "springs",
      "Springs, large deformation",
      "Springs that pull along where they are: cloth, ropes, what bends far; squashed flat or inside out it stays so.",
      "Spec 5.1, with a step exact in energy",
      "springs.md",
      true,
      kSpringsNeeds,
      kSpringsRows,
      [](const ElasticSetup& setup) -> Result<std::unique_ptr<ElasticSolver>> {
        if (auto problem = check_setup(setup, kSpringsNeeds)) return *problem;
        return cell_body::Body::make(setup, Cells::springs(setup, parameter(setup, kSpringsRows, kSpringsStiffness),
                                                           parameter(setup, kSpringsRows, kSpringsDamping)));
      },
      [](const ElasticSetup& setup) -> Result<LinearSystem> {
        if (auto problem = check_shape(setup, kSpringsNeeds)) return *problem;
        LinearSystem system = linear_springs(setup);
        system.stiffness *= parameter(setup, kSpringsRows, kSpringsStiffness);
        system.damping *= parameter(setup, kSpringsRows, kSpringsDamping);
        return system;
      },
      [](const ElasticSetup& setup) {
        return parameter(setup, kSpringsRows, kSpringsStiffness) * contact_modulus_of_springs(setup);
      },
      true,
  };
  return info;
}

}  // namespace hazumi
