// What numbers that a motion graph tells a run (scene/derived/told_numbers.h) do to bodies: how they meet others, the size of a volume that is kept,
// forces on them, and gravity. Joints, fields and sources are told by the stages that have them.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/motion/pushing.h"
#include "core/scene/derived/substance_keys.h"
#include "core/scene/derived/told_numbers.h"

namespace hazumi {

class ToldBodies {
 public:
  ToldBodies(const Scene& scene, const Model& model);
  /// Adds to what bodies are told; keys have told theirs.
  void direct(const Model& model, const State& state, const NumbersTold& told, std::span<BodyForces> forces) const;

 private:
  void tell_object(const Model& model, const NumberTold& one, std::span<BodyForces> forces) const;
  void tell_forces(const Model& model, const State& state, std::span<const NumberTold> now,
                   std::span<BodyForces> forces) const;
  void tell_gravity(const Model& model, std::int64_t substep, std::span<const NumberTold> now,
                    std::span<BodyForces> forces) const;

  const Scene scene_;           // what the pointers point into
  std::vector<Pushed> forces_;  ///< those that a box is about, ascending
  std::vector<SubstanceTracks> substances_;
};

}  // namespace hazumi
