// Between physics and keys: what was simulated, or would be, becomes keys, what is led is let go or led again, and keys are given back.
#pragma once

#include <memory>
#include <set>
#include <vector>

#include <QString>

#include "core/scene/derived/bake.h"
#include "ui/model/operation.h"

namespace hazumi {

class PlaybackController;

/// Of a scene: the objects among these that keys could lead and that have no keys yet.
std::set<Id> bakeable(const Scene& scene, const std::set<Id>& ids);
/// What of the run is not there to be baked, as a sentence; empty: all is.
QString bake_problem(const PlaybackController& playback, const Scene& scene, const std::set<Id>& ids);
/// Their places and rotations over the range of the scene become keys, as few as the tolerance allows.
std::unique_ptr<Operation> bake_operation(const PlaybackController& playback, const Scene& scene,
                                          const std::set<Id>& ids);
/// Without keys of place, rotation and leading; they begin as they did.
Scene given_back(Scene scene, const std::set<Id>& ids);
/// From this time on they are led, or physics has them.
Scene led_from(Scene scene, const std::set<Id>& ids, double time, bool led);

/// From this time on physics has it, and no later key leads it again.
Scene let_go_for_good(Scene scene, Id id, double time);
/// What physics would do with something led, from a frame on, becomes its keys in place of those there; before, it goes as it did,
/// within the tolerance.
std::unique_ptr<Operation> flight_operation(const Scene& scene, Id id, std::vector<MotionSample> flight);

}  // namespace hazumi
