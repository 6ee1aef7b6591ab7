// Adjust Last Operation in the real window: by F9, by mouse and by typing, for every kind of operation; what ends it; that nothing on
// the panel reaches the view; random operations and numbers.
#include <random>

#include <QComboBox>
#include <QLabel>
#include <QMenu>
#include <QToolButton>
#include <QWheelEvent>

#include "tests/ui/flow_support.h"
#include "ui/editors/array_dialog.h"
#include "ui/model/last_operation.h"
#include "ui/model/variants.h"
#include "ui/modes/metaball_commands.h"
#include "ui/modes/mode.h"
#include "ui/modes/truss_commands.h"
#include "ui/tools/transform_gesture.h"
#include "ui/widgets/adjust_panel.h"
#include "ui/widgets/bubble.h"

namespace flow_adjust_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

struct Adjusting : Flow {
  Adjusting() {
    Flow::Window::open(ball_scene());
    view().setFocus();
  }
  AdjustPanel& panel() { return *window.adjust_panel(); }
  LastOperation& last() { return document().last_operation(); }
  QUndoStack& undo() { return *document().undo_stack(); }
  void f9() {
    view().setFocus();
    key(Qt::Key_F9);
    REQUIRE(panel().isVisible());
    REQUIRE(panel().is_open());
    QTest::qWait(10);
  }
  NumberField* number(const char* path, int component = -1) {
    INFO(path);
    FieldWidget* widget = panel().field(path);
    REQUIRE(widget);
    if (component < 0) return number_of(widget);
    return static_cast<VectorField*>(widget)->field(component);
  }
  void type(const char* path, const QString& text) { type_number(number(path), text); }
  void type(const char* path, int component, const QString& text) { type_number(number(path, component), text); }
  void add_box() {
    menu("Add", "add.box");
    view().setFocus();
  }
  Id ball() { return id_of(scene(), "Ball"); }
};

bool near(const Vec3& a, const Vec3& b) { return (a - b).norm() < 1e-9; }

}  // namespace

TEST_CASE("Flow: a box that was added gets another size and place, as the same undo step", "[ui][flow][adjust]") {
  Adjusting f;
  const std::string start = scene_to_text(f.scene());
  CHECK_FALSE(f.panel().isVisible());
  CHECK(f.action("edit.adjust")->statusTip() == "What was done last has no numbers to change.");
  f.add_box();
  REQUIRE(f.panel().isVisible());
  CHECK_FALSE(f.panel().is_open());  // only its title
  CHECK(f.panel().findChild<QToolButton*>("adjust_title")->text() == "Add Box");
  f.shot("adjust-folded");
  f.f9();
  CHECK(f.panel().isAncestorOf(QApplication::focusWidget()));
  f.type("display.primitive.size", 0, "2");
  f.type("display.primitive.divisions", 1, "7");
  f.type("transform.position", 2, "-1.5");
  CHECK(f.object("Box").display.primitive.size == Vec3(2, 1, 1));
  CHECK(f.object("Box").display.primitive.divisions[1] == 7);
  CHECK(f.object("Box").transform.position.z() == -1.5);
  CHECK_FALSE(f.panel().field("display.primitive.round_along"));  // of superquadrics only
  CHECK(f.undo().count() == 1);
  CHECK(f.undo().undoText() == "Add Box");
  f.shot("adjust");
  // A drag in a field, too.
  NumberField* size = f.number("display.primitive.size", 1);
  f.drag(size, size->rect().center(), size->rect().center() + QPoint(60, 0));
  CHECK(f.object("Box").display.primitive.size.y() > 1);
  CHECK(f.undo().count() == 1);
  // What cannot be is said at the field, and leaves the scene.
  const std::string before = scene_to_text(f.scene());
  f.type("display.primitive.size", 0, "0");
  CHECK(Bubble::shown_text().contains("Size"));
  CHECK(scene_to_text(f.scene()) == before);
  // Esc gives up typing, then folds; a click on the title opens again.
  QTest::mouseClick(size, Qt::LeftButton);
  QTest::keyClick(size->findChild<QWidget*>("number_edit"), Qt::Key_Escape);
  CHECK(f.panel().is_open());
  f.key(Qt::Key_Escape);
  CHECK_FALSE(f.panel().is_open());
  CHECK(f.view().hasFocus());
  QTest::mouseClick(f.panel().findChild<QToolButton*>("adjust_title"), Qt::LeftButton);
  CHECK(f.panel().is_open());
  (void)back_and_forth(f, start);
  CHECK_FALSE(f.panel().isVisible());  // it was undone
}

