// Every format of the table: the same checks for all, then what each is to hold.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstring>
#include <fstream>
#include <set>
#include <sstream>

#include "core/export/format.h"
#include "core/import/vertex_list.h"
#include "tests/support/files.h"
#include "tests/support/small_scenes.h"
#include "tests/support/temporary_folder.h"

namespace formats_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

std::string written(const char* format, const Scene& scene, const Frame& frame, std::optional<Id> object = {}) {
  TemporaryFolder folder;
  const ExportFormatInfo* info = find_export_format(format);
  REQUIRE(info);
  auto sink = info->make({(folder / "f.##.x").string(), object});
  REQUIRE(sink);
  REQUIRE((*sink)->write(scene, frame));
  return contents((*sink)->path(frame.index));
}

struct Case {
  Scene scene = busy_scene();
  Frame frame = fresh_run(scene, 5).at(5);
};

std::size_t count_starting(const std::vector<std::string>& lines, const std::string& start) {
  return static_cast<std::size_t>(
      std::count_if(lines.begin(), lines.end(), [&](const std::string& line) { return line.rfind(start, 0) == 0; }));
}

}  // namespace

TEST_CASE("every format of the table writes whole files and refuses bad patterns") {
  REQUIRE(export_formats().size() >= 5);
  Case c;
  std::set<std::string_view> names;
  for (const ExportFormatInfo* format : export_formats()) {
    INFO(format->name);
    CHECK(names.insert(format->name).second);
    CHECK(find_export_format(format->name) == format);
    CHECK(format->extension.front() == '.');
    CHECK_FALSE(format->label.empty());
    CHECK(format->description.back() == '.');
    CHECK_FALSE(format->make({"a.#.#", {}}));
    CHECK_FALSE(format->make({"", {}}));

    TemporaryFolder folder;
    auto sink = format->make({(folder / ("f" + std::string(format->extension))).string(), {}});
    REQUIRE(sink);
    CHECK((*sink)->one_file() == format->one_file);
    CHECK(((*sink)->path(5) == (*sink)->path(6)) == format->one_file);
    CHECK(output_path(*format, (folder / ("f" + std::string(format->extension))).string(), 5).value() ==
          (*sink)->path(5));
    CHECK(bool(format->make({(folder / "g.##").string(), {}})) != format->one_file);
    REQUIRE((*sink)->write(c.scene, c.frame));
    if (format->one_file) {
      CHECK(folder.names().empty());  // whole, when the last is there, or none
      REQUIRE((*sink)->finish(c.scene, {}, nullptr));
    }
    const std::string number = format->one_file ? "f" : "f.0005";
    CHECK(folder.names() == std::vector<std::string>{number + std::string(format->extension)});
    const std::string first = contents((*sink)->path(5));
    CHECK_FALSE(first.empty());
    REQUIRE((*sink)->write(c.scene, c.frame));
    REQUIRE((*sink)->finish(c.scene, {}, nullptr));
    CHECK(contents((*sink)->path(5)) == first);

    auto nowhere = format->make({(folder / "no" / "f").string(), {}});
    REQUIRE(nowhere);
    Status status = (*nowhere)->write(c.scene, c.frame);
    if (format->one_file) {
      REQUIRE(status);
      status = (*nowhere)->finish(c.scene, {}, nullptr);
    }
    REQUIRE_FALSE(status);
    CHECK(status.error().message.find("Cannot write") == 0);
  }
  CHECK(find_export_format("exe") == nullptr);
}

TEST_CASE("OBJ holds the display models in world space, one block per object") {
  Case c;
  c.scene = with_object(c.scene, Id{2}, [](Object& o) { o.name = "Rigid # ball"; });
  const auto lines = lines_of(written("obj", c.scene, c.frame));
  MeshStore meshes;
  std::size_t vertices = 0, faces = 0;
  for (const auto& object : c.scene.objects) {
    vertices += meshes.mesh(*object)->positions.size();
    faces += meshes.mesh(*object)->faces.size();
  }
  CHECK(count_starting(lines, "v ") == vertices);
  CHECK(count_starting(lines, "vn ") == vertices);
  CHECK(count_starting(lines, "f ") == faces);
  CHECK(count_starting(lines, "o ") == 4);  // the point has no display model
  CHECK(std::find(lines.begin(), lines.end(), "o Rigid___ball") != lines.end());

  // The soft ball's vertices are those of the frame, to the last bit.
  const ObjectFrame* soft = c.frame.find(Id{3});
  REQUIRE(soft);
  REQUIRE(soft->deformed);
  auto line = std::find(lines.begin(), lines.end(), "o Soft_ball");
  REQUIRE(line != lines.end());
  for (const Vec3f& v : soft->vertices) {
    ++line;
    Vec3f read;
    REQUIRE(std::sscanf(line->c_str(), "v %f %f %f", &read.x(), &read.y(), &read.z()) == 3);
    REQUIRE(std::memcmp(read.data(), v.data(), sizeof(Vec3f)) == 0);
  }
  // Faces name vertices that exist.
  for (const std::string& l : lines) {
    if (l.rfind("f ", 0) != 0) continue;
    std::stringstream words(l.substr(2));
    for (std::string word; words >> word;) {
      const auto number = std::stoul(word);
      REQUIRE(number >= 1);
      REQUIRE(number <= vertices);
    }
  }
}

