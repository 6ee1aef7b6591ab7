// Scenes as files: round trips to the bit, stable text, atomic saving, meshes beside the scene.
#include <catch2/catch.hpp>

#include <csignal>
#include <fstream>
#include <sstream>

#include <sys/resource.h>

#include "core/import/mesh_file.h"
#include "core/scene/diff.h"
#include "core/scene/file/scene_io.h"
#include "tests/scene/random_scene.h"
#include "tests/support/temporary_folder.h"

namespace hazumi::scene_io_test {

namespace fs = std::filesystem;
using test::TemporaryFolder;

namespace {

constexpr const char* kTetrahedron =
    "o tetra\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

/// The object with this id shows the file.
Scene with_mesh(Scene scene, Id id, const std::string& file, const MeshSettings& settings = {}) {
  return with_object(std::move(scene), id, [&](Object& o) {
    o.display.kind = DisplayKind::mesh;
    o.display.mesh.file = file;
    o.display.mesh.settings = settings;
  });
}

Scene scene_with_mesh(const std::string& file) { return with_mesh(test::plain_scene(), Id{3}, file); }

const MeshReference& mesh_of(const Scene& scene) { return find_object(scene, Id{3})->display.mesh; }

template <class Owner>
void check_same(std::span<const Field<Owner>> table, const Owner& a, const Owner& b) {
  for (const auto& field : table) {
    INFO(field.path);
    CHECK(operator_equal(field.get(a), field.get(b)));
  }
}

void check_same(const Scene& a, const Scene& b) {
  CHECK(a.name == b.name);
  CHECK(a.description == b.description);
  CHECK(a.layout == b.layout);
  check_same(settings_fields(), a.settings, b.settings);
  REQUIRE(a.objects.size() == b.objects.size());
  REQUIRE(a.lights.size() == b.lights.size());
  for (std::size_t i = 0; i < a.objects.size(); ++i) {
    CHECK(a.objects[i]->id == b.objects[i]->id);
    check_same(object_fields(), *a.objects[i], *b.objects[i]);
    CHECK(same_lists(*a.objects[i], *b.objects[i]));
  }
  for (std::size_t i = 0; i < a.lights.size(); ++i) {
    CHECK(a.lights[i]->id == b.lights[i]->id);
    check_same(light_fields(), *a.lights[i], *b.lights[i]);
  }
  REQUIRE(a.cameras.size() == b.cameras.size());
  for (std::size_t i = 0; i < a.cameras.size(); ++i) {
    CHECK(a.cameras[i]->id == b.cameras[i]->id);
    check_same(camera_fields(), *a.cameras[i], *b.cameras[i]);
  }
  REQUIRE(a.joints.size() == b.joints.size());
  for (std::size_t i = 0; i < a.joints.size(); ++i) {
    CHECK(a.joints[i]->id == b.joints[i]->id);
    check_same(joint_fields(), *a.joints[i], *b.joints[i]);
  }
  REQUIRE(a.pairs.size() == b.pairs.size());
  for (std::size_t i = 0; i < a.pairs.size(); ++i) {
    CHECK(a.pairs[i]->id == b.pairs[i]->id);
    check_same(pair_fields(), *a.pairs[i], *b.pairs[i]);
  }
}

/// Lines of b that are not the line of a at the same place.
int different_lines(const std::string& a, const std::string& b) {
  std::istringstream x(a), y(b);
  int count = 0;
  for (std::string p, q; std::getline(y, q);) count += !std::getline(x, p) || p != q;
  return count;
}

}  // namespace

TEST_CASE("Random scenes over the whole table come back to the bit", "[scene_io]") {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    INFO("seed " << seed);
    const Scene scene = test::random_scene(seed, 6);
    const std::string text = scene_to_text(scene);
    const Result<Scene> read = scene_from_text(text, "/nonexistent");
    if (!read.ok()) FAIL(to_string(read.error()));
    check_same(scene, *read);
    CHECK(scene_to_text(*read) == text);
    CHECK(simulation_signature(*read) == simulation_signature(scene));
  }
}