TEST_CASE("Flow: typed and dragged transforms are adjusted as vector, angle and axis, factors", "[ui][flow][adjust]") {
  Adjusting f;
  f.selection().select_only(f.ball());
  for (const Qt::Key key : {Qt::Key_G, Qt::Key_X, Qt::Key_2, Qt::Key_Return}) f.key(key);
  CHECK(near(f.object("Ball").transform.position, Vec3(2, 0.5, 0)));
  f.f9();
  CHECK(f.number("move", 0)->value() == 2);
  f.type("move", 0, "1");
  f.type("move", 1, "0.25");
  CHECK(near(f.object("Ball").transform.position, Vec3(1, 0.75, 0)));
  CHECK(f.undo().count() == 1);
  CHECK(f.undo().undoText() == "Move Ball");
  // Back to nothing leaves no step, and from there it goes on.
  f.type("move", 0, "0");
  f.type("move", 1, "0");
  CHECK(f.undo().count() == 0);
  REQUIRE(f.last().operation());
  f.type("move", 2, "3");
  CHECK(near(f.object("Ball").transform.position, Vec3(0, 0.5, 3)));
  CHECK(f.undo().count() == 1);

  f.view().setFocus();
  for (const Qt::Key key : {Qt::Key_R, Qt::Key_Z, Qt::Key_9, Qt::Key_0, Qt::Key_Return}) f.key(key);
  f.f9();
  CHECK(f.number("angle")->value() == 90);
  const auto turned = [&] { return Eigen::AngleAxisd(f.object("Ball").transform.rotation); };
  f.type("angle", "30");
  CHECK(turned().angle() == Approx(radians(30)).epsilon(1e-9));
  f.type("axis", 2, "0");
  CHECK(Bubble::shown_text().contains("axis"));
  CHECK(f.number("axis", 2)->value() == 1);  // the field tells the truth again
  f.type("axis", 1, "1");
  CHECK(near(turned().axis(), Vec3(0, 1, 1).normalized()));
  f.type("pivot", 0, "1");
  CHECK(f.object("Ball").transform.position.x() != 0);
  CHECK(f.undo().count() == 2);
  f.shot("adjust-rotate");

  f.view().setFocus();
  for (const Qt::Key key : {Qt::Key_S, Qt::Key_2, Qt::Key_Return}) f.key(key);
  f.f9();
  f.type("factors", 1, "3");
  const Vec3 scale = f.object("Ball").transform.scale;
  CHECK(scale.y() > scale.x());
  CHECK(f.undo().undoText() == "Scale Ball");
  CHECK(f.undo().count() == 3);

  // Dragged by the handle of x.
  f.Flow::Window::open(ball_scene());
  f.selection().select_only(f.ball());
  f.view().set_tool("move");
  f.view().setFocus();
  QTest::qWait(20);
  const QPointF middle = f.pixel(Vec3(0, 0.5, 0));
  f.drag(&f.view(), middle, middle + QPointF(80, 0));
  REQUIRE(f.undo().count() == 1);
  REQUIRE(f.panel().isVisible());
  f.f9();
  f.type("move", 0, "-1");
  CHECK(f.object("Ball").transform.position.x() == -1);
  CHECK(f.undo().count() == 1);
}

