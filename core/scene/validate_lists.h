// Checks the lists of an object (scene/values/lists.h): metaballs, trusses strung by hand, skeleton, analysis models
// kept beside the present one, materials of parts. Private to validate.
#pragma once

#include <functional>
#include <string>

#include "core/scene/values/scene.h"

namespace hazumi {

using ReportError = std::function<void(std::string path, std::string message, std::string hint)>;

/// `where` ends with a space: "objects[3] "Ball" ". `before`: the same object in a valid scene, whose entries
/// need no second look; may be null.
void check_lists(const Object& object, const Object* before, const std::string& where, const ReportError& error);

}  // namespace hazumi