TEST_CASE("An empty scene and an empty list", "[scene_io]") {
  const Result<Scene> read = scene_from_text(scene_to_text(Scene{}), "");
  REQUIRE(read.ok());
  CHECK(read.diagnostics().empty());
  CHECK(scene_to_text(Scene{}).find("\"objects\": []") != std::string::npos);
}

TEST_CASE("The text is for people: one line per field, vectors on one line, keys in a fixed order", "[scene_io]") {
  const Scene scene = test::plain_scene();
  const std::string text = scene_to_text(scene);
  CHECK(text.starts_with("{\n  \"format\": \"hazumi scene\",\n  \"version\": 1,\n"));
  CHECK(text.find("\"rotation\": [1, 0, 0, 0],\n") != std::string::npos);
  CHECK(text.find("    {\n      \"id\": 2,\n      \"name\": \"Ball\",\n") != std::string::npos);
  const auto edited = with_object(scene, Id{2}, [](Object& o) { o.body.mass = 2.5; });
  CHECK(different_lines(text, scene_to_text(edited)) == 1);
}

TEST_CASE("Keys that are left out keep their default", "[scene_io]") {
  const Result<Scene> read = scene_from_text(
      R"({"format": "hazumi scene", "version": 1, "objects": [{"id": 4, "name": "A", "body": {"mass": 2.0}}]})", "");
  REQUIRE(read.ok());
  CHECK(read.diagnostics().empty());
  const Object& object = *read->objects[0];
  CHECK(object.id == Id{4});
  CHECK(object.body.mass == 2);
  CHECK(object.body.stiffness == BodySettings{}.stiffness);
}

TEST_CASE("Whole numbers may be written with a point, rotations with few digits", "[scene_io]") {
  const Result<Scene> read = scene_from_text(
      R"({"format": "hazumi scene", "version": 1, "settings": {"substeps": 8.0}, "objects": [
          {"id": 1, "name": "A", "transform": {"rotation": [0.7071, 0, 0.7071, 0]}}]})",
      "");
  REQUIRE(read.ok());
  CHECK(read->settings.substeps == 8);
  CHECK(std::abs(read->objects[0]->transform.rotation.norm() - 1) < 1e-15);
}

TEST_CASE("Unknown keys are told and kept", "[scene_io]") {
  const Result<Scene> read = scene_from_text(
      "{\"format\": \"hazumi scene\", \"version\": 1, \"colour\": [1],\n\"objects\": [{\"id\": 1, \"name\": "
      "\"A\", "
      "\"body\": {\"weight\": 3}}]}",
      "");
  REQUIRE(read.ok());
  REQUIRE(read.diagnostics().size() == 2);
  CHECK(read.diagnostics()[0].path == "colour (line 1)");
  CHECK(read.diagnostics()[1].path == "objects[0] \"A\" body.weight (line 2)");
  CHECK(read.diagnostics()[1].severity == Severity::warning);
  const std::string text = scene_to_text(*read);
  CHECK(text.find("\"version\": 1,\n  \"colour\": [1],\n") != std::string::npos);
  CHECK(text.find("\"weight\": 3") != std::string::npos);
}

TEST_CASE("What is not UTF-8 in memory is written so that the file stays readable", "[scene_io]") {
  Scene scene = test::plain_scene();
  scene.name =
      "a\xff"
      "b\xc3";
  const Result<Scene> read = scene_from_text(scene_to_text(scene), "");
  REQUIRE(read.ok());
  CHECK(read->name ==
        "a\xef\xbf\xbd"
        "b\xef\xbf\xbd");
}

