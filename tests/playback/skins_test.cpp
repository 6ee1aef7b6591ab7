// Skins: display models that bend with other objects (core/sim/skinned.h).
#include "core/playback/skins.h"

#include <catch2/catch.hpp>

#include "core/base/random.h"
#include "core/playback/digest.h"
#include "core/playback/simulator.h"
#include "core/scene/derived/array.h"
#include "core/scene/derived/parts.h"
#include "core/scene/derived/skinning.h"
#include "core/scene/derived/tracks.h"
#include "core/scene/file/scene_io.h"
#include "tests/support/edits.h"
#include "tests/support/fill_run.h"
#include "tests/support/sanitized.h"

namespace skins_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

constexpr int kLast = 30;
constexpr std::uint64_t kSkin = 9;

/// Three blocks in a row, the last led, the others falling and tumbling, in a tube that is bound to them.
Scene caterpillar(bool linear = false) {
  Scene scene;
  scene.settings.substeps = 3;
  scene.settings.last_frame = kLast;
  scene.objects = {floor_object(1)};
  for (std::uint64_t k = 0; k < 3; ++k) {
    Object block = box(k + 2, "Block " + std::to_string(k + 1), Vec3(0.8 * static_cast<double>(k), 0.9, 0));
    block.body.velocity = Vec3(0.2, -2, 0.1 * static_cast<double>(k));
    block.body.spin = Vec3(1, -2, 3) * (0.5 * static_cast<double>(k) + 0.5);
    scene.objects.push_back(Shared<Object>(std::move(block)));
  }
  Object tube = make_object(kSkin, "Caterpillar", {PrimitiveShape::cylinder, Vec3(0.7, 2.4, 0.7), {12, 8, 1}},
                            Vec3(0.8, 0.9, 0.05), BodyKind::fixed);
  tube.transform.rotation = Quat(Eigen::AngleAxisd(-kPi / 2, Vec3::UnitZ()));
  tube.transform.scale = Vec3(1.2, 1, 0.9);
  MeshStore meshes;
  std::vector<SkinCarrier> carriers;
  for (std::size_t k = 1; k < 4; ++k) carriers.push_back({scene.objects[k].get(), meshes.mesh(*scene.objects[k])});
  tube = bound_to(tube, carriers);
  tube.mapping.linear_blend = linear;
  scene.objects.push_back(Shared<Object>(std::move(tube)));
  scene = with_key(std::move(scene), 4, "transform.position", 0, Vec3(1.6, 0.9, 0));
  return with_key(std::move(scene), 4, "transform.position", 0.4, Vec3(2.0, 1.6, 0.4));
}

Pose pose_of(const Frame& frame, std::uint64_t id) {
  const ObjectFrame& object = *frame.find(Id{id});
  return {object.position.cast<double>(), object.rotation.cast<double>().normalized()};
}

Frame frame_of(const Scene& scene, int frame) {
  Simulator simulator(compiled(scene), 1);
  return simulator.frame_at(frame);
}

void check_bends(const Scene& scene, const Frame& frame) {
  const Object& skin = *find_object(scene, Id{kSkin});
  MeshStore meshes;
  const auto mesh = meshes.mesh(skin);
  const auto model = compiled(scene);
  REQUIRE(model->skins.size() == 1);
  const ObjectFrame& out = *frame.find(Id{kSkin});
  REQUIRE(out.deformed);
  REQUIRE(out.vertices.size() == mesh->positions.size());
  double worst = 0;
  for (std::size_t v = 0; v < mesh->positions.size(); ++v) {
    const VertexBones& w = (*model->skins[0].weights)[v];
    Vec3 sum = Vec3::Zero();
    for (std::size_t k = 0; k < 4 && w.weights[k] > 0; ++k) {
      const Bone& bone = skin.mapping.bones[w.bones[k]];
      const Pose now = pose_of(frame, bone.carrier);
      const Vec3 local = bone.bound_rotation.conjugate() *
                         (mesh->positions[v] - bone.bound_position.cwiseProduct(skin.transform.scale));
      sum += static_cast<double>(w.weights[k]) * (now * local);
    }
    worst = std::max(worst, (sum - out.vertices[v].cast<double>()).norm());
  }
  CHECK(worst < 2e-6);
}

}  // namespace

