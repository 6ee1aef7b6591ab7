// Files of tests/import/files, written by Blender (make_blender_samples.py) and by plain Python
// (add_plain_samples.py), listed in manifest.json with what their writers know of them and with what
// Blender's importers read (read_with_blender.py). tests/import/check_samples.sh makes all of it anew.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>

#include <nlohmann/json.hpp>

#include "core/import/mesh_file.h"
#include "core/import/prepare.h"

namespace hazumi::samples_test {

namespace {

const std::filesystem::path kFiles = HAZUMI_SOURCE_DIR "/tests/import/files";

nlohmann::json manifest() {
  std::ifstream in(kFiles / "manifest.json");
  return nlohmann::json::parse(in);
}

Vec3 vec(const nlohmann::json& values) {
  return Vec3(values[0].get<double>(), values[1].get<double>(), values[2].get<double>());
}

/// Amounts of light (glTF) as the numbers of a colour dialog.
Vec3 shown(const Vec3& linear) {
  return linear.unaryExpr([](double x) { return x <= 0.0031308 ? 12.92 * x : 1.055 * std::pow(x, 1 / 2.4) - 0.055; });
}

/// What Blender read agrees with the mesh as it is in the file: triangles, box, colours of materials.
void compare_with_blender(const std::string& name, const nlohmann::json& row, const ImportedMesh& raw) {
  const auto& blender = row["blender"];
  CHECK(raw.report.faces == blender["faces"].get<std::size_t>());
  // Blender takes the unit and the up axis that the file gives; OBJ, PLY and STL give none.
  MeshSettings settings;
  const bool fbx = name.ends_with("fbx");
  if (fbx) settings = suggested_settings(raw.report);
  const std::optional<PreparedMesh> mesh = prepare_mesh(raw, settings);
  REQUIRE(mesh);
  const Box3 box = bounds(mesh->mesh);
  INFO("low " << box.low.transpose() << " high " << box.high.transpose());
  CHECK((box.low - vec(blender["low"])).norm() < 8e-5 * box.size().norm());
  CHECK((box.high - vec(blender["high"])).norm() < 8e-5 * box.size().norm());
  if (raw.report.textures > 0) return;  // Blender gives no colour then
  std::vector<Vec3> colours;
  for (const auto& [material, values] : blender["colours"].items()) {
    const bool linear = name.ends_with("gltf") || name.ends_with("glb");
    colours.push_back(linear ? shown(vec(values)) : vec(values));
  }
  const auto same = [](const Vec3& a, const Vec3& b) {
    return (a - b).norm() < 0.01 || (a - 0.5 * b).norm() < 0.01;  // a metal's diffuse colour is half its base
  };
  std::size_t with_look = 0;
  for (const Part& part : raw.mesh.parts) {
    if (!part.surface) continue;
    ++with_look;
    INFO(part.name << " " << part.surface->diffuse.transpose());
    CHECK(std::any_of(colours.begin(), colours.end(), [&](const Vec3& c) { return same(part.surface->diffuse, c); }));
  }
  for (const Vec3& c : colours)
    CHECK(std::any_of(raw.mesh.parts.begin(), raw.mesh.parts.end(),
                      [&](const Part& part) { return part.surface && same(part.surface->diffuse, c); }));
  if (raw.mesh.looks.empty()) CHECK((with_look > 0) == !colours.empty());
}

}  // namespace

TEST_CASE("Sample files give the counts and the box that Blender wrote", "[import][samples]") {
  int files = 0;
  std::map<std::string, int> kinds;
  for (const auto& row : manifest()) {
    const std::string name = row["file"];
    INFO(name);
    MeshSettings settings;
    settings.up = row["up"] == "z" ? UpAxis::z : UpAxis::y;
    settings.scale = row["scale"];
    const std::filesystem::path file = kFiles / name;
    const Result<ImportedMesh> raw = read_mesh_file(file);
    if (!raw.ok()) FAIL(to_string(raw.error()));
    compare_with_blender(name, row, *raw);
    const Result<ImportedMesh> mesh = load_mesh_file(file, settings);
    if (!mesh.ok()) FAIL(to_string(mesh.error()));
    const MeshReport& report = mesh->report;
    CHECK(report.faces == row["faces"].get<std::size_t>());
    CHECK(report.parts == row["parts"].get<std::size_t>());
    CHECK(report.materials == row["materials"].get<std::size_t>());
    CHECK(report.textures == row["textures"].get<std::size_t>());
    CHECK(report.open_edges == row.value("open_edges", std::size_t{0}));
    CHECK(report.non_manifold_edges == 0);
    CHECK(report.flipped == row.value("flipped", std::size_t{0}));
    for (const std::string& warning : report.warnings) FAIL(warning);
    const Box3 box = bounds(mesh->mesh);
    INFO("low " << box.low.transpose() << " high " << box.high.transpose());
    CHECK((box.low - vec(row["low"])).norm() < 1.5e-5);  // the row has five digits
    CHECK((box.high - vec(row["high"])).norm() < 1.5e-5);
    CHECK(report.unit_known == row.contains("unit"));
    CHECK(report.unit_guess == Approx(settings.scale));
    if (report.up_known) CHECK(report.up_guess == settings.up);
    ++files;
    ++kinds[file.extension().string()];
  }
  CHECK(files == 38);
  for (const char* kind : {".obj", ".ply", ".stl", ".gltf", ".glb", ".fbx", ".dae"}) CHECK(kinds[kind] >= 3);
}

}  // namespace hazumi::samples_test