TEST_CASE("OBJ places rigid bodies by their pose") {
  Case c;
  const auto lines = lines_of(written("obj", c.scene, c.frame, Id{4}));
  CHECK(count_starting(lines, "o ") == 1);
  const ObjectFrame* shown = c.frame.find(Id{4});
  MeshStore meshes;
  const auto mesh = meshes.mesh(*find_object(c.scene, Id{4}));
  std::size_t v = 0;
  for (const std::string& l : lines) {
    Vec3f read;
    if (std::sscanf(l.c_str(), "v %f %f %f", &read.x(), &read.y(), &read.z()) != 3) continue;
    const Vec3f expected = shown->position + shown->rotation * mesh->positions[v++].cast<float>();
    CHECK((read - expected).norm() < 6e-7f);
  }
  CHECK(v == mesh->positions.size());
}

TEST_CASE("PLY says what it holds and holds it") {
  Case c;
  const std::string bytes = written("ply", c.scene, c.frame);
  const auto end = bytes.find("end_header\n");
  REQUIRE(end != std::string::npos);
  const auto header = lines_of(bytes.substr(0, end));
  std::size_t vertices = 0, faces = 0;
  for (const std::string& line : header) {
    std::sscanf(line.c_str(), "element vertex %zu", &vertices);
    std::sscanf(line.c_str(), "element face %zu", &faces);
  }
  CHECK(header[0] == "ply");
  CHECK(header[1] == "format binary_little_endian 1.0");
  CHECK(count_starting(header, "comment object ") == 4);
  CHECK(vertices > 0);
  CHECK(bytes.size() - (end + std::strlen("end_header\n")) == vertices * 27 + faces * 21);
  CHECK(count_starting(header, "comment part ") >= 4);
}

namespace {

/// Two triangles, a part each, with texture coordinates; `own` has a material of its own.
Scene scene_of_parts(bool looks) {
  auto mesh = std::make_shared<DisplayMesh>();
  mesh->positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}};
  mesh->normals.assign(6, Vec3(0, 0, 1));
  mesh->texture.assign(6, Vec2(0.25, 0.75));
  mesh->faces = {{0, 1, 2}, {3, 4, 5}};
  mesh->parts = {{"own", 0, 1}, {"other one", 1, 1}};
  if (looks) mesh->looks.assign(6, VertexLook{Vec3f(0, 0, 0), Vec3f(0.5f, 0.25f, 1), Vec3f(0, 0, 0), 16});
  Object object;
  object.id = Id{1};
  object.name = "Thing";
  object.display.kind = DisplayKind::mesh;
  object.display.mesh.mesh = mesh;
  object.material.surface.diffuse = Vec3(0, 0, 1);
  object.part_materials.push_back({"own", object.material});
  object.part_materials[0].material.surface.diffuse = Vec3(1, 0.2, 0);
  Scene scene;
  scene.objects.push_back(object);
  return scene;
}

}  // namespace

TEST_CASE("PLY carries colours of parts and vertices, texture coordinates and part numbers") {
  for (const bool looks : {false, true}) {
    const std::string bytes = written("ply", scene_of_parts(looks), Frame());
    const auto end = bytes.find("end_header\n") + std::strlen("end_header\n");
    const auto header = lines_of(bytes.substr(0, end));
    CHECK(count_starting(header, "comment part 1 0 own") == 1);
    CHECK(count_starting(header, "comment part 1 1 other one") == 1);
    CHECK(count_starting(header, "property float s") == 1);
    REQUIRE(bytes.size() - end == 6 * 35 + 2 * 21);
    const auto colour = [&](std::size_t v, std::size_t k) {
      return static_cast<unsigned char>(bytes[end + v * 35 + 24 + k]);
    };
    CHECK(colour(0, 0) == (looks ? 128 : 255));
    CHECK(colour(0, 1) == (looks ? 64 : 51));
    CHECK(colour(5, 2) == 255);
    CHECK(colour(5, 0) == (looks ? 128 : 0));
    float s = 0;
    std::memcpy(&s, bytes.data() + end + 27, sizeof s);
    CHECK(s == 0.25f);
    CHECK(bytes[end + 6 * 35 + 17] == 0);  // part of the first face
    CHECK(bytes[end + 6 * 35 + 21 + 17] == 1);
  }
}

