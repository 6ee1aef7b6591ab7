// Motion graphs as a person makes them, in the real window by mouse: boxes from the palette, wires, relations, what each box says, the log of the
// run, and how all of it is taken back.
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QTabBar>
#include <QTabWidget>
#include <QTreeWidget>

#include "core/motion/kinds.h"
#include "core/scene/derived/motion_rules.h"
#include "core/scene/file/scene_io.h"
#include "tests/ui/motion_support.h"
#include "ui/model/diagnostics_model.h"
#include "ui/model/motion_commands.h"
#include "ui/model/playback_controller.h"
#include "ui/model/selection.h"
#include "ui/panels/motion_box_panel.h"
#include "ui/panels/motion_canvas.h"
#include "ui/panels/motion_log_list.h"
#include "ui/panels/motion_palette.h"
#include "ui/panels/thing_picker.h"
#include "ui/widgets/expression_edit.h"

namespace flow_motion_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

struct Graph {
  Id time, thrown, contact, bounce;
};

/// Time → throw; contact, a loop → bounce: by mouse, of nothing.
Graph build(MotionFlow& f) {
  const double w = f.canvas->viewport()->width(), h = f.canvas->viewport()->height();
  // Time → throw, from the palette and by a wire between them.
  const Id time = f.drag_from_palette(MotionRole::event, "time", QPointF(0.18 * w, 0.25 * h));
  CHECK(f.node(time).kind == "time");
  CHECK(f.node(time).object == f.id("ball").value);
  CHECK(f.undo_text() == "Add \"Time\"");
  CHECK((f.middle(time) - QPointF(0.18 * w, 0.25 * h)).manhattanLength() < 6);
  const Id thrown = f.drag_from_palette(MotionRole::procedure, "throw", QPointF(0.55 * w, 0.25 * h));
  f.drag_on_canvas(f.right(time), f.middle(thrown));
  REQUIRE(f.node(time).wires.size() == 1);
  CHECK(f.node(time).wires[0] == MotionWire{thrown.value, false});
  CHECK(f.undo_text() == "Wire \"Time\" to \"" + box_title(f.node(thrown)).toStdString() + "\"");

  // Contact, a loop, and what follows it from the menu where the wire ends in the empty.
  const Id contact = f.drag_from_palette(MotionRole::event, "contact", QPointF(0.18 * w, 0.72 * h));
  f.click_on_canvas(f.at(f.canvas->box(contact)->loop_mark().center()));
  CHECK(f.node(contact).loop);
  const Id bounce = f.follow_in_empty(contact, QPointF(0.5 * w, 0.72 * h), "bounce");
  CHECK(f.node(bounce).role == MotionRole::procedure);
  CHECK(f.node(bounce).kind == "bounce");
  CHECK(f.node(bounce).object == f.id("ball").value);
  CHECK(f.node(contact).wires == std::vector<MotionWire>{{bounce.value, false}});
  CHECK(motion_faults(f.scene()).empty());
  f.shot("motion-graph");
  return {time, thrown, contact, bounce};
}

}  // namespace

TEST_CASE("Flow: a graph is built of boxes and wires by mouse, and taken back", "[ui][flow][motion_graph]") {
  MotionFlow f;
  f.stage();
  const std::string start = scene_to_text(f.scene());
  f.shot("motion_empty");
  const auto [time, thrown, contact, bounce] = build(f);

  // A procedure leads to no procedure, and says so.
  const int before = f.steps();
  f.drag_on_canvas(f.right(thrown), f.middle(bounce));
  CHECK(f.steps() == before);

  // Related: with Alt, and from the lower edge.
  f.drag_on_canvas(f.middle(time), f.middle(contact), Qt::AltModifier);
  CHECK(f.node(time).wires.back() == MotionWire{contact.value, true});
  CHECK(f.undo_text() == "Relate \"Time\" and \"Collision\"");
  f.shot("motion_related");
  f.canvas_key(Qt::Key_Delete);  // the wire is selected
  CHECK(f.node(time).wires.size() == 1);
  f.click_on_canvas(f.middle(contact));
  f.drag_on_canvas(f.bottom(contact), f.middle(time));
  CHECK(f.node(contact).wires.back() == MotionWire{time.value, true});
  back_and_forth(f, start);
}

