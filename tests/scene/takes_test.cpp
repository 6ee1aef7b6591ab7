// Takes: what belongs to one and what to all, switching, what comes and goes, as text, bad input.
#include <catch2/catch.hpp>

#include "core/scene/derived/takes.h"
#include "core/scene/diff.h"
#include "core/scene/file/scene_io.h"
#include "core/scene/validate.h"
#include "tests/support/edits.h"
#include "tests/support/small_scenes.h"

namespace takes_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

constexpr Id kBall{2}, kFloor{1};

Scene faster(Scene scene, double speed) {
  return with_object(std::move(scene), kBall, [&](Object& o) { o.body.velocity = Vec3(speed, 0, 0); });
}

double speed_of(const Scene& scene) { return find_object(scene, kBall)->body.velocity.x(); }

Scene with_track_of(Scene scene, Id target, const std::string& field, double value) {
  Track track;
  track.id = next_id(scene);
  track.name = field;
  track.target = target.value;
  track.field = field;
  Key key;
  key.value = {value, value, value, 0};
  track.keys = {key};
  scene.tracks.push_back(Shared<Track>(std::move(track)));
  return scene;
}

Id with_box(Scene& scene, Id object, const std::string& kind, MotionRole role = MotionRole::event) {
  MotionNode node;
  node.id = next_id(scene);
  node.kind = kind;
  node.role = role;
  node.object = object.value;
  scene.motion.push_back(Shared<MotionNode>(node));
  return node.id;
}

Id take_named(const Scene& scene, const std::string& name) {
  for (const auto& take : scene.takes)
    if (take->name == name) return take->id;
  return {};
}

Scene reread(const Scene& scene) {
  auto read = scene_from_text(scene_to_text(scene), "/nonexistent");
  INFO(to_string(read.diagnostics().empty() ? Diagnostic{} : read.diagnostics().front()));
  REQUIRE(read.ok());
  return read.value();
}

/// Three takes of a ball: 1, 2 and 3 m/s, with keys and boxes of their own.
Scene three_takes() {
  Scene scene = faster(busy_scene(), 1);
  scene = with_new_take(scene, "").scene;
  scene = with_track_of(faster(scene, 2), kFloor, "visible", 1);
  scene = with_new_take(scene, "").scene;
  scene = faster(scene, 3);
  with_box(scene, kBall, "time");
  return scene;
}

}  // namespace

TEST_CASE("What a run reads as a number belongs to a take; shape, looks and what is connected to all", "[takes]") {
  const auto of_take = [](std::string_view path) {
    const auto* field = find_field(object_fields(), path);
    REQUIRE(field);
    return belongs_to_take(*field);
  };
  for (const char* path :
       {"transform.position", "transform.rotation", "body.velocity", "body.spin", "body.mass", "body.stiffness",
        "body.damping", "body.gravity", "body.led", "body.volume.size", "contact.enabled", "contact.thickness",
        "material.substance.restitution", "material.substance.friction", "follow.along"}) {
    INFO(path);
    CHECK(of_take(path));
  }
  for (const char* path : {"name", "visible", "transform.scale", "display.kind", "display.primitive.size",
                           "analysis.divisions", "body.kind", "body.solver", "parent", "collection", "follow.curve",
                           "follow.looks_at", "material.surface.diffuse", "contact.groups", "mapping.lattice"}) {
    INFO(path);
    CHECK_FALSE(of_take(path));
  }
  const auto of_scene = [](std::string_view path) { return belongs_to_take(*find_field(settings_fields(), path)); };
  CHECK(of_scene("gravity"));
  CHECK(of_scene("seed"));
  CHECK(of_scene("time_scale"));
  CHECK_FALSE(of_scene("frame_rate"));
  CHECK_FALSE(of_scene("last_frame"));
  CHECK_FALSE(of_scene("background"));
}

