#include "render/gl/texture_store.h"

namespace hazumi::gl {

namespace {

constexpr std::uint64_t kUnusedPictures = 240;

GLuint upload(const TextureImage& image) {
  GLuint name = 0;
  glGenTextures(1, &name);
  glActiveTexture(GL_TEXTURE2);
  glBindTexture(GL_TEXTURE_2D, name);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, image.width, image.height, 0, GL_RGBA, GL_UNSIGNED_BYTE,
               image.pixels.data());
  glGenerateMipmap(GL_TEXTURE_2D);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_REPEAT);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_REPEAT);
  glActiveTexture(GL_TEXTURE0);
  return name;
}

}  // namespace

GLuint TextureStore::texture(const std::shared_ptr<const TextureFile>& file) {
  Entry& entry = entries_[file.get()];
  if (entry.file.lock() != file) {
    if (entry.name) glDeleteTextures(1, &entry.name);
    entry = {};
    entry.file = file;
  }
  entry.used = picture_;
  if (!entry.known)
    if (const auto image = source_(file)) {
      entry.known = true;
      if (image->width > 0) entry.name = upload(*image);
    }
  return entry.name;
}

void TextureStore::end() {
  for (auto it = entries_.begin(); it != entries_.end();) {
    if (!it->second.file.expired() && it->second.used + kUnusedPictures >= picture_) {
      ++it;
      continue;
    }
    if (it->second.name) glDeleteTextures(1, &it->second.name);
    it = entries_.erase(it);
  }
}

void TextureStore::destroy() {
  for (auto& entry : entries_)
    if (entry.second.name) glDeleteTextures(1, &entry.second.name);
  entries_.clear();
}

}  // namespace hazumi::gl