TEST_CASE("Saving and loading a file", "[scene_io]") {
  const TemporaryFolder folder;
  const fs::path file = folder / "a scene.json";
  const Scene scene = test::random_scene(3, 5);
  REQUIRE(save_scene(scene, file).ok());
  Result<Scene> read = load_scene(file);
  REQUIRE(read.ok());
  check_same(scene, *read);
  CHECK(folder.names() == std::vector<std::string>{"a scene.json"});  // nothing temporary is left

  REQUIRE(save_scene(test::plain_scene(), file).ok());  // over the old one
  read = load_scene(file);
  REQUIRE(read.ok());
  CHECK(read->name == "Plain");
}

TEST_CASE("A link to a scene is written through, permissions stay", "[scene_io]") {
  const TemporaryFolder folder;
  const fs::path file = folder / "real.json", link = folder / "link.json";
  REQUIRE(save_scene(test::plain_scene(), file).ok());
  fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink(file, link);
  REQUIRE(save_scene(Scene{}, link).ok());
  CHECK(fs::is_symlink(link));
  CHECK(load_scene(file)->objects.empty());
  CHECK(fs::status(file).permissions() == (fs::perms::owner_read | fs::perms::owner_write));
}

TEST_CASE("A scene that cannot be saved says why and leaves nothing", "[scene_io]") {
  const TemporaryFolder folder;
  const auto sentence = [](const Status& status) {
    REQUIRE_FALSE(status.ok());
    REQUIRE(status.diagnostics().size() == 1);
    return status.error().message;
  };
  const Scene scene = test::plain_scene();
  CHECK(sentence(save_scene(scene, folder / "no" / "a.json")) ==
        "The file cannot be written: its folder does not exist.");
  fs::create_directory(folder / "dir.json");
  CHECK(sentence(save_scene(scene, folder / "dir.json")) ==
        "The file cannot be written: there is a folder of that name.");
  CHECK(sentence(save_scene(scene, folder / (std::string(300, 'x') + ".json"))).find("File name too long") !=
        std::string::npos);
  CHECK(save_scene(with_object(scene, Id{2}, [](Object& o) { o.body.mass = 0; }), folder / "b.json").error().message ==
        "Mass must be above 0 kg.");
  CHECK(folder.names() == std::vector<std::string>{"dir.json"});
}

TEST_CASE("When the disk is full the old file stays whole", "[scene_io]") {
  const TemporaryFolder folder;
  const fs::path file = folder / "a.json";
  folder.write("tetra.obj", kTetrahedron);
  REQUIRE(save_scene(test::plain_scene(), file).ok());
  const std::string old = folder.read("a.json");

  // A limit on the size of files stands in for a full disk: write() fails half-way in the same manner.
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit limit{}, small{};
  REQUIRE(getrlimit(RLIMIT_FSIZE, &limit) == 0);
  small = limit;
  small.rlim_cur = 4096;
  REQUIRE(setrlimit(RLIMIT_FSIZE, &small) == 0);
  Scene scene = test::random_scene(1, 50);
  const Status status = save_scene(scene, file);
  setrlimit(RLIMIT_FSIZE, &limit);
  std::signal(SIGXFSZ, handler);

  REQUIRE_FALSE(status.ok());
  CHECK(status.error().message.starts_with("The file cannot be written: "));
  CHECK(folder.read("a.json") == old);
  CHECK(folder.names() == std::vector<std::string>{"a.json", "tetra.obj"});
}

TEST_CASE("A mesh beside the scene is loaded with it, once for all objects that name it", "[scene_io]") {
  const TemporaryFolder folder;
  folder.write("tetra.obj", kTetrahedron);
  const Scene scene = with_mesh(scene_with_mesh("tetra.obj"), Id{2}, "tetra.obj");
  REQUIRE(save_scene(scene, folder / "a.json").ok());
  const Result<Scene> read = load_scene(folder / "a.json");
  REQUIRE(read.ok());
  CHECK(read.diagnostics().empty());
  REQUIRE(mesh_of(*read).mesh != nullptr);
  CHECK(mesh_of(*read).mesh->faces.size() == 4);
  CHECK(mesh_of(*read).content == mesh_hash(*mesh_of(*read).mesh));
  CHECK(find_object(*read, Id{2})->display.mesh.mesh == mesh_of(*read).mesh);
}

