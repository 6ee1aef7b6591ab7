#include "render/gl/occlusion.h"

#include <algorithm>

#include "render/gl/depths.h"
#include "render/gl/sampling.h"
#include "render/gl/shaders.h"

namespace hazumi::gl {

namespace {

void screen() { glDrawArrays(GL_TRIANGLES, 0, 3); }

}  // namespace

bool Occlusion::build() {
  if (tried_) return built_;
  tried_ = true;
  using namespace shaders;
  const std::string fragment = kOcclusionFragment;
  built_ = find_[0].build(kScreenVertex, ("#version 330 core\n#define TAPS 9\n" + fragment).c_str()).empty() &&
           find_[1].build(kScreenVertex, ("#version 330 core\n#define TAPS 24\n" + fragment).c_str()).empty() &&
           blur_.build(kScreenVertex, kOcclusionBlur).empty() && apply_.build(kScreenVertex, kOcclusionApply).empty();
  glGenVertexArrays(1, &array_);
  glGenFramebuffers(3, framebuffers_);
  glGenTextures(1, &depth_);
  glGenTextures(2, shades_);
  return built_;
}

void Occlusion::destroy() {
  for (Program* program : {&find_[0], &find_[1], &blur_, &apply_}) program->destroy();
  if (array_) {
    glDeleteVertexArrays(1, &array_);
    glDeleteFramebuffers(3, framebuffers_);
    glDeleteTextures(1, &depth_);
    glDeleteTextures(2, shades_);
  }
  array_ = 0;
  tried_ = built_ = false;
  width_ = height_ = 0;
}

void Occlusion::texture(GLuint name, GLenum inside, GLenum outside, GLenum type, int width, int height) const {
  glBindTexture(GL_TEXTURE_2D, name);
  glTexImage2D(GL_TEXTURE_2D, 0, static_cast<GLint>(inside), width, height, 0, outside, type, nullptr);
  set_texture(GL_NEAREST, TextureReading::values);
  glBindTexture(GL_TEXTURE_2D, 0);
}

bool Occlusion::prepare(const RenderTarget& target, bool full) {
  const GLenum depths = format_of_depths(target);
  if (depths == GL_NONE) return false;
  if (width_ == target.width && height_ == target.height && full_ == full && depths_ == depths) return ready_;
  width_ = target.width;
  height_ = target.height;
  full_ = full;
  depths_ = depths;
  const bool stencil = depths == GL_DEPTH24_STENCIL8;
  texture(depth_, depths, stencil ? GL_DEPTH_STENCIL : GL_DEPTH_COMPONENT,
          stencil ? GL_UNSIGNED_INT_24_8 : GL_UNSIGNED_INT, width_, height_);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffers_[0]);
  glFramebufferTexture2D(GL_FRAMEBUFFER, stencil ? GL_DEPTH_STENCIL_ATTACHMENT : GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D,
                         depth_, 0);
  glDrawBuffer(GL_NONE);
  glReadBuffer(GL_NONE);
  ready_ = glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
  const int scale = full ? 1 : 2;
  for (const int i : {0, 1}) {
    texture(shades_[i], GL_RG16F, GL_RG, GL_FLOAT, (width_ + scale - 1) / scale, (height_ + scale - 1) / scale);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffers_[1 + i]);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, shades_[i], 0);
    ready_ = ready_ && glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
  }
  return ready_;
}

void Occlusion::draw(const RenderList& list, const RenderTarget& target) {
  const float strength = target.final_quality && list.look.occlusion <= 0 ? kFinalStrength : list.look.occlusion;
  if (strength <= 0 || list.look.reach <= 0 || !build()) return;
  glBindFramebuffer(GL_FRAMEBUFFER, target.framebuffer);
  if (!prepare(target, target.final_quality)) return glBindFramebuffer(GL_FRAMEBUFFER, target.framebuffer);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, target.framebuffer);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffers_[0]);
  glBlitFramebuffer(0, 0, width_, height_, 0, 0, width_, height_, GL_DEPTH_BUFFER_BIT, GL_NEAREST);
  glDisable(GL_DEPTH_TEST);
  glDepthMask(GL_FALSE);
  glDisable(GL_BLEND);
  glBindVertexArray(array_);
  const int scale = full_ ? 1 : 2;
  glViewport(0, 0, (width_ + scale - 1) / scale, (height_ + scale - 1) / scale);
  const auto bind = [](GLuint unit, GLuint name) {
    glActiveTexture(GL_TEXTURE0 + unit);
    glBindTexture(GL_TEXTURE_2D, name);
  };
  bind(0, depth_);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffers_[1]);
  const Program& find = find_[target.final_quality];
  find.use();
  find.set("depths", 0);
  find.set("projection", list.projection);
  find.set("size", glm::vec2(static_cast<float>(width_), static_cast<float>(height_)));
  find.set("scale", static_cast<float>(scale));
  find.set("reach", list.look.reach);
  find.set("farthest", static_cast<float>(kFarthest));
  find.set("turn", target.turn());
  screen();
  blur_.use();
  blur_.set("shades", 0);
  const int along = blur_.location("along");
  for (const int i : {0, 1}) {
    bind(0, shades_[i]);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffers_[2 - i]);
    glUniform2i(along, 1 - i, i);
    screen();
  }

  glBindFramebuffer(GL_FRAMEBUFFER, target.framebuffer);
  glViewport(0, 0, width_, height_);
  glEnable(GL_BLEND);
  glBlendEquation(GL_FUNC_ADD);
  glBlendFuncSeparate(GL_ZERO, GL_SRC_COLOR, GL_ZERO, GL_ONE);
  bind(1, depth_);
  bind(0, shades_[0]);
  apply_.use();
  apply_.set("shades", 0);
  apply_.set("depths", 1);
  apply_.set("projection", list.projection);
  apply_.set("scale", static_cast<float>(scale));
  apply_.set("reach", list.look.reach);
  apply_.set("strength", strength);
  screen();
  bind(1, 0);
  bind(0, 0);
  glDisable(GL_BLEND);
  glBindVertexArray(0);
}

}  // namespace hazumi::gl
