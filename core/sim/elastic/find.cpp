#include "core/sim/elastic/solver.h"

namespace hazumi {

const ElasticSolverInfo* find_elastic_solver(std::string_view name) {
  for (const ElasticSolverInfo* info : elastic_solvers())
    if (info->name == name) return info;
  return nullptr;
}

}  // namespace hazumi
