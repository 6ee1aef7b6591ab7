// Motions without shapes, by mouse: one is put on a ball and plays, the boxes are saved as a motion of one's own, and that goes on a larger ball.
#include <QApplication>
#include <QCheckBox>
#include <QDir>
#include <QLabel>
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
#include "ui/model/settings.h"
#include "ui/panels/motion_catalogue.h"

namespace flow_catalogue_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

/// Two balls, the smaller one selected, and the catalogue in front.
struct CatalogueFlow : Flow {
  Id small, large;
  MotionCatalogue* catalogue = nullptr;
  void stage() {
    window.resize(1600, 1000);
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
    Flow::Window::open(made);
    small = id_of(scene(), "small");
    large = id_of(scene(), "large");
    selection().select_only(small);
    tab("motion_graph");
    auto* side = window.findChild<QTabWidget*>("motion_side");
    catalogue = window.findChild<MotionCatalogue*>("motion_catalogue");
    REQUIRE(side);
    REQUIRE(catalogue);
    click_in(side->tabBar(), side->tabBar()->tabRect(2).center());
    REQUIRE(side->currentWidget() == catalogue);
    REQUIRE(wait_for([&] { return catalogue->count() >= 16; }, 5000));
  }
  void pick(const QString& name) {
    QTreeWidgetItem* item = catalogue->item_of(name);
    REQUIRE(item);
    catalogue->list()->scrollToItem(item);
    QTest::qWait(10);
    click_in(catalogue->list()->viewport(), catalogue->list()->visualItemRect(item).center());
    QTest::qWait(10);
  }
};

}  // namespace

TEST_CASE("Flow: files that are no motions are told of in a sentence each, and the motions are there",
          "[ui][flow][motion_graph]") {
  const QDir folder(own_motions_folder());
  REQUIRE(folder.mkpath(QStringLiteral(".")));
  const std::pair<const char*, const char*> bad[] = {
      {"a newer.json", "{\"format\": \"hazumi scene\", \"version\": 7}"},
      {"b torn.json", "{\"format\": \"hazumi scene\", \"motion\": [{"},
      {"c empty.json", "{\"format\": \"hazumi scene\", \"version\": 1}"}};
  for (const auto& [name, text] : bad) {
    QFile file(folder.filePath(QLatin1String(name)));
    REQUIRE(file.open(QIODevice::WriteOnly));
    file.write(text);
  }
  {
    CatalogueFlow f;
    f.stage();
    const auto* said = f.catalogue->findChild<QLabel*>("motion_said");
    REQUIRE(said);
    CHECK(said->isVisible());
    const QStringList lines = said->text().split(QLatin1Char('\n'));
    REQUIRE(lines.size() == 3);
    CHECK(lines[0].startsWith("a newer.json is no motion: This scene was written by a newer Hazumi"));
    CHECK(lines[1].startsWith("b torn.json is no motion: "));
    CHECK(lines[2].startsWith("c empty.json is no motion: "));
    for (const QString& line : lines) CHECK(line.endsWith('.'));
    f.shot("catalogue_bad");
  }
  for (const auto& [name, text] : bad) CHECK(QFile::remove(folder.filePath(QLatin1String(name))));
}

TEST_CASE("Flow: a motion of the catalogue is put on a ball, saved as one's own, and put on a larger one",
          "[ui][flow][motion_graph]") {
  CatalogueFlow f;
  f.stage();
  MotionCatalogue* catalogue = f.catalogue;
  const Id small = f.small, large = f.large;
  CHECK_FALSE(catalogue->put_button()->isEnabled());  // none is picked
  f.pick("Toss");
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
  f.pick("My toss");
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

  // Which of the selected boxes would not be saved with a motion is said before it is.
  Scene next = f.scene();
  ParticleSource source;
  source.id = next_id(next);
  next.particles.push_back(Shared<ParticleSource>(source));
  for (const auto& [id, kind] : {std::pair(901, "throw"), std::pair(902, "emit")}) {
    MotionNode node;
    node.id = Id{static_cast<std::uint64_t>(id)};
    node.role = MotionRole::procedure;
    node.kind = kind;
    node.object = small.value;
    if (id == 902) node.other = source.id.value;
    next.motion.push_back(Shared<MotionNode>(node));
  }
  REQUIRE(f.document().edit("Boxes", std::move(next)).ok());
  auto* stays = f.window.findChild<QLabel*>("motion_stays");
  REQUIRE(stays);
  MotionSelection& chosen = f.window.context().boxes;
  chosen.set({Id{901}});
  CHECK(stays->isHidden());
  chosen.set({Id{901}, Id{902}});
  CHECK_FALSE(stays->isHidden());
  CHECK(stays->text().startsWith("\"Emit"));
  f.shot("motion_stays");
}

