// A simulator with the scene that it was compiled from, and what of an earlier run is of use for the next one.
#pragma once

#include <span>

#include "core/base/shared.h"
#include "core/playback/simulator.h"
#include "core/scene/values/scene.h"

namespace hazumi {

struct Run {
  Shared<Scene> scene;
  std::uint64_t signature = 0;  ///< simulation_signature of it
  Simulator simulator;
  Run(Shared<Scene> s, std::uint64_t sign, std::shared_ptr<const Model> model, int threads)
      : scene(std::move(s)), signature(sign), simulator(std::move(model), threads) {}
};

/// First frame of a run of `before` that is of no use for `after`.
int first_changed(const Scene& before, const Scene& after, const RunLog& log);
/// Work done by earlier runs that is the same in the new one is not repeated: of all simulators still there, the one
/// that shares the longest past. Others may be null.
void adopt_best(Run& fresh, std::span<const Run* const> others);

}  // namespace hazumi
