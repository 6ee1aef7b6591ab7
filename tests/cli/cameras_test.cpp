// Pictures from the command line, along the cuts of a scene and of one camera: the real hazumi-cli.
#include <nlohmann/json.hpp>

#include "core/scene/derived/cameras.h"
#include "tests/cli/cli_support.h"

namespace cli_cameras_test {

using namespace hazumi;
using namespace hazumi::test;

TEST_CASE("render takes the scene's cuts, or one camera for all pictures") {
  const TemporaryFolder folder;
  const auto in = [&](const char* name) { return (folder / name).string(); };
  Scene scene = busy_scene();
  const double rate = scene.settings.frame_rate;
  Camera close;
  close.id = next_id(scene);
  const Id first = close.id;
  scene.cameras = {close};
  close.id = next_id(scene);
  close.name = "Close";
  close.position = 0.5 * (close.position + close.target);
  scene.cameras.push_back(close);
  REQUIRE(save_scene(scene, in("plain.json")).ok());
  REQUIRE(save_scene(with_cut(scene, close.id, 2 / rate), in("cuts.json")).ok());
  const auto render = [&](const std::string& words) { return cli("render " + words + " --size 96x54 --samples 1"); };
  CHECK(render("'" + in("cuts.json") + "' --frames 1-2 --out '" + in("c.#.png") + "'").code == 0);
  CHECK(render("'" + in("plain.json") + "' --frames 1-2 --out '" + in("a.#.png") + "'").code == 0);
  const std::string named = " --frames 1-2 --camera Close --out '" + in("b.#.png") + "'";
  CHECK(render("'" + in("cuts.json") + "'" + named).code == 0);
  CHECK(contents(in("c.1.png")) == contents(in("a.1.png")));
  CHECK(contents(in("c.2.png")) == contents(in("b.2.png")));
  CHECK(contents(in("c.2.png")) != contents(in("a.2.png")));
  CHECK(contents(in("b.1.png")) != contents(in("a.1.png")));
  const std::string by_id = "'" + in("cuts.json") + "' --frames 2 --camera '#" + std::to_string(first.value) + "'";
  CHECK(cli("export " + by_id + " --format png --option width=96 --option height=54 --option samples=1 --out '" +
            in("i.#.png") + "'")
            .code == 0);
  CHECK(contents(in("i.2.png")) == contents(in("a.2.png")));
  for (const std::string& bad :
       {"render '" + in("cuts.json") + "' --frames 1 --camera Far --out '" + in("x.png") + "'",
        "export '" + in("cuts.json") + "' --frames 1 --camera Close --format obj --out '" + in("x.obj") + "'"}) {
    const Outcome outcome = cli(bad);
    CHECK(outcome.code == 2);
    CHECK(outcome.err.rfind("error: ", 0) == 0);
  }
  const auto info = nlohmann::json::parse(cli("info --json '" + in("cuts.json") + "'").out);
  REQUIRE(info["cameras"].size() == 2);
  CHECK(info["cameras"][1]["name"] == "Close");
}

}  // namespace cli_cameras_test
