#include "core/export/text_sink.h"

#include <algorithm>
#include <charconv>

#include "core/export/tracked_skins.h"
#include "core/scene/derived/collections.h"

namespace hazumi {

namespace {

class FileSink final : public FrameSink {
 public:
  FileSink(std::string pattern, FrameBytes bytes) : pattern_(std::move(pattern)), bytes_(std::move(bytes)) {}
  std::filesystem::path path(int frame) const override {
    const auto path = frame_path(pattern_, frame);
    return path ? path.value() : std::filesystem::path();
  }
  Status write(const Scene& scene, const Frame& frame) override {
    const auto path = frame_path(pattern_, frame.index);
    if (!path) return path.diagnostics();
    return write_whole_file(path.value(), bytes_(scene, frame));
  }

 private:
  std::string pattern_;
  FrameBytes bytes_;
};

template <class Number>
void append(std::string& text, Number number) {
  char buffer[40];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, number).ptr;
  text.append(buffer, end);
}

}  // namespace

const ExportFormatInfo* find_export_format(std::string_view name) {
  for (const ExportFormatInfo* format : export_formats())
    if (format->name == name) return format;
  return nullptr;
}

Result<std::filesystem::path> output_path(const ExportFormatInfo& format, const std::string& pattern, int frame) {
  return format.one_file ? clip_path(pattern) : frame_path(pattern, frame);
}

void append_number(std::string& text, float number) { append(text, number); }
void append_number(std::string& text, double number) { append(text, number); }

void append_vector(std::string& text, const Vec3f& v, char separator) {
  for (int i = 0; i < 3; ++i) {
    if (i) text += separator;
    append(text, v[i]);
  }
}

std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

Result<std::unique_ptr<FrameSink>> make_file_sink(const std::string& pattern, FrameBytes bytes) {
  const auto path = frame_path(pattern, 0);
  if (!path) return path.diagnostics();
  return std::unique_ptr<FrameSink>(std::make_unique<FileSink>(pattern, std::move(bytes)));
}

std::vector<std::pair<const Object*, const ObjectFrame*>> wanted_objects(const Scene& scene, const Frame& frame,
                                                                         const std::optional<Id>& wanted) {
  std::vector<std::pair<const Object*, const ObjectFrame*>> out;
  const Standing standing(scene);
  for (const auto& object : scene.objects) {
    if (wanted ? object->id != *wanted : !standing.visible(*object)) continue;
    const ObjectFrame* moved = frame.find(object->id);
    if (moved && !moved->present) continue;
    out.emplace_back(object.get(), moved);
  }
  std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.first->id < b.first->id; });
  return out;
}

std::vector<WorldMesh> world_meshes(const Scene& scene, const Frame& frame, const std::optional<Id>& wanted,
                                    MeshStore& meshes) {
  std::vector<WorldMesh> out;
  Executor alone;
  for (const auto& [object, moved] : wanted_objects(scene, frame, wanted)) {
    WorldMesh world;
    world.object = object;
    world.mesh = meshes.get(*object, alone);
    if (moved && moved->surface) world.mesh = moved->surface;
    if (world.mesh->empty()) continue;
    const std::size_t n = world.mesh->positions.size();
    if (moved && moved->deformed && moved->vertices.size() == n) {
      world.positions = moved->vertices;
      world.normals = moved->normals;
    } else {
      const Vec3 position = moved ? moved->position.cast<double>().eval() : object->transform.position;
      const Quat rotation = moved ? moved->rotation.cast<double>() : object->transform.rotation;
      const Mat3 turn = rotation.normalized().toRotationMatrix();
      world.positions.reserve(n);
      world.normals.reserve(n);
      for (const Vec3& p : world.mesh->positions) world.positions.push_back((position + turn * p).cast<float>());
      for (const Vec3& normal : world.mesh->normals) world.normals.push_back((turn * normal).cast<float>());
    }
    out.push_back(std::move(world));
  }
  return out;
}

std::span<const ExportOption> surface_options() {
  static constexpr std::string_view kAxes[] = {"y", "z"};
  static constexpr ExportOption kRows[] = {
      {"up", "Up axis", "Which axis of the file points up.", OptionType::choice, 0, 0, 1, "", kAxes},
      {"scale", "Scale", "File units per metre: 100 for a program that counts in centimetres.", OptionType::number, 1,
       1e-6, 1e6},
      {"tracked", "Keep vertices",
       "Metaballs that go with bones: the surface keeps its vertices from frame to frame, between changes of topology. "
       "Off: each frame has "
       "triangles of its own.",
       OptionType::boolean, 1},
  };
  return kRows;
}

std::span<const ExportOption> mesh_options() { return surface_options().first(2); }

void place(std::vector<WorldMesh>& worlds, const ExportValues& values) {
  const bool z_up = option_value(mesh_options(), values, "up") == 1;
  const double scale = option_value(mesh_options(), values, "scale");
  for (WorldMesh& world : worlds) {
    if (z_up)  // a quarter turn about x: y comes to z, z to -y
      for (std::vector<Vec3f>* list : {&world.positions, &world.normals, &world.velocities})
        for (Vec3f& v : *list) v = Vec3f(v.x(), -v.z(), v.y());
    if (scale != 1)
      for (std::vector<Vec3f>* list : {&world.positions, &world.velocities})
        for (Vec3f& p : *list) p = (scale * p.cast<double>()).cast<float>();
  }
}

