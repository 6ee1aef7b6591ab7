// A clip of a file (import/clip.h) as keys of objects in the scene: for each piece of its mesh where it stands and the keys that
// lead it, in metres and y up.
//
// Keys stay what they are in the file where they can: those of a node that nothing above it moves. Its places are then an affine
// map of keys (step, linear, cubic), its turns are multiplied from both sides by what stands still (step, linear; cubic ones
// of glTF go by components, which no key of ours does). All else is asked at every frame of the file and becomes the fewest
// splines within the tolerance (bake.h).
#pragma once

#include <atomic>
#include <functional>
#include <vector>

#include "core/base/result.h"
#include "core/import/clip.h"
#include "core/import/mesh_settings.h"
#include "core/scene/derived/bake.h"

namespace hazumi {

/// Frames of all nodes together that are asked at most.
inline constexpr double kMostClipPoses = 2e7;

struct ClipWay {
  BakeTolerance tolerance = {5e-5, 5e-5, 48};
  bool fewest = false;     ///< all keys anew within the tolerance, also those that could stay
  double scene_rate = 60;  ///< frames per s, for files that have none
};

struct PieceMotion {
  Pose start;                        ///< of the object frame, at time 0
  std::vector<Key> place, rotation;  ///< empty: it stays there
  bool sampled = false;              ///< keys were made anew
  double off = 0, turned = 0;        ///< m, rad: the furthest that those are from the file, at its frames
  double stretch = 0;                ///< how far it is from a rigid motion (clip.h); 1: a side is as long again
  bool moves() const { return !place.empty() || !rotation.empty(); }
};

/// Beside file.pieces. progress: 0…1. Refused: too many frames; cancelled.
Result<std::vector<PieceMotion>> clip_motion(const ClipFile& file, const Clip& clip, const MeshSettings& settings,
                                             const ClipWay& way, const std::atomic<bool>* cancel = nullptr,
                                             const std::function<void(double)>& progress = {});

/// First and last frame of a clip at this rate.
std::pair<int, int> clip_frames(const Clip& clip, double rate);

}  // namespace hazumi
