// Boxes and wires of motion graphs (core/scene/values/motion_node.h) as a person makes them: functions of a scene, and words for undo steps.
// Places are logical pixels of the editor, x to the right and y downwards.
#pragma once

#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include <QPointF>
#include <QString>

#include "core/scene/values/scene.h"

namespace hazumi {

struct MotionKind;
class Selection;

/// Of these; of boxes that are not there nothing.
std::vector<MotionNode> boxes_of(const Scene& scene, const std::set<Id>& ids);
/// What is written on a box: its own name, or what its kind is called.
QString box_title(const MotionNode& node);
/// "\"Contact\"", "3 boxes".
QString boxes_text(const Scene& scene, const std::set<Id>& ids);

/// As its kind begins; its id is free in the scene. An event that only makes sense repeatedly is a loop only when a person says so.
MotionNode new_box(const Scene& scene, MotionRole role, std::string_view kind, Id object, QPointF place);
Scene with_box(Scene scene, MotionNode node);
/// With the wires that lead to them, and their keys.
Scene without_boxes(Scene scene, const std::set<Id>& ids);
Scene with_boxes_moved(Scene scene, const std::set<Id>& ids, QPointF way);

/// Why there can be no such wire; empty: there can. `related`: the double arrow between events.
QString no_wire(const Scene& scene, Id from, Id to, bool related);
/// Takes the place of another wire between the two.
Scene with_wire(Scene scene, Id from, Id to, bool related);
Scene without_wire(Scene scene, Id from, Id to);
/// The wire is tried `steps` later among those of its box, or earlier.
Scene with_wire_moved(Scene scene, Id from, Id to, int steps);

struct BoxCopies {
  Scene scene;
  std::set<Id> ids;  ///< of the copies
};
/// The keys of their numbers.
std::vector<Shared<Track>> tracks_of(const Scene& scene, const std::set<Id>& ids);
/// Boxes in the group of that name; empty: in none.
Scene with_group(Scene scene, const std::set<Id>& ids, const std::string& name);
/// Copies of boxes, `way` beside them, with the wires among them and their keys.
BoxCopies with_copies(Scene scene, const std::vector<MotionNode>& boxes, const std::vector<Shared<Track>>& tracks,
                      QPointF way);

/// Whose motion a new box is: the active object or collection, else whose the active box is, else the only object that moves; none: nobody's.
Id owner_of_new_box(const Scene& scene, const Selection& selection, Id active_box);

}  // namespace hazumi
