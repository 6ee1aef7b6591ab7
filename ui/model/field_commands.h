// Fields of force as the Add menu makes them.
#pragma once

#include "core/scene/values/scene.h"

namespace hazumi {

class DocumentController;
class Selection;

/// At the origin, in the way in which it is most often wanted: wind blows along x, water lies level; selected, and an operation (F9). No id:
/// the scene refused it.
Id add_field(DocumentController& document, Selection& selection, FieldKind kind);

}  // namespace hazumi
