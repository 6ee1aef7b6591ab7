// How edits and keys go together: what a person sees at a time is the scene as its tracks say then; what they change there becomes
// keys at that time where a field has keys (or shall get them), and a value of the scene where it has none.
#pragma once

#include <map>
#include <string>

#include "core/scene/derived/tracks.h"

namespace hazumi {

/// Where a frame has what physics has moved; of objects that go as a whole, and are not led then.
using MovedPoses = std::map<Id, Pose>;

/// The scene as it is at a time: what is looked at as its tracks say, what is led where its keys say, what physics has moved where
/// it is said to be, gravity, time scale and sizes of kept volumes as they are then.
Scene shown_at(const Scene& scene, double time, const MovedPoses& moved = {});

/// The edit of `scene` that takes `shown`, which shown_at() gave of it, to `next`. Fields that differ get a key at the time
/// where they have a track; with `automatic` all get one that can be keyed, but for places of what
/// is carried, which stays on its carrier. A start (place and rotation at time 0) is a value of
/// the scene besides. What physics has moved, and is keyed elsewhere, has keys of place and rotation from then on (led_from_then()).
Scene keyed(const Scene& scene, const Scene& shown, Scene next, double time, bool automatic,
            const MovedPoses& moved = {});

/// `next` with an object whose place or rotation was just keyed, and which physics had in `before`, led from the time on: up to
/// there it goes as physics has it. With a key of its place in `before` it has begun to be led by hand, and goes from key to key.
Scene led_from_then(const Scene& before, Scene next, std::uint64_t target, double time);

/// Why the field cannot be keyed, as a sentence; empty: it can.
std::string key_problem(const Scene& scene, std::uint64_t target, std::string_view field);

}  // namespace hazumi
