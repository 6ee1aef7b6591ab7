// Sound of a film (core/export/sound_file.h): it begins and ends with the pictures, and is what is heard while they play.
#include "core/export/sound_file.h"

#include <catch2/catch.hpp>

#include "core/sound/decode.h"
#include "tests/support/small_scenes.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/wav.h"

namespace sound_file_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

Scene scene_with(const std::filesystem::path& file, double start, double gain = 1) {
  Scene scene;
  scene.settings.frame_rate = 60;
  Sound sound;
  sound.id = Id{7};
  sound.name = "Bang";
  sound.file = file.string();
  sound.start = start;
  sound.gain = gain;
  scene.sounds.push_back(sound);
  return scene;
}

/// As a player would read it.
SoundClip read_back(const TemporaryFolder& folder, const std::string& bytes) {
  write_bytes(folder / "back.wav", bytes);
  const auto clip = read_sound(folder / "back.wav", std::atomic<bool>(false));
  REQUIRE(clip.ok());
  return *clip;
}

}  // namespace

TEST_CASE("The sound of a film begins and ends with its pictures, sample for sample", "[export][sound]") {
  const TemporaryFolder folder;
  const std::vector<std::int16_t> tone = tone_values(440, 0.5);
  write_bytes(folder / "bang.wav", wav_bytes(tone, 1, 48'000));
  const Scene scene = scene_with(folder / "bang.wav", 0.25);
  for (const FrameRange range : {FrameRange{0, 59, 1}, FrameRange{30, 119, 1}, FrameRange{0, 58, 2}}) {
    INFO(range.first << "-" << range.last << ":" << range.step);
    const auto bytes = film_sound(scene, range, nullptr);
    REQUIRE(bytes.ok());
    CHECK(bytes.diagnostics().empty());
    const SoundClip clip = read_back(folder, *bytes);
    CHECK(clip.rate == 48'000);
    CHECK(clip.samples.size() == static_cast<std::size_t>(800 * range.count() * range.step));
    const auto begin = static_cast<std::ptrdiff_t>(0.25 * 48'000) - 800 * range.first;
    int off = 0;
    for (std::size_t i = 0; i < clip.samples.size(); ++i) {
      const std::ptrdiff_t k = static_cast<std::ptrdiff_t>(i) - begin;
      // The last one of a file goes over into silence within one sample.
      if (k == static_cast<std::ptrdiff_t>(tone.size()) - 1) continue;
      const bool sounds = k >= 0 && k < static_cast<std::ptrdiff_t>(tone.size());
      const int wanted = sounds ? tone[static_cast<std::size_t>(k)] : 0;
      off = std::max({off, std::abs(clip.samples[i][0] - wanted), std::abs(clip.samples[i][1] - wanted)});
    }
    CHECK(off <= 1);
  }
}

TEST_CASE("Gain, mute and what lies outside of the frames", "[export][sound]") {
  const TemporaryFolder folder;
  write_bytes(folder / "bang.wav", wav_bytes(std::vector<std::int16_t>(4800, 10'000), 1, 48'000));
  Scene scene = scene_with(folder / "bang.wav", 0, 0.5);
  const FrameRange range{0, 5, 1};
  REQUIRE(is_heard(scene, range));
  CHECK(std::abs(read_back(folder, *film_sound(scene, range, nullptr)).samples[1000][0] - 5000) <= 1);
  scene.sounds[0] = scene.sounds[0].edited([](Sound& sound) { sound.visible = false; });
  CHECK_FALSE(is_heard(scene, range));
  CHECK_FALSE(is_heard(scene_with(folder / "bang.wav", 2), range));
  CHECK_FALSE(is_heard(Scene(), range));
}

TEST_CASE("A sound that cannot be read is silent and told of; a film of hours is refused", "[export][sound][bad]") {
  const TemporaryFolder folder;
  const auto bytes = film_sound(scene_with(folder / "gone.wav", 0), {0, 59, 1}, nullptr);
  REQUIRE(bytes.ok());
  REQUIRE(bytes.diagnostics().size() == 1);
  CHECK(bytes.diagnostics()[0].severity == Severity::warning);
  for (const StereoSample& sample : read_back(folder, *bytes).samples) REQUIRE(sample == StereoSample{0, 0});
  const auto hours = film_sound(scene_with(folder / "gone.wav", 0), {0, 300'000, 1}, nullptr);
  REQUIRE_FALSE(hours.ok());
  CHECK(hours.error().message == "The sound of more than an hour is not written.");
}

TEST_CASE("The file has the name of the pictures, and is never a sound of the scene", "[export][sound]") {
  const TemporaryFolder folder;
  const Scene scene = scene_with(folder / "ball.wav", 0);
  const auto named = [&](const char* pattern) {
    return sound_path(scene, (folder / pattern).string()).filename().string();
  };
  CHECK(named("film.####.png") == "film.wav");
  CHECK(named("film.png") == "film.wav");
  CHECK(named("film_##.jpg") == "film.wav");
  CHECK(named("####.png") == "sound.wav");
  CHECK(named("ball.####.png") == "ball sound.wav");
}

TEST_CASE("What a motion plays is in the sound of the film, as often as it was hit, and rings on into later parts",
          "[export][sound]") {
  const TemporaryFolder folder;
  write_bytes(folder / "bang.wav", wav_bytes(std::vector<std::int16_t>(24'000, 1000), 1, 48'000));
  Scene scene = scene_with(folder / "bang.wav", 0);
  scene.sounds[0] = scene.sounds[0].edited([](Sound& sound) { sound.waits = true; });
  CHECK_FALSE(is_heard(scene, {0, 119, 1}));
  MotionNode play;
  play.id = Id{9};
  play.role = MotionRole::procedure;
  play.kind = "play";
  play.other = 7;
  scene.motion.push_back(play);
  CHECK(is_heard(scene, {0, 119, 1}));
  const FrameCues cues = {{Id{7}, 0.25, 1}, {Id{7}, 0.5, 2}, {Id{3}, 0.6, 1}};
  const auto at = [&](const FrameRange& range, double time) {
    const SoundClip clip = read_back(folder, *film_sound(scene, range, &cues));
    return clip.samples[static_cast<std::size_t>((time - range.first / 60.0) * 48'000)][0];
  };
  const auto near = [](double a, double b) { return std::abs(a - b) <= 1; };
  CHECK(at({0, 119, 1}, 0.2) == 0);
  CHECK(near(at({0, 119, 1}, 0.4), 1000));
  CHECK(near(at({0, 119, 1}, 0.7), 3000));  // both
  CHECK(near(at({0, 119, 1}, 0.9), 2000));
  CHECK(at({0, 119, 1}, 1.1) == 0);
  CHECK(near(at({48, 119, 1}, 0.9), 2000));  // it began before
}

}  // namespace sound_file_test