TEST_CASE("Flow: boxes and wires are selected, moved, copied and taken away", "[ui][flow][motion_graph]") {
  MotionFlow f;
  f.stage();
  const std::string start = scene_to_text(f.scene());
  const double w = f.canvas->viewport()->width(), h = f.canvas->viewport()->height();
  const auto [time, thrown, contact, bounce] = build(f);
  f.drag_on_canvas(f.middle(contact), f.middle(time), Qt::AltModifier);

  // A click on a wire selects it, Delete takes it away.
  const QPointF a = f.canvas->box(time)->exit(), b = f.canvas->box(thrown)->entry();
  f.click_on_canvas(f.at((a + b) / 2));
  f.canvas_key(Qt::Key_Delete);
  CHECK(f.node(time).wires.empty());

  // Dragging moves what is selected, one step; back at the start there is none.
  f.click_on_canvas(QPointF(w - 5, h - 5));
  f.drag_on_canvas(f.middle(time), f.middle(time) + QPointF(40, -16));
  CHECK(f.undo_text() == "Move \"Time\"");
  const int moved = f.steps();
  f.drag_on_canvas(f.middle(time), f.middle(time) + QPointF(8, 32));
  CHECK(f.steps() == moved + 1);

  // Box selection, keys.
  f.drag_on_canvas(QPointF(2, 2), QPointF(w - 8, h - 3));
  f.canvas_key(Qt::Key_D, Qt::ControlModifier);
  CHECK(f.scene().motion.size() == 8);
  const MotionNode& copy = *f.scene().motion[6];
  CHECK(copy.kind == "contact");
  CHECK(copy.wires.size() == 2);  // among the copies
  f.canvas_key(Qt::Key_M);
  CHECK_FALSE(f.newest().visible);
  f.canvas_key(Qt::Key_Delete);
  CHECK(f.scene().motion.size() == 4);
  f.click_on_canvas(f.middle(contact));
  f.canvas_key(Qt::Key_L);
  CHECK_FALSE(f.node(contact).loop);

  // A double click in the palette makes one where there is room.
  const QRect entry = f.palette->place_of(MotionRole::event, "rest");
  QTest::mouseDClick(f.palette->list()->viewport(), Qt::LeftButton, {}, entry.center());
  CHECK(f.newest().kind == "rest");
  for (const auto& other : f.scene().motion)
    if (other->id != f.newest().id)
      CHECK_FALSE(f.canvas->box(other->id)->placed().intersects(f.canvas->box(f.newest().id)->placed()));
  back_and_forth(f, start);
}

