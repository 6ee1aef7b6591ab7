// Named moments of a scene: their file, what an edit of them drops, and what cannot be.
#include <catch2/catch.hpp>

#include "core/scene/derived/parts.h"
#include "core/scene/diff.h"
#include "core/scene/file/scene_io.h"
#include "core/scene/validate.h"
#include "tests/scene/random_scene.h"

namespace markers_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

Scene marked() {
  Scene scene = plain_scene();
  Marker marker;
  marker.id = next_id(scene);
  marker.name = "Jump";
  marker.time = 0.7;
  scene.markers.push_back(marker);
  return scene;
}

Scene changed(Scene scene, const std::function<void(Marker&)>& change) {
  scene.markers[0] = scene.markers[0].edited(change);
  return scene;
}

}  // namespace

TEST_CASE("Markers are in the file, and a scene without them is written as before", "[scene][markers][file]") {
  const std::string text = scene_to_text(marked());
  CHECK(text.find("\"markers\"") != std::string::npos);
  CHECK(scene_to_text(plain_scene()).find("markers") == std::string::npos);
  const Result<Scene> read = scene_from_text(text, {});
  REQUIRE(read.ok());
  REQUIRE(read->markers.size() == 1);
  CHECK(read->markers[0]->name == "Jump");
  CHECK(read->markers[0]->time == 0.7);
  CHECK(scene_to_text(*read) == text);
}

TEST_CASE("No frame is dropped for a marker, and it takes no name from a thing", "[scene][markers][diff]") {
  const Scene scene = marked();
  const auto keeps = [&](const Scene& after) {
    const ChangeSet change = diff(scene, after, [](const Cause&) { return 0; });
    return !change.empty() && change.first_frame == kNoFrame && !change.simulation;
  };
  CHECK(keeps(plain_scene()));
  CHECK(keeps(changed(scene, [](Marker& m) { m.time = 2; })));
  CHECK(keeps(changed(scene, [](Marker& m) { m.name = "Land"; })));
  CHECK(keeps(changed(scene, [](Marker& m) { m.colour = Vec3(1, 0, 0); })));
  CHECK(unique_name(scene, "Jump") == "Jump");
  // Markers stay where they are when things go to another scene.
  CHECK(part_of(scene, {Id{3}}).markers.empty());
}

TEST_CASE("Markers that cannot be are named with place and reason", "[scene][markers][validate]") {
  const auto first_problem = [](const std::function<void(Marker&)>& change) {
    const Diagnostics problems = validate(changed(marked(), change));
    REQUIRE_FALSE(problems.empty());
    CHECK(problems.front().path.find("markers[0]") == 0);
    return problems.front().message;
  };
  CHECK_FALSE(first_problem([](Marker& m) { m.time = -2e6; }).empty());  // before the start it is over
  CHECK(first_problem([](Marker& m) { m.time = 1e7; }) == "Time must be at most 1000000 s.");
  CHECK_FALSE(first_problem([](Marker& m) { m.time = std::nan(""); }).empty());
  CHECK_FALSE(first_problem([](Marker& m) { m.colour.x() = 2; }).empty());
  Scene twice = marked();
  twice.markers.push_back(twice.markers[0].edited([](Marker& m) { m.name = "Land"; }));
  CHECK(has_error(validate(twice)));
}

}  // namespace markers_test
