// Points 2 and 3 of the foundation on the real window: a scene is made, analysed, moved and taken apart by mouse and keys.
#include <QLabel>
#include <QSlider>
#include <QToolButton>

#include "core/scene/values/materials.h"
#include "tests/render/golden.h"
#include "tests/ui/flow_support.h"
#include "ui/tools/gizmo.h"
#include "ui/viewport/canvas.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/segments.h"
#include "ui/widgets/swatch_grid.h"
#include "ui/widgets/vibration_plot.h"

namespace flow_model_test {

using namespace hazumi;
using namespace hazumi::test;

TEST_CASE("Flow: a scene is modelled, analysed, moved and taken back by mouse and keys", "[ui][flow]") {
  Flow f;
  const std::string empty = scene_to_text(f.scene());
  const std::size_t start = f.scene().objects.size();

  f.menu("Add", "add.sphere");
  REQUIRE(f.scene().objects.size() == start + 1);
  const Id ball = f.last().id;
  const auto now = [&]() -> const Object& { return *find_object(f.scene(), ball); };
  f.menu("View", "view.frame_all");
  f.click(QPointF(60, f.view().height() - 12));  // beside everything that can be clicked
  CHECK(f.selection().empty());
  f.click(f.pixel(now().transform.position));
  REQUIRE(f.selection().active() == ball);

  AnalysisPanel& analysis = f.analysis();
  QTest::mouseClick(f.sight(analysis.bodies()->button(static_cast<int>(BodyKind::flexible))), Qt::LeftButton);
  INFO(f->messages()->text().toStdString());
  REQUIRE(now().body.kind == BodyKind::flexible);
  QTest::mouseClick(f.sight(analysis.kinds()->button(static_cast<int>(AnalysisKind::octahedron))), Qt::LeftButton);
  CHECK(now().analysis.kind == AnalysisKind::octahedron);
  QTest::mouseClick(f.sight(analysis.kinds()->button(static_cast<int>(AnalysisKind::icosahedron))), Qt::LeftButton);
  CHECK(now().analysis.kind == AnalysisKind::icosahedron);
  REQUIRE(wait_for([&] { return analysis.plot()->vibration().has_value(); }));
  QSlider* softness = f.sight(analysis.softness());
  const double stiffness = now().body.stiffness, lambda = analysis.plot()->vibration()->lambda;
  const int steps = f.document().undo_stack()->index();
  f.drag(softness, QPointF(softness->width() * 0.5, softness->height() / 2.0),
         QPointF(softness->width() * 0.7, softness->height() / 2.0));
  CHECK(now().body.stiffness != stiffness);
  CHECK(wait_for([&] { return analysis.plot()->vibration()->lambda != lambda; }));  // the plot follows
  CHECK(analysis.words()->text().contains("Hz"));
  CHECK(f.document().undo_stack()->index() == steps + 1);  // one drag, one step
  f.sight(analysis.words());
  f.shot("analysis-vibration", f->findChild<QDockWidget*>("analysis"));

  MaterialPanel& material = f.material();
  REQUIRE(material.presets()->entries().size() >= 29);
  QString preset;
  for (const SwatchGrid::Entry& entry : material.presets()->entries())
    if (entry.text.compare("gold", Qt::CaseInsensitive) == 0) preset = entry.key;
  INFO(material.presets()->entries().front().key.toStdString()
       << " " << material.presets()->entries().front().text.toStdString());
  REQUIRE_FALSE(material.presets()->entry_rect(preset).isEmpty());
  f.sight(material.presets());
  QTest::mouseClick(material.presets(), Qt::LeftButton, {}, material.presets()->entry_rect(preset).center());
  CHECK(now().material.preset == "gold");
  CHECK(now().material.surface.diffuse.x() > now().material.surface.diffuse.z());
  f.shot("material", f->findChild<QDockWidget*>("material"));

  // The arrow of the move gizmo along x.
  f.view().setFocus();
  f.key(Qt::Key_W, Qt::ShiftModifier);
  QTest::qWait(20);
  const Transform before = now().transform;
  bool dragged = false;
  for (const GizmoHandle& handle : f.view().gizmo()) {
    if (handle.constraint.kind != TransformConstraint::Kind::axis || handle.constraint.axis != 0 ||
        handle.strength < 0.5)
      continue;
    const QPointF from = grab_point(handle);
    f.drag(&f.view(), from, from + QPointF(70, 20));
    dragged = now().transform.position.x() != before.position.x();
    if (dragged) break;
  }
  CHECK(dragged);
  CHECK(now().transform.position.y() == before.position.y());
  CHECK(now().transform.position.z() == before.position.z());

  // G X and a number.
  f.key(Qt::Key_Home);
  const double x = now().transform.position.x();
  f.move_to(f.pixel(now().transform.position));
  f.key(Qt::Key_G);
  f.key(Qt::Key_X);
  for (Qt::Key k : {Qt::Key_1, Qt::Key_Period, Qt::Key_5}) f.key(k);
  f.key(Qt::Key_Return);
  CHECK(now().transform.position.x() == Approx(x + 1.5).epsilon(1e-12));
  f.key(Qt::Key_R);
  f.key(Qt::Key_Z);
  for (Qt::Key k : {Qt::Key_3, Qt::Key_0}) f.key(k);
  f.key(Qt::Key_Return);
  CHECK(Eigen::AngleAxisd(now().transform.rotation).angle() == Approx(kPi / 6));
  f.key(Qt::Key_S);
  f.key(Qt::Key_2);
  f.key(Qt::Key_Return);
  CHECK(now().transform.scale.isApprox(2 * before.scale, 1e-9));

  // Duplicate, rename, hide.
  f.key(Qt::Key_D, Qt::ShiftModifier);
  REQUIRE(f.scene().objects.size() == start + 2);
  const Id copy = f.selection().active();
  CHECK(copy != ball);
  CHECK(f.view().gesture() != nullptr);  // the copy follows the mouse
  f.key(Qt::Key_Return);
  f.key(Qt::Key_F2);
  auto* name = f->findChild<QLineEdit*>("rename_field");
  REQUIRE(name);
  QTest::keyClicks(name, "Bouncer");
  QTest::keyClick(name, Qt::Key_Return);
  CHECK(find_object(f.scene(), copy)->name == "Bouncer");
  f.view().setFocus();
  f.key(Qt::Key_H);
  CHECK_FALSE(find_object(f.scene(), copy)->visible);
  f.key(Qt::Key_H, Qt::AltModifier);
  CHECK(find_object(f.scene(), copy)->visible);

  // A box around everything, then delete.
  f.key(Qt::Key_Home);
  f.key(Qt::Key_W);
  f.click(QPointF(60, f.view().height() - 12));
  CHECK(f.selection().empty());
  f.drag(&f.view(), QPointF(50, f.view().height() - 8), QPointF(f.view().width() - 8, 60));
  CHECK(f.selection().contains(ball));
  CHECK(f.selection().contains(copy));
  const std::string full = scene_to_text(f.scene());
  f.key(Qt::Key_X);
  CHECK_FALSE(find_object(f.scene(), ball));
  CHECK_FALSE(find_object(f.scene(), copy));

  // Back to the empty scene and forth again, every state to the byte.
  CHECK(f.document().undo_stack()->index() >= 12);
  CHECK(back_and_forth(f, empty)[1] == full);
}

TEST_CASE("Flow: every primitive is added from the menu and takes every body and truss by click", "[ui][flow]") {
  Flow f;
  for (const char* id : {"add.box", "add.sphere", "add.cylinder", "add.cone", "add.torus", "add.plane"}) {
    INFO(id);
    const std::size_t before = f.scene().objects.size();
    f.menu("Add", id);
    CHECK(f.scene().objects.size() == before + 1);
  }
  f.selection().select_only(f.scene().objects[1]->id);
  AnalysisPanel& analysis = f.analysis();
  for (AnalysisKind kind :
       {AnalysisKind::plane_grid, AnalysisKind::box_grid, AnalysisKind::octahedron, AnalysisKind::icosahedron}) {
    QTest::mouseClick(f.sight(analysis.kinds()->button(static_cast<int>(kind))), Qt::LeftButton);
    CHECK(f.scene().objects[1]->analysis.kind == kind);
  }
  for (BodyKind kind : {BodyKind::fixed, BodyKind::point, BodyKind::rigid, BodyKind::flexible}) {
    QTest::mouseClick(f.sight(analysis.bodies()->button(static_cast<int>(kind))), Qt::LeftButton);
    CHECK(f.scene().objects[1]->body.kind == kind);
  }
  CHECK(f->messages()->text().isEmpty());
}

TEST_CASE("Flow: orbit, pan, zoom and frame all move the view and nothing else", "[ui][flow]") {
  Flow f;
  f.open(shipped("soft_and_hard_ball.json"));
  const std::string text = scene_to_text(f.scene());
  const Viewport& view = f.view();
  const ViewCamera start = view.camera();
  const QPointF middle(view.width() / 2.0, view.height() / 2.0);
  f.drag(&f.view(), middle, middle + QPointF(80, 30), Qt::MiddleButton);
  CHECK(view.camera().yaw != start.yaw);
  CHECK(view.camera().pitch != start.pitch);
  const float distance = view.camera().distance;
  QWheelEvent wheel(middle, f.view().mapToGlobal(middle), {}, QPoint(0, 240), Qt::NoButton, {}, Qt::NoScrollPhase,
                    false);
  QApplication::sendEvent(&f.view(), &wheel);
  CHECK(view.camera().distance < distance);
  f.view().setFocus();
  f.key(Qt::Key_Home);
  CHECK(scene_to_text(f.scene()) == text);
  CHECK_FALSE(f.document().modified());
}

TEST_CASE("Flow: the picture of the view in the real window is the golden one", "[ui][flow][golden]") {
  ViewCanvas::smooth_when_at_rest(true);
  Flow f;
  f.open(shipped("soft_and_hard_ball.json"));
  REQUIRE(f.view().problem().isEmpty());
  f.selection().select_only(id_of(f.scene(), f.scene().objects[1]->name));
  f.menu("View", "view.analysis_cycle");
  f.move_to(QPointF(-1, -1));
  REQUIRE(wait_for([&] { return f.playback().shown() != nullptr; }));
  REQUIRE(wait_for([&] { return f.view().resting(); }));
  CHECK(against_golden(f.view().picture(), "main_window_view") == "");
}

TEST_CASE("Flow: softer than it can carry is said while the slider is dragged", "[ui][flow][analysis]") {
  Flow f;
  f.menu("Add", "add.box");
  const Id box = f.last().id;
  const auto now = [&]() -> const Object& { return *find_object(f.scene(), box); };
  AnalysisPanel& analysis = f.analysis();
  QTest::mouseClick(f.sight(analysis.bodies()->button(static_cast<int>(BodyKind::flexible))), Qt::LeftButton);
  auto* note = f->findChild<QLabel*>("softness_note");
  REQUIRE(note);
  CHECK(!note->text().contains("press it down"));  // its material carries it
  QSlider* softness = f.sight(analysis.softness());
  const auto drag_to = [&](double share) {
    const double at =
        QStyle::sliderPositionFromValue(0, softness->maximum(), softness->value(), softness->width() - 14) + 7;
    f.drag(softness, QPointF(at, softness->height() / 2.0),
           QPointF(softness->width() * share, softness->height() / 2.0));
  };
  drag_to(0.98);
  REQUIRE(now().body.stiffness < 10);
  INFO(note->text().toStdString());
  CHECK(note->isVisible());
  CHECK(note->text().startsWith("So soft it cannot carry its "));
  f.shot("softness-heavy", f->findChild<QDockWidget*>("analysis"));
  // Harder and harder: a part of its height, then nothing.
  bool part = false;
  for (double share = 0.9; share > 0.1 && note->isVisible(); share -= 0.05) {
    drag_to(share);
    part = part || note->text().contains("press it down by about");
  }
  CHECK(part);
  CHECK_FALSE(note->isVisible());
}

}  // namespace flow_model_test
