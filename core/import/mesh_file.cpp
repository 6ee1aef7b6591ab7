#include "core/import/mesh_file.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "core/import/apart.h"
#include "core/import/assimp_reader.h"
#include "core/import/plain_text.h"
#include "core/import/prepare.h"

namespace hazumi {

namespace {

constexpr std::uintmax_t kMaxBytes = std::uintmax_t{256} << 20;
constexpr std::size_t kMaxPlyHeader = 65'536;
constexpr std::array<std::string_view, 9> kEndings = {"obj", "ply", "stl", "off", "gltf", "glb", "fbx", "dae", "bvh"};

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
  if (is_stl_text(bytes)) return "";
  if (bytes.size() < 84) return "The STL file is cut off.";
  std::uint32_t count = 0;
  for (std::size_t i = 0; i < 4; ++i)
    count |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[80 + i])) << (8 * i);
  return 84 + std::uintmax_t{50} * count > bytes.size() ? "The STL file is cut off." : "";
}

/// Where the file itself does not say: what programs that write this kind usually do.
void guess(const std::string& ending, std::string_view bytes, MeshReport& report) {
  const std::string_view head = bytes.substr(0, 400);
  const bool blender = head.find("Blender") != std::string_view::npos;
  if (!report.up_known && (ending == "stl" || (ending == "ply" && blender))) report.up_guess = UpAxis::z;
  // Printers and machines work in millimetres; nobody prints things of 20 m.
  if (!report.unit_known && ending == "stl" && report.size.maxCoeff() > 20) report.unit_guess = 0.001;
}

std::string reading_problem(ApartEnd end) {
  switch (end) {
    case ApartEnd::too_long:
      return "Reading the file takes too long; it is damaged or too complicated.";
    case ApartEnd::cancelled:
      return "Reading the file was cancelled.";
    case ApartEnd::no_process:
      return "The file cannot be read: the computer has no room for another process.";
    case ApartEnd::no_program:
      return "The file cannot be read: the program hazumi-mesh-reader is missing; install Hazumi again.";
    default:
      return "The file is damaged: it cannot be read to its end.";
  }
}

/// The program that reads for us; tests set another one.
std::filesystem::path reader_program() {
  const char* set = std::getenv("HAZUMI_MESH_READER");
  return set != nullptr && *set != '\0' ? std::filesystem::path(set) : small_program("hazumi-mesh-reader");
}

/// Whether a file has keys, by words that every one with keys has in it.
bool may_move(const std::string& ending, std::string_view bytes) {
  if (ending == "gltf" || ending == "glb") return bytes.find("\"animations\"") != std::string_view::npos;
  if (ending == "fbx") return bytes.find("AnimationCurve") != std::string_view::npos;
  return ending == "bvh";
}

/// What the small program says of a file; `Read`: FileMesh, or ClipFile with "clips" as the last argument. Nothing is counted
/// yet.
template <class Read>
Result<Read> read_apart(const std::filesystem::path& file, std::vector<std::string> more,
                        const std::atomic<bool>* cancel) {
  const std::string ending = ending_of(file);
  if (!is_mesh_file_name(file))
    return problem(file, "Meshes are read from OBJ, PLY, STL, OFF, glTF, GLB, FBX, BVH and Collada (DAE) files.");
  Result<std::string> bytes = read_bytes(file);
  if (!bytes.ok()) return bytes.diagnostics();
  const std::string damage = ending == "ply" ? ply_problem(*bytes) : ending == "stl" ? stl_problem(*bytes) : "";
  if (!damage.empty()) return problem(file, damage);
  Read read;
  std::vector<std::string> arguments{file.string(), ending};
  arguments.insert(arguments.end(), more.begin(), more.end());
  ApartResult answer = run_apart(reader_program(), arguments, ApartLimits{}, cancel);
  if (answer.end == ApartEnd::done && !from_bytes(answer.bytes, read)) answer.end = ApartEnd::crashed;
  if (answer.end != ApartEnd::done) return problem(file, reading_problem(answer.end));
  if (!read.problem.empty()) return problem(file, read.problem);
  MeshReport& report = read.imported.report;
  report.size = bounds(read.imported.mesh).size();
  report.moves = may_move(ending, *bytes);
  guess(ending, *bytes, report);
  return read;
}

/// As read_mesh_file(), but nothing is counted yet.
Result<ImportedMesh> read_uncounted(const std::filesystem::path& file, const std::atomic<bool>* cancel) {
  Result<FileMesh> read = read_apart<FileMesh>(file, {}, cancel);
  if (!read.ok()) return read.diagnostics();
  return std::move(read.value().imported);
}

}  // namespace

Result<ClipFile> read_clip_file(const std::filesystem::path& file, const std::atomic<bool>* cancel) {
  return read_apart<ClipFile>(file, {"clips"}, cancel);
}

namespace {

Result<ImportedMesh> piece_of(const ClipFile& clips, const std::filesystem::path& file, const std::string& piece) {
  const ClipPiece* found = find_piece(clips, piece);
  if (found == nullptr) return problem(file, "The file has no node “" + piece + "” that carries a mesh.");
  return ImportedMesh{piece_mesh(clips, *found), clips.imported.report};
}

Result<ImportedMesh> prepared(Result<ImportedMesh> read, const std::filesystem::path& file,
                              const MeshSettings& settings, const std::atomic<bool>* cancel) {
  if (!read.ok()) return read;
  std::optional<PreparedMesh> made = prepare_mesh(std::move(read).value(), settings, cancel);
  if (!made) return problem(file, reading_problem(ApartEnd::cancelled));
  return ImportedMesh{std::move(made->mesh), std::move(made->report)};
}

}  // namespace

Result<ImportedMesh> read_piece(const std::filesystem::path& file, const std::string& piece,
                                const std::atomic<bool>* cancel) {
  Result<ClipFile> read = read_clip_file(file, cancel);
  if (!read.ok()) return read.diagnostics();
  return piece_of(*read, file, piece);
}

Result<ImportedMesh> load_piece(const ClipFile& clips, const std::filesystem::path& file, const MeshSettings& settings,
                                const std::atomic<bool>* cancel) {
  return prepared(piece_of(clips, file, settings.piece), file, settings, cancel);
}

Result<ImportedMesh> read_mesh_file(const std::filesystem::path& file, const std::atomic<bool>* cancel) {
  Result<ImportedMesh> read = read_uncounted(file, cancel);
  if (read.ok()) count_mesh(read.value().mesh, read.value().report);
  return read;
}

Result<ImportedMesh> load_mesh_file(const std::filesystem::path& file, const MeshSettings& settings,
                                    const std::atomic<bool>* cancel) {
  return prepared(settings.piece.empty() ? read_uncounted(file, cancel) : read_piece(file, settings.piece, cancel),
                  file, settings, cancel);
}

MeshSettings suggested_settings(const MeshReport& report) {
  MeshSettings settings;
  settings.up = report.up_guess;
  settings.scale = report.unit_guess;
  return settings;
}

bool is_mesh_file_name(const std::filesystem::path& file) {
  return std::find(kEndings.begin(), kEndings.end(), ending_of(file)) != kEndings.end();
}

std::string_view mesh_file_patterns() { return "*.obj *.ply *.stl *.off *.gltf *.glb *.fbx *.bvh *.dae"; }

}  // namespace hazumi