TEST_CASE("A missing or unreadable mesh is a warning with what to do", "[scene_io]") {
  const TemporaryFolder folder;
  const auto warning_for = [&](const std::string& name, const std::string& scene_name = "a.json") {
    folder.write(scene_name, scene_to_text(scene_with_mesh(name)));
    const Result<Scene> read = load_scene(folder / scene_name);
    REQUIRE(read.ok());
    REQUIRE(read.diagnostics().size() == 1);
    CHECK(read.error().severity == Severity::warning);
    CHECK(read.error().path == "objects[2] \"Box\" display.mesh.file");
    CHECK(mesh_of(*read).mesh == nullptr);
    CHECK(mesh_of(*read).file == name);  // kept, so that saving loses nothing
    return read.error();
  };
  const Diagnostic missing = warning_for("spot.obj");
  CHECK(missing.message == "The mesh \"spot.obj\" is not shown: the file does not exist.");
  CHECK(missing.hint == "Put spot.obj beside the scene or pick another file in Properties.");

  folder.write("bad.obj", "this is no mesh\n");
  CHECK(warning_for("bad.obj").message.find("is not shown: the file") != std::string::npos);
  folder.write("empty.ply", "");
  CHECK(warning_for("empty.ply").message.find("the file is empty.") != std::string::npos);
  folder.write("notes.txt", "hello");
  CHECK(warning_for("notes.txt").message.find("OBJ, PLY, STL, OFF") != std::string::npos);
  fs::create_directory(folder / "dir.obj");
  CHECK(warning_for("dir.obj").message.find("this is not a file.") != std::string::npos);

  // Names that lead out of the folder are not followed, although the files exist.
  folder.write("tetra.obj", kTetrahedron);
  const std::string out = "only files beside the scene are read.";
  CHECK(warning_for((folder / "tetra.obj").string()).message.find(out) != std::string::npos);
  CHECK(warning_for("../" + fs::path(folder / "").parent_path().filename().string() + "/tetra.obj").message.find(out) !=
        std::string::npos);
  CHECK(warning_for("/dev/zero").message.find(out) != std::string::npos);
  CHECK(warning_for("..").message.find(out) != std::string::npos);
  CHECK(warning_for("./").message.find(out) != std::string::npos);
  // The scene itself.
  CHECK(warning_for("a.json").message.find("this is the scene itself.") != std::string::npos);
  CHECK(warning_for("self.obj", "self.obj").message.find("this is the scene itself.") != std::string::npos);
}

TEST_CASE("A mesh picked elsewhere is copied beside the scene on save", "[scene_io]") {
  const TemporaryFolder elsewhere, folder;
  elsewhere.write("tetra.obj", kTetrahedron);
  Scene scene = scene_with_mesh((elsewhere / "tetra.obj").string());
  CHECK(resolve_meshes(scene, folder / "").empty());
  REQUIRE(mesh_of(scene).mesh != nullptr);
  REQUIRE(save_scene(scene, folder / "a.json").ok());
  CHECK(folder.names() == std::vector<std::string>{"a.json", "tetra.obj"});
  CHECK(folder.read("tetra.obj") == kTetrahedron);
  const Result<Scene> read = load_scene(folder / "a.json");
  REQUIRE(read.ok());
  CHECK(mesh_of(*read).file == "tetra.obj");
  CHECK(simulation_signature(*read) == simulation_signature(scene));

  // Saved again, nothing is copied twice; saved to another place, the mesh comes along.
  REQUIRE(save_scene(scene, folder / "a.json").ok());
  CHECK(folder.names().size() == 2);
  const TemporaryFolder third;
  REQUIRE(save_scene(*read, third / "b.json").ok());
  CHECK(third.names() == std::vector<std::string>{"b.json", "tetra.obj"});
}

