// A FileMesh as bytes, for the way from the reader's process to the program. Both ends are built together:
// the layout is plain memory, but the numbers are checked as if they came from a stranger, because the reader
// may have been overrun.
#include <algorithm>
#include <cmath>

#include "core/import/assimp_reader.h"
#include "core/import/bytes.h"

namespace hazumi {

namespace {

constexpr std::uint64_t kMark = 0x68617a756d693031ULL;

bool finite(const std::vector<Vec3>& values) {
  for (const Vec3& v : values)
    if (!v.allFinite()) return false;
  return true;
}

bool sound(const DisplayMesh& mesh) {
  const std::size_t n = mesh.positions.size();
  if (n > kMostMeshVertices || mesh.faces.empty() || mesh.faces.size() > kMostMeshFaces || mesh.normals.size() != n)
    return false;
  if ((!mesh.texture.empty() && mesh.texture.size() != n) || (!mesh.looks.empty() && mesh.looks.size() != n))
    return false;
  if (!finite(mesh.positions) || !finite(mesh.normals)) return false;
  for (const Vec2& t : mesh.texture)
    if (!t.allFinite()) return false;
  for (const auto& f : mesh.faces)
    for (std::uint32_t v : f)
      if (v >= n) return false;
  std::uint64_t next = 0;
  for (const Part& part : mesh.parts) {
    if (part.first_face != next || part.texture < -1 || part.texture >= static_cast<int>(mesh.textures.size()))
      return false;
    next += part.face_count;
  }
  return next == mesh.faces.size();
}

}  // namespace

std::string to_bytes(const FileMesh& file) {
  ByteWriter w;
  const DisplayMesh& mesh = file.imported.mesh;
  const MeshReport& report = file.imported.report;
  w.number(kMark);
  w.text(file.problem);
  if (!file.problem.empty()) return w.out;
  w.out.reserve(128 + mesh.positions.size() * 112 + mesh.faces.size() * 12);
  w.list(mesh.positions);
  w.list(mesh.normals);
  w.list(mesh.texture);
  w.list(mesh.faces);
  w.list(mesh.looks);
  w.number<std::uint64_t>(mesh.textures.size());
  for (const auto& texture : mesh.textures) {
    w.text(texture->name);
    w.list(texture->bytes);
  }
  w.number<std::uint64_t>(mesh.parts.size());
  for (const Part& part : mesh.parts) {
    w.text(part.name);
    w.number(part.first_face);
    w.number(part.face_count);
    w.number(part.texture);
    w.number<char>(part.surface.has_value());
    if (!part.surface) continue;
    for (const Vec3& colour : {part.surface->ambient, part.surface->diffuse, part.surface->specular})
      for (double x : colour) w.number(x);
    w.number(part.surface->shininess);
    w.number(part.surface->opacity);
  }
  w.number<std::uint64_t>(report.materials);
  w.number<std::uint64_t>(report.textures);
  w.number(report.unit_guess);
  w.number<char>(report.unit_known);
  w.number(static_cast<int>(report.up_guess));
  w.number<char>(report.up_known);
  w.texts(report.companions);
  w.texts(report.warnings);
  return w.out;
}

bool from_bytes(std::string_view bytes, FileMesh& file) {
  ByteReader r(bytes);
  file = {};
  DisplayMesh& mesh = file.imported.mesh;
  MeshReport& report = file.imported.report;
  if (r.number<std::uint64_t>() != kMark) return false;
  file.problem = r.text();
  if (!file.problem.empty()) return r.ended();
  r.list(mesh.positions);
  r.list(mesh.normals);
  r.list(mesh.texture);
  r.list(mesh.faces);
  r.list(mesh.looks);
  const auto textures = r.number<std::uint64_t>();
  for (std::uint64_t i = 0; i < textures && r.good; ++i) {
    auto texture = std::make_shared<TextureFile>();
    texture->name = r.text();
    r.list(texture->bytes);
    mesh.textures.push_back(std::move(texture));
  }
  const auto parts = r.number<std::uint64_t>();
  for (std::uint64_t i = 0; i < parts && r.good; ++i) {
    Part part;
    part.name = r.text();
    part.first_face = r.number<std::uint32_t>();
    part.face_count = r.number<std::uint32_t>();
    part.texture = r.number<int>();
    if (r.number<char>() != 0) {
      Surface surface;
      for (Vec3* colour : {&surface.ambient, &surface.diffuse, &surface.specular})
        for (double& x : *colour) x = std::clamp(r.number<double>(), 0.0, 1.0);
      surface.shininess = std::clamp(r.number<double>(), 0.0, 128.0);
      surface.opacity = std::clamp(r.number<double>(), 0.0, 1.0);
      part.surface = surface;
    }
    mesh.parts.push_back(std::move(part));
  }
  report.materials = r.number<std::uint64_t>();
  report.textures = r.number<std::uint64_t>();
  report.unit_guess = r.number<double>();
  report.unit_known = r.number<char>() != 0;
  const int up = r.number<int>();
  report.up_guess = up == 1 ? UpAxis::z : up == 2 ? UpAxis::x : UpAxis::y;
  report.up_known = r.number<char>() != 0;
  report.companions = r.texts();
  report.warnings = r.texts();
  return r.ended() && std::isfinite(report.unit_guess) && report.unit_guess > 0 && sound(mesh);
}

}  // namespace hazumi
