// Joints as commands make them: of what is selected, in a row, or of two points that were clicked. Each is one undo step, and an operation: F9
// has its kind, place and axis.
#pragma once

#include <optional>
#include <vector>

#include <QString>

#include "core/scene/derived/mesh_store.h"
#include "core/scene/values/scene.h"

namespace hazumi {

class DocumentController;
class Selection;

/// "Hinge": what a joint of the kind is called.
QString joint_name(JointKind kind);

/// The objects among the selected things in the order in which they are joined: that of selecting them one by one, else from one to the
/// nearest of the others, beginning at an end.
std::vector<Id> joining_order(const Scene& scene, const Selection& selection);
/// The ends of a line between two objects: from surface to surface, of two that touch from middle to middle.
std::pair<Vec3, Vec3> line_between(const Scene& scene, Id first, Id second, MeshStore& meshes);
/// Where two objects are joined: in the middle between them, or where they touch.
Vec3 joining_place(const Object& a, const Object& b, MeshStore& meshes);

/// Why what is selected cannot be joined so; empty: it can.
QString no_joining(const Scene& scene, const Selection& selection, JointKind kind);
/// One selected object to the world, two to each other, more in a row; of a gear two hinges, or two objects on hinges. A lead takes an object to
/// where it is, in the world or on the next one. The joints become the selection.
bool join_selected(DocumentController& document, Selection& selection, JointKind kind);

/// Why what is selected cannot be led along the curve among it; empty: it can.
QString no_leading(const Scene& scene, const Selection& selection);
/// The middle of each selected object is led along the selected curve, evenly from its start at this frame to its end at the last one of the
/// range; one undo step. The leads become the selection.
bool lead_along_curve(DocumentController& document, Selection& selection, int frame);

/// A point that was clicked.
struct JoinPoint {
  Id object;                  ///< none: the world
  Vec3 place = Vec3::Zero();  ///< m, in the object's axes before its scale; of the world: world
};
/// Why two points cannot be joined; empty: they can.
QString no_joining(const Scene& scene, const JoinPoint& first, const JoinPoint& second);
/// Of one place it is the first point. What is in the world is the joint's first end, so that its turn and way are those of the object. `axis`: world,
/// of hinge and slider. A lead leads the first point, or the one that is on an object, to the other; a pull draws it to where that is in the world. The joint becomes the selection.
bool join_points(DocumentController& document, Selection& selection, JointKind kind, const JoinPoint& first,
                 const JoinPoint& second, const Vec3& axis);
/// A gear of two hinges.
bool join_hinges(DocumentController& document, Selection& selection, Id first, Id second);

}  // namespace hazumi
