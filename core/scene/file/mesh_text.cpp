#include "core/scene/file/mesh_text.h"

#include <algorithm>
#include <charconv>
#include <filesystem>

namespace hazumi {

namespace {

/// Names in OBJ and MTL end at a blank for many readers.
std::string word(std::string text, const char* if_empty) {
  if (text.empty()) return if_empty;
  for (char& c : text)
    if (static_cast<unsigned char>(c) <= ' ' || c == '#' || c == '/' || c == '\\') c = '_';
  return text;
}

void append(std::string& text, double value) {
  char digits[32];
  text += ' ';
  text.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

template <class Vector>
void line(std::string& text, const char* key, const Vector& values) {
  text += key;
  for (const auto& value : values) append(text, static_cast<double>(value));
  text += '\n';
}

std::string material_name(std::size_t part) { return "material" + std::to_string(part + 1); }

std::string library(const DisplayMesh& mesh, const std::vector<std::string>& textures) {
  std::string text;
  for (std::size_t i = 0; i < mesh.parts.size(); ++i) {
    const Part& part = mesh.parts[i];
    const Surface surface = part.surface.value_or(Surface{});
    text += "newmtl " + material_name(i) + "\n";
    line(text, "Ka", surface.ambient);
    line(text, "Kd", surface.diffuse);
    line(text, "Ks", surface.specular);
    line(text, "Ns", std::array{surface.shininess});
    line(text, "d", std::array{surface.opacity});
    const auto texture = static_cast<std::size_t>(part.texture);
    if (part.texture >= 0 && texture < textures.size()) text += "map_Kd " + textures[texture] + "\n";
  }
  return text;
}

}  // namespace

std::vector<NamedBytes> mesh_as_files(const DisplayMesh& mesh, const std::string& stem) {
  const std::string base = word(stem, "mesh");
  std::vector<std::string> textures;
  for (const auto& texture : mesh.textures)
    textures.push_back(base + "-texture" + std::to_string(textures.size() + 1) +
                       std::filesystem::path(texture->name).extension().string());
  std::string text = "mtllib " + base + ".mtl\n";
  const bool coloured = mesh.looks.size() == mesh.positions.size();
  for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
    text += 'v';
    for (const double x : mesh.positions[i]) append(text, x);
    if (coloured)
      for (const float c : mesh.looks[i].diffuse) append(text, static_cast<double>(c));
    text += '\n';
  }
  for (const Vec2& t : mesh.texture) line(text, "vt", t);
  for (const Vec3& n : mesh.normals) line(text, "vn", n);
  const bool mapped = mesh.texture.size() == mesh.positions.size(),
             smooth = mesh.normals.size() == mesh.positions.size();
  for (std::size_t i = 0; i < mesh.parts.size(); ++i) {
    const Part& part = mesh.parts[i];
    text += "o " + word(part.name, "part") + "\n";
    if (part.surface || part.texture >= 0) text += "usemtl " + material_name(i) + "\n";
    for (std::uint32_t f = part.first_face; f < part.first_face + part.face_count; ++f) {
      text += 'f';
      for (const std::uint32_t v : mesh.faces[f]) {
        const std::string number = std::to_string(v + 1);
        text += ' ' + number;
        if (mapped || smooth) text += '/';
        if (mapped) text += number;
        if (smooth) text += '/' + number;
      }
      text += '\n';
    }
  }
  std::vector<NamedBytes> files{{base + ".obj", std::move(text)}, {base + ".mtl", library(mesh, textures)}};
  for (std::size_t i = 0; i < textures.size(); ++i)
    files.push_back({textures[i], std::string(mesh.textures[i]->bytes.begin(), mesh.textures[i]->bytes.end())});
  return files;
}

}  // namespace hazumi
