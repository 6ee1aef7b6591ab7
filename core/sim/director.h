// Who leads a run beside physics: what an animator said shall happen, and when. Events and procedures (core/motion)
// implement it; the simulation knows no more of them than this. A director is constant while running and shared between threads;
// what changes is in State::motion.
#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/sim/state.h"

namespace hazumi {

struct BodyForces;
struct Lead;
struct Model;
struct StepReport;

class Director {
 public:
  virtual ~Director() = default;
  virtual MotionState initial() const = 0;
  /// Where a body begins that is led from the start, and how fast; nothing: as its object says.
  virtual std::optional<Lead> begins(const Model& model, std::size_t body) const;
  /// Where what is led is seen in a frame between two sub-steps: number in Model::bodies, pose of the object frame.
  virtual std::vector<std::pair<std::size_t, Pose>> shown(const Model& model, int frame) const;
  /// Before a sub-step: what bodies are told in it. `forces` is in the order of Model::bodies; the director adds to it,
  /// and says where a body is led to.
  virtual void direct(const Model& model, const State& state, std::span<BodyForces> forces) const = 0;
  /// After a sub-step, whose number State::substep still is: what happened in it, and what starts or ends by that. Changes
  /// nothing but State::motion.
  virtual void observe(const Model& model, const StepReport& report, State& state) const = 0;
};

}  // namespace hazumi
