// Draws a RenderList with OpenGL 3.3 core into the framebuffer that is bound. Needs a current context on every call;
// never creates one. Works in a QOpenGLWidget and in an EGL surfaceless context alike (functions through libepoxy),
// on Mesa's software renderer too. No Qt in this header.
#pragma once

#include <memory>
#include <string>

#include "render/render_list.h"
#include "render/texture_image.h"

namespace hazumi {

struct RenderTarget {
  unsigned framebuffer = 0;    ///< GL name
  int width = 0, height = 0;   ///< physical pixels
  float pixel_ratio = 1;       ///< physical per logical
  bool transparent = false;    ///< alpha 0 where nothing is drawn
  bool quick = false;          ///< big meshes by fewer faces: something moves, and a processor draws
  bool final_quality = false;  ///< soft shadows and occlusion by many samples, whatever the list says of them
  int pass = 0;                ///< which of several pictures that are averaged: samples of shadows are others in each
  float turn() const { return 2.3999632f * static_cast<float>(pass); }  ///< rad, of these samples: the golden angle
};

class Renderer {
 public:
  Renderer();
  ~Renderer();  ///< context current, or the context is gone
  /// Empty on success, else the sentence to show ("OpenGL 3.3 is needed, this display has 2.1.").
  std::string initialise();
  /// Where pictures of textures come from; unless it is set they are decoded at once, where they are drawn first.
  void set_texture_source(TextureSource source);
  void draw(const RenderList& list, const RenderTarget& target);

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace hazumi
