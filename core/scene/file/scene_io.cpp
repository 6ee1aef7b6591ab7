#include "core/scene/file/scene_io.h"

#include <algorithm>
#include <deque>
#include <map>
#include <optional>

#include "core/base/atomic_file.h"
#include "core/import/mesh_file.h"
#include "core/scene/file/mesh_text.h"
#include "core/scene/file/scene_read.h"
#include "core/scene/file/scene_sounds.h"
#include "core/scene/validate.h"

namespace hazumi {

namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kMaxWrittenMesh = std::uintmax_t{2} << 30;  // two million vertices as text are less
constexpr std::size_t kMaxMeshVertices = 5'000'000;                  // of all objects together, as in validate.cpp

std::string place(const Scene& scene, std::size_t index) {
  return "objects[" + std::to_string(index) + "] \"" + scene.objects[index]->name + "\" display.mesh.file";
}

Diagnostic missing(std::string where, const std::string& name, std::string why) {
  const std::string file = fs::path(name).filename().string();
  return {Severity::warning, std::move(where), "The mesh \"" + name + "\" is not shown: " + std::move(why),
          "Put " + (file.empty() ? "it" : file) + " beside the scene or pick another file in Properties."};
}

/// "The file is empty." → "the file is empty."
std::string within_sentence(std::string sentence) {
  if (sentence.size() > 1 && sentence[1] >= 'a' && sentence[1] <= 'z')
    sentence[0] = static_cast<char>(sentence[0] - 'A' + 'a');
  return sentence;
}

/// Meshes of a scene, each file read once.
class MeshReader {
 public:
  explicit MeshReader(fs::path folder) : folder_(folder.empty() ? fs::path(".") : std::move(folder)) {}

  Diagnostics run(Scene& scene, bool absolute_allowed, const fs::path& scene_file) {
    Diagnostics warnings;
    for (std::size_t i = 0; i < scene.objects.size(); ++i) {
      const Object& object = *scene.objects[i];
      if (object.display.kind == DisplayKind::mesh && object.display.mesh.mesh != nullptr)
        vertices_ += object.display.mesh.mesh->positions.size();
      if (!names_mesh(object) || object.display.mesh.mesh != nullptr) continue;
      const std::string& name = object.display.mesh.file;
      const fs::path path(name);
      const bool allowed = stays_beside_scene(name) || (absolute_allowed && path.is_absolute());
      if (!allowed) {
        warnings.push_back(missing(place(scene, i), name, "only files beside the scene are read."));
        continue;
      }
      if (path.is_relative() && !lies_inside(folder_ / path, folder_)) {
        warnings.push_back(missing(place(scene, i), name, "it is a link that leads out of the scene's folder."));
        continue;
      }
      const Read& read = mesh(path.is_absolute() ? path : folder_ / path, object.display.mesh.settings, scene_file);
      if (read.mesh == nullptr) {
        warnings.push_back(missing(place(scene, i), name, read.problem));
        continue;
      }
      if (vertices_ + read.mesh->positions.size() > kMaxMeshVertices) {
        warnings.push_back(missing(place(scene, i), name, "all meshes together have more than 5,000,000 vertices."));
        continue;
      }
      vertices_ += read.mesh->positions.size();
      scene.objects[i] = scene.objects[i].edited([&](Object& o) {
        o.display.mesh.mesh = read.mesh;
        o.display.mesh.content = read.content;
        o.display.mesh.source = read.source;
        o.display.mesh.companions = read.companions;
      });
    }
    return warnings;
  }

 private:
  struct Read {
    std::shared_ptr<const DisplayMesh> mesh;
    std::uint64_t content = 0;
    std::string source, problem;
    std::vector<std::string> companions;
    MeshSettings settings;
  };

  const Read& mesh(const fs::path& path, const MeshSettings& settings, const fs::path& scene_file) {
    std::deque<Read>& readings = read_[path.lexically_normal().string()];
    for (const Read& read : readings)
      if (same_reading(read.settings, settings)) return read;
    Read& read = readings.emplace_back();
    read.settings = settings;
    std::error_code error;
    if (!scene_file.empty() && fs::equivalent(path, scene_file, error)) {
      read.problem = "this is the scene itself.";
      return read;
    }
    Result<ImportedMesh> loaded = load(path, settings);
    if (!loaded.ok()) {
      read.problem = within_sentence(loaded.error().message);
      return read;
    }
    read.content = mesh_hash(loaded->mesh);
    read.companions = loaded->report.companions;
    read.mesh = std::make_shared<const DisplayMesh>(std::move(loaded).value().mesh);
    read.source = fs::absolute(path, error).lexically_normal().string();
    return read;
  }

