// What stands in Problems about a run, in the real window by mouse: what overlaps at the start is named and moved apart by a click.
#include <QListView>
#include <QProgressDialog>

#include "core/geometry/mesh/primitives.h"
#include "core/geometry/truss/cloth_mesh.h"
#include "core/playback/overlaps.h"
#include "core/scene/validate.h"
#include "tests/support/loose_bar.h"
#include "tests/support/small_scenes.h"
#include "tests/ui/flow_support.h"
#include "ui/model/diagnostics_model.h"
#include "ui/widgets/message_bar.h"

namespace flow_problems_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

/// Crates on the floor of a new scene, each `depth` m into the next one; the first is fixed where `anchored`.
Scene crates(int count, double depth, bool anchored = false) {
  Scene scene = make_new_scene();
  scene.settings.last_frame = 20;
  for (int k = 0; k < count; ++k) {
    Object crate = World::box(Vec3(0.5, 0.5, 0.5), Vec3(k * (0.5 - depth), 0.25, 0), 2);
    crate.name = std::string("Crate ") + static_cast<char>('A' + k);
    if (k == 0 && anchored) crate.body.kind = BodyKind::fixed;
    crate.id = next_id(scene);
    scene.objects.push_back(crate);
  }
  return scene;
}

/// Computed, or stopped.
bool settled(PlaybackController& playback) {
  return wait_for([&] {
    const auto phase = playback.status().phase;
    return phase == FillStatus::Phase::complete || phase == FillStatus::Phase::stopped;
  });
}

struct ProblemsFlow : Flow {
  QListView* list = nullptr;
  DiagnosticsModel* model = nullptr;
  explicit ProblemsFlow(Scene scene) {
    window.resize(1580, 960);  // where there is room for the list beside the time line
    document().reset(std::move(scene), {});
    REQUIRE(settled(playback()));
    tab("diagnostics");
    list = window.findChild<QListView*>("diagnostics_list");
    REQUIRE(list);
    model = qobject_cast<DiagnosticsModel*>(list->model());
    REQUIRE(model);
    QTest::qWait(60);
  }
  std::vector<QPushButton*> buttons() {
    std::vector<QPushButton*> found;
    for (int row = 0; row < model->rowCount(); ++row)
      if (QWidget* widget = list->indexWidget(model->index(row)))
        for (QPushButton* button : widget->findChildren<QPushButton*>("remedy")) found.push_back(button);
    return found;
  }
  bool problems(int count) {
    return wait_for([&] { return model->rowCount() == count; }, 5000);
  }
  void click_button(std::size_t number) {
    QTest::qWait(60);  // the list lays its rows out a moment later
    REQUIRE(number < buttons().size());
    QPushButton* button = buttons()[number];
    REQUIRE(button->isVisible());
    click_in(button, button->rect().center());
    QTest::qWait(30);
  }
  QString message(int row) { return model->index(row).data(DiagnosticsModel::message_role).toString(); }
};

}  // namespace

