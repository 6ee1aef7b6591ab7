// Corotated linear tetrahedra: a material with Young's modulus and Poisson's ratio, each tetrahedron with a rotation of its own (the
// strained cells of cells.h in the body of cell_body.h). The step is in cell_settle.cpp, the method in docs/numerics/fem.md.
//
// Source: Kondo, Kanai and Anjyo 2004 (seeds/003), section 3; spec 5.4. E = V (μ |S − 1|² + ½ λ tr²(S − 1)), F = M S; its exact gradient
// is M σ b, so that no force is left out as linear ones with turned axes do that take M for constant.
// Departures from the paper: implicit midpoint with a discrete gradient, exact in energy and momenta.
#include "core/sim/elastic/cell_body.h"
#include "core/sim/elastic/setup_check.h"
#include "core/sim/elastic/tetrahedra_of.h"

namespace hazumi {

namespace {

enum FemParameter : std::size_t { kFemStiffness, kFemDamping };

constexpr ParameterRow kFemRows[] = {
    {.name = "stiffness",
     .label = "Stiffness",
     .tooltip = "Times the stiffness that the material has.",
     .low = 0,
     .high = 1e6,
     .low_open = true,
     .fallback = 1},
    {.name = "damping",
     .label = "Damping",
     .tooltip = "Times the damping that the springs of the analysis model have in the mean; 0: none.",
     .low = 0,
     .high = 1e6,
     .fallback = 1},
};

Cells fem_cells(const ElasticSetup& setup) {
  return Cells::strained(setup, parameter(setup, kFemRows, kFemStiffness), parameter(setup, kFemRows, kFemDamping));
}

}  // namespace

const ElasticSolverInfo& elastic_fem() {
  static const ElasticSolverInfo info = {
      "fem",
      "Finite elements",
      "A material with Young's modulus and Poisson's ratio: becomes thinner as it is stretched, bends and twists far.",
      "Kondo, Kanai and Anjyo 2004, section 3, with a step exact in energy",
      "fem.md",
      true,
      {.solid = true, .shape = true},
      kFemRows,
      [](const ElasticSetup& setup) -> Result<std::unique_ptr<ElasticSolver>> {
        if (auto problem = check_shaped(setup, {})) return *problem;
        Cells cells = fem_cells(setup);
        if (cells.size() == 0) return no_tetrahedra();
        return cell_body::Body::make(setup, std::move(cells));
      },
      [](const ElasticSetup& setup) -> Result<LinearSystem> {
        if (auto problem = check_shape(setup, {})) return *problem;
        const Cells cells = fem_cells(setup);
        if (cells.size() == 0) return no_tetrahedra();
        return cells.linear_system(setup);
      },
      [](const ElasticSetup& setup) {
        return parameter(setup, kFemRows, kFemStiffness) * contact_modulus_of_springs(setup);
      },
      true,
  };
  return info;
}

}  // namespace hazumi
