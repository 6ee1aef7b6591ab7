// Who leads a run beside physics: what an animator said shall happen, and when. Events and procedures (core/motion)
// implement it; the simulation knows no more of them than this. A director is constant while running and shared between threads;
// what changes is in State::motion.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/geometry/mesh/surface.h"
#include "core/scene/derived/told_numbers.h"
#include "core/sim/elastic/rest_shape.h"
#include "core/sim/state.h"

namespace hazumi {

struct BodyForces;
struct JointDrive;
struct Lead;
struct Model;
struct StepReport;

/// Where bodies are seen in a frame between two sub-steps: poses of object frames, by number in Model::bodies.
class SeenBodies {
 public:
  virtual ~SeenBodies() = default;
  virtual Pose pose(std::size_t body) const = 0;
  virtual void put(std::size_t body, const Pose& pose) = 0;  ///< with what it carries
};

/// A material that takes the place of a body's own, by shares of 0…1.
struct MaterialTold {
  Surface surface;
  double seen = 0;                       ///< share of `surface` in how it is seen
  double friction = 0, restitution = 0;  ///< what of a material a run reads as it goes on
  double felt = 0;                       ///< share of these in how it meets others
};

/// How something is seen besides what the scene says of it; but for what a material has others feel, it acts on nothing.
struct BodyLook {
  std::optional<bool> visible;    ///< nothing: as the scene says
  Vec3 colour = Vec3::Zero();     ///< 0…1
  double coloured = 0;            ///< share of `colour` in it, 0…1
  double opacity = 1, faded = 0;  ///< share of the opacity in it
  MaterialTold material = {};     ///< below its colour and opacity
  bool none() const { return !visible && coloured == 0 && faded == 0 && material.seen == 0; }
};

/// reached: it would have been armed or started, or a case was tried, and nothing came of it; no log has that, but an edit may change it.
enum class MotionTurn { armed, disarmed, happened, started, ended, reached };

/// What a director did in a run, for its log: of boxes of motion graphs.
struct MotionMark {
  std::int64_t substep = 0;
  double moment = 0;  ///< 0…1 of that sub-step
  MotionTurn turn = MotionTurn::happened;
  Id box, object, other;  ///< other: what it happened with, where that is one thing
  friend bool operator==(const MotionMark&, const MotionMark&) = default;
};

class Director {
 public:
  virtual ~Director() = default;
  virtual MotionState initial() const = 0;
  /// What happens at time 0, and what is armed then: changes nothing but State::motion. The bodies are there.
  virtual void begin(const Model& model, State& state, std::vector<MotionMark>& marks) const;
  /// Where a body begins that is led from the start, and how fast; nothing: as its object says.
  virtual std::optional<Lead> begins(const Model& model, std::size_t body) const;
  /// Size of its volume with which a body begins; nothing: as its object says.
  virtual std::optional<double> begins_sized(const Model& model, std::size_t body) const;
  /// Rest shape with which a body begins, and in which it is then; of nodes none: as its object says.
  virtual RestShape begins_shaped(const Model& model, std::size_t body) const;
  /// Puts what is led where it is seen in a frame between two sub-steps.
  virtual void show(const Model& model, int frame, SeenBodies& seen) const;
  /// How bodies are seen in that state, in the order of Model::bodies; filled with looks that say nothing.
  virtual void look(const Model& model, const State& state, std::span<BodyLook> looks) const;
  /// What things of the scene are told that keys and their own numbers do not say, at the end of a sub-step, of which `state` is the beginning or the
  /// end. Those that bodies read are in direct(), too.
  virtual void numbers(const Model& model, const State& state, std::int64_t substep,
                       std::vector<NumberTold>& told) const;
  /// False: in the sub-step that comes direct() adds nothing.
  virtual bool tells(const State&) const { return true; }
  /// Before a sub-step: what bodies are told in it. `forces` is in the order of Model::bodies; the director adds to it,
  /// and says where a body is led to. `told`: what numbers() says of this sub-step and the one before.
  virtual void direct(const Model& model, const State& state, const NumbersTold& told,
                      std::span<BodyForces> forces) const = 0;
  /// What joints are told in a sub-step, in the order of Model::joints; filled with what they say themselves. A function of time: it is
  /// asked for the sub-step before, too.
  virtual void drive(const Model& model, std::int64_t substep, std::span<JointDrive> joints) const;
  /// After a sub-step: of what is led, what has met something that it must meet freely is not led in `forces` any more. True: there is
  /// such a thing, and the sub-step is to be made again. Of state the motion is that of its start.
  virtual bool give_way(const Model& model, const StepReport& report, const State& state,
                        std::span<BodyForces> forces) const;
  /// After a sub-step: what it starts says of the collisions that began in it is added to `forces`. True: the sub-step is to be made
  /// again with that. Changes nothing else; State::motion is as it was.
  virtual bool foresee(const Model& model, const State& before, const StepReport& report, State& state,
                       std::span<BodyForces> forces) const;
  /// After a sub-step, once all have moved: what rides on others goes with them. Changes bodies of `state`; its number is still that of the
  /// sub-step.
  virtual void carry(const Model& model, const State& before, State& state) const;
  /// After a sub-step, whose number State::substep still is, from `before`: what happened in it, and what starts or ends by that. Changes
  /// nothing but State::motion, and of the report its marks and its failure; then State::motion.events are as they were.
  virtual void observe(const Model& model, const State& before, StepReport& report, State& state) const = 0;
};

}  // namespace hazumi
