// What is done to cameras beside what is done to every thing of the scene.
#pragma once

#include <set>

#include "core/scene/values/scene.h"

namespace hazumi {

class DocumentController;
class Selection;

/// As this one, with a name, an id and a colour of its own; selected. None when the scene cannot take it.
Id add_camera(DocumentController& document, Selection& selection, Camera camera);
/// The camera that has to stay when those that are selected, but for the `spared` ones, are deleted: pictures are taken
/// with one. Null: another one stays.
const Camera* last_camera(const Scene& scene, const Selection& selection, const std::set<Id>& spared);

}  // namespace hazumi