  /// A file of many pieces is read once for all of them.
  Result<ImportedMesh> load(const fs::path& path, const MeshSettings& settings) {
    if (settings.piece.empty()) return load_mesh_file(path, settings);
    const std::string name = path.lexically_normal().string();
    if (!clips_ || clips_->first != name) clips_.emplace(name, read_clip_file(path));
    if (!clips_->second.ok()) return clips_->second.diagnostics();
    return load_piece(*clips_->second, path, settings);
  }

  fs::path folder_;
  std::optional<std::pair<std::string, Result<ClipFile>>> clips_;  // the last one
  std::map<std::string, std::deque<Read>> read_;                   // by file: one for each way to read it
  std::size_t vertices_ = 0;
};

/// Reference pictures of cameras as the program names them, absolute, from how a file in this folder does.
void find_pictures(Scene& scene, const fs::path& folder) {
  for (auto& camera : scene.cameras) {
    const fs::path name(camera->picture.file);
    if (name.empty() || name.is_absolute() || !stays_beside_scene(camera->picture.file)) continue;
    std::error_code error;
    const std::string file = fs::absolute(folder / name, error).lexically_normal().generic_string();
    camera = camera.edited([&](Camera& c) { c.picture.file = file; });
  }
}

Result<Scene> read_without_meshes(std::string_view text) {
  if (text.size() > kMaxSceneBytes)
    return Diagnostic{Severity::error, "", "The scene is larger than 64 MiB, which is more than a scene can be.", ""};
  return read_scene(text);
}

Result<Scene> read_with_meshes(std::string_view text, const fs::path& folder, const fs::path& scene_file) {
  Result<Scene> read = read_without_meshes(text);
  if (!read.ok()) return read;
  Diagnostics warnings = read.diagnostics();
  Scene scene = std::move(read).value();
  const Diagnostics more = MeshReader(folder).run(scene, false, scene_file);
  warnings.insert(warnings.end(), more.begin(), more.end());
  find_pictures(scene, folder.empty() ? fs::path(".") : folder);
  find_sounds(scene, folder.empty() ? fs::path(".") : folder);
  return {std::move(scene), std::move(warnings)};
}

/// Brings the mesh files of a scene beside it; what was written is taken back unless keep() is called.
class MeshCopier {
 public:
  explicit MeshCopier(fs::path folder) : folder_(std::move(folder)) {}
  ~MeshCopier() {
    std::error_code error;
    for (const fs::path& file : written_)
      if (!kept_) fs::remove(file, error);
  }
  MeshCopier(const MeshCopier&) = delete;
  MeshCopier& operator=(const MeshCopier&) = delete;
  void keep() { kept_ = true; }

  /// The scene as it is to be written: names that lie beside it.
  Result<Scene> run(Scene scene) {
    Diagnostics warnings;
    for (std::size_t i = 0; i < scene.objects.size(); ++i) {
      const Object& object = *scene.objects[i];
      if (!names_mesh(object)) continue;
      const MeshReference& mesh = object.display.mesh;
      const fs::path name(mesh.file);
      const fs::path source = !mesh.source.empty() ? fs::path(mesh.source) : name.is_absolute() ? name : fs::path();
      Result<std::string> beside = bring(source, stays_beside_scene(mesh.file) ? name : name.filename(), mesh);
      if (!beside.ok()) return beside.diagnostics();
      for (const std::string& companion : lost_)
        warnings.push_back({Severity::warning, place(scene, i),
                            "The file \"" + companion + "\" that belongs to the mesh \"" + mesh.file +
                                "\" was not copied beside the scene.",
                            "Put it beside the scene by hand, at the same place from the mesh."});
      lost_.clear();
      if (!beside->empty() && *beside != mesh.file)
        scene.objects[i] = scene.objects[i].edited([&](Object& o) { o.display.mesh.file = *beside; });
      if (!beside->empty() || mesh.mesh == nullptr) continue;
      Result<std::string> written = write_from_memory(mesh);
      if (!written.ok()) return written.diagnostics();
      warnings.push_back(
          {Severity::info, place(scene, i),
           "The file of the mesh \"" + mesh.file + "\" is gone; the mesh was written as " + *written + ".", ""});
      scene.objects[i] = scene.objects[i].edited([&](Object& o) {
        o.display.mesh.file = *written;
        o.display.mesh.settings = MeshSettings{};  // it is written after them
      });
    }
    return {std::move(scene), std::move(warnings)};
  }

