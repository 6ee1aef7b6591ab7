// Sound files as people have them, and as they should not be: each is read, or told of in one sentence.
#include <sndfile.h>
#include <catch2/catch.hpp>

#include <random>

#include "core/sound/decode.h"
#include "tests/support/wav.h"

namespace hazumi::decode_test {

namespace fs = std::filesystem;
using namespace hazumi::test;

namespace {

const std::atomic<bool> kGoesOn{false};

struct Folder {
  fs::path path = fs::temp_directory_path() / ("hazumi_sounds_" + std::to_string(std::random_device{}()));
  Folder() { fs::create_directories(path); }
  ~Folder() { fs::remove_all(path); }
  fs::path write(const char* name, const std::string& bytes) const {
    write_bytes(path / name, bytes);
    return path / name;
  }
};

/// By libsndfile, one channel at 48 kHz.
fs::path encode(const Folder& folder, const char* name, int format, const std::vector<std::int16_t>& values) {
  fs::path file = folder.path / name;
  SF_INFO info{};
  info.samplerate = 48'000;
  info.channels = 1;
  info.format = format;
  SNDFILE* out = sf_open(file.c_str(), SFM_WRITE, &info);
  REQUIRE(out);
  CHECK(sf_write_short(out, values.data(), static_cast<sf_count_t>(values.size())) ==
        static_cast<sf_count_t>(values.size()));
  sf_close(out);
  return file;
}

struct Kind {
  const char* name;
  int format;
};
constexpr Kind kKinds[] = {{"a.flac", SF_FORMAT_FLAC | SF_FORMAT_PCM_16},
                           {"a.ogg", SF_FORMAT_OGG | SF_FORMAT_VORBIS},
                           {"a.mp3", SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III}};

std::string sentence(const Result<SoundClip>& read) {
  REQUIRE_FALSE(read.diagnostics().empty());
  CHECK_FALSE(read.diagnostics().front().hint.empty());
  return read.diagnostics().front().message;
}

}  // namespace

TEST_CASE("A file is read sample for sample at its own rate", "[sound][decode]") {
  const Folder folder;
  const fs::path file = folder.write("two.wav", wav_bytes({100, -200, 32'767, -32'767, 5, 6}, 2, 44'100));
  const Result<SoundClip> read = read_sound(file, kGoesOn);
  REQUIRE(read.ok());
  CHECK(read.diagnostics().empty());
  CHECK(read->rate == 44'100);
  // A file's largest is 32768, ours 32767: a step apart at most.
  REQUIRE(read->samples.size() == 3);
  CHECK(std::abs(read->samples[0][0] - 100) <= 1);
  CHECK(std::abs(read->samples[0][1] + 200) <= 1);
  CHECK(std::abs(read->samples[1][0] - 32'767) <= 1);
  CHECK(std::abs(read->samples[1][1] + 32'767) <= 1);
}

TEST_CASE("Eight channels at 192 kHz become two at 48 kHz, the means of four moments", "[sound][decode]") {
  const Folder folder;
  std::vector<std::int16_t> values;
  for (int i = 0; i < 1'000; ++i)
    for (int channel = 0; channel < 8; ++channel)
      values.push_back(static_cast<std::int16_t>(channel == 0 ? 1'000 + 8 * (i % 4) : 0));
  const Result<SoundClip> read = read_sound(folder.write("eight.wav", wav_bytes(values, 8, 192'000)), kGoesOn);
  REQUIRE(read.ok());
  CHECK(read->rate == 48'000);
  REQUIRE(read->samples.size() == 250);
  for (const StereoSample& sample : read->samples) {
    REQUIRE(std::abs(sample[0] - 1'012) <= 1);
    REQUIRE(sample[1] == 0);
  }
}

TEST_CASE("FLAC, OGG and MP3 sound as what they were made of", "[sound][decode]") {
  const Folder folder;
  const std::vector<std::int16_t> tone = tone_values(440, 1);
  for (const Kind& each : kKinds) {
    INFO(each.name);
    const fs::path file = encode(folder, each.name, each.format, tone);
    const Result<SoundClip> read = read_sound(file, kGoesOn);
    REQUIRE(read.ok());
    CHECK(read.diagnostics().empty());
    CHECK(read->rate == 48'000);
    CHECK(read->seconds() == Approx(1).margin(0.06));  // MP3 has a lead of some hundred samples
    int rises = 0;
    double energy = 0;
    for (std::size_t i = 1; i < read->samples.size(); ++i) {
      rises += read->samples[i - 1][0] < 0 && read->samples[i][0] >= 0;
      energy += std::pow(read->samples[i][0], 2);
    }
    CHECK(rises == Approx(440).margin(12));
    CHECK(std::sqrt(energy / static_cast<double>(read->samples.size())) == Approx(16'000 / std::sqrt(2)).epsilon(0.05));
  }
}

TEST_CASE("What is no sound is told of in one sentence", "[sound][decode][bad]") {
  const Folder folder;
  CHECK(sentence(read_sound(folder.path / "gone.wav", kGoesOn)) ==
        "The sound \"gone.wav\" is not heard: the file is not there.");
  CHECK(sentence(read_sound(folder.path, kGoesOn)).ends_with("it is no file."));
  CHECK(sentence(read_sound("/dev/zero", kGoesOn)) == "The sound \"zero\" is not heard: it is no file.");
  for (const std::string& bytes : {std::string(), std::string("RIFF"), std::string(5'000, 'x')})
    CHECK(sentence(read_sound(folder.write("bad.wav", bytes), kGoesOn)) ==
          "The sound \"bad.wav\" is not heard: no sound can be read from the file.");
  CHECK(sentence(read_sound(folder.write("empty.wav", wav_bytes({}, 1, 48'000)), kGoesOn)) ==
        "The sound \"empty.wav\" is not heard: there is nothing in it.");
  CHECK_FALSE(read_sound(folder.write("slow.wav", wav_bytes({1, 2, 3}, 1, 1)), kGoesOn).ok());
}

TEST_CASE("Damaged files end in a clip or a sentence", "[sound][decode][bad]") {
  const Folder folder;
  const unsigned seed = std::random_device{}();
  INFO("seed " << seed);
  std::mt19937 dice(seed);
  const std::string whole = wav_bytes(tone_values(300, 0.2), 1, 48'000);
  int heard = 0, told = 0;
  for (int i = 0; i < 300; ++i) {
    std::string bytes = whole.substr(0, dice() % whole.size());
    for (unsigned k = dice() % 4; k > 0 && !bytes.empty(); --k)
      bytes[dice() % std::min<std::size_t>(bytes.size(), 60)] = static_cast<char>(dice());
    const Result<SoundClip> read = read_sound(folder.write("d.wav", bytes), kGoesOn);
    read.ok() ? ++heard : ++told;
    if (!read.ok()) CHECK(read.diagnostics().front().message.starts_with("The sound \"d.wav\" is not heard: "));
  }
  CHECK(heard > 0);
  CHECK(told > 0);
}

TEST_CASE("Damaged FLAC, OGG and MP3 end in a clip or a sentence", "[sound][decode][bad]") {
  const Folder folder;
  const unsigned seed = std::random_device{}();
  INFO("seed " << seed);
  std::mt19937 dice(seed);
  int heard = 0, told = 0;
  for (const Kind& each : kKinds) {
    std::ifstream in(encode(folder, each.name, each.format, tone_values(300, 0.3)), std::ios::binary);
    const std::string whole{std::istreambuf_iterator<char>(in), {}};
    REQUIRE(whole.size() > 500);
    for (int i = 0; i < 80; ++i) {
      std::string bytes = dice() % 2 ? whole : whole.substr(0, dice() % whole.size());
      for (auto k = dice() % 6; k > 0 && !bytes.empty(); --k)
        bytes[dice() % (dice() % 2 ? bytes.size() : std::min<std::size_t>(bytes.size(), 100))] =
            static_cast<char>(dice());
      const Result<SoundClip> read = read_sound(folder.write(each.name, bytes), kGoesOn);
      read.ok() ? ++heard : ++told;
      if (read.ok()) CHECK(read->seconds() <= kLongestSound);
    }
  }
  CHECK(heard > 0);
  CHECK(told > 0);
}

TEST_CASE("Of more than an hour the first is heard; who stops waits for nothing", "[sound][decode]") {
  const Folder folder;
  // 8 bits at 8 kHz: 70 minutes are 33 MB.
  std::string bytes = wav_bytes({}, 1, 8'000);
  const std::uint32_t data = 8'000 * 60 * 70;
  const auto put = [&](std::size_t at, std::uint32_t value, int size) {
    for (int i = 0; i < size; ++i) bytes[at + static_cast<std::size_t>(i)] = static_cast<char>(value >> (8 * i) & 0xff);
  };
  put(4, 36 + data, 4);
  put(28, 8'000, 4);
  put(32, 1, 2);
  put(34, 8, 2);
  put(40, data, 4);
  bytes.append(data, static_cast<char>(128));
  const fs::path file = folder.write("long.wav", bytes);
  const Result<SoundClip> read = read_sound(file, kGoesOn);
  REQUIRE(read.ok());
  CHECK(read->seconds() == 3'600);
  CHECK(sentence(read) == "The sound \"long.wav\" is longer than an hour; only its first hour is heard.");
  const std::atomic<bool> stopped{true};
  CHECK_FALSE(read_sound(file, stopped).ok());
}

}  // namespace hazumi::decode_test
