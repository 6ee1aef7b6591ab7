// What keys tell joints in a run: the director's numbers against the keys, sub-step by sub-step; and from which frame on an edit of them counts.
#include <catch2/catch.hpp>

#include "core/scene/derived/following.h"
#include "core/scene/derived/joined.h"
#include "core/scene/derived/joint_tracks.h"
#include "core/scene/diff.h"
#include "core/scene/values/scene_lists.h"
#include "core/sim/constraint/joint.h"
#include "tests/support/run.h"

namespace joint_tracks_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

/// A box that is scaled and turned (1), another (2) beside it, a curve (3) and, under 10, a joint of the kind: of the box, to the second or the
/// world.
struct Stage : World {
  explicit Stage(JointKind kind, std::uint64_t second = 0) {
    scene.settings.substeps = 4;
    scene.settings.frame_rate = 25;
    Object first = box(Vec3(0.4, 0.4, 0.4), Vec3(0, 2, 0)), other = box(Vec3(0.4, 0.4, 0.4), Vec3(1, 2, 0));
    other.transform.scale = Vec3(2, 1, 0.5);
    other.transform.rotation = Quat(Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()));
    add(first);
    add(other);
    Curve curve;
    curve.id = Id{3};
    curve.kind = CurveKind::line;
    curve.points.resize(3);
    curve.points[1].place = Vec3(1, 0, 0);
    curve.points[2].place = Vec3(1, 3, 0);
    curve.transform.position = Vec3(0, 2, 0);
    scene.curves = {curve};
    Joint joint;
    joint.id = Id{10};
    joint.kind = kind;
    joint.a.object = 1;
    joint.b.object = second;
    joint.b.place = second ? Vec3(0.1, 0.2, 0.3) : Vec3(0, 2, 0);
    joint.motor = true;
    scene.joints = {joint};
  }
  void key(const char* field, double time, const FieldValue& value) {
    scene = with_key(std::move(scene), 10, field, time, value);
  }
  void on_curve() {
    scene = with_joint(scene, Id{10}, [](Joint& j) { j.curve = 3; });
  }
};

std::vector<JointDrive> driven(const Model& model, std::int64_t substep) {
  std::vector<JointDrive> drives;
  for (const ModelJoint& joint : model.joints) drives.push_back(own_drive(joint));
  if (model.director) model.director->drive(model, substep, drives);
  return drives;
}

int first_frame(const Scene& before, const Scene& after) { return diff(before, after, {}).first_frame; }

}  // namespace

TEST_CASE("A lead's target is where its keys are at the end of each sub-step, on what it is on", "[joints][keys]") {
  for (const std::uint64_t second : {0, 2}) {
    Stage stage(JointKind::lead, second);
    stage.key("b.place", 0, Vec3(0, 0.1, 0));
    stage.key("b.place", 0.4, Vec3(0.5, 0.3, -0.2));
    stage.key("strictness", 0, 0.0);
    stage.key("strictness", 0.2, 1.0);
    const Run run(stage);
    const Model& model = *run.model;
    REQUIRE(model.joints.size() == 1);
    REQUIRE(model.director);
    const Track &place = *find_track(stage.scene, 10, "b.place"), &strict = *find_track(stage.scene, 10, "strictness");
    for (std::int64_t k = -1; k < 60; ++k) {
      const JointDrive drive = driven(model, k)[0];
      const double end = static_cast<double>(k + 1) * model.step;
      const auto v = track_value(place, FieldType::vector, end);
      Vec3 wanted(v[0], v[1], v[2]);
      // Its centre is its origin: only the scale is between.
      if (second) wanted = Vec3(2, 1, 0.5).cwiseProduct(wanted);
      CHECK((drive.place_b - wanted).norm() < 1e-12);
      CHECK(drive.strictness == std::clamp(track_value(strict, FieldType::number, end)[0], 0.0, 1.0));
      CHECK(drive.on);
    }
    CHECK(driven(model, -1)[0].strictness == 0);
    CHECK(driven(model, 100)[0].strictness == 1);
  }
}

