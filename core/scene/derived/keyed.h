// How edits and keys go together: what a person sees at a time is the scene as its tracks say then; what they change there becomes
// keys at that time where a field has keys (or shall get them), and a value of the scene where it has none.
#pragma once

#include <string>

#include "core/scene/derived/tracks.h"

namespace hazumi {

/// The scene as it is at a time: what is looked at as its tracks say, and what is led where its keys say. What physics has
/// moved is in frames.
Scene shown_at(const Scene& scene, double time);

/// The edit of `scene` that takes `shown`, which shown_at() gave of it, to `next`. Fields that differ get a key at the time
/// where they have a track; with `automatic` all get one that can be keyed. A start (place and rotation at time 0) is a value of
/// the scene besides.
Scene keyed(const Scene& scene, const Scene& shown, Scene next, double time, bool automatic);

/// Why the field cannot be keyed, as a sentence; empty: it can.
std::string key_problem(const Scene& scene, std::uint64_t target, std::string_view field);

}  // namespace hazumi
