// Leads that go where a test says.
#pragma once

#include <functional>

#include "tests/sim/joint/joint_support.h"

namespace hazumi::test {

/// Tells every lead of a run where to go.
struct Guide final : Director {
  using Way = std::function<Vec3(std::size_t joint, double time)>;
  Way way, velocity;
  std::function<double(std::size_t joint)> strictness = [](std::size_t) { return 1.0; };

  MotionState initial() const override { return {}; }
  void direct(const Model&, const State&, const NumbersTold&, std::span<BodyForces>) const override {}
  void drive(const Model& model, std::int64_t substep, std::span<JointDrive> joints) const override {
    const double time = static_cast<double>(substep + 1) * model.step;
    for (std::size_t j = 0; j < joints.size(); ++j) {
      if (model.joints[j].kind != JointKind::lead) continue;
      joints[j].place_b = way(j, time);
      joints[j].velocity_b = velocity(j, time);
      joints[j].strictness = strictness(j);
    }
  }
  void observe(const Model&, const State&, StepReport&, State&) const override {}
};

struct LedRun : JointRun {
  LedRun(const World& world, Guide guide) : JointRun(world) {
    std::const_pointer_cast<Model>(model)->director = std::make_shared<Guide>(std::move(guide));
  }
  /// Where a joint holds its first end.
  Vec3 held(std::size_t j) const {
    const ModelJoint& joint = model->joints[j];
    return place(joint.a, joint.place_a, joint.nodes_a);
  }
};

}  // namespace hazumi::test
