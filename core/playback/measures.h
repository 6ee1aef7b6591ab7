// What a run shows of a collision of which one side deforms, or that is a sine pulse, beside the closed form in its event: impulse,
// greatest force, how long it lasted and how far the two came nearer.
//
// Squash. With p the place of the event, carried along by each body's frame from the end of that sub-step on (p_a, p_b),
//   s = n·(p_b − p_a)                n from b to a; m, by how much the bodies as wholes are nearer than when they touched
// What deforms meets with a few nodes first, which bounce by themselves while the rest still comes: pushes have gaps. So a collision
// lasts from its first sub-step to the last push before the wholes are as far apart again (s ≤ 0) and do not touch; at the latest
// when they have not touched for four times as long as it took to get nearest (one has spun off the other). What begins there meanwhile is a part of it. Where the two stay together it
// has come to rest when s has changed slower than the speed of rest for as long as it took to get nearest.
//
// What is noted of a frame is all that the next frame needs, so that a log that is cut at a frame can be gone on with, and is then
// the same as if it had never been cut.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/sim/step.h"

namespace hazumi {

/// Of one collision, up to the end of a frame.
struct ContactMeasure {
  enum class State : std::uint8_t { touching, parted, resting, part };

  std::uint32_t event = 0;  ///< number in RunLog::contacts
  std::uint32_t whole = 0;  ///< of the collision that it is a part of (state part)
  State state = State::touching;
  std::int64_t began = 0, last = 0;                 ///< sub-steps of the first and the last push
  std::int64_t nearest = 0;                         ///< sub-step of the greatest squash
  int slow = 0;                                     ///< sub-steps in a row at less than the speed of rest, since then
  Vec3 arm_a = Vec3::Zero(), arm_b = Vec3::Zero();  ///< p_a, p_b, body frames, m
  double force = 0;                                 ///< N, greatest, mean over a sub-step
  double impulse = 0;                               ///< N s, along the normal
  double squash = 0, now = 0;                       ///< m, greatest s; s at the end

  /// How many sub-steps it lasted.
  int substeps() const { return static_cast<int>(last - began + 1); }
  friend bool operator==(const ContactMeasure&, const ContactMeasure&) = default;
};

/// (frame, measure), ascending; a collision that goes on has one for every frame.
using MeasureLog = std::vector<std::pair<int, ContactMeasure>>;

/// Follows collisions from sub-step to sub-step. A copy is a place to go back to.
class Measures {
 public:
  /// Takes up from a log of the frames before `frame`.
  void resume(int frame, const std::vector<std::pair<int, ContactEvent>>& events, const MeasureLog& log);
  /// `state` is that at the end of sub-step `substep`, `report` tells of it.
  void add(const Model& model, const State& state, std::int64_t substep, const StepReport& report);
  /// Notes all that went on in the frame.
  void end_frame(int frame, MeasureLog& log);

 private:
  struct Open {
    Id a, b;
    Vec3 normal;
    ContactMeasure measure;
  };
  void begin(const Model& model, const State& state, const ContactEvent& event);
  static void follow(const Model& model, const State& state, std::int64_t substep, const StepReport& report,
                     Open& open);

  std::uint32_t events_ = 0;  ///< so far
  std::vector<Open> open_;
};

}  // namespace hazumi
