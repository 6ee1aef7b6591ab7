// One sub-step: direct, move, contact, observe (docs/architecture.md, "One frame").
#pragma once

#include <optional>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/base/parallel.h"
#include "core/sim/director.h"
#include "core/sim/model.h"
#include "core/sim/state.h"

namespace hazumi {

/// A collision that began in this sub-step, with the physical read-out of spec 3.2.
struct ContactEvent {
  Id a, b;
  std::int64_t substep = 0;
  Vec3 point = Vec3::Zero(), normal = Vec3::Zero();  ///< world; normal from b to a
  double approach_speed = 0;                         ///< m/s, v0
  double impulse = 0;                                ///< N s, whole pulse
  double peak_force = 0;                             ///< N, exact Hertz peak 1.25 v0²/(n1 α_m)
  double pulse_peak = 0;                             ///< N, peak of a sine of that impulse and duration
  double duration = 0;                               ///< s, T_max
  double moment = 1;                                 ///< 0…1, of the sub-step, about when they met
  bool measured = false;  ///< one of the two deforms, or it is a sine pulse: the run shows force and time
};

/// How a pair of which one deforms, or that is under a pulse, pushed this way in a sub-step: what its collision is measured by
/// (playback/measures.h).
struct ContactTouch {
  Id a, b;
  Vec3 normal = Vec3::Zero();  ///< world, from b to a
  double force = 0;            ///< N, mean over the sub-step
};

/// What two bodies that overlapped when they came into being were given to come apart.
struct ContactGift {
  Id a, b;
  std::int64_t substep = 0;
  double depth = 0;                   ///< m, of the overlap
  double energy_a = 0, energy_b = 0;  ///< J, each one's part; 0 of what does not move
  double energy() const { return energy_a + energy_b; }
};

/// A row that held.
struct ContactMark {
  ContactKey key;
  Id a, b;
  Vec3 point = Vec3::Zero(), normal = Vec3::Zero();  ///< world; normal from b to a
  Vec3 impulse = Vec3::Zero();                       ///< N s, on a
};

/// What contacts did in a sub-step.
struct ContactFigures {
  int rows = 0, islands = 0;
  int solves = 0, passes = 0, steps = 0;  ///< cone problems, their passes, steps of an island's bodies
  int second_solves = 0, scaled = 0, turns = 0, turns_refused = 0, held = 0, yielded = 0;  ///< constraint/island.h
  double work = 0;       ///< J, Σ λ·ū, ū of one body relative to the other: what contacts added, mostly below 0
  double led = 0;        ///< J, what led bodies did on others: work + led is by how much the energy of bodies changed
  double projected = 0;  ///< J, what taking out overlaps has cost
  double over_account = 0;   ///< J, greatest work of an island beyond its account: round-off
  double least_account = 0;  ///< J, least purse of a pair, 0 at most
  double mismatch = 0;       ///< m/s, greatest difference of the true velocities of rows from what W said
};

/// What a joint holds with.
struct JointReading {
  Id joint;
  double force = 0, torque = 0;  ///< N, N m: means over the sub-step
  Vec3 pull = Vec3::Zero();      ///< N, of the force, on the first body, world axes; of a slider or gear 0
  double way = 0;                ///< m, of a slider, spring or rope; rad, of a hinge
  double work = 0;               ///< J, of a pull
  bool broken = false;
  bool met = false;  ///< a limit, or the length of a rope, held in this sub-step or was found to be passed on the way
};

/// What joints did in a sub-step.
struct JointFigures {
  int passes = 0, parts = 0;  ///< of Newton's method; most of a linkage
  int rough = 0;              ///< linkages for which it came to no end
  int stayed = 0;             ///< and of these, what stayed where it was
  double motors = 0;          ///< J, work of motors
  double springs = 0;         ///< J, by which bodies lost energy to springs and their dampers
  double met = 0;             ///< J, taken where limits were met and ropes became taut
  double leads = 0;           ///< J, work of leads
  double pulls = 0;           ///< J, work of pulls: of springs and dampers of theirs too
};

/// What keeping volumes did in a sub-step.
struct VolumeFigures {
  double work = 0;  ///< J, by which bodies gained energy
  double off = 0;   ///< greatest |V/(s V₀) − 1|
};

struct StepReport {
  bool ok = true;
  std::optional<Diagnostic> failure;        ///< which object, why, what to try
  std::vector<ContactEvent> contacts;       ///< began in this sub-step, in order of (a, b)
  std::vector<ContactTouch> touches;        ///< in order of (a, b)
  std::vector<ContactGift> gifts;           ///< of this sub-step, in order of (a, b)
  std::vector<ContactMark> marks;           ///< of what is awake, ascending key
  std::vector<std::pair<Id, Id>> touching;  ///< pairs in touch in this sub-step (impact or rest), ascending
  ContactFigures figures;
  std::vector<int> passes;  ///< per body: how often its equations were solved, all repeats counted; empty: none deforms
  std::vector<JointReading> joints;  ///< of those that hold, or broke in this sub-step, ascending id
  JointFigures joint_figures;
  VolumeFigures volume;
  std::vector<ContactEvent> met;  ///< what would have begun, where that made the sub-step another one
  double given = 0;               ///< J, by which the director changed the energy of bodies at once
  double born = 0,
         gone = 0;  ///< J, energy (with that of height, −m g·c) of copies born and of those that vanished, as it ends
  std::vector<Id> bore;                    ///< sources that gave copies, ascending
  std::vector<CopyDenied> denied;          ///< of each source of which some had no room one, a late one before others
  std::vector<MotionMark> motion;          ///< in the order in which it came
  std::vector<std::pair<Id, Id>> passing;  ///< pairs that would touch, and are told not to, ascending
};

/// Memory that a run keeps between steps to allocate nothing; holds no state that a step reads.
class StepWorkspace {
 public:
  StepWorkspace();
  ~StepWorkspace();
  struct Data;
  Data& data() { return *data_; }

 private:
  std::unique_ptr<Data> data_;
};

/// On failure the state is the one before the step.
StepReport step(const Model& model, State& state, StepWorkspace& workspace, Executor& executor);

}  // namespace hazumi
