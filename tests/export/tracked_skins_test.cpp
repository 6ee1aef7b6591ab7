// Metaballs that go with bones, in a run and in files: each frame has the surface of its own primitives, and exports keep vertices between
// changes of topology.
#include <catch2/catch.hpp>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/export/export_job.h"
#include "core/export/format.h"
#include "core/playback/digest.h"
#include "core/playback/frame_bytes.h"
#include "core/playback/skins.h"
#include "core/scene/file/scene_io.h"
#include "tests/geometry/metaball_tracker_support.h"
#include "tests/support/blob_scene.h"
#include "tests/support/glb.h"
#include "tests/support/small_scenes.h"
#include "tests/support/temporary_folder.h"

namespace tracked_skins_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

/// Numbers of vertices of an element of the header, and the values of each vertex.
struct ReadPly {
  std::size_t vertices = 0, width = 0;
  std::vector<std::array<float, 6>> place_and_velocity;
  explicit ReadPly(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::string line;
    bool of_vertices = false;
    while (std::getline(file, line) && line != "end_header") {
      if (line.rfind("element ", 0) == 0) of_vertices = line.rfind("element vertex ", 0) == 0;
      if (of_vertices && line.rfind("element", 0) == 0) vertices = std::stoul(line.substr(15));
      if (of_vertices && line.rfind("property float", 0) == 0) width += 4;
      if (of_vertices && line.rfind("property uchar", 0) == 0) width += 1;
    }
    std::vector<char> row(width);
    for (std::size_t v = 0; v < vertices && file.read(row.data(), static_cast<std::streamsize>(width)); ++v) {
      std::array<float, 6> values{};
      std::memcpy(values.data(), row.data(), 12);
      if (width == 39) std::memcpy(values.data() + 3, row.data() + 27, 12);
      place_and_velocity.push_back(values);
    }
  }
};

}  // namespace

TEST_CASE("Moving metaballs: a frame has the surface of its own primitives, whatever way it was come to", "[skin]") {
  const Scene scene = two_flying();
  const auto run = fresh_run(scene, 30);
  for (const int f : {0, 13, 30}) {
    const Frame& frame = run.at(static_cast<std::size_t>(f));
    REQUIRE(frame.surfaces);  // centres meet in frame 21
    CHECK(*frame.surfaces == FrameSurfaces{{Id{kBlob}, f < 21 ? 2 : 1, f < 21 ? 4 : 2}});
    const ObjectFrame* blob = frame.find(Id{kBlob});
    REQUIRE(blob);
    REQUIRE(blob->surface);
    CHECK_FALSE(blob->deformed);
    const MetaballGroup group = metaballs_in(scene, *find_object(scene, Id{kBlob}), frame);
    CHECK((group.primitives[0].centre - Vec3(-0.6 + f / 60.0, 1, 0)).norm() < 1e-6);
    const MetaballField field(group);
    const Pose place{blob->position.cast<double>(), blob->rotation.cast<double>()};
    double off = 0;
    for (const Vec3& p : blob->surface->positions) off = std::max(off, std::abs(field.value(place * p) - 1));
    CHECK(off < 0.15);  // of a slope of 6 1/m and vertices that lie 1 cm beside, so that the mean error is 0
  }
  MeshStore meshes;
  const auto held = meshes.prepare(scene, 1);
  const auto model = compile(scene, meshes);
  Simulator other(model.value(), 1);
  other.state_at(30);
  CHECK(digest(other.frame_at(30)) == digest(run.at(30)));
  other.state_at(13);
  CHECK(digest(other.frame_at(13)) == digest(run.at(13)));
  const FramePtr back = frame_from_bytes(frame_bytes(run.at(13)), shared_parts(run.at(13)));
  REQUIRE(back);
  CHECK(digest(*back) == digest(run.at(13)));
  REQUIRE(back->surfaces);
  CHECK(*back->surfaces == *run.at(13).surfaces);
}

TEST_CASE("Moving metaballs: a group that is stretched in one direction is refused with a remedy", "[skin]") {
  Scene scene = two_flying();
  scene.objects[0] = scene.objects[0].edited([](Object& o) { o.transform.scale = Vec3(1, 2, 1); });
  MeshStore meshes;
  const auto held = meshes.prepare(scene, 1);
  const auto model = compile(scene, meshes);
  REQUIRE_FALSE(model);
  CHECK(model.error().message == "Metaballs that go with bones cannot be stretched in one direction.");
}

