#include "core/playback/run.h"

#include <algorithm>

#include "core/scene/diff.h"

namespace hazumi {

int first_changed(const Scene& before, const Scene& after, const RunLog& log) {
  return diff(before, after, [&](const Cause& cause) { return log.first_frame(cause); }).first_frame;
}

void adopt_best(Run& fresh, std::span<const Run* const> others) {
  const Simulator* best = nullptr;
  int best_first = 0, best_checkpoint = 0;
  for (const Run* candidate : others) {
    if (!candidate) continue;
    const int first = first_changed(*candidate->scene, *fresh.scene, candidate->simulator.log());
    int reach = 0;
    for (int frame : candidate->simulator.checkpoints())
      if (frame < first) reach = std::max(reach, frame);
    if (reach > best_checkpoint) {
      best = &candidate->simulator;
      best_first = first;
      best_checkpoint = reach;
    }
  }
  if (best) fresh.simulator.adopt(*best, best_first);
}

}  // namespace hazumi