TEST_CASE("Flow: boxes are grouped, named and moved by the frame round them", "[ui][flow][motion_graph]") {
  MotionFlow f;
  f.stage();
  const std::string start = scene_to_text(f.scene());
  const auto [time, thrown, contact, bounce] = build(f);
  f.click_on_canvas(f.middle(contact));
  f.click_on_canvas(f.middle(bounce), Qt::ShiftModifier);
  f.canvas_key(Qt::Key_G, Qt::ControlModifier);
  auto* name = f.canvas->findChild<QLineEdit*>("motion_group_name");
  REQUIRE(name);
  QTest::keyClicks(name, "Comes down");
  QTest::keyClick(name, Qt::Key_Return);
  QTest::qWait(10);
  CHECK(f.undo_text() == "Rename to \"Comes down\"");
  CHECK(f.node(contact).group == "Comes down");
  CHECK(f.node(bounce).group == "Comes down");
  CHECK(f.node(time).group.empty());
  f.canvas_key(Qt::Key_Home);

  // The title: a click selects its boxes, a drag moves them together, one step.
  const auto title = [&, contact = contact] {
    return f.at(f.canvas->box(contact)->placed().topLeft() + QPointF(20, -24));
  };
  f.click_on_canvas(f.middle(time));
  f.click_on_canvas(title());
  CHECK(f.window.context().boxes.ids() == std::set<Id>{contact, bounce});
  f.shot("motion-group");
  const double x = f.node(contact).x, other = f.node(bounce).x, still = f.node(time).x;
  const int steps = f.steps();
  f.drag_on_canvas(title(), title() + QPointF(48, 0));
  CHECK(f.steps() == steps + 1);
  CHECK(f.node(contact).x > x + 20);
  CHECK(f.node(bounce).x - other == Approx(f.node(contact).x - x));
  CHECK(f.node(time).x == still);
  // Copies are a group of their own.
  f.canvas_key(Qt::Key_D, Qt::ControlModifier);
  CHECK(f.newest().group == "Comes down 2");
  f.canvas_key(Qt::Key_Delete);
  // A file keeps it; a name that is left empty changes nothing.
  const Result<Scene> again = scene_from_text(scene_to_text(f.scene()), {});
  REQUIRE(again.ok());
  CHECK(scene_to_text(again.value()) == scene_to_text(f.scene()));
  f.canvas_key(Qt::Key_Home);
  const QPointF there = title();
  f.mouse(f.view_of_canvas(), QEvent::MouseButtonDblClick, there, Qt::LeftButton, Qt::LeftButton);
  f.mouse(f.view_of_canvas(), QEvent::MouseButtonRelease, there, Qt::LeftButton, Qt::NoButton);
  name = f.canvas->findChild<QLineEdit*>("motion_group_name");
  REQUIRE(name);
  name->selectAll();
  QTest::keyClick(name, Qt::Key_Delete);
  QTest::keyClick(name, Qt::Key_Return);
  QTest::qWait(10);
  CHECK(f.node(contact).group == "Comes down");
  f.click_on_canvas(title());
  f.canvas_key(Qt::Key_G, Qt::ControlModifier | Qt::ShiftModifier);
  CHECK(f.node(contact).group.empty());
  CHECK(f.undo_text().starts_with("Ungroup "));
  back_and_forth(f, start);
}

