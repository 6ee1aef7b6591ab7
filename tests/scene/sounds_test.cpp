// Sounds and keying sets of a scene: their file, what an edit of them drops, what cannot be; sound files go where the scene goes.
#include <catch2/catch.hpp>

#include "core/base/atomic_file.h"
#include "core/scene/derived/parts.h"
#include "core/scene/diff.h"
#include "core/scene/file/recovery_folder.h"
#include "core/scene/file/scene_io.h"
#include "core/scene/validate.h"
#include "tests/scene/random_scene.h"

namespace sounds_test {

using namespace hazumi;
using namespace hazumi::test;
namespace fs = std::filesystem;

namespace {

Scene sounding(const std::string& file) {
  Scene scene = plain_scene();
  Sound sound;
  sound.id = next_id(scene);
  sound.name = "Bang";
  sound.file = file;
  sound.start = 0.25;
  scene.sounds.push_back(sound);
  KeyingSet set;
  set.id = next_id(scene);
  set.name = "Face";
  set.fields = "transform.position, visible";
  scene.keying_sets.push_back(set);
  return scene;
}

Scene changed(Scene scene, const std::function<void(Sound&)>& change) {
  scene.sounds[0] = scene.sounds[0].edited(change);
  return scene;
}

struct Folder {
  fs::path path = fs::temp_directory_path() / ("hazumi_sound_scenes_" + std::to_string(std::random_device{}()));
  Folder() {
    fs::create_directories(path / "music");
    fs::create_directories(path / "a");
    fs::create_directories(path / "b");
  }
  ~Folder() { fs::remove_all(path); }
  std::string write(const char* name, const std::string& bytes) const {
    REQUIRE(write_file_atomically(path / name, bytes).ok());
    return (path / name).string();
  }
  std::string text(const char* name) const { return read_whole_file(path / name, 1 << 20).value(); }
};

}  // namespace

TEST_CASE("Sounds and keying sets are in the file, and a scene without them is written as before",
          "[scene][sounds][file]") {
  const std::string text = scene_to_text(sounding("/elsewhere/bang.wav"));
  CHECK(text.find("\"sounds\"") != std::string::npos);
  for (const char* list : {"sounds", "keying_sets"})
    CHECK(scene_to_text(plain_scene()).find(list) == std::string::npos);
  const Result<Scene> read = scene_from_text(text, "/some/folder");
  REQUIRE(read.ok());
  REQUIRE(read->sounds.size() == 1);
  CHECK(read->sounds[0]->start == 0.25);
  REQUIRE(read->keying_sets.size() == 1);
  CHECK(read->keying_sets[0]->fields == "transform.position, visible");
}

TEST_CASE("No frame is dropped for a sound", "[scene][sounds][diff]") {
  const Scene scene = sounding("/x/bang.wav");
  const auto keeps = [&](const Scene& after) {
    const ChangeSet change = diff(scene, after, [](const Cause&) { return 0; });
    return !change.empty() && change.first_frame == kNoFrame && !change.simulation;
  };
  CHECK(keeps(plain_scene()));
  CHECK(keeps(changed(scene, [](Sound& s) { s.start = 2; })));
  CHECK(keeps(changed(scene, [](Sound& s) { s.gain = 0.5; })));
  CHECK(keeps(changed(scene, [](Sound& s) { s.visible = false; })));
  CHECK(keeps(changed(scene, [](Sound& s) { s.file = "/y/other.wav"; })));
  CHECK(part_of(scene, {Id{3}}).sounds.empty());
}

TEST_CASE("Sounds that cannot be are named with place and reason", "[scene][sounds][validate]") {
  const auto first_problem = [](const std::function<void(Sound&)>& change) {
    const Diagnostics problems = validate(changed(sounding("/x/bang.wav"), change));
    REQUIRE_FALSE(problems.empty());
    CHECK(problems.front().path.find("sounds[0]") == 0);
    return problems.front().message;
  };
  CHECK(first_problem([](Sound& s) { s.gain = -1; }) == "Gain must be at least 0.");
  CHECK(first_problem([](Sound& s) { s.start = 1e7; }) == "Start must be at most 1000000 s.");
  CHECK_FALSE(first_problem([](Sound& s) { s.start = std::nan(""); }).empty());
  CHECK(first_problem([](Sound& s) { s.file = ""; }) == "File must not be empty.");
}

TEST_CASE("Saving that is called off leaves the old file and no copies", "[scene][sounds][scene_io]") {
  const Folder folder;
  const std::string music = folder.write("music/bang.wav", std::string(5 << 20, 'x'));
  folder.write("a/s.json", "old");
  Scene scene = sounding(music);
  std::vector<double> parts;
  const auto until = [&](double last) {
    parts.clear();
    return save_scene(scene, folder.path / "a" / "s.json", [&, last](double part) {
      parts.push_back(part);
      return part < last;
    });
  };
  for (const double last : {0.0, 0.3, 1.0}) {
    INFO(last);
    const Status saved = until(last);
    REQUIRE_FALSE(saved.ok());
    CHECK(saved.error().message == "Saving was called off.");
    CHECK(folder.text("a/s.json") == "old");
    CHECK(std::distance(fs::directory_iterator(folder.path / "a"), {}) == 1);
  }
  CHECK(std::is_sorted(parts.begin(), parts.end()));
  CHECK(parts.size() > 5);  // a step for each MiB
  CHECK(until(2).ok());
  CHECK(fs::file_size(folder.path / "a" / "bang.wav") == 5 << 20);
}

TEST_CASE("Saving brings sound files beside the scene, and never over another file", "[scene][sounds][scene_io]") {
  const Folder folder;
  const std::string music = folder.write("music/bang.wav", "boom");
  const Scene scene = sounding(music);
  REQUIRE(save_scene(scene, folder.path / "a" / "s.json").ok());
  CHECK(folder.text("a/bang.wav") == "boom");
  CHECK(folder.text("a/s.json").find(folder.path.string()) == std::string::npos);
  const Scene read = load_scene(folder.path / "a" / "s.json").value();
  CHECK(read.sounds[0]->file == (folder.path / "a" / "bang.wav").string());
  // Saved again it is there already; saved elsewhere it goes along.
  REQUIRE(save_scene(scene, folder.path / "a" / "s.json").ok());
  CHECK_FALSE(fs::exists(folder.path / "a" / "bang-2.wav"));
  folder.write("b/bang.wav", "another");
  REQUIRE(save_scene(read, folder.path / "b" / "s.json").ok());
  CHECK(folder.text("b/bang.wav") == "another");
  CHECK(folder.text("b/bang-2.wav") == "boom");
  CHECK(load_scene(folder.path / "b" / "s.json").value().sounds[0]->file == (folder.path / "b/bang-2.wav").string());
  // One that has gone is told of, and the scene is saved all the same.
  fs::remove(music);
  fs::remove(folder.path / "a" / "bang.wav");
  const Status saved = save_scene(scene, folder.path / "a" / "s.json");
  CHECK(saved.ok());
  REQUIRE(saved.diagnostics().size() == 1);
  CHECK(saved.diagnostics()[0].message.find("is gone and was not copied beside the scene.") != std::string::npos);
}

TEST_CASE("A stranger's scene names no sound outside of its folder", "[scene][sounds][scene_io][bad]") {
  const Folder folder;
  const std::string secret = folder.write("music/secret", "mine");
  for (const std::string& name : {secret, std::string("../music/secret")}) {
    const std::string text = scene_to_text(sounding(name));
    const Scene read = scene_from_text(text, folder.path / "a").value();
    CHECK(read.sounds[0]->file == (folder.path / "a" / "secret").string());
    CHECK(save_scene(read, folder.path / "b" / "s.json").ok());
    CHECK_FALSE(fs::exists(folder.path / "b" / "secret"));
    CHECK(part_from_text(text).value().sounds.empty());
  }
}

TEST_CASE("Links of a stranger's scene bring no file of the person's", "[scene][sounds][scene_io][bad]") {
  const Folder folder;
  folder.write("music/secret", "mine");
  fs::create_symlink(folder.path / "music" / "secret", folder.path / "a" / "bang.wav");
  fs::create_directory_symlink(folder.path / "music", folder.path / "a" / "way");
  for (const std::string name : {"bang.wav", "way/secret"}) {
    const Scene read = scene_from_text(scene_to_text(sounding(name)), folder.path / "a").value();
    const Status saved = save_scene(read, folder.path / "b" / "s.json");
    REQUIRE(saved.ok());
    REQUIRE(saved.diagnostics().size() == 1);
    for (const auto& each : fs::directory_iterator(folder.path / "b")) CHECK(each.path().filename() == "s.json");
  }
}

TEST_CASE("Unsaved work names its sounds where they are", "[scene][sounds][recovery]") {
  const Folder folder;
  const std::string music = folder.write("music/bang.wav", "boom");
  REQUIRE(keep_for_recovery(sounding(music), folder.path / "a").ok());
  CHECK(recover_scene(folder.path / "a", {}).value().sounds[0]->file == music);
}

}  // namespace sounds_test
