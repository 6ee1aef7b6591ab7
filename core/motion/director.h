// What a scene's motion graphs (core/scene/values/motion_node.h) do in a run, on top of what its keys do (tracks.h). Spec 7.2, 7.3.
//
//   A box is there once for each object that it is of. A wire leads from a box of an object to the box of the same object, where that
//   one has it, else to all that it has.
//   An event that is armed looks at each sub-step that was, from the moment at which it was armed on. Those that happen are taken in
//   order of (moment, object, box): it is disarmed unless it is a loop, events that are related are disarmed, procedures start with the
//   sub-step that comes, events behind it and behind these procedures are armed and look at the rest of the sub-step. What holds already as
//   an event is armed makes it happen with the next sub-step: nothing can happen endlessly at one moment.
//   Cases behind an event are tried in the order of its wires; the first that holds is followed as if it had happened itself.
//   A procedure that takes over what another one has of the same body ends that one.
//   An event that happens more than 1,000 times in a frame stops the run.
#pragma once

#include <memory>

#include "core/sim/director.h"
#include "core/sim/model.h"

namespace hazumi {

/// At which armed events a run looks in a sub-step: at all, or at those of which something may come (watch.h). The bits are the same.
enum class EventLooks { where_due, all };

/// `tracks` goes first; may be null. Null when there are no boxes that are used and none of `tracks`. The model is that of the scene. Boxes
/// that cannot do anything (motion_problems(), check.h) do nothing.
std::shared_ptr<const Director> make_motion_director(const Scene& scene, const Model& model,
                                                     std::shared_ptr<const Director> tracks,
                                                     EventLooks looks = EventLooks::where_due);

}  // namespace hazumi
