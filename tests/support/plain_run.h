// A run that looks at all armed events in each sub-step: what one that looks where it may matter is compared with.
#pragma once

#include "core/motion/director.h"
#include "core/motion/tracks.h"
#include "tests/support/graph.h"

namespace hazumi::test {

struct PlainRun : MotionRun {
  explicit PlainRun(const World& of) : MotionRun(of) {
    auto next = std::make_shared<Model>(*model);
    next->director = make_motion_director(of.scene, *next, make_track_director(of.scene, *next), EventLooks::all);
    model = next;
    marks.clear();
    state = initial_state(*next, &marks);
  }
};

}  // namespace hazumi::test