TEST_CASE("Flow: an overlap at the start is named, selected by a click and gone by one", "[ui][flow][problems]") {
  ProblemsFlow f(crates(2, 0.02, true));
  REQUIRE(f.problems(1));
  const std::string before = scene_to_text(f.scene());
  CHECK(f.message(0) == "Crate A and Crate B overlap by 20 mm at the start; separating them gives 0.402 J.");
  const QRect row = f.list->visualRect(f.model->index(0));
  QTest::mouseClick(f.list->viewport(), Qt::LeftButton, {}, row.topLeft() + QPoint(60, 8));
  CHECK(f.selection().ids() == std::set<Id>{id_of(f.scene(), "Crate A"), id_of(f.scene(), "Crate B")});
  // Beside the button the row is the list's too.
  f.selection().clear();
  QWidget* over = f.list->indexWidget(f.model->index(0));
  REQUIRE(over);
  f.click_in(over, QPoint(over->width() - 20, over->height() - 10));
  CHECK(f.selection().ids().size() == 2);
  f.shot("overlap");
  const int steps = f.document().undo_stack()->count();
  f.click_button(0);
  CHECK(f.problems(0));
  CHECK(f.document().undo_stack()->count() == steps + 1);
  CHECK(f.document().undo_stack()->undoText() == "Move apart");
  CHECK(f.object("Crate A").transform.position.x() == 0);
  CHECK(f.object("Crate B").transform.position.x() == Approx(0.5).margin(1e-4));
  REQUIRE(complete(f.playback()));
  CHECK(f.playback().log()->gifts.empty());
  f.document().undo_stack()->undo();
  CHECK(scene_to_text(f.scene()) == before);
  CHECK(f.problems(1));
  f.document().undo_stack()->redo();
  CHECK(f.problems(0));
  f.document().undo_stack()->undo();
  REQUIRE(f.problems(1));
  f.menu("Object", "object.move_apart");
  CHECK(f.problems(0));
  CHECK_FALSE(f.action("object.move_apart")->isEnabled());
  f.document().undo_stack()->undo();
  REQUIRE(f.problems(1));
  // Groups that ignore each other are the other remedy, and the name is that of now.
  REQUIRE(f.document().edit_object("Rename", id_of(f.scene(), "Crate B"), [](Object& o) { o.name = "Chest"; }).ok());
  CHECK(f.message(0).startsWith("Crate A and Chest overlap"));
  REQUIRE(
      f.document().edit_object("Groups", id_of(f.scene(), "Crate A"), [](Object& o) { o.contact.groups = "a"; }).ok());
  REQUIRE(
      f.document().edit_object("Groups", id_of(f.scene(), "Chest"), [](Object& o) { o.contact.ignores = "a"; }).ok());
  CHECK(f.problems(0));
  f.document().reset(crates(3, 0.01), {});
  CHECK(f.problems(2));
  f.document().reset(crates(2, -0.01), {});
  CHECK(f.problems(0));
}

TEST_CASE("Flow: however narrow the list of problems is, its buttons are whole", "[ui][flow][problems]") {
  ProblemsFlow f(crates(2, 0.02, true));
  REQUIRE(f.problems(1));
  auto* dock = f.window.findChild<QDockWidget*>("diagnostics");
  REQUIRE(dock);
  // Where the window comes to have the room, the list has it.
  f.window.resize(1280, 720);
  QTest::qWait(60);
  f.window.resize(1580, 960);
  CHECK(wait_for([&] { return dock->width() >= 220; }, 2000));
  for (const int width : {600, 260, 40}) {
    f.window.resizeDocks({dock}, {width}, Qt::Horizontal);
    QTest::qWait(60);
    f.shot(("problems_" + std::to_string(width)).c_str());
    // The list lays its rows out a moment later.
    CHECK(wait_for(
        [&] {
          const auto all = f.buttons();
          return std::all_of(all.begin(), all.end(), [&](QPushButton* button) {
            return button->mapTo(f.list->viewport(), button->rect().topRight()).x() <= f.list->viewport()->width();
          });
        },
        3000));
    for (QPushButton* button : f.buttons()) {
      CHECK(button->fontMetrics().horizontalAdvance(button->text()) < button->width());
      if (button->text().endsWith(QChar(0x2026))) CHECK_FALSE(button->toolTip().isEmpty());
    }
  }
}

