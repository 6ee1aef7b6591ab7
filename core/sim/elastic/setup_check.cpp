#include "core/sim/elastic/setup_check.h"

#include <cmath>

namespace hazumi {

namespace {

using Problem = std::optional<Diagnostic>;

Diagnostic error(std::string path, std::string message, std::string hint) {
  return {Severity::error, std::move(path), std::move(message), std::move(hint)};
}

std::string numbered(const char* list, std::size_t i) {
  return "analysis." + std::string(list) + "[" + std::to_string(i) + "]";
}

bool usable(double x) { return std::isfinite(x) && x >= 0; }

Problem check_needs(const ElasticSetup& setup, const ElasticNeeds& needs) {
  const struct {
    bool needed, empty;
    const char *message, *hint;
  } lists[] = {
      {needs.springs, setup.springs.empty(), "A flexible body needs at least one spring.",
       "Choose an analysis model with springs, or make the object a point."},
      {needs.tetrahedra, setup.tetrahedra.empty(), "This solver needs an analysis model of tetrahedra.",
       "Fill the display model with tetrahedra, or choose another solver."},
      {needs.cells, setup.cells.empty(), "This solver needs an analysis model of cells.",
       "Choose a grid as analysis model, or choose another solver."},
      {needs.surface, setup.surface.empty(), "This solver needs an analysis model with a surface.",
       "Choose another analysis model, or choose another solver."},
  };
  for (const auto& list : lists)
    if (list.needed && list.empty) return error("analysis", list.message, list.hint);
  return std::nullopt;
}

Problem check_nodes(const ElasticSetup& setup) {
  const std::size_t n = setup.nodes.size();
  if (n < 2)
    return error("analysis", "A flexible body needs an analysis model of at least two nodes.",
                 "Give the object an analysis model with more nodes, or make it a point.");
  if (setup.masses.size() != n)
    return error("analysis", "The analysis model must have one mass for every node.", "Give every node a mass.");
  for (std::size_t i = 0; i < n; ++i) {
    if (!(setup.nodes[i].cwiseAbs().maxCoeff() < 1e9))
      return error(numbered("nodes", i), "The position of a node must be finite and within 1e9 m of the origin.",
                   "Set a smaller size or offset of the analysis model.");
    if (!(std::isfinite(setup.masses[i]) && setup.masses[i] > 0))
      return error(numbered("nodes", i), "The mass of a node must be above zero.",
                   "Set the mass of the object above zero.");
  }
  if (!setup.rest_offset.empty() && setup.rest_offset.size() != n)
    return error("analysis", "The rest shape must have an offset for every node, or for none.",
                 "Give every node an offset.");
  for (const Vec3& offset : setup.rest_offset)
    if (!(offset.cwiseAbs().maxCoeff() < 1e9))
      return error("analysis", "The offset of the rest shape must be finite and below 1e9 m.", "Set smaller offsets.");
  return std::nullopt;
}

Problem check_springs(const ElasticSetup& setup) {
  const std::size_t n = setup.nodes.size();
  for (std::size_t s = 0; s < setup.springs.size(); ++s) {
    const Spring& spring = setup.springs[s];
    if (spring.a >= n || spring.b >= n || spring.a == spring.b)
      return error(numbered("springs", s), "A spring must join two different nodes of the model.",
                   "Remove the spring.");
    if (!((setup.nodes[spring.b] - setup.nodes[spring.a]).squaredNorm() > 0))
      return error(numbered("springs", s), "A spring joins two nodes at the same place and has no direction.",
                   "Move one of its nodes, or remove the spring.");
    if (!usable(spring.stiffness) || !usable(spring.damping))
      return error(numbered("springs", s), "Stiffness and damping of a spring must be finite and not negative.",
                   "Set stiffness and damping to zero or more.");
  }
  return std::nullopt;
}

Problem check_volumes(const ElasticSetup& setup) {
  const std::size_t n = setup.nodes.size();
  for (std::size_t t = 0; t < setup.tetrahedra.size(); ++t) {
    const auto& cell = setup.tetrahedra[t];
    for (const std::uint32_t node : cell)
      if (node >= n)
        return error(numbered("tetrahedra", t), "A tetrahedron names a node that does not exist.",
                     "Fill the model anew.");
    const Vec3& origin = setup.nodes[cell[0]];
    const Vec3 a = setup.nodes[cell[1]] - origin, b = setup.nodes[cell[2]] - origin, c = setup.nodes[cell[3]] - origin;
    if (!(a.cross(b).dot(c) > 0))
      return error(numbered("tetrahedra", t), "A tetrahedron has no positive volume.", "Fill the model anew.");
  }
  for (std::size_t c = 0; c < setup.cells.size(); ++c)
    for (const std::uint32_t node : setup.cells[c])
      if (node >= n)
        return error(numbered("cells", c), "A cell names a node that does not exist.", "Rebuild the analysis model.");
  return std::nullopt;
}

}  // namespace

std::optional<Diagnostic> check_shape(const ElasticSetup& setup, const ElasticNeeds& needs) {
  for (const auto& problem : {check_nodes(setup), check_needs(setup, needs)})
    if (problem) return problem;
  if (auto problem = check_springs(setup)) return problem;
  if (auto problem = check_volumes(setup)) return problem;
  const std::size_t n = setup.nodes.size();
  for (const std::uint32_t node : setup.pinned)
    if (node >= n)
      return error("analysis.pinned", "A pin names a node that does not exist.", "Rebuild the analysis model.");
  for (const auto& triangle : setup.surface)
    for (const std::uint32_t node : triangle)
      if (node >= n)
        return error("analysis.hull", "A hull triangle names a node that does not exist.",
                     "Rebuild the analysis model.");
  return std::nullopt;
}

std::optional<Diagnostic> check_setup(const ElasticSetup& setup, const ElasticNeeds& needs) {
  if (!(std::isfinite(setup.time_step) && setup.time_step > 0))
    return error("settings.substeps", "The time step must be a positive number of seconds.",
                 "Set frame rate and sub-steps to positive numbers.");
  return check_shape(setup, needs);
}

std::optional<Diagnostic> check_shaped(const ElasticSetup& setup, const ElasticNeeds& needs) {
  if (auto problem = check_setup(setup, needs)) return problem;
  if (!setup.line) return std::nullopt;
  return error("body.solver", "A rope has no shape of its own, which this solver would hold.",
               "Choose Springs, large deformation, or another analysis model.");
}

std::optional<Diagnostic> check_unfolded(const ElasticSetup& setup) {
  if (setup.bends.empty()) return std::nullopt;
  return error("body.solver", "A cloth folds, which springs in a body frame cannot follow.",
               "Choose Springs, large deformation, or another analysis model.");
}

}  // namespace hazumi
