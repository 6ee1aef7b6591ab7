// What one frame looks like, in float: for eyes and exporters. Frame f shows the state before the events of frame f.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/id.h"
#include "core/geometry/mesh/mesh.h"
#include "core/geometry/mesh/surface.h"
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
  /// What is seen in this frame alone, in the object frame, where that is another mesh than in others (moving metaballs); not deformed.
  /// Null: the mesh of the store. With positions, normals, faces, looks and one part.
  std::shared_ptr<const DisplayMesh> surface;
  std::vector<Vec3f> nodes;  ///< of the analysis model, world; empty when there is none
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

/// Particles of one source: one entry per particle in each list, in ascending number.
struct ParticleBlock {
  Id id;                               ///< of the source
  std::vector<std::uint64_t> numbers;  ///< by which they are told apart
  std::vector<Vec3f> positions;        ///< world, m
  std::vector<Vec3f> velocities;       ///< m/s
  std::vector<float> ages;             ///< 0…1, part of the life that is over
  std::vector<float> times;            ///< s since birth
  std::vector<float> sizes;            ///< m, across, at birth
  std::vector<float> masses;           ///< kg
  /// Of copies that are bodies, else empty: of the object frame, which `positions` and `velocities` are of, too.
  std::vector<Eigen::Quaternionf> rotations;
};

/// Where two bodies touched since the frame before.
struct FrameContact {
  Id a, b;
  Vec3f point = Vec3f::Zero(), normal = Vec3f::Zero();  ///< world; normal from b to a
  Vec3f force = Vec3f::Zero();                          ///< N, on a, mean over the time since the frame before
};

/// What a joint held with since the frame before, and how it stands.
struct FrameJoint {
  Id joint;
  Vec3f pull = Vec3f::Zero();   ///< N, of the force, on the first body, world axes; of a slider or gear 0; mean
  float force = 0, torque = 0;  ///< N, N m, means of their amounts; 0 while it is off, or broken
  float power = 0;              ///< W, of a pull: mean
  float way = 0;                ///< m, of a slider, spring, rope or pull; rad, of a hinge; at the end
  bool holds = false;           ///< in one of the sub-steps
  bool broken = false;
};

using FrameJoints = std::vector<FrameJoint>;

/// How far a group of nodes of a body has gone into one of its example poses (sim/elastic/solver.h).
struct FrameExample {
  Id object;
  std::uint32_t pose = 0, group = 0;
  float weight = 0;  ///< 0…1
};

using FrameExamples = std::vector<FrameExample>;

/// How a body that moves is doing in a frame (sim/elastic/solver.h: Observables), for plots and panels.
struct FrameBody {
  Id object;
  Vec3f centre = Vec3f::Zero();    ///< m, of mass, world
  Vec3f velocity = Vec3f::Zero();  ///< m/s, of that
  float kinetic = 0, elastic = 0;  ///< J
  float strain = 0;                ///< greatest |l/l0 − 1|
  float volume = 0;                ///< m³
  int passes = 0;                  ///< over its equations, of the sub-step with most of them since the frame before
  int inverted = -1;               ///< elements that are turned inside out; −1: there are none that could be
  bool deforms = false;
};

using FrameBodies = std::vector<FrameBody>;

/// How many a source has in a frame, and how fast they are.
struct FrameSource {
  Id source;
  int alive = 0;
  int waiting = 0;               ///< copies that have no room yet
  float speed = 0, fastest = 0;  ///< m/s, mean and greatest; of none 0
};

using FrameSources = std::vector<FrameSource>;

/// How an object is seen, where something in the run says so (procedures of motion graphs).
struct FrameLook {
  Id object;
  int visible = -1;              ///< 0 no, 1 yes, −1 as the scene says
  Vec3f colour = Vec3f::Zero();  ///< 0…1
  float coloured = 0;            ///< share of it, 0…1
  float opacity = 1;             ///< 0…1
  float faded = 0;               ///< share of that
  Surface surface = {};          ///< of another material, below all that
  float replaced = 0;            ///< share of it
};

using FrameLooks = std::vector<FrameLook>;

/// What motions let be seen or heard of the film: a cut to a camera, or a sound that begins.
struct FrameCue {
  Id thing;         ///< a camera, or a sound
  double time = 0;  ///< s of the film
  double gain = 1;  ///< of a sound
  friend bool operator==(const FrameCue&, const FrameCue&) = default;
};

using FrameCues = std::vector<FrameCue>;

/// What the surface of an object hangs together as, where each frame has its own (ObjectFrame::surface).
struct FrameSurface {
  Id object;
  int pieces = 0;
  int euler = 0;  ///< V − E + F
  friend bool operator==(const FrameSurface&, const FrameSurface&) = default;
};

using FrameSurfaces = std::vector<FrameSurface>;

struct CollisionShape;

struct Frame {
  int index = 0;
  std::uint64_t state_hash = 0;
  std::vector<ObjectFrame> objects;      ///< ascending id
  std::vector<InstanceBlock> instances;  ///< ascending id; of one object there may be several
  std::vector<PolylineBlock> polylines;  ///< the same
  std::vector<ParticleBlock> particles;  ///< ascending id, of all sources
  std::vector<FrameContact> contacts;    ///< in order of (a, b); of frame 0 none
  /// Ascending id, of all that the run has, but pulls only where they hold. Stays in memory when the frame goes to the disk. Null: of frame 0, and without joints.
  std::shared_ptr<const FrameJoints> joints;
  /// In order of object, group and example. Stays in memory, too. Null: no body has examples.
  std::shared_ptr<const FrameExamples> examples;
  /// Ascending id, of what moves and is there. Stays in memory, too. Null: nothing moves.
  std::shared_ptr<const FrameBodies> bodies;
  /// Ascending id, of all sources. Stays in memory, too. Null: there are none.
  std::shared_ptr<const FrameSources> sources;
  /// Ascending id. Stays in memory, too. Null: everything is seen as the scene says.
  std::shared_ptr<const FrameLooks> looks;
  /// All since the beginning of the run, in order of their time. Stays in memory, too. Null: none.
  std::shared_ptr<const FrameCues> cues;
  /// Ascending id, of objects that are there. Stays in memory, too. Null: none has such a surface.
  std::shared_ptr<const FrameSurfaces> surfaces;
  /// What the bodies collide as, in the order of `objects`; the same for all frames of a run (collision_shape.h). May be null.
  std::shared_ptr<const std::vector<CollisionShape>> shapes;

  const ObjectFrame* find(Id id) const;
  const FrameJoint* find_joint(Id id) const;
  const ParticleBlock* find_particles(Id source) const;
  std::size_t memory_use() const;  ///< bytes
};

using FramePtr = std::shared_ptr<const Frame>;

}  // namespace hazumi