TEST_CASE("Switching takes brings back each one's motion, and what is of all takes stays", "[takes]") {
  Scene scene = three_takes();
  REQUIRE(scene.takes.size() == 3);
  REQUIRE_FALSE(has_error(validate(scene)));
  CHECK(current_take(scene)->name == "Take 3");
  const Id first = take_named(scene, "Take 1"), second = take_named(scene, "Take 2"),
           third = take_named(scene, "Take 3");
  CHECK(scene.motion.size() == 1);
  scene = in_take(scene, first);
  CHECK(speed_of(scene) == 1);
  CHECK(scene.tracks.empty());
  CHECK(scene.motion.empty());
  CHECK(current_take(scene)->id == first);
  // Of all takes: the name, the shape, what it is made to look like.
  scene = with_object(scene, kBall, [](Object& o) {
    o.name = "Marble";
    o.transform.scale = Vec3(2, 2, 2);
    o.material.surface.diffuse = Vec3(1, 0, 0);
  });
  scene = in_take(scene, third);
  CHECK(speed_of(scene) == 3);
  CHECK(scene.tracks.size() == 1);
  CHECK(scene.motion.size() == 1);
  CHECK(find_object(scene, kBall)->name == "Marble");
  CHECK(find_object(scene, kBall)->transform.scale.x() == 2);
  scene = in_take(scene, second);
  CHECK(speed_of(scene) == 2);
  CHECK(scene.tracks.size() == 1);
  CHECK(scene.motion.empty());
  // What no take has otherwise is the same memory in all.
  const Scene other = in_take(scene, third);
  for (std::size_t i = 0; i < scene.objects.size(); ++i)
    CHECK(scene.objects[i].same_as(other.objects[i]) == (scene.objects[i]->id != kBall));
  CHECK(scene.tracks[0].same_as(other.tracks[0]));
  CHECK(difference_of(scene, *find_take(scene, third)) == "1 value, 1 box");
  CHECK(difference_of(scene, *find_take(scene, second)).empty());
}

TEST_CASE("Going to a take and back gives the same run", "[takes]") {
  const Scene scene = three_takes();
  for (const auto& take : scene.takes) {
    const Scene there = in_take(scene, take->id);
    REQUIRE_FALSE(has_error(validate(there)));
    for (const auto& other : scene.takes) {
      const Scene back = in_take(in_take(there, other->id), take->id);
      CHECK(simulation_signature(back) == simulation_signature(there));
      CHECK(scene_to_text(back) == scene_to_text(there));
    }
  }
}

TEST_CASE("Things come in all takes and go in all", "[takes]") {
  Scene before = three_takes();
  before = with_track_of(before, kBall, "material.surface.diffuse", 0.5);
  before = with_track_of(before, before.motion.back()->id, "event.time.time", 0.5);
  Scene next = before;
  const Id added = next_id(next);
  next.objects.push_back(Shared<Object>(ball(added.value, "New", BodyKind::rigid, Vec3(0, 5, 0))));
  next = with_settled_takes(before, next);
  // As it came, whatever becomes of it in the take that is current.
  const Scene moved = with_object(next, added, [](Object& o) { o.body.velocity = Vec3(9, 0, 0); });
  const Scene first = in_take(moved, take_named(moved, "Take 1"));
  REQUIRE(find_object(first, added));
  CHECK(find_object(first, added)->body.velocity == Vec3::Zero());
  CHECK(find_object(in_take(first, take_named(first, "Take 3")), added)->body.velocity.x() == 9);

  Scene in_first = in_take(before, take_named(before, "Take 1"));
  const Scene gone = with_settled_takes(in_first, without(in_first, kBall));
  const Scene third = in_take(gone, take_named(gone, "Take 3"));
  REQUIRE_FALSE(has_error(validate(third)));
  CHECK(third.motion.empty());
  CHECK(third.tracks.size() == 1);  // that of the floor, and none of the box that went with the ball
  // Ids of what waits are not given to something else.
  CHECK(next_id(in_first).value > before.motion.back()->id.value);
}

TEST_CASE("Takes are copied, named and deleted", "[takes]") {
  Scene scene = three_takes();
  const Id first = take_named(scene, "Take 1"), third = take_named(scene, "Take 3");
  const MadeTake copied = with_copied_take(scene, first, "Take 3");
  CHECK(find_take(copied.scene, copied.take)->name == "Take 4");
  CHECK(current_take(copied.scene)->id == third);
  CHECK(speed_of(in_take(copied.scene, copied.take)) == 1);
  const auto less = without_take(scene, third);
  REQUIRE(less.ok());
  CHECK(current_take(less.value())->name == "Take 2");
  CHECK(speed_of(less.value()) == 2);
  Scene one = less.value();
  while (one.takes.size() > 1) one = without_take(one, one.takes.front()->id).value();
  const auto none = without_take(one, one.takes.front()->id);
  REQUIRE_FALSE(none.ok());
  CHECK(none.error().message == "The last take cannot be deleted: a scene has one.");
}

TEST_CASE("A scene with takes reads back as it was written", "[takes]") {
  const Scene scene = three_takes();
  const std::string text = scene_to_text(scene);
  // Only what is not as in the scene.
  CHECK(text.size() < scene_to_text(busy_scene()).size() + 3000);
  const Scene again = reread(scene);
  CHECK(scene_to_text(again) == text);
  for (const auto& take : scene.takes) {
    const Scene a = in_take(scene, take->id), b = in_take(again, take->id);
    CHECK(simulation_signature(a) == simulation_signature(b));
    CHECK(scene_to_text(a) == scene_to_text(b));
  }
  // A scene without takes is written as ever.
  CHECK(scene_to_text(busy_scene()).find("takes") == std::string::npos);
}

