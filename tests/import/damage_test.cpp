// Damaged and hostile mesh files: one sentence, no crash, no endless wait, nothing read outside the folder.
#include <catch2/catch.hpp>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "core/import/apart.h"
#include "core/import/assimp_reader.h"
#include "core/import/folder_access.h"
#include "core/import/mesh_file.h"
#include "tests/support/sanitized.h"
#include "tests/support/temporary_folder.h"

namespace hazumi::damage_test {

namespace {

namespace fs = std::filesystem;

const fs::path kFiles = HAZUMI_SOURCE_DIR "/tests/import/files";

std::string bytes_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void write(const fs::path& file, const std::string& bytes) {
  fs::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << bytes;
}

/// Says why the answer is not one clear sentence; empty when it is, or when there is a mesh.
std::string fault(const Result<ImportedMesh>& mesh) {
  if (mesh.ok()) {
    for (const auto& f : mesh->mesh.faces)
      for (std::uint32_t v : f)
        if (v >= mesh->mesh.positions.size()) return "a face names a vertex that is not there";
    return mesh->mesh.faces.empty() ? "no faces" : "";
  }
  if (mesh.diagnostics().size() != 1) return "not one message";
  const std::string& text = mesh.error().message;
  if (text.empty() || text.back() != '.' || text.find('\n') != std::string::npos) return "no sentence: " + text;
  return mesh.error().path.empty() ? "no place" : "";
}

const char* kTetrahedron = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

}  // namespace

TEST_CASE("Samples that are cut off or have bytes changed give a mesh or one sentence", "[import][damage]") {
  const test::TemporaryFolder folder;
  std::uint64_t random = 12345;
  const auto below = [&random](std::size_t n) {
    random = random * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<std::size_t>(random >> 33) % n;
  };
  static const int kVariants = test::rounds(16, 2);
  int tried = 0, refused = 0;
  for (const auto& entry : fs::directory_iterator(kFiles)) {
    if (!is_mesh_file_name(entry.path())) continue;
    const std::string whole = bytes_of(entry.path());
    const std::string name = "damaged" + entry.path().extension().string();
    for (int variant = 0; variant < kVariants; ++variant) {
      std::string bytes = whole;
      if (variant % 2 == 0)
        bytes.resize(below(bytes.size()));
      else
        for (std::size_t i = 0; i < 1 + below(8); ++i) bytes[below(bytes.size())] = static_cast<char>(below(256));
      write(folder / name, bytes);
      const Result<ImportedMesh> mesh = read_mesh_file(folder / name);
      INFO(entry.path().filename().string() << " variant " << variant);
      CHECK(fault(mesh) == "");
      ++tried;
      refused += mesh.ok() ? 0 : 1;
    }
  }
  CHECK(tried >= 19 * kVariants);
  CHECK(refused > tried / 5);
}

namespace {

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  REQUIRE(at != std::string::npos);
  return text.replace(at, what.size(), by);
}

std::string number_at(std::string bytes, std::size_t at, std::uint32_t value) {
  REQUIRE(at + 4 <= bytes.size());
  for (std::size_t i = 0; i < 4; ++i) bytes[at + i] = static_cast<char>(value >> (8 * i));
  return bytes;
}

}  // namespace

