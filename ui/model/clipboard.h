// Things on their way: copied as the text of a scene file that holds nothing else, and brought into a scene from such text
// or from a part of another scene. All of it is one undo step.
#pragma once

#include <QString>

#include "core/scene/values/scene.h"

namespace hazumi {

class DocumentController;
class Selection;

/// Of what is selected; empty when nothing is.
QString copied_text(const Scene& scene, const Selection& selection);
/// The things of the part, selected. They stand where they stood, or beside what stands there already. `step`: "Paste %1".
/// False: refused, as the document says.
bool bring_in(DocumentController& document, Selection& selection, Scene part, const QString& step);
/// Why nothing was pasted, one sentence; empty: done, or refused by the document.
QString paste_text(DocumentController& document, Selection& selection, const QString& text);

}  // namespace hazumi
