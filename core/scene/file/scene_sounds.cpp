#include "core/scene/file/scene_sounds.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <string>

#include "core/base/atomic_file.h"
#include "core/scene/file/scene_io.h"

namespace hazumi {

namespace {

namespace fs = std::filesystem;

bool same_bytes(const fs::path& a, const fs::path& b) {
  std::error_code error;
  if (fs::equivalent(a, b, error)) return true;
  if (fs::file_size(a, error) != fs::file_size(b, error) || error) return false;
  std::ifstream first(a, std::ios::binary), second(b, std::ios::binary);
  std::array<char, 1 << 16> x{}, y{};
  while (first && second) {
    first.read(x.data(), x.size());
    second.read(y.data(), y.size());
    if (first.gcount() != second.gcount() || !std::equal(x.begin(), x.begin() + first.gcount(), y.begin()))
      return false;
  }
  return first.eof() && second.eof();
}

std::string place_of_sound(std::size_t index, const Sound& sound) {
  return "sounds[" + std::to_string(index) + "] \"" + sound.name + "\" file";
}

}  // namespace

void find_sounds(Scene& scene, const fs::path& folder) {
  for (auto& sound : scene.sounds) {
    const fs::path name(sound->file);
    std::error_code error;
    const bool stays = stays_beside_scene(sound->file) && lies_inside(folder / name, folder);
    const fs::path beside = stays ? name : name.filename();
    const std::string file = fs::absolute(folder / beside, error).lexically_normal().generic_string();
    sound = sound.edited([&](Sound& s) { s.file = file; });
  }
}

SoundCopier::~SoundCopier() {
  std::error_code error;
  for (const fs::path& file : written_)
    if (!kept_) fs::remove(file, error);
}

/// Whole under its name or not at all. Another file of that name is never overwritten: bang.wav, bang-2.wav …
Result<std::string> SoundCopier::bring(const fs::path& source) {
  std::error_code error;
  for (int number = 1;; ++number) {
    const std::string suffix = number == 1 ? "" : "-" + std::to_string(number);
    const fs::path name = source.stem().string() + suffix + source.extension().string();
    const fs::path target = folder_ / name;
    if (fs::exists(target, error) && same_bytes(source, target)) return name.generic_string();
    if (fs::exists(fs::symlink_status(target, error))) continue;
    const auto problem = copy_to_new_file(source, target, [&](std::uintmax_t bytes) {
      copied_ += bytes;
      return !going_ || going_(std::min(1.0, static_cast<double>(copied_) / static_cast<double>(bytes_)));
    });
    if (!problem) {
      written_.push_back(target);
      return name.generic_string();
    }
    if (problem->error == ECANCELED) return Diagnostic{Severity::error, target.string(), "Saving was called off.", ""};
    return Diagnostic{
        Severity::error, target.string(),
        "The sound \"" + source.string() + "\" cannot be copied beside the scene: " + error_text(problem->error) + ".",
        "Free some space, or save to another folder."};
  }
}

void SoundCopier::count(const Scene& scene) {
  std::error_code error;
  bytes_ = 1;
  for (const auto& sound : scene.sounds) {
    const std::uintmax_t size = fs::file_size(sound->file, error);
    if (!error) bytes_ += size;
  }
}

Status SoundCopier::run(Scene& scene) {
  Diagnostics warnings;
  std::error_code error;
  count(scene);
  const fs::path here = fs::absolute(folder_, error).lexically_normal();
  for (std::size_t i = 0; i < scene.sounds.size(); ++i) {
    const fs::path source = fs::path(scene.sounds[i]->file).lexically_normal();
    std::string name = source.lexically_relative(here).generic_string();
    if (source.is_relative()) name = source.generic_string();
    if (!stays_beside_scene(name)) {
      name = source.filename().generic_string();
      if (!lies_inside(source, source.parent_path())) {
        warnings.push_back({Severity::warning, place_of_sound(i, *scene.sounds[i]),
                            "The sound file \"" + source.string() +
                                "\" is a link that leads out of its folder, and was not copied beside the scene.",
                            "Put the file itself beside the scene."});
      } else if (fs::is_regular_file(source, error)) {
        Result<std::string> brought = bring(source);
        if (!brought.ok()) return brought.diagnostics();
        name = *brought;
      } else if (!fs::is_regular_file(folder_ / name, error)) {
        warnings.push_back({Severity::warning, place_of_sound(i, *scene.sounds[i]),
                            "The sound file \"" + source.string() + "\" is gone and was not copied beside the scene.",
                            "Put it beside the scene."});
      }
    }
    if (!name.empty()) scene.sounds[i] = scene.sounds[i].edited([&](Sound& s) { s.file = name; });
  }
  return {Done{}, std::move(warnings)};
}

}  // namespace hazumi
