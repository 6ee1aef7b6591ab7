// What a particle is over its life, drawn as curves and a strip of colours: keys by mouse and keyboard in the real window. Sources of copies that have
// no room, in Problems; lines of sources in the panel of plots.
#include <QComboBox>
#include <QListView>
#include <QMenu>

#include "core/scene/derived/particle_shade.h"
#include "core/scene/derived/ready_sources.h"
#include "tests/ui/flow_support.h"
#include "ui/model/diagnostics_model.h"
#include "ui/model/playback_controller.h"
#include "ui/model/run_problems.h"
#include "ui/model/selection.h"
#include "ui/panels/plot_view.h"
#include "ui/widgets/colour_editor.h"
#include "ui/widgets/life_bar.h"

namespace flow_life_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

struct LifeFlow : Flow {
  std::string fresh;
  LifeBar *sizes = nullptr, *colours = nullptr, *opacities = nullptr, *speeds = nullptr, *drags = nullptr;
  LifeFlow() {
    window.resize(1580, 960);
    fresh = scene_to_text(scene());
    submenu("Add", "add.particles_smoke");
    tab("properties");
    sizes = window.findChild<LifeBar*>("life_size");
    colours = window.findChild<LifeBar*>("life_colour");
    opacities = window.findChild<LifeBar*>("life_opacity");
    speeds = window.findChild<LifeBar*>("life_speed");
    drags = window.findChild<LifeBar*>("life_drag");
    REQUIRE((sizes && colours && opacities && speeds && drags));
  }
  const ParticleSource& source() { return *scene().particles.back(); }
  std::string undo_text() { return document().undo_stack()->undoText().toStdString(); }
  void double_click(LifeBar* bar, const QPointF& at) {
    sight(bar);
    QTest::mouseMove(bar, at.toPoint());
    QTest::mouseDClick(bar, Qt::LeftButton, {}, at.toPoint());
  }
  void drag(LifeBar* bar, const QPointF& from, const QPointF& to) {
    sight(bar);
    QTest::mouseMove(bar, from.toPoint());
    QTest::mousePress(bar, Qt::LeftButton, {}, from.toPoint());
    for (int k = 1; k <= 6; ++k) QTest::mouseMove(bar, (from + k / 6.0 * (to - from)).toPoint());
    QTest::mouseRelease(bar, Qt::LeftButton, {}, to.toPoint());
  }
  /// The entry of the menu that opens at a right click.
  void choose(LifeBar* bar, const QPointF& at, const char* entry) {
    sight(bar);
    bool found = false;
    QTimer::singleShot(60, [&] {
      auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
      if (!menu) return;
      for (QAction* action : menu->actions())
        if (action->text() == entry && action->isEnabled()) {
          found = true;
          click_in(menu, menu->actionGeometry(action).center());
          return;
        }
      menu->close();
    });
    QContextMenuEvent event(QContextMenuEvent::Mouse, at.toPoint(), bar->mapToGlobal(at.toPoint()));
    QApplication::sendEvent(bar, &event);
    CHECK(found);
  }
};

void draw_opacity(LifeFlow& f) {
  f.double_click(f.opacities, f.opacities->place_of(0.3, 0.2));
  f.double_click(f.opacities, f.opacities->place_of(0.7, 0.9));
  REQUIRE(f.source().opacity_keys.size() == 2);
  CHECK(opacity_over_life(f.source(), 0) == Approx(0.2).margin(0.04));
  CHECK(opacity_over_life(f.source(), 1) == Approx(0.9).margin(0.04));
}

void draw_speed_and_drag(LifeFlow& f) {
  f.double_click(f.speeds, f.speeds->place_of(0.1, 1));
  REQUIRE(f.source().speed_keys.size() == 1);
  CHECK(f.undo_text() == "Add speed key of Smoke");
  f.double_click(f.speeds, f.speeds->place_of(0.6, 0.2));
  REQUIRE(f.source().speed_keys.size() == 2);
  CHECK(f.source().speed_keys[1].age == Approx(0.6).margin(0.01));
  CHECK(f.source().speed_keys[1].speed == Approx(0.2).margin(0.06));
  f.drag(f.speeds, f.speeds->place_of(1), f.speeds->place_of(0.7, 0));
  CHECK(f.undo_text() == "Move speed key of Smoke");
  CHECK(f.source().speed_keys[1].speed == 0);
  f.double_click(f.drags, f.drags->place_of(0.4, 1.5));
  f.double_click(f.drags, f.drags->place_of(0.9, 0.5));
  REQUIRE(f.source().drag_keys.size() == 2);
  CHECK(f.undo_text() == "Add drag key of Smoke");
  CHECK(f.source().drag_keys[0].drag == Approx(1.5).margin(0.06));
}

}  // namespace