TEST_CASE("Files that are not what their name says, empty, cut off or with wrong numbers are refused in a sentence",
          "[import][damage]") {
  const test::TemporaryFolder folder;
  const auto refused = [&](const std::string& name, const std::string& bytes, bool mesh_will_do = false) {
    write(folder / name, bytes);
    const Result<ImportedMesh> mesh = read_mesh_file(folder / name);
    CHECK(fault(mesh) == "");
    if (!mesh_will_do) CHECK_FALSE(mesh.ok());
    return mesh.ok() ? std::string() : mesh.error().message;
  };
  // Assimp sees another name; the one that is told is the person's.
  const std::string told = refused("junk.glb", std::string("\xdb\xfd\x81\x77\xb9\xe7\x6c\x5d\x20", 9));
  CHECK(told.find("\"junk.glb\"") != std::string::npos);
  CHECK(told.find("file.glb") == std::string::npos);
  const std::string text = "Dear Tom,\n\nthe model is on its way. We bought 3 apples and 1 e7.\n\nYours, Jerry\n";
  for (const char* ending : {"obj", "ply", "stl", "off", "gltf", "glb", "fbx", "dae"}) {
    INFO(ending);
    const std::string name = std::string("file.") + ending;
    CHECK(refused(name, "") == "The file is empty.");
    refused(name, text);
    refused(name, std::string(4096, '\0'));
    refused(name, bytes_of(kFiles / "checks.png"));  // a picture
  }
  // Cut off at several places. A text of lines may end after any of them; what is left is a mesh then.
  for (const char* sample : {"blocks.obj", "figure_ascii.ply", "figure.ply", "figure.stl", "crate_ascii.stl",
                             "blocks.gltf", "blocks.glb", "blocks.fbx", "blocks.dae"}) {
    const std::string whole = bytes_of(kFiles / sample), name = "cut" + fs::path(sample).extension().string();
    const bool lines = std::string(sample) == "blocks.obj" || std::string(sample) == "crate_ascii.stl" ||
                       std::string(sample) == "figure_ascii.ply";
    for (double part : {0.01, 0.1, 0.35, 0.5, 0.75, 0.95}) {
      INFO(sample << " cut at " << part);
      refused(name, whole.substr(0, static_cast<std::size_t>(part * static_cast<double>(whole.size()))), lines);
    }
  }
  // Numbers that are none, or not at a place of this world.
  const std::string obj = kTetrahedron;
  for (const char* number : {"nan", "inf", "1e30", "-1e38"}) {
    INFO(number);
    refused("wrong.obj", replaced(obj, "v 1 0 0", std::string("v ") + number + " 0 0"), true);
    write(folder / "wrong.obj", replaced(obj, "v 1 0 0", std::string("v ") + number + " 0 0"));
    if (const Result<ImportedMesh> mesh = read_mesh_file(folder / "wrong.obj"); mesh.ok())
      for (const Vec3& p : mesh->mesh.positions) CHECK((p.allFinite() && p.norm() < 1e10));
  }
  // Corners that do not exist.
  for (const char* corner : {"99999999", "4294967295", "-99", "99999999999999999999"}) {
    INFO(corner);
    refused("huge.obj", replaced(obj, "f 2 3 4", std::string("f 2 3 ") + corner), true);
  }
  const std::string ply = bytes_of(kFiles / "grid_bin.ply");
  refused("huge.ply", number_at(ply, ply.size() - 4, 0xfffffff0u));
  refused("huge.ply", replaced(ply, "element vertex 36", "element vertex 99"));
  refused("huge.ply", replaced(ply, "element face 25", "element face 4000000000"));
  refused("huge.stl", number_at(bytes_of(kFiles / "figure.stl"), 80, 0xffffffffu));
  const std::string gltf = bytes_of(kFiles / "grid.gltf");
  refused("huge.gltf", replaced(gltf, "\"count\": 150", "\"count\": 4000000000"));
  refused("huge.gltf", replaced(gltf, "\"byteOffset\": 0", "\"byteOffset\": 4000000000"));
  refused("huge.gltf", replaced(gltf, "\"mesh\": 0", "\"mesh\": 77"));
  const std::string dae = bytes_of(kFiles / "crate.dae");
  const std::size_t list = dae.find("<p>");
  REQUIRE(list != std::string::npos);
  refused("huge.dae", dae.substr(0, list + 3) + "99999999 " + dae.substr(list + 3));
  refused("huge.dae", replaced(dae, "float_array", "floating_array"));
}

