#include "render/frame_looks.h"

#include <algorithm>

#include "render/convert.h"

namespace hazumi {

namespace {

const FrameLook* look_of(const FrameLooks& looks, Id object) {
  const auto at = std::lower_bound(looks.begin(), looks.end(), object,
                                   [](const FrameLook& look, Id id) { return look.object < id; });
  return at != looks.end() && at->object == object ? &*at : nullptr;
}

void change(Surface& surface, const FrameLook& look) {
  const double replaced = static_cast<double>(look.replaced);
  for (Vec3 Surface::*part : {&Surface::ambient, &Surface::diffuse, &Surface::specular})
    surface.*part += replaced * (look.surface.*part - surface.*part);
  for (double Surface::*number : {&Surface::shininess, &Surface::opacity})
    surface.*number += replaced * (look.surface.*number - surface.*number);
  const Vec3 colour = look.colour.cast<double>();
  const double coloured = static_cast<double>(look.coloured), faded = static_cast<double>(look.faded);
  // The ambient part is as bright as it was beside the other.
  const double bright = surface.diffuse.norm(), ambient = bright > 0 ? surface.ambient.norm() / bright : 1;
  surface.diffuse += coloured * (colour - surface.diffuse);
  surface.ambient += coloured * (ambient * colour - surface.ambient);
  surface.opacity += faded * (static_cast<double>(look.opacity) - surface.opacity);
}

}  // namespace

Scene with_looks(Scene scene, const FrameLooks& looks) {
  for (auto& object : scene.objects) {
    const FrameLook* look = look_of(looks, object->id);
    if (!look) continue;
    object = object.edited([&](Object& o) {
      if (look->visible >= 0) o.visible = look->visible != 0;
      change(o.material.surface, *look);
      for (auto& part : o.part_materials) change(part.material.surface, *look);
    });
  }
  return scene;
}

void tint(RenderList& list, const FrameLooks& looks) {
  for (DrawMesh& mesh : list.meshes)
    if (const FrameLook* look = look_of(looks, mesh.id)) {
      // The material's colour, and over it the other.
      const float below = look->replaced * (1 - look->coloured), all = below + look->coloured;
      const Vec3f colour = below * look->surface.diffuse.cast<float>() + look->coloured * look->colour;
      if (all > 0) mesh.tint = glm::vec4(to_glm(Vec3f(colour / all)), all);
    }
}

}  // namespace hazumi
