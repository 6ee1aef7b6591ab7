// A person's own material in a box *Material*, in the real window.
#include <QComboBox>
#include <QMenu>
#include <QStandardPaths>
#include <QToolButton>

#include "core/motion/material_box.h"
#include "tests/ui/motion_support.h"
#include "ui/model/own_materials.h"
#include "ui/viewport/viewport.h"
#include "ui/widgets/field_widget.h"
#include "ui/widgets/number_field.h"

namespace flow_own_material_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

struct OwnMaterialFlow : MotionFlow {
  OwnMaterialFlow() { stage(); }
  MotionBoxPanel& panel() { return *window.findChild<MotionBoxPanel*>("motion_box_panel"); }
};

}  // namespace

TEST_CASE("Flow: a box gives an object a material of the person's own, whose numbers it then has",
          "[ui][flow][motion_graph][material]") {
  Material pink;
  pink.surface.diffuse = Vec3(0.9, 0.3, 0.6);
  pink.substance.friction = 0.07;
  pink.substance.restitution = 0.9;
  OwnMaterials own;
  REQUIRE(own.save("Pink jade", pink).ok());
  OwnMaterialFlow f;
  const double w = f.canvas->viewport()->width(), h = f.canvas->viewport()->height();
  const Id time = f.drag_from_palette(MotionRole::event, "time", QPointF(0.2 * w, 0.4 * h));
  const Id box = f.drag_from_palette(MotionRole::procedure, "material", QPointF(0.6 * w, 0.4 * h));
  f.drag_on_canvas(f.right(time), f.middle(box));
  f.click_on_canvas(f.middle(box));
  auto* button = f.panel().findChild<QToolButton*>("own_materials");
  REQUIRE(button);
  CHECK(f.panel().field("material")->isVisible());
  CHECK(f.panel().field("share")->isVisible());
  CHECK_FALSE(f.panel().field("friction")->isVisible());  // a shipped one has its numbers itself

  f.sight(button);
  QTimer::singleShot(100, button, [button] {
    for (QAction* action : button->menu()->actions())
      if (action->text() == "Pink jade") {
        button->menu()->setActiveAction(action);
        QTest::keyClick(button->menu(), Qt::Key_Return);
        return;
      }
    button->menu()->close();
  });
  Flow::click_in(button, button->rect().center());
  REQUIRE(f.node(box).parameters.size() > 1);
  CHECK(find_parameter(f.node(box), "material")->word == kOwnNumbers);
  CHECK(find_parameter(f.node(box), "friction")->number == Approx(0.07));
  CHECK(find_parameter(f.node(box), "diffuse_red")->number == Approx(0.9));
  CHECK(f.undo_text() == "\"Material\" gives Pink jade");
  CHECK(f.panel().field("friction")->isVisible());
  f.sight(f.panel().field("friction"));
  f.shot("motion-own-material");

  // Its numbers are the box's own from here on.
  type_number(f.panel().field("restitution")->findChild<NumberField*>(), "0.4");
  CHECK(find_parameter(f.node(box), "restitution")->number == Approx(0.4));
  REQUIRE(complete(f.playback()));
  f.view().setFocus();
  f.key(Qt::Key_Z, Qt::ControlModifier);
  CHECK(find_parameter(f.node(box), "restitution")->number == Approx(0.9));
  f.key(Qt::Key_Z, Qt::ControlModifier);
  CHECK_FALSE(find_parameter(f.node(box), "material"));
  CHECK_FALSE(f.panel().field("friction")->isVisible());
  CHECK(own.remove("Pink jade").ok());
}

}  // namespace flow_own_material_test
