// What a motion that was put on a thing has done, in the thing's own times.
#pragma once

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/graph.h"

namespace hazumi::test {

using Story = std::vector<std::pair<std::string, double>>;

/// (kind of the box, turn), and when, in units of a thing of 0.5 m.
inline Story story(const MotionRun& run, double size) {
  Story all;
  for (const MotionMark& m : run.marks)
    if (m.turn == MotionTurn::happened || m.turn == MotionTurn::started || m.turn == MotionTurn::ended)
      all.emplace_back(find_motion(run.scene, m.box)->kind + (m.turn == MotionTurn::happened  ? ""
                                                              : m.turn == MotionTurn::started ? "+"
                                                                                              : "-"),
                       (static_cast<double>(m.substep) + m.moment) * run.model->step / std::sqrt(size / 0.5));
  return all;
}

}  // namespace hazumi::test
