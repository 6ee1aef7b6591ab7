#include "render/gl/overlay.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include "render/convert.h"
#include "render/gl/sampling.h"
#include "render/gl/shaders.h"

namespace hazumi::gl {

namespace {

constexpr glm::vec4 kSelectedOutline{0.80f, 0.42f, 0.10f, 1.0f};
constexpr glm::vec4 kActiveOutline{1.0f, 0.63f, 0.20f, 1.0f};

void attribute(GLuint index, int components, std::size_t stride, std::size_t offset) {
  glEnableVertexAttribArray(index);
  glVertexAttribPointer(index, components, GL_FLOAT, GL_FALSE, static_cast<GLsizei>(stride),
                        reinterpret_cast<const void*>(offset));
  glVertexAttribDivisor(index, 1);
}

void blend(bool on) {
  if (!on) return glDisable(GL_BLEND);
  glEnable(GL_BLEND);
  glBlendEquation(GL_FUNC_ADD);
  glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
}

void depth(bool test) {
  if (test)
    glEnable(GL_DEPTH_TEST);
  else
    glDisable(GL_DEPTH_TEST);
  glDepthMask(GL_FALSE);
}

glm::vec2 size_of(const RenderTarget& target) {
  return {static_cast<float>(target.width), static_cast<float>(target.height)};
}

/// Of what is drawn with so and so many pixels' width.
void begin(const Program& program, const RenderList& list, const RenderTarget& target, bool on_top) {
  blend(true);
  depth(!on_top);
  program.use();
  program.set("view_projection", list.projection * list.view);
  program.set("eye", list.eye);
  program.set("viewport", size_of(target));
}

struct Rectangle {
  int x, y, width, height;  // pixels, origin bottom left
};

// Pixels that the selected meshes can touch, a margin around; everything when a box is not known or reaches behind
// the eye.
Rectangle selected_rectangle(const RenderList& list, const RenderTarget& target, float margin) {
  const glm::mat4 to_clip = list.projection * list.view;
  glm::vec2 low(1e9f), high(-1e9f);
  for (const DrawMesh& mesh : list.meshes) {
    if (!mesh.selected) continue;
    if (!mesh.bounds.valid()) return {0, 0, target.width, target.height};
    for (int i = 0; i < 8; ++i) {
      const Vec3 p(i & 1 ? mesh.bounds.high.x() : mesh.bounds.low.x(),
                   i & 2 ? mesh.bounds.high.y() : mesh.bounds.low.y(),
                   i & 4 ? mesh.bounds.high.z() : mesh.bounds.low.z());
      const glm::vec4 clip = to_clip * glm::vec4(to_glm(p), 1.0f);
      if (clip.w <= 1e-4f) return {0, 0, target.width, target.height};
      const glm::vec2 at = (glm::vec2(clip) / clip.w * 0.5f + 0.5f) * size_of(target);
      low = glm::min(low, at);
      high = glm::max(high, at);
    }
  }
  low = glm::clamp(low - margin, glm::vec2(0), size_of(target));
  high = glm::clamp(high + margin, glm::vec2(0), size_of(target));
  const int x = static_cast<int>(low.x), y = static_cast<int>(low.y);
  return {x, y, std::max(0, static_cast<int>(std::ceil(high.x)) - x),
          std::max(0, static_cast<int>(std::ceil(high.y)) - y)};
}

}  // namespace

std::string Overlay::initialise() {
  using namespace shaders;
  for (const std::string& problem :
       {grid_.build(kGridVertex, kGridFragment), lines_.build(kLineVertex, kLineFragment),
        points_.build(kPointVertex, kPointFragment), mask_.build(kDepthVertex, kFlatFragment),
        outline_.build(kScreenVertex, kOutlineFragment)})
    if (!problem.empty()) return problem;
  glGenVertexArrays(1, &empty_array_);
  glGenVertexArrays(1, &line_array_);
  glGenVertexArrays(1, &point_array_);
  glGenBuffers(1, &line_buffer_);
  glGenBuffers(1, &point_buffer_);
  glBindVertexArray(line_array_);
  glBindBuffer(GL_ARRAY_BUFFER, line_buffer_);
  attribute(0, 3, 2 * sizeof(LineVertex), offsetof(LineVertex, position));
  attribute(1, 4, 2 * sizeof(LineVertex), offsetof(LineVertex, colour));
  attribute(2, 3, 2 * sizeof(LineVertex), sizeof(LineVertex) + offsetof(LineVertex, position));
  attribute(3, 4, 2 * sizeof(LineVertex), sizeof(LineVertex) + offsetof(LineVertex, colour));
  glBindVertexArray(point_array_);
  glBindBuffer(GL_ARRAY_BUFFER, point_buffer_);
  attribute(0, 3, sizeof(PointVertex), offsetof(PointVertex, position));
  attribute(1, 4, sizeof(PointVertex), offsetof(PointVertex, colour));
  attribute(2, 1, sizeof(PointVertex), offsetof(PointVertex, size));
  glBindVertexArray(0);
  return {};
}

void Overlay::destroy() {
  for (Program* program : {&grid_, &lines_, &points_, &mask_, &outline_}) program->destroy();
  const GLuint arrays[] = {empty_array_, line_array_, point_array_}, buffers[] = {line_buffer_, point_buffer_};
  glDeleteVertexArrays(3, arrays);
  glDeleteBuffers(2, buffers);
  if (mask_framebuffer_) glDeleteFramebuffers(1, &mask_framebuffer_);
  if (mask_texture_) glDeleteTextures(1, &mask_texture_);
  empty_array_ = line_array_ = point_array_ = line_buffer_ = point_buffer_ = mask_framebuffer_ = mask_texture_ = 0;
  mask_width_ = mask_height_ = 0;
}

void Overlay::draw_grid(const RenderList& list, const RenderTarget& target) {
  // Where the middle of the picture meets the floor, or what is below the eye when it looks away from the floor.
  const glm::vec3 along = -glm::vec3(list.view[0][2], list.view[1][2], list.view[2][2]);
  const float height = std::max(std::abs(list.eye.y), 0.25f);
  const float meets = along.y * list.eye.y < 0 ? -list.eye.y / along.y : 1e9f;
  const float distance = std::min(meets, 12 * height);
  const glm::vec3 centre = list.eye + distance * along;
  blend(true);
  depth(true);
  glEnable(GL_POLYGON_OFFSET_FILL);
  glPolygonOffset(-1, -4);  // wins over a floor that lies in the same plane
  grid_.use();
  grid_.set("view_projection", list.projection * list.view);
  grid_.set("centre", glm::vec2(centre.x, centre.z));
  grid_.set("radius", 7 * std::max(distance, height));
  grid_.set("pixel_ratio", target.pixel_ratio);
  glBindVertexArray(empty_array_);
  glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
  glBindVertexArray(0);
  glDisable(GL_POLYGON_OFFSET_FILL);
}

void Overlay::draw_lines(const RenderList& list, const RenderTarget& target, bool on_top) {
  begin(lines_, list, target, on_top);
  glBindVertexArray(line_array_);
  glBindBuffer(GL_ARRAY_BUFFER, line_buffer_);
  for (const DrawLines& lines : list.lines) {
    const std::size_t count = lines.vertices.size() / 2;
    if (lines.on_top != on_top || count == 0) continue;
    glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(2 * count * sizeof(LineVertex)), lines.vertices.data(),
                 GL_STREAM_DRAW);
    lines_.set("half_width", 0.5f * lines.width * target.pixel_ratio);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(count));
  }
  glBindVertexArray(0);
}