TEST_CASE("Another file of the same name is not overwritten", "[scene_io]") {
  const TemporaryFolder elsewhere, folder;
  elsewhere.write("tetra.obj", kTetrahedron);
  folder.write("tetra.obj", "somebody else's");
  Scene scene = scene_with_mesh((elsewhere / "tetra.obj").string());
  REQUIRE(save_scene(scene, folder / "a.json").ok());
  CHECK(folder.read("tetra.obj") == "somebody else's");
  CHECK(folder.read("tetra-2.obj") == kTetrahedron);
  CHECK(mesh_of(*load_scene(folder / "a.json")).file == "tetra-2.obj");
}

TEST_CASE("A mesh is copied with the files it was read with, and nothing else", "[scene_io]") {
  const std::string with_looks = "mtllib looks/tetra.mtl\nusemtl red\n" + std::string(kTetrahedron);
  const TemporaryFolder elsewhere, folder;
  elsewhere.write("tetra.obj", with_looks);
  fs::create_directory(elsewhere / "looks");
  elsewhere.write("looks/tetra.mtl", "newmtl red\nKd 1 0 0\n");
  elsewhere.write("diary.txt", "dear diary");
  Scene scene = scene_with_mesh((elsewhere / "tetra.obj").string());
  REQUIRE(resolve_meshes(scene, folder / "").empty());
  REQUIRE(mesh_of(scene).companions == std::vector<std::string>{"looks/tetra.mtl"});
  const Status saved = save_scene(scene, folder / "a.json");
  REQUIRE(saved.ok());
  CHECK(saved.diagnostics().empty());
  CHECK(folder.names() == std::vector<std::string>{"a.json", "looks", "tetra.obj"});
  CHECK(folder.read("looks/tetra.mtl") == "newmtl red\nKd 1 0 0\n");
  const Result<Scene> read = load_scene(folder / "a.json");
  REQUIRE(read.ok());
  CHECK(read.diagnostics().empty());
  REQUIRE(mesh_of(*read).mesh != nullptr);
  CHECK(mesh_of(*read).mesh->parts[0].surface == mesh_of(scene).mesh->parts[0].surface);
  REQUIRE(save_scene(scene, folder / "a.json").ok());
  CHECK(folder.names().size() == 3);

  // Where another file lies at the place of a companion, the mesh gets a folder of its own.
  const TemporaryFolder third;
  fs::create_directory(third / "looks");
  third.write("looks/tetra.mtl", "somebody else's");
  REQUIRE(save_scene(scene, third / "b.json").ok());
  CHECK(third.read("looks/tetra.mtl") == "somebody else's");
  CHECK(third.read("tetra-2/looks/tetra.mtl") == "newmtl red\nKd 1 0 0\n");
  CHECK(mesh_of(*load_scene(third / "b.json")).file == "tetra-2/tetra.obj");

  // Companions that lead out of the mesh's folder, by name or by a link, are not taken; nor are missing ones.
  const TemporaryFolder fourth;
  fs::create_symlink("/etc/hostname", elsewhere / "link.txt");
  const Scene bad = with_object(scene, Id{3}, [](Object& o) {
    o.display.mesh.companions = {"../outside.txt", "/etc/hostname", "link.txt", "gone.png"};
  });
  const Status warned = save_scene(bad, fourth / "c.json");
  REQUIRE(warned.ok());
  CHECK(warned.diagnostics().size() == 4);
  CHECK(fourth.names() == std::vector<std::string>{"c.json", "tetra.obj"});
  // A link in the target's folder is not written through.
  const TemporaryFolder fifth;
  fs::create_directory_symlink(fourth / "", fifth / "looks");
  REQUIRE(save_scene(scene, fifth / "d.json").ok());
  CHECK(fourth.names() == std::vector<std::string>{"c.json", "tetra.obj"});
}

