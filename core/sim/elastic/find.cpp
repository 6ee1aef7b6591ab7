#include "core/sim/elastic/solver.h"

namespace hazumi {

const ElasticSolverInfo* find_elastic_solver(std::string_view name) {
  for (const ElasticSolverInfo* info : elastic_solvers())
    if (info->name == name) return info;
  return nullptr;
}

int number_of_solver(std::string_view name) {
  const auto all = elastic_solvers();
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i]->name == name) return static_cast<int>(i);
  return -1;
}

}  // namespace hazumi