TEST_CASE("Flow: copies that were moved, pasted and arrayed are adjusted", "[ui][flow][adjust]") {
  Adjusting f;
  f.window.resize(1280, 720);
  const std::string start = scene_to_text(f.scene());
  f.selection().select_only(f.ball());
  f.move_to(QPointF(300, 300));
  f.view().setFocus();
  REQUIRE(f.view().duplicate_objects_and_move());
  for (const Qt::Key key : {Qt::Key_Z, Qt::Key_1, Qt::Key_Return}) f.key(key);
  CHECK(f.undo().undoText() == "Duplicate Ball");
  f.f9();
  CHECK(f.number("offset", 2)->value() == 1);
  f.type("offset", 0, "3");
  CHECK(near(f.object("Ball 2").transform.position, Vec3(3, 0.5, 1)));
  CHECK(f.undo().count() == 1);
  CHECK(f.selection().ids() == std::set<Id>{id_of(f.scene(), "Ball 2")});

  f.view().setFocus();
  f.key(Qt::Key_C, Qt::ControlModifier);
  f.key(Qt::Key_V, Qt::ControlModifier);
  f.f9();
  f.type("offset", 1, "2");
  CHECK(f.object("Ball 3").transform.position.y() == 2.5);
  CHECK(f.undo().undoText() == "Paste Ball 3");

  f.view().setFocus();
  f.menu("Object", "object.array");
  auto* dialog = f.window.findChild<ArrayDialog*>();
  REQUIRE(dialog);
  QTest::mouseClick(dialog->findChild<QPushButton*>("array_make"), Qt::LeftButton);
  REQUIRE(wait_for([&] { return !f.window.findChild<ArrayDialog*>(); }, 2000));
  f.window.activateWindow();
  QApplication::setActiveWindow(&f.window);
  QTest::qWait(20);
  f.f9();
  const std::size_t three = f.scene().objects.size();
  f.type("count", "6");
  CHECK(f.scene().objects.size() == three + 3);
  CHECK(f.selection().ids().size() == 6);
  f.type("count", "2");
  CHECK(f.scene().objects.size() == three - 1);
  CHECK(f.undo().count() == 3);
  f.shot("adjust-array");
  (void)back_and_forth(f, start);
}

TEST_CASE("Flow: a drop, connected nodes and a compared variant are adjusted", "[ui][flow][adjust]") {
  Adjusting f;
  const std::string start = scene_to_text(f.scene());
  REQUIRE(f.document().edit_object("Raise", f.ball(), [](Object& o) { o.transform.position.y() = 3; }).ok());
  f.selection().select_only(f.ball());
  f.view().setFocus();
  f.key(Qt::Key_End);
  REQUIRE(wait_for([&] { return f.undo().count() == 2; }, 10000));
  const double lies = f.object("Ball").transform.position.y();
  CHECK(lies < 1);
  f.f9();
  CHECK(f.number("height")->value() == 0);
  f.type("height", "0.75");
  CHECK(f.object("Ball").transform.position.y() == Approx(lies + 0.75).epsilon(1e-12));
  f.type("height", "0");
  CHECK(f.object("Ball").transform.position.y() == lies);
  CHECK(f.undo().count() == 2);
  CHECK(f.undo().undoText() == "Drop Ball to Floor");
  (void)back_and_forth(f, start);

  f.Flow::Window::open(ball_scene());
  f.selection().select_only(f.ball());
  f.action("object.set_flexible")->trigger();
  f.action("analysis.string")->trigger();
  REQUIRE(f.session.elements.enter(*find_mode("truss")).isEmpty());
  UiContext& context = f.window.context();
  const auto truss = [&] { return f.object("Ball").analysis.strung; };
  // A node without springs to two others, of which one is further away.
  const auto away = [&](std::uint32_t n) { return (truss()->nodes[n].position - truss()->nodes[0].position).norm(); };
  std::uint32_t furthest = 1, nearest = 1;
  for (std::uint32_t n = 2; n < truss()->nodes.size(); ++n) {
    if (away(n) > away(furthest)) furthest = n;
    if (away(n) < away(nearest)) nearest = n;
  }
  StrungTruss cut = *truss();
  for (const std::uint32_t n : {furthest, nearest}) cut = unstring_nodes(cut, 0, n).truss;
  cut = string_nodes(cut, furthest, nearest).truss;
  const std::size_t springs = cut.springs.size();
  const double longest = away(furthest);
  REQUIRE(away(nearest) < 0.99 * longest);
  REQUIRE(f.document()
              .edit_object("Cut", f.ball(),
                           [&](Object& o) { o.analysis.strung = std::make_shared<const StrungTruss>(cut); })
              .ok());
  f.session.elements.set({{0, 0}, {0, furthest}, {0, nearest}});
  connect_nodes(context);
  const std::size_t all = truss()->springs.size();
  CHECK(all == springs + 2);
  f.f9();
  CHECK(f.number("longest")->value() == Approx(longest).epsilon(1e-3));
  f.type("longest", QString::number(0.995 * longest));
  CHECK(truss()->springs.size() == all - 1);
  CHECK_FALSE(find_spring(*truss(), 0, furthest));
  CHECK(f.session.elements.elements().size() == 3);
  f.type("longest", "0");
  CHECK(Bubble::shown_text().contains("connected already"));
  CHECK(truss()->springs.size() == all - 1);
  f.session.elements.leave();

  duplicate_variant(context);
  compare_variants(context);
  const int steps = f.undo().count();
  const Id copy = f.scene().objects.back()->id;
  CHECK(f.selection().ids() == std::set<Id>{f.ball(), copy});
  f.f9();
  f.type("offset", 2, "2.5");
  CHECK(f.Flow::last().transform.position.z() - f.object("Ball").transform.position.z() == 2.5);
  CHECK(f.selection().ids() == std::set<Id>{f.ball(), copy});
  CHECK(f.undo().count() == steps);
  f.playback().play(false);
}

