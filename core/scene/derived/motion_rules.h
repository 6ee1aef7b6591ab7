// What the boxes of motion graphs (values/motion_node.h) say of a scene: of whom they are, which of them lead nowhere, and from which
// frame on an edit of them makes another run.
//
// A box is read while it is armed or runs, and not before: what a run logs (scene/cause.h, Reading::armed) says when that was first. A wire is read when its
// source happens, so never before that was armed. A box that comes or goes is read from the start where no wire leads to it, but for one that waits for a
// given time: it is read from then on.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/base/hash.h"
#include "core/scene/cause.h"
#include "core/scene/derived/box_keys.h"
#include "core/scene/values/scene.h"

namespace hazumi {

const MotionNode* find_motion(const Scene& scene, Id id);
Scene with_motion(Scene scene, Id id, const std::function<void(MotionNode&)>& change);

/// The objects that an id means: that object, or those of that collection and of those in it; ascending. 0, and what is not there: none.
std::vector<Id> actors(const Scene& scene, std::uint64_t id);
/// Its wires that a run follows: to boxes that are used, each once.
std::vector<MotionWire> used_wires(const Scene& scene, const MotionNode& node);
/// Ids of the events that wait from the start, ascending: used, and no wire of what is used leads there.
std::vector<Id> waiting_from_start(const Scene& scene);

/// When a marker, and all others of its name that are shown, are: s of the film, ascending. None: there is no such marker.
std::vector<double> marker_moments(const Scene& scene, Id marker);

/// Of an event "marker" its moments: of the marker that it is about then, as its keys say.
std::vector<double> moments_of(const Scene& scene, const MotionNode& node, const std::vector<BoxTrack>& tracks);

/// Of an event "time" whose moment is a number, counted from the start: that moment, s of the film. Where it waits from the start, nothing reads
/// it before, and no state has it.
std::optional<double> timed_at(const MotionNode& node);
/// The same; of an event "marker" its first moment.
std::optional<double> first_moment(const Scene& scene, const MotionNode& node);

/// A box that does nothing, or not what it looks like. It is kept: what it needs may come.
struct MotionFault {
  Id node;
  std::string path, message, hint;
};
std::vector<MotionFault> motion_faults(const Scene& scene);

/// Adds what a run reads of them.
void add_motion(Hasher& hasher, const Scene& scene);
/// The first frame whose state can differ; nothing: both say a run the same. `first_frame` as in diff().
std::optional<int> first_moved_otherwise(const Scene& before, const Scene& after,
                                         const std::function<int(const Cause&)>& first_frame);

/// A name for a group of boxes that no other one has: "Group", "Group 2".
std::string free_group_name(const Scene& scene, const std::string& wanted);

}  // namespace hazumi
