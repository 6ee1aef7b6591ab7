#include "render/gl/shadow_map.h"

#include <algorithm>
#include <cmath>

#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/matrix.hpp>

#include "render/convert.h"
#include "render/gl/sampling.h"
#include "render/gl/shaders.h"

namespace hazumi::gl {

namespace {

constexpr float kDense = 0.3f;  // opacity above which a part of a mesh casts a shadow

struct LightView {
  glm::mat4 matrix{1};   // world → clip
  float texel_size = 0;  // m, at the middle of what is covered
  glm::vec4 range{0};    // see ShadowMap::range()
  float penumbra = 0;    // of a light whose tangent of half the angle is 1
};

// Directional: an orthographic box around the sphere about what casts shadows. Its radius takes steps of a quarter of
// an octave and its middle steps of a texel, so that shadow edges do not crawl while things move.
LightView directional(const DrawLight& light, glm::vec3 centre, float radius, float size) {
  glm::vec3 along = light.target - light.position;
  along = glm::length(along) > 1e-9f ? glm::normalize(along) : glm::vec3(0, -1, 0);
  const glm::vec3 hint = std::abs(along.y) > 0.99f ? glm::vec3(0, 0, 1) : glm::vec3(0, 1, 0);
  const glm::vec3 right = glm::normalize(glm::cross(along, hint)), up = glm::cross(right, along);
  radius = std::exp2(std::ceil(4 * std::log2(radius)) / 4);
  const float texel = 2 * radius / size;
  const auto snapped = [&](glm::vec3 axis) { return std::round(glm::dot(centre, axis) / texel) * texel; };
  const glm::vec3 middle = snapped(right) * right + snapped(up) * up + glm::dot(centre, along) * along;
  const glm::mat4 view = glm::lookAt(middle - 2 * radius * along, middle, up);
  return {glm::ortho(-radius, radius, -radius, radius, 0.0f, 4 * radius) * view,
          texel,
          {0, 4 * radius, 0, radius},
          1 / (2 * radius)};
}

// Point light: a cone that covers the sphere; from inside it, a wide cone towards the light's target.
LightView point(const DrawLight& light, glm::vec3 centre, float radius, float size) {
  const float distance = glm::length(centre - light.position);
  const bool outside = distance > 1.1f * radius;
  glm::vec3 to = outside ? centre : light.target;
  if (glm::length(to - light.position) < 1e-6f) to = light.position - glm::vec3(0, 1, 0);
  const float half_angle = outside ? std::asin(radius / distance) : 1.2f;
  const glm::vec3 along = glm::normalize(to - light.position);
  const glm::vec3 hint = std::abs(along.y) > 0.99f ? glm::vec3(0, 0, 1) : glm::vec3(0, 1, 0);
  const float reach = outside ? distance : radius;
  const float half = std::min(half_angle * 1.05f, 1.25f), far_plane = distance + 4 * radius;
  const float near_plane = std::max(0.02f * reach, outside ? 0.5f * (distance - radius) : 0.0f);
  const glm::mat4 projection = glm::perspective(2 * half, 1.0f, near_plane, far_plane);
  return {projection * glm::lookAt(light.position, to, hint),
          2 * reach * std::tan(half_angle) / size,
          {near_plane, far_plane, 1, near_plane},
          reach / (2 * std::tan(half))};
}

}  // namespace

std::string ShadowMap::initialise() {
  const std::string problem = program_.build(shaders::kDepthVertex, shaders::kDepthFragment);
  if (!problem.empty()) return problem;
  glGenTextures(1, &texture_);
  glBindTexture(GL_TEXTURE_2D, texture_);
  take_memory(kPreviewSize);
  set_texture(GL_LINEAR, TextureReading::comparison);
  glBindTexture(GL_TEXTURE_2D, 0);
  glGenSamplers(1, &probe_);
  set_sampler(probe_, GL_NEAREST, TextureReading::comparison);
  glGenSamplers(1, &depths_);
  set_sampler(depths_, GL_NEAREST, TextureReading::values);
  GLint before = 0;
  glGetIntegerv(GL_FRAMEBUFFER_BINDING, &before);
  glGenFramebuffers(1, &framebuffer_);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, texture_, 0);
  glDrawBuffer(GL_NONE);
  glReadBuffer(GL_NONE);
  const bool complete = glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
  glBindFramebuffer(GL_FRAMEBUFFER, static_cast<GLuint>(before));
  return complete ? "" : "The graphics driver refuses a depth texture of 1024 × 1024 for shadows.";
}

void ShadowMap::take_memory(int size) {
  size_ = size;
  glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT24, size, size, 0, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, nullptr);
}

