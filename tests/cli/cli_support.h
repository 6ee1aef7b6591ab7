// The real hazumi-cli as a test starts it, and a scene to give it.
#pragma once

#include <sys/wait.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <string>

#include "core/scene/file/scene_io.h"
#include "tests/support/files.h"
#include "tests/support/small_scenes.h"
#include "tests/support/temporary_folder.h"

namespace hazumi::test {

struct Outcome {
  int code = -1;
  std::string out, err;
};

/// `arguments` as the shell reads them.
inline Outcome cli(const std::string& arguments, const std::string& out_to = "") {
  TemporaryFolder folder;
  const std::string out = out_to.empty() ? (folder / "out").string() : out_to, err = (folder / "err").string();
  const std::string command = "env -u DISPLAY -u WAYLAND_DISPLAY '" HAZUMI_BINARY_DIR "/bin/hazumi-cli' " + arguments +
                              " >'" + out + "' 2>'" + err + "' </dev/null";
  const int status = std::system(command.c_str());
  Outcome outcome;
  outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  if (out_to.empty()) outcome.out = contents(out);
  outcome.err = contents(err);
  return outcome;
}

/// One line, a whole sentence, said once, not drawn over.
inline void check_one_sentence(const Outcome& outcome) {
  INFO(outcome.err);
  CHECK(lines_of(outcome.err).size() == 1);
  CHECK(outcome.err.rfind("error: ", 0) == 0);
  CHECK(outcome.err.find('.') != std::string::npos);
  CHECK(outcome.err.find('\r') == std::string::npos);
  CHECK(outcome.err.size() < 700);
}

struct SceneFile {
  TemporaryFolder folder;
  Scene scene;
  std::string file;
  explicit SceneFile(Scene s = busy_scene()) : scene(std::move(s)), file((folder / "scene.json").string()) {
    REQUIRE(save_scene(scene, file));
    const auto loaded = load_scene(file);
    REQUIRE(loaded);
    scene = loaded.value();
  }
  std::string in(const std::string& name) const { return (folder / name).string(); }
};

}  // namespace hazumi::test
