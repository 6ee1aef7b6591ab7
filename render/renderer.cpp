// One picture, in this order: shadow map · picture behind · opaque meshes · floors that fade · occlusion · grid · wireframes · lines and points in
// depth · transparent meshes back to front (far sides, then near sides) · particles · selection outline · lines and points on top.
#include "render/renderer.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <epoxy/gl.h>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include "render/convert.h"
#include "render/gl/lit.h"
#include "render/gl/mesh_store.h"
#include "render/gl/occlusion.h"
#include "render/gl/overlay.h"
#include "render/gl/program.h"
#include "render/gl/shaders.h"
#include "render/gl/shadow_map.h"
#include "render/gl/sprites.h"
#include "render/gl/texture_store.h"

namespace hazumi {

namespace {

constexpr float kFinalSoftness = 0.035f;  // rad: final pictures have no harder shadow; four times the sun's

// What a colour dialog shows → linear light (gamma 2, see gl/shaders_mesh.cpp).
glm::vec3 decoded(glm::vec3 c) { return c * glm::max(c, glm::vec3(0)); }

bool is_shiny(const DrawMaterial& material) {
  const glm::vec3 specular = decoded(material.specular);
  return specular.r + specular.g + specular.b > 0.02f;
}

bool is_opaque(const DrawMaterial& material) { return material.opacity >= 1; }
bool is_glass(const DrawMaterial& material) { return material.opacity < 1 && material.opacity > 0; }

template <class Wanted>
bool any_part(const DrawMesh& mesh, const Wanted& wanted) {
  if (mesh.parts.empty()) return wanted(mesh.material);
  return std::any_of(mesh.parts.begin(), mesh.parts.end(), [&](const DrawPart& part) { return wanted(part.material); });
}

// False when the box lies wholly beyond one of the six planes of the view.
bool in_view(const RenderList& list, const Box3& box) {
  if (!box.valid()) return true;
  const glm::mat4 to_clip = list.projection * list.view;
  int beyond[6] = {};
  for (int i = 0; i < 8; ++i) {
    const Vec3 p(i & 1 ? box.high.x() : box.low.x(), i & 2 ? box.high.y() : box.low.y(),
                 i & 4 ? box.high.z() : box.low.z());
    const glm::vec4 c = to_clip * glm::vec4(to_glm(p), 1.0f);
    for (int k = 0; k < 3; ++k) {
      beyond[2 * k] += c[k] < -c.w;
      beyond[2 * k + 1] += c[k] > c.w;
    }
  }
  return std::none_of(std::begin(beyond), std::end(beyond), [](int corners) { return corners == 8; });
}

// Far sides of a closed mesh cannot be seen unless the eye is in it, or so close that the near plane cuts it open.
bool can_cull(const RenderList& list, const DrawMesh& mesh, const gl::Drawable& drawable) {
  if (!drawable.solid || !mesh.bounds.valid()) return false;
  if (!mesh.deformed && glm::determinant(glm::mat3(mesh.model)) < 0) return false;
  const bool orthographic = list.projection[3][3] != 0;
  if (orthographic) return true;
  // Near plane of a perspective matrix: n = m32 / (m22 − 1).
  const double margin = 2 * std::abs(list.projection[3][2] / (list.projection[2][2] - 1));
  const Vec3 eye = to_eigen(list.eye);
  return ((eye - mesh.bounds.low).array() < -margin).any() || ((eye - mesh.bounds.high).array() > margin).any();
}

// Pixels of the rectangle around the box; all of the picture when the box reaches behind the eye or is not known.
float pixels_of(const RenderList& list, const Box3& box, const RenderTarget& target) {
  const auto whole = static_cast<float>(target.width) * static_cast<float>(target.height);
  if (!box.valid()) return whole;
  const glm::mat4 to_clip = list.projection * list.view;
  glm::vec2 low(1e9f), high(-1e9f);
  for (int i = 0; i < 8; ++i) {
    const Vec3 p(i & 1 ? box.high.x() : box.low.x(), i & 2 ? box.high.y() : box.low.y(),
                 i & 4 ? box.high.z() : box.low.z());
    const glm::vec4 c = to_clip * glm::vec4(to_glm(p), 1.0f);
    if (c.w <= 1e-12f) return whole;
    low = glm::min(low, glm::vec2(c) / c.w);
    high = glm::max(high, glm::vec2(c) / c.w);
  }
  return std::max(0.25f * (high.x - low.x) * (high.y - low.y) * whole, 1.0f);
}

// Lines that lie close together must not close up into one patch. N edges on the near and the far side of something
// that covers A pixels are about 2 √(A/N) long; so lines of a pixel's width lie c = 2 √(N/A) deep over each pixel, and
// each is as opaque as leaves half of the picture free: 1 − (1/2)^(1/c).
float wire_opacity(const RenderList& list, const DrawMesh& mesh, const RenderTarget& target) {
  const float edges = 1.5f * static_cast<float>(mesh.mesh->faces.size());
  const float deep = 2 * std::sqrt(edges / pixels_of(list, mesh.bounds, target));
  return 1 - std::exp2(-1 / std::max(deep, 1e-3f));
}

struct Entry {
  float depth;        // along the view, m
  std::size_t index;  // in list.meshes
};

// Solid meshes for which `wanted` holds; equal depths keep the order of ids.
template <class Wanted>
std::vector<Entry> by_depth(const RenderList& list, const Wanted& wanted, bool near_first) {
  std::vector<Entry> order;
  for (std::size_t i = 0; i < list.meshes.size(); ++i) {
    const DrawMesh& mesh = list.meshes[i];
    if (mesh.wireframe || !wanted(mesh) || !in_view(list, mesh.bounds)) continue;
    const glm::vec3 centre = mesh.bounds.valid() ? to_glm(mesh.bounds.centre()) : glm::vec3(mesh.model[3]);
    order.push_back({-(list.view * glm::vec4(centre, 1)).z, i});
  }
  std::stable_sort(order.begin(), order.end(), [near_first](const Entry& a, const Entry& b) {
    return near_first ? a.depth < b.depth : a.depth > b.depth;
  });
  return order;
}

}  // namespace

struct Renderer::Data {
  bool ready = false;
  gl::LitPrograms lit;
  gl::Program edges;
  gl::Occlusion occlusion;
  gl::TextureStore textures;
  gl::MeshStore meshes;
  gl::ShadowMap shadow;
  gl::Overlay overlay;
  gl::Sprites sprites;
  std::vector<gl::Drawable> drawables;  // beside list.meshes

