// Sound files: WAV, FLAC, OGG, MP3 and what else libsndfile reads. For workers: an hour takes seconds.
//
// A clip keeps the file's rate up to 48 kHz; of higher ones the mean of each 2, 4 … samples. Longer files than kLongestSound are
// heard up to there: more would take gigabytes.
#pragma once

#include <atomic>
#include <filesystem>

#include "core/base/result.h"
#include "core/sound/clip.h"

namespace hazumi {

inline constexpr double kLongestSound = 3600;  ///< s

/// Warnings (a file that breaks off, or is too long) may come with a clip. `stop`: then the result means nothing.
Result<SoundClip> read_sound(const std::filesystem::path& file, const std::atomic<bool>& stop);

}  // namespace hazumi
