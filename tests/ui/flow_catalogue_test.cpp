// Motions without shapes, by mouse: one is put on a ball and plays, the boxes are saved as a motion of one's own, and that goes on a larger ball.
#include <QLineEdit>
#include <QPushButton>
#include <QTabBar>
#include <QTabWidget>
#include <QTreeWidget>

#include "core/motion/catalogue.h"
#include "tests/ui/flow_support.h"
#include "ui/model/motion_selection.h"
#include "ui/model/playback_controller.h"
#include "ui/model/selection.h"
#include "ui/panels/motion_catalogue.h"

namespace flow_catalogue_test {

using namespace hazumi;
using namespace hazumi::test;

TEST_CASE("Flow: a motion of the catalogue is put on a ball, saved as one's own, and put on a larger one",
          "[ui][flow][motion_graph]") {
  Flow f;
  f.window.resize(1600, 1000);
  Scene made = make_new_scene();
  const auto ball = [&](const char* name, double size, double x) {
    Object o = make_object(next_id(made).value, name, {PrimitiveShape::sphere, Vec3::Constant(size), {16, 12, 1}},
                           Vec3(x, 0.5 * size, 0));
    o.body.mass = 1;
    made.objects.push_back(o);
  };
  ball("small", 0.5, 0);
  ball("large", 2, 3);
  made.settings.last_frame = 60;
  f.Window::open(made);
  const Id small = id_of(f.scene(), "small"), large = id_of(f.scene(), "large");
  f.selection().select_only(small);
  f.tab("motion_graph");
  auto* side = f.window.findChild<QTabWidget*>("motion_side");
  auto* catalogue = f.window.findChild<MotionCatalogue*>("motion_catalogue");
  REQUIRE(side);
  REQUIRE(catalogue);
  f.click_in(side->tabBar(), side->tabBar()->tabRect(2).center());
  REQUIRE(side->currentWidget() == catalogue);
  REQUIRE(wait_for([&] { return catalogue->count() >= 16; }, 5000));
  CHECK_FALSE(catalogue->put_button()->isEnabled());  // none is picked
  const auto pick = [&](const QString& name) {
    QTreeWidgetItem* item = catalogue->item_of(name);
    REQUIRE(item);
    catalogue->list()->scrollToItem(item);
    QTest::qWait(10);
    f.click_in(catalogue->list()->viewport(), catalogue->list()->visualItemRect(item).center());
    QTest::qWait(10);
  };
  pick("Toss");
  REQUIRE(catalogue->put_button()->isEnabled());
  CHECK(catalogue->put_button()->text() == "Put on small");
  f.shot("motion_catalogue");
  const std::string before = scene_to_text(f.scene());
  f.click_in(catalogue->put_button(), catalogue->put_button()->rect().center());
  const std::size_t count = f.scene().motion.size();
  CHECK(count == 6);
  for (const auto& node : f.scene().motion) CHECK(node->object == small.value);
  CHECK(f.document().undo_stack()->undoText() == "Motion \"Toss\" on small");
  REQUIRE(wait_for([&] { return f.window.context().playback.cache().size() > 30; }, 20000));
  const auto log = f.window.context().playback.log();
  REQUIRE(log);
  CHECK_FALSE(log->motion.empty());
  f.shot("motion_put");

  // The new boxes are selected: they are saved as a motion of one's own.
  REQUIRE(catalogue->name_field()->isVisible());
  f.click_in(catalogue->name_field(), catalogue->name_field()->rect().center());
  QTest::keyClicks(catalogue->name_field(), "My toss");
  REQUIRE(catalogue->save_button()->isEnabled());
  f.click_in(catalogue->save_button(), catalogue->save_button()->rect().center());
  REQUIRE(wait_for([&] { return catalogue->item_of("My toss") != nullptr; }, 5000));
  const int steps = f.document().undo_stack()->index();

  // On a ball four times as large it is thrown twice as fast.
  f.selection().select_only(large);
  QTest::qWait(10);
  pick("My toss");
  CHECK(catalogue->put_button()->text() == "Put on large");
  f.click_in(catalogue->put_button(), catalogue->put_button()->rect().center());
  REQUIRE(f.scene().motion.size() == 2 * count);
  double of_small = 0, of_large = 0;
  for (const auto& node : f.scene().motion)
    if (node->kind == "throw")
      if (const MotionParameter* x = find_parameter(*node, "x"))
        (node->object == small.value ? of_small : of_large) = x->number;
  CHECK(of_small > 0);
  CHECK(of_large == Approx(2 * of_small).epsilon(1e-6));
  CHECK(f.document().undo_stack()->index() == steps + 1);
  f.document().undo_stack()->undo();
  f.document().undo_stack()->undo();
  CHECK(scene_to_text(f.scene()) == before);
}

}  // namespace flow_catalogue_test
