// Poses of analysis models (AnalysisPose, values/scene.h): where their nodes are, how a pose comes from other things, and the list of them.
// A pose knows no solver: it is a shape with a name.
//
//   x⁰   nodes of the analysis model as make_truss() or the strung truss has them: m, object axes, before the object's scale
//   s    shift of a node in a pose: x = x⁰ + s
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/scene/values/scene.h"

namespace hazumi {

/// The analysis model alone, without an object's mass, stiffness and scale; empty when the kind is none.
Truss analysis_truss(const AnalysisModel& analysis);

/// Null: there is none with this id.
const AnalysisPose* find_pose(const AnalysisModel& analysis, std::uint32_t id);
std::uint32_t next_pose_id(const AnalysisModel& analysis);
/// "Pose", "Pose 2" …
std::string unique_pose_name(const AnalysisModel& analysis, const std::string& wanted);
/// Appends it, with an id of its own and a name that no other has; returns the id.
std::uint32_t add_pose(AnalysisModel& analysis, AnalysisPose pose);

/// Nodes of an object in the pose, object frame with its scale, from those of its truss: object_truss(). Empty: another number of nodes.
std::vector<Vec3> pose_nodes(const Object& object, const AnalysisPose& pose, std::span<const Vec3> rest);
/// x⁰ + `share` s, before the scale.
std::vector<Vec3> blended_nodes(std::span<const Vec3> rest, const AnalysisPose& pose, double share);
/// The group of each of `count` nodes.
std::vector<std::uint32_t> pose_groups_of(const AnalysisModel& analysis, std::size_t count);
/// The same as rows: nodes of group 0 are left out.
std::vector<PoseGroupNode> pose_group_rows(std::span<const std::uint32_t> groups);

/// Shifts of nodes at `places`, whatever the motion of the whole: it is taken out by the turn that fits best and the centre of the nodes.
/// An error: another number of places, or one that is no number.
Result<std::vector<PoseNode>> pose_from_places(std::span<const Vec3> rest, std::span<const Vec3> places);

/// Where an object with its nodes so (object frame, before `scale`) lies best on `places` (world, as many, one at least); of turns that
/// are equally good the one near `turn`. The scale is kept.
Transform placed_on(std::span<const Vec3> nodes, const Vec3& scale, std::span<const Vec3> places,
                    const Quat& turn = Quat::Identity());

/// The pose seen in a mirror across the plane through the middle of the analysis model that x, y or z (`axis`) stands on. An error:
/// the analysis model is not the same on both sides (within 1e-3 of its size).
Result<std::vector<PoseNode>> mirrored(std::span<const Vec3> rest, std::span<const PoseNode> nodes, int axis);

}  // namespace hazumi