TEST_CASE("Flow: motions have pictures that move, and are dragged onto an object in the view",
          "[ui][flow][motion_graph]") {
  CatalogueFlow f;
  f.stage();
  MotionCatalogue* catalogue = f.catalogue;
  const std::string before = scene_to_text(f.scene());
  f.pick("Toss");
  // Each has its picture; the one that is picked moves.
  REQUIRE(wait_for([&] { return catalogue->pictures_of("Toss") >= 8; }, 120000));
  const auto picture = [&] { return catalogue->item_of("Toss")->icon(0).pixmap(56, 35).toImage(); };
  const QImage now = picture();
  CHECK(wait_for([&] { return picture() != now; }, 3000));
  if (qEnvironmentVariableIsSet("HAZUMI_SHOTS"))  // the others in the list, too
    for (const char* name : {"Thud", "Three and out", "Start rolling"}) {
      QTest::qWait(QApplication::doubleClickInterval());  // at one place two clicks put it
      f.pick(name);
      REQUIRE(wait_for([&] { return catalogue->pictures_of(name) > 0; }, 60000));
      QTest::qWait(QApplication::doubleClickInterval());
      f.pick("Toss");
    }
  // It is dragged onto an object in the view, whatever is selected; beside all objects nothing happens.
  f.selection().select_only(f.large);
  f.pick("Toss");
  QWidget* list = catalogue->list()->viewport();
  const auto drag = [&](QPointF pixel) {
    const QPointF from = catalogue->list()->visualItemRect(catalogue->item_of("Toss")).center(),
                  to = list->mapFromGlobal(f.view().mapToGlobal(pixel));
    f.mouse(list, QEvent::MouseButtonPress, from, Qt::LeftButton, Qt::LeftButton);
    for (int i = 1; i <= 6; ++i)
      f.mouse(list, QEvent::MouseMove, from + (to - from) * i / 6.0, Qt::NoButton, Qt::LeftButton);
    f.mouse(list, QEvent::MouseButtonRelease, to, Qt::LeftButton, Qt::NoButton);
    QTest::qWait(10);
  };
  drag(QPointF(8, f.view().height() - 8));
  CHECK(f.scene().motion.empty());
  drag(f.pixel(find_object(f.scene(), f.small)->transform.position));
  CHECK(f.scene().motion.size() == 6);
  CHECK(f.document().undo_stack()->undoText() == "Motion \"Toss\" on small");
  CHECK(f.selection().active() == f.small);
  f.shot("motion_dragged");
  f.document().undo_stack()->undo();
  CHECK(scene_to_text(f.scene()) == before);
}

TEST_CASE("Flow: a motion of something that bends makes a rigid ball bend, unless that is switched off",
          "[ui][flow][motion_graph]") {
  CatalogueFlow f;
  f.stage();
  MotionCatalogue* catalogue = f.catalogue;
  Scene next = with_object(f.scene(), f.small, [](Object& o) {
    o.body.kind = BodyKind::flexible;
    o.body.solver = "polyhedral";
    o.body.stiffness = 400;
    o.analysis.kind = AnalysisKind::icosahedron;
    o.analysis.size = Vec3(0.5, 0.5, 0.5);
  });
  for (const auto& [id, kind] : {std::pair(901, "time"), std::pair(902, "pose")}) {
    MotionNode node;
    node.id = Id{static_cast<std::uint64_t>(id)};
    node.role = id == 901 ? MotionRole::event : MotionRole::procedure;
    node.kind = kind;
    node.object = f.small.value;
    node.x = id == 901 ? 0 : 240;
    if (id == 901) node.wires.push_back({902, false});
    next.motion.push_back(Shared<MotionNode>(node));
  }
  REQUIRE(f.document().edit("Soft", std::move(next)).ok());
  f.window.context().boxes.set({Id{901}, Id{902}});
  f.click_in(catalogue->name_field(), catalogue->name_field()->rect().center());
  QTest::keyClicks(catalogue->name_field(), "My crouch");
  REQUIRE(catalogue->save_button()->isEnabled());
  f.click_in(catalogue->save_button(), catalogue->save_button()->rect().center());
  REQUIRE(wait_for([&] { return catalogue->item_of("My crouch") != nullptr; }, 5000));

  f.selection().select_only(f.large);
  QTest::qWait(10);
  f.pick("My crouch");
  const std::string before = scene_to_text(f.scene());
  f.click_in(catalogue->put_button(), catalogue->put_button()->rect().center());
  const Object& large = *find_object(f.scene(), f.large);
  CHECK(large.body.kind == BodyKind::flexible);
  CHECK(large.body.solver == "polyhedral");
  CHECK(large.analysis.size.x() == Approx(2).epsilon(0.01));
  CHECK(large.body.stiffness == Approx(400 / 4.0).epsilon(0.01));  // as heavy, four times as large
  REQUIRE(wait_for([&] { return f.window.context().playback.cache().size() > 30; }, 20000));
  f.shot("motion_bends");
  f.document().undo_stack()->undo();
  CHECK(scene_to_text(f.scene()) == before);

  QCheckBox* bends = nullptr;
  for (QCheckBox* box : catalogue->findChildren<QCheckBox*>())
    if (box->text() == "Bends") bends = box;
  REQUIRE(bends);
  f.click_in(bends, QPoint(8, bends->height() / 2));
  CHECK_FALSE(bends->isChecked());
  f.click_in(catalogue->put_button(), catalogue->put_button()->rect().center());
  CHECK(find_object(f.scene(), f.large)->body.kind == BodyKind::rigid);
  CHECK(f.scene().motion.size() == 4);
}

}  // namespace flow_catalogue_test
