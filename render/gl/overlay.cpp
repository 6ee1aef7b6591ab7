#include "render/gl/overlay.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include "render/convert.h"
#include "render/gl/depths.h"
#include "render/gl/sampling.h"
#include "render/gl/shaders.h"

namespace hazumi::gl {

namespace {

constexpr glm::vec4 kSelectedOutline{0.80f, 0.42f, 0.10f, 1.0f};
constexpr glm::vec4 kActiveOutline{1.0f, 0.63f, 0.20f, 1.0f};
constexpr float kHiddenOutline = 0.25f;  // of the opacity, where something lies in front
constexpr float kFront = 2e-3f;  // of the distance to what is looked at: from there on lines of a free view are drawn

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

/// What a free view draws beside meshes is not cut by planes that are fitted to those.
void clamp(const RenderList& list) {
  if (list.cuts_lines)
    glDisable(GL_DEPTH_CLAMP);
  else
    glEnable(GL_DEPTH_CLAMP);
}

/// Of what is drawn with so and so many pixels' width.
void begin(const Program& program, const RenderList& list, const RenderTarget& target, bool on_top) {
  blend(true);
  depth(!on_top);
  clamp(list);
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
      if (clip.w <= 1e-12f) return {0, 0, target.width, target.height};
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
        outline_.build(kScreenVertex, kOutlineFragment), backdrop_.build(kBackdropVertex, kBackdropFragment)})
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

void Overlay::draw_backdrop(const Backdrop& backdrop, GLuint texture, const RenderTarget& target) const {
  GLint width = 0, height = 0;
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D, texture);
  glGetTexLevelParameteriv(GL_TEXTURE_2D, 0, GL_TEXTURE_WIDTH, &width);
  glGetTexLevelParameteriv(GL_TEXTURE_2D, 0, GL_TEXTURE_HEIGHT, &height);
  if (width < 1 || height < 1) return;
  const glm::vec2 low(backdrop.place.x, backdrop.place.y), high(backdrop.place.z, backdrop.place.w);
  const glm::vec2 room = (high - low) * size_of(target), shape(static_cast<float>(width), static_cast<float>(height));
  const glm::vec2 half = 0.5f * std::min(room.x / shape.x, room.y / shape.y) * shape / size_of(target);
  const glm::vec2 middle = 0.5f * (low + high);
  blend(true);
  depth(false);
  backdrop_.use();
  backdrop_.set("place", glm::vec4(middle - half, middle + half));
  backdrop_.set("picture", 0);
  backdrop_.set("opacity", backdrop.opacity);
  glBindVertexArray(empty_array_);
  glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
  glBindTexture(GL_TEXTURE_2D, 0);
  blend(false);
  glDepthMask(GL_TRUE);
}

void Overlay::destroy() {
  for (Program* program : {&grid_, &lines_, &points_, &mask_, &outline_, &backdrop_}) program->destroy();
  const GLuint arrays[] = {empty_array_, line_array_, point_array_}, buffers[] = {line_buffer_, point_buffer_};
  glDeleteVertexArrays(3, arrays);
  glDeleteBuffers(2, buffers);
  if (mask_framebuffer_) glDeleteFramebuffers(1, &mask_framebuffer_);
  if (mask_texture_) glDeleteTextures(1, &mask_texture_);
  if (mask_depth_) glDeleteRenderbuffers(1, &mask_depth_);
  empty_array_ = line_array_ = point_array_ = line_buffer_ = point_buffer_ = mask_framebuffer_ = mask_texture_ =
      mask_depth_ = 0;
  mask_width_ = mask_height_ = 0;
}

namespace {

constexpr glm::vec3 kXAxis{0.78f, 0.30f, 0.33f}, kYAxis{0.44f, 0.66f, 0.28f}, kZAxis{0.30f, 0.50f, 0.82f},
    kGroundLine{0.55f, 0.56f, 0.58f};
constexpr float kEdgeOn = 1e-3f;  // rad between the view and the ground that a parallel view sees as a line

glm::vec3 row(const glm::mat4& m, int i) { return {m[0][i], m[1][i], m[2][i]}; }

}  // namespace