TEST_CASE("Flow: what a box says is read as a sentence and edited below it", "[ui][flow][motion_graph]") {
  MotionFlow f;
  f.stage();
  auto* panel = f.window.findChild<MotionBoxPanel*>("motion_box_panel");
  REQUIRE(panel);
  const double w = f.canvas->viewport()->width(), h = f.canvas->viewport()->height();
  const Id contact = f.drag_from_palette(MotionRole::event, "contact", QPointF(0.2 * w, 0.4 * h));
  const std::string start = scene_to_text(f.scene());
  CHECK(panel->sentence().contains("ball"));
  CHECK(panel->sentence().contains("anything"));
  REQUIRE(panel->other());

  // "With" is bound by a click in the view: what was selected stays selected.
  Flow::click_in(panel->other()->button(), panel->other()->button()->rect().center());
  f.click(f.pixel(Vec3(1.5, 0.2, 0.5)));
  QTest::qWait(20);
  CHECK(f.node(contact).other == f.id("lane").value);
  const auto* hint = f.window.findChild<QLabel*>("status_hint");
  CHECK_FALSE(hint->text().startsWith("Click an object"));  // nothing is waited for any more
  CHECK(f.undo_text() == "\"Collision\" with lane");
  CHECK(f.selection().ids() == std::set<Id>{f.id("ball")});
  CHECK(panel->sentence().contains("lane"));
  // Esc gives up.
  Flow::click_in(panel->owner()->button(), panel->owner()->button()->rect().center());
  CHECK(f.selection().empty());
  QTest::keyClick(&f.view(), Qt::Key_Escape);
  CHECK(f.selection().ids() == std::set<Id>{f.id("ball")});
  CHECK(f.node(contact).object == f.id("ball").value);

  // A parameter of its kind, as a number and as an expression.
  const MotionKind& kind = *kind_of(f.node(contact));
  const ParameterRow* number = nullptr;
  for (const ParameterRow& row : kind.parameters)
    if (row.type == FieldType::number) number = &row;
  REQUIRE(number);
  REQUIRE(panel->field(number->name));
  type_number(number_of(panel->field(number->name)), "0.5");
  const MotionParameter* own = find_parameter(f.node(contact), number->name);
  REQUIRE(own);
  CHECK(own->number == 0.5);
  CHECK(panel->sentence().contains("0.5"));
  Flow::click_in(panel->expression_button(number->name), panel->expression_button(number->name)->rect().center());
  own = find_parameter(f.node(contact), number->name);
  REQUIRE(own);
  CHECK(own->word == "0.5");
  ExpressionEdit* words = panel->expression(number->name);
  REQUIRE(words->isVisible());
  words->edit()->selectAll();
  QTest::keyClicks(words->edit(), "2 * speed");
  QTest::keyClick(words->edit(), Qt::Key_Return);
  CHECK(find_parameter(f.node(contact), number->name)->word == "2 * speed");
  Flow::click_in(panel->expression_button(number->name), panel->expression_button(number->name)->rect().center());
  CHECK(find_parameter(f.node(contact), number->name)->word.empty());

  type_number(number_of(panel->field(number->name)), "= 3 * n");
  CHECK(find_parameter(f.node(contact), number->name)->word == "3 * n");
  CHECK(words->isVisible());
  Flow::click_in(panel->expression_button(number->name), panel->expression_button(number->name)->rect().center());
  CHECK(find_parameter(f.node(contact), number->name)->number == 0.5);

  // What cannot be read has a caret below, and is not taken.
  ExpressionEdit* condition = panel->condition();
  f.sight(condition);
  QTest::mouseClick(condition->edit(), Qt::LeftButton);
  QTest::keyClicks(condition->edit(), "speed > ");
  CHECK(condition->fault().contains("^"));
  QTest::keyClick(condition->edit(), Qt::Key_Return);
  CHECK(f.node(contact).condition.empty());
  f.shot("motion-caret");
  QTest::keyClicks(condition->edit(), "2");
  CHECK(condition->fault().isEmpty());
  QTest::keyClick(condition->edit(), Qt::Key_Return);
  CHECK(f.node(contact).condition == "speed > 2");
  CHECK(f.undo_text() == "Condition of \"Collision\"");
  f.shot("motion_box");
  f.view().setFocus();
  while (f.steps() > 1) f.key(Qt::Key_Z, Qt::ControlModifier);
  CHECK(scene_to_text(f.scene()) == start);
}

TEST_CASE("Flow: a box says of what class it is, and is processed as it is told", "[ui][flow][motion_graph]") {
  MotionFlow f;
  f.stage();
  auto* panel = f.window.findChild<MotionBoxPanel*>("motion_box_panel");
  auto* made = f.window.findChild<QLabel*>("motion_class");
  REQUIRE(made);
  const double w = f.canvas->viewport()->width(), h = f.canvas->viewport()->height();
  const Id thrown = f.drag_from_palette(MotionRole::procedure, "throw", QPointF(0.3 * w, 0.4 * h));
  CHECK(made->isVisible());
  CHECK(made->text() == "A free fall, gravity as it says; processed dynamically");
  // Its parents' parameters are there, and say from whom they are.
  REQUIRE(panel->field("gain"));
  bool from = false;
  for (const QLabel* label : panel->findChildren<QLabel*>()) from = from || label->toolTip().contains("From Gravity.");
  CHECK(from);
  auto* choice = panel->field("processing")->findChild<QComboBox*>();
  REQUIRE(choice);
  f.sight(choice);
  f.shot("motion_class");
  choice->setFocus();
  QTest::keyClick(choice, Qt::Key_Down);
  CHECK(find_parameter(f.node(thrown), "processing")->word == "geometrically");
  CHECK(made->text() == "A free fall, gravity as it says; processed geometrically");
  f.view().setFocus();
  f.key(Qt::Key_Z, Qt::ControlModifier);
  CHECK(find_parameter(f.node(thrown), "processing") == nullptr);
  CHECK(made->text().endsWith("dynamically"));
}

