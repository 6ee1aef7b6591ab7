// A linked shader program. Needs a current context for everything but the constructor.
#pragma once

#include <string>

#include <epoxy/gl.h>
#include <glm/mat3x3.hpp>
#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

namespace hazumi::gl {

class Program {
 public:
  Program() = default;
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  /// Empty on success, else what the driver says. A null fragment shader writes depth only.
  std::string build(const char* vertex, const char* fragment);
  void destroy();
  void use() const { glUseProgram(name_); }
  /// −1 when the program has no such uniform (setting −1 does nothing).
  int location(const char* uniform) const { return glGetUniformLocation(name_, uniform); }

  static void set(int location, int v) { glUniform1i(location, v); }
  static void set(int location, float v) { glUniform1f(location, v); }
  static void set(int location, const glm::vec2& v) { glUniform2f(location, v.x, v.y); }
  static void set(int location, const glm::vec3& v) { glUniform3f(location, v.x, v.y, v.z); }
  static void set(int location, const glm::vec4& v) { glUniform4f(location, v.x, v.y, v.z, v.w); }
  static void set(int location, const glm::mat3& m) { glUniformMatrix3fv(location, 1, GL_FALSE, &m[0][0]); }
  static void set(int location, const glm::mat4& m) { glUniformMatrix4fv(location, 1, GL_FALSE, &m[0][0]); }
  template <class T>
  void set(const char* uniform, const T& v) const {
    set(location(uniform), v);
  }

 private:
  GLuint name_ = 0;
};

}  // namespace hazumi::gl