TEST_CASE("Along a curve a lead's target is on it, keyed or not", "[joints][keys]") {
  Stage stage(JointKind::lead);
  stage.on_curve();
  stage.scene = with_joint(stage.scene, Id{10}, [](Joint& j) { j.along = 0.25; });
  const auto way = way_of(stage.scene.curves[0]);
  {
    const Run run(stage);
    CHECK_FALSE(run.model->director);
    REQUIRE(run.model->joints.size() == 1);
    CHECK(run.model->joints[0].b == -1);
    CHECK(run.model->joints[0].place_b == way->place(0.25));
    CHECK((run.model->joints[0].place_b - Vec3(1, 2, 0)).norm() < 1e-9);
  }
  // What waits in it for another kind counts nothing: it leads in the world.
  stage.scene = with_joint(stage.scene, Id{10}, [](Joint& j) { j.b.object = 2; });
  stage.key("along", 0, 0.0);
  stage.key("along", 1, 1.0);
  const Run run(stage);
  REQUIRE(run.model->joints.size() == 1);
  CHECK(run.model->joints[0].b == -1);
  const Track& along = *find_track(stage.scene, 10, "along");
  for (std::int64_t k = 0; k < 120; ++k)
    CHECK(driven(*run.model, k)[0].place_b ==
          way->place(std::clamp(track_value(along, FieldType::number, static_cast<double>(k + 1) * run.model->step)[0],
                                0.0, 1.0)));
}

TEST_CASE("A switch counts from the sub-step that begins at its key; a motor is as its keys say", "[joints][keys]") {
  Stage hinge(JointKind::hinge);
  hinge.key("on", 0, true);
  hinge.key("on", 0.2, false);
  hinge.key("motor_turn", 0, 1.0);
  hinge.key("motor_turn", 0.4, 5.0);
  hinge.key("motor_torque", 0, 3.0);
  hinge.key("motor_force", 0, 77.0);  // of a slider
  const Run run(hinge);
  const double h = run.model->step;
  CHECK(driven(*run.model, 19)[0].on);
  CHECK_FALSE(driven(*run.model, 20)[0].on);
  const Track& turn = *find_track(hinge.scene, 10, "motor_turn");
  for (std::int64_t k = 0; k < 50; ++k) {
    const JointDrive drive = driven(*run.model, k)[0];
    CHECK(drive.motor_speed == track_value(turn, FieldType::number, static_cast<double>(k + 1) * h)[0]);
    CHECK(drive.motor_force == 3);
  }
  Stage slider(JointKind::slider);
  slider.key("motor_speed", 0, -2.0);
  slider.key("motor_force", 0, 40.0);
  const Run slid(slider);
  CHECK(driven(*slid.model, 3)[0].motor_speed == -2);
  CHECK(driven(*slid.model, 3)[0].motor_force == 40);
}

TEST_CASE("A joint that is off is in a run when keys may put it on", "[joints][keys]") {
  Stage stage(JointKind::ball);
  stage.scene = with_joint(stage.scene, Id{10}, [](Joint& j) { j.on = false; });
  CHECK(Run(stage).model->joints.empty());
  stage.key("on", 0, false);
  stage.key("on", 0.4, true);
  const Run run(stage);
  REQUIRE(run.model->joints.size() == 1);
  CHECK_FALSE(driven(*run.model, 0)[0].on);
  CHECK(driven(*run.model, 40)[0].on);
  // Keys of what its kind does not have tell it nothing.
  Stage plain(JointKind::ball);
  plain.key("strictness", 0, 0.2);
  plain.key("motor_turn", 0, 2.0);
  CHECK_FALSE(Run(plain).model->director);
}

