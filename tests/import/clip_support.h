// Clips of tests/import/clips, and where a piece is.
#pragma once

#include <filesystem>

#include "core/scene/derived/clip_motion.h"
#include "core/scene/derived/tracks.h"

namespace hazumi::test {

inline const std::filesystem::path kClips = HAZUMI_SOURCE_DIR "/tests/import/clips";

inline Pose clip_pose(const PieceMotion& motion, double time) {
  Pose pose = motion.start;
  Track track;
  if (track.keys = motion.place; !track.keys.empty()) {
    const auto v = track_value(track, FieldType::vector, time);
    pose.position = {v[0], v[1], v[2]};
  }
  if (track.keys = motion.rotation; !track.keys.empty()) {
    const auto v = track_value(track, FieldType::rotation, time);
    pose.rotation = Quat(v[0], v[1], v[2], v[3]);
  }
  return pose;
}

}  // namespace hazumi::test