TEST_CASE("a skin is where its objects have it, blended by its weights, and stands as modelled at the start",
          "[skins]") {
  const Scene scene = caterpillar(true);
  for (const int frame : {0, 7, kLast}) check_bends(scene, frame_of(scene, frame));
  for (const bool linear : {true, false}) {
    const Scene start = caterpillar(linear);
    const Frame frame = frame_of(start, 0);
    const Object& skin = *find_object(start, Id{kSkin});
    MeshStore meshes;
    const auto mesh = meshes.mesh(skin);
    const ObjectFrame& out = *frame.find(Id{kSkin});
    for (std::size_t v = 0; v < mesh->positions.size(); ++v) {
      const Vec3 modelled = skin.transform.position + skin.transform.rotation * mesh->positions[v];
      REQUIRE((out.vertices[v].cast<double>() - modelled).norm() < 1e-5);
      REQUIRE(std::abs(out.normals[v].norm() - 1) < 1e-5f);
    }
  }
}

TEST_CASE("what goes with one object alone goes rigidly with it, linear or not", "[skins]") {
  for (const bool linear : {true, false}) {
    Scene scene = caterpillar(linear);
    scene = with_object(scene, Id{kSkin}, [](Object& o) { o.mapping.bones.resize(1); });
    const Frame first = frame_of(scene, 0), later = frame_of(scene, 25);
    const Pose from = pose_of(first, 2), to = pose_of(later, 2);
    const ObjectFrame &a = *first.find(Id{kSkin}), &b = *later.find(Id{kSkin});
    for (std::size_t v = 0; v < a.vertices.size(); ++v) {
      const Vec3 local = from.rotation.conjugate() * (a.vertices[v].cast<double>() - from.position);
      REQUIRE((to * local - b.vertices[v].cast<double>()).norm() < 3e-6);
    }
    CHECK((later.find(Id{kSkin})->position - first.find(Id{kSkin})->position).norm() > 0.1f);
  }
}

TEST_CASE("a skin changes nothing of the run: it touches nothing and has no weight", "[skins]") {
  const Scene with = caterpillar();
  Scene colliding = with_object(with, Id{kSkin}, [](Object& o) { o.contact.enabled = true; });
  const Scene bare = without(with, Id{kSkin});
  const Frame a = frame_of(with, kLast), b = frame_of(bare, kLast), c = frame_of(colliding, kLast);
  for (const std::uint64_t id : {2, 3, 4}) {
    CHECK(same_bits(*a.find(Id{id}), *b.find(Id{id})));
    CHECK(same_bits(*a.find(Id{id}), *c.find(Id{id})));
  }
  MeshStore meshes;
  const auto told = compile(colliding, meshes);
  REQUIRE(told.ok());
  bool said = false;
  for (const Diagnostic& d : told.diagnostics()) said = said || d.message.find("skin") != std::string::npos;
  CHECK(said);
}

TEST_CASE("a skin is the same on any number of threads and after any scrub", "[skins][threads]") {
  const Scene scene = caterpillar();
  Simulator one(compiled(scene), 1), two(compiled(scene), 2);
  const std::uint64_t last = digest(one.frame_at(kLast));
  CHECK(digest(two.frame_at(kLast)) == last);
  const std::uint64_t middle = digest(one.frame_at(11));
  CHECK(digest(two.frame_at(11)) == middle);
  CHECK(digest(one.frame_at(kLast)) == last);
  std::string text = scene_to_text(scene);
  const Result<Scene> read = part_from_text(text);
  REQUIRE(read.ok());
  CHECK(digest(frame_of(*read, kLast)) == last);
}

TEST_CASE("bones whose object is gone go with the bone above, or stay with the skin", "[skins]") {
  Scene scene = caterpillar();
  scene = with_object(scene, Id{kSkin}, [](Object& o) { o.mapping.bones[1].parent = o.mapping.bones[0].id; });
  const Scene less = without(scene, Id{3});
  const std::vector<Bone>& bones = find_object(less, Id{kSkin})->mapping.bones;
  CHECK(bones[1].carrier == 0);
  CHECK(bones[0].carrier == 2);
  const auto model = compiled(less);
  REQUIRE(model->skins.size() == 1);
  CHECK(model->bodies[model->skins[0].bones[1].carrier].id == Id{2});
  Scene none = less;
  for (const std::uint64_t id : {2, 4}) none = without(none, Id{id});
  CHECK_FALSE(is_skin(*find_object(none, Id{kSkin})));
  CHECK(compiled(none)->skins.empty());
  CHECK_FALSE(frame_of(none, 3).find(Id{kSkin})->deformed);
}