TEST_CASE("Flow: a box that does nothing is told of, and put right by a click", "[ui][flow][motion_graph]") {
  MotionFlow f;
  f.stage();
  const double w = f.canvas->viewport()->width(), h = f.canvas->viewport()->height();
  const Id time = f.drag_from_palette(MotionRole::event, "time", QPointF(0.2 * w, 0.4 * h));
  const Id thrown = f.drag_from_palette(MotionRole::procedure, "throw", QPointF(0.6 * w, 0.4 * h));
  CHECK_FALSE(f.canvas->box(thrown)->look().fault.isEmpty());
  const auto problem = [&] {
    for (const Problem& one : f.context().diagnostics.entries())
      if (one.source == Problem::Source::motion && one.object == thrown) return &one;
    return static_cast<const Problem*>(nullptr);
  };
  REQUIRE(problem());
  REQUIRE(!problem()->remedies.empty());
  // A click on the problem selects the box.
  f.click_on_canvas(f.middle(time));
  f.selection().set({thrown}, thrown);
  CHECK(f.canvas->box(thrown)->look().active);
  CHECK(f.selection().ids() == std::set<Id>{f.id("ball")});
  f.context().diagnostics.apply(problem()->remedies.front());
  CHECK(f.node(time).wires == std::vector<MotionWire>{{thrown.value, false}});
  CHECK(problem() == nullptr);
  CHECK(f.canvas->box(thrown)->look().fault.isEmpty());
}

