// What a scene file is called and what it says of itself, without reading the scene: for lists of many files.
#pragma once

#include <filesystem>
#include <string>

namespace hazumi {

struct SceneTitle {
  std::string name, description;
};

/// Of the first 64 KiB, where files that Hazumi writes have both; what is not found there, or not to be read, is empty.
SceneTitle scene_title(const std::filesystem::path& file);

}  // namespace hazumi