namespace {

fs::path programs() { return fs::read_symlink("/proc/self/exe").parent_path(); }

const fs::path kBadReader = programs() / "hazumi-bad-reader";  // tests/import/reader/bad_reader.cpp

ApartResult bad_reader(const std::string& what, const ApartLimits& limits = {2.0, std::size_t{256} << 20},
                       const std::atomic<bool>* cancel = nullptr) {
  return run_apart(kBadReader, {what}, limits, cancel);
}

/// Sets a variable of the environment while it lives.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) { ::setenv(name, value.c_str(), 1); }
  ~Variable() { ::unsetenv(name_); }

 private:
  const char* name_;
};

}  // namespace

TEST_CASE("A reader that crashes, loops, fills the memory or throws leaves the program standing",
          "[import][damage][threads]") {
  CHECK(bad_reader("answer").bytes == std::string(3'000'000, 'x'));
  CHECK(bad_reader("answer").end == ApartEnd::done);
  CHECK(bad_reader("nothing").end == ApartEnd::done);
  const ApartResult told = run_apart(kBadReader, {"arguments", "with a blank", "", "-x"}, ApartLimits{});
  CHECK(told.bytes == "arguments\nwith a blank\n\n-x\n");
  CHECK(bad_reader("abort").end == ApartEnd::crashed);
  CHECK(bad_reader("throw").end == ApartEnd::crashed);
  CHECK(bad_reader("exit").end == ApartEnd::crashed);  // no answer is none
  CHECK(bad_reader("loop", {0.2, std::size_t{256} << 20}).end == ApartEnd::too_long);
  CHECK(bad_reader("sleep", {0.2, std::size_t{256} << 20}).end == ApartEnd::too_long);
  if (!test::sanitized()) {
    CHECK(bad_reader("memory").end == ApartEnd::crashed);
    CHECK(bad_reader("memory", {120, std::size_t{4} << 30}).end ==
          ApartEnd::done);  // the limit it was, not the machine
  }
  std::atomic<bool> cancel{false};
  std::thread later([&cancel] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    cancel = true;
  });
  const auto began = std::chrono::steady_clock::now();
  CHECK(bad_reader("loop", {60, std::size_t{256} << 20}, &cancel).end == ApartEnd::cancelled);
  CHECK(std::chrono::steady_clock::now() - began < std::chrono::seconds(5));
  later.join();
}

TEST_CASE("A reader that is missing, or no program of ours, is told in one sentence", "[import][damage]") {
  const test::TemporaryFolder folder;
  const fs::path file = kFiles / "crate.glb";
  REQUIRE(read_mesh_file(file).ok());
  CHECK(small_program("hazumi-mesh-reader") == programs() / "hazumi-mesh-reader");
  const auto sentence = [&](const fs::path& program) {
    const Variable reader("HAZUMI_MESH_READER", program.string());
    const Result<ImportedMesh> mesh = read_mesh_file(file);
    CHECK(fault(mesh) == "");
    return mesh.ok() ? std::string("a mesh") : mesh.error().message;
  };
  CHECK(sentence(folder / "no such program").find("hazumi-mesh-reader is missing") != std::string::npos);
  write(folder / "no program", "text");
  CHECK(sentence(folder / "no program").find("hazumi-mesh-reader is missing") != std::string::npos);
  const std::string damaged = "The file is damaged: it cannot be read to its end.";
  CHECK(sentence("/bin/true") == damaged);
  for (const char* what : {"abort", "throw", "exit", "garbage", "answer", "nothing"}) {
    INFO(what);
    const Variable bad("HAZUMI_BAD_READER", what);
    CHECK(sentence(kBadReader) == damaged);
  }
}

