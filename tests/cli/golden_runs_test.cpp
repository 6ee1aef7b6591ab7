// The comparison with recorded runs can fail: it names scene, threads and first frame.
#include <sys/wait.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>

#include "tests/support/temporary_folder.h"

namespace golden_runs_test {

using hazumi::test::contents;
using hazumi::test::TemporaryFolder;

namespace {

constexpr const char* kRecord = HAZUMI_SOURCE_DIR "/tests/golden/runs/tumbling_box.txt";

/// What the script says when `record` is what was recorded; its exit code in front.
std::string compared_with(const std::string& record, const std::string& scene = "tumbling_box") {
  TemporaryFolder folder;
  std::ofstream(folder / "tumbling_box.txt") << record;
  const std::string said = (folder / "said").string();
  const int status =
      std::system(("HAZUMI_RUNS='" + folder.path().string() +
                   "' '" HAZUMI_SOURCE_DIR "/tests/golden/compare_runs.sh' '" HAZUMI_BINARY_DIR "/bin/hazumi-cli' 1 " +
                   scene + " >'" + said + "' 2>&1")
                      .c_str());
  return std::to_string(WIFEXITED(status) ? WEXITSTATUS(status) : -1) + " " + contents(said);
}

}  // namespace

TEST_CASE("a run that is not the recorded one is told with its scene and first frame") {
  const std::string record = contents(kRecord);
  REQUIRE(record.size() > 3000);
  CHECK(compared_with(record) == "0 tumbling_box: 91 frames equal on 1 threads\n");
  std::string changed = record;
  const auto digit = changed.find("frame 7 ") + 8;
  changed[digit] = changed[digit] == '0' ? '1' : '0';
  CHECK(compared_with(changed).rfind("1 tumbling_box: differs from frame 7 on, on 1 threads\n", 0) == 0);
  // Frames that are missing, too many frames, and no record at all.
  const std::string start = record.substr(0, record.find("frame 60 "));
  CHECK(compared_with(start).rfind("1 tumbling_box: differs from frame 60 on", 0) == 0);
  CHECK(compared_with(record + "frame 91 0 0\n").rfind("1 tumbling_box: differs from frame 91 on", 0) == 0);
  CHECK(compared_with("").find("not recorded") != std::string::npos);
  CHECK(compared_with(record, "spot").find("spot: not recorded") != std::string::npos);
}

}  // namespace golden_runs_test