TEST_CASE("Flow: the status line counts the problems, and opens their list by a click", "[ui][flow][problems]") {
  ProblemsFlow f(crates(3, 0.02));
  REQUIRE(f.problems(2));
  auto* badge = f.window.findChild<QToolButton*>("status_problems");
  REQUIRE(badge);
  auto* dock = f.window.findChild<QDockWidget*>("diagnostics");
  REQUIRE(dock);
  dock->hide();
  CHECK(badge->isVisible());
  CHECK(badge->text() == "2 problems");
  CHECK(badge->toolTip().contains("overlap by 20 mm"));
  const QString warned = badge->styleSheet();
  f.shot("problems_badge");
  QTest::mouseClick(f.window.windowHandle(), Qt::LeftButton, {}, badge->mapTo(&f.window, badge->rect().center()));
  CHECK(wait_for([&] { return dock->isVisible(); }));
  // In the colour of the worst, though their number stays.
  f.model->add_refused_edit("Nothing of that name.");
  CHECK(badge->text() == "3 problems");
  f.document().reset(crates(2, 0.02), {});
  REQUIRE(f.problems(1));
  CHECK(badge->text() == "1 problem");
  CHECK(badge->styleSheet() == warned);
  f.document().reset(crates(2, -0.01), {});
  REQUIRE(f.problems(0));
  CHECK_FALSE(badge->isVisible());
}

TEST_CASE("Flow: of many overlaps the deepest are listed and all are gone by one click", "[ui][flow][problems]") {
  ProblemsFlow f(crates(18, 0.004));
  REQUIRE(f.problems(6));
  CHECK(f.message(5).startsWith("And 12 more pairs overlap at the start"));
  f.list->scrollToBottom();
  QTest::qWait(10);
  f.shot("problems_many");
  f.click_button(5);
  CHECK(f.problems(0));
  CHECK(f.document().undo_stack()->undoText() == "Move apart");
}

TEST_CASE("Flow: moving a large pile apart tells how far it is and can be called off", "[ui][flow][problems]") {
  Scene scene = make_new_scene();
  scene.settings.last_frame = 2;
  for (int k = 0; k < 343; ++k) {
    Object crate = World::box(Vec3(0.5, 0.5, 0.5), 0.45 * Vec3(k % 7, 0.6 + k / 7 % 7, k / 49), 2);
    crate.name = "Crate " + std::to_string(k);
    crate.id = next_id(scene);
    scene.objects.push_back(crate);
  }
  ProblemsFlow f(scene);
  REQUIRE(f.problems(6));
  const std::string before = scene_to_text(f.scene());
  const int steps = f.document().undo_stack()->count();
  SeparationJob& job = f.session.separation;
  CHECK(f.action("object.move_apart")->isEnabled());  // the report came after the last edit
  f.list->scrollToBottom();
  f.click_button(5);
  UNSCOPED_INFO("steps " << f.document().undo_stack()->count() - steps);
  CHECK(job.busy());
  REQUIRE(wait_for([&] { return job.dialog() && job.dialog()->isVisible(); }, 5000));
  CHECK(job.dialog()->labelText().contains("pairs are left"));
  QPushButton* cancel = job.dialog()->findChild<QPushButton*>();
  REQUIRE(cancel);
  QTest::qWait(100);
  f.shot("move_apart_progress");
  QTest::mouseClick(cancel, Qt::LeftButton);
  CHECK_FALSE(job.busy());
  QTest::qWait(200);
  CHECK(f.document().undo_stack()->count() == steps);
  CHECK(scene_to_text(f.scene()) == before);
  f.menu("Object", "object.move_apart");
  CHECK(job.busy());
  REQUIRE(wait_for([&] { return job.dialog() && job.dialog()->isVisible(); }, 5000));
  QTest::mouseClick(job.dialog()->findChild<QPushButton*>(), Qt::LeftButton);
  CHECK_FALSE(job.busy());
}

TEST_CASE("Flow: what finds no room is said in one sentence and nothing changes", "[ui][flow][problems]") {
  Scene scene = crates(1, 0);
  Object lid =
      make_object(0, "Lid", {PrimitiveShape::plane, Vec3(20, 1, 20), {1, 1, 1}}, Vec3(0, 0.4, 0), BodyKind::fixed);
  lid.transform.rotation = Quat(Eigen::AngleAxisd(std::acos(-1.0), Vec3::UnitX()));
  lid.id = next_id(scene);
  scene.objects.push_back(lid);
  ProblemsFlow f(scene);
  REQUIRE(f.problems(1));
  const int steps = f.document().undo_stack()->count();
  f.click_button(0);
  CHECK(f.document().undo_stack()->count() == steps);
  REQUIRE(f.problems(2));
  CHECK(f.message(1).contains("cannot be moved apart"));
}