TEST_CASE("Random edits in random takes: each take is what was done in it, and reads back", "[takes]") {
  EditDice dice(20);
  Scene scene = listed_scene();
  scene = with_new_take(scene, "").scene;
  std::map<std::uint64_t, std::uint64_t> signatures;
  const auto note = [&] { signatures[current_take(scene)->id.value] = simulation_signature(scene); };
  note();
  signatures[scene.takes.front()->id.value] = simulation_signature(scene);
  for (int k = 0; k < 200; ++k) {
    const int kind = dice.below(8);
    if (kind == 0 && scene.takes.size() < 8) {
      scene = with_new_take(scene, "").scene;
    } else if (kind <= 2) {
      scene = in_take(scene, pick(scene.takes, dice)->id);
    } else if (kind == 3 && !scene.tracks.empty()) {
      scene.tracks.erase(scene.tracks.begin() + dice.below(static_cast<int>(scene.tracks.size())));
    } else if (kind == 4) {
      const Id target = pick(scene.objects, dice)->id;
      Scene next = with_track_of(scene, target, "visible", dice.unit() < 0.5);
      if (!has_error(validate(next))) scene = next;
    } else if (kind == 5) {
      with_box(scene, pick(scene.objects, dice)->id, "rest");
    } else {
      Scene next = scene;
      const auto i = static_cast<std::size_t>(dice.below(static_cast<int>(scene.objects.size())));
      std::vector<const Field<Object>*> rows;
      for (const auto& field : object_fields())
        if (belongs_to_take(field)) rows.push_back(&field);
      next.objects[i] = next.objects[i].edited([&](Object& o) { change_field(*pick(rows, dice), o, dice); });
      if (!has_error(validate(next))) scene = next;
    }
    note();
    INFO("edit " << k << ", kind " << kind);
    for (const auto& [id, signature] : signatures) REQUIRE(simulation_signature(in_take(scene, Id{id})) == signature);
    if (k % 20 == 0) {
      const std::string text = scene_to_text(scene);
      scene = reread(scene);
      REQUIRE(scene_to_text(scene) == text);
    }
  }
  CHECK(scene.takes.size() == 8);
}

TEST_CASE("Bad takes are told in a sentence", "[takes]") {
  const std::string good = scene_to_text(three_takes());
  const auto told = [](const std::string& text) {
    const auto read = scene_from_text(text, "/nonexistent");
    REQUIRE_FALSE(read.ok());
    return read.error().path + ": " + read.error().message;
  };
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    const auto at = text.find(from);
    REQUIRE(at != std::string::npos);
    return text.replace(at, from.size(), to);
  };
  CHECK(told(with("\"Take 2\"", "\"Take 1\"")).find("Two takes are named \"Take 1\".") != std::string::npos);
  CHECK(told(with("\"current\": true", "\"current\": false")) == "takes: None of the takes is current.");
  const std::string missing =
      told(with("\"objects\": [\n        {\n          \"id\": 2", "\"objects\": [\n        {\n          \"id\": 77"));
  CHECK(missing.find("takes[0] \"Take 1\" objects[0] id (line ") == 0);
  CHECK(missing.find("The scene has no object with the id 77.") != std::string::npos);
  CHECK(told(with("\"tracks\": []", "\"tracks\": [88]")).find("The scene has no track with the id 88.") !=
        std::string::npos);
  CHECK(told(with("\"tracks\": []", "\"settings\": {\"frame_rate\": 24}"))
            .find("\"frame_rate\" is of all takes, and no take has its own.") != std::string::npos);
  CHECK(told(with("\"tracks\": []", "\"settings\": 3")).find("Expected a block") != std::string::npos);
  CHECK(told(with("\"tracks\": []", "\"joints\": {}")).find("Expected a list of blocks") != std::string::npos);
}

TEST_CASE("A change of the current take is an edit of looks where runs are the same, and of frames where they part",
          "[takes]") {
  const Scene scene = three_takes();
  const auto never = [](const Cause&) { return kNoFrame; };
  const Scene copied = with_new_take(scene, "").scene;
  const ChangeSet same = diff(scene, copied, never);
  CHECK_FALSE(same.empty());
  CHECK(same.look);
  CHECK(same.first_frame == kNoFrame);
  const ChangeSet other = diff(scene, in_take(scene, scene.takes.front()->id), never);
  CHECK(other.simulation);
  CHECK(other.first_frame == 0);
}

}  // namespace takes_test
