// Lines, points, the floor grid and the outline of what is selected.
#pragma once

#include <vector>

#include "render/gl/mesh_store.h"
#include "render/gl/program.h"
#include "render/renderer.h"

namespace hazumi::gl {

class Overlay {
 public:
  std::string initialise();
  void destroy();

  /// Before everything; the picture keeps its sides' ratio.
  void draw_backdrop(const Backdrop& backdrop, GLuint texture, const RenderTarget& target) const;
  void draw_grid(const RenderList& list, const RenderTarget& target);
  void draw_lines(const RenderList& list, const RenderTarget& target, bool on_top);
  void draw_points(const RenderList& list, const RenderTarget& target, bool on_top);
  /// Once the opaque meshes are drawn: keeps their depths, which say where outlines are hidden.
  void keep_depth(const RenderList& list, const RenderTarget& target);
  /// Draws the selected meshes into a mask, then the mask's edge into the target: faint where something lies in front.
  void draw_outline(const RenderList& list, const std::vector<Drawable>& drawables, const RenderTarget& target);

 private:
  bool prepare_mask(const RenderTarget& target);
  void draw_mask(const RenderList& list, const std::vector<Drawable>& drawables) const;

  Program grid_, lines_, points_, mask_, outline_, backdrop_;
  GLuint empty_array_ = 0, line_array_ = 0, line_buffer_ = 0, point_array_ = 0, point_buffer_ = 0;
  GLuint mask_framebuffer_ = 0, mask_texture_ = 0, mask_depth_ = 0;
  int mask_width_ = 0, mask_height_ = 0;
  GLenum mask_depths_ = GL_NONE;  ///< format of the depths; none: the target's cannot be copied
  bool mask_ready_ = false, depth_kept_ = false;
};

}  // namespace hazumi::gl
