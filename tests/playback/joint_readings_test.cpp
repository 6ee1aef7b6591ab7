// What joints hold with is in the frames: means over the sub-steps of a frame, wherever a run was begun again, and on the disk too.
#include <catch2/catch.hpp>

#include "core/playback/frame_bytes.h"
#include "core/playback/frame_cache.h"
#include "tests/support/small_scenes.h"

namespace joint_readings_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

constexpr double kMass = 2;

/// A box (2) that hangs at its middle on a ball joint (10) to the world, and one (3) on a rope (11) that breaks at once.
Scene hanging() {
  Scene scene;
  scene.settings.substeps = 4;
  for (const std::uint64_t id : {2, 3}) {
    Object one = box(id, "Box", Vec3(3.0 * static_cast<double>(id), 2, 0));
    one.body.mass = kMass;
    scene.objects.push_back(one);
  }
  Joint ball, rope;
  ball.id = Id{10};
  ball.kind = JointKind::ball;
  ball.a.object = 2;
  rope.id = Id{11};
  rope.kind = JointKind::rope;
  rope.a.place = Vec3(9, 3, 0);
  rope.b.object = 3;
  rope.break_force = 1;
  scene.joints = {ball, rope};
  return scene;
}

}  // namespace

TEST_CASE("A frame says what each joint held with, and which are broken", "[joints]") {
  const Scene scene = hanging();
  const std::vector<Frame> frames = fresh_run(scene, 6);
  REQUIRE(frames.size() == 7);
  CHECK_FALSE(frames[0].joints);
  for (std::size_t f = 1; f < frames.size(); ++f) {
    REQUIRE(frames[f].joints);
    REQUIRE(frames[f].joints->size() == 2);
    const FrameJoint* ball = frames[f].find_joint(Id{10});
    REQUIRE(ball);
    const double weight = kMass * scene.settings.gravity.norm();
    CHECK(ball->holds);
    CHECK_FALSE(ball->broken);
    CHECK(ball->force == Approx(weight));
    // On the first body, which would fall.
    CHECK((ball->pull - Vec3f(0, static_cast<float>(weight), 0)).norm() < 1e-4f);
    const FrameJoint* rope = frames[f].find_joint(Id{11});
    REQUIRE(rope);
    CHECK(rope->broken);
    if (f > 1) CHECK_FALSE(rope->holds);
  }
  CHECK(frames[6].find_joint(Id{77}) == nullptr);
  CHECK(frames[6].memory_use() >= 2 * sizeof(FrameJoint));
  // Without joints there is nothing.
  Scene none = scene;
  none.joints.clear();
  CHECK_FALSE(fresh_run(none, 2)[2].joints);
}

TEST_CASE("What joints held with is the same from any state that was kept", "[joints]") {
  const Scene scene = hanging();
  const std::vector<Frame> fresh = fresh_run(scene, 12);
  Simulator simulator(compiled(scene), 2);
  for (const int f : {12, 3, 7, 1, 12, 6}) {
    REQUIRE(simulator.state_at(f));
    CHECK(same_bits(simulator.frame_at(f), fresh[static_cast<std::size_t>(f)]));
  }
}

TEST_CASE("What joints held with stays in memory when a frame goes to the disk", "[joints]") {
  FrameCache cache;
  const auto generation = cache.generation();
  for (Frame& frame : fresh_run(hanging(), 4))
    REQUIRE(cache.append(generation, std::make_shared<const Frame>(std::move(frame))));
  const auto joints = cache.joints(0);
  REQUIRE(joints.size() == 5);
  CHECK_FALSE(joints[0]);
  CHECK(joints[3] == cache.frame(3)->joints);
  CHECK(cache.joints(3).size() == 2);
  CHECK(cache.joints(9).empty());
  const FramePtr frame = cache.frame(2);
  const FramePtr back = frame_from_bytes(frame_bytes(*frame), shared_parts(*frame));
  REQUIRE(back);
  CHECK(back->joints == frame->joints);
}

}  // namespace joint_readings_test
