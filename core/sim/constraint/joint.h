// What joints of the scene (scene/values/joint.h) become in a run, and what they remember.
//
//   frame   of a joint on each body: origin and axes x, y, z in the axes of the body frame; of the world in those of the world. Both
//           frames are one at the start, but those of springs and ropes, which have two places
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/base/id.h"
#include "core/geometry/mapping/mapping.h"
#include "core/math/types.h"
#include "core/scene/derived/joint_numbers.h"
#include "core/scene/derived/told_numbers.h"
#include "core/scene/values/joint.h"

namespace hazumi {

struct Body;
struct Scene;
struct Model;
struct Object;
struct State;

/// A joint of a run, constant.
struct ModelJoint {
  Id id;
  std::string name;
  JointKind kind = JointKind::ball;
  std::int32_t a = -1, b = -1;  ///< numbers in Model::bodies; −1: the world
  Vec3 place_a = Vec3::Zero(), place_b = Vec3::Zero();
  std::vector<NodeWeight> nodes_a, nodes_b;  ///< of what deforms, in place of the place (link_soft.h)
  Mat3 frame_a = Mat3::Identity(), frame_b = Mat3::Identity();
  bool collide = false;
  bool limited = false;
  double least = 0, most = 0;  ///< rad or m
  bool motor = false;
  double motor_speed = 0, motor_force = 0;  ///< rad/s and N m, or m/s and N
  double length = 0;                        ///< m, of springs and ropes
  double stiffness = 0, damping = 0;
  double strictness = 1;                 ///< of a lead
  bool on = true;                        ///< without keys
  std::int32_t first = -1, second = -1;  ///< of a gear: numbers in Model::joints
  double ratio = 1;
  double break_force = 0;
  double most_force = 0;  ///< N, of a pull; 0: whatever it takes
  bool pins = false;      ///< the pins of body a: a ball joint or hinge that holds while another joint holds a
  JointNumbers numbers;   ///< what all that is made of, as the scene has it at the start
  bool measured = false;  ///< `length` is what the places are apart at the start
  /// From places of the scene to those of the bodies: scale ∘ place − origin.
  Vec3 scale_a = Vec3::Ones(), scale_b = Vec3::Ones(), origin_a = Vec3::Zero(), origin_b = Vec3::Zero();
  /// JointMemory is kept of it from sub-step to sub-step; those behind in Model::joints have none.
  bool remembers() const { return kind != JointKind::pull && !pins; }
};

/// Of how many State::joints knows.
std::size_t remembered(std::span<const ModelJoint> joints);

/// What a joint is told in a sub-step; without a director as its ModelJoint says.
struct JointDrive {
  bool on = true;
  double motor_speed = 0, motor_force = 0;  ///< as in ModelJoint
  double strictness = 1;                    ///< of a lead: share of the force that would keep it there, 0…1
  Vec3 place_b = Vec3::Zero();  ///< of a lead or pull: where it is at the end of the sub-step, as ModelJoint::place_b
  Vec3 velocity_b = Vec3::Zero();  ///< m/s, of a lead, of that place as it comes there, in the same axes
  std::shared_ptr<const JointNumbers> numbers = {};  ///< at the end of the sub-step; null: as the ModelJoint has them
  JointRates rates = {};                             ///< per second, as they come there; not of what motions tell
  bool by_motion = false;                            ///< a motion tells some of `numbers`
};
JointDrive own_drive(const ModelJoint& joint);
/// What motions tell them, on top of what their keys do.
void tell_joints(const Model& model, std::span<const NumberTold> told, std::span<JointDrive> drives);
/// The joint as it holds with these numbers. Its place on b, where it has one place, and axes there stay as it was made; places of what
/// deforms too.
void put_numbers(const Model& model, const ModelJoint& made, const JointNumbers& numbers, ModelJoint& joint);
/// Its places, axis, limits or length move in a sub-step, or did as it began.
bool goes(const ModelJoint& joint, const JointDrive& before, const JointDrive& now);
/// What all are told in a sub-step, of which `state` is the beginning or the end; `told` is what Director::numbers says of it.
void drive_joints(const Model& model, std::int64_t substep, std::span<const NumberTold> told,
                  std::span<JointDrive> drives);
/// A joint as it was told last to hold: its numbers, not where it has taken hold.
ModelJoint joint_as_told(const Model& model, const State& state, std::size_t joint);
/// Of a sub-step, and of the one before it.
struct JointDrives {
  std::vector<JointDrive> before, now;
};

/// A point of an object, in its axes before its scale, in those of its body frame; of the world (null) as it is.
Vec3 place_on_body(const Model& model, const Object* object, std::int32_t body, const Vec3& place);
/// Those that hold something at some time: in ascending id, gears after all others, then pulls, and the pins of what any of them hold. What cannot hold is said and left out.
std::vector<ModelJoint> compile_joints(const Scene& scene, const Model& model, Diagnostics& notes);
/// A joint can move it: what hangs on pins too, where these let it turn.
bool can_be_held(const Body& body);
/// Numbers of bodies that these keep from touching each other, a < b, ascending.
std::vector<std::pair<std::uint32_t, std::uint32_t>> bodies_apart(std::span<const ModelJoint> joints);

}  // namespace hazumi
