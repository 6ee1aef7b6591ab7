#include "core/scene/derived/told_solvers.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/scene/derived/box_keys.h"
#include "core/scene/derived/motion_rules.h"

namespace hazumi {
namespace {

std::vector<std::string_view> solvers_of(const MotionNode& node, const BoxTracks& tracks) {
  if (node.role != MotionRole::procedure || node.kind != kSolverProcedure || !node.visible) return {};
  const Field<MotionNode>* row = box_row(node, "procedure.solver.solver");
  if (!row) return {};
  std::set<std::size_t> numbers;
  const auto add = [&](double number) {
    if (number >= 0 && number < static_cast<double>(row->choices.size()))
      numbers.insert(static_cast<std::size_t>(std::llround(number)));
  };
  bool keyed = false;
  for (const BoxTrack& one : tracks.of(node)) {
    if (one.row->path != row->path) continue;
    keyed = true;
    for (const Key& key : one.track->keys) add(key.value[0]);
  }
  const FieldValue own = row->get(node);
  if (const auto* number = std::get_if<std::int64_t>(&own); number && !keyed) add(static_cast<double>(*number));
  std::vector<std::string_view> solvers;
  for (const std::size_t number : numbers)
    if (number < row->choices.size()) solvers.push_back(row->choices[number]);
  return solvers;
}

}  // namespace

std::vector<std::string_view> solvers_of_box(const Scene& scene, const MotionNode& node) {
  return solvers_of(node, BoxTracks(scene));
}

std::vector<ToldSolvers> told_solvers(const Scene& scene) {
  const auto tells = [](const auto& node) { return node->kind == kSolverProcedure; };
  if (std::none_of(scene.motion.begin(), scene.motion.end(), tells)) return {};
  const BoxTracks tracks(scene);
  std::map<Id, std::set<std::string_view>> all;
  for (const auto& node : scene.motion)
    for (const std::string_view solver : solvers_of(*node, tracks))
      for (const Id object : actors(scene, node->object)) all[object].insert(solver);
  std::vector<ToldSolvers> told;
  for (const auto& [object, solvers] : all) told.push_back({object, {solvers.begin(), solvers.end()}});
  return told;
}

}  // namespace hazumi
