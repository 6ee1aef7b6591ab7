#include "core/scene/derived/poses.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>

#include "core/math/rotation.h"

namespace hazumi {

namespace {

Vec3 middle_of(std::span<const Vec3> places) {
  Vec3 sum = Vec3::Zero();
  for (const Vec3& x : places) sum += x;
  return places.empty() ? sum : Vec3(sum / static_cast<double>(places.size()));
}

/// Of each node the one at its place in the mirror, or nothing.
std::optional<std::vector<std::uint32_t>> partners(std::span<const Vec3> rest, int axis) {
  if (rest.empty()) return std::vector<std::uint32_t>{};
  Vec3 low = rest[0], high = rest[0];
  for (const Vec3& x : rest) {
    low = low.cwiseMin(x);
    high = high.cwiseMax(x);
  }
  const double middle = 0.5 * (low[axis] + high[axis]), near = 1e-3 * (high - low).norm();
  std::vector<std::uint32_t> order(rest.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return rest[a].x() < rest[b].x(); });
  std::vector<std::uint32_t> partner(rest.size());
  for (std::size_t i = 0; i < rest.size(); ++i) {
    Vec3 seen = rest[i];
    seen[axis] = 2 * middle - seen[axis];
    double best = near;
    bool found = false;
    for (auto at = std::lower_bound(order.begin(), order.end(), seen.x() - near,
                                    [&](std::uint32_t a, double x) { return rest[a].x() < x; });
         at != order.end() && rest[*at].x() <= seen.x() + near; ++at)
      if (const double far = (rest[*at] - seen).norm(); far <= best) {
        best = far;
        partner[i] = *at;
        found = true;
      }
    if (!found) return std::nullopt;
  }
  return partner;
}

}  // namespace

Truss analysis_truss(const AnalysisModel& analysis) {
  if (analysis.kind == AnalysisKind::none) return {};
  if (analysis.kind != AnalysisKind::strung) return make_truss(truss_recipe(analysis));
  return analysis.strung == nullptr ? Truss{} : to_truss(*analysis.strung);
}

const AnalysisPose* find_pose(const AnalysisModel& analysis, std::uint32_t id) {
  for (const AnalysisPose& pose : analysis.poses)
    if (pose.id == id) return &pose;
  return nullptr;
}

std::uint32_t next_pose_id(const AnalysisModel& analysis) {
  std::uint32_t most = 0;
  for (const AnalysisPose& pose : analysis.poses) most = std::max(most, pose.id);
  return most + 1;
}

std::string unique_pose_name(const AnalysisModel& analysis, const std::string& wanted) {
  const auto taken = [&](const std::string& name) {
    return std::any_of(analysis.poses.begin(), analysis.poses.end(),
                       [&](const AnalysisPose& pose) { return pose.name == name; });
  };
  const std::string base = wanted.empty() ? "Pose" : wanted;
  std::string name = base;
  for (int number = 2; taken(name); ++number) name = base + " " + std::to_string(number);
  return name;
}

std::uint32_t add_pose(AnalysisModel& analysis, AnalysisPose pose) {
  pose.id = next_pose_id(analysis);
  pose.name = unique_pose_name(analysis, pose.name);
  analysis.poses.push_back(std::move(pose));
  return analysis.poses.back().id;
}

std::vector<Vec3> pose_nodes(const Object& object, const AnalysisPose& pose, std::span<const Vec3> rest) {
  if (pose.nodes.size() != rest.size()) return {};
  std::vector<Vec3> nodes(rest.begin(), rest.end());
  for (std::size_t i = 0; i < nodes.size(); ++i) nodes[i] += object.transform.scale.cwiseProduct(pose.nodes[i].shift);
  return nodes;
}

std::vector<Vec3> blended_nodes(std::span<const Vec3> rest, const AnalysisPose& pose, double share) {
  std::vector<Vec3> nodes(rest.begin(), rest.end());
  if (pose.nodes.size() == rest.size())
    for (std::size_t i = 0; i < nodes.size(); ++i) nodes[i] += share * pose.nodes[i].shift;
  return nodes;
}

std::vector<std::uint32_t> pose_groups_of(const AnalysisModel& analysis, std::size_t count) {
  std::vector<std::uint32_t> groups(count, 0);
  for (const PoseGroupNode& row : analysis.pose_groups)
    if (row.node < count) groups[row.node] = row.group;
  return groups;
}

std::vector<PoseGroupNode> pose_group_rows(std::span<const std::uint32_t> groups) {
  std::vector<PoseGroupNode> rows;
  for (std::uint32_t i = 0; i < groups.size(); ++i)
    if (groups[i] != 0) rows.push_back({i, groups[i]});
  return rows;
}

Result<std::vector<PoseNode>> pose_from_places(std::span<const Vec3> rest, std::span<const Vec3> places) {
  if (rest.size() != places.size())
    return Diagnostic{Severity::error, "analysis.poses",
                      "There are " + std::to_string(places.size()) + " places, but the analysis model has " +
                          std::to_string(rest.size()) + " nodes.",
                      "Take something with one vertex for each node, in the same order."};
  for (std::size_t i = 0; i < places.size(); ++i)
    if (!places[i].allFinite())
      return Diagnostic{Severity::error, "analysis.poses", "Place " + std::to_string(i) + " is not a number.",
                        "Write the mesh again."};
  const Vec3 from = middle_of(rest), to = middle_of(places);
  Mat3 fit = Mat3::Zero();
  for (std::size_t i = 0; i < rest.size(); ++i) fit += (places[i] - to) * (rest[i] - from).transpose();
  const Mat3 back = polar_rotation(fit, Quat::Identity()).toRotationMatrix().transpose();
  std::vector<PoseNode> nodes(rest.size());
  for (std::size_t i = 0; i < rest.size(); ++i) nodes[i].shift = from + back * (places[i] - to) - rest[i];
  return nodes;
}

Transform placed_on(std::span<const Vec3> nodes, const Vec3& scale, std::span<const Vec3> places, const Quat& turn) {
  std::vector<Vec3> own(nodes.begin(), nodes.end());
  for (Vec3& x : own) x = scale.cwiseProduct(x);
  const Vec3 from = middle_of(own), to = middle_of(places);
  Mat3 fit = Mat3::Zero();
  for (std::size_t i = 0; i < own.size() && i < places.size(); ++i)
    fit += (places[i] - to) * (own[i] - from).transpose();
  Transform placed;
  placed.rotation = polar_rotation(fit, turn);
  placed.position = to - placed.rotation * from;
  placed.scale = scale;
  return placed;
}

Result<std::vector<PoseNode>> mirrored(std::span<const Vec3> rest, std::span<const PoseNode> nodes, int axis) {
  const auto partner = partners(rest, axis);
  if (!partner || rest.size() != nodes.size())
    return Diagnostic{Severity::error, "analysis.poses", "The analysis model is not the same on both sides.",
                      "Use one that is, a box grid say, or move the nodes by hand."};
  std::vector<PoseNode> seen(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    seen[i] = nodes[(*partner)[i]];
    seen[i].shift[axis] = -seen[i].shift[axis];
  }
  return seen;
}

}  // namespace hazumi
