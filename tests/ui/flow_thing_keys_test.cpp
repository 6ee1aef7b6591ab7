// Keys of what a box of a motion graph is about, by mouse in the real window: the diamond beside the list, words in the dope sheet, the list of the
// key that is selected, what is gone, and what can have no keys.
#include <QComboBox>
#include <QCursor>
#include <QLabel>

#include "core/motion/check.h"
#include "core/scene/file/scene_io.h"
#include "tests/ui/motion_support.h"
#include "ui/model/document_controller.h"
#include "ui/model/key_selection.h"
#include "ui/model/key_words.h"
#include "ui/model/keying.h"
#include "ui/panels/dope_sheet.h"
#include "ui/panels/thing_picker.h"
#include "ui/panels/track_list.h"
#include "ui/widgets/key_button.h"

namespace flow_thing_keys_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

struct ThingKeysFlow : MotionFlow {
  ThingKeysFlow() {
    stage();
    Scene next = document().scene();
    for (const auto& [name, place] : {std::pair("red ball", Vec3(1, 1, 0)), std::pair("blue ball", Vec3(2, 1, 0))})
      next.objects.push_back(
          make_object(next_id(next).value, name, {PrimitiveShape::sphere, Vec3(0.4, 0.4, 0.4), {16, 12, 1}}, place));
    REQUIRE(document().edit("Stage", std::move(next)).ok());
  }
  MotionBoxPanel& panel() { return *window.findChild<MotionBoxPanel*>("motion_box_panel"); }
  void go(int frame) {
    playback().set_frame(frame);
    QTest::qWait(20);
  }
  void pick(QComboBox* box, const QString& text) {
    sight(box);
    const int index = box->findText(text);
    INFO(text.toStdString());
    REQUIRE(index >= 0);
    // From the list that drops down: Up and Down go from key to key.
    box->setCurrentIndex(index);
    emit box->activated(index);
    QTest::qWait(5);
    CHECK(box->currentText() == text);
  }
  std::string word(const char* field, std::size_t key) {
    const Track* track = nullptr;
    for (const auto& one : scene().tracks)
      if (one->field == field) track = one.get();
    REQUIRE(track);
    REQUIRE(key < track->keys.size());
    return key_word(scene(), *track, track->keys[key].value[0]).toStdString();
  }
};

}  // namespace

TEST_CASE("Flow: what a box is about is keyed, and its words stand in the dope sheet",
          "[ui][flow][motion_graph][keys]") {
  ThingKeysFlow f;
  const double w = f.canvas->viewport()->width(), h = f.canvas->viewport()->height();
  const Id near = f.drag_from_palette(MotionRole::event, "near", QPointF(0.2 * w, 0.4 * h)),
           thrown = f.drag_from_palette(MotionRole::procedure, "throw", QPointF(0.6 * w, 0.4 * h));
  f.drag_on_canvas(f.right(near), f.middle(thrown));
  f.click_on_canvas(f.middle(near));
  constexpr const char* kField = "event.near.with";
  REQUIRE(f.panel().other());
  f.pick(f.panel().other()->box(), "red ball");
  CHECK(f.scene().tracks.empty());
  CHECK(f.node(near).other == f.id("red ball").value);
  // The diamond beside it.
  KeyButton* diamond = f.panel().other_keys()->key();
  REQUIRE(diamond->isVisible());
  CHECK(diamond->state() == KeyState::none);
  f.click_in(diamond, diamond->rect().center());
  QTest::qWait(10);
  REQUIRE(f.scene().tracks.size() == 1);
  CHECK(f.undo_text() == "Key With of \"Distance\"");
  CHECK(f.word(kField, 0) == "red ball");
  f.go(40);
  CHECK(diamond->state() == KeyState::elsewhere);
  f.pick(f.panel().other()->box(), "blue ball");
  REQUIRE(f.scene().tracks[0]->keys.size() == 2);
  CHECK(f.word(kField, 1) == "blue ball");
  CHECK(diamond->state() == KeyState::here);
  CHECK(f.panel().sentence().contains("blue ball"));
  f.go(20);
  CHECK(f.panel().other()->box()->currentText() == "red ball");
  CHECK(f.panel().sentence().contains("red ball"));
  CHECK(f.canvas->box(near)->look().sentence.contains("red ball"));
  f.shot("thing-keys-graph");

  f.tab("dope_sheet");
  QTest::qWait(60);
  auto* sheet = f.window.findChild<DopeSheet*>();
  REQUIRE(sheet);
  const auto rows = track_rows(f.scene(), {});
  REQUIRE(rows.size() == 3);
  CHECK(rows[2].label == "Distance: With");
  const double rate = f.scene().settings.frame_rate;
  f.click_in(sheet, sheet->place_of_key(2, 40 / rate).toPoint());
  QTest::qWait(10);
  auto* words = sheet->parentWidget()->parentWidget()->parentWidget()->findChild<QComboBox*>("key_word");
  REQUIRE(words);
  CHECK(words->isVisible());
  CHECK(words->currentText() == "blue ball");
  f.shot("thing-keys-sheet", f.window.findChild<QDockWidget*>("dope_sheet"));
  f.pick(words, "lane");
  CHECK(f.word(kField, 1) == "lane");
  f.pick(words, "blue ball");

  // What is deleted stays named, is told, and comes back.
  f.selection().select_only(f.id("blue ball"));
  const Scene before = f.scene();
  REQUIRE(f.document().edit("Delete", without(before, f.id("blue ball"))).ok());
  QTest::qWait(60);
  REQUIRE(f.scene().tracks[0]->keys.size() == 2);
  CHECK(f.word(kField, 1).find("Missing") == 0);
  f.shot("thing-keys-missing");
  f.document().undo_stack()->undo();
  QTest::qWait(20);
  CHECK(f.word(kField, 1) == "blue ball");
}