TEST_CASE("A mesh file is read as each object's settings ask", "[scene_io]") {
  const TemporaryFolder folder;
  folder.write("tetra.obj", kTetrahedron);
  Scene scene = with_mesh(scene_with_mesh("tetra.obj"), Id{2}, "tetra.obj", {.up = UpAxis::z, .scale = 0.5});
  scene = with_mesh(scene, Id{4}, "tetra.obj", {.textures = false});  // no other reading
  REQUIRE(save_scene(scene, folder / "a.json").ok());
  const Result<Scene> read = load_scene(folder / "a.json");
  REQUIRE(read.ok());
  CHECK(read.diagnostics().empty());
  const auto mesh = [&](Id id) { return find_object(*read, id)->display.mesh; };
  CHECK(mesh(Id{3}).mesh == mesh(Id{4}).mesh);
  CHECK_FALSE(mesh(Id{4}).settings.textures);
  REQUIRE(mesh(Id{2}).mesh != nullptr);
  CHECK(bounds(*mesh(Id{2}).mesh).size().isApprox(Vec3(0.5, 0.5, 0.5)));
  CHECK(mesh(Id{2}).content != mesh(Id{3}).content);
}

TEST_CASE("Links beside a scene are not followed out of its folder", "[scene_io]") {
  const TemporaryFolder outside, folder;
  outside.write("t.obj", kTetrahedron);
  std::filesystem::create_directory(folder / "inner");
  folder.write("inner/own.obj", kTetrahedron);
  std::filesystem::create_symlink(outside / "t.obj", folder / "leads_out.obj");
  std::filesystem::create_directory_symlink(outside.path(), folder / "leads_out");
  std::filesystem::create_symlink("inner/own.obj", folder / "stays.obj");
  const auto read = [&](const std::string& name) {
    const Result<Scene> scene = scene_from_text(scene_to_text(scene_with_mesh(name)), folder.path());
    REQUIRE(scene.ok());
    return std::pair(find_object(*scene, Id{3})->display.mesh.mesh != nullptr, scene.diagnostics());
  };
  CHECK(read("stays.obj").first);
  for (const char* name : {"leads_out.obj", "leads_out/t.obj"}) {
    INFO(name);
    const auto [there, said] = read(name);
    CHECK_FALSE(there);
    REQUIRE(said.size() == 1);
    CHECK(said[0].message.find("it is a link that leads out of the scene's folder") != std::string::npos);
  }
  // Saving writes neither through the file nor into the folder.
  const TemporaryFolder picked;
  picked.write("leads_out.obj", std::string("# other\n") + kTetrahedron);
  for (const char* name : {"leads_out.obj", "leads_out/t.obj"}) {
    INFO(name);
    const Scene scene = with_object(scene_with_mesh(name), Id{3},
                                    [&](Object& o) { o.display.mesh.source = (picked / "leads_out.obj").string(); });
    REQUIRE(save_scene(scene, folder / "saved.json").ok());
    CHECK(outside.read("t.obj") == kTetrahedron);
    CHECK(std::distance(std::filesystem::directory_iterator(outside.path()), {}) == 1);
    const Result<Scene> back = load_scene(folder / "saved.json");
    REQUIRE(back.ok());
    CHECK(find_object(*back, Id{3})->display.mesh.mesh != nullptr);
  }
}

