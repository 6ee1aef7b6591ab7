#include "render/gl/sprites.h"

#include <cstddef>

#include "render/gl/shaders.h"

namespace hazumi::gl {

namespace {

void sprite_attribute(GLuint index, int components, std::size_t offset) {
  glEnableVertexAttribArray(index);
  glVertexAttribPointer(index, components, GL_FLOAT, GL_FALSE, static_cast<GLsizei>(sizeof(Sprite)),
                        reinterpret_cast<const void*>(offset));
  glVertexAttribDivisor(index, 1);
}

}  // namespace

std::string Sprites::initialise() {
  for (const bool filmic : {false, true}) {
    const std::string head = std::string("#version 330 core\n") + (filmic ? "#define FILMIC\n" : "");
    const std::string problem =
        programs_[filmic].build(shaders::kSpriteVertex, (head + shaders::kSpriteFragment).c_str());
    if (!problem.empty()) return problem;
  }
  glGenVertexArrays(1, &array_);
  glGenBuffers(1, &buffer_);
  glBindVertexArray(array_);
  glBindBuffer(GL_ARRAY_BUFFER, buffer_);
  sprite_attribute(0, 3, offsetof(Sprite, position));
  sprite_attribute(1, 4, offsetof(Sprite, colour));
  sprite_attribute(2, 3, offsetof(Sprite, along));
  sprite_attribute(3, 1, offsetof(Sprite, radius));
  sprite_attribute(4, 1, offsetof(Sprite, turn));
  sprite_attribute(5, 1, offsetof(Sprite, soft));
  sprite_attribute(6, 1, offsetof(Sprite, glow));
  glBindVertexArray(0);
  return {};
}

void Sprites::destroy() {
  for (Program& program : programs_) program.destroy();
  glDeleteVertexArrays(1, &array_);
  glDeleteBuffers(1, &buffer_);
  array_ = buffer_ = 0;
}

void Sprites::draw(const RenderList& list) {
  if (list.sprites.empty()) return;
  glEnable(GL_DEPTH_TEST);
  glDepthMask(GL_FALSE);
  glEnable(GL_BLEND);
  glBlendEquation(GL_FUNC_ADD);
  glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  const Program& program = programs_[list.look.filmic];
  program.use();
  program.set("right", glm::vec3(list.view[0][0], list.view[1][0], list.view[2][0]));
  program.set("up", glm::vec3(list.view[0][1], list.view[1][1], list.view[2][1]));
  program.set("back", glm::vec3(list.view[0][2], list.view[1][2], list.view[2][2]));
  program.set("parallel", list.projection[3][3] != 0 ? 1 : 0);
  glBindVertexArray(array_);
  glBindBuffer(GL_ARRAY_BUFFER, buffer_);
  glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(list.sprites.size() * sizeof(Sprite)), list.sprites.data(),
               GL_STREAM_DRAW);
  glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(list.sprites.size()));
  glBindVertexArray(0);
  glDisable(GL_BLEND);
  glDepthMask(GL_TRUE);
}

}  // namespace hazumi::gl