TEST_CASE("Flow: metaballs, their mirror images, the grid and divided springs are adjusted", "[ui][flow][adjust]") {
  Adjusting f;
  UiContext& context = f.window.context();
  REQUIRE(add_metaballs(context, MetaballStart::primitive));
  REQUIRE(add_metaballs(context, MetaballStart::primitive, MetaballKind::box));  // into the group
  f.f9();
  f.type("centre", 0, "0.4");
  f.type("weight", "1.5");
  CHECK(f.last().text().startsWith("Add "));
  const auto balls = [&] { return f.scene().objects.back()->display.metaballs.primitives; };
  CHECK(balls().back().centre.x() == 0.4);
  CHECK(balls().back().weight == 1.5);
  CHECK(f.undo().count() == 2);
  mirror_metaballs(context, 0);
  f.f9();
  f.type("plane", "1.03");
  CHECK(balls().size() == 3);
  CHECK(balls().back().centre.x() == Approx(1.66).epsilon(1e-12));
  snap_metaballs(context);
  f.f9();
  f.type("step", "0.5");
  CHECK(balls().back().centre.x() == Approx(1.5).epsilon(1e-12));
  f.session.elements.leave();

  Scene with_box = ball_scene();
  f.Flow::Window::open(with_box);
  f.selection().select_only(f.ball());
  f.action("object.set_flexible")->trigger();
  f.action("analysis.string")->trigger();
  REQUIRE(f.session.elements.enter(*find_mode("truss")).isEmpty());
  const auto truss = [&] { return f.object("Ball").analysis.strung; };
  const std::size_t nodes = truss()->nodes.size();
  f.session.elements.set({{1, 0}});
  divide_selected_springs(context, 2);
  CHECK(truss()->nodes.size() == nodes + 1);
  f.f9();
  f.type("parts", "5");
  CHECK(truss()->nodes.size() == nodes + 4);
  CHECK(f.session.elements.elements().size() == 4);
  const int steps = f.undo().count();
  f.view().setFocus();
  f.key(Qt::Key_Z, Qt::ControlModifier);
  CHECK(truss()->nodes.size() == nodes);
  CHECK(f.undo().index() == steps - 1);
}

