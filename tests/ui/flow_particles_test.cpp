// Particles as a person has them, in the real window by mouse: from the Add menu, seen while it plays, moved, keyed, carried, their numbers in
// Properties, told of in Problems.
#include <algorithm>

#include <QComboBox>

#include "core/scene/derived/ready_sources.h"
#include "core/scene/derived/sources.h"
#include "core/scene/derived/tracks.h"
#include "tests/ui/flow_support.h"
#include "ui/model/collisions.h"
#include "ui/model/keying.h"
#include "ui/model/playback_controller.h"
#include "ui/model/problem.h"
#include "ui/model/selection.h"
#include "ui/panels/properties_panel.h"
#include "ui/widgets/bubble.h"
#include "ui/widgets/number_field.h"

namespace flow_particles_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

struct ParticleFlow : Flow {
  const ParticleSource& source() { return *scene().particles.back(); }
  std::string undo_text() { return document().undo_stack()->undoText().toStdString(); }

  void stage() {
    Scene made = make_new_scene();
    Object box = make_object(next_id(made).value, "Boat", {PrimitiveShape::box, Vec3(0.8, 0.3, 0.4), {1, 1, 1}},
                             Vec3(-1, 0.16, 0));
    box.body.velocity = Vec3(1, 0, 0);
    box.material.substance.friction = 0;
    made.objects.push_back(box);
    made.settings.last_frame = 60;
    Flow::Window::open(made);
    ViewCamera camera;
    camera.target = {0.2f, 0.9f, 0};
    camera.distance = 6;
    camera.yaw = 0.3f;
    camera.pitch = 0.2f;
    view().camera() = camera;
    view().setFocus();
    QTest::qWait(5);
    key(Qt::Key_W);  // no handles in the way of clicks
  }
  std::size_t living(int frame) {
    REQUIRE(complete(playback()));
    const FramePtr shown = playback().cache().frame(frame);
    REQUIRE(shown);
    return shown->find_particles(source().id)->positions.size();
  }
};

}  // namespace

TEST_CASE("Flow: a fountain is added, clicked, moved, keyed, and flows", "[ui][flow][particles]") {
  ParticleFlow f;
  f.stage();
  const std::string start = scene_to_text(f.scene());
  f.submenu("Add", "add.particles_fountain");
  REQUIRE(f.scene().particles.size() == 1);
  CHECK(f.undo_text() == "Add Fountain");
  CHECK(f.selection().ids() == std::set<Id>{f.source().id});
  CHECK(f.living(60) > 300);
  f.playback().set_frame(60);
  QTest::qWait(60);
  f.shot("particles_fountain");
  f.playback().set_frame(0);
  // Its symbol is clicked.
  f.key(Qt::Key_A, Qt::AltModifier);
  CHECK(f.selection().empty());
  f.click(f.pixel(f.source().position));
  CHECK(f.selection().active() == f.source().id);
  // G moves it, and the mouse says where.
  const Vec3 before = f.source().position;
  f.key(Qt::Key_G);
  f.move_to(f.pixel(before));
  f.move_to(f.pixel(before + Vec3(0.6, 0.4, 0)));
  f.key(Qt::Key_Return);
  CHECK((f.source().position - before).norm() > 0.2);
  f.key(Qt::Key_I);
  REQUIRE(find_track(f.scene(), f.source().id.value, "position"));
  REQUIRE(find_track(f.scene(), f.source().id.value, "rotation"));
  back_and_forth(f, start);
  f.key(Qt::Key_X);
  CHECK(f.scene().particles.empty());
  CHECK(f.scene().tracks.empty());
}

TEST_CASE("Flow: every ready-made source has a command and is seen", "[ui][flow][particles]") {
  ParticleFlow f;
  f.stage();
  std::size_t before = 0;
  for (const ReadySourceInfo& info : ready_sources()) {
    INFO(info.name);
    f.selection().select_only(id_of(f.scene(), "Boat"));
    f.submenu("Add", ("add.particles_" + std::string(info.name)).c_str());
    REQUIRE(f.scene().particles.size() > before);
    before = f.scene().particles.size();
    CHECK((f.source().carrier != 0) == info.carried);
    CHECK(f.living(45) > (gives_copies(f.source()) ? 2u : 10u));
    f.playback().set_frame(45);
    QTest::qWait(60);
    f.shot(("particles_" + std::string(info.name)).c_str());
    f.playback().set_frame(0);
    while (!f.scene().particles.empty()) f.document().undo_stack()->undo();
    before = 0;
  }
}

