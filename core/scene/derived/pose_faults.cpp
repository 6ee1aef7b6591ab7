#include "core/scene/derived/pose_faults.h"

#include <algorithm>
#include <set>
#include <utility>

#include "core/geometry/mesh/mass_properties.h"
#include "core/scene/derived/poses.h"
#include "core/scene/values/lists.h"

namespace hazumi {

namespace {

/// Six times the volume of a parallelepiped as wide as the cell in its middle; nodes x fastest (Truss::cells).
double middle_volume(const std::vector<std::uint32_t>& cell, std::span<const Vec3> x) {
  Mat3 edges = Mat3::Zero();
  for (std::size_t k = 0; k < cell.size(); ++k)
    for (int axis = 0; axis < 3; ++axis) edges.col(axis) += ((k >> axis) & 1 ? 1.0 : -1.0) * x[cell[k]];
  return edges.determinant();
}

double tetrahedron_volume(const std::array<std::uint32_t, 4>& t, std::span<const Vec3> x) {
  return (x[t[1]] - x[t[0]]).cross(x[t[2]] - x[t[0]]).dot(x[t[3]] - x[t[0]]);
}

/// A sheet has no inside; what mesh_volume() has of it depends on where the origin is.
bool is_closed(std::span<const std::array<std::uint32_t, 3>> hull) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (const auto& f : hull)
    for (std::size_t k = 0; k < 3; ++k) edges.emplace(f[k], f[(k + 1) % 3]);
  return !edges.empty() && std::all_of(edges.begin(), edges.end(), [&](const auto& e) {
    return edges.contains({e.second, e.first});
  });
}

std::string place_of(const Scene& scene, std::size_t object) {
  return "objects[" + std::to_string(object) + "] \"" + scene.objects[object]->name + "\" analysis.";
}

std::string parts_of(const Truss& truss, std::size_t count) {
  const std::string what =
      !truss.tetrahedra.empty() ? (count == 1 ? " tetrahedron" : " tetrahedra") : (count == 1 ? " cell" : " cells");
  return truss.tetrahedra.empty() && truss.cells.empty() ? "the whole" : std::to_string(count) + what;
}

/// Scenes that are looked at may be wrong in other ways, which validate() tells: what can be made of them is.
bool can_be_made(const AnalysisModel& analysis) {
  constexpr std::int64_t kMost = static_cast<std::int64_t>(lists::kMostNodes);
  if (analysis.kind == AnalysisKind::none || node_count(analysis) < 2 || node_count(analysis) > kMost) return false;
  if (analysis.kind != AnalysisKind::strung)
    return *std::min_element(analysis.divisions.begin(), analysis.divisions.end()) > 0;
  const auto known = [&](const auto& all) {
    for (const auto& corners : all)
      for (const std::uint32_t corner : corners)
        if (corner >= analysis.strung->nodes.size()) return false;
    return true;
  };
  for (const auto& entry : analysis.strung->cells)
    if (entry[1] >= analysis.strung->nodes.size()) return false;
  return known(analysis.strung->tetrahedra) && known(analysis.strung->hull) && known(analysis.strung->sheet);
}

}  // namespace

std::size_t inside_out(const Truss& truss, std::span<const Vec3> nodes) {
  if (nodes.size() != truss.nodes.size()) return 0;
  if (!std::all_of(nodes.begin(), nodes.end(), [](const Vec3& x) { return x.allFinite(); })) return 0;
  std::size_t count = 0;
  if (!truss.tetrahedra.empty()) {
    for (const auto& t : truss.tetrahedra)
      count += tetrahedron_volume(t, truss.nodes) > 0 && !(tetrahedron_volume(t, nodes) > 0) ? 1 : 0;
    return count;
  }
  if (!truss.cells.empty()) {
    for (const auto& cell : truss.cells)
      if (cell.size() == 8) count += middle_volume(cell, nodes) * middle_volume(cell, truss.nodes) > 0 ? 0 : 1;
    return count;
  }
  if (!is_closed(truss.hull) || !(mesh_volume(truss.nodes, truss.hull) > 0)) return 0;
  return mesh_volume(nodes, truss.hull) > 0 ? 0 : 1;
}

std::vector<FaultyPose> pose_faults(const Scene& scene) {
  std::vector<FaultyPose> all;
  for (std::size_t i = 0; i < scene.objects.size(); ++i) {
    const Object& object = *scene.objects[i];
    const AnalysisModel& analysis = object.analysis;
    if ((analysis.poses.empty() && analysis.pose_groups.empty()) || !can_be_made(analysis)) continue;
    const auto count = static_cast<std::size_t>(node_count(analysis));
    if (!analysis.pose_groups.empty() && analysis.pose_groups.back().node >= count)
      all.push_back({PoseFault::groups, object.id, 0, place_of(scene, i) + "pose_groups",
                     "Groups name node " + std::to_string(analysis.pose_groups.back().node) +
                         ", but the analysis model has " + std::to_string(count) + " nodes.",
                     "Paint the groups anew, or choose the divisions that they were painted with."});
    if (analysis.poses.empty()) continue;
    const Truss truss = analysis_truss(analysis);
    for (std::size_t k = 0; k < analysis.poses.size(); ++k) {
      const AnalysisPose& pose = analysis.poses[k];
      const std::string path = place_of(scene, i) + "poses[" + std::to_string(k) + "] \"" + pose.name + "\"";
      if (pose.nodes.size() != truss.nodes.size()) {
        all.push_back({PoseFault::nodes, object.id, pose.id, path,
                       "The pose \"" + pose.name + "\" has " + std::to_string(pose.nodes.size()) +
                           " nodes, but the analysis model has " + std::to_string(truss.nodes.size()) +
                           ", so it is not used.",
                       "Delete the pose, or choose the divisions that it was made with."});
        continue;
      }
      if (const std::size_t turned = inside_out(truss, blended_nodes(truss.nodes, pose, 1)); turned > 0)
        all.push_back({PoseFault::inverted, object.id, pose.id, path,
                       "The pose \"" + pose.name + "\" turns " + parts_of(truss, turned) + " inside out.",
                       "Smooth it, or move its nodes back."});
    }
  }
  return all;
}

}  // namespace hazumi
