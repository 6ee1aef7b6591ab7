// Undo is tested by full comparisons of the scene, after every do, undo and redo of random edits.
#include <catch2/catch.hpp>

#include "core/base/random.h"
#include "tests/ui/support.h"
#include "ui/model/document_controller.h"
#include "ui/model/selection.h"

namespace undo_test {

using namespace hazumi;
using namespace hazumi::test;

TEST_CASE_METHOD(BallDocument, "A drag of a hundred moves is one step", "[ui][undo]") {
  const std::string start = scene_to_text(document.scene());
  const quint64 drag = document.new_gesture();
  for (int i = 1; i <= 100; ++i)
    REQUIRE(document
                .edit_object(
                    "Move Ball", ball, [i](Object& o) { o.transform.position.x() = 0.01 * i; }, drag)
                .ok());
  CHECK(document.undo_stack()->count() == 1);
  CHECK(find_object(document.scene(), ball)->transform.position.x() == 1.0);
  document.undo_stack()->undo();
  CHECK(scene_to_text(document.scene()) == start);
  document.undo_stack()->redo();
  CHECK(find_object(document.scene(), ball)->transform.position.x() == 1.0);
}

TEST_CASE_METHOD(BallDocument, "Two drags are two steps", "[ui][undo]") {
  for (int drag = 0; drag < 2; ++drag) {
    const quint64 key = document.new_gesture();
    for (int i = 0; i < 5; ++i)
      REQUIRE(document
                  .edit_object(
                      "Move", ball, [](Object& o) { o.transform.position.x() += 0.1; }, key)
                  .ok());
  }
  CHECK(document.undo_stack()->count() == 2);
}

TEST_CASE_METHOD(BallDocument, "A drag that returns to its start leaves no step", "[ui][undo]") {
  const quint64 drag = document.new_gesture();
  for (double x : {0.5, 1.0, 0.5, 0.0})
    REQUIRE(document
                .edit_object(
                    "Move", ball, [x](Object& o) { o.transform.position.x() = x; }, drag)
                .ok());
  CHECK(document.undo_stack()->count() == 0);
  CHECK_FALSE(document.modified());
  CHECK(find_object(document.scene(), ball)->transform.position.x() == 0.0);
}

TEST_CASE_METHOD(BallDocument, "A gesture that returns to its start keeps what could be redone", "[ui][undo]") {
  QUndoStack& undo = *document.undo_stack();
  const auto move = [&](double x, quint64 key) {
    REQUIRE(document
                .edit_object(
                    "Move", ball, [x](Object& o) { o.transform.position.x() = x; }, key)
                .ok());
  };
  const auto x = [&] { return find_object(document.scene(), ball)->transform.position.x(); };
  for (int i = 1; i <= 3; ++i) move(i, document.new_gesture());
  undo.setIndex(2);
  undo.setClean();  // saved after the second of three steps
  undo.setIndex(1);
  const auto gesture = [&](std::vector<double> places) {
    const quint64 key = document.new_gesture();
    for (double place : places) move(place, key);
  };
  gesture({5, 6, 1});
  REQUIRE(undo.count() == 3);
  CHECK(undo.index() == 1);
  CHECK(undo.cleanIndex() == 2);
  CHECK(x() == 1);
  gesture({7, 1, 8, 1});  // to the start twice
  REQUIRE(undo.count() == 3);
  undo.redo();
  CHECK(x() == 2);
  CHECK_FALSE(document.modified());
  undo.redo();
  CHECK(x() == 3);
  undo.setIndex(0);
  CHECK(x() == 0);
  // One that goes elsewhere replaces what could be redone, as any edit does.
  gesture({5, 6});
  CHECK(undo.count() == 1);
  CHECK_FALSE(undo.canRedo());
}

TEST_CASE("Random edits, undone and redone, give back every scene exactly", "[ui][undo]") {
  DocumentController document;
  Selection selection;
  document.reset(ball_scene(), {});
  std::vector<std::string> history{scene_to_text(document.scene())};
  const auto pick = [](int round, std::uint64_t purpose, int count) {
    return static_cast<int>(random_unit(7, Id{1}, static_cast<std::uint64_t>(round), purpose) * count);
  };
  for (int round = 0; round < 60; ++round) {
    const int steps = document.undo_stack()->index();
    const Scene& scene = document.scene();
    const int objects = static_cast<int>(scene.objects.size());
    const Id id = scene.objects[static_cast<std::size_t>(pick(round, 1, objects))]->id;
    selection.select_only(id);
    switch (pick(round, 2, 8)) {
      case 0:
        add_primitive(document, selection, static_cast<PrimitiveShape>(pick(round, 3, 6)));
        break;
      case 1:
        duplicate_selected(document, selection);
        break;
      case 2:
        if (objects > 1) delete_selected(document, selection);
        break;
      case 3:
        hide_selected(document, selection);
        break;
      case 4:
        set_body_kind(document, selection, static_cast<BodyKind>(pick(round, 4, 4)));
        break;
      case 5:
        rename(document, id, QStringLiteral("Name %1").arg(round));
        break;
      case 6:
        add_light(document, selection, LightKind::point);
        break;
      default: {
        const double way = 1 + pick(round, 5, 9);
        (void)document.edit_object("Move", id, [way](Object& o) { o.transform.position.z() += way; });
      }
    }
    if (document.undo_stack()->index() == steps) continue;
    history.push_back(scene_to_text(document.scene()));
    // Some way back and forth again.
    const std::size_t back = std::min<std::size_t>(static_cast<std::size_t>(pick(round, 6, 5)), history.size() - 1);
    for (std::size_t i = 1; i <= back; ++i) {
      document.undo_stack()->undo();
      REQUIRE(scene_to_text(document.scene()) == history[history.size() - 1 - i]);
    }
    for (std::size_t i = back; i > 0; --i) {
      document.undo_stack()->redo();
      REQUIRE(scene_to_text(document.scene()) == history[history.size() - i]);
    }
  }
  CHECK(history.size() > 40);
  while (document.undo_stack()->canUndo()) document.undo_stack()->undo();
  CHECK(scene_to_text(document.scene()) == history.front());
}

TEST_CASE_METHOD(BallDocument, "Another undo depth drops the oldest steps, and only those", "[ui][undo]") {
  QUndoStack& undo = *document.undo_stack();
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    INFO("seed " << seed);
    std::uint64_t drawn = 0;
    const auto below = [&](int n) { return static_cast<int>(random_unit(seed, Id{1}, drawn++, 0) * n); };
    document.set_undo_limit(0);
    document.reset(ball_scene(), {});
    std::vector<double> at{0};
    const int count = 3 + below(12);
    for (int i = 1; i <= count; ++i) {
      at.push_back(i);
      REQUIRE(document.edit_object("Move", ball, [i](Object& o) { o.transform.position.x() = i; }).ok());
    }
    const int clean = below(count + 1), index = below(count + 1), limit = 1 + below(count);
    undo.setIndex(clean);
    undo.setClean();
    undo.setIndex(index);
    const std::string now = scene_to_text(document.scene());
    document.set_undo_limit(limit);
    CHECK(scene_to_text(document.scene()) == now);
    REQUIRE(undo.count() == std::min(count, limit));
    const int dropped = index - undo.index();
    CHECK(dropped == std::min(count - undo.count(), index));
    CHECK(undo.cleanIndex() == (clean >= dropped && clean <= dropped + undo.count() ? clean - dropped : -1));
    const auto x = [&] { return find_object(document.scene(), ball)->transform.position.x(); };
    for (int i = 0; i <= undo.count(); ++i) {
      undo.setIndex(i);
      CHECK(x() == at[static_cast<std::size_t>(dropped + i)]);
    }
    REQUIRE(document.edit_object("Move", ball, [](Object& o) { o.transform.position.x() = -1; }).ok());
    CHECK(undo.count() <= limit);
    CHECK(undo.undoLimit() == limit);
  }
}

TEST_CASE_METHOD(BallDocument, "A gesture that goes on after saving stays one step, and the file is another",
                 "[ui][undo]") {
  QUndoStack& undo = *document.undo_stack();
  const auto move = [&](double x, quint64 key) {
    REQUIRE(document
                .edit_object(
                    "Move", ball, [x](Object& o) { o.transform.position.x() = x; }, key)
                .ok());
  };
  const quint64 key = document.new_gesture();
  move(1, key);
  undo.setClean();
  move(2, key);
  CHECK(undo.count() == 1);
  CHECK(document.modified());
  undo.undo();
  CHECK(find_object(document.scene(), ball)->transform.position.x() == 0);
  CHECK(document.modified());
}

}  // namespace undo_test
