// All frames of a world, for tests of what they say.
#pragma once

#include <catch2/catch.hpp>
#include <memory>
#include <vector>

#include "core/playback/simulator.h"
#include "tests/support/run.h"

namespace hazumi::test {

inline std::vector<FramePtr> frames_of(const World& world, int last, int threads = 1) {
  Run run(world);
  Simulator simulator(run.model, threads);
  std::vector<FramePtr> all;
  for (int f = 0; f <= last; ++f) {
    REQUIRE(simulator.state_at(f));
    all.push_back(std::make_shared<const Frame>(simulator.frame_at(f)));
  }
  return all;
}

}  // namespace hazumi::test
