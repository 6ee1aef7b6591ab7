// The linkages of a run: which bodies joints hold together in this sub-step, each group by itself. Two bodies are in one linkage where a
// joint that is not broken is between them; what stands or is led holds, and joins nothing.
#pragma once

#include <memory>

#include "core/base/parallel.h"
#include "core/sim/constraint/linkage.h"

namespace hazumi {

/// J that springs hold, as bodies stand in `state`.
/// What keys and motions told them last counts; one that is off holds none.
double joint_energy(const Model& model, const State& state);
/// J that a spring holds where bodies stand in `state`, and is told this.
double spring_energy(const Model& model, const State& state, const ModelJoint& spring);

class Linkages {
 public:
  /// Who is with whom now. Forests are laid anew only where that has changed.
  void find(const Model& model, const State& start, std::span<const BodyForces> forces, const JointDrives& drives);
  bool any() const { return !all_.empty(); }
  std::size_t count() const { return all_.size(); }
  Linkage& operator[](std::size_t number) { return *all_[number]; }
  const Linkage& operator[](std::size_t number) const { return *all_[number]; }
  /// Number of the linkage that this body is in; −1: it is free.
  std::int32_t of(std::uint32_t body) const { return all_.empty() ? -1 : of_[body]; }
  std::span<const std::int32_t> of_bodies() const { return all_.empty() ? std::span<const std::int32_t>() : of_; }
  /// The free motion of all that do not sleep. `asleep`: per body.
  void advance(const Model& model, const State& start, State& state, std::span<const BodyForces> forces,
               const JointDrives& drives, std::span<const char> asleep, Executor& executor);
  /// After contacts. Of those that sleep forces are read.
  void settle(const Model& model, const State& start, State& state, std::span<const char> asleep, Executor& executor,
              StepReport& report);

 private:
  void group(const Model& model);
  bool sleeps(std::size_t number, std::span<const char> asleep) const { return asleep[all_[number]->all.front()] != 0; }
  double told_springs(const Model& model, const State& start, const State& state) const;
  const JointDrives* drives_ = nullptr;  ///< of this sub-step
  std::vector<char> pattern_;            ///< which joints hold, and which of their bodies move
  std::vector<std::unique_ptr<Linkage>> all_;
  std::vector<std::int32_t> of_;
  const Model* model_ = nullptr;
};

}  // namespace hazumi
