// PLY 1.0, binary little endian: all display models of a frame in one mesh. Vertices carry colours: their own (metaballs), or
// the diffuse colour of the part that uses them; and texture coordinates s, t where a model has some; velocities vx, vy, vz (m/s) where surfaces are tracked (tracked_skins.h). Every face carries the id
// of its object and the number of its part, and comment lines say which names these have. Metres and y up unless
// the options say otherwise.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include "core/export/text_sink.h"
#include "core/scene/values/materials.h"

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

using Bytes3 = std::array<std::uint8_t, 3>;

template <class Vector>
Bytes3 colour_bytes(const Vector& colour) {
  Bytes3 bytes{};
  for (int i = 0; i < 3; ++i)
    bytes[static_cast<std::size_t>(i)] =
        static_cast<std::uint8_t>(std::lround(255 * std::clamp(static_cast<double>(colour[i]), 0.0, 1.0)));
  return bytes;
}

/// A vertex of two parts has the colour of the later one.
std::vector<Bytes3> vertex_colours(const Object& object, const DisplayMesh& mesh) {
  std::vector<Bytes3> colours(mesh.positions.size(), colour_bytes(object.material.surface.diffuse));
  if (mesh.looks.size() == mesh.positions.size()) {
    for (std::size_t i = 0; i < colours.size(); ++i) colours[i] = colour_bytes(mesh.looks[i].diffuse);
    return colours;
  }
  for (const Part& part : mesh.parts) {
    const Material& material = material_of_part(object, part.name);
    if (&material == &object.material) continue;
    const Bytes3 colour = colour_bytes(material.surface.diffuse);
    for (std::uint32_t f = part.first_face; f < part.first_face + part.face_count; ++f)
      for (const std::uint32_t v : mesh.faces[f]) colours[v] = colour;
  }
  return colours;
}

std::string ply_bytes(const Frame& frame, const std::vector<WorldMesh>& worlds) {
  std::size_t vertices = 0, faces = 0;
  bool pictured = false, moving = !worlds.empty();
  std::string text =
      "ply\nformat binary_little_endian 1.0\ncomment Hazumi, frame " + std::to_string(frame.index) + "\n";
  for (const WorldMesh& world : worlds) {
    vertices += world.positions.size();
    faces += world.mesh->faces.size();
    const std::string id = std::to_string(world.object->id.value);
    text += "comment object " + id + " " + one_line(world.object->name) + "\n";
    for (std::size_t part = 0; part < world.mesh->parts.size(); ++part)
      text += "comment part " + id + " " + std::to_string(part) + " " + one_line(world.mesh->parts[part].name) + "\n";
    moving = moving && world.velocities.size() == world.positions.size();
    pictured = pictured || (!world.mesh->texture.empty() && world.mesh->texture.size() == world.positions.size());
  }
  text += "element vertex " + std::to_string(vertices) +
          "\nproperty float x\nproperty float y\nproperty float z\nproperty float nx\nproperty float ny\n"
          "property float nz\nproperty uchar red\nproperty uchar green\nproperty uchar blue\n" +
          (pictured ? "property float s\nproperty float t\n" : "") +
          (moving ? "property float vx\nproperty float vy\nproperty float vz\n" : "") + "element face " +
          std::to_string(faces) +
          "\nproperty list uchar uint vertex_indices\nproperty uint object\nproperty uint part\nend_header\n";
  text.reserve(text.size() + vertices * 35 + faces * 21);
  for (const WorldMesh& world : worlds) {
    const std::vector<Bytes3> colours = vertex_colours(*world.object, *world.mesh);
    const std::vector<Vec2>& places = world.mesh->texture;
    for (std::size_t v = 0; v < world.positions.size(); ++v) {
      for (int i = 0; i < 3; ++i) append_raw(text, world.positions[v][i]);
      for (int i = 0; i < 3; ++i) append_raw(text, world.normals[v][i]);
      for (const std::uint8_t c : colours[v]) append_raw(text, c);
      for (int i = 0; pictured && i < 2; ++i)
        append_raw(text, v < places.size() ? static_cast<float>(places[v][i]) : 0.0f);
      for (int i = 0; moving && i < 3; ++i) append_raw(text, world.velocities[v][i]);
    }
  }
  std::uint32_t first = 0;
  for (const WorldMesh& world : worlds) {
    std::vector<std::uint32_t> part_of(world.mesh->faces.size(), 0);
    for (std::uint32_t part = 0; part < world.mesh->parts.size(); ++part)
      for (std::uint32_t f = 0; f < world.mesh->parts[part].face_count; ++f)
        part_of[world.mesh->parts[part].first_face + f] = part;
    for (std::size_t f = 0; f < world.mesh->faces.size(); ++f) {
      const auto& face = world.mesh->faces[f];
      append_raw(text, std::uint8_t{3});
      for (std::uint32_t v : face) append_raw(text, v + first);
      append_raw(text, static_cast<std::uint32_t>(world.object->id.value));
      append_raw(text, part_of[f]);
    }
    first += static_cast<std::uint32_t>(world.positions.size());
  }
  return text;
}

Result<std::unique_ptr<FrameSink>> make_ply(const ExportTarget& target) { return make_mesh_sink(target, ply_bytes); }

}  // namespace

const ExportFormatInfo& export_ply() {
  static const ExportFormatInfo info{"ply",
                                     "Stanford PLY",
                                     ".ply",
                                     "Display models in world space, as one binary mesh.",
                                     ExportKind::models,
                                     surface_options(),
                                     make_ply};
  return info;
}

}  // namespace hazumi