TEST_CASE("Flow: size, colour, opacity, speed and drag over the life are drawn with any number of keys",
          "[ui][flow][particles]") {
  LifeFlow f;
  REQUIRE(f.source().growth == 5);
  // Size: three keys by double clicks, the curve goes through them.
  f.double_click(f.sizes, f.sizes->place_of(0.25, 4));
  REQUIRE(f.source().size_keys.size() == 1);
  CHECK(f.undo_text() == "Add size key of Smoke");
  CHECK(f.source().size_keys[0].age == Approx(0.25).margin(0.01));
  CHECK(f.source().size_keys[0].size == Approx(4).margin(0.15));
  f.double_click(f.sizes, f.sizes->place_of(0.75, 1.5));
  f.double_click(f.sizes, f.sizes->place_of(0.5, 2));
  REQUIRE(f.source().size_keys.size() == 3);
  CHECK(f.source().size_keys[1].age == Approx(0.5).margin(0.01));
  CHECK(size_over_life(f.source(), f.source().size_keys[1].age) == Approx(f.source().size_keys[1].size));
  // A drag is one step; a key does not pass its neighbours.
  const int steps = f.document().undo_stack()->index();
  f.drag(f.sizes, f.sizes->place_of(2), f.sizes->place_of(0.9, 3));
  CHECK(f.undo_text() == "Move size key of Smoke");
  CHECK(f.document().undo_stack()->index() == steps + 1);
  CHECK(f.source().size_keys[1].age == Approx(f.source().size_keys[2].age - 0.001).margin(1e-6));
  CHECK(f.source().size_keys[1].size == Approx(3).margin(0.15));
  f.document().undo_stack()->undo();
  // The end is Growth; birth stays.
  f.drag(f.sizes, f.sizes->place_of(4), f.sizes->place_of(4) + QPointF(-30, 20));
  CHECK(f.source().growth < 4.5);
  const double growth = f.source().growth;
  f.drag(f.sizes, f.sizes->place_of(0), f.sizes->place_of(0) + QPointF(20, -20));
  CHECK(f.source().size_keys.size() == 3);
  CHECK(f.source().growth == growth);
  // Delete takes out the selected one, and not the source.
  QTest::mouseClick(f.sizes, Qt::LeftButton, {}, f.sizes->place_of(2).toPoint());
  QTest::keyClick(f.sizes, Qt::Key_Delete);
  REQUIRE(f.source().size_keys.size() == 2);
  CHECK(f.undo_text() == "Delete size key of Smoke");
  // Arrows move one.
  QTest::mouseClick(f.sizes, Qt::LeftButton, {}, f.sizes->place_of(1).toPoint());
  const double age = f.source().size_keys[0].age;
  QTest::keyClick(f.sizes, Qt::Key_Right);
  CHECK(f.source().size_keys[0].age == Approx(age + 0.01));

  // Colour: a key has the colour that was there; another one by a double click on it.
  const Vec3 there = colour_over_life(f.source(), 0.4);
  f.double_click(f.colours, f.colours->place_of(0.4, 0) - QPointF(0, 14));
  REQUIRE(f.source().colour_keys.size() == 1);
  CHECK((f.source().colour_keys[0].colour - there).norm() < 0.01);
  f.double_click(f.colours, f.colours->place_of(1));
  auto* popup = f.window.findChild<QFrame*>("life_colour_popup");
  REQUIRE(popup);
  REQUIRE(wait_for([&] { return popup->isVisible(); }, 2000));
  auto* editor = popup->findChild<ColourEditor*>();
  const QRect square = editor->square()->square();
  QTest::mouseClick(editor->square(), Qt::LeftButton, {}, square.topRight() - QPoint(4, -4));
  CHECK(f.undo_text() == "Colour key of Smoke");
  CHECK((f.source().colour_keys[0].colour - there).norm() > 0.3);
  f.shot("life_colour");
  popup->close();
  QTest::qWait(20);
  f.double_click(f.colours, f.colours->place_of(0.8, 0) - QPointF(0, 14));
  REQUIRE(f.source().colour_keys.size() == 2);

  draw_opacity(f);
  draw_speed_and_drag(f);
  QTest::qWait(60);
  f.sight(f.drags);
  f.shot("life_keys");

  // All of it is undone and done again.
  back_and_forth(f, f.fresh);
  // A right click has the key's entries, and a reset.
  f.choose(f.opacities, f.opacities->place_of(1), "Delete Key");
  CHECK(f.source().opacity_keys.size() == 1);
  f.choose(f.sizes, f.sizes->place_of(0.9, 0.2), "Reset: No Keys Between Birth and End");
  CHECK(f.source().size_keys.empty());
  CHECK(f.undo_text() == "Reset size over life of Smoke");
  f.choose(f.speeds, f.speeds->place_of(1), "Delete Key");
  CHECK(f.source().speed_keys.size() == 1);
  f.choose(f.drags, f.drags->place_of(0.2, 0.2), "Reset: No Keys Between Birth and End");
  CHECK(f.source().drag_keys.empty());
  CHECK(f.undo_text() == "Reset drag over life of Smoke");
}

