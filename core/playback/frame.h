// What one frame looks like, in float: for eyes and exporters. Frame f shows the state before the events of frame f.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/id.h"
#include "core/geometry/mesh/mesh.h"
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

/// Many things that look alike and belong to one object: copies of a mesh that never changes, in the object's material.
struct InstanceBlock {
  Id id;                                      ///< of the object
  std::shared_ptr<const DisplayMesh> mesh;    ///< not null
  std::vector<Vec3f> positions;               ///< world, m
  std::vector<Eigen::Quaternionf> rotations;  ///< one per position, or none: as the mesh is
  std::vector<float> scales;                  ///< one per position, or none: 1
};

/// Lines that belong to one object, in its colour: paths, strands.
struct PolylineBlock {
  Id id;                              ///< of the object
  std::vector<Vec3f> points;          ///< world, m; line after line
  std::vector<std::uint32_t> counts;  ///< points of each line, which sum to all
};

/// Where two bodies touched since the frame before.
struct FrameContact {
  Id a, b;
  Vec3f point = Vec3f::Zero(), normal = Vec3f::Zero();  ///< world; normal from b to a
  Vec3f force = Vec3f::Zero();                          ///< N, on a, mean over the time since the frame before
};

struct CollisionShape;

struct Frame {
  int index = 0;
  std::uint64_t state_hash = 0;
  std::vector<ObjectFrame> objects;      ///< ascending id
  std::vector<InstanceBlock> instances;  ///< ascending id; of one object there may be several
  std::vector<PolylineBlock> polylines;  ///< the same
  std::vector<FrameContact> contacts;    ///< in order of (a, b); of frame 0 none
  /// What the bodies collide as, in the order of `objects`; the same for all frames of a run (collision_shape.h). May be null.
  std::shared_ptr<const std::vector<CollisionShape>> shapes;

  const ObjectFrame* find(Id id) const;
  std::size_t memory_use() const;  ///< bytes
};

using FramePtr = std::shared_ptr<const Frame>;

}  // namespace hazumi
