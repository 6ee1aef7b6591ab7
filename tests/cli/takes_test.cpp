// Takes from the command line: listed, and run by name or id.
#include <nlohmann/json.hpp>

#include "core/scene/derived/takes.h"
#include "tests/cli/cli_support.h"

namespace cli_takes_test {

using namespace hazumi;
using namespace hazumi::test;

TEST_CASE("hazumi-cli lists takes, and runs the one that is named", "[takes]") {
  Scene scene = with_new_take(busy_scene(), "Fast").scene;
  scene = with_object(scene, Id{2}, [](Object& o) { o.body.velocity = Vec3(3, 0, 0); });
  const Id slow = scene.takes.front()->id;
  const SceneFile file(scene);
  const auto hashes = [&](const std::string& words) {
    const Outcome outcome = cli("simulate '" + file.file + "' --frames 0-5 --hash " + words);
    REQUIRE(outcome.code == 0);
    return outcome.out;
  };
  const std::string plain = hashes("");
  CHECK(hashes("--take Fast") == plain);
  CHECK(hashes("--take 'Take 1'") != plain);
  CHECK(hashes("--take '#" + std::to_string(slow.value) + "'") == hashes("--take 'Take 1'"));
  const SceneFile other(in_take(scene, slow));
  CHECK(cli("simulate '" + other.file + "' --frames 0-5 --hash").out == hashes("--take 'Take 1'"));
  const auto info = nlohmann::json::parse(cli("info --json '" + file.file + "'").out);
  REQUIRE(info["takes"].size() == 2);
  CHECK(info["takes"][0]["name"] == "Take 1");
  CHECK(info["takes"][0]["differs_in"] == "1 value");
  CHECK(info["takes"][1]["current"] == true);
  CHECK(cli("info '" + file.file + "'").out.find("Take 1: 1 value") != std::string::npos);
  const Outcome bad = cli("simulate '" + file.file + "' --frames 0-5 --take Slow");
  CHECK(bad.code == 2);
  check_one_sentence(bad);
}

TEST_CASE("hazumi-cli validate looks at every take", "[takes]") {
  Scene scene = with_new_take(busy_scene(), "Sunk").scene;
  scene = with_object(scene, Id{2}, [](Object& o) { o.transform.position.y() = 0.2; });
  scene = in_take(scene, scene.takes.front()->id);
  const SceneFile file(scene);
  const Outcome outcome = cli("validate '" + file.file + "'");
  CHECK(outcome.code == 0);
  INFO(outcome.err);
  CHECK(outcome.err.find("takes[1] \"Sunk\" objects[") != std::string::npos);
  CHECK(outcome.err.find("takes[0]") == std::string::npos);
}

}  // namespace cli_takes_test
