// The session outlives its windows: what is open stays open, and a window may end in the middle of anything.
#include <catch2/catch.hpp>

#include <QDockWidget>

#include "tests/ui/truss_support.h"
#include "ui/modes/mode_bar.h"
#include "ui/viewport/viewport.h"

namespace session_test {

using namespace hazumi;
using namespace hazumi::test;

TEST_CASE("A second window shows what the first one left", "[ui][session]") {
  Session session;
  {
    MainWindow first(session);
    first.show();
    session.actions["add.sphere"]->trigger();
    CHECK(session.actions["file.open"]->isEnabled());
  }
  // Without a window edits, undo and frames go on.
  const std::size_t count = session.document.scene().objects.size();
  session.actions["add.box"]->trigger();
  CHECK(session.document.scene().objects.size() == count + 1);
  session.actions["edit.undo"]->trigger();
  CHECK(session.document.scene().objects.size() == count);
  session.actions["view.front"]->trigger();  // speaks to a viewport, and there is none
  session.actions["file.save"]->trigger();
  MainWindow second(session);
  second.show();
  CHECK(second.isWindowModified());
  CHECK(second.findChild<QDockWidget*>("outliner"));
  session.actions["view.front"]->trigger();
  session.actions["view.ortho"]->trigger();
  session.document.mark_saved({});
}

TEST_CASE("Undo of a delete selects again what was deleted, unless something else was selected since",
          "[ui][session]") {
  Session session;
  Selection& selection = session.selection;
  for (const char* add : {"add.box", "add.sphere"}) session.actions[add]->trigger();
  const Scene& scene = session.document.scene();
  const Id sphere = scene.objects.back()->id, box = scene.objects[scene.objects.size() - 2]->id;
  selection.set({box, sphere}, box);
  session.actions["edit.delete"]->trigger();
  CHECK(selection.empty());
  session.actions["edit.undo"]->trigger();
  CHECK(selection.ids() == std::set<Id>{box, sphere});
  CHECK(selection.active() == box);
  session.actions["edit.redo"]->trigger();
  CHECK(selection.empty());
  session.actions["edit.undo"]->trigger();
  CHECK(selection.ids() == std::set<Id>{box, sphere});
  selection.select_only(sphere);
  session.actions["edit.delete"]->trigger();
  selection.select_only(box);
  session.actions["edit.undo"]->trigger();
  CHECK(selection.ids() == std::set<Id>{box});
  session.document.mark_saved({});
}

TEST_CASE("A window that ends while something runs tells nobody that is gone", "[ui][session]") {
  Session session;
  auto window = std::make_unique<MainWindow>(session);
  window->show();
  (void)QTest::qWaitForWindowExposed(window.get());
  session.actions["add.box"]->trigger();
  session.actions["object.set_flexible"]->trigger();
  session.actions["analysis.string"]->trigger();
  REQUIRE(session.elements.enter(*find_mode("truss")).isEmpty());
  SECTION("a brush in the hand") {
    window->viewport()->set_mode_tool("truss.brush");
    CHECK(window->viewport()->mode_tool() == "truss.brush");
  }
  SECTION("a transform") {
    session.elements.set(find_mode("truss")->elements(*session.elements.object()));
    CHECK(window->viewport()->begin_transform(TransformMode::move));
  }
  SECTION("a scene being read") {
    window->open_file(QString(HAZUMI_SOURCE_DIR "/scenes/heap.json"));
    CHECK(window->loading());
  }
  SECTION("playing") { session.playback.play(true); }
  window.reset();
  QTest::qWait(50);
  session.elements.leave();
  session.actions["edit.undo"]->trigger();
  CHECK(wait_for([&] { return !session.open_job.busy(); }));
  session.document.mark_saved({});
}

}  // namespace session_test