TEST_CASE("Flow: looks over the life drop no frame and are seen, speed and drag make frames anew",
          "[ui][flow][particles]") {
  LifeFlow f;
  REQUIRE(wait_for([&] { return complete(f.playback()); }, 60000));
  const auto generation = f.playback().cache().generation();
  const int size = f.playback().cache().size();
  f.double_click(f.sizes, f.sizes->place_of(0.5, 4.5));
  REQUIRE(f.source().size_keys.size() == 1);
  CHECK(f.playback().cache().generation() == generation);
  CHECK(f.playback().cache().size() == size);
  f.double_click(f.speeds, f.speeds->place_of(0.5, 0.4));
  CHECK(f.playback().cache().generation() != generation);
  // Several sources are edited alike; copies have none of it.
  f.submenu("Add", "add.particles_sparks");
  f.selection().set({f.scene().particles[0]->id, f.scene().particles[1]->id}, f.scene().particles[0]->id);
  f.double_click(f.sizes, f.sizes->place_of(0.2, 3));
  CHECK(f.scene().particles[1]->size_keys.size() == 2);
  f.submenu("Add", "add.particles_pour");
  CHECK_FALSE(f.sizes->isVisible());
}

TEST_CASE("Flow: a source of copies whose place is taken is told of, and what has room is not", "[ui][flow][copies]") {
  Flow f;
  f.window.resize(1580, 960);
  Scene scene = make_new_scene();
  scene.settings.last_frame = 30;
  const auto add = [&](Object o) {
    o.id = next_id(scene);
    scene.objects.push_back(Shared<Object>(o));
    return o.id;
  };
  Object rock = World::box(Vec3(2, 2, 2), Vec3(0, 1, 0), 5);
  rock.name = "Rock";
  rock.body.kind = BodyKind::fixed;
  const Id rock_id = add(rock);
  Object bead = World::sphere(0.05, Vec3(5, 1, 0), 0.1);
  bead.name = "Bead";
  const Id pattern = add(bead);
  ParticleSource source = make_ready_sources(scene, ReadySource::pour, Vec3(0, -1, 0), {}).back();
  source.object = pattern.value;
  scene.particles.push_back(Shared<ParticleSource>(source));
  f.document().reset(scene, {});
  REQUIRE(wait_for([&] { return complete(f.playback()); }, 20000));
  f.tab("diagnostics");
  auto* list = f.window.findChild<QListView*>("diagnostics_list");
  auto* model = qobject_cast<DiagnosticsModel*>(list->model());
  REQUIRE(wait_for([&] { return model->rowCount() == 1; }, 3000));
  const Problem& problem = model->entries()[0];
  CHECK(problem.diagnostic.message == "Pour gives no copy of Bead: Rock is in the way.");
  CHECK(problem.others == std::vector<Id>{rock_id});
  CHECK_FALSE(problem.diagnostic.hint.empty());
  CHECK(problem.object == source.id);
  REQUIRE(problem.remedies.size() == 1);
  // It is told of while the run goes on, as soon as a copy is late.
  FillStatus watched = f.playback().status();
  watched.phase = FillStatus::Phase::running;
  watched.computed = 25;
  CHECK(room_problems(f.document().scene(), watched, *f.playback().log()).size() == 1);
  const int shown = f.playback().frame();
  problem.remedies[0].apply(f.document(), f.playback());
  CHECK(f.playback().frame() != shown);
  CHECK(f.playback().frame() < 25);
  QTest::qWait(60);
  f.shot("copies_no_room");
  // How many wait is a line of the plots.
  f.tab("plots");
  auto* plot = f.window.findChild<PlotView*>();
  auto* quantity = f.window.findChild<QComboBox*>("plot_quantity");
  quantity->setCurrentIndex(quantity->findText("Copies that wait for room"));
  REQUIRE(plot->series().size() == 1);
  CHECK(plot->series()[0].values.back() > 5);
  quantity->setCurrentIndex(quantity->findText("Mean speed of particles"));
  CHECK(plot->why() == "Nothing of these sources is alive in any frame.");
  quantity->setCurrentIndex(quantity->findText("Particles or copies alive"));
  REQUIRE(plot->series().size() == 1);
  CHECK(plot->series()[0].values.back() == 0);
  // Moved out of the rock it gives copies, and the line goes.
  REQUIRE(f.document()
              .edit("Out",
                    with_source(f.document().scene(), source.id, [](ParticleSource& s) { s.position = Vec3(0, 3, 0); }))
              .ok());
  REQUIRE(wait_for([&] { return complete(f.playback()) && model->rowCount() == 0; }, 20000));
  REQUIRE(wait_for([&] { return plot->series().size() == 1 && plot->series()[0].values.size() == 31; }, 5000));
  CHECK(plot->series()[0].values.back() > 3);
  CHECK(plot->series()[0].values.front() == 0);
  quantity->setCurrentIndex(quantity->findText("Mean speed of particles"));
  REQUIRE(plot->series().size() == 1);
  CHECK(plot->series()[0].values.back() > 0.5);
  CHECK(plot->value_label() == "Mean speed of particles, m/s");
  QTest::qWait(60);
  f.shot("copies_plot");
  // What waits for those before it is worth a note, and no problem.
  REQUIRE(f.document()
              .edit("Many", with_source(f.document().scene(), source.id, [](ParticleSource& s) { s.rate = 500; }))
              .ok());
  REQUIRE(wait_for([&] { return complete(f.playback()) && model->rowCount() == 1; }, 20000));
  CHECK(model->entries()[0].diagnostic.severity == Severity::info);
  CHECK(f.window.findChild<QToolButton*>("status_problems")->text() == "1 note");
}

