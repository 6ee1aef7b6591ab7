// How the time of a run goes with that of the film. A run goes in sub-steps of h = 1/(frame rate · sub-steps), whatever the film does;
// the time scale (SceneSettings::time_scale and its keys) says how much of it there is in a film step of h:
//   x(0) = 0,  x(j + 1) = x(j) + s((j + ½) h)     s: time scale at a time of the film, x: sub-steps of the run up to film step j
// Frame f is at x(f · sub-steps): its state is that before sub-step ⌊x⌋, and what is seen is that, and the next state by the rest.
// Keys are of the film: where x stands still what is led goes on, and passes through what it meets.
// Sums have the same bits wherever they are made, and nothing of them depends on the range of the scene.
#pragma once

#include <cstdint>
#include <memory>

#include "core/scene/values/scene.h"

namespace hazumi {

class RunClock {
 public:
  RunClock(double step, int substeps) : step_(step), substeps_(substeps) {}  ///< the film is as fast as the run
  explicit RunClock(const Scene& scene);

  double step() const { return step_; }       ///< s, h
  int substeps() const { return substeps_; }  ///< of a frame where the scale is 1
  bool even() const { return !sums_; }        ///< the scale is 1 all the time

  std::int64_t begin(int frame) const;       ///< sub-steps before the state of a frame
  double part(int frame) const;              ///< 0…1, of sub-step begin(frame), how much of it is seen in the frame
  int frame_of(std::int64_t substep) const;  ///< in which the sub-step is run: the last that begins at or before it
  int last_without(std::int64_t substep) const;  ///< the last frame that shows nothing of the sub-step
  double film_of_frame(int frame) const;         ///< s
  /// s, time of the film at which a sub-step begins, the first where it stands still.
  double film(std::int64_t substep) const;
  /// Seconds of the film per second of the run, as the film comes to the beginning of a sub-step; at 0: as it goes on.
  double rate(std::int64_t substep) const;

  /// The first frame that has another x; nothing up to `last`: none.
  static int first_difference(const RunClock& a, const RunClock& b, int last);

 private:
  struct Sums;
  double x(std::int64_t film_step) const;
  int frame_before(std::int64_t film_step) const;
  /// The first film step whose end is at or beyond `substeps`.
  std::int64_t film_step_to(double substeps) const;

  double step_;
  int substeps_;
  std::shared_ptr<Sums> sums_;  ///< shared by copies; grows as it is asked
};

/// Null: the time scale has no keys.
const Track* time_scale_track(const Scene& scene);

}  // namespace hazumi
