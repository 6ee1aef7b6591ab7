#include "core/sim/elastic/truss_check.h"

#include <cmath>

namespace hazumi {

namespace {

Diagnostic error(std::string path, std::string message, std::string hint) {
  return {Severity::error, std::move(path), std::move(message), std::move(hint)};
}

bool usable(double x) { return std::isfinite(x) && x >= 0; }

}  // namespace

std::optional<Diagnostic> check_truss(const ElasticSetup& setup) {
  const Truss& truss = setup.truss;
  const std::size_t n = truss.nodes.size();
  if (!(std::isfinite(setup.time_step) && setup.time_step > 0))
    return error("settings.substeps", "The time step must be a positive number of seconds.",
                 "Set frame rate and sub-steps to positive numbers.");
  if (n < 2)
    return error("analysis", "A flexible body needs an analysis model of at least two nodes.",
                 "Give the object an analysis model with more nodes, or make it a point.");
  if (truss.masses.size() != n)
    return error("analysis", "The analysis model must have one mass for every node.", "Give every node a mass.");
  for (std::size_t i = 0; i < n; ++i) {
    const std::string place = "analysis.nodes[" + std::to_string(i) + "]";
    if (!(truss.nodes[i].cwiseAbs().maxCoeff() < 1e9))
      return error(place, "The position of a node must be finite and within 1e9 m of the origin.",
                   "Set a smaller size or offset of the analysis model.");
    if (!(std::isfinite(truss.masses[i]) && truss.masses[i] > 0))
      return error(place, "The mass of a node must be above zero.", "Set the mass of the object above zero.");
  }
  if (truss.springs.empty())
    return error("analysis", "A flexible body needs at least one spring.",
                 "Choose an analysis model with springs, or make the object a point.");
  for (std::size_t s = 0; s < truss.springs.size(); ++s) {
    const Spring& spring = truss.springs[s];
    const std::string place = "analysis.springs[" + std::to_string(s) + "]";
    if (spring.a >= n || spring.b >= n || spring.a == spring.b)
      return error(place, "A spring must join two different nodes of the model.", "Remove the spring.");
    if (!((truss.nodes[spring.b] - truss.nodes[spring.a]).squaredNorm() > 0))
      return error(place, "A spring joins two nodes at the same place and has no direction.",
                   "Move one of its nodes, or remove the spring.");
    if (!usable(spring.stiffness) || !usable(spring.damping))
      return error(place, "Stiffness and damping of a spring must be finite and not negative.",
                   "Set stiffness and damping to zero or more.");
  }
  for (const std::uint32_t node : truss.pinned)
    if (node >= n)
      return error("analysis.pinned", "A pin names a node that does not exist.", "Rebuild the analysis model.");
  for (const auto& triangle : truss.hull)
    for (const std::uint32_t node : triangle)
      if (node >= n)
        return error("analysis.hull", "A hull triangle names a node that does not exist.",
                     "Rebuild the analysis model.");
  return std::nullopt;
}

}  // namespace hazumi
