#include "core/motion/material_box.h"

#include <array>

namespace hazumi {
namespace {

struct MaterialPart {
  std::string_view name;
  double (*of)(const Material&);
};
constexpr std::array<MaterialPart, 13> kMaterialParts{
    {{"friction", [](const Material& m) { return m.substance.friction; }},
     {"restitution", [](const Material& m) { return m.substance.restitution; }},
     {"diffuse_red", [](const Material& m) { return m.surface.diffuse.x(); }},
     {"diffuse_green", [](const Material& m) { return m.surface.diffuse.y(); }},
     {"diffuse_blue", [](const Material& m) { return m.surface.diffuse.z(); }},
     {"ambient_red", [](const Material& m) { return m.surface.ambient.x(); }},
     {"ambient_green", [](const Material& m) { return m.surface.ambient.y(); }},
     {"ambient_blue", [](const Material& m) { return m.surface.ambient.z(); }},
     {"specular_red", [](const Material& m) { return m.surface.specular.x(); }},
     {"specular_green", [](const Material& m) { return m.surface.specular.y(); }},
     {"specular_blue", [](const Material& m) { return m.surface.specular.z(); }},
     {"shininess", [](const Material& m) { return m.surface.shininess; }},
     {"opacity", [](const Material& m) { return m.surface.opacity; }}}};

}  // namespace

void take_material(const Material& material, MotionNode& box) {
  set_parameter(box, {"material", std::string(kOwnNumbers)});
  for (const MaterialPart& part : kMaterialParts) set_parameter(box, {std::string(part.name), {}, part.of(material)});
}

bool is_parameter_read(const MotionNode& box, std::string_view parameter) {
  if (box.role != MotionRole::procedure || box.kind != "material") return true;
  const MotionParameter* which = find_parameter(box, "material");
  if (which && which->word == kOwnNumbers) return true;
  for (const MaterialPart& part : kMaterialParts)
    if (part.name == parameter) return false;
  return true;
}

}  // namespace hazumi
