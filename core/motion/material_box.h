// A material in a box of kind *Material*: one of the shipped ones by its name, or numbers of its own. A person's own materials are kept
// beside the program; a box has their numbers, as objects do, so that a scene opens the same elsewhere.
#pragma once

#include <string_view>

#include "core/scene/values/scene.h"

namespace hazumi {

inline constexpr std::string_view kOwnNumbers = "own numbers";  ///< the choice that says so

/// Makes it become that material.
void take_material(const Material& material, MotionNode& box);
/// Whether a run reads that parameter of a box: of a shipped material, none of the numbers.
bool is_parameter_read(const MotionNode& box, std::string_view parameter);

}  // namespace hazumi
