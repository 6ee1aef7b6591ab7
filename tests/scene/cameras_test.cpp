// Cameras of a scene: lens and axes in closed form, the cuts, what names what is gone, and the only camera of earlier
// files.
#include <catch2/catch.hpp>

#include <fstream>

#include "core/math/rotation.h"
#include "core/scene/derived/cameras.h"
#include "core/scene/derived/parts.h"
#include "core/scene/derived/tracks.h"
#include "core/scene/file/scene_io.h"
#include "core/scene/validate.h"
#include "tests/scene/random_scene.h"

namespace cameras_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

double between(Dice& dice, double low, double high) { return low + (high - low) * dice.unit(); }

/// Three cameras: ids 6, 7, 8.
Scene filmed() {
  Scene scene = plain_scene();
  scene.settings.frame_rate = 10;
  for (int i = 0; i < 3; ++i) scene = with_new_camera(std::move(scene), Vec3(i, 1, 5));
  return scene;
}

Id id_of(const Scene& scene, int camera) { return scene.cameras.at(static_cast<std::size_t>(camera))->id; }

}  // namespace

TEST_CASE("Focal length and angle: the closed form of film 24 mm high", "[cameras]") {
  CHECK(degrees(angle_of_lens(12)) == Approx(90).epsilon(1e-12));
  CHECK(degrees(angle_of_lens(50)) == Approx(26.991466).epsilon(1e-7));
  CHECK(degrees(angle_of_lens(35)) == Approx(37.849289).epsilon(1e-7));
  for (const double lens : {0.5, 8.0, 35.0, 85.0, 5000.0})
    CHECK(lens_of_angle(angle_of_lens(lens)) == Approx(lens).epsilon(1e-12));
}

TEST_CASE("The axes of a camera are those of its sight, upright, and rolled to its right", "[cameras]") {
  Camera camera;
  camera.position = Vec3(0, 0, 5);
  camera.target = Vec3::Zero();
  CHECK(camera_axes(camera).isApprox(Mat3(Mat3::Identity()), 1e-12));
  camera.roll = radians(90);
  CHECK(camera_axes(camera).col(1).isApprox(Vec3(1, 0, 0), 1e-12));  // up points to the right
  camera.roll = 0;
  camera.position = Vec3(0, 7, 0);  // straight down
  const Mat3 down = camera_axes(camera);
  CHECK(down.col(0).isApprox(Vec3(1, 0, 0), 1e-12));
  CHECK(down.col(2).isApprox(Vec3(0, 1, 0), 1e-12));
}

TEST_CASE("A camera that is turned has the axes that it was turned to, and its target as far away", "[cameras]") {
  const unsigned seed = 4711;
  INFO("seed " << seed);
  Dice dice(seed);
  for (int i = 0; i < 300; ++i) {
    Camera camera;
    camera.position = Vec3(between(dice, -5, 5), between(dice, -5, 5), between(dice, -5, 5));
    camera.target = camera.position + Vec3(between(dice, -3, 3), between(dice, -3, 3), between(dice, 0.1, 3));
    camera.roll = between(dice, -3, 3);
    const Vec3 axis = Vec3(between(dice, -1, 1), between(dice, -1, 1), between(dice, 0.1, 1)).normalized();
    const Mat3 wanted = Eigen::AngleAxisd(between(dice, -3, 3), axis).toRotationMatrix() * camera_axes(camera);
    const double away = (camera.target - camera.position).norm();
    turn_camera(camera, wanted);
    CHECK((camera_axes(camera) - wanted).norm() < 1e-9);
    CHECK((camera.target - camera.position).norm() == Approx(away).epsilon(1e-12));
  }
}

