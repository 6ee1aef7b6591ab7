// Pictures of textures on the graphics card, one store per context; found by the address of their file, with a weak pointer
// against another file at the same address later. What was not drawn for a while is dropped.
#pragma once

#include <memory>
#include <unordered_map>

#include <epoxy/gl.h>

#include "render/texture_image.h"

namespace hazumi::gl {

class TextureStore {
 public:
  void set_source(TextureSource source) { source_ = std::move(source); }
  void begin() { ++picture_; }
  /// 0: cannot be shown, or not decoded yet.
  GLuint texture(const std::shared_ptr<const TextureFile>& file);
  void end();
  void destroy();

 private:
  struct Entry {
    std::weak_ptr<const TextureFile> file;
    GLuint name = 0;
    bool known = false;  // decoded, if only to find that it cannot be
    std::uint64_t used = 0;
  };
  TextureSource source_ = [](const std::shared_ptr<const TextureFile>& file) { return decode_texture(*file); };
  std::unordered_map<const TextureFile*, Entry> entries_;
  std::uint64_t picture_ = 0;
};

}  // namespace hazumi::gl