TEST_CASE("Where time is slow keys are those of the film", "[joints][keys]") {
  Stage stage(JointKind::lead);
  stage.scene.settings.time_scale = 0.5;
  stage.key("b.place", 0, Vec3(0, 2, 0));
  stage.key("b.place", 1, Vec3(1, 2, 0));
  stage.key("on", 0, true);
  stage.key("on", 0.5, false);
  const Run run(stage);
  const Track& place = *find_track(stage.scene, 10, "b.place");
  for (std::int64_t k = 0; k < 40; ++k) {
    const double begin = run.model->clock.film(k), end = run.model->clock.film(k + 1);
    CHECK(end == Approx(2 * static_cast<double>(k + 1) * run.model->step));
    CHECK(driven(*run.model, k)[0].place_b.x() == track_value(place, FieldType::vector, end)[0]);
    CHECK(driven(*run.model, k)[0].on == (begin < 0.5 - 1e-9));
  }
}

TEST_CASE("A key of a joint drops the frames from the first that is told otherwise", "[joints][keys][diff]") {
  Stage stage(JointKind::lead);
  for (const double time : {0.0, 1.0, 2.0}) stage.key("b.place", time, Vec3(time, 2, 0));
  for (auto& track : stage.scene.tracks)
    track = track.edited([](Track& t) {
      for (Key& key : t.keys) key.shape = KeyShape::linear;
    });
  // The last key: from the one before it on, at which frame 25 is.
  Scene after = with_key(stage.scene, 10, "b.place", 2, Vec3(5, 2, 0));
  CHECK(first_frame(stage.scene, after) == 26);
  // A key between that says what was said: nothing, but for the hash of the keys.
  CHECK(first_frame(stage.scene, with_key(stage.scene, 10, "b.place", 2.4, Vec3(2, 2, 0))) > 100);
  CHECK(first_frame(stage.scene, with_key(stage.scene, 10, "b.place", 0, Vec3(0.5, 2, 0))) <= 1);
  // A switch far ahead.
  Scene on = with_key(stage.scene, 10, "on", 0, true);
  CHECK(first_frame(stage.scene, on) > 100);
  after = with_key(on, 10, "on", 2, false);
  CHECK(first_frame(on, after) >= 50);
  CHECK(first_frame(on, after) <= 51);
  CHECK(simulation_signature(on) != simulation_signature(after));
  // Off, and keyed or not, is in a run or not.
  const Scene off = with_joint(stage.scene, Id{10}, [](Joint& j) { j.on = false; });
  CHECK(first_frame(off, with_key(off, 10, "on", 2, true)) == 0);
  // What of it is only looked at.
  CHECK(first_frame(stage.scene, with_joint(stage.scene, Id{10}, [](Joint& j) { j.name = "Hand"; })) == kNoFrame);
}

TEST_CASE("A moved curve drops the frames in which something is led along that part of it", "[joints][keys][diff]") {
  Stage stage(JointKind::lead);
  stage.on_curve();
  const auto moved = [](const Scene& scene, std::size_t point) {
    return with_curve(scene, Id{3}, [&](Curve& c) { c.points[point].place += Vec3(0, 0, 0.5); });
  };
  CHECK(first_frame(stage.scene, moved(stage.scene, 0)) <= 1);  // before that nothing has moved
  CHECK(first_frame(stage.scene, without(stage.scene, Id{3})) == 0);
  CHECK(without(stage.scene, Id{3}).joints.empty());
  // Along waits at the start, where no other part is seen.
  stage.key("along", 0, 0.0);
  stage.key("along", 1, 0.0);
  stage.key("along", 2, 1.0);
  for (auto& track : stage.scene.tracks)
    track = track.edited([](Track& t) {
      for (Key& key : t.keys) key.shape = KeyShape::linear;
    });
  CHECK(first_frame(stage.scene, moved(stage.scene, 2)) == 26);
  CHECK(simulation_signature(stage.scene) != simulation_signature(moved(stage.scene, 2)));
  // Another curve, which nothing is led along.
  Scene two = stage.scene;
  Curve other = *two.curves[0];
  other.id = Id{20};
  two.curves.push_back(Shared<Curve>(other));
  CHECK(first_frame(two, with_curve(two, Id{20}, [](Curve& c) { c.points[0].place.x() = 9; })) == kNoFrame);
}

}  // namespace joint_tracks_test