TEST_CASE("Flow: copies of a burst that still wait as the run ends are told of then", "[ui][flow][copies]") {
  Flow f;
  Scene scene = make_new_scene();
  scene.settings.last_frame = 30;
  Object bead = World::sphere(0.05, Vec3(5, 1, 0), 0.1);
  bead.name = "Bead";
  bead.id = next_id(scene);
  scene.objects.push_back(Shared<Object>(bead));
  ParticleSource source = make_ready_sources(scene, ReadySource::pour, Vec3(5, 3, 3), {}).back();
  source.object = bead.id.value;
  source.rate = source.radius = source.speed = 0;
  source.burst = 30;
  scene.particles.push_back(Shared<ParticleSource>(source));
  f.document().reset(scene, {});
  REQUIRE(wait_for([&] { return complete(f.playback()); }, 20000));
  f.tab("diagnostics");
  auto* model = qobject_cast<DiagnosticsModel*>(f.window.findChild<QListView*>("diagnostics_list")->model());
  REQUIRE(wait_for([&] { return model->rowCount() == 1; }, 3000));
  const Problem& left = model->entries()[0];
  const CopiesWaiting waiting = f.playback().log()->waits(source.id);
  CHECK(waiting.count > 0);
  CHECK(waiting.count < 30);
  CHECK(left.diagnostic.message == "Pour still waits with " + std::to_string(waiting.count) +
                                       " copies of Bead as the run ends: what it gave before is in the way.");
  CHECK(left.diagnostic.severity == Severity::info);
  FillStatus watched = f.playback().status();
  watched.phase = FillStatus::Phase::running;
  CHECK(room_problems(f.document().scene(), watched, *f.playback().log()).empty());  // there is time yet
}

}  // namespace flow_life_test
