// The sound of a film whose frames are pictures: one WAV file beside them, 16 bits, stereo, 48 kHz, as long as the pictures are when they
// are shown at the scene's frames per second over the range's step. What is heard says core/sound/mix.h; times are those of frames, as
// while playing, whatever the time scale is.
#pragma once

#include <filesystem>
#include <string>

#include "core/export/frame_sink.h"

namespace hazumi {

inline constexpr double kLongestFilm = 3600;  ///< s: what is longer takes gigabytes

/// Whether any sound is heard in these frames, or may be, when a motion plays it.
bool is_heard(const Scene& scene, const FrameRange& range);
/// "DIR/ball.####.png" → "DIR/ball.wav", or "DIR/ball sound.wav" where that is a sound of the scene. The pattern is one of frame_path().
std::filesystem::path sound_path(const Scene& scene, const std::string& pattern);
/// The bytes of the file. `cues`: those of the last frame; null: none. What cannot be read is silent, with a warning each. Refused: a longer film than kLongestFilm.
Result<std::string> film_sound(const Scene& scene, const FrameRange& range, const FrameCues* cues);

}  // namespace hazumi
