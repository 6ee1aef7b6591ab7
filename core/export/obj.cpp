// Wavefront OBJ: one object block per object, positions, normals and texture coordinates, faces counter-clockwise seen
// from outside, a group for each part. Vertices with colours of their own (metaballs) carry them behind the position, as most
// readers understand. Metres and y up unless the options say otherwise.
#include "core/export/text_sink.h"

namespace hazumi {

namespace {

/// OBJ names end at the first blank for many readers.
std::string obj_name(const std::string& name) {
  std::string text = name.empty() ? "object" : name;
  for (char& c : text)
    if (static_cast<unsigned char>(c) <= ' ' || c == '#') c = '_';
  return text;
}

std::string obj_bytes(const Frame& frame, const std::vector<WorldMesh>& worlds) {
  std::string text = "# Hazumi, frame " + std::to_string(frame.index) + "\n";
  std::size_t first = 1, first_texture = 1;
  for (const WorldMesh& world : worlds) {
    const DisplayMesh& mesh = *world.mesh;
    text += "o " + obj_name(world.object->name) + "\n";
    const bool coloured = mesh.looks.size() == world.positions.size();
    for (std::size_t i = 0; i < world.positions.size(); ++i) {
      text += "v ";
      append_vector(text, world.positions[i], ' ');
      if (coloured) {
        text += ' ';
        append_vector(text, mesh.looks[i].diffuse, ' ');
      }
      text += '\n';
    }
    for (const Vec3f& n : world.normals) {
      text += "vn ";
      append_vector(text, n, ' ');
      text += '\n';
    }
    for (const Vec2& t : mesh.texture) {
      text += "vt ";
      append_number(text, static_cast<float>(t.x()));
      text += ' ';
      append_number(text, static_cast<float>(t.y()));
      text += '\n';
    }
    for (const Part& part : mesh.parts) {
      text += "g " + obj_name(part.name.empty() ? world.object->name : world.object->name + "_" + part.name) + "\n";
      for (std::uint32_t f = part.first_face; f < part.first_face + part.face_count; ++f) {
        text += 'f';
        for (std::uint32_t v : mesh.faces[f]) {
          const std::string number = std::to_string(v + first);
          text += ' ' + number + '/';
          if (!mesh.texture.empty()) text += std::to_string(v + first_texture);
          text += '/' + number;
        }
        text += '\n';
      }
    }
    first += world.positions.size();
    first_texture += mesh.texture.size();
  }
  return text;
}

Result<std::unique_ptr<FrameSink>> make_obj(const ExportTarget& target) { return make_mesh_sink(target, obj_bytes); }

}  // namespace

const ExportFormatInfo& export_obj() {
  static const ExportFormatInfo info{"obj",
                                     "Wavefront OBJ",
                                     ".obj",
                                     "Display models in world space, as text.",
                                     ExportKind::models,
                                     surface_options(),
                                     make_obj};
  return info;
}

}  // namespace hazumi
