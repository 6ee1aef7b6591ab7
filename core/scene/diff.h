// What an edit touched, and from which frame on a run is out of date.
#pragma once

#include <functional>
#include <limits>
#include <vector>

#include "core/scene/cause.h"
#include "core/scene/values/scene.h"

namespace hazumi {

inline constexpr int kNoFrame = std::numeric_limits<int>::max();

struct ChangeSet {
  std::vector<Id>
      objects;  ///< things of the scene's lists (objects, lights, collections) changed, added or removed; ascending
  bool structure =
      false;  ///< something was added, removed, reordered, renamed, or put into a collection or under a parent
  bool settings = false;
  bool look = false;  ///< something changed and what a run reads did not: only pictures change
  /// What a run reads changed: the model must be compiled anew, even when no computed frame is out of date
  /// (first_frame == kNoFrame: the object has not touched anything yet).
  bool simulation = false;
  /// First frame whose state can differ; kNoFrame: none. Frame f shows the state *before* what happens at f,
  /// so an edit that acts from time 0 gives 0 when the initial state itself changes.
  int first_frame = kNoFrame;

  bool empty() const { return objects.empty() && !structure && !settings; }
};

/// `first_frame(cause)`: the first frame of the current run (of `before`) in which the cause was there, kNoFrame when it
/// was not in the frames computed so far (then these stay), 0 when nothing is known.
ChangeSet diff(const Scene& before, const Scene& after, const std::function<int(const Cause&)>& first_frame);

/// Hash of everything the simulation reads: equal hashes give equal runs, bit for bit. Look, camera, names,
/// lights, visibility and the frame range are not in it.
std::uint64_t simulation_signature(const Scene& scene);

}  // namespace hazumi
