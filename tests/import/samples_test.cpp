// Files of tests/import/files, written by Blender (make_blender_samples.py) and listed in manifest.json with
// what Blender knows of them.
#include <catch2/catch.hpp>

#include <fstream>

#include <nlohmann/json.hpp>

#include "core/import/mesh_file.h"

namespace hazumi {

namespace {

const std::filesystem::path kFiles = HAZUMI_SOURCE_DIR "/tests/import/files";

nlohmann::json manifest() {
  std::ifstream in(kFiles / "manifest.json");
  return nlohmann::json::parse(in);
}

Vec3 vec(const nlohmann::json& values) {
  return Vec3(values[0].get<double>(), values[1].get<double>(), values[2].get<double>());
}

}  // namespace

TEST_CASE("Sample files give the counts and the box that Blender wrote", "[import][samples]") {
  int files = 0;
  for (const auto& row : manifest()) {
    const std::string name = row["file"];
    INFO(name);
    MeshSettings settings;
    settings.up = row["up"] == "z" ? UpAxis::z : UpAxis::y;
    settings.scale = row["scale"];
    const Result<ImportedMesh> mesh = load_mesh_file(kFiles / name, settings);
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
    CHECK((box.low - vec(row["low"])).norm() < 1e-4);
    CHECK((box.high - vec(row["high"])).norm() < 1e-4);
    CHECK(report.unit_known == row.contains("unit"));
    CHECK(report.unit_guess == Approx(settings.scale));
    if (report.up_known) CHECK(report.up_guess == settings.up);
    ++files;
  }
  CHECK(files >= 20);
}

}  // namespace hazumi
