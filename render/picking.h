// What is under the mouse, without a GPU: rays and boxes against the meshes of a frame.
#pragma once

#include <optional>
#include <vector>

#include "render/extract.h"

namespace hazumi {

struct PickHit {
  Id id;
  float distance = 0;  ///< m along the ray
  glm::vec3 point{0};
  int part = -1;  ///< of the mesh's parts, the one that was hit; −1: of none, or a symbol
};

/// Nearest hit; hidden and locked objects are not hit. Lights and objects without mesh are picked by their drawn
/// symbol (within 8 logical pixels).
std::optional<PickHit> pick(const RenderList& list, const Scene& scene, const ViewCamera& camera, glm::vec2 pixel,
                            glm::vec2 size);
/// Ids with any part (vertex, node, symbol) inside the rectangle, ascending.
std::vector<Id> pick_box(const RenderList& list, const Scene& scene, const ViewCamera& camera, glm::vec2 low,
                         glm::vec2 high, glm::vec2 size);

}  // namespace hazumi