/// The floor. Seen exactly from the side it is a line, and the grid stands upright behind everything.
void Overlay::draw_grid(const RenderList& list, const RenderTarget& target) {
  const glm::vec3 along = -row(list.view, 2), right = row(list.view, 0);
  const bool parallel = list.projection[3][3] != 0;
  const bool upright = parallel && std::abs(along.y) < kEdgeOn;
  const bool from_x = std::abs(right.z) > std::abs(right.x);
  blend(true);
  depth(true);
  clamp(list);
  glEnable(GL_POLYGON_OFFSET_FILL);
  glPolygonOffset(upright ? 0.0f : -1.0f, upright ? 0.0f : -4.0f);  // wins over a floor that lies in the same plane
  grid_.use();
  grid_.set("view_projection", list.projection * list.view);
  grid_.set("pixel_ratio", target.pixel_ratio);
  grid_.set("upright", upright ? 1 : 0);
  grid_.set("behind", upright ? 1 : 0);
  if (upright) {
    const bool along_axis = std::min(std::abs(right.x), std::abs(right.z)) < kEdgeOn;
    const glm::vec3 way = from_x ? glm::vec3(0, 0, 1) : glm::vec3(1, 0, 0), across = along_axis ? way : right;
    const glm::vec2 half(1 / list.projection[0][0], 1 / list.projection[1][1]);  // of the view, m
    grid_.set("origin", list.eye - glm::dot(list.eye, across) * across - glm::vec3(0, list.eye.y, 0));
    grid_.set("across", across);
    grid_.set("along", glm::vec3(0, 1, 0));
    grid_.set("centre", glm::vec2(glm::dot(list.eye, across), list.eye.y));
    grid_.set("radius", 1.1f * glm::length(half));
    grid_.set("fade", 1e9f * glm::length(half));
    grid_.set("upright_lines", along_axis ? 1 : 0);
    grid_.set("across_colour", !along_axis ? kGroundLine : from_x ? kZAxis : kXAxis);
    grid_.set("along_colour", kYAxis);
  } else {
    // Where the middle of the picture meets the floor, or what is below the eye when it looks away from the floor.
    const float height = std::max(std::abs(list.eye.y), 0.03f * list.distance);
    const float meets = along.y * list.eye.y < 0 ? -list.eye.y / along.y : std::numeric_limits<float>::infinity();
    const float distance = std::min(meets, 12 * height);
    const glm::vec3 centre = list.eye + distance * along;
    const float radius = 7 * std::max(distance, height);
    grid_.set("origin", glm::vec3(0));
    grid_.set("across", glm::vec3(1, 0, 0));
    grid_.set("along", glm::vec3(0, 0, 1));
    grid_.set("centre", glm::vec2(centre.x, centre.z));
    grid_.set("radius", radius);
    grid_.set("fade", radius);
    grid_.set("upright_lines", 0);
    grid_.set("across_colour", kXAxis);
    grid_.set("along_colour", kZAxis);
  }
  glBindVertexArray(empty_array_);
  glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
  glBindVertexArray(0);
  glDisable(GL_POLYGON_OFFSET_FILL);
  glDisable(GL_DEPTH_CLAMP);
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
    lines_.set("cut", list.cuts_lines ? 1 : 0);
    lines_.set("front", list.projection[3][3] != 0 ? -1.0f : kFront * list.distance);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(count));
  }
  glBindVertexArray(0);
  glDisable(GL_DEPTH_CLAMP);
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
  glDisable(GL_DEPTH_CLAMP);
}

namespace {

bool any_selected(const RenderList& list) {
  return std::any_of(list.meshes.begin(), list.meshes.end(), [](const DrawMesh& m) { return m.selected; });
}

float outline_reach(const RenderTarget& target) { return 2.8f * target.pixel_ratio; }

/// The outline looks `reach` pixels around itself: what an earlier picture left just outside the area is seen to too.
void cut_to(const Rectangle& area, float reach) {
  const int border = static_cast<int>(std::ceil(reach)) + 1;
  glEnable(GL_SCISSOR_TEST);
  glScissor(area.x - border, area.y - border, area.width + 2 * border, area.height + 2 * border);
}

}  // namespace