TEST_CASE("Flow: a run that stops names object and frame, and each remedy is a click", "[ui][flow][problems]") {
  Scene scene = diverging_scene();
  scene.settings.last_frame = 200;
  ProblemsFlow f(scene);
  REQUIRE(f.problems(1));
  const int last = f.playback().status().computed - 1;
  REQUIRE(last > 10);
  CHECK(f.message(0).startsWith("The motion of \"Lost\" left all bounds"));
  CHECK(f.message(0).contains(QString("Frame %1 is the last").arg(last)));
  std::vector<QString> texts;
  for (QPushButton* button : f.buttons()) texts.push_back(button->text());
  REQUIRE(texts == std::vector<QString>{"6 sub-steps", "Half the speed", QString("Show frame %1").arg(last),
                                        QString("End at frame %1").arg(last)});
  f.shot("problems_stopped");
  f.click_button(2);
  CHECK(f.playback().frame() == last);
  const std::string before = scene_to_text(f.scene());
  f.click_button(0);
  CHECK(f.scene().settings.substeps == 6);
  CHECK(f.document().undo_stack()->undoText() == "More sub-steps");
  f.document().undo_stack()->undo();
  CHECK(scene_to_text(f.scene()) == before);
  REQUIRE(f.problems(1));
  REQUIRE(wait_for([&] { return f.buttons().size() == 4; }, 5000));
  f.click_button(1);
  CHECK(f.object("Lost").body.velocity.y() == Approx(5e4));
  f.document().undo_stack()->undo();
  REQUIRE(wait_for([&] { return f.buttons().size() == 4; }, 5000));
  f.click_button(3);
  CHECK(f.scene().settings.last_frame == last);
  CHECK(f.problems(0));  // what is asked for is there
  f.document().undo_stack()->undo();
  CHECK(f.problems(1));
  CHECK(scene_to_text(f.scene()) == before);
}

TEST_CASE("Flow: a group that is ignored and that no object is in is told of", "[ui][flow][problems]") {
  Scene scene = crates(2, -0.1);
  ProblemsFlow f(scene);
  REQUIRE(f.problems(0));
  const Id a = id_of(f.scene(), "Crate A"), b = id_of(f.scene(), "Crate B");
  REQUIRE(f.document().edit_object("Ignores", a, [](Object& o) { o.contact.ignores = "sparks, dust"; }).ok());
  REQUIRE(f.problems(2));
  CHECK(f.message(0) == "Crate A ignores the group \"dust\", which no object is in.");
  REQUIRE(f.document().edit_object("Groups", b, [](Object& o) { o.contact.groups = "sparks"; }).ok());
  CHECK(f.problems(1));
  const Scene named = f.scene();
  f.document().undo_stack()->undo();
  CHECK(f.problems(2));
  f.document().reset(named, {});  // and in a scene that is opened
  CHECK(f.problems(1));
  f.document().reset(scene, {});
  CHECK(f.problems(0));
}

