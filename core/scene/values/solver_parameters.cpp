#include "core/scene/values/solver_parameters.h"

#include <algorithm>
#include <tuple>

#include "core/base/hash.h"

namespace hazumi {

namespace {

auto place_of(SolverParameters& all, std::string_view solver, std::string_view name) {
  return std::lower_bound(all.begin(), all.end(), std::tie(solver, name),
                          [](const SolverParameter& p, const auto& wanted) {
                            return std::tuple<std::string_view, std::string_view>(p.solver, p.name) < wanted;
                          });
}

bool is(const SolverParameter& p, std::string_view solver, std::string_view name) {
  return p.solver == solver && p.name == name;
}

}  // namespace

const SolverParameter* find_parameter(const SolverParameters& all, std::string_view solver, std::string_view name) {
  for (const SolverParameter& p : all)
    if (is(p, solver, name)) return &p;
  return nullptr;
}

void set_parameter(SolverParameters& all, SolverParameter parameter) {
  const auto at = place_of(all, parameter.solver, parameter.name);
  if (at != all.end() && is(*at, parameter.solver, parameter.name))
    *at = std::move(parameter);
  else
    all.insert(at, std::move(parameter));
}

void remove_parameter(SolverParameters& all, std::string_view solver, std::string_view name) {
  std::erase_if(all, [&](const SolverParameter& p) { return is(p, solver, name); });
}

void sort_parameters(SolverParameters& all) {
  std::stable_sort(all.begin(), all.end(), [](const SolverParameter& a, const SolverParameter& b) {
    return std::tie(a.solver, a.name) < std::tie(b.solver, b.name);
  });
}

std::uint64_t parameters_hash(const SolverParameters& all, std::string_view solver) {
  Hasher hasher;
  for (const SolverParameter& p : all)
    if (p.solver == solver) hasher.add(std::string_view(p.name)).add(std::string_view(p.word)).add(p.number);
  return hasher.value();
}

}  // namespace hazumi
