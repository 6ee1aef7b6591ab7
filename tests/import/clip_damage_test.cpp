// Files with motion that are damaged or hostile: one sentence, or clips whose keys are sound.
#include <catch2/catch.hpp>

#include <chrono>
#include <cmath>
#include <fstream>
#include <thread>

#include "core/import/bvh.h"
#include "core/import/mesh_file.h"
#include "core/scene/derived/clip_motion.h"
#include "tests/support/sanitized.h"
#include "tests/support/temporary_folder.h"

namespace hazumi::clip_damage_test {

namespace {

namespace fs = std::filesystem;

const fs::path kClips = HAZUMI_SOURCE_DIR "/tests/import/clips";

std::string bytes_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Why the answer is neither one clear sentence nor keys that can lead something; empty when it is.
std::string fault(const Result<ClipFile>& file) {
  if (!file.ok()) {
    const std::string& text = file.error().message;
    if (file.diagnostics().size() != 1) return "not one message";
    if (text.empty() || text.back() != '.' || text.find('\n') != std::string::npos) return "no sentence: " + text;
    return file.error().path.empty() ? "no place" : "";
  }
  for (const Clip& clip : file->clips) {
    const auto motion = clip_motion(*file, clip, {}, {});
    if (!motion.ok()) {
      if (motion.error().message.back() != '.') return "no sentence: " + motion.error().message;
      continue;
    }
    for (const PieceMotion& m : *motion) {
      if (!m.start.position.allFinite() || !m.start.rotation.coeffs().allFinite()) return "a start that is no number";
      for (const auto* keys : {&m.place, &m.rotation})
        for (std::size_t i = 0; i < keys->size(); ++i) {
          const Key& key = (*keys)[i];
          if (i > 0 && !(key.time > (*keys)[i - 1].time)) return "keys out of order";
          for (const auto& numbers : {key.value, key.in, key.out})
            for (double x : numbers)
              if (!std::isfinite(x)) return "a key that is no number";
        }
    }
  }
  return "";
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  REQUIRE(at != std::string::npos);
  return text.replace(at, what.size(), by);
}

const char* const kBvh =
    "HIERARCHY\nROOT hip\n{\n OFFSET 0 1 0\n CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"
    " JOINT knee\n {\n  OFFSET 0 -0.5 0\n  CHANNELS 3 Zrotation Xrotation Yrotation\n  End Site\n  {\n   OFFSET 0 -0.4 "
    "0\n"
    "  }\n }\n}\nMOTION\nFrames: 2\nFrame Time: 0.04\n0 1 0 0 0 0 0 0 0\n0 1 1 90 0 0 0 45 0\n";

}  // namespace

TEST_CASE("Clips that are cut off or have bytes changed give sound keys or one sentence", "[import][clips][damage]") {
  const test::TemporaryFolder folder;
  static const int kVariants = test::rounds(200, 20);
  for (const char* sample : {"clips.glb", "hook_cubic.gltf", "arm.fbx", "arm.bvh", "bending.glb"}) {
    const std::string whole = bytes_of(kClips / sample), name = "damaged" + fs::path(sample).extension().string();
    int refused = 0;
    for (int seed = 0; seed < kVariants; ++seed) {
      std::uint64_t random = 977 * static_cast<std::uint64_t>(seed) + 3;
      const auto below = [&random](std::size_t n) {
        random = random * 6364136223846793005ULL + 1442695040888963407ULL;
        return static_cast<std::size_t>(random >> 33) % n;
      };
      std::string bytes = whole;
      if (seed % 4 == 0)
        bytes.resize(below(bytes.size()));
      else
        for (std::size_t i = 0, n = 1 + below(8); i < n; ++i)
          bytes[below(bytes.size())] = static_cast<char>(below(256));
      std::ofstream(folder / name, std::ios::binary) << bytes;
      INFO(sample << " seed " << seed);
      const Result<ClipFile> file = read_clip_file(folder / name);
      CHECK(fault(file) == "");
      refused += file.ok() ? 0 : 1;
    }
    INFO(sample << ": " << refused << " of " << kVariants << " refused");
    CHECK(refused > kVariants / 8);
  }
}

TEST_CASE("Keys that are no numbers, out of order, missing or too many are told of in a sentence",
          "[import][clips][damage]") {
  const auto told = [](const std::string& bvh) { return read_bvh(bvh).problem; };
  CHECK(told(kBvh).empty());
  CHECK(told(replaced(kBvh, "0 1 1 90", "0 1 nan 90")) == "The BVH file has “nan” where a number belongs (line 20).");
  CHECK(told(replaced(kBvh, "Frames: 2", "Frames: 3")) == "The BVH file promises more frames than it holds (line 18).");
  CHECK(told(replaced(kBvh, "Frames: 2", "Frames: 900000000")).find("promises more") != std::string::npos);
  CHECK(told(replaced(kBvh, "0.04", "0")).find("frames of") != std::string::npos);
  CHECK(told(replaced(kBvh, "Zrotation", "Wrotation")).find("channel “Wrotation”") != std::string::npos);
  CHECK(told(replaced(kBvh, "CHANNELS 3", "CHANNELS -1")).find("other than 0 to 6") != std::string::npos);
  CHECK(told(std::string(kBvh).substr(0, 100)).find("line") != std::string::npos);
  CHECK(told("Dear Tom") == "The file does not start like a BVH file.");
  // 20,000 joints, one in the other.
  std::string deep = "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 0\n";
  for (int i = 0; i < 20'000; ++i) deep += "JOINT b\n{\nOFFSET 0 1 0\nCHANNELS 0\n";
  CHECK(told(deep).find("more than 10,000 joints") != std::string::npos);

  ClipFile file = read_bvh(kBvh);
  REQUIRE(file.clips.size() == 1);
  const ClipFile sound = file;
  const auto settled = [&](auto&& spoil) {
    file = sound;
    spoil(file.clips[0].channels[0]);
    ClipFile read;
    CHECK_FALSE(from_bytes(to_bytes(file), read));  // nor from a reader that was overrun
    return settle_clips(file);
  };
  CHECK(settled([](ClipChannel& c) { std::swap(c.times[0], c.times[1]); }) ==
        "The keys of “hip” are not in order of time.");
  CHECK(settled([](ClipChannel& c) { c.times[1] = c.times[0]; }) == "The keys of “hip” are not in order of time.");
  CHECK(settled([](ClipChannel& c) { c.times[1] = std::nan(""); }).find("no number") != std::string::npos);
  CHECK(settled([](ClipChannel& c) { c.values[1][2] = HUGE_VAL; }).find("no number") != std::string::npos);
  CHECK(settled([](ClipChannel& c) { c.values.pop_back(); }) == "The keys of “hip” are not complete.");
  CHECK(settled([](ClipChannel& c) { c.node = 99; }) == "The file moves a node that it does not hold.");
  CHECK(settled([](ClipChannel& c) {
          c.times.clear();
          c.values.assign(kMostClipKeys + 1, {});
          for (std::size_t i = 0; i <= kMostClipKeys; ++i) c.times.push_back(static_cast<double>(i) * 1e-4);
        }) == "The file has more than 4,000,000 keys.");
  file = sound;
  file.nodes[1].parent = 1;
  CHECK(settle_clips(file) == "The nodes of the file are no tree.");
}

TEST_CASE("Names of nodes can stand in scenes whatever bytes they are", "[import][clips][damage]") {
  CHECK(plain_name("Knee.L 膝") == "Knee.L 膝");
  CHECK(plain_name("a\nb\x7f") == "a?b?");
  CHECK(plain_name("\xff\xc0\xaf\xed\xa0\x80") == "??????");
  CHECK(plain_name("cut \xe8\x86") == "cut ??");
  CHECK(plain_name("") == "node");
  CHECK(plain_name(std::string(99, 'x') + "膝") == std::string(99, 'x'));
}

TEST_CASE("glTF files whose keys are not where they say are refused in a sentence", "[import][clips][damage]") {
  const test::TemporaryFolder folder;
  const std::string whole = bytes_of(kClips / "hook_linear.gltf");
  const auto told = [&](const std::string& text) {
    std::ofstream(folder / "wrong.gltf", std::ios::binary) << text;
    const Result<ClipFile> file = read_clip_file(folder / "wrong.gltf");
    CHECK(fault(file) == "");
    return file.ok() ? std::string() : file.error().message;
  };
  CHECK(told(whole).empty());
  const auto channels = whole.find("\"channels\"");
  REQUIRE(channels != std::string::npos);
  const auto from_there = [&](const std::string& what, const std::string& by) {
    const std::size_t at = whole.find(what, channels);
    REQUIRE(at != std::string::npos);
    std::string text = whole;
    return text.replace(at, what.size(), by);
  };
  CHECK(told(from_there("\"node\" : 3", "\"node\" : 77")) == "The file moves a node that it does not hold.");
  CHECK(told(from_there("\"output\" : 16", "\"output\" : 15")) == "The keys of “hook” are not complete.");
  CHECK_FALSE(told(from_there("\"output\" : 16", "\"output\" : 1600")).empty());
  CHECK(told(from_there("\"interpolation\" : \"LINEAR\"", "\"interpolation\" : \"CUBICSPLINE\"")) ==
        "The keys of “hook” are not complete.");
}

TEST_CASE("A long clip is cancelled at once", "[import][clips][threads]") {
  std::string text = kBvh;
  text = replaced(text, "Frames: 2", "Frames: 60002");
  for (int i = 0; i < 60'000; ++i)
    text += "0 1 " + std::to_string(std::sin(0.01 * i)) + " " + std::to_string(i % 360) + " 0 0 0 45 0\n";
  const ClipFile file = read_bvh(text);
  REQUIRE(file.problem.empty());
  std::atomic<bool> cancel{false};
  std::thread later([&cancel] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    cancel = true;
  });
  const auto began = std::chrono::steady_clock::now();
  const auto motion = clip_motion(file, file.clips[0], {}, {}, &cancel);
  CHECK(std::chrono::steady_clock::now() - began < std::chrono::seconds(5));
  REQUIRE_FALSE(motion.ok());
  CHECK(motion.error().message == "The import was cancelled.");
  later.join();
}

}  // namespace hazumi::clip_damage_test