TEST_CASE("Flow: a source is told to give copies of an object, which pour, are clicked and collide",
          "[ui][flow][particles][copies]") {
  ParticleFlow f;
  f.stage();
  f.submenu("Add", "add.particles_sparks");
  REQUIRE(f.scene().particles.size() == 1);
  f.tab("properties");
  FieldForm* form = f.window.findChild<PropertiesPanel*>()->form("particles");
  REQUIRE(wait_for([&] { return form->isVisible(); }, 1000));
  CHECK_FALSE(form->widget("object")->isVisible());
  const auto choose_last = [&](QComboBox* box) {
    f.sight(box)->setFocus();
    QTest::keyClick(box, Qt::Key_End);
    QTest::keyClick(box, Qt::Key_Return);
  };
  choose_last(static_cast<BoxField*>(form->widget("gives"))->box());
  REQUIRE(f.source().gives == SourceGives::copies);
  CHECK(form->widget("most_copies")->isVisible());
  CHECK_FALSE(form->widget("look")->isVisible());
  QComboBox* objects = static_cast<ThingField*>(form->widget("object"))->box();
  choose_last(objects);
  CHECK(f.source().object == id_of(f.scene(), "Boat").value);
  CHECK(f.undo_text() == "Object of Sparks");
  // What it gives is there, and the boat itself is not.
  (void)f.document().edit("Higher", with_source(f.scene(), f.source().id, [](ParticleSource& s) {
                            s.position = Vec3(0, 2.2, 0);
                            s.radius = 0.4;
                            s.rate = 12;
                            s.speed = 0.5;
                          }));
  CHECK(f.living(60) > 3);
  const FramePtr shown = f.playback().cache().frame(60);
  CHECK_FALSE(shown->find(id_of(f.scene(), "Boat"))->present);
  f.playback().set_frame(60);
  QTest::qWait(80);
  f.shot("copies_poured");
  const ParticleBlock& block = *shown->find_particles(f.source().id);
  REQUIRE(block.rotations.size() == block.positions.size());
  f.key(Qt::Key_A, Qt::AltModifier);
  REQUIRE(f.selection().empty());
  f.click(f.pixel(block.positions.back().cast<double>()));
  CHECK(f.selection().ids() == std::set<Id>{f.source().id});
  // Ticks and readings name the source.
  const auto log = f.playback().log();
  REQUIRE_FALSE(log->contacts.empty());
  const std::vector<CollisionRow> rows =
      collisions_of_frame(*log, f.scene(), f.selection().ids(), log->contacts.front().first);
  REQUIRE_FALSE(rows.empty());
  CHECK(rows[0].objects.startsWith("Sparks"));
  CHECK(last_collision(*log, f.selection().ids(), 60));
}

TEST_CASE("Flow: numbers that no source can have are refused at their field, in one sentence",
          "[ui][flow][particles][bad]") {
  ParticleFlow f;
  f.stage();
  f.submenu("Add", "add.particles_fountain");
  f.tab("properties");
  FieldForm* form = f.window.findChild<PropertiesPanel*>()->form("particles");
  REQUIRE(wait_for([&] { return form->isVisible(); }, 1000));
  const std::string before = scene_to_text(f.scene());
  const struct {
    const char *path, *least, *most;
  } rows[] = {{"life", "Life must be above 0 s.", "Life must be at most 1000000 s."},
              {"speed", "Speed must be at least 0 m/s.", "Speed must be at most 10000 m/s."},
              {"rate", "Rate must be at least 0 1/s.", "Rate must be at most 1000000 1/s."},
              {"mass", "Mass must be above 0 kg.", "Mass must be at most 1000000 kg."},
              {"size", "Size must be at least 1e-6 m.", "Size must be at most 1000000 m."},
              {"burst", "Burst must be at least 0.", "Burst must be at most 1000000."}};
  for (const auto& [path, least, most] : rows) {
    INFO(path);
    QWidget* field = form->widget(path)->findChild<NumberField*>();
    REQUIRE(field);
    const auto told = [&](const char* typed) {
      type_number(f.sight(field), typed);
      return Bubble::shown_text().toStdString();
    };
    CHECK(told("-1") == least);
    CHECK(told("1e300") == most);
    CHECK(told("1e9") == most);
    for (const char* no : {"nan", "inf", "1e999", "1/0"}) {
      const std::string sentence = told(no);
      INFO(no << ": " << sentence);
      CHECK(sentence.size() > 10);
      CHECK(std::count(sentence.begin(), sentence.end(), '\n') == 0);
    }
    f.key(Qt::Key_Escape);
  }
  f.shot("particles_refused");
  CHECK(scene_to_text(f.scene()) == before);
}

TEST_CASE("Flow: a source whose carrier goes is told of, and a click mends it", "[ui][flow][particles]") {
  ParticleFlow f;
  f.stage();
  const Id boat = id_of(f.scene(), "Boat");
  f.selection().select_only(boat);
  f.submenu("Add", "add.particles_splash");
  REQUIRE(f.source().carrier == boat.value);
  REQUIRE(f.document().edit("Delete", without(f.scene(), boat)).ok());
  REQUIRE(idle_sources(f.scene()).size() == 1);
  CHECK(idle_sources(f.scene())[0].message == "The object that carried Splash is gone; it gives nothing.");
}

}  // namespace flow_particles_test
