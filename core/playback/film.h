// The film that a run makes: which camera takes a picture, and which sounds are heard. Both are said by the scene (keys of its camera,
// sounds on the time line), and by motions as things happen (procedures "cut" and "play"), which frames remember as cues. The later of the
// two counts for a picture; at the same moment the motion's.
#pragma once

#include <vector>

#include "core/playback/frame.h"
#include "core/scene/derived/cameras.h"
#include "core/scene/values/scene.h"

namespace hazumi {

/// Who takes the picture of a frame, of the scene as it is at its time (scene_at); null, or without such cues: its active camera.
const Camera& filming_camera(const Scene& shown, const Frame* frame);

/// camera_stretches() with the cuts of the cues, as far as they are known; null: none.
std::vector<CameraStretch> filmed_stretches(const Scene& scene, const FrameCues* cues, double first, double last);

/// A sound and when it begins.
struct HeardSound {
  const Sound* sound = nullptr;  ///< of the scene; not muted
  double start = 0;              ///< s of the film
  double gain = 1;
};
/// Those on the time line but for those that wait for a motion, then those of the cues; null: none.
std::vector<HeardSound> heard_sounds(const Scene& scene, const FrameCues* cues);
/// Whether a motion of the scene may let that sound be heard.
bool may_be_played(const Scene& scene, Id sound);

}  // namespace hazumi
