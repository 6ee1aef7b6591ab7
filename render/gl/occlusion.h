// Ambient occlusion in the picture: corners and places where things meet are darkened. Scalable ambient obscurance (McGuire, Mara,
// Luebke 2012) over the depths of what is opaque, at half of the resolution, smoothed where depths are alike, and multiplied into
// the target. Overlays come after it and stay as they are.
#pragma once

#include <string>

#include "render/gl/program.h"
#include "render/renderer.h"

namespace hazumi::gl {

class Occlusion {
 public:
  static constexpr int kFarthest = 128;          ///< pixels: what is looked for reaches no farther in the picture
  static constexpr float kFinalStrength = 0.7f;  ///< of final pictures where the list has none

  void destroy();
  /// Once the opaque meshes are drawn. Nothing happens where the list has no occlusion, or the target's depths cannot be read.
  void draw(const RenderList& list, const RenderTarget& target);

 private:
  bool prepare(const RenderTarget& target, bool full);
  bool build();
  void texture(GLuint name, GLenum inside, GLenum outside, GLenum type, int width, int height) const;

  Program find_[2], blur_, apply_;  // find_: preview, final
  bool tried_ = false, built_ = false, ready_ = false, full_ = false;
  GLuint array_ = 0, framebuffers_[3] = {0, 0, 0}, depth_ = 0, shades_[2] = {0, 0};  // framebuffers: depth, shades
  GLenum depths_ = GL_NONE;
  int width_ = 0, height_ = 0;
};

}  // namespace hazumi::gl