void ShadowMap::destroy() {
  program_.destroy();
  if (framebuffer_) glDeleteFramebuffers(1, &framebuffer_);
  if (texture_) glDeleteTextures(1, &texture_);
  if (probe_) glDeleteSamplers(1, &probe_);
  if (depths_) glDeleteSamplers(1, &depths_);
  framebuffer_ = texture_ = probe_ = depths_ = 0;
  drawn_ = glm::mat4(0);
  casters_.clear();
}

void ShadowMap::bind(bool on) const {
  for (const GLuint unit : {3u, 1u, 0u}) {
    glActiveTexture(GL_TEXTURE0 + unit);
    glBindTexture(GL_TEXTURE_2D, on ? texture_ : 0);
    glBindSampler(unit, !on ? 0 : unit == 1 ? probe_ : unit == 3 ? depths_ : 0);
  }
}

float ShadowMap::spread() const { return 1.5f / static_cast<float>(size_); }

bool ShadowMap::update(const RenderList& list, const std::vector<Drawable>& drawables, int size) {
  const auto none = [&] {
    casters_.clear();  // they hold on to their frame
    return false;
  };
  const auto light = std::find_if(list.lights.begin(), list.lights.end(), [](const DrawLight& l) { return l.shadow; });
  if (light == list.lights.end() || !list.shadow_bounds.valid()) return none();
  const glm::vec3 centre = to_glm(list.shadow_bounds.centre());
  const float radius = std::max(0.5f * glm::length(to_glm(list.shadow_bounds.size())), 1e-6f);
  if (!std::isfinite(radius) || !std::isfinite(glm::length(centre))) return none();
  const LightView view = light->directional ? directional(*light, centre, radius, static_cast<float>(size))
                                            : point(*light, centre, radius, static_cast<float>(size));

  std::vector<Caster> casters;
  for (std::size_t i = 0; i < list.meshes.size(); ++i) {
    const DrawMesh& m = list.meshes[i];
    if (!m.casts_shadow) continue;
    casters.push_back(
        {m.mesh, m.frame, m.deformed, m.deformed ? glm::mat4(1) : m.model, drawables[i].coarse != nullptr, {}});
    const auto dense = [](const DrawPart& part) { return part.material.opacity > kDense; };
    if (std::all_of(m.parts.begin(), m.parts.end(), dense)) continue;
    for (const DrawPart& part : m.parts)
      if (dense(part)) casters.back().faces.push_back({part.first_face, part.face_count});
  }
  if (casters.empty()) return none();
  const glm::mat4 to_unit = glm::translate(glm::mat4(1), glm::vec3(0.5f)) * glm::scale(glm::mat4(1), glm::vec3(0.5f));
  matrix_ = to_unit * view.matrix;
  texel_size_ = view.texel_size;
  range_ = view.range;
  penumbra_ = view.penumbra;
  if (drawn_ == view.matrix && casters == casters_ && size == size_) return true;
  if (size != size_) {
    glBindTexture(GL_TEXTURE_2D, texture_);
    take_memory(size);
    glBindTexture(GL_TEXTURE_2D, 0);
  }

  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
  glViewport(0, 0, size_, size_);
  glEnable(GL_DEPTH_TEST);
  glDepthFunc(GL_LEQUAL);
  glDepthMask(GL_TRUE);
  glDisable(GL_CULL_FACE);
  glEnable(GL_DEPTH_CLAMP);  // large fixed things may begin before the box
  glEnable(GL_POLYGON_OFFSET_FILL);
  glPolygonOffset(1.5f, 2.0f);
  glClearDepth(1.0);
  glClear(GL_DEPTH_BUFFER_BIT);
  program_.use();
  program_.set("view_projection", view.matrix);
  const int model = program_.location("model");
  glCullFace(GL_BACK);
  auto caster = casters.cbegin();
  for (std::size_t i = 0; i < list.meshes.size(); ++i) {
    const DrawMesh& mesh = list.meshes[i];
    if (!mesh.casts_shadow) continue;
    const Caster& casting = *caster++;
    const bool mirrored = !mesh.deformed && glm::determinant(glm::mat3(mesh.model)) < 0;
    if (drawables[i].solid && !mirrored && casting.faces.empty())
      glEnable(GL_CULL_FACE);
    else
      glDisable(GL_CULL_FACE);
    Program::set(model, mesh.deformed ? glm::mat4(1) : mesh.model);
    glBindVertexArray(drawables[i].vertex_array);
    if (casting.faces.empty()) drawables[i].draw();
    for (const auto& [first, count] : casting.faces) drawables[i].draw(first, count);
  }
  glBindVertexArray(0);
  glDisable(GL_CULL_FACE);
  glDisable(GL_POLYGON_OFFSET_FILL);
  glDisable(GL_DEPTH_CLAMP);
  drawn_ = view.matrix;
  casters_ = std::move(casters);
  return true;
}

}  // namespace hazumi::gl