bool Overlay::prepare_mask(const RenderTarget& target) {
  glBindFramebuffer(GL_FRAMEBUFFER, target.framebuffer);
  const GLenum depths = format_of_depths(target);
  if (!mask_texture_) {
    glGenTextures(1, &mask_texture_);
    glGenFramebuffers(1, &mask_framebuffer_);
    glGenRenderbuffers(1, &mask_depth_);
  }
  glBindFramebuffer(GL_FRAMEBUFFER, mask_framebuffer_);
  if (mask_width_ == target.width && mask_height_ == target.height && mask_depths_ == depths) return mask_ready_;
  glBindTexture(GL_TEXTURE_2D, mask_texture_);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, target.width, target.height, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
  set_texture(GL_LINEAR, TextureReading::values);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, mask_texture_, 0);
  for (const GLenum attachment : {GL_DEPTH_ATTACHMENT, GL_STENCIL_ATTACHMENT})
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, attachment, GL_RENDERBUFFER, 0);
  if (depths != GL_NONE) {
    glBindRenderbuffer(GL_RENDERBUFFER, mask_depth_);
    glRenderbufferStorage(GL_RENDERBUFFER, depths, target.width, target.height);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER,
                              depths == GL_DEPTH24_STENCIL8 ? GL_DEPTH_STENCIL_ATTACHMENT : GL_DEPTH_ATTACHMENT,
                              GL_RENDERBUFFER, mask_depth_);
  }
  mask_width_ = target.width;
  mask_height_ = target.height;
  mask_depths_ = depths;
  mask_ready_ = glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
  return mask_ready_;
}

void Overlay::keep_depth(const RenderList& list, const RenderTarget& target) {
  depth_kept_ = false;
  if (!any_selected(list)) return;
  const float reach = outline_reach(target);
  const Rectangle area = selected_rectangle(list, target, reach + 2);
  if (area.width == 0 || area.height == 0) return;
  if (prepare_mask(target) && mask_depths_ != GL_NONE) {
    while (glGetError() != GL_NO_ERROR) {
    }
    glBindFramebuffer(GL_READ_FRAMEBUFFER, target.framebuffer);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, mask_framebuffer_);
    cut_to(area, reach);
    glBlitFramebuffer(0, 0, target.width, target.height, 0, 0, target.width, target.height, GL_DEPTH_BUFFER_BIT,
                      GL_NEAREST);
    glDisable(GL_SCISSOR_TEST);
    depth_kept_ = glGetError() == GL_NO_ERROR;
  }
  glBindFramebuffer(GL_FRAMEBUFFER, target.framebuffer);
}

void Overlay::draw_mask(const RenderList& list, const std::vector<Drawable>& drawables) const {
  blend(false);
  depth(false);
  glClearColor(0, 0, 0, 0);
  glClear(GL_COLOR_BUFFER_BIT);
  mask_.use();
  mask_.set("view_projection", list.projection * list.view);
  const int model = mask_.location("model"), colour = mask_.location("flat_colour");
  const auto draw = [&](std::size_t i) {
    Program::set(model, list.meshes[i].deformed ? glm::mat4(1) : list.meshes[i].model);
    glBindVertexArray(drawables[i].vertex_array);
    drawables[i].draw();
  };
  // The active object last: its alpha stays where selected ones lie in front.
  for (const bool active : {false, true}) {
    const float seen = depth_kept_ ? 0 : 1;
    Program::set(colour, glm::vec4(1, active ? seen : 0, seen, active ? 1 : 0));
    for (std::size_t i = 0; i < list.meshes.size(); ++i)
      if (list.meshes[i].selected && list.meshes[i].active == active) draw(i);
  }
  if (!depth_kept_) return;
  // Blue where it is seen, green too where that is the active object. The depths are of one sample of the pixel, anywhere in it: a slope has to let them pass.
  depth(true);
  glEnable(GL_POLYGON_OFFSET_FILL);
  glPolygonOffset(-2, -16);
  Program::set(colour, glm::vec4(0, 1, 1, 0));
  for (const bool active : {false, true}) {
    glColorMask(GL_FALSE, active ? GL_TRUE : GL_FALSE, GL_TRUE, GL_FALSE);
    for (std::size_t i = 0; i < list.meshes.size(); ++i)
      if (list.meshes[i].selected && list.meshes[i].active == active) draw(i);
  }
  glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  glDisable(GL_POLYGON_OFFSET_FILL);
  depth(false);
}

void Overlay::draw_outline(const RenderList& list, const std::vector<Drawable>& drawables, const RenderTarget& target) {
  if (!any_selected(list)) return;
  const float reach = outline_reach(target);
  const Rectangle area = selected_rectangle(list, target, reach + 2);
  if (area.width == 0 || area.height == 0) return;
  const bool complete = prepare_mask(target);
  if (complete) {
    glViewport(0, 0, target.width, target.height);
    cut_to(area, reach);
    draw_mask(list, drawables);
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
    outline_.set("hidden", kHiddenOutline);
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
