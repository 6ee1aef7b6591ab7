// How a pose looks: springs and nodes where it has them, and the display model with them.
#pragma once

#include <span>

#include "core/geometry/mapping/mapping.h"
#include "ui/modes/mode.h"

namespace hazumi {

/// 0 grey, then colours of their own.
glm::vec4 group_colour(std::uint32_t group);

/// The display model of the object in the list bent as the nodes say (object frame before its scale), the object being at `place`.
void bend_display(const Object& object, const Transform& place, const Truss& truss, const Mapping* mapping,
                  const std::shared_ptr<const DisplayMesh>& mesh, std::span<const Vec3> nodes, RenderList& list);
/// Springs and nodes there, for what is only looked at.
void draw_bare_pose(const Object& object, const Truss& truss, std::span<const Vec3> nodes, RenderList& list);

void draw_pose(const ModeView& view, RenderList& list);

}  // namespace hazumi
