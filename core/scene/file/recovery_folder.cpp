#include "core/scene/file/recovery_folder.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <string>
#include <system_error>
#include <utility>

#include "core/base/atomic_file.h"
#include "core/base/hash.h"
#include "core/scene/file/mesh_text.h"
#include "core/scene/file/scene_io.h"
#include "core/scene/file/scene_read.h"

namespace hazumi {

namespace {

namespace fs = std::filesystem;

constexpr const char *kMeshes = "meshes", *kFiles = "files", *kName = "name.txt", *kFromMemory = "-memory-";

std::string hex(std::uint64_t number) {
  std::array<char, 16> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number, 16).ptr;
  return {digits.data(), end};
}

/// A mesh in the folder: its file, and whether it was written from memory, after its settings.
struct KeptMesh {
  fs::path file;
  bool from_memory = false;
};

class MeshKeeper {
 public:
  explicit MeshKeeper(const fs::path& folder) : meshes_(fs::absolute(folder).lexically_normal() / kMeshes) {}

  /// No file: there is nothing to keep.
  Result<KeptMesh> keep(const MeshReference& mesh) {
    std::error_code error;
    const fs::path source = !mesh.source.empty()                ? fs::path(mesh.source)
                            : fs::path(mesh.file).is_absolute() ? fs::path(mesh.file)
                                                                : fs::path();
    const bool there = !source.empty() && fs::is_regular_file(source, error);
    if (there && is_in(source.lexically_normal())) return KeptMesh{source.lexically_normal(), false};
    const std::string who = hex(Hasher().add(mesh.file).add(source.string()).value());
    if (there) {
      const auto size = static_cast<std::uint64_t>(fs::file_size(source, error));
      const auto time = static_cast<std::int64_t>(fs::last_write_time(source, error).time_since_epoch().count());
      const std::string key = who + "-" + hex(Hasher().add(size).add(time).value());
      if (is_kept(key)) return KeptMesh{file_of(key, source.filename()), false};
      Status copied = copy(key, source, mesh);
      if (copied.ok()) return KeptMesh{file_of(key, source.filename()), false};
      if (!mesh.mesh) return copied.diagnostics();
    }
    if (const fs::path earlier = newest(who); !earlier.empty())
      return KeptMesh{earlier / kFiles / source.filename(), false};
    if (!mesh.mesh) return KeptMesh{};
    return from_memory(who + kFromMemory + hex(mesh.content), mesh);
  }

 private:
  bool is_in(const fs::path& file) const {
    const fs::path way = file.lexically_relative(meshes_);
    return !way.empty() && *way.begin() != ".." && *way.begin() != ".";
  }
  bool is_kept(const std::string& key) const {
    std::error_code error;
    return fs::exists(meshes_ / key / kName, error);
  }
  fs::path file_of(const std::string& key, const fs::path& name) const { return meshes_ / key / kFiles / name; }

  /// The last copy of a file that has gone.
  fs::path newest(const std::string& who) const {
    std::error_code error;
    fs::path found;
    fs::file_time_type time{};
    for (const auto& entry : fs::directory_iterator(meshes_, error)) {
      const std::string name = entry.path().filename().string();
      if (!name.starts_with(who + "-") || name.find(kFromMemory) != std::string::npos || !is_kept(name)) continue;
      if (const auto written = entry.last_write_time(error); found.empty() || written > time) {
        found = entry.path();
        time = written;
      }
    }
    return found;
  }

  /// The name comes last: a folder without one is not whole, and is made again.
  static Status finish(const fs::path& place, const std::string& name) {
    return write_file_atomically(place / kName, name);
  }
  static Diagnostic cannot(const fs::path& file, const std::string& why) {
    return {Severity::error, file.string(), "The file cannot be written: " + why + ".", "Free some space."};
  }
  Result<fs::path> begin(const std::string& key) {
    std::error_code error;
    const fs::path place = meshes_ / key;
    fs::remove_all(place, error);
    fs::create_directories(place / kFiles, error);
    if (error) return cannot(place, error.message());
    return place;
  }

