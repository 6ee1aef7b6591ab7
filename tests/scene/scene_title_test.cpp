#include "core/scene/file/scene_title.h"

#include <catch2/catch.hpp>
#include <filesystem>

#include "core/base/atomic_file.h"
#include "core/scene/file/scene_io.h"

namespace scene_title_test {

using namespace hazumi;

TEST_CASE("A scene's title is read without the scene, of files of any sort", "[file]") {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "hazumi_scene_title";
  std::filesystem::create_directories(folder);
  const auto of = [&](const std::string& text) {
    const std::filesystem::path file = folder / "scene.json";
    REQUIRE(write_file_atomically(file, text).ok());
    return scene_title(file);
  };
  Scene scene;
  scene.name = "A \"name\" ü";
  scene.description = "Two\nlines.";
  scene.objects.emplace_back(Object());
  const SceneTitle title = of(scene_to_text(scene));
  CHECK(title.name == scene.name);
  CHECK(title.description == scene.description);
  CHECK(of(R"({"objects": [{"name": "not this"}], "description": "last", "name": "this"})").name == "this");
  CHECK(of(R"({"name": "only"})").name == "only");
  CHECK(of(R"({"name": "cut off", "descr)").name == "cut off");
  for (const char* nothing : {"", "{", "[]", "\xff\xfe", R"({"name": 3})", R"([{"name": "x"}])"})
    CHECK(of(nothing).name.empty());
  CHECK(scene_title(folder / "nowhere.json").name.empty());
  std::filesystem::remove_all(folder);
}

TEST_CASE("Every shipped scene has its title where lists look for it", "[file]") {
  int seen = 0;
  for (const auto& entry : std::filesystem::directory_iterator(HAZUMI_SOURCE_DIR "/scenes")) {
    if (entry.path().extension() != ".json" || entry.path().filename().string().front() == '.') continue;
    INFO(entry.path());
    CHECK_FALSE(scene_title(entry.path()).name.empty());
    CHECK_FALSE(scene_title(entry.path()).description.empty());
    ++seen;
  }
  CHECK(seen >= 70);
}

}  // namespace scene_title_test
