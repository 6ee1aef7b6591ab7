// Clips of tests/import/clips, written by Blender (tests/import/make_blender_clips.py) beside where Blender has everything at 20
// times: the keys that come of them say the same.
#include <catch2/catch.hpp>

#include <cmath>
#include <fstream>
#include <map>

#include <nlohmann/json.hpp>

#include "core/import/mesh_file.h"
#include "core/import/prepare.h"
#include "core/scene/derived/clip_motion.h"
#include "core/scene/derived/tracks.h"

namespace hazumi::clip_motion_test {

namespace {

const std::filesystem::path kClips = HAZUMI_SOURCE_DIR "/tests/import/clips";

Vec3 vec(const nlohmann::json& v) { return {v[0].get<double>(), v[1].get<double>(), v[2].get<double>()}; }

const Clip* find_clip(const ClipFile& file, const std::string& name) {
  for (const Clip& clip : file.clips)
    if (name.empty() || clip.name.find(name) != std::string::npos) return &clip;
  return nullptr;
}

Pose at_time(const PieceMotion& motion, double time) {
  Pose pose = motion.start;
  Track track;
  if (track.keys = motion.place; !track.keys.empty()) {
    const auto v = track_value(track, FieldType::vector, time);
    pose.position = {v[0], v[1], v[2]};
  }
  if (track.keys = motion.rotation; !track.keys.empty()) {
    const auto v = track_value(track, FieldType::rotation, time);
    pose.rotation = Quat(v[0], v[1], v[2], v[3]);
  }
  return pose;
}

/// Units and axes: of BVH and FBX by Blender.
MeshSettings settings_of(const std::string& name, const ClipFile& file) {
  MeshSettings settings = suggested_settings(file.imported.report);
  if (name.ends_with(".bvh")) settings.up = UpAxis::z;
  if (name == "arm_native.bvh") settings.scale = 0.1;
  return settings;
}

struct Worst {
  double place = 0, turn = 0, box = 0;
  std::size_t keys = 0, rows = 0;
};

Worst compare(const nlohmann::json& sample, const ClipFile& file, const Clip& clip, bool fewest) {
  const std::string name = sample["file"];
  const MeshSettings settings = settings_of(name, file);
  ClipWay way;
  way.fewest = fewest;
  const auto motion = clip_motion(file, clip, settings, way);
  REQUIRE(motion.ok());
  Worst worst;
  for (const PieceMotion& m : *motion) worst.keys += m.place.size() + m.rotation.size();
  std::map<std::string, Quat> first;
  for (const auto& row : sample["rows"]) {
    const std::string thing = row["name"];
    INFO(thing << " frame " << row["frame"]);
    const ClipPiece* piece = find_piece(file, thing);
    REQUIRE(piece != nullptr);
    const auto p = static_cast<std::size_t>(piece - file.pieces.data());
    const Pose pose = at_time((*motion)[p], row["frame"].get<double>() / sample["rate"].get<double>());
    worst.place = std::max(worst.place, (pose.position - vec(row["place"])).norm());
    const auto& t = row["turn"];
    const Quat turn(t[0].get<double>(), t[1].get<double>(), t[2].get<double>(), t[3].get<double>());
    first.try_emplace(thing, pose.rotation);
    const Quat since = pose.rotation * first[thing].conjugate();
    worst.turn = std::max(worst.turn, since.angularDistance(turn.normalized()));
    ++worst.rows;
    if (!row.contains("low")) continue;
    MeshSettings whole = settings;
    const auto mesh = prepare_mesh({piece_mesh(file, *piece), {}}, whole);
    REQUIRE(mesh);
    Box3 box;
    for (const Vec3& v : mesh->mesh.positions) box.add(pose * v);
    worst.box = std::max({worst.box, (box.low - vec(row["low"])).norm(), (box.high - vec(row["high"])).norm()});
  }
  return worst;
}

}  // namespace

TEST_CASE("Clips of glTF, FBX and BVH are where Blender has them at 20 times", "[import][clips]") {
  std::ifstream in(kClips / "poses.json");
  std::map<std::string, int> kinds;
  for (const auto& sample : nlohmann::json::parse(in)) {
    const std::string name = sample["file"];
    INFO(name << " " << sample["clip"]);
    const Result<ClipFile> file = read_clip_file(kClips / name);
    if (!file.ok()) FAIL(to_string(file.error()));
    CHECK(file->imported.report.moves);
    CHECK(file->rate == Approx(24));
    const Clip* clip = find_clip(*file, sample["clip"]);
    REQUIRE(clip != nullptr);
    for (bool fewest : {false, true}) {
      const Worst worst = compare(sample, *file, *clip, fewest);
      INFO(clip->name << " fewest " << fewest << ": " << worst.place << " m, " << worst.turn << " rad, box "
                      << worst.box << " m, " << worst.keys << " keys");
      CHECK(worst.rows >= 60);
      // Keys that stay: 7e-7 m, 3e-7 rad, the digits of the files. New ones: the tolerance, 5e-5 m and 5e-5 rad; boxes 6e-5 m.
      CHECK(worst.place < 1e-4);
      CHECK(worst.turn < 1e-4);
      CHECK(worst.box < 1e-4);
      // Four keys of one thing, of any shape, are four keys in the scene too.
      if (name.starts_with("hook_") && !fewest) CHECK(worst.keys == 4);
    }
    ++kinds[name.substr(name.rfind('.'))];
  }
  CHECK(kinds[".glb"] >= 5);
  CHECK(kinds[".gltf"] == 3);
  CHECK(kinds[".fbx"] == 4);
  CHECK(kinds[".bvh"] == 2);
}

}  // namespace hazumi::clip_motion_test