TEST_CASE("Flow: of an analysis model in pieces the largest is kept by a click", "[ui][flow][problems]") {
  Scene scene = make_new_scene();
  scene.settings.last_frame = 3;
  Object bar = loose_bar();
  bar.id = next_id(scene);
  bar.transform.position = Vec3(0, 2, 0);
  scene.objects.push_back(bar);
  ProblemsFlow f(scene);
  REQUIRE(f.problems(1));
  CHECK(f.message(0) ==
        "The analysis model is in 3 pieces that nothing joins: each goes its own way, and the display model is drawn "
        "out between them.");
  f.model->set_load_diagnostics(validate(f.scene()));  // what opening the file says is said once
  CHECK(f.model->rowCount() == 1);
  f.shot("pieces");
  const std::string before = scene_to_text(f.scene());
  const QRect row = f.list->visualRect(f.model->index(0));
  QTest::mouseClick(f.list->viewport(), Qt::LeftButton, {}, row.topLeft() + QPoint(60, 8));
  CHECK(f.selection().ids() == std::set<Id>{bar.id});
  CHECK(f.buttons().at(0)->text().startsWith("Keep the larg"));  // cut where the list is narrow
  CHECK(f.buttons().at(0)->toolTip().contains("Deletes the 9 nodes of the others, 4 stay"));
  f.click_button(0);
  CHECK(f.problems(0));
  CHECK(f.document().undo_stack()->undoText() == "Keep the largest piece of Bar");
  CHECK(f.object("Bar").analysis.strung->nodes.size() == 4);
  CHECK(f.object("Bar").analysis.poses[0].nodes.size() == 4);
  REQUIRE(settled(f.playback()));
  CHECK_FALSE(f.playback().status().failure);
  f.document().undo_stack()->undo();
  CHECK(scene_to_text(f.scene()) == before);
  CHECK(f.problems(1));
  f.document().undo_stack()->redo();
  CHECK(f.problems(0));
  // What is cut in two here is told of at once, as of a file.
  f.document().undo_stack()->undo();
  REQUIRE(f.document().edit_object("Rigid", bar.id, [](Object& o) { o.body.kind = BodyKind::rigid; }).ok());
  CHECK(f.problems(0));
}

TEST_CASE("Flow: a cloth of very many squares is told of before it takes minutes, and has fewer by a click",
          "[ui][flow][problems]") {
  Scene scene = make_new_scene();
  scene.settings.last_frame = 3;
  Object flag;
  flag.name = "Flag";
  flag.id = next_id(scene);
  flag.analysis.kind = AnalysisKind::cloth;
  flag.analysis.divisions = {30, 1, 45};
  flag.analysis.size = Vec3(1, 1, 1.5);
  flag.display.primitive = {PrimitiveShape::plane, Vec3(1, 1, 1.5), {30, 1, 45}};
  flag.body.kind = BodyKind::flexible;
  flag.body.solver = "springs";
  flag.transform.position = Vec3(0, 3, 0);
  scene.objects.push_back(flag);
  ProblemsFlow f(scene);
  REQUIRE(f.problems(1));
  CHECK(f.message(0) ==
        QStringLiteral("Flag has 30 × 45 squares: where it crumples on something a frame may take many seconds."));
  f.shot("many_squares");
  f.click_button(0);
  CHECK(f.problems(0));
  CHECK(f.object("Flag").analysis.divisions == std::array<int, 3>{17, 1, 25});
  CHECK(f.object("Flag").display.primitive.divisions == std::array<int, 3>{17, 1, 25});
  CHECK(f.document().undo_stack()->undoText() == QStringLiteral("Give Flag 17 × 25 squares"));
  f.document().undo_stack()->undo();
  CHECK(f.problems(1));

  // So is one from a mesh.
  const auto made = cloth_of_mesh(make_primitive(flag.display.primitive), {.nodes = 5000});
  REQUIRE(made.ok());
  flag.analysis.kind = AnalysisKind::strung;
  flag.analysis.strung = std::make_shared<const StrungTruss>(*made);
  scene.objects.back() = flag;
  f.document().reset(scene, {});
  REQUIRE(f.problems(1));
  CHECK(f.message(0) ==
        QStringLiteral("Flag has 1426 nodes: where it crumples on something a frame may take many seconds."));
  f.click_button(0);
  CHECK(f.problems(0));
  CHECK_FALSE(f.session.cloth_job.busy());
  CHECK(f.object("Flag").analysis.strung->nodes.size() <= 441);
  CHECK(f.object("Flag").analysis.strung->nodes.size() > 430);
  CHECK(f.document().undo_stack()->undoText() == QStringLiteral("Give Flag 441 nodes"));
  f.document().undo_stack()->undo();
  REQUIRE(f.problems(1));
  // What is made of another mesh than it has by then is left. (Not by a click: it may be ready before the next line.)
  emit f.document().thinner_cloth_wanted(flag.id, 441);
  CHECK(f.session.cloth_job.busy());
  CHECK_FALSE(f.document().undo_stack()->canUndo());
  REQUIRE(f.document()
              .edit_object(QStringLiteral("Scale"), flag.id, [](Object& o) { o.transform.scale.setConstant(2); })
              .ok());
  REQUIRE(wait_for([&] { return !f.session.cloth_job.busy(); }, 5000));
  CHECK(f.object("Flag").analysis.strung->nodes.size() == 1426);
  CHECK(f.window.messages()->text().contains("changed meanwhile"));
  // Of a scene that is closed nothing comes any more.
  emit f.document().thinner_cloth_wanted(flag.id, 441);
  f.document().reset(scene, {});
  CHECK_FALSE(f.session.cloth_job.busy());
  QTest::qWait(200);
  CHECK_FALSE(f.document().undo_stack()->canUndo());
}

