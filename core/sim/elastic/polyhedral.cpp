// Polyhedral elements (Miyazaki, Yoshida, Yasuda and Yokoi 1999; seeds/004): the cells of cells.h in the body of cell_body.h. The method
// is in docs/numerics/polyhedral.md, the step in cell_settle.cpp.
#include "core/sim/elastic/cell_body.h"
#include "core/sim/elastic/setup_check.h"

namespace hazumi {

namespace {

enum PolyhedralParameter : std::size_t { kPolyhedralStiffness, kPolyhedralDamping };

constexpr ParameterRow kPolyhedralRows[] = {
    {.name = "stiffness",
     .label = "Stiffness",
     .tooltip = "Times the stiffness that the springs of the analysis model have in the mean.",
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

Cells polyhedral_cells(const ElasticSetup& setup) {
  return {setup, parameter(setup, kPolyhedralRows, kPolyhedralStiffness),
          parameter(setup, kPolyhedralRows, kPolyhedralDamping)};
}

}  // namespace

const ElasticSolverInfo& elastic_polyhedral() {
  static const ElasticSolverInfo info = {
      "polyhedral",
      "Polyhedral elements",
      "Cells that each keep their shape: bends, twists and crumples far, and comes back even from flat.",
      "Miyazaki et al. 1999, equations 4-13, with an implicit step",
      "polyhedral.md",
      true,
      {.shape = true},
      kPolyhedralRows,
      [](const ElasticSetup& setup) -> Result<std::unique_ptr<ElasticSolver>> {
        if (auto problem = check_shaped(setup, {})) return *problem;
        Cells cells = polyhedral_cells(setup);
        if (cells.size() == 0)
          return Diagnostic{Severity::error, "analysis", "Nothing holds the analysis model together.",
                            "String springs between its nodes, or choose a grid."};
        return cell_body::Body::make(setup, std::move(cells));
      },
      [](const ElasticSetup& setup) -> Result<LinearSystem> {
        if (auto problem = check_shape(setup, {})) return *problem;
        return polyhedral_cells(setup).linear_system(setup);
      },
      &contact_modulus_of_springs,
      true,
  };
  return info;
}

}  // namespace hazumi