TEST_CASE("OBJ has a group for each part, and colours of vertices that have some") {
  const auto lines = lines_of(written("obj", scene_of_parts(false), Frame()));
  CHECK(count_starting(lines, "g Thing_own") == 1);
  CHECK(count_starting(lines, "g Thing_other_one") == 1);
  CHECK(count_starting(lines, "vt 0.25 0.75") == 6);
  CHECK(count_starting(lines, "v 1 0 0") == 1);
  const auto coloured = lines_of(written("obj", scene_of_parts(true), Frame()));
  CHECK(std::find(coloured.begin(), coloured.end(), "v 1 0 0 0.5 0.25 1") != coloured.end());
}

TEST_CASE("hidden and absent objects are left out unless asked for by name") {
  Case c;
  c.scene = with_object(c.scene, Id{2}, [](Object& o) { o.visible = false; });
  CHECK(count_starting(lines_of(written("obj", c.scene, c.frame)), "o ") == 3);
  CHECK(count_starting(lines_of(written("obj", c.scene, c.frame, Id{2})), "o ") == 1);
  for (ObjectFrame& object : c.frame.objects)
    if (object.id == Id{4}) object.present = false;
  CHECK(count_starting(lines_of(written("obj", c.scene, c.frame)), "o ") == 2);
}

TEST_CASE("CSV has a row per node, and one for objects without nodes") {
  Case c;
  c.scene = with_object(c.scene, Id{3}, [](Object& o) { o.name = "A \"soft\", round ball"; });
  const auto lines = lines_of(written("csv", c.scene, c.frame));
  REQUIRE(lines.size() == 1 + 4 + c.frame.find(Id{3})->nodes.size());
  CHECK(lines[0] == "frame,time,object,name,node,x,y,z");
  CHECK(lines[1].rfind("5,0.08333333333333333,1,Floor,,0,0,0", 0) == 0);
  CHECK(count_starting(lines, "5,0.08333333333333333,3,\"A \"\"soft\"\", round ball\",0,") == 1);
}

TEST_CASE("OBJ of the analysis model has every node in its order, and can be read as it stands") {
  Case c;
  const std::vector<Vec3f>& nodes = c.frame.find(Id{3})->nodes;
  REQUIRE_FALSE(nodes.empty());
  const auto lines = lines_of(written("nodes", c.scene, c.frame, Id{3}));
  CHECK(count_starting(lines, "o ") == 1);
  REQUIRE(count_starting(lines, "v ") == nodes.size());
  CHECK(count_starting(lines, "f ") > 3);
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "nodes.obj";
  std::ofstream(path, std::ios::binary) << written("nodes", c.scene, c.frame, Id{3});
  const auto read = read_vertex_list(path);
  REQUIRE(read.ok());
  REQUIRE(read->has_value());
  REQUIRE((*read)->size() == nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) CHECK((**read)[i].cast<float>() == nodes[i]);
}

TEST_CASE("JSON names the frame, the state and the nodes") {
  Case c;
  c.scene = with_object(c.scene, Id{2}, [](Object& o) { o.name = "Quote \" and \n line"; });
  const std::string text = written("json", c.scene, c.frame);
  CHECK(text.find("\"format\": \"hazumi analysis frame\"") != std::string::npos);
  CHECK(text.find("\"frame\": 5,") != std::string::npos);
  CHECK(text.find("Quote \\\" and \\n line") != std::string::npos);
  char hash[17];
  std::snprintf(hash, sizeof hash, "%016llx", static_cast<unsigned long long>(c.frame.state_hash));
  CHECK(text.find(std::string("\"state\": \"") + hash + "\"") != std::string::npos);
  CHECK(text.find("instances") == std::string::npos);
  CHECK(text.find("polylines") == std::string::npos);
}

