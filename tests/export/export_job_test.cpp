#include "core/export/export_job.h"

#include <catch2/catch.hpp>
#include <stdexcept>

#include "core/playback/background_fill.h"
#include "tests/support/files.h"
#include "tests/support/fill_run.h"
#include "tests/support/small_scenes.h"
#include "tests/support/temporary_folder.h"

namespace export_job_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

/// Writes the hash of every frame and remembers the frames.
class NotingSink final : public FrameSink {
 public:
  explicit NotingSink(std::string pattern) : pattern_(std::move(pattern)) {}
  std::filesystem::path path(int frame) const override { return frame_path(pattern_, frame).value(); }
  Status write(const Scene&, const Frame& frame) override {
    if (frame.index == fail_at) return Diagnostic{Severity::error, "", "No.", ""};
    if (frame.index == throw_at) throw std::runtime_error("thrown");
    frames.push_back(frame);
    return write_whole_file(path(frame.index), std::to_string(frame.state_hash));
  }
  std::vector<Frame> frames;
  int fail_at = -1, throw_at = -1;

 private:
  std::string pattern_;
};

/// Puts the numbers of all frames into one file.
class CollectingSink final : public FrameSink {
 public:
  explicit CollectingSink(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path(int) const override { return path_; }
  bool one_file() const override { return true; }
  Status write(const Scene&, const Frame& frame) override {
    if (frame.index == fail_at) return Diagnostic{Severity::error, "", "No.", ""};
    text_ += std::to_string(frame.index) + " ";
    return Done{};
  }
  Status finish(const Scene&, const FrameRange&, const FrameCues*) override {
    if (fail_at_end) return Diagnostic{Severity::error, "", "Not at the end.", ""};
    return write_whole_file(path_, text_);
  }
  int fail_at = -1;
  bool fail_at_end = false;

 private:
  std::filesystem::path path_;
  std::string text_;
};

ExportOptions range(int first, int last, int step = 1) {
  ExportOptions options;
  options.range = {first, last, step};
  options.threads = 1;
  return options;
}

}  // namespace

TEST_CASE("export writes the frames of the range, equal to a fresh run", "[threads]") {
  TemporaryFolder folder;
  const Scene scene = busy_scene();
  NotingSink sink((folder / "f.##.txt").string());
  std::vector<ExportProgress> told;
  const ExportResult result = run_export(scene, sink, range(3, 16, 4), nullptr, [&](const ExportProgress& p) {
    told.push_back(p);
    return true;
  });
  CHECK(result.end == ExportEnd::complete);
  CHECK(result.written == 4);
  CHECK(result.skipped == 0);
  CHECK(result.diagnostics.empty());
  CHECK(folder.names() == std::vector<std::string>{"f.03.txt", "f.07.txt", "f.11.txt", "f.15.txt"});
  const auto fresh = fresh_run(scene, 16);
  for (const Frame& frame : sink.frames) CHECK(same_bits(frame, fresh[static_cast<std::size_t>(frame.index)]));
  REQUIRE(told.size() >= 5);
  CHECK(told.front().done == 0);
  for (std::size_t i = 1; i < told.size(); ++i) CHECK(told[i].done >= told[i - 1].done);
  for (const auto& p : told) CHECK(p.total == 4);
  CHECK(told.front().seconds_left < 0);
  CHECK(told[told.size() - 2].seconds_left >= 0);
  CHECK(told.back().done == 4);
  CHECK(told.back().frame == 15);
  CHECK(told.back().seconds_left == 0);
}

TEST_CASE("frames that the cache has are taken from it, the others are simulated", "[threads]") {
  TemporaryFolder folder;
  FillRun run(1);
  const Scene scene = busy_scene();
  run.fill.start(Shared<Scene>(scene), 0, 8);
  run.settle();
  NotingSink sink((folder / "f.#").string());
  CHECK(run_export(scene, sink, range(5, 12), &run.cache, {}).end == ExportEnd::complete);
  const auto fresh = fresh_run(scene, 12);
  REQUIRE(sink.frames.size() == 8);
  for (const Frame& frame : sink.frames) CHECK(same_bits(frame, fresh[static_cast<std::size_t>(frame.index)]));
  // A frame that only the cache can have shows where frames come from.
  auto marked = std::make_shared<Frame>(fresh[0]);
  marked->state_hash = 12345;
  REQUIRE(run.cache.append(run.cache.restart(0), marked));
  NotingSink second((folder / "g.#").string());
  CHECK(run_export(scene, second, range(0, 1), &run.cache, {}).end == ExportEnd::complete);
  REQUIRE(second.frames.size() == 2);
  CHECK(second.frames[0].state_hash == 12345);
  CHECK(same_bits(second.frames[1], fresh[1]));
}

TEST_CASE("cancel leaves whole files only", "[threads]") {
  TemporaryFolder folder;
  NotingSink sink((folder / "f.##").string());
  const ExportResult result =
      run_export(busy_scene(), sink, range(0, 20), nullptr, [](const ExportProgress& p) { return p.done < 3; });
  CHECK(result.end == ExportEnd::cancelled);
  CHECK(result.written == 3);
  CHECK(folder.names() == std::vector<std::string>{"f.00", "f.01", "f.02"});
  CHECK(run_export(busy_scene(), sink, range(0, 20), nullptr, [](const ExportProgress&) { return false; }).written ==
        0);
}