TEST_CASE("copies of a skin go with copies of its objects, or with the same", "[skins]") {
  const Scene scene = caterpillar();
  const auto copied = [&](const std::set<Id>& ids) {
    return arrayed(scene, ids, [] {
      ArraySettings settings;
      settings.count = 2;
      settings.offset = Vec3(0, 0, 5);
      return settings;
    }());
  };
  const Array whole = copied({Id{2}, Id{3}, Id{4}, Id{kSkin}});
  const Object& second = *find_object(whole.scene, whole.copies.back());
  REQUIRE(is_skin(second));
  for (const Bone& bone : second.mapping.bones) {
    CHECK(bone.carrier > kSkin);
    CHECK(find_object(whole.scene, Id{bone.carrier})->transform.position.z() == Approx(5));
  }
  // The copy stands five metres aside, as its objects do: moving all of a figure moves it once.
  const Frame frame = frame_of(whole.scene, 0);
  const ObjectFrame &a = *frame.find(Id{kSkin}), &b = *frame.find(second.id);
  for (std::size_t v = 0; v < a.vertices.size(); ++v)
    REQUIRE((b.vertices[v] - a.vertices[v] - Vec3f(0, 0, 5)).norm() < 1e-5f);
  const Array alone = copied({Id{kSkin}});
  const Object& twin = *find_object(alone.scene, alone.copies.back());
  CHECK(carriers_of(alone.scene, twin) == carriers_of(scene, *find_object(scene, Id{kSkin})));
  // In another scene there is nobody to go with.
  const Scene part = part_of(scene, {Id{kSkin}});
  const JoinedScene joint = joined(Scene(), part);
  CHECK_FALSE(is_skin(*joint.scene.objects.at(0)));
}

TEST_CASE("between two sub-steps a skin goes with what is led at its keys", "[skins][clock]") {
  Scene scene = caterpillar(true);
  scene.settings.time_scale = 0.37;
  for (const int frame : {1, 5, 17}) check_bends(scene, frame_of(scene, frame));
}

namespace {

/// How often frames were compared.
int random_edits(std::uint64_t seed, int edits) {
  EditDice dice(seed);
  FillRun run(2);
  Shared<Scene> now(caterpillar());
  run.fill.start(now, 0, kLast);
  std::string story;
  int compared = 0;
  for (int edit = 0; edit < edits; ++edit) {
    Scene next = *now;
    std::string what;
    const auto at = static_cast<std::size_t>(dice.below(static_cast<int>(next.objects.size())));
    const bool skin = dice.below(3) != 0;
    const std::size_t which = skin ? next.objects.size() - 1 : at;
    next.objects[which] = next.objects[which].edited([&](Object& o) {
      switch (dice.below(4)) {
        case 0:
          if (o.mapping.bones.empty()) break;
          what = "carrier";
          o.mapping.bones[static_cast<std::size_t>(dice.below(static_cast<int>(o.mapping.bones.size())))].carrier =
              static_cast<std::uint64_t>(dice.below(11));
          break;
        case 1:
          what = "bones";
          change_some_list(o, dice, what, "mapping.bones");
          break;
        case 2:
          what = "painted";
          if (!change_some_list(o, dice, what, "mapping.painted")) grow_some_list(o, dice, what);
          break;
        default:
          change_some_field(object_fields(), o, dice, what);
      }
    });
    if (dice.below(40) == 0 && next.objects.size() > 4) {
      what = "removed";
      next = without(next, next.objects[at]->id);
    }
    if (has_error(validate(next))) continue;
    story += "\n" + std::to_string(edit) + " " + what + " of " +
             next.objects[std::min(which, next.objects.size() - 1)]->name;
    INFO("seed " << seed << ", edits:" << story);
    const Shared<Scene> after(std::move(next));
    run.start(*now, after, kLast);
    now = after;
    if (dice.below(3) == 0) continue;
    run.settle();
    MeshStore meshes;
    if (compile(*now, meshes)) {
      run.check_equals_fresh(*now, kLast);
      ++compared;
      if (dice.below(6) != 0) continue;
    }
    // What is wild, or cannot run, is done with: from the start again.
    const Shared<Scene> fresh(caterpillar(dice.below(2) == 0));
    run.start(*now, fresh, kLast);
    now = fresh;
  }
  return compared;
}

}  // namespace

TEST_CASE("frames after 200 random edits of a skin equal those of a fresh run", "[skins][threads]") {
  CHECK(random_edits(20261125, rounds(200, 30)) >= rounds(30, 3));
}

TEST_CASE("frames after thousands of random edits of skins equal those of a fresh run", "[.long][skins]") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) CHECK(random_edits(seed, 200) >= 20);
}

}  // namespace skins_test