TEST_CASE("Flow: a squash on what does not bend says so, and a click makes it flexible", "[ui][flow][motion_graph]") {
  MotionFlow f;
  f.stage();
  const double w = f.canvas->viewport()->width(), h = f.canvas->viewport()->height();
  const Id time = f.drag_from_palette(MotionRole::event, "time", QPointF(0.2 * w, 0.4 * h));
  const Id squash = f.drag_from_palette(MotionRole::procedure, "squash", QPointF(0.6 * w, 0.4 * h));
  f.drag_on_canvas(f.right(time), f.middle(squash));
  REQUIRE(f.node(time).wires == std::vector<MotionWire>{{squash.value, false}});
  f.selection().select_only(f.id("ball"));
  if (find_object(f.scene(), f.id("ball"))->body.kind == BodyKind::flexible) {
    QTest::keyClick(&f.window, Qt::Key_2, Qt::ControlModifier);
    QTest::qWait(5);
  }
  REQUIRE(find_object(f.scene(), f.id("ball"))->body.kind == BodyKind::rigid);
  const auto problem = [&] {
    for (const Problem& one : f.context().diagnostics.entries())
      if (one.source == Problem::Source::motion && one.object == squash) return &one;
    return static_cast<const Problem*>(nullptr);
  };
  REQUIRE(problem());
  CHECK(problem()->diagnostic.message == "\"ball\" does not bend, so \"Squash\" does nothing.");
  const int steps = f.steps();
  f.context().diagnostics.apply(problem()->remedies.front());
  CHECK(f.steps() == steps + 1);
  CHECK(f.undo_text() == "Make ball flexible");
  CHECK(find_object(f.scene(), f.id("ball"))->body.kind == BodyKind::flexible);
  CHECK(find_object(f.scene(), f.id("ball"))->analysis.kind != AnalysisKind::none);
  CHECK(problem() == nullptr);
  CHECK(f.canvas->box(squash)->look().fault.isEmpty());
  // What breaks or hangs on pins is not led either: each has its click.
  const auto changed = [&](void (*change)(Object&)) {
    REQUIRE(f.document().edit("Change", with_object(f.scene(), f.id("ball"), change)).ok());
    QTest::qWait(5);
  };
  changed([](Object& ball) { set_parameter(ball.body.parameters, {"lagrange", "breaks", {}, 0.3}); });
  REQUIRE(problem());
  CHECK(problem()->diagnostic.message == "\"ball\" can break, so \"Squash\" does nothing.");
  f.context().diagnostics.apply(problem()->remedies.front());
  CHECK(f.undo_text().starts_with("Let it not break: "));
  CHECK(problem() == nullptr);
  changed([](Object& ball) {
    StrungTruss strung;
    for (const Vec3& x : {Vec3(0, 0, 0), Vec3(0.3, 0, 0), Vec3(0, 0.3, 0), Vec3(0, 0, 0.3)}) {
      strung.nodes.emplace_back();
      strung.nodes.back().position = x;
    }
    for (std::uint32_t a = 0; a < 4; ++a)
      for (std::uint32_t b = a + 1; b < 4; ++b) strung.springs.push_back({a, b, 1, 1, 1});
    strung.nodes.front().pinned = true;
    ball.analysis.kind = AnalysisKind::strung;
    ball.analysis.strung = std::make_shared<const StrungTruss>(strung);
  });
  REQUIRE(problem());
  CHECK(problem()->diagnostic.message == "\"ball\" is held by pins, so \"Squash\" does nothing.");
  f.context().diagnostics.apply(problem()->remedies.front());
  CHECK(f.undo_text().starts_with("Take its pins away: "));
  CHECK_FALSE(find_object(f.scene(), f.id("ball"))->analysis.strung->nodes.front().pinned);
  CHECK(problem() == nullptr);
  changed([](Object& ball) { ball.body.solver = "shape_matching"; });
  CHECK(problem() == nullptr);
  REQUIRE(
      f.document().edit("Stretch", with_motion(f.scene(), squash, [](MotionNode& box) { box.kind = "stretch"; })).ok());
  QTest::qWait(5);
  REQUIRE(problem());
  CHECK(problem()->diagnostic.message == "The elastic model of \"ball\" takes no shape, so \"" +
                                             std::string(find_procedure_kind("stretch")->label) + "\" does nothing.");
  f.context().diagnostics.apply(problem()->remedies.front());
  CHECK(find_object(f.scene(), f.id("ball"))->body.solver == "lagrange");
  CHECK(problem() == nullptr);
  REQUIRE(wait_for([&] { return f.window.context().playback.status().phase == FillStatus::Phase::complete; }, 20000));
}

TEST_CASE("Flow: boxes light up while it plays, the log leads to its frames, and playing stops where it is told to",
          "[ui][flow][motion_graph]") {
  MotionFlow f;
  f.stage();
  const double w = f.canvas->viewport()->width(), h = f.canvas->viewport()->height();
  const Id contact = f.drag_from_palette(MotionRole::event, "contact", QPointF(0.2 * w, 0.4 * h));
  f.canvas_key(Qt::Key_L);
  const Id bounce = f.follow_in_empty(contact, QPointF(0.5 * w, 0.4 * h), "bounce");
  REQUIRE(complete(f.playback()));
  auto* log = f.window.findChild<MotionLogList*>("motion_log");
  REQUIRE(log);
  auto* side = f.window.findChild<QTabWidget*>("motion_side");
  REQUIRE(side);
  Flow::click_in(side->tabBar(), side->tabBar()->tabRect(1).center());
  REQUIRE(log->isVisible());
  REQUIRE(wait_for([&] { return log->count() > 0; }, 5000));
  CHECK(log->text(0).contains("ball"));
  CHECK(log->text(0).contains("lane"));
  CHECK(log->text(0).contains(" → "));
  const int frame = log->frame(0);
  CHECK(frame > 5);
  f.playback().set_frame(2);
  CHECK(f.canvas->box(contact)->look().lit);
  CHECK(f.canvas->box(contact)->look().count == 0);
  CHECK_FALSE(f.canvas->box(bounce)->look().running);
  // A click on a line goes to its frame: there the event has just happened, and the box is selected.
  f.click_on_canvas(f.middle(bounce));
  Flow::click_in(log->list()->viewport(), log->list()->visualRect(log->list()->model()->index(0, 0)).center());
  CHECK(f.playback().frame() == frame);
  CHECK(f.canvas->box(contact)->look().active);
  CHECK(f.canvas->box(contact)->look().flash == 1);
  CHECK(f.canvas->box(contact)->look().lit);  // a loop
  CHECK(f.canvas->box(bounce)->look().count == 1);
  f.shot("motion-log");

  // Stop here: from its menu, then play.
  f.playback().set_frame(0);
  QWidget* pane = f.view_of_canvas();
  f.mouse(pane, QEvent::MouseButtonPress, f.middle(contact), Qt::RightButton, Qt::RightButton);
  f.mouse(pane, QEvent::MouseButtonRelease, f.middle(contact), Qt::RightButton, Qt::NoButton);
  f.choose("motion_menu", "motion_stop");
  CHECK(f.canvas->box(contact)->look().stop);
  f.playback().play(true);
  REQUIRE(wait_for([&] { return !f.playback().playing(); }, 20000));
  CHECK(f.playback().frame() == frame);
}

