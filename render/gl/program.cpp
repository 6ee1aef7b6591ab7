#include "render/gl/program.h"

namespace hazumi::gl {

namespace {

std::string compile(GLuint shader, const char* text) {
  glShaderSource(shader, 1, &text, nullptr);
  glCompileShader(shader);
  GLint ok = 0;
  glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
  if (ok) return {};
  char log[1024] = "";
  glGetShaderInfoLog(shader, sizeof log, nullptr, log);
  return std::string("A shader was refused by the graphics driver: ") + log;
}

}  // namespace

std::string Program::build(const char* vertex, const char* fragment) {
  destroy();
  name_ = glCreateProgram();
  std::string problem;
  const std::pair<GLenum, const char*> stages[] = {{GL_VERTEX_SHADER, vertex}, {GL_FRAGMENT_SHADER, fragment}};
  for (const auto& [kind, text] : stages) {
    if (!text) continue;
    const GLuint shader = glCreateShader(kind);
    if (problem.empty()) problem = compile(shader, text);
    glAttachShader(name_, shader);
    glDeleteShader(shader);  // lives as long as it is attached
  }
  if (problem.empty()) {
    glLinkProgram(name_);
    GLint ok = 0;
    glGetProgramiv(name_, GL_LINK_STATUS, &ok);
    GLuint shaders[2];
    GLsizei count = 0;
    glGetAttachedShaders(name_, 2, &count, shaders);
    for (GLsizei i = 0; i < count; ++i) glDetachShader(name_, shaders[i]);  // linked: of no use any more
    if (!ok) {
      char log[1024] = "";
      glGetProgramInfoLog(name_, sizeof log, nullptr, log);
      problem = std::string("Shaders were refused by the graphics driver: ") + log;
    }
  }
  if (!problem.empty()) destroy();
  return problem;
}

void Program::destroy() {
  if (name_) glDeleteProgram(name_);
  name_ = 0;
}

}  // namespace hazumi::gl