TEST_CASE("Flow: the panel goes with another edit, undo and another scene, and stays when the scene is saved",
          "[ui][flow][adjust]") {
  Adjusting f;
  QTemporaryDir folder;
  f.add_box();
  f.action("object.set_fixed")->trigger();
  CHECK_FALSE(f.panel().isVisible());
  f.add_box();
  f.key(Qt::Key_Z, Qt::ControlModifier);
  CHECK_FALSE(f.panel().isVisible());
  f.key(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
  CHECK_FALSE(f.panel().isVisible());
  f.add_box();
  CHECK(f.panel().isVisible());
  f.window.new_scene();
  CHECK_FALSE(f.panel().isVisible());
  CHECK_FALSE(f.action("edit.adjust")->isEnabled());
  // Saved in between: still one step, and the file is no longer what is open.
  f.add_box();
  REQUIRE(f.window.save_to(folder.filePath("saved.json")));
  CHECK(f.panel().isVisible());
  CHECK_FALSE(f.document().modified());
  f.f9();
  f.type("display.primitive.size", 0, "3");
  CHECK(f.document().modified());
  CHECK(f.undo().count() == 1);
  f.view().setFocus();
  f.key(Qt::Key_Z, Qt::ControlModifier);
  CHECK(id_of(f.scene(), "Box") == Id{});
  CHECK(f.document().modified());
  // A gesture that runs hides it.
  f.add_box();
  f.key(Qt::Key_G);
  REQUIRE(f.view().gesture());
  CHECK_FALSE(f.panel().isVisible());
  f.key(Qt::Key_Escape);
}

TEST_CASE("Flow: what happens on the panel does not reach the view, and the view keeps its mouse beside it",
          "[ui][flow][adjust]") {
  Adjusting f;
  f.add_box();
  f.f9();
  f.selection().clear();
  REQUIRE(f.panel().isVisible());  // to select is no edit
  const ViewCamera before = std::as_const(f.view()).camera();
  for (QWidget* at : {static_cast<QWidget*>(&f.panel()), f.panel().findChild<QWidget*>("adjust_title")}) {
    const QPointF place = at == &f.panel() ? QPointF(2, f.panel().height() - 3) : QPointF(at->rect().center());
    QWheelEvent wheel(place, at->mapToGlobal(place), {}, QPoint(0, 240), Qt::NoButton, {}, Qt::NoScrollPhase, false);
    QApplication::sendEvent(at, &wheel);
    f.mouse(at, QEvent::MouseButtonPress, place, Qt::MiddleButton, Qt::MiddleButton);
    f.mouse(at, QEvent::MouseMove, place + QPointF(40, 30), Qt::NoButton, Qt::MiddleButton);
    f.mouse(at, QEvent::MouseButtonRelease, place + QPointF(40, 30), Qt::MiddleButton, Qt::NoButton);
  }
  const ViewCamera& after = std::as_const(f.view()).camera();
  CHECK(after.distance == before.distance);
  CHECK(after.yaw == before.yaw);
  CHECK(f.undo().count() == 1);
  // It is small: at 1280x720 folded as well as open it leaves the view its middle.
  f.window.resize(1280, 720);
  QTest::qWait(30);
  CHECK(f.panel().width() < f.view().width() / 2);
  CHECK_FALSE(f.panel().geometry().contains(f.view().rect().center()));
  CHECK(f.view().rect().contains(f.panel().geometry()));
  // Tab goes from field to field, though the mouse is over the view.
  f.move_to(f.view().rect().center());
  f.f9();
  QWidget* first = QApplication::focusWidget();
  f.key(Qt::Key_Tab);
  CHECK(QApplication::focusWidget() != first);
  CHECK(f.panel().isAncestorOf(QApplication::focusWidget()));
  CHECK_FALSE(f.session.elements.mode());
}

TEST_CASE("Flow: adjusted while frames are computed, the run is that of the new numbers", "[ui][flow][adjust]") {
  Adjusting f;
  f.selection().select_only(f.ball());
  for (const Qt::Key key : {Qt::Key_G, Qt::Key_Y, Qt::Key_1, Qt::Key_Return}) f.key(key);
  f.f9();
  for (const char* height : {"2", "0.5", "1.5"}) {
    f.type("move", 1, height);
    QTest::qWait(15);
  }
  REQUIRE(complete(f.playback()));
  CHECK(f.undo().count() == 1);
  const FramePtr end = f.playback().cache().frame(40);
  Session fresh(1);
  fresh.document.reset(f.scene(), {});
  REQUIRE(complete(fresh.playback));
  const FramePtr again = fresh.playback.cache().frame(40);
  REQUIRE(end);
  REQUIRE(again);
  CHECK(end->state_hash == again->state_hash);
}

TEST_CASE("Random operations with random numbers: always one step, taken back to the byte", "[ui][adjust]") {
  Session session(1);
  DocumentController& document = session.document;
  LastOperation& last = document.last_operation();
  int adjusted = 0, refused = 0;
  for (unsigned seed = 1; seed <= 12; ++seed) {
    INFO("seed " << seed);
    std::mt19937 random(seed);
    const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    const auto number = [&] { return std::uniform_real_distribution<double>(-3, 3)(random); };
    document.reset(ball_scene(), {});
    session.selection.select_only(id_of(document.scene(), "Ball"));
    for (int step = 0; step < 10; ++step) {
      const std::string before = scene_to_text(document.scene());
      const int count = document.undo_stack()->index();
      const int what = below(5);
      if (what == 0) (void)add_primitive(document, session.selection, static_cast<PrimitiveShape>(below(14)));
      if (what == 1) (void)add_light(document, session.selection, LightKind::directional);
      if (what == 2) (void)duplicate_selected(document, session.selection);
      if (what >= 3) {
        GestureStart start;
        start.target =
            std::make_shared<ObjectsTarget>(document.snapshot(), session.selection.ids(), session.selection.active());
        if (start.target->empty()) continue;
        start.mode = what == 3 ? TransformMode::move : TransformMode::rotate;
        TransformGesture gesture(document, std::move(start));
        for (const int key : {static_cast<int>(Qt::Key_Y), static_cast<int>(Qt::Key_1)}) (void)gesture.key(key, {});
        last.take(gesture.operation(), gesture.edit_key());
      }
      if (document.undo_stack()->index() == count) continue;
      REQUIRE(last.operation());
      const QString text = document.undo_stack()->undoText();
      for (int change = 0; change < 6; ++change) {
        const auto row = static_cast<std::size_t>(below(static_cast<int>(last.operation()->row_count())));
        const FieldSpec spec = last.operation()->spec(row);
        FieldValue value = last.operation()->value(row);
        if (auto* v = std::get_if<Vec3>(&value)) (*v)[below(3)] = number();
        if (auto* x = std::get_if<double>(&value)) *x = number();
        if (auto* n = std::get_if<std::array<int, 3>>(&value)) (*n)[static_cast<std::size_t>(below(3))] = 1 + below(6);
        if (auto* q = std::get_if<Quat>(&value)) *q = Quat(number(), number(), number(), number()).normalized();
        if (!spec.problem(value).isEmpty()) continue;  // the field would not give it
        const std::string was = scene_to_text(document.scene());
        const QString no = last.adjust(row, value);
        ++(no.isEmpty() ? adjusted : refused);
        if (!no.isEmpty()) CHECK(scene_to_text(document.scene()) == was);
        REQUIRE(last.operation());
        REQUIRE(document.undo_stack()->count() <= count + 1);
      }
      const std::string after = scene_to_text(document.scene());
      if (document.undo_stack()->index() == count + 1) {
        CHECK(document.undo_stack()->undoText() == text);
        document.undo_stack()->undo();
        CHECK(scene_to_text(document.scene()) == before);
        CHECK_FALSE(last.operation());
        document.undo_stack()->redo();
        CHECK(scene_to_text(document.scene()) == after);
      } else {
        CHECK(after == before);  // it was adjusted to nothing
      }
    }
  }
  CHECK(adjusted > 200);
  INFO(adjusted << " adjusted, " << refused << " refused");
}

}  // namespace flow_adjust_test
