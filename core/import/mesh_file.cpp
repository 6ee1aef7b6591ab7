#include "core/import/mesh_file.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <exception>
#include <fstream>
#include <sstream>

#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <assimp/IOSystem.hpp>
#include <assimp/Importer.hpp>

namespace hazumi {

namespace {

constexpr std::uintmax_t kMaxBytes = std::uintmax_t{256} << 20;
constexpr std::size_t kMaxVertices = 2'000'000, kMaxFaces = 4'000'000;
constexpr std::size_t kMaxPlyHeader = 65'536;
constexpr float kLargest = 1e9f;
constexpr float kCreaseAngle = 60.0f;  // degrees
constexpr std::array<std::string_view, 4> kEndings = {"obj", "ply", "stl", "off"};

/// A mesh file is data, not a program: whatever other file it names stays closed.
class NoOtherFiles : public Assimp::IOSystem {
 public:
  bool Exists(const char*) const override { return false; }
  char getOsSeparator() const override { return '/'; }
  Assimp::IOStream* Open(const char*, const char*) override { return nullptr; }
  void Close(Assimp::IOStream*) override {}
};

std::string ending_of(const std::filesystem::path& file) {
  std::string ending = file.extension().string();
  if (!ending.empty()) ending.erase(0, 1);
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return ending;
}

Diagnostic problem(const std::filesystem::path& file, std::string message) {
  return {Severity::error, file.filename().string(), std::move(message), "Pick another mesh file."};
}

/// The whole file, or the reason why not.
Result<std::string> read_bytes(const std::filesystem::path& file) {
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  if (!std::filesystem::exists(status)) return problem(file, "The file does not exist.");
  if (!std::filesystem::is_regular_file(status)) return problem(file, "This is not a file.");
  const std::uintmax_t size = std::filesystem::file_size(file, error);
  if (error) return problem(file, "The file cannot be read: " + error.message() + ".");
  if (size == 0) return problem(file, "The file is empty.");
  if (size > kMaxBytes) return problem(file, "The file is larger than 256 MiB.");
  std::ifstream in(file, std::ios::binary);
  std::string bytes(size, '\0');
  if (!in || !in.read(bytes.data(), static_cast<std::streamsize>(size)))
    return problem(file, "The file cannot be read.");
  return bytes;
}

/// Assimp 5.2 trusts the header of a PLY file: without its end it reads for ever, and it reserves memory for
/// as many elements as are promised. So the header is looked at first; every element takes at least one byte.
std::string ply_problem(std::string_view bytes) {
  if (!bytes.starts_with("ply")) return "The file does not start like a PLY file.";
  const std::size_t end = bytes.substr(0, kMaxPlyHeader).find("\nend_header");
  if (end == std::string_view::npos) return "The header of the PLY file has no end.";
  std::istringstream header(std::string(bytes.substr(0, end)));
  std::uintmax_t promised = 0;
  for (std::string line; std::getline(header, line);) {
    std::istringstream words(line);
    std::string keyword, name;
    std::uintmax_t count = 0;
    if (!(words >> keyword) || keyword != "element") continue;
    if (!(words >> name >> count) || count > bytes.size()) return "The PLY file promises more than it holds.";
    promised += count;
  }
  return promised > bytes.size() ? "The PLY file promises more than it holds." : "";
}

/// A binary STL file has 80 bytes of title, the number of triangles, and 50 bytes for each.
std::string stl_problem(std::string_view bytes) {
  const std::size_t start = bytes.find_first_not_of(" \t\r\n");
  if (start != std::string_view::npos && bytes.substr(start).starts_with("solid") &&
      bytes.find("facet") != std::string_view::npos)
    return "";
  if (bytes.size() < 84) return "The STL file is cut off.";
  std::uint32_t count = 0;
  for (std::size_t i = 0; i < 4; ++i)
    count |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[80 + i])) << (8 * i);
  return 84 + std::uintmax_t{50} * count > bytes.size() ? "The STL file is cut off." : "";
}