TEST_CASE("Cuts are keys of the scene's camera: who takes the pictures when", "[cameras]") {
  Scene scene = filmed();
  const Id a = id_of(scene, 0), b = id_of(scene, 1), c = id_of(scene, 2);
  CHECK(active_camera(scene).id == a);
  auto all = camera_stretches(scene, 0, 10);
  REQUIRE(all.size() == 1);
  CHECK((all[0].camera == a && !all[0].by_key && all[0].to == 10));

  scene = with_cut(scene, b, 2);
  scene = with_cut(scene, c, 5);
  CHECK(active_camera(scene_at(scene, 1.99)).id == a);
  CHECK(active_camera(scene_at(scene, 2)).id == b);
  CHECK(active_camera(scene_at(scene, 4.999)).id == b);
  CHECK(active_camera(scene_at(scene, 5)).id == c);
  CHECK(active_camera(scene_at(scene, 50)).id == c);
  all = camera_stretches(scene, 0, 10);
  REQUIRE(all.size() == 3);  // the camera of before has a key at the start
  CHECK((all[0].by_key && all[1].by_key && all[2].by_key));
  CHECK((all[1].from == 2 && all[1].to == 5 && all[1].camera == b));
  all = camera_stretches(scene, 3, 4);
  REQUIRE(all.size() == 1);
  CHECK((all[0].camera == b && !all[0].by_key));

  // A key of 0, as the diamond of a scene that names none sets it, is the first camera.
  const Scene named = with_key(scene, 0, kCutField, 7, std::int64_t{0});
  CHECK(active_camera(scene_at(named, 8)).id == a);
  CHECK(camera_stretches(named, 0, 10).at(3).camera == a);
  CHECK(lost_references(named).empty());

  // In a cycle they come again.
  scene.tracks[0] = scene.tracks[0].edited([](Track& t) { t.after = Beyond::cycle; });
  CHECK(active_camera(scene_at(scene, 6)).id == a);
  CHECK(active_camera(scene_at(scene, 8)).id == b);
  all = camera_stretches(scene, 0, 10);
  REQUIRE(all.size() == 5);
  CHECK((all[2].camera == a && all[2].from == 5));
  CHECK((all[3].camera == b && all[3].from == Approx(7) && !all[3].by_key));
}

TEST_CASE("A cut to a camera that is gone is told of, and the one before it stays", "[cameras]") {
  Scene scene = filmed();
  const Id a = id_of(scene, 0), b = id_of(scene, 1), c = id_of(scene, 2);
  scene = with_cut(with_cut(scene, b, 2), c, 5);
  CHECK(lost_references(scene).empty());
  const Scene without_b = without(scene, b);
  CHECK(active_camera(scene_at(without_b, 3)).id == a);
  CHECK(active_camera(scene_at(without_b, 6)).id == c);
  const auto lost = lost_references(without_b);
  REQUIRE(lost.size() == 1);
  CHECK(lost[0].path == "tracks[0] \"Camera\" keys[1]");
  CHECK(lost[0].message == "The cut at 2 s names a camera that is gone; the one before it stays.");
  CHECK(std::get<std::int64_t>(*value_at(without_b, 0, kCutField, 3)) == static_cast<std::int64_t>(a.value));
  CHECK(validate(without_b).empty());
  // All that were named are gone: what the scene itself says.
  Scene none = without(without(without(scene, a), b), c);
  none = with_new_camera(none);
  CHECK(active_camera(scene_at(none, 3)).id == none.cameras[0]->id);
  // What was set by itself is no longer named.
  scene.settings.camera = c.value;
  CHECK(without(scene, c).settings.camera == 0);
}

TEST_CASE("What a camera looks at goes with copies of both, and is left out where it stays behind", "[cameras]") {
  Scene scene = filmed();
  const Id camera = id_of(scene, 0);
  scene = with_camera(scene, camera, [](Camera& c) { c.looks_at = 2; });
  scene = with_key(scene, camera.value, kLooksAt, 1, std::int64_t{3});
  const JoinedScene both = joined(scene, part_of(scene, {camera, Id{2}, Id{3}}));
  const Camera* copy = find_camera(both.scene, both.ids.at(camera));
  REQUIRE(copy);
  CHECK(copy->looks_at == both.ids.at(Id{2}).value);
  const Track* keys = find_track(both.scene, copy->id.value, kLooksAt);
  REQUIRE(keys);
  CHECK(keys->keys.at(0).value[0] == static_cast<double>(both.ids.at(Id{3}).value));
  const JoinedScene alone = joined(scene, part_of(scene, {camera}));
  CHECK(find_camera(alone.scene, alone.ids.at(camera))->looks_at == 0);
  // Deleted: the value goes, a key stays and is told of.
  const Scene gone = without(without(scene, Id{2}), Id{3});
  CHECK(find_camera(gone, camera)->looks_at == 0);
  REQUIRE(lost_references(gone).size() == 1);
  CHECK(lost_references(gone)[0].who == camera);
}

