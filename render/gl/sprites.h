// Particles as rectangles that face the eye: lit discs, streaks, soft puffs.
#pragma once

#include "render/gl/program.h"
#include "render/render_list.h"

namespace hazumi::gl {

class Sprites {
 public:
  std::string initialise();
  void destroy();
  /// Takes the lights as the lit program does. One for each curve (DrawLook::filmic).
  const Program& program(bool filmic) const { return programs_[filmic]; }
  /// In the order in which they are, over what is there, hidden by what is nearer.
  void draw(const RenderList& list);

 private:
  Program programs_[2];
  GLuint array_ = 0, buffer_ = 0;
};

}  // namespace hazumi::gl