  Status copy(const std::string& key, const fs::path& source, const MeshReference& mesh) {
    const Result<fs::path> place = begin(key);
    if (!place.ok()) return place.diagnostics();
    if (Status status = copy_one(source, *place / kFiles / source.filename()); !status.ok()) return status;
    for (const std::string& companion : mesh.companions) {
      if (!stays_beside_scene(companion)) continue;
      // One that has gone since is missed by the mesh as it is; the mesh itself is kept all the same.
      std::error_code error;
      const fs::path target = *place / kFiles / companion;
      fs::create_directories(target.parent_path(), error);
      (void)copy_one(source.parent_path() / companion, target);
    }
    return finish(*place, mesh.file);
  }
  static Status copy_one(const fs::path& from, const fs::path& to) {
    const Result<std::string> bytes = read_whole_file(from, kMaxMeshBytes);
    if (!bytes.ok()) return bytes.diagnostics();
    return write_file_atomically(to, *bytes);
  }

  Result<KeptMesh> from_memory(const std::string& key, const MeshReference& mesh) {
    const fs::path name(mesh.file);
    const std::vector<NamedBytes> files = mesh_as_files(*mesh.mesh, name.stem().string());
    const KeptMesh kept{file_of(key, files.front().name), true};
    if (is_kept(key)) return kept;
    const Result<fs::path> place = begin(key);
    if (!place.ok()) return place.diagnostics();
    for (const NamedBytes& file : files)
      if (Status status = write_file_atomically(*place / kFiles / file.name, file.bytes); !status.ok())
        return status.diagnostics();
    const fs::path known = name.parent_path() / files.front().name;
    if (Status status = finish(*place, known.generic_string()); !status.ok()) return status.diagnostics();
    return kept;
  }

  fs::path meshes_;
};

/// The name that a kept mesh has for a person; empty when it is none.
std::string known_name(const fs::path& folder, const fs::path& name) {
  if (name.is_absolute() || name.begin() == name.end() || *name.begin() != kMeshes) return {};
  const auto key = std::next(name.begin());
  if (key == name.end()) return {};
  const Result<std::string> text = read_whole_file(folder / kMeshes / *key / kName, 1 << 16);
  return text.ok() ? *text : std::string();
}

}  // namespace

Status keep_for_recovery(const Scene& scene, const fs::path& folder, std::vector<fs::path>* files) {
  if (files) files->assign({folder / "scene.json"});
  MeshKeeper keeper(folder);
  const fs::path whole = fs::absolute(folder).lexically_normal();
  Scene kept = scene;
  for (auto& object : kept.objects) {
    if (!names_mesh(*object)) continue;
    const Result<KeptMesh> mesh = keeper.keep(object->display.mesh);
    if (!mesh.ok()) return mesh.diagnostics();
    if (mesh->file.empty()) continue;
    if (files) files->push_back(mesh->file);
    object = object.edited([&](Object& o) {
      o.display.mesh.file = mesh->file.lexically_relative(whole).generic_string();
      if (mesh->from_memory) o.display.mesh.settings = MeshSettings{};
    });
  }
  const std::string text = scene_to_text(kept);
  if (text.size() > kMaxSceneBytes)
    return Diagnostic{Severity::error, "", "The scene is larger than 64 MiB.", "Remove objects."};
  return write_file_atomically(folder / "scene.json", text);
}

Result<Scene> recover_scene(const fs::path& folder, const fs::path& origin) {
  Result<std::string> text = read_whole_file(folder / "scene.json", kMaxSceneBytes);
  if (!text.ok()) return text.diagnostics();
  Result<Scene> read = read_scene(*text);
  if (!read.ok()) return read;
  Diagnostics warnings = read.diagnostics();
  Scene scene = std::move(read).value();
  std::map<Id, std::string> names;
  std::error_code error;
  for (auto& object : scene.objects) {
    if (!names_mesh(*object)) continue;
    const std::string name = object->display.mesh.file;
    std::string known = known_name(folder, name);
    // Up to version 0.2 meshes lay beside the scene under their own names.
    if (known.empty() && stays_beside_scene(name) && fs::is_regular_file(folder / name, error)) known = name;
    if (known.empty()) continue;
    names[object->id] = known;
    object = object.edited([&](Object& o) { o.display.mesh.file = fs::absolute(folder / name).string(); });
  }
  const Diagnostics more = resolve_meshes(scene, origin);
  warnings.insert(warnings.end(), more.begin(), more.end());
  for (auto& object : scene.objects)
    if (const auto name = names.find(object->id); name != names.end())
      object = object.edited([&](Object& o) { o.display.mesh.file = name->second; });
  return {std::move(scene), std::move(warnings)};
}

}  // namespace hazumi
