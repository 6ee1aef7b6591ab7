#include "core/export/text_sink.h"

#include <algorithm>
#include <charconv>

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

std::span<const ExportOption> mesh_options() {
  static constexpr std::string_view kAxes[] = {"y", "z"};
  static constexpr ExportOption kRows[] = {
      {"up", "Up axis", "Which axis of the file points up.", OptionType::choice, 0, 0, 1, "", kAxes},
      {"scale", "Scale", "File units per metre: 100 for a program that counts in centimetres.", OptionType::number, 1,
       1e-6, 1e6},
  };
  return kRows;
}

void place(std::vector<WorldMesh>& worlds, const ExportValues& values) {
  const bool z_up = option_value(mesh_options(), values, "up") == 1;
  const double scale = option_value(mesh_options(), values, "scale");
  for (WorldMesh& world : worlds) {
    if (z_up)  // a quarter turn about x: y comes to z, z to -y
      for (std::vector<Vec3f>* list : {&world.positions, &world.normals})
        for (Vec3f& v : *list) v = Vec3f(v.x(), -v.z(), v.y());
    if (scale != 1)
      for (Vec3f& p : world.positions) p = (scale * p.cast<double>()).cast<float>();
  }
}

Result<std::unique_ptr<FrameSink>> make_mesh_sink(const ExportTarget& target, MeshBytes bytes) {
  return make_file_sink(target.pattern, [target, bytes](const Scene& scene, const Frame& frame) {
    std::vector<WorldMesh> worlds = world_meshes(scene, frame, target.object, *target.meshes);
    place(worlds, target.values);
    return bytes(frame, worlds);
  });
}

}  // namespace hazumi