TEST_CASE("PLY of moving metaballs: vertices stay between changes of topology, with velocities", "[skin]") {
  const TemporaryFolder folder;
  const Scene scene = two_flying();
  ExportTarget target;
  target.pattern = (folder.path() / "blob.####.ply").string();
  target.object = Id{kBlob};
  auto sink = find_export_format("ply")->make(target);
  REQUIRE(sink);
  ExportOptions options;
  options.range = {0, 40};
  const ExportResult result = run_export(scene, *sink.value(), options, nullptr, {});
  REQUIRE(result.end == ExportEnd::complete);
  CHECK(result.written == 41);
  // Centres 1.2 − 2t m apart meet at 0.5286 m (metaball_tracker_test.cpp): frame 20.14.
  REQUIRE_FALSE(result.diagnostics.empty());
  std::vector<int> changes;
  bool topology = false;
  for (const Diagnostic& note : result.diagnostics) {
    CHECK(note.severity == Severity::info);
    topology = topology || note.message == "A new mesh from frame 21: 2 pieces become 1.";
    changes.push_back(std::stoi(note.message.substr(std::strlen("A new mesh from frame "))));
  }
  CHECK(topology);
  std::vector<ReadPly> frames;
  for (int f = 0; f <= 40; ++f) frames.emplace_back(frame_path(target.pattern, f).value());
  double off = 0, all = 0;
  for (std::size_t f = 1; f + 1 < frames.size(); ++f) {
    const auto cut = [&](std::size_t at) {
      return std::find(changes.begin(), changes.end(), static_cast<int>(at)) != changes.end();
    };
    if (!cut(f)) CHECK(frames[f].vertices == frames[f - 1].vertices);
    if (cut(f) || cut(f + 1)) continue;
    for (std::size_t v = 0; v < frames[f].vertices; ++v)
      for (std::size_t k = 0; k < 3; ++k) {
        const double difference =
            30 * (frames[f + 1].place_and_velocity[v][k] - frames[f - 1].place_and_velocity[v][k]);
        off += std::pow(difference - frames[f].place_and_velocity[v][3 + k], 2);
        all += difference * difference;
      }
  }
  CHECK(std::sqrt(off / all) < 0.05);

  // Off: the frames' own triangles. A file that is there is kept only when all are.
  target.values["tracked"] = 0;
  sink = find_export_format("ply")->make(target);
  REQUIRE(run_export(scene, *sink.value(), options, nullptr, {}).diagnostics.empty());
  CHECK(ReadPly(frame_path(target.pattern, 5).value()).width == 27);
  target.values.clear();
  options.keep_existing = true;
  sink = find_export_format("ply")->make(target);
  CHECK(run_export(scene, *sink.value(), options, nullptr, {}).skipped == 41);
  std::filesystem::remove(frame_path(target.pattern, 7).value());
  CHECK(run_export(scene, *sink.value(), options, nullptr, {}).written == 41);
}

TEST_CASE("glTF of moving metaballs: a node with shapes for each stretch, seen in its frames alone", "[skin]") {
  const Scene scene = two_flying();
  const auto run = fresh_run(scene, 40);
  GltfClip clip(std::make_shared<MeshStore>(), Id{kBlob});
  for (int f = 0; f <= 40; ++f) REQUIRE(clip.add(scene, run.at(static_cast<std::size_t>(f))));
  const auto bytes = clip.glb(scene);
  REQUIRE(bytes);
  const ReadGlb read(bytes.value());
  const auto& nodes = read.json["nodes"];
  CHECK(nodes.size() == bytes.diagnostics().size() + 1);
  std::size_t frames = 0;
  for (const auto& node : nodes) {
    const auto& mesh = read.json["meshes"][node["mesh"].get<std::size_t>()];
    const auto& primitive = mesh["primitives"][0];
    frames += 1 + (primitive.contains("targets") ? primitive["targets"].size() : 0);
  }
  CHECK(frames == 41);
  CHECK(nodes[0]["name"] == "Blob, frames 0 on");
  CHECK(nodes[1]["scale"] == nlohmann::json({0.0, 0.0, 0.0}));
}

TEST_CASE("The running kangaroo keeps its vertices: what a stretch promises, in the shipped scene", "[skin][.long]") {
  const auto scene = load_scene(std::filesystem::path(HAZUMI_SOURCE_DIR) / "scenes/running_kangaroo.json");
  REQUIRE(scene);
  MeshStore meshes;
  const auto held = meshes.prepare(*scene, 2);
  const auto model = compile(*scene, meshes);
  Simulator simulator(model.value(), 2);
  const auto at = std::find_if(scene->objects.begin(), scene->objects.end(),
                               [](const auto& o) { return has_moving_metaballs(*o); });
  REQUIRE(at != scene->objects.end());
  const Object& object = **at;
  tracked::Run run;
  SkinTracker tracker;
  Executor executor(2);
  for (int f = 0; f < 240; ++f) {
    REQUIRE(simulator.state_at(f));
    const Frame frame = simulator.frame_at(f);
    const ObjectFrame* seen = frame.find(object.id);
    const Pose place{seen->position.cast<double>(), seen->rotation.cast<double>().normalized()};
    run.groups.push_back(metaballs_in(*scene, object, frame));
    if (auto done = tracker.add(f, f / 60.0, run.groups.back(), seen->surface, place, executor))
      run.frames.push_back(std::move(*done));
    auto world = std::make_shared<DisplayMesh>(*seen->surface);
    for (Vec3& p : world->positions) p = place * p;
    run.surfaces.push_back(std::move(world));
  }
  run.frames.push_back(*tracker.last());
  run.stretches = tracker.stretches();
  const tracked::Figures f = tracked::measure(run, 6);
  CHECK(f.counts_hold);
  CHECK(f.stretches_join);
  CHECK(f.turned == 0);
  CHECK(f.farthest <= 2);
  CHECK(f.missed <= 2);
  CHECK(f.velocity_mean < 0.008);
  CHECK(f.beyond * 1000 < f.compared);
  int topology = 0;
  for (const SkinStretch& s : run.stretches) topology += s.cut == SkinCut::topology;
  CHECK(topology == 0);  // it is one piece without handles all the time
  // Measured: 1 stretch; 0.75 and 0.70 tolerances; velocities 0.47 % root mean square, 0.08 % of them beyond 5 %.
  CHECK(run.stretches.size() <= 2);
}

}  // namespace tracked_skins_test