  void reset_state();
  void clear(const RenderList& list, const RenderTarget& target);
  /// The parts of the mesh whose material is wanted.
  template <class Wanted>
  void draw_lit(const RenderList& list, std::size_t index, const Wanted& wanted);
  void draw_opaque(const RenderList& list);
  void draw_floors(const RenderList& list);
  void draw_wireframes(const RenderList& list, const RenderTarget& target);
  void draw_transparent(const RenderList& list);
};

Renderer::Renderer() : data_(std::make_unique<Data>()) {}

Renderer::~Renderer() {
  // Without a context its objects are gone already.
  if (!data_->ready) return;
  data_->lit.destroy();
  data_->occlusion.destroy();
  data_->edges.destroy();
  data_->textures.destroy();
  data_->meshes.destroy();
  data_->shadow.destroy();
  data_->overlay.destroy();
  data_->sprites.destroy();
}

std::string Renderer::initialise() {
  const int version = epoxy_gl_version();
  if (!epoxy_is_desktop_gl() || version < 33) {
    const char* kind = epoxy_is_desktop_gl() ? "" : "OpenGL ES ";
    return "OpenGL 3.3 is needed, this display has " + (kind + std::to_string(version / 10)) + "." +
           std::to_string(version % 10) + ". Update the graphics driver, or start with LIBGL_ALWAYS_SOFTWARE=1.";
  }
  Data& d = *data_;
  for (const std::string& problem :
       {d.lit.initialise(), d.edges.build(gl::shaders::kEdgeVertex, gl::shaders::kFlatFragment), d.shadow.initialise(),
        d.overlay.initialise(), d.sprites.initialise()})
    if (!problem.empty()) return problem;
  // What the driver's compiler holds, some megabytes in Mesa, is not needed again soon.
  if (version >= 41 || epoxy_has_gl_extension("GL_ARB_ES2_compatibility")) glReleaseShaderCompiler();
  d.ready = true;
  return {};
}

void Renderer::set_texture_source(TextureSource source) { data_->textures.set_source(std::move(source)); }

// Whoever used the context before (QPainter, a widget) may have left anything behind.
void Renderer::Data::reset_state() {
  for (const GLenum capability :
       {GL_BLEND, GL_CULL_FACE, GL_SCISSOR_TEST, GL_STENCIL_TEST, GL_POLYGON_OFFSET_FILL, GL_POLYGON_OFFSET_LINE,
        GL_FRAMEBUFFER_SRGB, GL_DEPTH_CLAMP, GL_COLOR_LOGIC_OP, GL_PRIMITIVE_RESTART, GL_RASTERIZER_DISCARD,
        GL_SAMPLE_ALPHA_TO_COVERAGE, GL_SAMPLE_COVERAGE})
    glDisable(capability);
  glEnable(GL_MULTISAMPLE);
  glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  glDepthMask(GL_TRUE);
  glDepthFunc(GL_LEQUAL);
  glDepthRange(0, 1);
  glFrontFace(GL_CCW);
  glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
  for (const GLuint unit : {3u, 2u, 1u, 0u}) {
    glActiveTexture(GL_TEXTURE0 + unit);
    glBindSampler(unit, 0);
  }
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
}

void Renderer::Data::clear(const RenderList& list, const RenderTarget& target) {
  glBindFramebuffer(GL_FRAMEBUFFER, target.framebuffer);
  glViewport(0, 0, target.width, target.height);
  if (target.transparent)
    glClearColor(0, 0, 0, 0);
  else
    glClearColor(list.background.r, list.background.g, list.background.b, 1);
  glClearDepth(1);
  glDepthMask(GL_TRUE);
  glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
}

template <class Wanted>
void Renderer::Data::draw_lit(const RenderList& list, std::size_t index, const Wanted& wanted) {
  const DrawMesh& mesh = list.meshes[index];
  const gl::Drawable& drawable = drawables[index];
  const glm::mat4 model = mesh.deformed ? glm::mat4(1) : mesh.model;
  const glm::mat3 normal_matrix = mesh.deformed ? glm::mat3(1) : glm::transpose(glm::inverse(glm::mat3(model)));
  glBindVertexArray(drawable.vertex_array);
  const auto draw = [&](const DrawMaterial& material, const std::shared_ptr<const TextureFile>& texture,
                        auto&& elements) {
    if (!wanted(material)) return;
    const GLuint picture = texture && drawable.pictured ? textures.texture(texture) : 0;
    const gl::Colouring colouring = drawable.looks ? gl::Colouring::by_vertices
                                    : picture      ? gl::Colouring::by_picture
                                                   : gl::Colouring::by_material;
    const bool fades = mesh.fade.x > 0;
    const gl::LitProgram& p = lit.use(colouring == gl::Colouring::by_vertices || is_shiny(material), colouring, fades);
    gl::Program::set(p.model, model);
    gl::Program::set(p.normal_matrix, normal_matrix);
    gl::Program::set(p.ambient, decoded(material.ambient));
    gl::Program::set(p.diffuse, decoded(material.diffuse));
    gl::Program::set(p.specular, decoded(material.specular));
    gl::Program::set(p.shininess, std::max(material.shininess, 0.5f));
    gl::Program::set(p.opacity, material.opacity);
    if (colouring == gl::Colouring::by_vertices) gl::Program::set(p.tint, mesh.tint);
    if (fades) gl::Program::set(p.half_floor, mesh.fade);
    if (colouring == gl::Colouring::by_picture) {
      glActiveTexture(GL_TEXTURE2);
      glBindTexture(GL_TEXTURE_2D, picture);
      glActiveTexture(GL_TEXTURE0);
    }
    elements();
  };
  if (mesh.parts.empty()) draw(mesh.material, nullptr, [&] { drawable.draw(); });
  for (const DrawPart& part : mesh.parts)
    draw(part.material, part.texture, [&] { drawable.draw(part.first_face, part.face_count); });
}

void Renderer::Data::draw_opaque(const RenderList& list) {
  glEnable(GL_DEPTH_TEST);
  glDepthMask(GL_TRUE);
  glCullFace(GL_BACK);
  shadow.bind(true);
  // Near ones first: what they hide is not shaded.
  for (const Entry& entry : by_depth(
           list, [](const DrawMesh& m) { return m.fade.x <= 0 && any_part(m, is_opaque); }, true)) {
    const DrawMesh& mesh = list.meshes[entry.index];
    // Through a clear part the far sides of the others are seen.
    const bool whole = !any_part(mesh, [](const DrawMaterial& m) { return !is_opaque(m); });
    if (whole && can_cull(list, mesh, drawables[entry.index]))
      glEnable(GL_CULL_FACE);
    else
      glDisable(GL_CULL_FACE);
    draw_lit(list, entry.index, is_opaque);
  }
  glDisable(GL_CULL_FACE);
  draw_floors(list);
  shadow.bind(false);
}

// After all that stands on them: through a floor's faded rim the background is seen, and what is before it.
void Renderer::Data::draw_floors(const RenderList& list) {
  const std::vector<Entry> order = by_depth(
      list, [](const DrawMesh& m) { return m.fade.x > 0 && any_part(m, is_opaque); }, false);
  if (order.empty()) return;
  glEnable(GL_BLEND);
  glBlendEquation(GL_FUNC_ADD);
  glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  for (const Entry& entry : order) draw_lit(list, entry.index, is_opaque);
  glDisable(GL_BLEND);
}

void Renderer::Data::draw_wireframes(const RenderList& list, const RenderTarget& target) {
  if (std::none_of(list.meshes.begin(), list.meshes.end(), [](const DrawMesh& m) { return m.wireframe; })) return;
  glEnable(GL_DEPTH_TEST);
  glDepthMask(GL_FALSE);  // wires hide no wires: how strong they are does not depend on their order
  glEnable(GL_BLEND);
  glBlendEquation(GL_FUNC_ADD);
  glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  glLineWidth(1);
  edges.use();
  edges.set("view_projection", list.projection * list.view);
  edges.set("eye", list.eye);
  const int model = edges.location("model"), colour = edges.location("flat_colour");
  for (std::size_t i = 0; i < list.meshes.size(); ++i) {
    const DrawMesh& mesh = list.meshes[i];
    if (!mesh.wireframe) continue;
    // Over the same mesh drawn solid lines are dark, alone they carry its colour.
    const bool over_solid = i > 0 && list.meshes[i - 1].id == mesh.id && !list.meshes[i - 1].wireframe;
    glm::vec4 c = over_solid ? glm::vec4(0.05f, 0.06f, 0.08f, 0.55f)
                             : glm::vec4(glm::mix(mesh.material.diffuse, glm::vec3(0.78f), 0.55f), 0.85f);
    if (mesh.active)
      c = {1.0f, 0.66f, 0.25f, 0.9f};
    else if (mesh.selected)
      c = {0.85f, 0.48f, 0.14f, 0.9f};
    c.a = std::min(c.a, wire_opacity(list, mesh, target));
    gl::Program::set(model, mesh.deformed ? glm::mat4(1) : mesh.model);
    gl::Program::set(colour, c);
    meshes.draw_edges(mesh, drawables[i]);
  }
  glDisable(GL_BLEND);
}

void Renderer::Data::draw_transparent(const RenderList& list) {
  const std::vector<Entry> order = by_depth(
      list, [](const DrawMesh& m) { return any_part(m, is_glass); }, false);
  if (order.empty()) return;
  glEnable(GL_DEPTH_TEST);
  glDepthMask(GL_FALSE);
  glEnable(GL_BLEND);
  glBlendEquation(GL_FUNC_ADD);
  glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  glEnable(GL_CULL_FACE);
  shadow.bind(true);
  for (const Entry& entry : order)
    for (const GLenum hidden : {GL_FRONT, GL_BACK}) {
      glCullFace(hidden);
      draw_lit(list, entry.index, is_glass);
    }
  glDisable(GL_CULL_FACE);
  glDisable(GL_BLEND);
  shadow.bind(false);
}

void Renderer::draw(const RenderList& list, const RenderTarget& target) {
  Data& d = *data_;
  if (!d.ready || target.width <= 0 || target.height <= 0) return;
  d.reset_state();
  d.meshes.begin();
  d.textures.begin();
  d.drawables.clear();
  for (const DrawMesh& mesh : list.meshes)
    d.drawables.push_back(
        d.meshes.prepare(mesh, target.quick ? std::optional(pixels_of(list, mesh.bounds, target)) : std::nullopt));
  const float softness = target.final_quality ? std::max(list.look.softness, kFinalSoftness) : list.look.softness;
  const bool finest = target.final_quality && softness > 0;
  const bool shadowed =
      d.shadow.update(list, d.drawables, finest ? gl::ShadowMap::kFinalSize : gl::ShadowMap::kPreviewSize);
  d.lit.begin(list, d.shadow,
              !shadowed      ? gl::ShadowFilter::none
              : finest       ? gl::ShadowFilter::finest
              : softness > 0 ? gl::ShadowFilter::soft
                             : gl::ShadowFilter::narrow,
              softness, target.turn());
  d.clear(list, target);
  if (list.backdrop.picture && list.backdrop.opacity > 0)
    if (const GLuint texture = d.textures.texture(list.backdrop.picture))
      d.overlay.draw_backdrop(list.backdrop, texture, target);
  d.draw_opaque(list);
  d.occlusion.draw(list, target);
  d.overlay.keep_depth(list, target);
  if (list.grid) d.overlay.draw_grid(list, target);
  d.draw_wireframes(list, target);
  d.overlay.draw_lines(list, target, false);
  d.overlay.draw_points(list, target, false);
  d.draw_transparent(list);
  if (!list.sprites.empty()) {
    gl::LitPrograms::set_lights(d.sprites.program(list.look.filmic), list);
    d.sprites.draw(list);
  }
  d.overlay.draw_outline(list, d.drawables, target);
  d.overlay.draw_lines(list, target, true);
  d.overlay.draw_points(list, target, true);
  d.meshes.end();
  d.textures.end();

  // Leaves the plainest state behind.
  glBindVertexArray(0);
  glBindBuffer(GL_ARRAY_BUFFER, 0);
  glUseProgram(0);
  glDisable(GL_BLEND);
  glDisable(GL_DEPTH_TEST);
  glDepthMask(GL_TRUE);
  glBindFramebuffer(GL_FRAMEBUFFER, target.framebuffer);
}

}  // namespace hazumi
