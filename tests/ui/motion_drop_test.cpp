// Motions drawn at random, dropped on things of a document and shown on their stage: one step each, and undo gives back the bytes.
#include <catch2/catch.hpp>

#include <QUndoStack>

#include "core/scene/file/scene_io.h"
#include "core/scene/validate.h"
#include "tests/support/random_motion.h"
#include "tests/support/sanitized.h"
#include "tests/ui/support.h"
#include "ui/model/document_controller.h"
#include "ui/model/motion_stage.h"

namespace motion_drop_test {

using namespace hazumi;
using namespace hazumi::test;

TEST_CASE("200 motions drawn at random are dropped on things, and undo gives the same bytes",
          "[ui][document][motion_graph]") {
  MeshStore meshes;
  const BodyOf body = [&](const Object& object) { return motion_body(object, *meshes.mesh(object)); };
  int dropped = 0;
  for (std::uint64_t seed = 1; seed <= static_cast<std::uint64_t>(test::rounds(200, 20)); ++seed) {
    INFO("seed " << seed);
    reference::Dice dice(4711 + seed);
    RandomMotionScene drawn(dice);
    std::set<Id> chosen;
    const Scene motion = drawn.motion(body, chosen);
    const Scene stage = motion_stage(motion, meshes);  // its picture
    CHECK_FALSE(has_error(validate(stage)));
    if (!no_motion(motion).empty()) continue;
    World world;
    world.floor();
    DocumentController document;
    const Id first = add_random_thing(world, dice), second = add_random_thing(world, dice);
    document.reset(world.scene, {});
    const std::string before = scene_to_text(document.scene());
    std::vector<std::string> steps;
    for (const Id thing : {first, second, first}) {
      auto put = put_motion(document.scene(), motion, {{stand_ins(motion).front().id, thing}}, {}, body);
      REQUIRE(put.ok());
      REQUIRE(document.edit("Drop", std::move(put->scene)).ok());
      steps.push_back(scene_to_text(document.scene()));
      ++dropped;
    }
    CHECK(document.undo_stack()->count() == 3);
    for (int k = 2; k >= 0; --k) {
      CHECK(scene_to_text(document.scene()) == steps[static_cast<std::size_t>(k)]);
      document.undo_stack()->undo();
    }
    CHECK(scene_to_text(document.scene()) == before);
    for (const std::string& step : steps) {
      document.undo_stack()->redo();
      CHECK(scene_to_text(document.scene()) == step);
    }
  }
  CHECK(dropped > test::rounds(360, 40));
}

}  // namespace motion_drop_test
