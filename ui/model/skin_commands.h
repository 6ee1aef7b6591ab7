// An object as the skin of others (scene/derived/skinning.h), each as one undo step. What cannot be done is said in a sentence.
#pragma once

#include <QString>

namespace hazumi {

class DocumentController;
class Selection;
struct Scene;

/// The active object is to bend with the others that are selected; empty: it can.
QString no_skin(const Scene& scene, const Selection& selection);
void bind_skin(DocumentController& document, const Selection& selection);

QString no_release(const Scene& scene, const Selection& selection);
/// Selected skins stand as they were modelled; their bones and painted weights stay.
void release_skin(DocumentController& document, const Selection& selection);
/// What the selected skins bend with is selected instead.
void select_carriers(const Scene& scene, Selection& selection);

}  // namespace hazumi
