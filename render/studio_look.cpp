#include "render/studio_look.h"

#include <algorithm>
#include <cmath>

#include "core/scene/derived/studio.h"
#include "render/convert.h"

namespace hazumi {

void add_look(RenderList& list, const SceneSettings& settings) {
  const SceneLook& look = settings.look;
  list.background = to_glm(settings.background);
  list.ambient = to_glm(settings.ambient) * to_glm(look.sky);
  list.ground = to_glm(settings.ambient) * to_glm(look.ground);
  list.look.filmic = look.curve == ToneCurve::filmic;
  list.look.exposure = static_cast<float>(std::exp2(look.exposure));
  list.look.occlusion = static_cast<float>(look.occlusion);
  list.look.reach = static_cast<float>(look.occlusion_reach);
  list.look.softness = static_cast<float>(look.softness);
  if (look.light == StudioLight::scene) return;
  const StudioSet& set = studio_set(look.light);
  list.ambient = to_glm(set.sky);
  list.ground = to_glm(set.ground);
  for (const StudioLamp& lamp : set.lamps) {
    DrawLight draw;
    draw.position = to_glm(lamp.towards);
    draw.target = glm::vec3(0);
    draw.colour = to_glm(lamp.light);
    draw.shadow = list.lights.empty();
    list.lights.push_back(draw);
  }
}

void find_reach(RenderList& list) {
  if (list.look.reach > 0) return;
  std::vector<double> sizes;
  for (const DrawMesh& mesh : list.meshes) {
    if (!mesh.casts_shadow) continue;
    const Box3 box = mesh.facts ? mesh.facts->box() : mesh.bounds;
    if (box.valid()) sizes.push_back(box.size().norm());
  }
  if (sizes.empty()) return;
  const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
  std::nth_element(sizes.begin(), middle, sizes.end());
  list.look.reach = static_cast<float>(*middle / std::sqrt(3.0) / 2);
}

}  // namespace hazumi
