// What keys tell the joints of a run (values/joint.h, spec 2.1): whether one holds, how fast and how hard its motor drives, of a lead where its
// target is and how strictly it leads, and where, how far and how stiffly a joint holds (joint_numbers.h). In sub-step k the switch is that at its beginning, t(k), and all else that at its end, t(k + 1), as
// of objects that are led (leading.h). Sub-step −1 ends where a run begins. Pure functions of the scene.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/hash.h"
#include "core/scene/cause.h"
#include "core/scene/derived/joint_numbers.h"
#include "core/scene/derived/run_clock.h"
#include "core/scene/derived/tracks.h"

namespace hazumi {

/// The keys of a joint; null: as it says itself.
struct JointTracks {
  const Joint* joint = nullptr;
  const Track* on = nullptr;
  const Track *speed = nullptr,
              *most = nullptr;  ///< of its motor: of a hinge its turn and torque, of a slider speed and force
  const Track* strictness = nullptr;
  const Track* along = nullptr;            ///< of a lead on a curve
  const Track* place = nullptr;            ///< of another lead, or a pull
  std::vector<const Track*> numbers = {};  ///< of how it holds, in the order of the scene's tracks
  const Curve* curve = nullptr;            ///< of a lead; null: it is on none, or on one that is gone
  std::shared_ptr<const CurveWay> way = {};
  const Key* hasty =
      nullptr;  ///< of a lead or pull: the first key to which its target goes faster than kFastestTarget; null: none
  bool keyed() const { return on || speed || most || strictness || along || place || !numbers.empty(); }
};
/// Of those that have keys, or lead along a curve, ascending by id. Pointers are into the scene.
std::vector<JointTracks> told_joints(const Scene& scene);
/// Of one joint, whatever it has.
JointTracks tracks_of_joint(const Scene& scene, const Shared<Joint>& joint);

struct JointTold {
  bool on = true;
  double motor_speed = 0, motor_force = 0;  ///< rad/s and N m, or m/s and N
  double strictness = 1;
  Vec3 place =
      Vec3::Zero();  ///< m, of a lead's target: in the axes of its second object before its scale, or of the world
  Vec3 velocity = Vec3::Zero();  ///< m per second of the film, of that target, as it comes to the end of the sub-step
  JointNumbers numbers;
  JointRates rates;  ///< per second of the film, of these, as they come to the end of the sub-step
  friend bool operator==(const JointTold&, const JointTold&) = default;
};
JointTold told(const JointTracks& tracks, std::int64_t substep, const RunClock& clock);
/// The joint with what its keys say at a time of how it holds.
Joint joint_as_told(const JointTracks& tracks, double time);

/// m/s: a lead or pull to where keys go faster is off. Between two keys it is the mean that counts, of a step how far it jumps in a sub-step.
inline constexpr double kFastestTarget = 1e4;

/// What one says otherwise than the other counts in sub-steps alone in which it is on: its keys say when, both are part of a run or neither
/// is, and what else a run reads of them from the start is the same.
bool counts_while_on(const Scene& before, const Joint& was, const Scene& after, const Joint& is);

/// What a run must have read of the joint before it can tell the two versions apart: limits that are wider, a rope that is longer, or a
/// joint that holds more before it breaks; nothing else that a run reads differs. Empty: it may tell them apart from the start.
std::vector<Reading> eased(const Joint& before, const Joint& after);

/// It may hold at some time of a run.
bool ever_on(const Scene& scene, const Joint& joint);

/// The scene's joints with the values that their keys say at a time.
Scene joints_at(Scene scene, double time);

/// Adds what a run reads of these keys, and of curves along which is led.
void add_joint_tracks(Hasher& hasher, const Scene& scene);

}  // namespace hazumi
