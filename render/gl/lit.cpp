#include "render/gl/lit.h"

#include <algorithm>
#include <cmath>

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include "render/gl/shaders.h"

namespace hazumi::gl {

namespace {

constexpr int kMaxLights = 8;
constexpr float kFilmExposure =
    0.8f;  // of the film's curve: white stays as bright as the shoulder has it, 0.18 becomes 0.2

// A variant's number: two bits for each choice of several, one for each switch.
unsigned key_of(ShadowFilter filter, Colouring colouring, bool shiny, bool filmic, bool fades) {
  return static_cast<unsigned>(filter) | static_cast<unsigned>(colouring) << 2 | static_cast<unsigned>(shiny) << 4 |
         static_cast<unsigned>(filmic) << 5 | static_cast<unsigned>(fades) << 6;
}

std::string head_of(unsigned key) {
  std::string head = "#version 330 core\n";
  const auto filter = static_cast<ShadowFilter>(key & 3);
  if (filter != ShadowFilter::none) head += "#define SHADOW\n";
  if (filter == ShadowFilter::soft) head += "#define SOFT\n#define SEARCH 14\n#define TAPS 24\n";
  if (filter == ShadowFilter::finest) head += "#define SOFT\n#define SEARCH 32\n#define TAPS 64\n";
  const auto colouring = static_cast<Colouring>(key >> 2 & 3);
  if (colouring == Colouring::by_picture) head += "#define TEXTURE\n";
  if (colouring == Colouring::by_vertices) head += "#define LOOKS\n";
  if (key & 1u << 4) head += "#define SHINY\n";
  if (key & 1u << 5) head += "#define FILMIC\n";
  if (key & 1u << 6) head += "#define FADE\n";
  return head;
}

}  // namespace

LitProgram& LitPrograms::variant(unsigned key) {
  LitProgram& made = variants_[key];
  if (made.built || !made.refused.empty()) return made;
  const std::string head = head_of(key);
  made.refused = made.program.build((head + shaders::kMeshVertex).c_str(), (head + shaders::kMeshFragment).c_str());
  made.built = made.refused.empty();
  if (!made.built) return made;
  const Program& p = made.program;
  made.model = p.location("model");
  made.normal_matrix = p.location("normal_matrix");
  made.ambient = p.location("ambient");
  made.diffuse = p.location("diffuse");
  made.specular = p.location("specular");
  made.shininess = p.location("shininess");
  made.opacity = p.location("opacity");
  made.tint = p.location("tint");
  made.half_floor = p.location("half_floor");
  return made;
}

std::string LitPrograms::initialise() {
  for (const ShadowFilter filter : {ShadowFilter::none, ShadowFilter::narrow})
    for (const bool shiny : {false, true}) {
      const unsigned key = key_of(filter, Colouring::by_material, shiny, false, false);
      if (const LitProgram& plain = variant(key); !plain.built) return plain.refused;
    }
  return {};
}

void LitPrograms::destroy() {
  for (auto& [key, variant] : variants_) variant.program.destroy();
  variants_.clear();
}

void LitPrograms::begin(const RenderList& list, const ShadowMap& shadow, ShadowFilter filter, float softness,
                        float turn) {
  list_ = &list;
  shadow_ = &shadow;
  filter_ = filter;
  softness_ = softness;
  turn_ = turn;
  ++picture_;
}

const LitProgram& LitPrograms::use(bool shiny, Colouring colouring, bool fades) {
  LitProgram* wanted = &variant(key_of(filter_, colouring, shiny, list_->look.filmic, fades));
  if (!wanted->built) {
    const ShadowFilter plain = filter_ == ShadowFilter::none ? ShadowFilter::none : ShadowFilter::narrow;
    wanted = &variant(key_of(plain, Colouring::by_material, shiny, false, false));
  }
  wanted->program.use();
  if (wanted->lit != picture_) {
    set_lights(wanted->program, *list_);
    set_shadow(wanted->program);
    wanted->program.set("picture", 2);
    wanted->lit = picture_;
  }
  return *wanted;
}

void LitPrograms::set_lights(const Program& p, const RenderList& list) {
  p.use();
  p.set("view_projection", list.projection * list.view);
  p.set("eye", list.eye);
  const float exposure = list.look.exposure * (list.look.filmic ? kFilmExposure : 1);
  p.set("exposure", exposure);
  p.set("ambient_light", exposure * list.ambient);
  p.set("ground_light", exposure * list.ground);
  const int count = std::min(static_cast<int>(list.lights.size()), kMaxLights);
  glm::vec4 positions[kMaxLights];
  glm::vec3 colours[kMaxLights];
  for (int i = 0; i < count; ++i) {
    const DrawLight& light = list.lights[i];
    const glm::vec3 towards = light.position - light.target;
    positions[i] = light.directional
                       ? glm::vec4(glm::length(towards) > 0 ? glm::normalize(towards) : glm::vec3(0, 1, 0), 0)
                       : glm::vec4(light.position, 1);
    colours[i] = exposure * light.colour;
  }
  p.set("light_count", count);
  if (count == 0) return;
  glUniform4fv(p.location("light_position"), count, &positions[0].x);
  glUniform3fv(p.location("light_colour"), count, &colours[0].x);
}

void LitPrograms::set_shadow(const Program& p) const {
  const auto light =
      std::find_if(list_->lights.begin(), list_->lights.end(), [](const DrawLight& l) { return l.shadow; });
  const auto number = static_cast<int>(light - list_->lights.begin());
  const bool none = filter_ == ShadowFilter::none || light == list_->lights.end() || number >= kMaxLights;
  p.set("shadow_light", none ? -1 : number);
  p.set("shadow_matrix", shadow_->matrix());
  p.set("shadow_spread", shadow_->spread());
  p.set("shadow_offset", 4 * shadow_->texel_size());
  p.set("shadow_map", 0);
  p.set("shadow_probe", 1);
  if (filter_ != ShadowFilter::soft && filter_ != ShadowFilter::finest) return;
  p.set("shadow_depths", 3);
  p.set("shadow_dual", glm::transpose(glm::inverse(shadow_->matrix())));
  p.set("shadow_range", shadow_->range());
  p.set("shadow_size", std::tan(0.5f * softness_) * shadow_->penumbra());
  p.set("shadow_turn", turn_);
}

}  // namespace hazumi::gl