 private:
  /// The name beside the scene under which `source` lies there now; "" when there is nothing to bring or to
  /// find.
  Result<std::string> bring(const fs::path& source, const fs::path& wanted, const MeshReference& mesh) {
    const auto known = done_.find({source.string(), wanted.string()});
    if (known != done_.end()) return known->second;
    std::error_code error;
    std::string name;
    if (source.empty() || !fs::is_regular_file(source, error)) {
      // What has the same name here may be another file.
      const fs::path beside = folder_ / wanted;
      if (lies_inside(beside, folder_) && fs::is_regular_file(beside, error) &&
          (source.empty() || is_this(beside, mesh)))
        name = wanted.generic_string();
    } else {
      // A folder that is a link to elsewhere is not written into.
      const bool leaves = !lies_inside((folder_ / wanted).parent_path(), folder_);
      Result<std::string> copied = copy(source, leaves ? wanted.filename() : wanted, mesh.companions);
      if (!copied.ok()) return copied;
      name = *copied;
    }
    done_[{source.string(), wanted.string()}] = name;
    return name;
  }

  static bool is_this(const fs::path& file, const MeshReference& mesh) {
    if (mesh.mesh == nullptr) return true;
    const Result<ImportedMesh> read = load_mesh_file(file, mesh.settings);
    return read.ok() && mesh_hash(read->mesh) == mesh.content;
  }

  enum class There { same, nothing, other };

  /// What lies at `target`, compared with a file to be copied there.
  static There there(const fs::path& source, const fs::path& target) {
    std::error_code error;
    if (fs::equivalent(source, target, error)) return There::same;
    if (!fs::exists(target, error)) return There::nothing;
    const Result<std::string> old = read_whole_file(target, kMaxMeshBytes);
    const Result<std::string> bytes = read_whole_file(source, kMaxMeshBytes);
    return old.ok() && bytes.ok() && *old == *bytes ? There::same : There::other;
  }

  Status copy_one(const fs::path& source, const fs::path& target) {
    if (there(source, target) == There::same) return Done{};
    Result<std::string> bytes = read_whole_file(source, kMaxMeshBytes);
    if (!bytes.ok()) return bytes.diagnostics();
    std::error_code error;
    fs::create_directories(target.parent_path(), error);
    if (Status status = write_file_atomically(target, *bytes); !status.ok()) return status;
    written_.push_back(target);
    return Done{};
  }

  Result<std::string> copy(const fs::path& source, const fs::path& wanted, const std::vector<std::string>& companions) {
    // What the mesh was read with keeps its place from the mesh, since the mesh names it so. Only what stays
    // in the mesh's folder is taken.
    std::vector<fs::path> with;
    for (const std::string& companion : companions) {
      std::error_code error;
      const fs::path from = source.parent_path() / companion;
      if (stays_beside_scene(companion) && lies_inside(from, source.parent_path()) && fs::is_regular_file(from, error))
        with.emplace_back(companion);
      else
        lost_.push_back(companion);
    }
    // Another file of that name is never overwritten: spot.obj, spot-2.obj, spot-3.obj … A mesh whose
    // companions would lie where others are gets a folder of its own: spot-2/spot.obj.
    for (int number = 1;; ++number) {
      fs::path name = wanted;
      const std::string suffix = "-" + std::to_string(number);
      if (number > 1 && with.empty())
        name.replace_filename(wanted.stem().string() + suffix + wanted.extension().string());
      else if (number > 1)
        name = wanted.parent_path() / (wanted.stem().string() + suffix) / wanted.filename();
      const fs::path target = folder_ / name;
      bool free = lies_inside(target, folder_) && there(source, target) != There::other;
      for (const fs::path& companion : with)
        free = free && lies_inside(target.parent_path() / companion, folder_) &&
               there(source.parent_path() / companion, target.parent_path() / companion) != There::other;
      if (!free) continue;
      if (Status status = copy_one(source, target); !status.ok()) return status.diagnostics();
      for (const fs::path& companion : with)
        if (Status status = copy_one(source.parent_path() / companion, target.parent_path() / companion); !status.ok())
          return status.diagnostics();
      return name.generic_string();
    }
  }

  /// Its file is gone: what is in memory is all there is of it. The name under which it lies beside the scene now.
  Result<std::string> write_from_memory(const MeshReference& mesh) {
    const std::string stem = fs::path(mesh.file).stem().string();
    for (int number = 1;; ++number) {
      const std::vector<NamedBytes> files =
          mesh_as_files(*mesh.mesh, number == 1 ? stem : stem + "-" + std::to_string(number));
      // Another file of that name is never overwritten; the same of an earlier save is left as it is.
      std::error_code error;
      const bool free = std::all_of(files.begin(), files.end(), [&](const NamedBytes& file) {
        if (!fs::exists(folder_ / file.name, error)) return true;
        const Result<std::string> old = read_whole_file(folder_ / file.name, kMaxWrittenMesh);
        return old.ok() && *old == file.bytes;
      });
      if (!free) continue;
      for (const NamedBytes& file : files) {
        if (fs::exists(folder_ / file.name, error)) continue;
        if (Status status = write_file_atomically(folder_ / file.name, file.bytes); !status.ok())
          return status.diagnostics();
        written_.push_back(folder_ / file.name);
      }
      return files.front().name;
    }
  }

