#include <catch2/catch.hpp>

#include <limits>
#include <optional>

#include <QSignalSpy>

#include "core/scene/file/scene_io.h"
#include "tests/ui/support.h"
#include "ui/jobs/save_job.h"
#include "ui/model/document_controller.h"
#include "ui/model/selection.h"

namespace document_test {

using namespace hazumi;
using namespace hazumi::test;

TEST_CASE_METHOD(BallDocument, "An edit makes one step, one signal, and a new scene that shares the rest",
                 "[ui][document]") {
  const Shared<Scene> before = document.snapshot();
  std::vector<ChangeSet> changes;
  QObject::connect(&document, &DocumentController::changed,
                   [&](const ChangeSet& change) { changes.push_back(change); });

  REQUIRE(document.edit_object("Mass Ball", ball, [](Object& object) { object.body.mass = 2; }).ok());

  CHECK(find_object(document.scene(), ball)->body.mass == 2);
  CHECK(find_object(*before, ball)->body.mass == 1);
  CHECK(document.scene().objects[0].same_as(before->objects[0]));
  CHECK(document.undo_stack()->count() == 1);
  CHECK(document.undo_stack()->undoText() == "Mass Ball");
  REQUIRE(changes.size() == 1);
  CHECK(changes[0].objects == std::vector<Id>{ball});
  CHECK(document.modified());
}

TEST_CASE_METHOD(BallDocument, "An edit that is not valid is refused with a sentence and changes nothing",
                 "[ui][document]") {
  const Shared<Scene> before = document.snapshot();
  QSignalSpy refused(&document, &DocumentController::refused);
  int changes = 0;
  QObject::connect(&document, &DocumentController::changed, [&](const ChangeSet&) { ++changes; });

  for (double bad : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    const Status status = document.edit_object("Mass", ball, [bad](Object& object) { object.body.mass = bad; });
    CHECK_FALSE(status.ok());
  }
  CHECK(refused.count() == 4);
  CHECK(refused.first().first().toString().endsWith('.'));
  CHECK(changes == 0);
  CHECK(document.snapshot().same_as(before));
  CHECK(document.undo_stack()->count() == 0);
  CHECK_FALSE(document.modified());
}

TEST_CASE_METHOD(BallDocument, "An edit that changes nothing leaves no step", "[ui][document]") {
  REQUIRE(document.edit_object("Mass", ball, [](Object& object) { object.body.mass = 1.0; }).ok());
  CHECK(document.undo_stack()->count() == 0);
  CHECK_FALSE(document.modified());
}

TEST_CASE("Saving makes the document clean, undo from there makes it modified", "[ui][document]") {
  QTemporaryDir folder;
  DocumentController document;
  document.reset(ball_scene(), {});
  const Id ball = id_of(document.scene(), "Ball");
  REQUIRE(document.edit_object("Mass", ball, [](Object& object) { object.body.mass = 3; }).ok());
  const std::filesystem::path file = folder.filePath("ball.json").toStdString();
  REQUIRE(save_scene(*document.as_saved(), file).ok());
  document.mark_saved(file);
  CHECK_FALSE(document.modified());
  CHECK(document.title() == "ball");
  const auto loaded = load_scene(file);
  REQUIRE(loaded.ok());
  CHECK(scene_to_text(*loaded) == scene_to_text(document.scene()));
  document.undo_stack()->undo();
  CHECK(document.modified());
  document.undo_stack()->redo();
  CHECK_FALSE(document.modified());
}

TEST_CASE_METHOD(BallDocument, "A document that cannot be written stays modified and says why", "[ui][document]") {
  REQUIRE(document.edit_object("Mass", ball, [](Object& object) { object.body.mass = 3; }).ok());
  SaveJob job;
  const std::optional<Status> status = job.save(document.as_saved(), "/proc/no/such/place/ball.json");
  REQUIRE(status);
  REQUIRE_FALSE(status->ok());
  CHECK_FALSE(status->error().message.empty());
  CHECK(document.modified());
}

TEST_CASE("Selection: active is the last one, removal keeps one", "[ui][selection]") {
  Selection selection;
  QSignalSpy changed(&selection, &Selection::changed);
  selection.select_only(Id{3});
  selection.toggle(Id{5});
  CHECK(selection.active() == Id{5});
  CHECK(selection.ids() == std::set<Id>{Id{3}, Id{5}});
  selection.toggle(Id{5});
  CHECK(selection.active() == Id{3});
  selection.add({Id{7}, Id{9}});
  CHECK(selection.active() == Id{9});
  CHECK(selection.ids().size() == 3);
  selection.clear();
  CHECK(selection.empty());
  CHECK_FALSE(selection.active());
  CHECK(changed.count() == 5);
  selection.clear();
  CHECK(changed.count() == 5);
}

}  // namespace document_test
