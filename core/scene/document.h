// The open document: the current scene and its place on disk. Knows nothing of threads, windows or undo.
#pragma once

#include <filesystem>

#include "core/scene/values/scene.h"

namespace hazumi {

class Document {
 public:
  Document() = default;
  explicit Document(Scene scene) : scene_(std::move(scene)) {}

  const Scene& scene() const { return *scene_; }
  Shared<Scene> snapshot() const { return scene_; }  ///< cheap; may go to another thread
  void set_scene(Shared<Scene> scene) { scene_ = std::move(scene); }

  const std::filesystem::path& file() const { return file_; }
  void set_file(std::filesystem::path file) { file_ = std::move(file); }

 private:
  Shared<Scene> scene_;
  std::filesystem::path file_;
};

}  // namespace hazumi