TEST_CASE("Bytes from a reader that was overrun are refused", "[import][damage]") {
  const FileMesh file = read_with_assimp(kFiles / "crate.glb", bytes_of(kFiles / "crate.glb"), "glb");
  REQUIRE(file.problem.empty());
  const std::string bytes = to_bytes(file);
  FileMesh read;
  REQUIRE(from_bytes(bytes, read));
  CHECK(read.imported.mesh.faces == file.imported.mesh.faces);
  CHECK(read.imported.mesh.parts[0].surface == file.imported.mesh.parts[0].surface);
  REQUIRE(read.imported.mesh.textures.size() == 1);
  CHECK(read.imported.mesh.textures[0]->bytes == file.imported.mesh.textures[0]->bytes);
  for (std::size_t size = 0; size < bytes.size(); size += 1 + size / 50)
    CHECK_FALSE(from_bytes(bytes.substr(0, size), read));
  CHECK_FALSE(from_bytes(bytes + "x", read));
  FileMesh wrong = file;
  wrong.imported.mesh.faces[3][1] = static_cast<std::uint32_t>(wrong.imported.mesh.positions.size());
  CHECK_FALSE(from_bytes(to_bytes(wrong), read));
  wrong = file;
  wrong.imported.mesh.parts[0].texture = 7;
  CHECK_FALSE(from_bytes(to_bytes(wrong), read));
  wrong = file;
  wrong.imported.mesh.positions[0].x() = std::nan("");
  CHECK_FALSE(from_bytes(to_bytes(wrong), read));
}

TEST_CASE("Only files in the folder of the mesh file are read", "[import][damage]") {
  const test::TemporaryFolder folder;
  const std::string secret = "newmtl x\nKd 1 0 0\n";
  write(folder / "secret.mtl", secret);
  write(folder / "mesh/inside.mtl", secret);
  write(folder / "mesh/below/deep.mtl", secret);
  fs::create_symlink(folder / "secret.mtl", folder / "mesh/link.mtl");
  fs::create_symlink(folder.path(), folder / "mesh/up");
  FolderAccess access(folder / "mesh/mesh.obj");
  CHECK(access.read("inside.mtl") == secret);
  CHECK(access.read(".\\below\\deep.mtl") == secret);
  CHECK(access.read("below/../inside.mtl") == secret);
  for (const std::string& name :
       {std::string("../secret.mtl"), std::string("..\\secret.mtl"), (folder / "secret.mtl").string(),
        std::string("link.mtl"), std::string("up/secret.mtl"), std::string("below"), std::string(""),
        std::string("/etc/passwd"), std::string("below/../../secret.mtl")}) {
    INFO(name);
    CHECK_FALSE(access.read(name).has_value());
    CHECK_FALSE(access.exists(name));
  }
  CHECK(access.companions() == std::vector<std::string>{"inside.mtl", "below/deep.mtl"});

  write(folder / "mesh/out.obj", std::string("mtllib ../secret.mtl\nusemtl x\n") + kTetrahedron);
  const Result<ImportedMesh> out = read_mesh_file(folder / "mesh/out.obj");
  REQUIRE(out.ok());
  CHECK(out->report.companions.empty());
  REQUIRE(out->mesh.parts[0].surface);  // it has a name and no colour
  CHECK_FALSE(out->mesh.parts[0].surface->diffuse.isApprox(Vec3(1, 0, 0)));
  REQUIRE(out->report.warnings.size() >= 1);
  write(folder / "mesh/in.obj", std::string("mtllib inside.mtl\nusemtl x\n") + kTetrahedron);
  const Result<ImportedMesh> in = read_mesh_file(folder / "mesh/in.obj");
  REQUIRE(in.ok());
  CHECK(in->report.companions == std::vector<std::string>{"inside.mtl"});
  REQUIRE(in->mesh.parts[0].surface);
  CHECK(in->mesh.parts[0].surface->diffuse.isApprox(Vec3(1, 0, 0)));
  CHECK(in->report.warnings.empty());
}

TEST_CASE("A reading that is cancelled says so", "[import][damage]") {
  const std::atomic<bool> cancel{true};
  const Result<ImportedMesh> mesh = read_mesh_file(kFiles / "crate.obj", &cancel);
  REQUIRE_FALSE(mesh.ok());
  CHECK(mesh.error().message == "Reading the file was cancelled.");
}

}  // namespace hazumi::damage_test