TEST_CASE("The only camera of earlier files is the first of the list, to the bit, with its keys",
          "[cameras][scene_io]") {
  const char* const old = R"({
  "format": "hazumi scene", "version": 1,
  "camera": {"position": [1, 2, 3], "target": [0, 0.5, 0], "field_of_view": 0.83, "near_plane": 0.2,
             "far_plane": 70, "lens_hood": true},
  "lights": [{"id": 4, "name": "Sun"}],
  "tracks": [{"id": 9, "name": "Position", "field": "camera.position", "keys": [[0, 1, 2, 3], [1, 2, 2, 2]]},
             {"id": 10, "name": "Angle", "field": "camera.field_of_view", "keys": [[0, 0.83], [1, 0.5]]},
             {"id": 11, "name": "Far", "field": "camera.far_plane", "keys": [[0, 70], [1, 90]]}]
})";
  const Result<Scene> read = scene_from_text(old, ".");
  REQUIRE(read.ok());
  const Scene& scene = read.value();
  REQUIRE(scene.cameras.size() == 1);
  const Camera& camera = *scene.cameras[0];
  CHECK(camera.id == Id{12});
  CHECK(camera.name == "Camera");
  CHECK(camera.position == Vec3(1, 2, 3));
  CHECK(static_cast<float>(angle_of_lens(camera.focal_length)) == 0.83f);
  CHECK((!camera.depth.automatic && camera.depth.near_plane == 0.2 && camera.depth.far_plane == 70));
  for (const char* field : {"position", "focal_length", "depth.far_plane"}) {
    INFO(field);
    CHECK(find_track(scene, 12, field));
  }
  CHECK(std::get<double>(*value_at(scene, 12, "focal_length", 1)) == Approx(lens_of_angle(0.5)).epsilon(1e-12));
  // Written as a list, read back the same; what was not known is kept.
  const std::string text = scene_to_text(scene);
  CHECK(text.find("\"camera\": {") == std::string::npos);
  CHECK(text.find("lens_hood") != std::string::npos);
  CHECK(scene_to_text(scene_from_text(text, ".").value()) == text);

  // Any angle.
  Dice dice(5);
  INFO("seed 5");
  for (int i = 0; i < 2000; ++i) {
    const double angle = between(dice, 0.02, 2.9);
    char file[200];
    std::snprintf(file, sizeof file, R"({"format": "hazumi scene", "version": 1, "camera": {"field_of_view": %.17g}})",
                  angle);
    const Scene one = scene_from_text(file, ".").value();
    CHECK(static_cast<float>(angle_of_lens(one.cameras.at(0)->focal_length)) == static_cast<float>(angle));
  }
}

TEST_CASE("A wrong camera of an earlier file is told in a sentence with its place", "[cameras][scene_io]") {
  const auto said = [](const std::string& block) {
    const auto read = scene_from_text("{\"format\": \"hazumi scene\", \"version\": 1, \"camera\": " + block + "}", ".");
    REQUIRE_FALSE(read.ok());
    return read.error().path + ": " + read.error().message;
  };
  CHECK(said("[]").starts_with("camera (line 1): Expected a block"));
  CHECK(said("{\"field_of_view\": 9}").starts_with("camera.field_of_view (line 1): Field of view must be at most"));
  CHECK(said("{\"near_plane\": 5, \"far_plane\": 4}").find("The far plane must be beyond") != std::string::npos);
  CHECK(said("{\"position\": [0, 0.5, 0]}").find("must not be at its own target") != std::string::npos);
}

TEST_CASE("A reference picture beside the scene goes with it; one elsewhere keeps its place", "[cameras][scene_io]") {
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / "hazumi_camera_pictures";
  fs::remove_all(folder);
  fs::create_directories(folder / "a" / "plates");
  Scene scene = filmed();
  const auto with_file = [&](const fs::path& file) {
    return with_camera(scene, id_of(scene, 0), [&](Camera& c) { c.picture.file = file.generic_string(); });
  };
  REQUIRE(save_scene(with_file(folder / "a" / "plates" / "one.png"), folder / "a" / "s.json").ok());
  fs::rename(folder / "a", folder / "b");
  CHECK(load_scene(folder / "b" / "s.json").value().cameras[0]->picture.file ==
        (folder / "b" / "plates" / "one.png").generic_string());
  REQUIRE(save_scene(with_file("/elsewhere/two.png"), folder / "b" / "s.json").ok());
  CHECK(load_scene(folder / "b" / "s.json").value().cameras[0]->picture.file == "/elsewhere/two.png");
  fs::remove_all(folder);
}

}  // namespace cameras_test
