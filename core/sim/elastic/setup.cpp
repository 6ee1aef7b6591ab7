#include "core/sim/elastic/setup.h"

#include "core/scene/derived/poses.h"
#include "core/sim/elastic/setup_check.h"
#include "core/sim/elastic/tetrahedra_of.h"

namespace hazumi {

ElasticSetup setup_of_truss(const Truss& truss, double time_step) {
  ElasticSetup setup;
  setup.nodes = truss.nodes;
  setup.masses = truss.masses;
  setup.springs = truss.springs;
  setup.bends = truss.bends;
  setup.tetrahedra = truss.tetrahedra;
  setup.cells = truss.cells;
  setup.surface = truss.hull;
  setup.pinned = truss.pinned;
  setup.line = !truss.line.empty();
  setup.time_step = time_step;
  return setup;
}

Result<ElasticSetup> setup_of_object(const ElasticSolverInfo& info, const Object& object, const Truss& truss,
                                     double time_step) {
  auto parameters = read_parameters(info, object.body.parameters);
  if (!parameters.ok()) return parameters.diagnostics();
  ElasticSetup setup = setup_of_truss(truss, time_step);
  setup.substance = object.material.substance;
  if (object.body.stiffness_source == StiffnessSource::given) setup.spring_section = object.body.cross_section;
  setup.parameters = *parameters;
  for (const AnalysisPose& pose : object.analysis.poses)
    if (pose.example && pose.nodes.size() == truss.nodes.size())  // pose_faults() tells of others
      setup.examples.push_back({pose.id, pose_nodes(object, pose, truss.nodes)});
  setup.remembers = !object.body.start_springs.empty();
  setup.takes_nodes = !object.analysis.poses.empty();
  if (!object.analysis.pose_groups.empty()) setup.groups = pose_groups_of(object.analysis, truss.nodes.size());
  return {std::move(setup), parameters.diagnostics()};
}

std::optional<std::string> solver_problem(const ElasticSolverInfo& info, const Object& object, const Truss& truss) {
  if (truss.empty()) return "A flexible body needs an analysis model.";
  auto made = setup_of_object(info, object, truss, 1);
  if (!made.ok()) return made.diagnostics().front().message;
  ElasticSetup setup = std::move(made).value();
  setup.masses.assign(setup.nodes.size(), 1);
  auto problem = info.needs.shape ? check_shaped(setup, info.needs) : check_setup(setup, info.needs);
  if (!problem && info.needs.unfolded) problem = check_unfolded(setup);
  if (!problem && info.needs.solid && tetrahedra_of(setup).empty()) problem = no_tetrahedra();
  if (problem) return problem->message;
  return std::nullopt;
}

}  // namespace hazumi
