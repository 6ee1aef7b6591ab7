// PLY 1.0, binary little endian: all display models of a frame in one mesh; every face carries the id of its object, and
// comment lines say which name an id has. Metres, y up.
#include <bit>
#include <cstring>

#include "core/export/text_sink.h"

namespace hazumi {

namespace {

static_assert(std::endian::native == std::endian::little, "bytes are copied as they are in memory");

template <class T>
void append_raw(std::string& text, T value) {
  char raw[sizeof(T)];
  std::memcpy(raw, &value, sizeof(T));
  text.append(raw, sizeof(T));
}

std::string one_line(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  return text;
}

std::string bytes(const Scene& scene, const Frame& frame, const std::optional<Id>& wanted, MeshCache& meshes) {
  const std::vector<WorldMesh> worlds = world_meshes(scene, frame, wanted, meshes);
  std::size_t vertices = 0, faces = 0;
  std::string text = "ply\nformat binary_little_endian 1.0\ncomment Hazumi, frame " + std::to_string(frame.index) + "\n";
  for (const WorldMesh& world : worlds) {
    vertices += world.positions.size();
    faces += world.mesh->faces.size();
    text += "comment object " + std::to_string(world.object->id.value) + " " + one_line(world.object->name) + "\n";
  }
  text += "element vertex " + std::to_string(vertices) +
          "\nproperty float x\nproperty float y\nproperty float z\nproperty float nx\nproperty float ny\n"
          "property float nz\nelement face " +
          std::to_string(faces) + "\nproperty list uchar uint vertex_indices\nproperty uint object\nend_header\n";
  text.reserve(text.size() + vertices * 24 + faces * 17);
  for (const WorldMesh& world : worlds)
    for (std::size_t v = 0; v < world.positions.size(); ++v) {
      for (int i = 0; i < 3; ++i) append_raw(text, world.positions[v][i]);
      for (int i = 0; i < 3; ++i) append_raw(text, world.normals[v][i]);
    }
  std::uint32_t first = 0;
  for (const WorldMesh& world : worlds) {
    for (const auto& face : world.mesh->faces) {
      append_raw(text, std::uint8_t{3});
      for (std::uint32_t v : face) append_raw(text, v + first);
      append_raw(text, static_cast<std::uint32_t>(world.object->id.value));
    }
    first += static_cast<std::uint32_t>(world.positions.size());
  }
  return text;
}

Result<std::unique_ptr<FrameSink>> make(const ExportTarget& target) {
  auto meshes = std::make_shared<MeshCache>();
  return make_file_sink(target.pattern, [meshes, wanted = target.object](const Scene& scene, const Frame& frame) {
    return bytes(scene, frame, wanted, *meshes);
  });
}

}  // namespace

const ExportFormatInfo& export_ply() {
  static const ExportFormatInfo info{"ply", "Stanford PLY", ".ply", "Display models in world space, as one binary mesh.",
                                     make};
  return info;
}

}  // namespace hazumi
