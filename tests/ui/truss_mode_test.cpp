// Truss mode by mouse and keys: what is clicked is selected, what is strung, cut, moved and painted is one undo step each.
#include <QMenu>
#include <QWheelEvent>

#include "core/geometry/truss/select.h"
#include "core/geometry/truss/values.h"
#include "tests/ui/truss_support.h"
#include "ui/modes/truss_look.h"

namespace truss_mode_test {

using namespace hazumi;
using namespace hazumi::test;

TEST_CASE("Truss mode: a catalogue truss is refused with the reason, and one click turns it into one by hand",
          "[ui][truss]") {
  Flow f;
  Scene scene = ball_scene();
  const Id id = scene.objects.back()->id;
  f.Window::open(scene);
  f.selection().select_only(id);
  const ModeInfo* mode = find_mode("truss");
  REQUIRE(mode);
  const auto now = [&]() -> const Object& { return *find_object(f.scene(), id); };
  CHECK(mode->why_not(now()).contains("no analysis model"));
  CHECK(mode->remedy(now()) == "Fit a truss and string it by hand");
  REQUIRE(f.document()
              .edit_object("Truss", id, [&](Object& o) { o.analysis = fitting_analysis(o, f.document().meshes()); })
              .ok());
  CHECK(mode->why_not(now()).contains("catalogue"));
  const Truss before = object_truss(now(), DisplayMesh{});

  QToolButton* button = f.view().mode_bar()->button(mode);
  QTest::mouseClick(button, Qt::LeftButton);
  auto* menu = f.view().mode_bar()->findChild<QMenu*>("mode_remedy");
  REQUIRE(menu);
  REQUIRE(wait_for([&] { return menu->isVisible(); }, 2000));
  QAction* remedy = menu->actions().back();
  CHECK(remedy->text() == "Turn into a hand-strung truss");
  Flow::click_in(menu, menu->actionGeometry(remedy).center());
  REQUIRE(wait_for([&] { return now().analysis.kind == AnalysisKind::strung; }, 2000));
  CHECK(f->context().elements.in("truss"));
  // The same truss to the last bit: the motion does not change.
  const Truss after = object_truss(now(), DisplayMesh{});
  CHECK(after.nodes == before.nodes);
  REQUIRE(after.springs.size() == before.springs.size());
  for (std::size_t i = 0; i < after.masses.size(); ++i)
    CHECK(after.masses[i] == Approx(before.masses[i]).epsilon(1e-14));
  f.document().undo_stack()->undo();
  CHECK(now().analysis.kind == AnalysisKind::icosahedron);
  CHECK_FALSE(f->context().elements.mode());
}

TEST_CASE("Truss mode: click, Shift, box, all, invert, ring, grow and shrink select", "[ui][truss]") {
  TrussFlow f({2, 2, 2});
  const std::string text = scene_to_text(f.scene());
  const std::uint32_t corner = f.node_at(Vec3(0.5, 0.5, 0.5)), next = f.node_at(Vec3(0, 0.5, 0.5));
  f.click(f.pixel_of_node(corner));
  CHECK(f.elements().elements() == Elements{{0, corner}});
  f.click(f.pixel_of_node(next), Qt::ShiftModifier);
  CHECK(f.elements().numbers(0) == std::set<std::uint32_t>{corner, next});
  const auto between = find_spring(f.truss(), corner, next);
  REQUIRE(between);
  // The gizmo of the two nodes stands in the middle of the spring: without a selection there is none.
  f.elements().clear();
  QTest::qWait(20);
  f.click(f.middle_of(corner, next));
  CHECK(f.elements().elements() == Elements{{1, *between}});

  f.click(f.middle_of(corner, next), Qt::AltModifier);
  const SpringLoop loop = spring_loop(f.truss(), *between);
  CHECK(loop.springs.size() > 1);
  CHECK(f.elements().elements() == as_elements({}, loop.springs));

  f.click(f.pixel_of_node(corner));
  f.press_key(Qt::Key_Plus, Qt::ControlModifier);
  const NodeSelection grown = grow_selection(f.truss(), {corner});
  CHECK(grown.size() > 1);
  CHECK(f.elements().elements() == as_elements(grown));
  f.press_key(Qt::Key_Minus, Qt::ControlModifier);
  CHECK(f.elements().elements() == as_elements(shrink_selection(f.truss(), grown)));

  f.press_key(Qt::Key_A);
  CHECK(f.elements().elements().size() == f.truss().nodes.size() + f.truss().springs.size());
  f.press_key(Qt::Key_A, Qt::AltModifier);
  CHECK(f.elements().empty());
  f.click(f.pixel_of_node(corner));
  f.press_key(Qt::Key_I, Qt::ControlModifier);
  CHECK(f.elements().elements().size() == f.truss().nodes.size() + f.truss().springs.size() - 1);
  f.press_key(Qt::Key_W);  // the select tool: dragging draws a box
  f.drag(&f.view(), QPointF(60, f.view().height() - 30), QPointF(f.view().width() - 20, 60));
  CHECK(f.elements().elements().size() == f.truss().nodes.size() + f.truss().springs.size());
  CHECK(scene_to_text(f.scene()) == text);
  CHECK(f.steps() == 0);
}

TEST_CASE("Truss mode: pin, move, symmetric move, connect, merge and delete are one step each", "[ui][truss]") {
  TrussFlow f;
  const std::uint32_t a = f.node_at(Vec3(0.5, 0.5, 0.5)), b = f.node_at(Vec3(-0.5, 0.5, 0.5));
  f.click(f.pixel_of_node(a));
  f.press_key(Qt::Key_P);
  CHECK(f.truss().nodes[a].pinned);
  CHECK(f.steps() == 1);
  CHECK(f.elements().contains({0, a}));
  f.press_key(Qt::Key_P);
  CHECK_FALSE(f.truss().nodes[a].pinned);

  // G Y and a number; with the symmetry across x the partner follows.
  QTest::mouseClick(f.view().mode_bar()->command("truss.symmetry_x"), Qt::LeftButton);
  CHECK(f.elements().mirror() == 0);
  f.move_to(f.pixel_of_node(a));
  for (Qt::Key key : {Qt::Key_G, Qt::Key_X, Qt::Key_Period, Qt::Key_2, Qt::Key_5, Qt::Key_Return}) f.key(key);
  CHECK(f.truss().nodes[a].position.isApprox(Vec3(0.75, 0.5, 0.5), 1e-12));
  CHECK(f.truss().nodes[b].position.isApprox(Vec3(-0.75, 0.5, 0.5), 1e-12));
  CHECK(f.steps() == 3);
  QTest::mouseClick(f.view().mode_bar()->command("truss.symmetry_x"), Qt::LeftButton);
  CHECK(f.elements().mirror() == -1);

  // A spring is deleted, and its nodes are connected again.
  const auto spring = find_spring(f.truss(), a, b);
  REQUIRE(spring);
  const std::size_t springs = f.truss().springs.size();
  f.elements().select_only({1, *spring});
  f.press_key(Qt::Key_X);
  CHECK_FALSE(find_spring(f.truss(), a, b));
  CHECK(f.truss().springs.size() == springs - 1);
  f.elements().set({{0, a}, {0, b}});
  f.press_key(Qt::Key_F);
  CHECK(find_spring(f.truss(), a, b));
  CHECK(f.steps() == 5);
  f.press_key(Qt::Key_M);
  CHECK(f.truss().nodes.size() == 7);
  CHECK(f.elements().numbers(0).size() == 1);
  f.press_key(Qt::Key_X);
  CHECK(f.truss().nodes.size() == 6);
  CHECK(f.elements().empty());

  // Everything: refused with a sentence, nothing changes.
  QString said;
  QObject::connect(&f.document(), &DocumentController::refused, &f.view(), [&](const QString& text) { said = text; });
  f.press_key(Qt::Key_A);
  f.press_key(Qt::Key_X);
  CHECK(f.truss().nodes.size() == 6);
  CHECK(said.contains("at least 2 nodes"));
  CHECK(f.steps() == 7);
  while (f.steps() > 0) f.document().undo_stack()->undo();
  CHECK(f.truss().nodes.size() == 8);
}

TEST_CASE("Truss mode: nodes are added by click, springs strung and cut by dragging", "[ui][truss]") {
  TrussFlow f;
  const std::uint32_t a = f.node_at(Vec3(0.5, 0.5, 0.5)), b = f.node_at(Vec3(-0.5, 0.5, 0.5));
  f.press_key(Qt::Key_N);
  CHECK(f.view().mode_tool() == "truss.add_nodes");
  // In the middle of the front face: on the surface.
  const Vec3 wanted(0.1, 0.1, 0.5);
  f.elements().select_only({0, a});
  f.click(f.pixel(ObjectSpace(f.box()).world(wanted)), Qt::ShiftModifier);
  REQUIRE(f.truss().nodes.size() == 9);
  CHECK((f.truss().nodes[8].position - wanted).norm() < 2e-7);
  CHECK(find_spring(f.truss(), a, 8));
  CHECK(f.steps() == 1);
  CHECK(f.elements().elements() == Elements{{0, 8}});

  f.press_key(Qt::Key_J);
  f.drag(&f.view(), f.pixel_of_node(8), f.pixel_of_node(b));
  CHECK(find_spring(f.truss(), b, 8));
  CHECK(f.steps() == 2);

  f.press_key(Qt::Key_K);
  const QPointF middle = f.middle_of(b, 8);
  const std::size_t springs = f.truss().springs.size();
  f.drag(&f.view(), middle + QPointF(-3, -14), middle + QPointF(3, 14));
  CHECK(f.truss().springs.size() < springs);
  CHECK_FALSE(find_spring(f.truss(), b, 8));
  CHECK(f.steps() == 3);
  f.press_key(Qt::Key_Escape);
  CHECK(f.view().mode_tool().isEmpty());
  CHECK(f.elements().in("truss"));
  f.press_key(Qt::Key_Escape);
  CHECK_FALSE(f.elements().mode());
}

TEST_CASE("Truss mode: a stroke of the brush is one step, and a wheel notch makes the circle larger", "[ui][truss]") {
  TrussFlow f({3, 3, 3});
  f.press_key(Qt::Key_B);
  TrussOptions& options = TrussOptions::of(f.elements());
  CHECK(options.painting());
  const double radius = options.brush().radius;
  const QPointF place = f.pixel(ObjectSpace(f.box()).world(Vec3(0.3, 0.3, 0.5)));
  f.move_to(place);
  QWheelEvent wheel(place, f.view().mapToGlobal(place), {}, QPoint(0, 120), Qt::NoButton, {}, Qt::NoScrollPhase, false);
  QApplication::sendEvent(&f.view(), &wheel);
  CHECK(options.brush().radius == Approx(1.12 * radius));

  f.drag(&f.view(), place, f.pixel(ObjectSpace(f.box()).world(Vec3(-0.3, 0.3, 0.5))));
  CHECK(f.steps() == 1);
  double near = 0, far = 0;
  for (const StrungSpring& s : f.truss().springs) {
    const double z = std::max(f.truss().nodes[s.a].position.z(), f.truss().nodes[s.b].position.z());
    (z > 0.4 ? near : far) = std::max(z > 0.4 ? near : far, s.stiffness);
  }
  CHECK(near > 1.2);
  CHECK(far == 1);  // the brush reaches less deep than the first layer
  f.document().undo_stack()->undo();
  for (const StrungSpring& s : f.truss().springs) CHECK(s.stiffness == 1);
  f.press_key(Qt::Key_Escape);
  CHECK_FALSE(options.painting());
}

TEST_CASE("Truss mode: factors have colours the same distance from one in both directions", "[ui][truss]") {
  const FactorScale scale = FactorScale::of({1, 0.5, 4});
  CHECK(scale.bound == 4);
  CHECK(FactorScale::of({1, 1}).bound == 2);
  CHECK(FactorScale::of({0.125, 0}).bound == 8);
  const auto distance = [&](double f) { return glm::length(glm::vec3(scale.colour(f)) - glm::vec3(scale.colour(1))); };
  CHECK(distance(4) > distance(2));
  CHECK(distance(2) > 0.2f);
  CHECK(scale.colour(100) == scale.colour(4));
  CHECK(scale.colour(0) == scale.colour(0.25));
  CHECK(scale.colour(0.25) != scale.colour(4));
}

TEST_CASE("Truss mode: springs are divided by key, by button and in as many parts as one says; one step each",
          "[ui][truss]") {
  TrussFlow f;
  const std::string text = scene_to_text(f.scene());
  const std::uint32_t a = f.node_at(Vec3(0.5, 0.5, 0.5)), b = f.node_at(Vec3(-0.5, 0.5, 0.5));
  QToolButton* button = f.view().mode_bar()->command("truss.divide_2");
  REQUIRE(button);
  CHECK_FALSE(button->isEnabled());
  CHECK(button->toolTip().contains("Select a spring"));
  TrussTotals totals = totals_of(f.box(), 1);
  const double stiff = spring_stiffness(f.truss(), *find_spring(f.truss(), a, b), totals);

  // Two nodes mean the spring between them; the new node is selected and can be moved at once.
  f.click(f.pixel_of_node(a));
  f.click(f.pixel_of_node(b), Qt::ShiftModifier);
  CHECK(button->isEnabled());
  f.press_key(Qt::Key_D);
  CHECK(f.steps() == 1);
  CHECK(f.document().undo_stack()->undoText() == "Divide a spring of Box");
  const std::uint32_t middle = f.node_at(Vec3(0, 0.5, 0.5));
  CHECK(f.elements().elements() == Elements{{0, middle}});
  CHECK_FALSE(find_spring(f.truss(), a, b));
  for (std::uint32_t end : {a, b}) {
    REQUIRE(find_spring(f.truss(), end, middle));
    CHECK(spring_stiffness(f.truss(), *find_spring(f.truss(), end, middle), totals) == Approx(2 * stiff));
  }
  double mass = 0;
  for (const StrungNode& node : f.truss().nodes) mass += node.mass;
  CHECK(mass == Approx(8));
  f.press_key(Qt::Key_Z, Qt::ControlModifier);
  CHECK(scene_to_text(f.scene()) == text);
  CHECK(f.elements().numbers(0) == std::set<std::uint32_t>{a, b});

  // On both sides with symmetric editing, by the button.
  f.elements().set_mirror(2);
  f.elements().select_only({1, *find_spring(f.truss(), a, b)});
  QTest::mouseClick(button, Qt::LeftButton);
  CHECK(f.truss().nodes.size() == 10);
  CHECK(f.node_at(Vec3(0, 0.5, -0.5)) != kNoNode);
  f.press_key(Qt::Key_Z, Qt::ControlModifier);
  f.elements().set_mirror(-1);

  // In five, asked for.
  f.elements().select_only({1, *find_spring(f.truss(), a, b)});
  auto* timer = new QTimer(qApp);
  QObject::connect(timer, &QTimer::timeout, timer, [timer] {
    auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget());
    if (!dialog) return;
    timer->stop();
    timer->deleteLater();
    QTest::keyClick(dialog->findChild<QLineEdit*>(), Qt::Key_Return);
  });
  timer->start(20);
  f.press_key(Qt::Key_D, Qt::AltModifier);
  REQUIRE(f.document().undo_stack()->undoText() == "Divide a spring of Box");
  CHECK(f.elements().numbers(0).size() == 4);
  CHECK(f.truss().nodes.size() == 12);
  f.document().undo_stack()->undo();
  CHECK(scene_to_text(f.scene()) == text);
}

}  // namespace truss_mode_test
