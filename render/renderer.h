// Draws a RenderList with OpenGL 3.3 core into the framebuffer that is bound. Needs a current context on every call;
// never creates one. Works in a QOpenGLWidget and in an EGL surfaceless context alike (functions through libepoxy),
// on Mesa's software renderer too. No Qt in this header.
#pragma once

#include <memory>
#include <string>

#include "render/render_list.h"

namespace hazumi {

struct RenderTarget {
  unsigned framebuffer = 0;      ///< GL name
  int width = 0, height = 0;     ///< physical pixels
  float pixel_ratio = 1;         ///< physical per logical
  bool transparent = false;      ///< alpha 0 where nothing is drawn
};

class Renderer {
 public:
  Renderer();
  ~Renderer();                   ///< context current, or the context is gone
  /// Empty on success, else the sentence to show ("OpenGL 3.3 is needed, this display has 2.1.").
  std::string initialise();
  void draw(const RenderList& list, const RenderTarget& target);

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace hazumi
