// A director that leads bodies along paths which a test writes down.
#pragma once

#include <functional>
#include <map>

#include "core/math/rotation.h"
#include "tests/support/run.h"

namespace hazumi::test {

/// Where an object is at a time (s), and from when on physics has it.
struct Path {
  std::function<Pose(double)> at;
  double until = 1e300;  ///< s

  static Path straight(const Vec3& from, const Vec3& velocity) {
    return {[=](double t) { return Pose{from + t * velocity, Quat::Identity()}; }};
  }
  Lead lead(double t) const {
    constexpr double kTiny = 1e-5;
    const Pose now = at(t), before = at(t - kTiny), earlier = at(t - 2 * kTiny);
    const auto slope = [&]<class Vector>(const Vector& a, const Vector& b, const Vector& c) {
      return Vector((3 * a - 4 * b + c) / (2 * kTiny));
    };
    Lead lead;
    lead.pose = now;
    lead.velocity = slope(now.position, before.position, earlier.position);
    const Eigen::Vector4d turn =
        slope(now.rotation.coeffs().eval(), before.rotation.coeffs().eval(), earlier.rotation.coeffs().eval());
    lead.spin = 2 * (Quat(turn) * now.rotation.conjugate()).vec();
    return lead;
  }
};

class Leader final : public Director {
 public:
  std::map<Id, Path> paths;

  MotionState initial() const override { return {}; }
  std::optional<Lead> begins(const Model& model, std::size_t body) const override {
    const auto path = paths.find(model.bodies[body].id);
    return path != paths.end() && path->second.until > 0 ? std::optional(path->second.lead(0)) : std::nullopt;
  }
  void direct(const Model& model, const State& state, const NumbersTold&, std::span<BodyForces> forces) const override {
    const double h = model.step, time = static_cast<double>(state.substep) * h;
    for (const auto& entry : paths) {
      const Path& path = entry.second;
      BodyForces& to = forces[model.bodies.number(entry.first)];
      const auto led = [&](double t) { return t < path.until - 1e-9; };
      if (led(time)) to.led = path.lead(static_cast<double>(state.substep + 1) * h);
      to.handed_over = state.substep > 0 && led(time) != led(time - h);
    }
  }
  void observe(const Model&, const State&, StepReport&, State&) const override {}
};

/// A run whose bodies are led.
struct LedBodiesRun : Run {
  LedBodiesRun(const World& world, const std::map<Id, Path>& paths, int threads = 1) : Run(world, threads) {
    auto leader = std::make_shared<Leader>();
    leader->paths = paths;
    std::const_pointer_cast<Model>(model)->director = std::move(leader);
    state = initial_state(*model);
  }

  /// Of what physics has and can push.
  double energy_of(const std::vector<Id>& ids) const {
    double sum = 0;
    for (const Id id : ids) {
      const Observables o = at(id);
      sum += o.kinetic_energy + o.elastic_energy -
             (*model).bodies.find(id)->gravity * o.mass * model->gravity.dot(o.centre);
    }
    return sum;
  }
};

}  // namespace hazumi::test
