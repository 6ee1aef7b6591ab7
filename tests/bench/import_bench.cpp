// Opening a mesh of 1,000,000 triangles: reading (bar: under 5 s with preparing) by format, and each step of preparing.
#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "core/geometry/mesh/primitives.h"
#include "core/geometry/mesh/topology.h"
#include "core/import/mesh_file.h"
#include "core/import/prepare.h"

namespace {

using namespace hazumi;

constexpr int kAround = 1000, kPoles = 501;  // 2 · 1000 · 500 triangles

DisplayMesh million() { return make_primitive({PrimitiveShape::sphere, Vec3(2, 2, 2), {kAround, kPoles, 1}}); }

std::filesystem::path written(const std::string& ending) {
  const std::filesystem::path file = std::filesystem::temp_directory_path() / ("hazumi_bench_million." + ending);
  const DisplayMesh mesh = million();
  std::ofstream out(file, std::ios::binary);
  if (ending == "obj") {
    char line[96];
    for (const Vec3& p : mesh.positions)
      out.write(line, std::snprintf(line, sizeof line, "v %.6f %.6f %.6f\n", p.x(), p.y(), p.z()));
    for (const auto& f : mesh.faces)
      out.write(line, std::snprintf(line, sizeof line, "f %u %u %u\n", f[0] + 1, f[1] + 1, f[2] + 1));
  } else if (ending == "stl") {
    const std::uint32_t count = static_cast<std::uint32_t>(mesh.faces.size());
    out << std::string(80, ' ');
    out.write(reinterpret_cast<const char*>(&count), 4);
    for (const auto& f : mesh.faces) {
      float values[12] = {0, 0, 1};
      for (int k = 0; k < 9; ++k)
        values[3 + k] = static_cast<float>(mesh.positions[f[static_cast<std::size_t>(k / 3)]][k % 3]);
      out.write(reinterpret_cast<const char*>(values), sizeof values);
      out.write("\0\0", 2);
    }
  } else {
    out << "ply\nformat binary_little_endian 1.0\nelement vertex " << mesh.positions.size()
        << "\nproperty float x\nproperty float y\nproperty float z\nelement face " << mesh.faces.size()
        << "\nproperty list uchar uint vertex_indices\nend_header\n";
    for (const Vec3& p : mesh.positions)
      for (double x : p) {
        const auto value = static_cast<float>(x);
        out.write(reinterpret_cast<const char*>(&value), 4);
      }
    for (const auto& f : mesh.faces) {
      out.put(3);
      out.write(reinterpret_cast<const char*>(f.data()), 12);
    }
  }
  return file;
}

/// Everything that an import with all repairs does: read, merge, orient, fill, count.
void open_million(benchmark::State& state, const std::string& ending) {
  const std::filesystem::path file = written(ending);
  MeshSettings settings;
  settings.merge_distance = 1e-5;
  settings.orient = true;
  settings.fill_holes = 12;
  for (auto _ : state) {
    const Result<ImportedMesh> mesh = load_mesh_file(file, settings);
    if (!mesh.ok() || mesh->report.open_edges > 0)
      state.SkipWithError("the mesh is not what it should be");
    else
      state.counters["triangles"] = static_cast<double>(mesh->report.faces);
  }
  std::filesystem::remove(file);
}
BENCHMARK_CAPTURE(open_million, obj, std::string("obj"))->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(open_million, ply, std::string("ply"))->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(open_million, stl, std::string("stl"))->Unit(benchmark::kMillisecond)->UseRealTime();

void simplify_million(benchmark::State& state) {
  const DisplayMesh mesh = million();
  for (auto _ : state) {
    DisplayMesh copy = mesh;
    benchmark::DoNotOptimize(simplify_mesh(copy, 0.1));
  }
}
BENCHMARK(simplify_million)->Unit(benchmark::kMillisecond);

void topology_of_million(benchmark::State& state) {
  const DisplayMesh mesh = million();
  for (auto _ : state) benchmark::DoNotOptimize(topology(mesh).edges.size());
}
BENCHMARK(topology_of_million)->Unit(benchmark::kMillisecond);

}  // namespace
