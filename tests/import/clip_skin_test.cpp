// A skin whose weights blend, written by Blender while it was bent (tests/import/make_blender_skin.py): as the scene's objects lead it,
// its vertices are where Blender has them.
#include <catch2/catch.hpp>

#include <fstream>

#include <nlohmann/json.hpp>

#include "core/import/mesh_file.h"
#include "core/import/prepare.h"
#include "core/scene/derived/clip_motion.h"
#include "core/scene/derived/skinning.h"
#include "tests/import/clip_support.h"

namespace hazumi::clip_skin_test {

namespace {

using test::clip_pose;
using test::kClips;

/// As a run would have it (sim/skinned.h), in double.
std::vector<Vec3> bent(const ClipSkinning& goes, const DisplayMesh& mesh, const std::vector<PieceMotion>& motion,
                       double time) {
  std::vector<Pose> bones;
  for (std::size_t b = 0; b < goes.mapping.bones.size(); ++b) {
    const Pose at = clip_pose(motion[goes.piece[b]], time);
    const Bone& bone = goes.mapping.bones[b];
    const Quat turn = at.rotation * bone.bound_rotation.conjugate();
    bones.push_back({at.position - turn * bone.bound_position, turn});
  }
  std::vector<Vec3> points(mesh.positions.size(), Vec3::Zero());
  for (const PaintedWeight& w : goes.mapping.painted)
    points[w.vertex] += static_cast<double>(w.weight) * (bones[w.bone - 1] * mesh.positions[w.vertex]);
  return points;
}

double farthest(const std::vector<Vec3>& from, const std::vector<Vec3>& to) {
  double most = 0;
  for (const Vec3& p : from) {
    double least = 1e300;
    for (std::size_t k = 0; k < to.size() && least > most; ++k) least = std::min(least, (p - to[k]).norm());
    most = std::max(most, least);
  }
  return most;
}

}  // namespace

TEST_CASE("A skin of glTF and FBX bends as in Blender at 20 times", "[import][clips][skin]") {
  std::ifstream in(kClips / "bending.json");
  const auto blender = nlohmann::json::parse(in);
  for (const char* name : {"bending.glb", "bending.fbx"}) {
    INFO(name);
    const Result<ClipFile> file = read_clip_file(kClips / name);
    if (!file.ok()) FAIL(to_string(file.error()));
    REQUIRE(file->clips.size() >= 1);
    REQUIRE(file->skins.size() == 1);
    const ClipSkin& skin = file->skins[0];
    CHECK(skin.bones.size() == 3);
    CHECK(skin.parts.size() == 1);
    std::size_t cut = 0;
    for (const ClipPiece& piece : file->pieces) cut += piece.of_skin ? 1 : 0;
    CHECK(cut == 3);
    CHECK(file->pieces.size() == 4);  // and the hat
    const MeshSettings settings = suggested_settings(file->imported.report);
    const auto mesh = prepare_mesh({skin_mesh(*file, skin), {}}, settings);
    REQUIRE(mesh);
    const auto motion = clip_motion(*file, file->clips[0], settings, {});
    REQUIRE(motion.ok());
    const auto goes = clip_skinning(*file, skin, settings, mesh->mesh);
    REQUIRE(goes);
    double worst = 0;
    for (const auto& frame : blender["frames"]) {
      std::vector<Vec3> points;
      const auto& numbers = frame["points"];
      for (std::size_t i = 0; i < numbers.size(); i += 3)
        points.emplace_back(numbers[i].get<double>(), numbers[i + 1].get<double>(), numbers[i + 2].get<double>());
      const auto ours = bent(*goes, mesh->mesh, *motion, frame["frame"].get<double>() / 24);
      worst = std::max({worst, farthest(ours, points), farthest(points, ours)});
    }
    std::printf("%s: %.2e m off, %zu vertices, %zu weights\n", name, worst, mesh->mesh.positions.size(),
                goes->mapping.painted.size());
    CHECK(worst < 1e-4);
    for (const Bone& bone : goes->mapping.bones) {
      CHECK((bone.tail - bone.head).norm() > 0.1);
      CHECK(bone.radius > 0.05);
    }
    CHECK(goes->mapping.bones[1].parent == goes->mapping.bones[0].id);
  }
}

TEST_CASE("The weights of a skin stay with its vertices whatever is done to the mesh", "[import][clips][skin]") {
  const Result<ClipFile> file = read_clip_file(kClips / "bending.glb");
  REQUIRE(file.ok());
  const ClipSkin& skin = file->skins.at(0);
  const auto weight_at = [&](const MeshSettings& settings) {
    const auto mesh = prepare_mesh({skin_mesh(*file, skin), {}}, settings);
    REQUIRE(mesh);
    const auto goes = clip_skinning(*file, skin, settings, mesh->mesh);
    REQUIRE(goes);
    // Of each vertex the sum is 1, and what it is follows from how high it is: the lowest go with the first bone alone.
    std::vector<double> sums(mesh->mesh.positions.size()), first(sums.size());
    for (const PaintedWeight& w : goes->mapping.painted) {
      sums[w.vertex] += static_cast<double>(w.weight);
      if (w.bone == 1) first[w.vertex] += static_cast<double>(w.weight);
    }
    for (std::size_t v = 0; v < sums.size(); ++v) {
      CHECK(sums[v] == Approx(1).margin(1e-5));
      const double from_hip = (mesh->mesh.positions[v] - goes->mapping.bones[0].bound_position).norm() / settings.scale;
      if (from_hip < 0.3) CHECK(first[v] == Approx(1));
      if (from_hip > 1.2) CHECK(first[v] == Approx(0).margin(1e-6));
    }
  };
  MeshSettings settings = suggested_settings(file->imported.report);
  weight_at(settings);
  settings.scale = 2.5;
  settings.up = UpAxis::z;
  settings.simplify = 0.4;
  settings.merge_distance = 1e-3;
  weight_at(settings);
}

TEST_CASE("What is of no use as a skin stays in pieces", "[import][clips][skin]") {
  const Result<ClipFile> file = read_clip_file(kClips / "crane.glb");
  REQUIRE(file.ok());
  CHECK(file->skins.empty());
  const Result<ClipFile> bars = read_clip_file(kClips / "arm.bvh");
  REQUIRE(bars.ok());
  CHECK(bars->skins.empty());
}

}  // namespace hazumi::clip_skin_test
