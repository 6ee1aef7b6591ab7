// Bodies whose rest shape is keyed, in a run (scene/derived/shape_keys.h says what they are told): the ways between poses, made once when
// the model is, and the forces with which a body follows them.
//
//   s⁻, s⁺   rest shape at the start and the end of a sub-step, turned and moved to where the body is, m (world)
//   τ        0.1 s · (1 − following)/following, s: in what time it comes nearer
//   f_i      m (ṡ + (s⁻ − x)/max(τ, h) − v) (1 − e^(−2h/τ))/h, N, v and x less the motion of the whole; without what f would push and
//            turn the body as a whole, so that it flies, falls and hits by physics alone
#pragma once

#include <memory>
#include <vector>

#include "core/scene/derived/shape_keys.h"
#include "core/sim/model.h"

namespace hazumi {

class ShapedBody {
 public:
  ShapedBody(const Body& body, std::uint32_t number, const Object& object, const ShapeTracks& tracks, double h);

  std::uint32_t number() const { return number_; }
  RestShape begins(const RunClock& clock) const;
  void direct(const Model& model, const State& state, BodyForces& to) const;
  void begin_led(const RunClock& clock, Lead& to) const;
  /// Where keys lead it, it has its shape exactly. Back from physics, with so many sub-steps left, it goes 1/left of the way to it.
  void lead(const Model& model, const State& state, std::int64_t left, Lead& to) const;

 private:
  std::vector<Vec3> nodes_at(const ShapeTold& told) const;
  void follow(const Body& body, std::span<const double> values, const std::vector<Vec3>& before,
              const std::vector<Vec3>& after, double following, double h, std::vector<Vec3>& forces) const;

  struct Way {
    int from = 0, to = 0;
    std::vector<std::vector<Vec3>> shapes;
  };
  std::uint32_t number_;
  const Object* object_;
  ShapeTracks tracks_;
  std::vector<double> masses_, weights_;  ///< kg; of what the shape is moved and turned by
  std::vector<Way> ways_;
  std::vector<std::pair<int, std::vector<Vec3>>> poses_;  ///< aligned, of every pose that is told
};

}  // namespace hazumi
