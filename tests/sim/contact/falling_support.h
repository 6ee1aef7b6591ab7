// What falls, and may gain nothing by it.
#pragma once

#include <cmath>

#include "tests/support/run.h"

namespace hazumi::test {

/// Runs for `seconds`; the most energy above that of the start and what keeping volumes has worked, of the start's and of a metre's fall.
inline double watch_gain(Run& run, double seconds) {
  const double start = run.energy();
  double scale = std::abs(start), booked = 0, gain = 0;
  for (const Body& b : run.model->bodies)
    if (b.moves) scale += b.mass * 9.8;
  const int steps = static_cast<int>(seconds / run.model->step + 0.5);
  for (int n = 0; n < steps; ++n) {
    const StepReport report = run.step();
    if (!report.ok) FAIL(to_string(*report.failure));
    for (std::size_t k = 0; k < run.model->bodies.size(); ++k)
      if (run.model->bodies[k].deforms)
        if (const FlexibleBody& b = flexible(run.model->bodies[k]); b.kept)
          booked += b.kept->reading(run.state.bodies[k].values).work;
    gain = std::max(gain, (run.energy() - start - booked) / scale);
  }
  return gain;
}

}  // namespace hazumi::test