void Overlay::draw_points(const RenderList& list, const RenderTarget& target, bool on_top) {
  const std::vector<PointVertex>& points = on_top ? list.points_on_top : list.points;
  if (points.empty()) return;
  begin(points_, list, target, on_top);
  points_.set("pixel_ratio", target.pixel_ratio);
  glBindVertexArray(point_array_);
  glBindBuffer(GL_ARRAY_BUFFER, point_buffer_);
  glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(points.size() * sizeof(PointVertex)), points.data(),
               GL_STREAM_DRAW);
  glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(points.size()));
  glBindVertexArray(0);
}

bool Overlay::prepare_mask(int width, int height) {
  if (!mask_texture_) {
    glGenTextures(1, &mask_texture_);
    glGenFramebuffers(1, &mask_framebuffer_);
  }
  glBindFramebuffer(GL_FRAMEBUFFER, mask_framebuffer_);
  if (mask_width_ == width && mask_height_ == height) return true;
  glBindTexture(GL_TEXTURE_2D, mask_texture_);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RG8, width, height, 0, GL_RG, GL_UNSIGNED_BYTE, nullptr);
  set_texture(GL_LINEAR, TextureReading::values);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, mask_texture_, 0);
  mask_width_ = width;
  mask_height_ = height;
  return glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

void Overlay::draw_outline(const RenderList& list, const std::vector<Drawable>& drawables, const RenderTarget& target) {
  if (std::none_of(list.meshes.begin(), list.meshes.end(), [](const DrawMesh& m) { return m.selected; })) return;
  const float reach = 2.8f * target.pixel_ratio;
  const Rectangle area = selected_rectangle(list, target, reach + 2);
  if (area.width == 0 || area.height == 0) return;
  const bool complete = prepare_mask(target.width, target.height);
  if (complete) {
    glViewport(0, 0, target.width, target.height);
    glEnable(GL_SCISSOR_TEST);
    // The outline looks `reach` pixels around itself: what an earlier picture left just outside the area is cleared too.
    const int border = static_cast<int>(std::ceil(reach)) + 1;
    glScissor(area.x - border, area.y - border, area.width + 2 * border, area.height + 2 * border);
    blend(false);
    depth(false);
    glClearColor(0, 0, 0, 0);
    glClear(GL_COLOR_BUFFER_BIT);
    mask_.use();
    mask_.set("view_projection", list.projection * list.view);
    const int model = mask_.location("model"), colour = mask_.location("flat_colour");
    // The active object last: its green stays where selected ones lie in front.
    for (const bool active : {false, true})
      for (std::size_t i = 0; i < list.meshes.size(); ++i) {
        const DrawMesh& mesh = list.meshes[i];
        if (!mesh.selected || mesh.active != active) continue;
        Program::set(model, mesh.deformed ? glm::mat4(1) : mesh.model);
        Program::set(colour, glm::vec4(1, active ? 1 : 0, 0, 1));
        glBindVertexArray(drawables[i].vertex_array);
        drawables[i].draw();
      }
  }
  glBindFramebuffer(GL_FRAMEBUFFER, target.framebuffer);
  glViewport(0, 0, target.width, target.height);
  if (complete) {
    glScissor(area.x, area.y, area.width, area.height);
    blend(true);
    glBindTexture(GL_TEXTURE_2D, mask_texture_);
    outline_.use();
    outline_.set("mask", 0);
    outline_.set("texel", 1.0f / size_of(target));
    outline_.set("reach", reach);
    outline_.set("selected_colour", kSelectedOutline);
    outline_.set("active_colour", kActiveOutline);
    glBindVertexArray(empty_array_);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glBindTexture(GL_TEXTURE_2D, 0);
  }
  glBindVertexArray(0);
  glDisable(GL_SCISSOR_TEST);
}

}  // namespace hazumi::gl
