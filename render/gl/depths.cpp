#include "render/gl/depths.h"

namespace hazumi::gl {

GLenum format_of_depths(const RenderTarget& target) {
  if (target.framebuffer == 0) return GL_NONE;
  const auto ask = [](GLenum attachment, GLenum what) {
    GLint kind = GL_NONE, found = 0;
    glGetFramebufferAttachmentParameteriv(GL_FRAMEBUFFER, attachment, GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE, &kind);
    if (kind != GL_NONE) glGetFramebufferAttachmentParameteriv(GL_FRAMEBUFFER, attachment, what, &found);
    return found;
  };
  if (ask(GL_DEPTH_ATTACHMENT, GL_FRAMEBUFFER_ATTACHMENT_DEPTH_SIZE) != 24) return GL_NONE;
  const bool stencil = ask(GL_STENCIL_ATTACHMENT, GL_FRAMEBUFFER_ATTACHMENT_STENCIL_SIZE) == 8;
  return stencil ? GL_DEPTH24_STENCIL8 : GL_DEPTH_COMPONENT24;
}

}  // namespace hazumi::gl
