// Sound files lie beside the scene, as meshes do: the program names them absolutely, a scene's file relative to itself, and saving
// brings those that lie elsewhere. They are never in memory as a whole: one may have gigabytes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <vector>

#include "core/base/result.h"
#include "core/scene/values/scene.h"

namespace hazumi {

/// The names of a scene that was read from this folder, absolute. A name that leads out of the folder, by links too, is looked for
/// in it: else saving a stranger's scene would bring files of the person's beside it.
void find_sounds(Scene& scene, const std::filesystem::path& folder);

/// Brings the sound files of a scene beside it; what was written is taken back unless keep() is called.
class SoundCopier {
 public:
  /// `going`: as of save_scene().
  explicit SoundCopier(std::filesystem::path folder, std::function<bool(double part)> going = {})
      : folder_(std::move(folder)), going_(std::move(going)) {}
  ~SoundCopier();
  SoundCopier(const SoundCopier&) = delete;
  SoundCopier& operator=(const SoundCopier&) = delete;

  /// Names those of `scene` as they are to be written. Warnings: what has gone, or is a link to elsewhere, was not brought.
  Status run(Scene& scene);
  void keep() { kept_ = true; }

 private:
  Result<std::string> bring(const std::filesystem::path& source);
  void count(const Scene& scene);

  std::filesystem::path folder_;
  std::function<bool(double)> going_;
  std::uintmax_t bytes_ = 0, copied_ = 0;  ///< of all sounds that lie elsewhere
  std::vector<std::filesystem::path> written_;
  bool kept_ = false;
};

}  // namespace hazumi
