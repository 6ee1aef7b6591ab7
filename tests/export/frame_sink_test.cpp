#include "core/export/frame_sink.h"

#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <fstream>
#include <sstream>

#include "tests/support/files.h"
#include "tests/support/temporary_folder.h"

namespace frame_sink_test {

using namespace hazumi;
using hazumi::test::contents;
using hazumi::test::TemporaryFolder;

namespace {

std::string path_of(const std::string& pattern, int frame) {
  const auto path = frame_path(pattern, frame);
  REQUIRE(path);
  return path.value().string();
}

}  // namespace

TEST_CASE("frame ranges are read") {
  const auto same = [](std::string_view text, int first, int last, int step, int count) {
    INFO(text);
    const auto range = parse_frame_range(text);
    REQUIRE(range);
    CHECK(range->first == first);
    CHECK(range->last == last);
    CHECK(range->step == step);
    CHECK(range->count() == count);
  };
  same("10-90", 10, 90, 1, 81);
  same("10-90:5", 10, 90, 5, 17);
  same("0-9:4", 0, 9, 4, 3);
  same("7", 7, 7, 1, 1);
  same("0-0", 0, 0, 1, 1);
  same("007-010", 7, 10, 1, 4);
  same("9999999", 9999999, 9999999, 1, 1);
}

TEST_CASE("what is no frame range gets one clear sentence") {
  for (const char* text : {"",         "-",
                           "a",        "1-",
                           "-5",       "5-3",
                           "1-2-3",    "1-10:0",
                           "1-10:",    "1-10:-2",
                           "1:2:3",    " 1-2",
                           "1 - 2",    "1-2x",
                           "+1-2",     "1.5-3",
                           "10000000", "99999999999999999999",
                           "0x10",     "1-10:99999999999"}) {
    INFO(text);
    const auto range = parse_frame_range(text);
    REQUIRE_FALSE(range);
    CHECK(range.diagnostics().size() == 1);
    CHECK(range.error().message.find("is not a frame range") != std::string::npos);
    CHECK(range.error().message.back() == '.');
    CHECK_FALSE(range.error().hint.empty());
  }
  CHECK(parse_frame_range(std::string(100000, '7')).error().message.size() < 200);
  CHECK(parse_frame_range("5-3").error().message.find("before the first") != std::string::npos);
}

TEST_CASE("the frame number goes where the # are") {
  CHECK(path_of("dir/ball.####.png", 42) == "dir/ball.0042.png");
  CHECK(path_of("dir/ball.#.png", 42) == "dir/ball.42.png");
  CHECK(path_of("####.png", 7) == "0007.png");
  CHECK(path_of("ball.####", 7) == "ball.0007");
  CHECK(path_of("/a/b/x##y.png", 5) == "/a/b/x05y.png");
  CHECK(path_of("ball.##.png", 12345) == "ball.12345.png");
  CHECK(path_of("ball.####.png", -42) == "ball.-0042.png");
  CHECK(path_of("ball.####.png", 0) == "ball.0000.png");
}

TEST_CASE("without # the number is put before the extension") {
  CHECK(path_of("dir/ball.png", 42) == "dir/ball.0042.png");
  CHECK(path_of("ball", 42) == "ball.0042");
  CHECK(path_of("a.b/ball.tar.gz", 1) == "a.b/ball.tar.0001.gz");
  CHECK(path_of("C#/ball.png", 1) == "C#/ball.0001.png");  // a # in a folder's name is just a #
}

TEST_CASE("one file for all frames has its name as it is, and no number") {
  for (const char* name : {"dir/ball.glb", "ball", "C#/ball.tar.gz"}) CHECK(clip_path(name).value() == name);
  for (const char* bad : {"", "dir/", "ball.####.glb", "a.#.#", "#"}) {
    INFO(bad);
    const auto path = clip_path(bad);
    REQUIRE_FALSE(path);
    CHECK(path.error().message.back() == '.');
    CHECK_FALSE(path.error().hint.empty());
  }
}

TEST_CASE("patterns that make no file name are refused with a sentence") {
  for (const std::string& pattern :
       {std::string(), std::string("dir/"), std::string("."), std::string("dir/.."), std::string("a##b##.png"),
        std::string("x.#.#.png"), std::string("a\0b", 3), std::string(21, '#'), std::string(100000, '#'),
        std::string(300, 'a') + ".png", "d/" + std::string(10000, 'a')}) {
    INFO(pattern.substr(0, 60));
    const auto path = frame_path(pattern, 3);
    REQUIRE_FALSE(path);
    CHECK(path.error().message.back() == '.');
    CHECK(to_string(path.error()).size() < 600);
  }
  CHECK(path_of(std::string(20, '#'), 3) == std::string(19, '0') + "3");
}

TEST_CASE("whole files are written, replaced, and keep their permissions") {
  TemporaryFolder folder;
  const auto file = folder / "a.txt";
  REQUIRE(write_whole_file(file, "one"));
  CHECK(contents(file) == "one");
  REQUIRE(::chmod(file.c_str(), 0640) == 0);
  const std::string large(3'000'000, 'x');
  REQUIRE(write_whole_file(file, large));
  CHECK(contents(file) == large);
  struct stat info;
  REQUIRE(::stat(file.c_str(), &info) == 0);
  CHECK((info.st_mode & 0777) == 0640);
  REQUIRE(write_whole_file(file, ""));
  CHECK(contents(file).empty());
  CHECK(folder.names() == std::vector<std::string>{"a.txt"});
}

TEST_CASE("a link is written through, not replaced") {
  TemporaryFolder folder;
  REQUIRE(write_whole_file(folder / "real.txt", "old"));
  std::filesystem::create_symlink(folder / "real.txt", folder / "link.txt");
  REQUIRE(write_whole_file(folder / "link.txt", "new"));
  CHECK(std::filesystem::is_symlink(folder / "link.txt"));
  CHECK(contents(folder / "real.txt") == "new");
}

TEST_CASE("why a file cannot be written is said in one sentence and nothing is left") {
  TemporaryFolder folder;
  const auto problem = [](const Status& status) {
    REQUIRE_FALSE(status);
    CHECK(status.diagnostics().size() == 1);
    return status.error().message;
  };
  const auto missing = folder / "no" / "a.png";
  CHECK(problem(write_whole_file(missing, "x")) ==
        "Cannot write " + missing.string() + ": the folder " + missing.parent_path().string() + " does not exist.");
  REQUIRE(write_whole_file(folder / "file", "x"));
  const auto below = folder / "file" / "a.png";
  CHECK(problem(write_whole_file(below, "x")) ==
        "Cannot write " + below.string() + ": " + (folder / "file").string() + " is not a folder.");
  CHECK(problem(write_whole_file(folder.path(), "x")) ==
        "Cannot write " + folder.path().string() + ": it is a folder.");
  CHECK(problem(write_whole_file("/dev/full", "x")) == "Cannot write /dev/full: no space left on device.");
  CHECK(std::filesystem::is_character_file("/dev/full"));
  CHECK(problem(write_whole_file("/proc/hazumi.png", "x")).find("Cannot write /proc/hazumi.png: ") == 0);
  CHECK(folder.names() == std::vector<std::string>{"file"});
  CHECK(can_write_beside(folder / "new.png"));
  CHECK(problem(can_write_beside(missing)) == problem(write_whole_file(missing, "x")));
}

}  // namespace frame_sink_test