TEST_CASE("OBJ and STL as people write them", "[mesh_file]") {
  const TemporaryFolder folder;
  const std::string corners = "v 0 0 0\nv 1. 0 0\nv 0 +1 0\nv 0 .0 .5\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  const auto with = [](std::string text, const std::string& from, const std::string& to) {
    for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
      text.replace(at, from.size(), to);
    return text;
  };
  folder.write("plain.obj", corners);
  folder.write("marked.obj", "\xef\xbb\xbf" + corners);
  folder.write("indented.obj", "  \t" + with(corners, "\n", "\n \t"));
  folder.write("windows.obj", "\xef\xbb\xbf" + with(corners, "\n", "\r\n"));
  folder.write("old_mac.obj", with(corners, "\n", "\r"));
  const std::string facet =
      "  FACET NORMAL 0 0 1\r\n    OUTER LOOP\r\n      VERTEX 0 0 0\r\n      VERTEX 1 0 0\r\n      VERTEX 0 1 .5\r\n"
      "    ENDLOOP\r\n  ENDFACET\r\n";
  folder.write("upper.stl", "SOLID Part A\r\n" + facet + "ENDSOLID Part A\r\n");
  folder.write("marked.stl", "\xef\xbb\xbfSolid\n" + with(facet, "\r", "") + "EndSolid\n");
  for (const char* name :
       {"plain.obj", "marked.obj", "indented.obj", "windows.obj", "old_mac.obj", "upper.stl", "marked.stl"}) {
    INFO(name);
    const Result<ImportedMesh> mesh = load_mesh_file(folder / name);
    if (!mesh.ok()) FAIL_CHECK(to_string(mesh.error()));
    if (!mesh.ok()) continue;
    CHECK(mesh->mesh.faces.size() == (std::string(name).ends_with("obj") ? 4 : 1));
    CHECK(bounds(mesh->mesh).size().isApprox(Vec3(1, 1, 0.5)));
  }
  // The sentence names the file that was picked, whatever the reader calls it.
  folder.write("Täss 1.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n");
  const Result<ImportedMesh> bad = load_mesh_file(folder / "Täss 1.obj");
  REQUIRE_FALSE(bad.ok());
  CHECK(bad.error().path == "Täss 1.obj");
  CHECK(bad.error().message.find("file.obj") == std::string::npos);
}

TEST_CASE("A mesh whose file is gone at save is written from memory and read back", "[scene_io]") {
  const TemporaryFolder elsewhere, folder;
  elsewhere.write("tetra.obj", kTetrahedron);
  folder.write("tetra.obj", "o another");
  Scene scene = scene_with_mesh((elsewhere / "tetra.obj").string());
  for (auto& object : scene.objects)
    if (object->id == Id{3}) object = object.edited([](Object& o) { o.display.mesh.settings.scale = 0.3; });
  REQUIRE(resolve_meshes(scene, "").empty());
  fs::remove(elsewhere / "tetra.obj");
  for (int i = 0; i < 2; ++i) {  // the second finds its file there and leaves it
    const Status status = save_scene(scene, folder / "a.json");
    REQUIRE(status.ok());
    REQUIRE(status.diagnostics().size() == 1);
    CHECK(status.diagnostics().front().severity == Severity::info);
    CHECK(status.diagnostics().front().message.find("tetra-2.obj") != std::string::npos);
  }
  CHECK_FALSE(fs::exists(folder / "tetra-3.obj"));
  const Result<Scene> back = load_scene(folder / "a.json");
  REQUIRE(back.ok());
  CHECK(back.diagnostics().empty());
  const MeshReference &was = mesh_of(scene), &is = mesh_of(*back);
  REQUIRE(is.mesh != nullptr);
  // Readers may number vertices anew; face by face it is the same.
  REQUIRE(is.mesh->faces.size() == was.mesh->faces.size());
  for (std::size_t f = 0; f < is.mesh->faces.size(); ++f) {
    const auto middle = [f](const DisplayMesh& mesh) {
      Vec3 sum = Vec3::Zero();
      for (const std::uint32_t v : mesh.faces[f]) sum += mesh.positions[v] / 3;
      return sum;
    };
    CHECK((middle(*is.mesh) - middle(*was.mesh)).norm() < 1e-6);
  }
}

