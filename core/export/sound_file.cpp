#include "core/export/sound_file.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <map>
#include <vector>

#include "core/playback/film.h"
#include "core/sound/decode.h"
#include "core/sound/mix.h"

namespace hazumi {

namespace {

namespace fs = std::filesystem;

constexpr int kRate = 48'000, kChannels = 2, kBytes = 2;  // of a sample
constexpr std::size_t kStretch = std::size_t{1} << 16;    // moments mixed at a time

double begin_of(const Scene& scene, const FrameRange& range) { return range.first / scene.settings.frame_rate; }
double length_of(const Scene& scene, const FrameRange& range) {
  return static_cast<double>(range.count()) * range.step / scene.settings.frame_rate;
}

/// How long it is, only its file says.
bool may_be_heard(const HeardSound& heard, const Scene& scene, const FrameRange& range) {
  const double begin = begin_of(scene, range);
  return heard.gain > 0 && heard.start < begin + length_of(scene, range) && heard.start + kLongestSound > begin;
}

void add_number(std::string& bytes, std::uint64_t value, int size) {
  for (int i = 0; i < size; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xff);
}

std::string wav_head(std::size_t moments) {
  const std::size_t data = moments * kChannels * kBytes;
  std::string bytes = "RIFF";
  add_number(bytes, 36 + data, 4);
  bytes += "WAVEfmt ";
  add_number(bytes, 16, 4);
  add_number(bytes, 1, 2);  // plain numbers
  add_number(bytes, kChannels, 2);
  add_number(bytes, kRate, 4);
  add_number(bytes, kRate * kChannels * kBytes, 4);
  add_number(bytes, kChannels * kBytes, 2);
  add_number(bytes, 8 * kBytes, 2);
  bytes += "data";
  add_number(bytes, data, 4);
  return bytes;
}

}  // namespace

bool is_heard(const Scene& scene, const FrameRange& range) {
  const std::vector<HeardSound> heard = heard_sounds(scene, nullptr);
  return std::any_of(heard.begin(), heard.end(),
                     [&](const HeardSound& one) { return may_be_heard(one, scene, range); }) ||
         std::any_of(scene.sounds.begin(), scene.sounds.end(), [&](const auto& sound) {
           return sound->visible && sound->gain > 0 && may_be_played(scene, sound->id);
         });
}

fs::path sound_path(const Scene& scene, const std::string& pattern) {
  // "ball.####.png" without the number and what stands before it.
  std::string name = fs::path(pattern).filename().stem().string();
  const std::size_t first = name.find('#'), last = name.find_last_of('#');
  if (first != std::string::npos) name.erase(first, last - first + 1);
  while (!name.empty() && std::string_view(".-_ ").find(name.back()) != std::string_view::npos) name.pop_back();
  if (name.empty()) name = "sound";
  const fs::path folder = fs::path(pattern).parent_path();
  const auto is_read = [&](const fs::path& path) {
    std::error_code error;
    return std::any_of(scene.sounds.begin(), scene.sounds.end(), [&](const auto& sound) {
      return fs::path(sound->file).lexically_normal() == path.lexically_normal() ||
             fs::equivalent(sound->file, path, error);
    });
  };
  fs::path path = folder / (name + ".wav");
  for (int n = 1; is_read(path); ++n)
    path = folder / (name + (n == 1 ? std::string(" sound.wav") : " sound " + std::to_string(n) + ".wav"));
  return path;
}

Result<std::string> film_sound(const Scene& scene, const FrameRange& range, const FrameCues* cues) {
  const double length = length_of(scene, range);
  if (length > kLongestFilm)
    return Diagnostic{Severity::error, "", "The sound of more than an hour is not written.",
                      "Export the frames in parts, or leave Sound out."};
  Diagnostics problems;
  std::map<std::string, SoundClip> clips;
  std::vector<PlacedSound> sounds;
  for (const HeardSound& heard : heard_sounds(scene, cues)) {
    if (!may_be_heard(heard, scene, range)) continue;
    const auto [at, fresh] = clips.try_emplace(heard.sound->file);
    if (fresh) {
      Result<SoundClip> read = read_sound(heard.sound->file, std::atomic<bool>(false));
      for (Diagnostic told : read.diagnostics()) {
        told.severity = Severity::warning;
        if (told.path.empty()) told.path = heard.sound->name;
        problems.push_back(std::move(told));
      }
      if (read) at->second = std::move(read).value();
    }
    if (!at->second.samples.empty()) sounds.push_back({&at->second, heard.start, heard.gain, false});
  }
  const auto moments = static_cast<std::size_t>(std::llround(length * kRate));
  std::string bytes = wav_head(moments);
  bytes.reserve(bytes.size() + moments * kChannels * kBytes);
  std::vector<float> stereo;
  for (std::size_t done = 0; done < moments; done += stereo.size() / kChannels) {
    stereo.assign(kChannels * std::min(kStretch, moments - done), 0);
    mix(sounds, {begin_of(scene, range), 1, kRate, static_cast<std::int64_t>(done)}, stereo);
    for (const float value : stereo)
      add_number(bytes, static_cast<std::uint16_t>(static_cast<std::int16_t>(std::lround(value * 32767))), kBytes);
  }
  return {std::move(bytes), std::move(problems)};
}

}  // namespace hazumi
