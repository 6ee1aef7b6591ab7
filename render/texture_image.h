// Pictures of textures, decoded. No Qt in this header.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/scene/values/scene.h"

namespace hazumi {

struct TextureImage {
  int width = 0, height = 0;          ///< 0: cannot be shown
  std::vector<unsigned char> pixels;  ///< red, green, blue, 255; rows from below, as texture coordinates run
  std::string problem;                ///< why it cannot be shown: a sentence
};

/// Never null. Larger pictures than 4096 pixels a side are made smaller; what takes more than 256 MB decoded is refused.
std::shared_ptr<const TextureImage> decode_texture(const TextureFile& file);

/// The decoded picture, or null while it is not there yet; then the surface is drawn without and asked for again.
using TextureSource = std::function<std::shared_ptr<const TextureImage>(const std::shared_ptr<const TextureFile>&)>;

/// One warning about a picture that cannot be shown.
Diagnostic texture_problem(const std::string& where, const TextureFile& file, const TextureImage& image);
/// Warnings about all textures of the scene that cannot be shown, one for each file. Decodes every one.
Diagnostics texture_problems(const Scene& scene);

}  // namespace hazumi
