// A run as animated glTF: the file is read again by the letter of its format, and its nodes and shapes are where the frames
// have them.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/export/gltf_clip.h"
#include "core/scene/derived/particle_shade.h"
#include "tests/support/glb.h"
#include "tests/support/small_scenes.h"

namespace gltf_clip_test {

using namespace hazumi;
using namespace hazumi::test;
using Json = nlohmann::json;

TEST_CASE("an animated glTF has rigid bodies and shapes where the frames have them") {
  const Scene scene = busy_scene();
  const auto run = fresh_run(scene, 12);
  auto meshes = std::make_shared<MeshStore>();
  GltfClip clip(meshes, {});
  for (int f = 0; f <= 12; ++f) REQUIRE(clip.add(scene, run.at(static_cast<std::size_t>(f))));
  const auto bytes = clip.glb(scene);
  REQUIRE(bytes);
  const ReadGlb read(bytes.value());
  const std::size_t n = 13;
  int rigid = 0, bending = 0, moved = 0;
  for (const auto& object : scene.objects) {
    const auto mesh = meshes->mesh(*object);
    if (mesh->empty()) continue;
    const std::size_t node = read.node(object->name);
    const Json& primitive =
        read.json["meshes"].at(read.json["nodes"][node]["mesh"].get<std::size_t>())["primitives"][0];
    const std::vector<float> base = read.floats(primitive["attributes"]["POSITION"]);
    REQUIRE(base.size() == 3 * mesh->positions.size());
    for (std::size_t f = 0; f < n; ++f) {
      const ObjectFrame* shown = run.at(f).find(object->id);
      if (!shown) continue;
      INFO(object->name << ", frame " << f);
      if (!shown->deformed) {
        ++rigid;
        const auto place = read.value(node, "translation", f, n), turn = read.value(node, "rotation", f, n);
        CHECK((Vec3f(place[0], place[1], place[2]) - shown->position).norm() < 3e-6f);
        const Eigen::Quaternionf q(turn[3], turn[0], turn[1], turn[2]);
        CHECK(q.angularDistance(shown->rotation) < 1e-3f);
        CHECK(std::abs(std::abs(q.dot(shown->rotation.normalized())) - 1) < 1e-6f);
        if (f && shown->position != run.at(0).find(object->id)->position) ++moved;
        continue;
      }
      ++bending;
      const std::vector<float> weights = read.value(node, "weights", f, n);
      REQUIRE(weights.size() == n - 1);
      std::vector<float> sum = base;
      for (std::size_t t = 0; t + 1 < n; ++t) {
        if (weights[t] == 0) continue;
        const std::vector<float> target = read.floats(primitive["targets"][t]["POSITION"]);
        for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += weights[t] * target[i];
      }
      float worst = 0;
      for (std::size_t i = 0; i < shown->vertices.size(); ++i)
        for (std::size_t k = 0; k < 3; ++k)
          worst = std::max(worst, std::abs(sum[3 * i + k] - shown->vertices[i][static_cast<int>(k)]));
      CHECK(worst < 2e-6f);
    }
  }
  CHECK(rigid > 0);
  CHECK(bending > 0);
  CHECK(moved > 0);
  const auto times = read.floats(read.json["animations"][0]["samplers"][0]["input"]);
  CHECK(times.back() == Approx(12 / scene.settings.frame_rate).epsilon(1e-6));
}

TEST_CASE("an animated glTF shows what is absent at scale 0, and turns the short way") {
  Scene scene = busy_scene();
  Frame frame = fresh_run(scene, 0).at(0);
  GltfClip clip(std::make_shared<MeshStore>(), Id{4});
  for (int f = 0; f < 3; ++f) {
    frame.index = 7 + 5 * f;
    for (ObjectFrame& object : frame.objects)
      if (object.id == Id{4}) {
        object.present = f != 1;
        object.rotation = Eigen::Quaternionf(Eigen::AngleAxisf(0.5f * static_cast<float>(f), Vec3f::UnitY()));
        if (f == 2) object.rotation.coeffs() = -object.rotation.coeffs();
      }
    REQUIRE(clip.add(scene, frame));
  }
  const auto bytes = clip.glb(scene);
  REQUIRE(bytes);
  const ReadGlb read(bytes.value());
  REQUIRE(read.json["nodes"].size() == 1);
  CHECK(read.value(0, "scale", 0, 3)[0] == 1);
  CHECK(read.value(0, "scale", 1, 3)[0] == 0);
  CHECK(read.value(0, "scale", 2, 3)[0] == 1);
  const auto from = read.value(0, "rotation", 1, 3), to = read.value(0, "rotation", 2, 3);
  CHECK(from[0] * to[0] + from[1] * to[1] + from[2] * to[2] + from[3] * to[3] > 0);
  const auto times = read.floats(read.json["animations"][0]["samplers"][0]["input"]);
  CHECK(times == std::vector<float>{0, static_cast<float>(5 / 60.0), static_cast<float>(10 / 60.0)});
}

TEST_CASE("an animated glTF has the keys that it needs: none of rest, two of a straight way") {
  Scene scene;
  scene.objects.push_back(make_object(1, "Goes", {PrimitiveShape::box, Vec3::Ones(), {1, 1, 1}}, Vec3::Zero()));
  GltfClip clip(std::make_shared<MeshStore>(), {});
  const std::size_t n = 101;
  std::vector<Vec3f> places;
  for (std::size_t f = 0; f < n; ++f) {
    const auto t = static_cast<float>(f);
    Frame frame;
    frame.index = static_cast<int>(f);
    ObjectFrame own;
    own.id = Id{1};
    // Rests, goes straight, bounces up and rests again.
    own.position = f < 30 ? Vec3f(1, 2, 3) : f < 60 ? Vec3f(1 + 0.1f * (t - 30), 2, 3) : Vec3f(4, 2, 3);
    if (f >= 60 && f < 80) own.position.y() += 0.001f * (t - 60) * (80 - t);
    if (f >= 40) own.rotation = Eigen::AngleAxisf(0.02f * std::min(t - 40, 20.0f), Vec3f::UnitY());
    places.push_back(own.position);
    frame.objects.push_back(own);
    REQUIRE(clip.add(scene, frame));
  }
  const auto bytes = clip.glb(scene);
  REQUIRE(bytes);
  const ReadGlb read(bytes.value());
  const std::size_t node = read.node("Goes");
  for (std::size_t f = 0; f < n; ++f) {
    const auto place = read.value(node, "translation", f, n);
    CHECK((Vec3f(place[0], place[1], place[2]) - places[f]).norm() < 3e-6f);
  }
  const auto keys = [&](const char* path) {
    for (const Json& channel : read.json["animations"][0]["channels"])
      if (channel["target"]["path"] == path)
        return read.floats(read.json["animations"][0]["samplers"].at(channel["sampler"].get<std::size_t>())["input"])
            .size();
    return std::size_t{0};
  };
  CHECK(keys("translation") == 24);  // 0, 29, 60 … 80, 100
  CHECK(keys("rotation") < 24);
  CHECK(read.value(node, "rotation", 100, n)[1] == Approx(std::sin(0.2)).margin(1e-6));
}

TEST_CASE("in an animated glTF particles that are copies of an object are nodes with one mesh, seen while they live",
          "[particles]") {
  Scene scene;
  scene.objects.push_back(make_object(1, "Leaf", {PrimitiveShape::box, Vec3(0.4, 0.1, 0.2), {1, 1, 1}}, Vec3::Zero()));
  ParticleSource source;
  source.id = Id{2};
  source.name = "Leaves";
  source.look = ParticleLook::mesh;
  source.copies = 1;
  source.rate = 30;
  source.life = 0.3;
  source.growth = 2;
  source.linear = 1;
  scene.particles.push_back(Shared<ParticleSource>(source));
  constexpr std::size_t kFrames = 41;
  const std::vector<Frame> frames = fresh_run(scene, static_cast<int>(kFrames) - 1);
  GltfClip clip(std::make_shared<MeshStore>(), {});
  for (const Frame& frame : frames) REQUIRE(clip.add(scene, frame));
  const auto bytes = clip.glb(scene);
  REQUIRE(bytes);
  const ReadGlb read(bytes.value());
  CHECK(read.json["meshes"].size() == 2);
  const auto& parent = read.json["nodes"].at(read.node("Leaves"));
  const std::size_t count = parent["children"].size();
  CHECK(count >= 15);
  CHECK(read.json["scenes"][0]["nodes"].size() == 2);  // the leaf and the source
  int seen = 0, unseen = 0;
  for (const Json& child : parent["children"]) {
    const auto node = child.get<std::size_t>();
    const std::string name = read.json["nodes"][node]["name"];
    CHECK(read.json["nodes"][node]["mesh"] == 1);
    const std::uint64_t number = std::stoull(name.substr(name.find(' ')));
    for (std::size_t f = 0; f < kFrames; ++f) {
      const ParticleBlock& block = *frames[f].find_particles(source.id);
      const auto at = std::find(block.numbers.begin(), block.numbers.end(), number);
      const float time = static_cast<float>(f) / static_cast<float>(scene.settings.frame_rate);
      const float scale = read.value_at(node, "scale", time).at(0);
      if (at == block.numbers.end()) {
        CHECK(scale == 0);
        ++unseen;
        continue;
      }
      const auto i = static_cast<std::size_t>(at - block.numbers.begin());
      ++seen;
      CHECK(0.4f * scale == Approx(block.sizes[i] * (1 + block.ages[i])).epsilon(1e-4));
      const auto place = read.value_at(node, "translation", time);
      CHECK((Vec3f(place[0], place[1], place[2]) - block.positions[i]).norm() < 3e-6f);
    }
  }
  CHECK(seen > 150);
  CHECK(unseen > 150);
}

TEST_CASE("in an animated glTF copies that are bodies are nodes where and as they are turned in the frames",
          "[copies]") {
  Scene scene;
  scene.objects.push_back(make_object(1, "Brick", {PrimitiveShape::box, Vec3(0.4, 0.1, 0.2), {1, 1, 1}}, Vec3::Zero()));
  ParticleSource source;
  source.id = Id{2};
  source.name = "Bricks";
  source.gives = SourceGives::copies;
  source.object = 1;
  source.rate = 20;
  source.speed = 20;
  source.scale_spread = 0.4;
  scene.particles.push_back(Shared<ParticleSource>(source));
  const std::vector<Frame> frames = fresh_run(scene, 40);
  GltfClip clip(std::make_shared<MeshStore>(), {});
  for (const Frame& frame : frames) REQUIRE(clip.add(scene, frame));
  const auto bytes = clip.glb(scene);
  REQUIRE(bytes);
  const ReadGlb read(bytes.value());
  const auto& parent = read.json["nodes"].at(read.node("Bricks"));
  REQUIRE(parent["children"].size() >= 8);
  int seen = 0;
  for (const Json& child : parent["children"]) {
    const auto node = child.get<std::size_t>();
    const std::string name = read.json["nodes"][node]["name"];
    const std::uint64_t number = std::stoull(name.substr(name.find(' ')));
    for (std::size_t f = 0; f < frames.size(); ++f) {
      const ParticleBlock& block = *frames[f].find_particles(source.id);
      const auto at = std::find(block.numbers.begin(), block.numbers.end(), number);
      if (at == block.numbers.end()) continue;
      const auto i = static_cast<std::size_t>(at - block.numbers.begin());
      const float time = static_cast<float>(f) / static_cast<float>(scene.settings.frame_rate);
      const auto place = read.value_at(node, "translation", time), turn = read.value_at(node, "rotation", time);
      CHECK((Vec3f(place[0], place[1], place[2]) - block.positions[i]).norm() < 3e-6f);
      CHECK(Eigen::Quaternionf(turn[3], turn[0], turn[1], turn[2]).angularDistance(block.rotations[i]) < 2e-3f);
      CHECK(0.4f * read.value_at(node, "scale", time).at(0) == Approx(block.sizes[i]).epsilon(1e-4));
      ++seen;
    }
  }
  CHECK(seen > 100);
}

TEST_CASE("an animated glTF refuses what it cannot hold in a sentence") {
  const Scene scene = busy_scene();
  const auto run = fresh_run(scene, 5);
  REQUIRE(run.at(5).find(Id{3})->deformed);
  GltfClip small(std::make_shared<MeshStore>(), {}, 100);
  const Status much = small.add(scene, run.at(0));
  REQUIRE_FALSE(much);
  CHECK(much.error().message.find("more than one glTF file may hold") != std::string::npos);
  CHECK_FALSE(much.error().hint.empty());
  // Keys count as well as shapes: 40 bytes a frame and body.
  GltfClip keys(std::make_shared<MeshStore>(), Id{4}, 100);
  REQUIRE(keys.add(scene, run.at(0)));
  REQUIRE(keys.add(scene, run.at(1)));
  CHECK_FALSE(keys.add(scene, run.at(2)));
  // What is hidden is not in the file, and takes no room in it.
  const Scene hidden = with_object(scene, Id{3}, [](Object& o) { o.visible = false; });
  GltfClip shown(std::make_shared<MeshStore>(), {}, 400), asked(std::make_shared<MeshStore>(), Id{3}, 400);
  for (std::size_t f = 3; f < 6; ++f) REQUIRE(shown.add(hidden, run.at(f)));
  CHECK(ReadGlb(shown.glb(hidden).value()).json["nodes"].size() == 3);
  CHECK_FALSE(asked.add(hidden, run.at(5)));  // one shape of the ball takes more than 400 bytes

  GltfClip clip(std::make_shared<MeshStore>(), {});
  CHECK_FALSE(clip.glb(scene));
  REQUIRE(clip.add(scene, run.at(1)));
  CHECK_FALSE(clip.add(scene, run.at(1)));
  GltfClip nothing(std::make_shared<MeshStore>(), Id{999});
  REQUIRE(nothing.add(scene, run.at(0)));
  CHECK_FALSE(nothing.glb(scene));
}

/// Written for read_clip_with_blender.py, which says how.
TEST_CASE("an animated glTF for Blender, with the places it must have", "[.blender]") {
  const char* folder = std::getenv("HAZUMI_CLIP_FOLDER");
  INFO("HAZUMI_CLIP_FOLDER says where to write");
  REQUIRE(folder);
  Scene scene = busy_scene();
  ParticleSource source;
  source.id = next_id(scene);
  source.name = "Copy";
  source.look = ParticleLook::mesh;
  for (const auto& object : scene.objects)
    if (object->name == "Box") source.copies = object->id.value;
  source.rate = 20;
  source.life = 0.4;
  scene.particles.push_back(Shared<ParticleSource>(source));
  GltfClip clip(std::make_shared<MeshStore>(), {});
  Json rows = Json::array();
  for (const Frame& frame : fresh_run(scene, 40)) {
    REQUIRE(clip.add(scene, frame));
    if (frame.index % 2) continue;
    for (const ObjectFrame& shown : frame.objects) {
      Vec3f place = shown.position;
      if (shown.deformed) {
        place.setZero();
        for (const Vec3f& v : shown.vertices) place += v / static_cast<float>(shown.vertices.size());
      }
      const Eigen::Quaternionf& q = shown.rotation;
      rows.push_back({{"frame", frame.index},
                      {"name", find_object(scene, shown.id)->name},
                      {"bends", shown.deformed},
                      {"place", {place.x(), place.y(), place.z()}},
                      {"rotation", {q.w(), q.x(), q.y(), q.z()}}});
    }
    const ParticleBlock& block = *frame.find_particles(source.id);
    for (std::size_t i = 0; i < block.positions.size(); ++i) {
      const Vec3f& place = block.positions[i];
      const Eigen::Quaternionf q(copy_turn(source, block.numbers[i], block.times[i]));
      rows.push_back({{"frame", frame.index},
                      {"name", "Copy " + std::to_string(block.numbers[i])},
                      {"bends", false},
                      {"place", {place.x(), place.y(), place.z()}},
                      {"rotation", {q.w(), q.x(), q.y(), q.z()}}});
    }
  }
  const auto bytes = clip.glb(scene);
  REQUIRE(bytes);
  std::ofstream(std::string(folder) + "/clip.glb", std::ios::binary) << bytes.value();
  std::ofstream(std::string(folder) + "/clip.json") << Json{{"rate", scene.settings.frame_rate}, {"rows", rows}};
}

}  // namespace gltf_clip_test