TEST_CASE("Flow: what of a box can have no keys says why", "[ui][flow][motion_graph][keys]") {
  ThingKeysFlow f;
  const double w = f.canvas->viewport()->width(), h = f.canvas->viewport()->height();
  const Id near = f.drag_from_palette(MotionRole::event, "near", QPointF(0.2 * w, 0.4 * h));
  f.click_on_canvas(f.middle(near));
  const int steps = f.steps();
  QString said;
  QObject::connect(&f.document(), &DocumentController::refused, [&](const QString& text) { said = text; });
  const auto ask = [&](QWidget* widget) {
    f.sight(widget);
    QCursor::setPos(widget->mapToGlobal(widget->rect().center()));
    QTest::qWait(30);
    said.clear();
    f.view().setFocus();
    f.key(Qt::Key_I);
    QTest::qWait(10);
    return said.toStdString();
  };
  CHECK(ask(f.panel().owner()).find("has no keys") != std::string::npos);
  QWidget* used = nullptr;
  for (QWidget* one : f.panel().findChildren<QWidget*>("motion_visible"))
    if (one->isVisible()) used = one;
  REQUIRE(used);
  CHECK(ask(used).find("has no keys") != std::string::npos);
  CHECK(f.steps() == steps);
  QCursor::setPos(f.view().mapToGlobal(QPoint(300, 200)));
}

TEST_CASE("Flow: a keyed number of Set goes over to that of another thing", "[ui][flow][motion_graph][keys]") {
  ThingKeysFlow f;
  Scene next = f.document().scene();
  for (const char* name : {"Breeze", "Gale"}) {
    ForceField wind;
    wind.id = next_id(next);
    wind.name = name;
    next.fields.push_back(Shared<ForceField>(wind));
  }
  Force push;
  push.id = next_id(next);
  push.name = "Push";
  push.object = f.id("ball").value;
  next.forces.push_back(Shared<Force>(push));
  REQUIRE(f.document().edit("Stage", std::move(next)).ok());
  const double w = f.canvas->viewport()->width(), h = f.canvas->viewport()->height();
  const Id time = f.drag_from_palette(MotionRole::event, "time", QPointF(0.2 * w, 0.4 * h));
  const Id set = f.drag_from_palette(MotionRole::procedure, "set", QPointF(0.6 * w, 0.4 * h));
  f.drag_on_canvas(f.right(time), f.middle(set));
  f.click_on_canvas(f.middle(set));
  f.pick(f.panel().other()->box(), "Breeze");
  KeyButton* diamond = f.panel().other_keys()->key();
  f.click_in(diamond, diamond->rect().center());
  QTest::qWait(10);
  f.go(30);
  f.pick(f.panel().other()->box(), "Gale");
  REQUIRE(f.scene().tracks.size() == 1);  // it has that number too
  CHECK(f.scene().tracks[0]->keys.size() == 2);
  f.go(45);
  f.pick(f.panel().other()->box(), "Push");
  REQUIRE(f.scene().tracks.size() == 2);  // a force has others: from there on another one is keyed
  CHECK(motion_problems(f.scene()).empty());
  CHECK(f.panel().number_keys()->key()->state() == KeyState::here);
  f.go(30);
  CHECK(f.panel().other()->box()->currentText() == "Gale");
  const QString number = f.panel().number()->currentText();
  f.go(45);
  CHECK(f.panel().number()->currentText() != number);
  f.tab("dope_sheet");
  QTest::qWait(60);
  f.shot("thing-keys-set", f.window.findChild<QDockWidget*>("dope_sheet"));
  const std::string text = scene_to_text(f.scene());
  const auto back = scene_from_text(text, {});
  REQUIRE(back.ok());
  CHECK(scene_to_text(*back) == text);
}

}  // namespace flow_thing_keys_test
