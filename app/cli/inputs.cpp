// What was read is not written over: scenes, meshes and what meshes name, reference pictures, sounds. And things of a scene by
// their names.
#include <set>

#include "app/cli/command.h"
#include "core/scene/derived/takes.h"

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
  for (const auto& camera : scene.cameras)
    if (!camera->picture.file.empty()) files.emplace_back(camera->picture.file);
  for (const auto& sound : scene.sounds) files.emplace_back(sound->file);
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
  if (const fs::path path = sink.beside(scene, range); taken.contains(path.filename())) return refusal(path);
  return Done{};
}

Result<Id> chosen_thing(const std::vector<NamedThing>& things, const std::string& kind, const std::string& option,
                        const std::string& wanted) {
  std::vector<Id> found;
  std::string ids;
  for (const NamedThing& thing : things) {
    const std::string number = "#" + std::to_string(thing.id.value);
    if (thing.name != wanted && number != wanted) continue;
    if (thing.name != wanted && !found.empty()) continue;  // a name comes before an id
    found.push_back(thing.id);
    ids += (ids.empty() ? "" : ", ") + number;
  }
  const std::string shown = wanted.substr(0, 80);
  if (found.empty())
    return Diagnostic{Severity::error, "", "The scene has no " + kind + " named “" + shown + "”.",
                      "hazumi-cli info lists them."};
  if (found.size() > 1)
    return Diagnostic{Severity::error, "",
                      std::to_string(found.size()) + " " + kind + "s are named “" + shown + "”: " + ids + ".",
                      "Say which by its id, as " + option + " '" + ids.substr(0, ids.find(',')) + "'."};
  return found.front();
}

Result<Id> chosen_camera(const Scene& scene, const std::string& wanted) {
  std::vector<NamedThing> cameras;
  for (const auto& camera : scene.cameras) cameras.push_back({camera->id, camera->name});
  return chosen_thing(cameras, "camera", "--camera", wanted);
}

std::optional<Scene> in_chosen_take(Scene scene, const std::string& wanted) {
  if (wanted.empty()) return scene;
  std::vector<NamedThing> takes;
  for (const auto& take : scene.takes) takes.push_back({take->id, take->name});
  const auto id = chosen_thing(takes, "take", "--take", wanted);
  if (id) return in_take(scene, *id);
  say(id.diagnostics());
  return std::nullopt;
}

}  // namespace hazumi::cli