TEST_CASE("Mesh files: OBJ, PLY, STL, OFF", "[mesh_file]") {
  const TemporaryFolder folder;
  const std::string off = "OFF\n4 4 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n";
  const std::string ply =
      "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float "
      "z\nelement face "
      "4\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 "
      "3\n3 0 3 2\n3 "
      "1 2 3\n";
  std::string stl = "solid t\n";
  const double v[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (const auto& f : {std::array{0, 2, 1}, std::array{0, 1, 3}, std::array{0, 3, 2}, std::array{1, 2, 3}}) {
    stl += "facet normal 0 0 0\nouter loop\n";
    for (int i : f) {
      stl += "vertex";
      for (double x : v[i]) stl += " " + std::to_string(x);
      stl += "\n";
    }
    stl += "endloop\nendfacet\n";
  }
  stl += "endsolid t\n";
  folder.write("t.obj", std::string("mtllib ../../secret.mtl\nusemtl x\n") + kTetrahedron);
  folder.write("t.off", off);
  folder.write("t.PLY", ply);
  folder.write("t.stl", stl);
  for (const char* name : {"t.obj", "t.off", "t.PLY", "t.stl"}) {
    INFO(name);
    const Result<ImportedMesh> mesh = load_mesh_file(folder / name);
    if (!mesh.ok()) FAIL(to_string(mesh.error()));
    CHECK(mesh->mesh.faces.size() == 4);
    CHECK(is_closed(mesh->mesh));
    REQUIRE(mesh->mesh.normals.size() == mesh->mesh.positions.size());
    for (const Vec3& n : mesh->mesh.normals) CHECK(n.norm() == Approx(1));
    CHECK(bounds(mesh->mesh).size().isApprox(Vec3(1, 1, 1)));
    CHECK(mesh->mesh.parts.size() == 1);
  }
}

TEST_CASE("Polygons become triangles, points and lines are left out", "[mesh_file]") {
  const TemporaryFolder folder;
  folder.write("quad.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\nl 1 3\n");
  const Result<ImportedMesh> mesh = load_mesh_file(folder / "quad.obj");
  REQUIRE(mesh.ok());
  CHECK(mesh->mesh.faces.size() == 2);
  CHECK(mesh->mesh.positions.size() == 4);
}

TEST_CASE("Mesh files that are no meshes give one sentence", "[mesh_file]") {
  const TemporaryFolder folder;
  folder.write("nan.obj", "v nan 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  folder.write("huge.obj", "v 1e30 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  folder.write("points.obj", "v 0 0 0\nv 1 0 0\n");
  folder.write("cut.ply", "ply\nformat ascii 1.0\nelement vertex 400000000\nproperty float x\n");
  folder.write("cut.stl", std::string(80, 'b') + std::string("\xff\xff\xff\x7f", 4));
  folder.write("index.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 900\n");
  std::string noise;
  test::Dice dice(4);
  for (int i = 0; i < 5000; ++i) noise += static_cast<char>(dice.below(256));
  for (const char* name : {"noise.obj", "noise.ply", "noise.stl", "noise.off"}) folder.write(name, noise);
  for (const std::string& name : folder.names()) {
    INFO(name);
    const Result<ImportedMesh> mesh = load_mesh_file(folder / name);
    if (mesh.ok()) continue;  // noise may by chance hold a triangle
    REQUIRE(mesh.diagnostics().size() == 1);
    CHECK(mesh.error().message.ends_with('.'));
    CHECK(mesh.error().path == name);
  }
  CHECK_FALSE(load_mesh_file(folder / "points.obj").ok());
  CHECK_FALSE(load_mesh_file(folder / "huge.obj").ok());
  CHECK_FALSE(load_mesh_file(folder / "cut.ply").ok());
  CHECK_FALSE(load_mesh_file(folder / "cut.stl").ok());
}

}  // namespace hazumi::scene_io_test