TEST_CASE("files that exist are kept when asked, else written anew", "[threads]") {
  TemporaryFolder folder;
  REQUIRE(write_whole_file(folder / "f.1", "mine"));
  NotingSink sink((folder / "f.#").string());
  ExportOptions options = range(0, 2);
  options.keep_existing = true;
  ExportResult result = run_export(busy_scene(), sink, options, nullptr, {});
  CHECK(result.written == 2);
  CHECK(result.skipped == 1);
  CHECK(std::filesystem::file_size(folder / "f.1") == 4);
  options.keep_existing = false;
  result = run_export(busy_scene(), sink, options, nullptr, {});
  CHECK(result.written == 3);
  CHECK(result.skipped == 0);
  CHECK(std::filesystem::file_size(folder / "f.1") > 4);
}

TEST_CASE("one file for all frames is written after the last of them, and only then", "[threads]") {
  TemporaryFolder folder;
  const Scene scene = busy_scene();
  const auto file = folder / "all.txt";
  {
    CollectingSink sink(file);
    const ExportResult result = run_export(scene, sink, range(2, 8, 3), nullptr, [&](const ExportProgress&) {
      CHECK(folder.names().empty());
      return true;
    });
    CHECK(result.end == ExportEnd::complete);
    CHECK(result.written == 3);
    CHECK(contents(file) == "2 5 8 ");
  }
  {  // It is there: nothing is computed, or it is replaced whole.
    CollectingSink sink(file);
    ExportOptions options = range(0, 4);
    options.keep_existing = true;
    ExportResult result = run_export(scene, sink, options, nullptr, {});
    CHECK(result.end == ExportEnd::complete);
    CHECK(result.written == 0);
    CHECK(result.skipped == 5);
    CHECK(contents(file) == "2 5 8 ");
    options.keep_existing = false;
    result = run_export(scene, sink, options, nullptr, {});
    CHECK(result.written == 5);
    CHECK(contents(file) == "0 1 2 3 4 ");
    std::filesystem::remove(file);
    CollectingSink other(file);
    options.keep_existing = true;
    CHECK(run_export(scene, other, options, nullptr, {}).written == 5);
    std::filesystem::remove(file);
  }
  const auto ends = [&](CollectingSink& sink, const Scene& of, int last, ExportEnd end,
                        const std::function<bool(const ExportProgress&)>& progress) {
    const ExportResult result = run_export(of, sink, range(0, last), nullptr, progress);
    CHECK(result.end == end);
    CHECK(result.written == 0);
    CHECK(folder.names().empty());
    CHECK(result.diagnostics.size() == (end == ExportEnd::cancelled ? 0 : 1));
  };
  CollectingSink cancelled(file), failing(file), late(file), diverging(file);
  ends(cancelled, scene, 5, ExportEnd::cancelled, [](const ExportProgress& p) { return p.done < 6; });
  failing.fail_at = 2;
  ends(failing, scene, 5, ExportEnd::failed, {});
  late.fail_at_end = true;
  ends(late, scene, 5, ExportEnd::failed, {});
  ends(diverging, diverging_scene(), 300, ExportEnd::diverged, {});
}

TEST_CASE("a sink that fails or throws ends the export with its reason; files before stay", "[threads]") {
  TemporaryFolder folder;
  NotingSink failing((folder / "f.#").string());
  failing.fail_at = 2;
  ExportResult result = run_export(busy_scene(), failing, range(0, 5), nullptr, {});
  CHECK(result.end == ExportEnd::failed);
  CHECK(result.written == 2);
  REQUIRE(result.diagnostics.size() == 1);
  CHECK(result.diagnostics[0].message == "No.");
  CHECK(folder.names() == std::vector<std::string>{"f.0", "f.1"});
  NotingSink throwing((folder / "g.#").string());
  throwing.throw_at = 1;
  result = run_export(busy_scene(), throwing, range(0, 5), nullptr, {});
  CHECK(result.end == ExportEnd::failed);
  CHECK(result.written == 1);
  REQUIRE(result.diagnostics.size() == 1);
  CHECK(result.diagnostics[0].message.find("thrown") != std::string::npos);
}

TEST_CASE("a folder that is not there is noticed before anything is simulated", "[threads]") {
  TemporaryFolder folder;
  NotingSink sink((folder / "no" / "f.#").string());
  const ExportResult result = run_export(busy_scene(), sink, range(9'000'000, 9'000'001), nullptr, {});
  CHECK(result.end == ExportEnd::failed);
  REQUIRE(result.diagnostics.size() == 1);
  CHECK(result.diagnostics[0].message.find("does not exist") != std::string::npos);
}

TEST_CASE("a run that diverges ends the export, frames before are written", "[threads]") {
  TemporaryFolder folder;
  const Scene scene = diverging_scene();
  NotingSink sink((folder / "f.####").string());
  const ExportResult result = run_export(scene, sink, range(0, 300), nullptr, {});
  CHECK(result.end == ExportEnd::diverged);
  CHECK(result.written == static_cast<int>(fresh_run(scene, 300).size()));
  REQUIRE(result.diagnostics.size() == 1);
  CHECK(result.diagnostics[0].message.find("The run stopped after frame " + std::to_string(result.written - 1)) == 0);
}

}  // namespace export_job_test
