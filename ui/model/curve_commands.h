// What is done with curves beside what is done to every thing of the scene.
#pragma once

#include <QString>

#include "core/scene/values/scene.h"

namespace hazumi {

class DocumentController;
class Selection;
struct UiContext;

enum class CurveStart { line, arc, circle, spline };

/// About the origin, a little above the floor; selected. None when the scene cannot take it.
Id add_curve(DocumentController& document, Selection& selection, CurveStart start);

/// Why what is selected cannot follow the curve among it; empty: it can.
QString no_following(const Scene& scene, const Selection& selection);
/// The objects and cameras among what is selected ride on the curve among it, from its start at the first frame of the range to
/// its end at the last one, evenly: one undo step.
void follow_curve(DocumentController& document, const Selection& selection);
/// They stay where they are, and ride no more; their keys along it wait.
QString no_leaving(const Scene& scene, const Selection& selection);
void leave_curve(DocumentController& document, const Selection& selection);

}  // namespace hazumi
