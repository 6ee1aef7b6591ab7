// hazumi-cli export --format glb: one file for all frames.
#include <fstream>

#include "tests/cli/cli_support.h"
#include "tests/support/glb.h"

namespace clip_test {

using namespace hazumi;
using namespace hazumi::test;

TEST_CASE("export of a keyed scene as animated glTF: one file, with the places of all frames") {
  const std::string file = HAZUMI_SOURCE_DIR "/scenes/thrower.json";
  const Scene scene = load_scene(file).value();
  TemporaryFolder folder;
  const std::string out = (folder / "throw.glb").string();
  const std::string start = "export '" + file + "' --format glb --frames ";
  const Outcome outcome = cli(start + "10-150:2 --out '" + out + "'");
  INFO(outcome.err);
  REQUIRE(outcome.code == 0);
  CHECK(outcome.out == out + "\n");
  CHECK(folder.names() == std::vector<std::string>{"throw.glb"});

  const ReadGlb read(contents(out));
  const std::size_t n = 71;
  const std::vector<Frame> run = fresh_run(scene, 150);
  CHECK(read.floats(read.json["animations"][0]["samplers"][0]["input"]).back() ==
        Approx(140 / scene.settings.frame_rate).epsilon(1e-6));
  int moved = 0;
  for (const auto& object : scene.objects)
    for (std::size_t k = 0; k < n; ++k) {
      const ObjectFrame* shown = run[10 + 2 * k].find(object->id);
      if (!shown || !object->visible || object->display.kind == DisplayKind::none) continue;
      INFO(object->name << ", frame " << 10 + 2 * k);
      const auto place = read.value(read.node(object->name), "translation", k, n);
      REQUIRE(place.size() == 3);
      // Keys that a straight line through the others comes within 1e-6 m of are left out.
      CHECK((Vec3f(place[0], place[1], place[2]) - shown->position).norm() < 2e-6f);
      if (shown->position != run[10].find(object->id)->position) ++moved;
    }
  CHECK(moved > 100);  // the hand and the ball

  std::ofstream(out) << "mine";
  const Outcome kept = cli(start + "0-9 --keep-existing --json --out '" + out + "'");
  CHECK(kept.code == 0);
  const auto report = nlohmann::json::parse(kept.out);
  CHECK(report["skipped"] == 10);
  CHECK(report["files"] == nlohmann::json::parse(R"([{"path": ")" + out + R"(", "written": false}])"));
  CHECK(contents(out) == "mine");
  const auto again = nlohmann::json::parse(cli(start + "0-9 --json --out '" + out + "'").out);
  CHECK(again["written"] == 10);
  CHECK(again["files"] == nlohmann::json::parse(R"([{"path": ")" + out + R"(", "written": true}])"));
  CHECK(ReadGlb(contents(out)).json["nodes"].size() == read.json["nodes"].size());
}

TEST_CASE("an animated glTF that cannot be is refused in one sentence, and nothing is written") {
  const std::string soft = "export '" HAZUMI_SOURCE_DIR "/scenes/soft_and_hard_ball.json' --format glb --frames 0-120 ";
  TemporaryFolder folder;
  const Outcome large = cli(soft + "--option largest=1 --out '" + (folder / "a.glb").string() + "'");
  CHECK(large.code == 3);
  check_one_sentence(large);
  CHECK(large.err.find("take more than 1 MB, which is more than one glTF file may hold. Export fewer frames") !=
        std::string::npos);
  CHECK(large.out.empty());
  const Outcome numbered = cli(soft + "--out '" + (folder / "a.#.glb").string() + "'");
  CHECK(numbered.code == 2);
  check_one_sentence(numbered);
  CHECK(numbered.err.find("Leave the # out") != std::string::npos);
  for (const char* size : {"0", "2049"})
    CHECK(cli(soft + "--option largest=" + size + " --out '" + (folder / "a.glb").string() + "'").code == 2);
  CHECK(folder.names().empty());
}

}  // namespace clip_test
