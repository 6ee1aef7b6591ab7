// What the poses mode and the panel's section do to poses. Each is one undo step on the object; a refusal is said to the person.
#pragma once

#include <span>

#include "core/base/result.h"
#include "ui/modes/mode.h"
#include "ui/modes/pose_options.h"

namespace hazumi {

/// The chosen pose of the object in poses mode, with the nodes of the model; null pose: there is none that fits.
struct EditedPose {
  const Object* object = nullptr;
  const AnalysisPose* pose = nullptr;
  std::size_t index = 0;  ///< in the list
  std::shared_ptr<const Truss> truss;
  std::vector<Vec3> nodes;  ///< object frame before the scale
  explicit operator bool() const { return pose != nullptr; }
};
EditedPose edited_pose(ElementSelection& elements);
EditedPose edited_pose(ElementSelection& elements, const Object& object);

/// Nodes of the pose there: one step, or part of the one with this key. `text`: "Grab". Those that are where `from` has them, which
/// a gesture began with (null: the pose as it is), keep its numbers to the last bit: what is given up leaves no step.
bool place_pose(UiContext& context, const QString& text, Id object, std::uint32_t pose, std::span<const Vec3> rest,
                std::span<const Vec3> nodes, quint64 merge_key = 0, const AnalysisPose* from = nullptr);

void new_pose(UiContext& context, const Object& object);
void duplicate_pose(UiContext& context, const Object& object);
void delete_pose(UiContext& context, const Object& object);
bool rename_pose(UiContext& context, const Object& object, std::uint32_t pose, const QString& name);
void set_example(UiContext& context, const Object& object, std::uint32_t pose, bool on);
/// Across the plane that x, y or z stands on.
Status mirror_pose(UiContext& context, const Object& object, int axis);
/// A new pose of where the nodes of the object are in the frame that is shown.
Status pose_from_frame(UiContext& context, const Object& object);
/// The nodes of the chosen pose that are selected, all when none is, go to where the body has them in the frame at which it is edited.
Status take_frame(UiContext& context);
/// A key of the shape at the frame that is shown is opened in the view: the one that is there, else a new pose of how the body is there, with
/// a key (and one of the shape that it began with, when there is none before). Nothing of it when the mode cannot be had.
Status sculpt_key(UiContext& context, const Object& object);
/// … of the vertices of a mesh file, one for each node in the same order.
Status pose_from_mesh(UiContext& context, const Object& object, const QString& file);
/// The rest shape of the object is the pose at the frame that is shown: a key; 0: the analysis model as it is.
Status key_pose(UiContext& context, const Object& object, std::uint32_t pose);
/// Of the selected nodes of the pose, all when none is.
void reset_nodes(UiContext& context);
void put_in_group(UiContext& context);

}  // namespace hazumi
