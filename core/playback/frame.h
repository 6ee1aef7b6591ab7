// What one frame looks like, in float: for eyes and exporters. Frame f shows the state before the events of frame f.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/id.h"
#include "core/math/types.h"

namespace hazumi {

/// The moving part of one object. Rigid, fixed and point objects carry a pose only: their mesh never changes.
struct ObjectFrame {
  Id id;
  bool present = true;             ///< false: not born yet, or dead
  Vec3f position = Vec3f::Zero();  ///< of the *object frame* (not of the centre of mass)
  Eigen::Quaternionf rotation = Eigen::Quaternionf::Identity();
  bool deformed = false;                 ///< true: vertices below are in world space, pose is for gizmos
  std::vector<Vec3f> vertices, normals;  ///< one per display vertex, world
  std::vector<Vec3f> nodes;              ///< of the analysis model, world; empty when there is none
};

struct Frame {
  int index = 0;
  std::uint64_t state_hash = 0;
  std::vector<ObjectFrame> objects;  ///< ascending id

  const ObjectFrame* find(Id id) const;
  std::size_t memory_use() const;  ///< bytes
};

using FramePtr = std::shared_ptr<const Frame>;

}  // namespace hazumi
