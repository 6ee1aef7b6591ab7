// The 29 presets of spec 8.2: look from the classic OpenGL table, physics of the real material.
#pragma once

#include <span>
#include <string_view>

#include "core/scene/values/scene.h"

namespace hazumi {

struct MaterialPreset {
  std::string_view name;    ///< "polished gold"
  std::string_view family;  ///< "gems", "metals", "plastic", "rubber"
  Surface surface;
  Substance substance;
};

std::span<const MaterialPreset> material_presets();
const MaterialPreset* find_material(std::string_view name);
/// The material after picking a preset: look taken over, physics too unless it was set apart.
Material apply_preset(Material material, const MaterialPreset& preset);
/// The material that parts of this name have in an object: their own, or the object's.
const Material& material_of_part(const Object& object, std::string_view part);

}  // namespace hazumi
