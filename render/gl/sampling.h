// How a texture is read between its texels and beyond its edge.
#pragma once

#include <epoxy/gl.h>

namespace hazumi::gl {

enum class TextureReading {
  values,      ///< what the texture holds
  comparison,  ///< of its depth with a given one: 1 where the given one is not farther
};

/// `set(name, value)` for each parameter. Beyond the edge the texel at the edge counts.
template <class Set>
void clamp_to_edge(GLint filter, TextureReading reading, const Set& set) {
  set(GL_TEXTURE_MIN_FILTER, filter);
  set(GL_TEXTURE_MAG_FILTER, filter);
  set(GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  set(GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  if (reading == TextureReading::values) return;
  set(GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
  set(GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
}

/// Of the 2D texture that is bound.
inline void set_texture(GLint filter, TextureReading reading) {
  clamp_to_edge(filter, reading, [](GLenum name, GLint value) { glTexParameteri(GL_TEXTURE_2D, name, value); });
}

inline void set_sampler(GLuint sampler, GLint filter, TextureReading reading) {
  clamp_to_edge(filter, reading, [=](GLenum name, GLint value) { glSamplerParameteri(sampler, name, value); });
}

}  // namespace hazumi::gl
