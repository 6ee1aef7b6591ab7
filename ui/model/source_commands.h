// Sources of particles as the Add menu makes them.
#pragma once

#include "core/scene/derived/ready_sources.h"
#include "core/scene/values/scene.h"

namespace hazumi {

class DocumentController;
class Selection;

/// A ready-made source at the origin, or carried by the active object where its kind is; selected, and an operation (F9). No id: the scene refused it.
Id add_source(DocumentController& document, Selection& selection, ReadySource kind);

}  // namespace hazumi
