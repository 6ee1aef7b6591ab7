// The same bits and the same bytes in every locale: scenes written and read, runs, every format of export.
#include <catch2/catch.hpp>
#include <cstdio>
#include <map>
#include <sstream>

#include "core/export/format.h"
#include "core/scene/file/scene_io.h"
#include "tests/support/locales.h"
#include "tests/support/small_scenes.h"

namespace locale_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

struct Written {
  std::map<std::string, std::string> files;  ///< what was written, by what wrote it
  std::vector<std::uint64_t> hashes;         ///< of the frames of the scene as it was read back
  bool operator==(const Written&) const = default;
};

Written write_all(const Scene& scene) {
  Written out;
  TemporaryFolder folder;
  const std::filesystem::path file = folder / "scene.json";
  REQUIRE(save_scene(scene, file));
  out.files["scene"] = contents(file);
  const auto read = load_scene(file);
  REQUIRE(read);
  out.files["scene again"] = scene_to_text(*read);
  const std::vector<Frame> frames = fresh_run(*read, 20);
  REQUIRE(frames.size() == 21);
  for (const Frame& frame : frames) out.hashes.push_back(frame.state_hash);
  for (const ExportFormatInfo* format : export_formats()) {
    auto sink = format->make({(folder / ("f" + std::string(format->extension))).string(), {}});
    REQUIRE(sink);
    if (format->one_file) REQUIRE((*sink)->write(*read, frames.front()));
    REQUIRE((*sink)->write(*read, frames.back()));
    REQUIRE((*sink)->finish(*read, {}, nullptr));
    const std::string bytes = contents((*sink)->path(frames.back().index));
    REQUIRE_FALSE(bytes.empty());
    out.files[std::string(format->name)] = bytes;
  }
  return out;
}

}  // namespace

TEST_CASE("what is written and read and run is the same in locales with a decimal comma") {
  const Scene scene = load_scene(HAZUMI_SOURCE_DIR "/scenes/tumbling_box.json").value();
  const Written busy = write_all(busy_scene()), shipped = write_all(scene);
  MadeLocales made;
  std::vector<std::string> names = {""};  // C++ alone
  names.insert(names.end(), made.names.begin(), made.names.end());
  for (const std::string& name : names) {
    const OtherLocale other(name);
    INFO("locale " << name);
    REQUIRE(other.set);
    // It is one with a comma: what does not take care writes and reads otherwise.
    std::ostringstream stream;
    stream << 1234.5;
    CHECK(stream.str() == "1.234,5");
    char text[16];
    std::snprintf(text, sizeof text, "%.1f", 0.5);
    CHECK(std::string(text) == (name.empty() ? "0.5" : "0,5"));
    CHECK(write_all(busy_scene()) == busy);
    CHECK(write_all(scene) == shipped);
  }
}

}  // namespace locale_test