/// Appends one mesh of the file as a part; the sentence says what is wrong, "" nothing.
std::string append(const aiMesh& from, DisplayMesh& mesh) {
  if (mesh.positions.size() + from.mNumVertices > kMaxVertices)
    return "The mesh has more than 2,000,000 vertices.";
  if (mesh.faces.size() + from.mNumFaces > kMaxFaces) return "The mesh has more than 4,000,000 triangles.";
  const auto base = static_cast<std::uint32_t>(mesh.positions.size());
  for (unsigned v = 0; v < from.mNumVertices; ++v) {
    const aiVector3D& p = from.mVertices[v];
    for (float x : {p.x, p.y, p.z})
      if (!(std::abs(x) <= kLargest))
        return "The mesh has a vertex that is not at a finite place within ±1e9 m.";
    mesh.positions.emplace_back(p.x, p.y, p.z);
    const aiVector3D n = from.HasNormals() ? from.mNormals[v] : aiVector3D(0, 0, 0);
    mesh.normals.emplace_back(n.x, n.y, n.z);
    const aiVector3D t = from.HasTextureCoords(0) ? from.mTextureCoords[0][v] : aiVector3D(0, 0, 0);
    mesh.texture.emplace_back(t.x, t.y);
  }
  Part part{from.mName.C_Str(), static_cast<std::uint32_t>(mesh.faces.size()), 0};
  for (unsigned f = 0; f < from.mNumFaces; ++f) {
    const aiFace& face = from.mFaces[f];
    if (face.mNumIndices != 3) continue;
    std::array<std::uint32_t, 3> corners{};
    for (unsigned i = 0; i < 3; ++i) {
      if (face.mIndices[i] >= from.mNumVertices)
        return "The mesh has a face with a vertex that does not exist.";
      corners[i] = base + face.mIndices[i];
    }
    mesh.faces.push_back(corners);
    ++part.face_count;
  }
  if (part.face_count > 0) mesh.parts.push_back(std::move(part));
  return {};
}

/// Normals as read where they are unit vectors or can be made so; else all of them anew from the faces.
void repair_normals(DisplayMesh& mesh) {
  for (Vec3& n : mesh.normals) {
    const double length = n.norm();
    if (!(length > 1e-6) || !std::isfinite(length)) {
      compute_normals(mesh);
      return;
    }
    n /= length;
  }
}

Result<ImportedMesh> read_mesh(const std::filesystem::path& file, const std::string& bytes,
                               const std::string& ending) {
  Assimp::Importer importer;
  importer.SetIOHandler(new NoOtherFiles);  // the importer owns it
  importer.SetPropertyFloat(AI_CONFIG_PP_GSN_MAX_SMOOTHING_ANGLE, kCreaseAngle);
  importer.SetPropertyInteger(AI_CONFIG_PP_SBP_REMOVE, aiPrimitiveType_POINT | aiPrimitiveType_LINE);
  unsigned flags = aiProcess_Triangulate | aiProcess_JoinIdenticalVertices | aiProcess_GenSmoothNormals |
                   aiProcess_SortByPType;
  // STL has one normal per triangle and no shared vertices: smooth surfaces would look faceted.
  if (ending == "stl") flags |= aiProcess_DropNormals;
  const aiScene* scene = importer.ReadFileFromMemory(bytes.data(), bytes.size(), flags, ending.c_str());
  if (scene == nullptr) {
    std::string reason = importer.GetErrorString();
    while (!reason.empty() && (reason.back() == '.' || reason.back() == '\n')) reason.pop_back();
    return problem(file,
                   "The file is not a readable mesh" + (reason.empty() ? "" : " (" + reason + ")") + ".");
  }
  DisplayMesh mesh;
  bool textured = scene->mNumMeshes > 0;
  for (unsigned i = 0; i < scene->mNumMeshes; ++i) {
    textured = textured && scene->mMeshes[i]->HasTextureCoords(0);
    if (std::string reason = append(*scene->mMeshes[i], mesh); !reason.empty()) return problem(file, reason);
  }
  if (mesh.faces.empty()) return problem(file, "The file holds no faces.");
  if (!textured) mesh.texture.clear();
  repair_normals(mesh);
  MeshReport report;
  report.vertices = mesh.positions.size();
  report.faces = mesh.faces.size();
  report.parts = mesh.parts.size();
  report.size = bounds(mesh).size();
  return ImportedMesh{std::move(mesh), std::move(report)};
}

}  // namespace

Result<ImportedMesh> load_mesh_file(const std::filesystem::path& file, const MeshSettings&) {
  const std::string ending = ending_of(file);
  if (!is_mesh_file_name(file)) return problem(file, "Meshes are read from OBJ, PLY, STL and OFF files.");
  Result<std::string> bytes = read_bytes(file);
  if (!bytes.ok()) return bytes.diagnostics();
  const std::string damage = ending == "ply"   ? ply_problem(*bytes)
                             : ending == "stl" ? stl_problem(*bytes)
                                               : "";
  if (!damage.empty()) return problem(file, damage);
  try {
    return read_mesh(file, *bytes, ending);
  } catch (const std::exception& error) {
    return problem(file, std::string("The file is not a readable mesh (") + error.what() + ").");
  }
}

bool is_mesh_file_name(const std::filesystem::path& file) {
  return std::find(kEndings.begin(), kEndings.end(), ending_of(file)) != kEndings.end();
}

std::string_view mesh_file_patterns() { return "*.obj *.ply *.stl *.off"; }

}  // namespace hazumi