TEST_CASE("Flow: the graph of the bowling scene fits into the canvas, and that of what is selected alone",
          "[ui][flow][motion_graph]") {
  MotionFlow f;
  f.stage();
  f.open(shipped("bowling.json"));
  f.tab("motion_graph");
  QTest::qWait(50);
  REQUIRE(f.scene().motion.size() > 5);
  const QRectF seen = f.canvas->mapToScene(f.canvas->viewport()->rect()).boundingRect();
  for (const auto& node : f.scene().motion) {
    const MotionBox* box = f.canvas->box(node->id);
    REQUIRE(box);
    CHECK(seen.contains(box->placed()));
    CHECK(box->look().fault.toStdString() == "");
    for (const MotionWire& wire : node->wires) CHECK(f.canvas->wire(node->id, Id{wire.to}));
    for (const auto& other : f.scene().motion)
      if (other->id < node->id) CHECK_FALSE(f.canvas->box(other->id)->placed().intersects(box->placed()));
  }
  f.shot("motion-bowling");
  const Id owner{f.scene().motion.front()->object};
  f.selection().select_only(owner);
  auto* only = f.window.findChild<QCheckBox*>("motion_only_selected");
  REQUIRE(only);
  Flow::click_in(only, QPoint(8, only->height() / 2));
  for (const auto& node : f.scene().motion)
    CHECK((f.canvas->box(node->id) != nullptr) == (node->object == owner.value));
  f.shot("motion-only");
}

TEST_CASE("Flow: arrows walk the list that has the focus, and go to no key and no frame meanwhile",
          "[ui][flow][motion_graph]") {
  MotionFlow f;
  f.stage();
  REQUIRE(wait_for([&] { return f.playback().cache().size() == 61; }, 20000));
  f.playback().set_frame(20);
  QTreeWidget* list = f.palette->list();
  QTreeWidgetItem* branch = list->topLevelItem(0);
  REQUIRE(branch);
  REQUIRE(branch->childCount() > 1);
  branch->setExpanded(true);
  list->scrollToItem(branch);
  Flow::click_in(list->viewport(), list->visualItemRect(branch->child(0)).center());
  list->setFocus();
  REQUIRE(list->currentItem() == branch->child(0));
  QTest::keyClick(list, Qt::Key_Down);
  CHECK(list->currentItem() == branch->child(1));
  QTest::keyClick(list, Qt::Key_Up);
  CHECK(list->currentItem() == branch->child(0));
  QTest::keyClick(list, Qt::Key_End);
  CHECK(list->currentItem() != branch->child(0));
  CHECK(f.playback().frame() == 20);
  // To the sides there is nothing: they step frames, as in the view.
  QTest::keyClick(list, Qt::Key_Right);
  CHECK(f.playback().frame() == 21);
}

}  // namespace flow_motion_test
