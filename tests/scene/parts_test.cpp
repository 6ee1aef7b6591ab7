// Parts of random scenes, taken out and brought in: nothing lost, nothing twice, references follow.
#include <catch2/catch.hpp>

#include "core/base/random.h"
#include "core/scene/derived/joined.h"
#include "core/scene/derived/parts.h"
#include "core/scene/file/scene_io.h"
#include "core/scene/validate.h"
#include "core/scene/values/scene_lists.h"
#include "tests/scene/random_scene.h"

namespace hazumi::parts_test {

namespace {

std::set<Id> some_ids(const Scene& scene, std::uint64_t seed) {
  std::set<Id> ids;
  visit_scene_lists([&](const auto& list) {
    for (const auto& thing : scene.*list.member)
      if (random_unit(seed, thing->id, 0, 1) < 0.6) ids.insert(thing->id);
  });
  return ids;
}

}  // namespace

TEST_CASE("A part comes into its own scene under new ids and names, pairs with it", "[scene][parts]") {
  int pairs = 0, left_behind = 0, joints = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    INFO(seed);
    const Scene scene = test::random_scene(seed, 6);
    const std::set<Id> ids = some_ids(scene, seed);
    const Scene part = part_of(scene, ids);
    for (const auto& pair : scene.pairs) {
      const bool whole = ids.count(Id{pair->a}) != 0 && ids.count(Id{pair->b}) != 0;
      const bool there = find_thing(part, std::get<SceneList<ContactPair>>(kSceneLists), pair->id) != nullptr;
      CHECK(there == whole);
      (there ? pairs : left_behind) += 1;
    }
    const JoinedScene result = joined(scene, part);
    const Scene& after = result.scene;
    const std::map<Id, Id>& names = result.ids;
    CHECK_FALSE(has_error(validate(after)));
    std::set<Id> all;
    visit_scene_lists([&]<class Thing>(const SceneList<Thing>& list) {
      const auto& now = after.*list.member;
      const bool again = !std::is_same_v<Thing, Collection>;  // of a scene's own collections there is one
      REQUIRE(now.size() == (scene.*list.member).size() + (again ? (part.*list.member).size() : 0));
      for (const auto& thing : now) CHECK(all.insert(thing->id).second);
      for (std::size_t i = 0; i < (scene.*list.member).size(); ++i) CHECK(now[i].same_as((scene.*list.member)[i]));
    });
    for (const auto& pair : part.pairs) {
      const ContactPair* copy = find_thing(after, std::get<SceneList<ContactPair>>(kSceneLists), names.at(pair->id));
      REQUIRE(copy);
      CHECK(copy->a == names.at(Id{pair->a}).value);
      CHECK(copy->b == names.at(Id{pair->b}).value);
      CHECK(copy->friction == pair->friction);
    }
    for (const auto& joint : part.joints) {
      const Joint* copy = find_joint(after, names.at(joint->id));
      REQUIRE(copy);
      const auto same = [&](std::uint64_t before, std::uint64_t now) {
        return before == 0 ? now == 0 : now == names.at(Id{before}).value;
      };
      if (joint->kind == JointKind::gear)
        CHECK((same(joint->first, copy->first) && same(joint->second, copy->second)));
      else
        CHECK((same(joint->a.object, copy->a.object) && same(second_object(*joint), second_object(*copy))));
      ++joints;
    }
    for (const auto& object : part.objects) {
      const Object *copy = find_object(after, names.at(object->id)), *original = find_object(scene, object->id);
      CHECK(collection_of(after, *copy) == collection_of(scene, *original));
      const bool together = original->parent != 0 && ids.count(Id{original->parent}) != 0;
      CHECK(copy->parent == (together ? names.at(Id{original->parent}).value : 0));
    }
    // By way of text the same.
    const Result<Scene> read = part_from_text(scene_to_text(part));
    INFO((read.ok() ? std::string() : to_string(read.error())));
    REQUIRE(read.ok());
    CHECK(scene_to_text(joined(scene, *read).scene) == scene_to_text(after));
  }
  CHECK(pairs > 0);
  CHECK(left_behind > 0);
  CHECK(joints > 20);
}

}  // namespace hazumi::parts_test