TEST_CASE("JSON has the copies and lines of a frame, of the wanted object only when one is wanted") {
  Case c;
  const auto mesh = std::make_shared<const DisplayMesh>(make_primitive(Primitive{}));
  c.frame.instances.push_back({Id{2}, mesh, {Vec3f(1, 2, 3), Vec3f(0.5f, 0, 0)}, {}, {0.25f, 2}});
  c.frame.instances.push_back({Id{3}, mesh, {Vec3f(4, 5, 6)}, {Eigen::Quaternionf(0, 1, 0, 0)}, {}});
  c.frame.polylines.push_back({Id{3}, {Vec3f(0, 0, 0), Vec3f(1, 0, 0), Vec3f(2, 0, 0)}, {2, 1}});
  const std::string text = written("json", c.scene, c.frame);
  CHECK(
      text.ends_with("],\n  \"instances\": [\n"
                     "    {\"id\": 2, \"positions\": [[1,2,3],[0.5,0,0]], \"scales\": [0.25,2]},\n"
                     "    {\"id\": 3, \"positions\": [[4,5,6]], \"rotations\": [[0,1,0,0]]}\n  ],\n"
                     "  \"polylines\": [\n"
                     "    {\"id\": 3, \"points\": [[0,0,0],[1,0,0],[2,0,0]], \"counts\": [2,1]}\n  ]\n}\n"));
}

