// What was read is not written over: scenes, meshes, and what meshes name.
#include <set>

#include "app/cli/command.h"

namespace hazumi::cli {

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> inputs(const std::string& scene_file, const Scene& scene) {
  std::vector<fs::path> files{scene_file};
  for (const auto& object : scene.objects) {
    const MeshReference& mesh = object->display.mesh;
    if (mesh.source.empty()) continue;
    const fs::path source(mesh.source);
    files.push_back(source);
    for (const std::string& companion : mesh.companions) files.push_back(source.parent_path() / companion);
  }
  return files;
}

Diagnostic refusal(const fs::path& output) {
  return {Severity::error, "", "The output " + output.string() + " is a file that the scene is read from.",
          "Write to another name or folder."};
}

}  // namespace

Status leaves_input(const std::string& scene_file, const Scene& scene, const fs::path& output) {
  std::error_code error;
  for (const fs::path& file : inputs(scene_file, scene))
    if (fs::equivalent(file, output, error)) return refusal(output);
  return Done{};
}

Status leaves_input(const std::string& scene_file, const Scene& scene, FrameSink& sink, const FrameRange& range) {
  // Ranges are long and inputs few: which names of the folder are inputs is looked up once.
  const std::vector<fs::path> files = inputs(scene_file, scene);
  const fs::path folder = sink.path(range.first).parent_path();
  std::set<fs::path> taken;
  std::error_code error, ignored;
  for (fs::directory_iterator at(folder.empty() ? fs::path(".") : folder, error), end; !error && at != end;
       at.increment(error))
    for (const fs::path& file : files)
      if (fs::equivalent(file, at->path(), ignored)) taken.insert(at->path().filename());
  if (taken.empty()) return Done{};
  for (int frame = range.first; frame <= range.last; frame += range.step)
    if (const fs::path path = sink.path(frame); taken.contains(path.filename())) return refusal(path);
  return Done{};
}

}  // namespace hazumi::cli