  fs::path folder_;
  std::map<std::pair<std::string, std::string>, std::string> done_;
  std::vector<fs::path> written_;
  std::vector<std::string> lost_;  // companions of the mesh that was brought last
  bool kept_ = false;
};

/// Back from find_pictures(): a picture in the folder or below goes with it to other places.
void name_pictures(Scene& scene, const fs::path& folder) {
  std::error_code error;
  const fs::path from = fs::absolute(folder, error).lexically_normal();
  for (auto& camera : scene.cameras) {
    const fs::path name(camera->picture.file);
    if (!name.is_absolute()) continue;
    const std::string way = name.lexically_normal().lexically_relative(from).generic_string();
    if (stays_beside_scene(way)) camera = camera.edited([&](Camera& c) { c.picture.file = way; });
  }
}

}  // namespace

bool same_reading(const MeshSettings& a, const MeshSettings& b) {
  MeshSettings like_b = a;
  like_b.textures = b.textures;  // read in any case
  return like_b == b;
}

bool lies_inside(const fs::path& file, const fs::path& folder) {
  std::error_code error;
  const fs::path whole = fs::weakly_canonical(fs::absolute(file, error), error);
  const fs::path within = fs::weakly_canonical(fs::absolute(folder, error), error);
  const fs::path way = whole.lexically_relative(within);
  return !way.empty() && *way.begin() != "..";
}

bool stays_beside_scene(std::string_view mesh_file) {
  if (mesh_file.empty() || mesh_file.find_first_of(std::string_view("\\\0", 2)) != std::string_view::npos) return false;
  const fs::path path(mesh_file);
  return path.is_relative() && path.has_filename() && std::find(path.begin(), path.end(), "..") == path.end();
}

Diagnostics resolve_meshes(Scene& scene, const fs::path& folder) { return MeshReader(folder).run(scene, true, {}); }

Result<Scene> scene_from_text(std::string_view text, const fs::path& folder) {
  return read_with_meshes(text, folder, {});
}

Result<Scene> part_from_text(std::string_view text) {
  Result<Scene> read = read_without_meshes(text);
  if (!read.ok()) return read;
  Diagnostics warnings = read.diagnostics();
  Scene part = std::move(read).value();
  part.sounds.clear();  // no part has them; files that a stranger names would be copied on save
  return {std::move(part), std::move(warnings)};
}

Result<Scene> load_scene(const fs::path& file) {
  Result<std::string> text = read_whole_file(file, kMaxSceneBytes);
  if (!text.ok()) return text.diagnostics();
  return read_with_meshes(*text, file.parent_path(), file);
}

Status save_scene(const Scene& scene, const fs::path& file, const std::function<bool(double)>& going) {
  if (Diagnostics problems = validate(scene); has_error(problems)) return problems;
  std::error_code error;
  const fs::path folder = file.parent_path().empty() ? fs::path(".") : file.parent_path();
  if (!fs::is_directory(folder, error))
    return Diagnostic{Severity::error, file.string(), "The file cannot be written: its folder does not exist.",
                      "Save to another folder."};
  MeshCopier copier(folder);
  Result<Scene> prepared = copier.run(scene);
  if (!prepared.ok()) return prepared.diagnostics();
  Scene named = std::move(prepared).value();
  name_pictures(named, folder);
  const Diagnostic called_off{Severity::error, file.string(), "Saving was called off.", ""};
  if (going && !going(0)) return called_off;
  SoundCopier sounds(folder, going);
  const Status brought = sounds.run(named);
  if (!brought.ok()) return brought.diagnostics();
  const std::string text = scene_to_text(named);
  if (text.size() > kMaxSceneBytes)
    return Diagnostic{Severity::error, file.string(), "The scene is larger than 64 MiB and could not be read back.",
                      "Remove objects and save again."};
  if (going && !going(1)) return called_off;
  Status written = write_file_atomically(file, text);
  if (!written.ok()) return written;
  copier.keep();
  sounds.keep();
  Diagnostics warnings = prepared.diagnostics();
  warnings.insert(warnings.end(), brought.diagnostics().begin(), brought.diagnostics().end());
  return {Done{}, std::move(warnings)};
}

}  // namespace hazumi