namespace {

/// Writes the file of a frame when the next one is known: velocities ask for it.
class TrackedSink final : public FrameSink {
 public:
  TrackedSink(const ExportTarget& target, MeshBytes bytes) : target_(target), bytes_(std::move(bytes)) {}
  std::filesystem::path path(int frame) const override {
    const auto path = frame_path(target_.pattern, frame);
    return path ? path.value() : std::filesystem::path();
  }
  bool follows(const Scene& scene) const override {
    return option_value(surface_options(), target_.values, "tracked") != 0 && TrackedSkins::any(scene, target_.object);
  }
  Status write(const Scene& scene, const Frame& frame) override {
    std::vector<WorldMesh> worlds = world_meshes(scene, frame, target_.object, *target_.meshes);
    if (!follows(scene)) return put(frame.index, std::move(worlds));
    if (!skins_) skins_ = std::make_unique<TrackedSkins>();
    Held next{frame.index, frame.index / scene.settings.frame_rate, std::move(worlds)};
    track(skins_->add(scene, frame, target_.object));
    Status written = Done{};
    if (latest_) {
      std::vector<WorldMesh> done = latest_->worlds;
      add_velocities(done, &next);
      written = put(latest_->frame, std::move(done));
    }
    before_ = std::move(latest_);
    latest_ = std::move(next);
    return written;
  }
  Status finish(const Scene& scene, const FrameRange&, const FrameCues*) override {
    if (!latest_) return Done{};
    track(skins_->finish());
    add_velocities(latest_->worlds, nullptr);
    const Status written = put(latest_->frame, std::move(latest_->worlds));
    Diagnostics told = written.diagnostics();
    changes_ = skins_->changes();
    before_.reset();
    latest_.reset();
    skins_.reset();
    if (!written) return told;
    const Diagnostics notes = notes_of(changes_, scene);
    told.insert(told.end(), notes.begin(), notes.end());
    return Status(Done{}, std::move(told));
  }
  std::vector<MeshChange> changes() const override { return changes_; }

 private:
  struct Held {
    int frame = 0;
    double time = 0;  ///< s
    std::vector<WorldMesh> worlds;
  };

  /// Puts tracked surfaces in the place of the frame's own.
  void track(std::vector<TrackedSkins::Skin> skins) {
    for (TrackedSkins::Skin& skin : skins)
      for (WorldMesh& world : latest_->worlds) {
        if (world.object->id != skin.object) continue;
        world.mesh = skin.mesh;
        world.positions.clear();
        for (const Vec3& p : skin.at.positions) world.positions.push_back(p.cast<float>());
        world.normals = std::move(skin.at.normals);
        world.velocities = std::move(skin.at.velocities);
      }
  }

  static const WorldMesh* same(const Held* held, const WorldMesh& world) {
    if (held == nullptr) return nullptr;
    for (const WorldMesh& other : held->worlds)
      if (other.object->id == world.object->id && other.positions.size() == world.positions.size()) return &other;
    return nullptr;
  }
  /// Of all that is not tracked: differences of the frames around it.
  void add_velocities(std::vector<WorldMesh>& worlds, const Held* next) const {
    for (WorldMesh& world : worlds) {
      if (!world.velocities.empty() || world.positions.empty()) continue;
      world.velocities.assign(world.positions.size(), Vec3f::Zero());
      const WorldMesh *from = same(before_ ? &*before_ : nullptr, world), *to = same(next, world);
      const double begin = from ? before_->time : latest_->time, end = to ? next->time : latest_->time;
      if (!(end > begin)) continue;
      for (std::size_t v = 0; v < world.positions.size(); ++v) {
        const Vec3f &a = from ? from->positions[v] : world.positions[v],
                    &b = to ? to->positions[v] : world.positions[v];
        world.velocities[v] = ((b - a).cast<double>() / (end - begin)).cast<float>();
      }
    }
  }

  Status put(int index, std::vector<WorldMesh> worlds) const {
    const auto path = frame_path(target_.pattern, index);
    if (!path) return path.diagnostics();
    place(worlds, target_.values);
    Frame numbered;
    numbered.index = index;
    return write_whole_file(path.value(), bytes_(numbered, worlds));
  }

  ExportTarget target_;
  MeshBytes bytes_;
  std::unique_ptr<TrackedSkins> skins_;
  std::vector<MeshChange> changes_;
  std::optional<Held> before_, latest_;
};

}  // namespace

Result<std::unique_ptr<FrameSink>> make_mesh_sink(const ExportTarget& target, MeshBytes bytes) {
  const auto path = frame_path(target.pattern, 0);
  if (!path) return path.diagnostics();
  return std::unique_ptr<FrameSink>(std::make_unique<TrackedSink>(target, std::move(bytes)));
}

}  // namespace hazumi
