#include "core/sim/elastic/setup.h"

#include "core/scene/derived/poses.h"

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

}  // namespace hazumi
