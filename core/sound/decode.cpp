#include "core/sound/decode.h"

#include <sndfile.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

namespace hazumi {

namespace {

namespace fs = std::filesystem;

constexpr double kHighestRate = 48'000, kLowestRate = 1'000, kImpossibleRate = 1e7;  // 1/s
constexpr int kMostChannels = 64;
constexpr sf_count_t kBlock = 16'384;  // moments read at a time

Diagnostic not_heard(const fs::path& file, const std::string& why, std::string hint) {
  return {Severity::warning, file.string(), "The sound \"" + file.filename().string() + "\" is not heard: " + why,
          std::move(hint)};
}

/// Moments of the file that become one sample.
int thinning(double rate) {
  int each = 1;
  while (rate / each > kHighestRate) each *= 2;
  return each;
}

/// Each sample the mean of `each` moments, folded to two channels; what is left over waits for more.
void append(std::vector<StereoSample>& samples, std::vector<float>& moments, int channels, int each) {
  const std::size_t wide = static_cast<std::size_t>(channels), step = wide * static_cast<std::size_t>(each);
  std::vector<float> mean(wide);
  std::size_t at = 0;
  for (; at + step <= moments.size(); at += step) {
    std::fill(mean.begin(), mean.end(), 0.0F);
    for (std::size_t i = 0; i < step; ++i)
      if (const float value = moments[at + i]; std::isfinite(value)) mean[i % wide] += value / static_cast<float>(each);
    samples.push_back(folded(mean));
  }
  moments.erase(moments.begin(), moments.begin() + static_cast<std::ptrdiff_t>(at));
}

}  // namespace

Result<SoundClip> read_sound(const fs::path& file, const std::atomic<bool>& stop) {
  std::error_code error;
  const std::string name = file.filename().string();
  if (!fs::exists(file, error))
    return not_heard(file, "the file is not there.", "Put " + name + " beside the scene, or import it anew.");
  // A pipe or a device would be waited for without end.
  if (!fs::is_regular_file(file, error)) return not_heard(file, "it is no file.", "Import a sound file.");
  SF_INFO info{};
  const std::unique_ptr<SNDFILE, int (*)(SNDFILE*)> in(sf_open(file.c_str(), SFM_READ, &info), &sf_close);
  const char* convert = "Make a WAV, FLAC, OGG or MP3 file of it, and import that.";
  if (!in) return not_heard(file, "no sound can be read from the file.", convert);
  if (info.channels < 1 || info.channels > kMostChannels)
    return not_heard(file, "it has " + std::to_string(info.channels) + " channels.", convert);
  if (info.samplerate < kLowestRate || info.samplerate > kImpossibleRate)
    return not_heard(file, "it has " + std::to_string(info.samplerate) + " samples a second.", convert);

  const int each = thinning(info.samplerate);
  SoundClip clip;
  clip.rate = static_cast<double>(info.samplerate) / each;
  const auto most = static_cast<std::size_t>(kLongestSound * clip.rate);
  // What a damaged file says of its length is not believed: room is made for what comes.
  std::vector<float> moments, block(static_cast<std::size_t>(kBlock * info.channels));
  Diagnostics warnings;
  while (!stop && clip.samples.size() <= most) {
    const sf_count_t read = sf_readf_float(in.get(), block.data(), kBlock);
    if (read <= 0) break;
    moments.insert(moments.end(), block.begin(), block.begin() + static_cast<std::ptrdiff_t>(read * info.channels));
    append(clip.samples, moments, info.channels, each);
  }
  if (clip.samples.empty()) return not_heard(file, "there is nothing in it.", "Import another file.");
  if (clip.samples.size() > most) {
    clip.samples.resize(most);
    warnings.push_back({Severity::warning, file.string(),
                        "The sound \"" + name + "\" is longer than an hour; only its first hour is heard.",
                        "Cut the file into parts."});
  } else if (const auto heard = static_cast<double>(clip.samples.size()) * each;
             (info.format & SF_FORMAT_TYPEMASK) != SF_FORMAT_MPEG &&  // whose length is a guess
             heard < 0.999 * static_cast<double>(info.frames) - kBlock && info.frames < SF_COUNT_MAX) {
    warnings.push_back({Severity::warning, file.string(), "The sound \"" + name + "\" breaks off: the file is damaged.",
                        "Copy the file anew."});
  }
  clip.samples.shrink_to_fit();
  return {std::move(clip), std::move(warnings)};
}

}  // namespace hazumi
