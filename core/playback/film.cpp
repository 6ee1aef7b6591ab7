#include "core/playback/film.h"

#include <algorithm>

#include "core/motion/kinds.h"

namespace hazumi {

const Camera& filming_camera(const Scene& shown, const Frame* frame) {
  if (!frame || !frame->cues) return active_camera(shown);
  const FrameCues& cues = *frame->cues;
  const auto cut = std::find_if(cues.rbegin(), cues.rend(),
                                [&](const FrameCue& cue) { return find_camera(shown, cue.thing) != nullptr; });
  if (cut == cues.rend()) return active_camera(shown);
  const double now = frame->index / shown.settings.frame_rate;
  const std::vector<CameraStretch> keyed = camera_stretches(shown, 0, now);
  if (!keyed.empty() && keyed.back().from > cut->time) return active_camera(shown);
  return *find_camera(shown, cut->thing);
}

std::vector<CameraStretch> filmed_stretches(const Scene& scene, const FrameCues* cues, double first, double last) {
  std::vector<CameraStretch> stretches = camera_stretches(scene, first, last);
  if (!cues) return stretches;
  for (const FrameCue& cue : *cues) {
    if (!find_camera(scene, cue.thing)) continue;
    // A cut before the first of them counts up to the first key.
    auto at = std::find_if(stretches.begin(), stretches.end(), [&](const CameraStretch& s) { return cue.time < s.to; });
    if (at == stretches.end()) continue;
    if (cue.time <= at->from) {
      if (cue.time == at->from || !at->by_key) at->camera = cue.thing;
      continue;
    }
    const CameraStretch rest{cue.time, at->to, cue.thing, false};
    at->to = cue.time;
    stretches.insert(at + 1, rest);
  }
  return stretches;
}

std::vector<HeardSound> heard_sounds(const Scene& scene, const FrameCues* cues) {
  std::vector<HeardSound> heard;
  for (const auto& sound : scene.sounds)
    if (sound->visible && !sound->waits) heard.push_back({sound.get(), sound->start, sound->gain});
  if (!cues) return heard;
  for (const FrameCue& cue : *cues)
    if (const Sound* sound = find_sound(scene, cue.thing); sound && sound->visible)
      heard.push_back({sound, cue.time, sound->gain * cue.gain});
  return heard;
}

bool may_be_played(const Scene& scene, Id sound) {
  return std::any_of(scene.motion.begin(), scene.motion.end(), [&](const auto& node) {
    if (!node->visible || node->role != MotionRole::procedure || node->other != sound.value) return false;
    const ProcedureKind* kind = find_procedure_kind(node->kind);
    return kind && kind->cues;
  });
}

}  // namespace hazumi