TEST_CASE("Flow: an elastic model that cannot take the body is told of in a sentence, and a click gives one that can",
          "[ui][flow][problems][elastic]") {
  struct Case {
    AnalysisKind kind;
    const char *solver, *message;
    std::vector<const char*> taken;
  };
  for (const Case& c :
       {Case{AnalysisKind::rope, "polyhedral", "A rope has no shape of its own", {"springs"}},
        Case{AnalysisKind::cloth, "lagrange", "A cloth folds", {"springs"}},
        Case{AnalysisKind::strung, "fem", "Finite elements need tetrahedra", {"polyhedral", "springs"}},
        Case{AnalysisKind::box_grid, "of tomorrow", "There is no elastic solver", {"polyhedral", "springs"}}}) {
    INFO(c.solver);
    Scene scene = make_new_scene();
    scene.settings.last_frame = 20;
    Object o = World::box(Vec3(1, 0.2, 0.2), Vec3(0, 1, 0), 1);
    o.name = "Thing";
    o.id = next_id(scene);
    o.body.kind = BodyKind::flexible;
    o.body.solver = c.solver;
    o.analysis.kind = c.kind;
    o.analysis.size = Vec3(1, 0.2, 0.2);
    o.analysis.divisions = {4, 1, 2};
    if (c.kind == AnalysisKind::strung) {
      StrungTruss truss;  // a flat one: there is nothing in it
      for (int k = 0; k < 5; ++k) truss.nodes.push_back({Vec3(0.2 * k, k % 2 ? 0.1 : 0, 0)});
      for (std::uint32_t a = 0; a < 5; ++a)
        for (std::uint32_t b = a + 1; b < 5; ++b) truss.springs.push_back({a, b});
      o.analysis.strung = std::make_shared<const StrungTruss>(truss);
    }
    const Id id = o.id;
    scene.objects.push_back(o);
    ProblemsFlow f(scene);
    REQUIRE(f.problems(1));
    CHECK(f.message(0).contains(c.message));
    f.selection().clear();
    const QRect row = f.list->visualRect(f.model->index(0));
    QTest::mouseClick(f.list->viewport(), Qt::LeftButton, {}, row.topLeft() + QPoint(60, 8));
    CHECK(f.selection().ids() == std::set<Id>{id});
    REQUIRE(f.buttons().size() >= c.taken.size());
    f.click_button(0);
    CHECK(find_object(f.scene(), id)->body.solver == c.taken[0]);
    REQUIRE(settled(f.playback()));
    CHECK(f.playback().status().phase == FillStatus::Phase::complete);
    CHECK(f.problems(0));
  }
}

}  // namespace flow_problems_test