TEST_CASE("options of every format: rows that make sense, and values that are read or refused in one sentence") {
  for (const ExportFormatInfo* format : export_formats()) {
    std::set<std::string_view> seen;
    for (const ExportOption& option : format->options) {
      INFO(format->name << "." << option.name);
      CHECK(seen.insert(option.name).second);
      CHECK_FALSE(option.label.empty());
      CHECK(option.tooltip.ends_with('.'));
      CHECK(option.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz-") == std::string_view::npos);
      const double high =
          option.type == OptionType::choice ? static_cast<double>(option.choices.size()) - 1 : option.high;
      CHECK((option.fallback >= option.low && option.fallback <= high));
      CHECK((option.type == OptionType::choice) == !option.choices.empty());
      CHECK(describe_options(*format).find("    " + std::string(option.name) + "=") != std::string::npos);
    }
  }
  // One row of every type, made here so that the check does not depend on what the formats have today.
  static constexpr std::string_view kWords[] = {"red", "green"};
  static constexpr ExportOption kRows[] = {
      {"glow", "Glow", "Shines.", OptionType::boolean, 0},
      {"count", "Count", "How many.", OptionType::whole, 3, 1, 10},
      {"length", "Length", "How long.", OptionType::number, 0.5, 0, 2, "m"},
      {"colour", "Colour", "Which.", OptionType::choice, 1, 0, 1, "", kWords},
  };
  const ExportFormatInfo info{"toy", "Toy", ".toy", "None.", ExportKind::data, kRows, nullptr};
  ExportValues values;
  CHECK(option_value(kRows, values, "count") == 3);
  for (const char* good : {"glow", "glow=off", "glow=on", "count=10", "length=0.25", "colour=red"})
    CHECK(set_export_option(info, good, values).ok());
  CHECK(values == ExportValues{{"glow", 1}, {"count", 10}, {"length", 0.25}, {"colour", 0}});
  const auto refused = [&](const char* text) {
    const Status status = set_export_option(info, text, values);
    REQUIRE_FALSE(status.ok());
    return status.error().message + " " + status.error().hint;
  };
  CHECK(refused("size=3") == "“size” is not an option of Toy. It has glow, count, length and colour.");
  CHECK(refused("glow=perhaps") == "“perhaps” cannot be the value of glow. Write on or off.");
  for (const char* bad : {"count=0", "count=11", "count=2.5", "count=", "count=ten", "count=1e999", "count=3 "})
    CHECK(refused(bad).find("cannot be the value of count. Write a whole number from 1 to 10.") != std::string::npos);
  for (const char* bad : {"length=nan", "length=inf", "length=-1", "length=0x1"})
    CHECK(refused(bad).find("Write a number from 0 to 2.") != std::string::npos);
  CHECK(refused("colour=blue") == "“blue” cannot be the value of colour. Write red or green.");
  CHECK(refused("colour") == "No value is given for colour. Write red or green.");
  CHECK(refused("=1").find("is not an option") != std::string::npos);
  CHECK(values.size() == 4);  // what was refused changed nothing
  CHECK(values["count"] == 10);
  const ExportFormatInfo plain{"plain", "Plain", ".x", "None.", ExportKind::data, {}, nullptr};
  CHECK(set_export_option(plain, "a=1", values).error().hint == "It has none.");
}

TEST_CASE("models are turned and scaled as their options say, and left alone without them") {
  Case c;
  const auto positions = [&](const char* format, const ExportValues& values) {
    TemporaryFolder folder;
    auto sink = find_export_format(format)->make({(folder / "f.#.x").string(), std::nullopt, values});
    REQUIRE((*sink)->write(c.scene, c.frame));
    return contents((*sink)->path(5));
  };
  for (const char* format : {"obj", "ply"}) {
    INFO(format);
    const std::string plain = positions(format, {});
    CHECK(plain == positions(format, {{"up", 0}, {"scale", 1}}));
    CHECK(plain != positions(format, {{"up", 1}}));
    CHECK(plain != positions(format, {{"scale", 2}}));
  }
  const auto vectors = [&](const std::string& text, const std::string& start) {
    std::vector<Vec3> list;
    for (const std::string& line : lines_of(text))
      if (line.rfind(start, 0) == 0) {
        std::stringstream numbers(line.substr(start.size()));
        Vec3 v;
        numbers >> v.x() >> v.y() >> v.z();
        list.push_back(v);
      }
    return list;
  };
  const std::string plain = positions("obj", {}), turned = positions("obj", {{"up", 1}, {"scale", 100}});
  for (const auto& [start, scale] : {std::pair<const char*, double>{"v ", 100}, {"vn ", 1}}) {
    const auto before = vectors(plain, start), after = vectors(turned, start);
    REQUIRE(before.size() == after.size());
    REQUIRE(before.size() > 90);
    for (std::size_t i = 0; i < before.size(); ++i) {
      const Vec3 expected = scale * Vec3(before[i].x(), -before[i].z(), before[i].y());
      CHECK((after[i] - expected).norm() <= 2e-7 * scale * before[i].norm());  // one rounding to float: 6e-8
    }
  }
}

TEST_CASE("Particles are written as PLY points and as rows of a table", "[particles]") {
  Scene scene = busy_scene();
  ParticleSource source;
  source.id = next_id(scene);
  source.name = "Spray, fine";
  source.rate = 600;
  source.size_spread = 0;
  source.growth = 3;
  source.colour = Vec3(1, 0, 0);
  source.end_colour = Vec3(0, 0, 1);
  source.fade_out = 0;
  scene.particles.push_back(Shared<ParticleSource>(source));
  ParticleSource hidden = source;
  hidden.id = next_id(scene);
  hidden.visible = false;
  scene.particles.push_back(Shared<ParticleSource>(hidden));
  const Frame frame = fresh_run(scene, 5).at(5);
  const ParticleBlock& block = *frame.find_particles(source.id);
  const std::size_t count = block.positions.size();
  REQUIRE(count == 50);
  const auto rows = lines_of(written("particles", scene, frame));
  REQUIRE(rows.size() == count + 1);
  CHECK(rows[0] == "frame,time,source,name,number,x,y,z,vx,vy,vz,size,mass,age,red,green,blue,opacity");
  CHECK(count_starting(rows, "5,0.08333333333333333," + std::to_string(source.id.value) + ",\"Spray, fine\",") ==
        count);

  const std::string bytes = written("points", scene, frame);
  const std::string end = "end_header\n";
  const std::size_t body = bytes.find(end) + end.size();
  CHECK(bytes.find("element vertex 50\n") != std::string::npos);
  CHECK(bytes.find("comment source " + std::to_string(source.id.value) + " Spray, fine\n") != std::string::npos);
  constexpr std::size_t kPoint = 9 * 4 + 4 + 2 * 4;
  REQUIRE(bytes.size() == body + count * kPoint);
  for (std::size_t i = 0; i < count; ++i) {
    const char* at = bytes.data() + body + i * kPoint;
    CHECK(std::memcmp(at, block.positions[i].data(), 12) == 0);
    CHECK(std::memcmp(at + 12, block.velocities[i].data(), 12) == 0);
    float size = 0;
    std::memcpy(&size, at + 24, 4);
    CHECK(size == Approx(0.03 * (1 + 2 * block.ages[i])));
    const auto red = static_cast<unsigned char>(at[36]), blue = static_cast<unsigned char>(at[38]);
    CHECK(std::abs(red + blue - 255) <= 1);
    std::uint32_t number = 0;
    std::memcpy(&number, at + 44, 4);
    CHECK(number == block.numbers[i]);
  }
}

}  // namespace formats_test
