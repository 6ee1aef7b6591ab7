// An analysis model strung by hand on the real window, from nothing and back: by mouse and keys only.
#include <QMenu>

#include "tests/ui/truss_support.h"
#include "ui/panels/strung_section.h"
#include "ui/widgets/segments.h"

namespace flow_truss_test {

using namespace hazumi;
using namespace hazumi::test;

TEST_CASE("Flow: a body gets a truss, two of its nodes are pinned, it plays, is painted, and all is taken back",
          "[ui][flow][truss]") {
  Flow f;
  const std::string empty = scene_to_text(f.scene());
  ElementSelection& elements = f->context().elements;
  f.menu("Add", "add.box");
  const Id id = f.last().id;
  const auto now = [&]() -> const Object& { return *find_object(f.scene(), id); };
  f.menu("View", "view.frame_all");
  AnalysisPanel& analysis = f.analysis();
  QTest::mouseClick(f.sight(analysis.bodies()->button(static_cast<int>(BodyKind::flexible))), Qt::LeftButton);
  QTest::mouseClick(f.sight(analysis.kinds()->button(static_cast<int>(AnalysisKind::strung))), Qt::LeftButton);
  REQUIRE(now().analysis.kind == AnalysisKind::strung);
  QTest::mouseClick(f.sight(analysis.strung()->edit_button()), Qt::LeftButton);
  REQUIRE(elements.in("truss"));

  // Two corners at the top, in front: nothing of the truss lies before them.
  f.view().setFocus();
  f.key(Qt::Key_Period);
  const auto corner = [&](double side) {
    std::uint32_t best = 0;
    double most = -1e9;
    for (std::uint32_t i = 0; i < now().analysis.strung->nodes.size(); ++i) {
      const Vec3& p = now().analysis.strung->nodes[i].position;
      if (const double score = p.y() + p.z() + side * p.x(); score > most) {
        most = score;
        best = i;
      }
    }
    return best;
  };
  const std::uint32_t left = corner(-1), right = corner(1);
  const auto place = [&](std::uint32_t node) {
    return f.pixel(ObjectSpace(now()).world(now().analysis.strung->nodes[node].position));
  };
  f.click(place(left));
  f.click(place(right), Qt::ShiftModifier);
  REQUIRE(elements.numbers(0) == std::set<std::uint32_t>{left, right});
  f.key(Qt::Key_P);
  CHECK(now().analysis.strung->nodes[left].pinned);
  CHECK(now().analysis.strung->nodes[right].pinned);
  f.move_to(QPointF(-1, -1));
  f.shot("truss-mode");

  // It hangs on them: they stay to the last digit that is shown, everything else falls.
  const Vec3 start_left = ObjectSpace(now()).world(now().analysis.strung->nodes[left].position);
  const Vec3 start_right = ObjectSpace(now()).world(now().analysis.strung->nodes[right].position);
  f.key(Qt::Key_Space);
  REQUIRE(f.playback().playing());
  REQUIRE(wait_for([&] { return f.playback().frame() >= 30 && f.playback().shown(); }));
  f.key(Qt::Key_Space);
  REQUIRE_FALSE(f.playback().playing());
  const FramePtr frame = f.playback().shown();
  REQUIRE(frame);
  const ObjectFrame* body = frame->find(id);
  REQUIRE(body);
  REQUIRE(body->nodes.size() == now().analysis.strung->nodes.size());
  CHECK((body->nodes[left].cast<double>() - start_left).norm() < 1e-5);
  CHECK((body->nodes[right].cast<double>() - start_right).norm() < 1e-5);
  double fallen = 0;
  for (std::size_t i = 0; i < body->nodes.size(); ++i)
    fallen = std::max(
        fallen,
        (body->nodes[i].cast<double>() - ObjectSpace(now()).world(now().analysis.strung->nodes[i].position)).norm());
  CHECK(fallen > 0.01);

  // A click goes back to the start pose; then the brush.
  f.click(QPointF(f.view().width() / 2.0, f.view().height() / 2.0));
  REQUIRE(f.view().elements_shown());
  f.key(Qt::Key_B);
  const QPointF from = place(left), to = place(right);
  const int before_stroke = f.document().undo_stack()->index();
  f.drag(&f.view(), from + QPointF(0, 12), to + QPointF(0, 12));
  CHECK(f.document().undo_stack()->index() == before_stroke + 1);
  f.drag(&f.view(), from + QPointF(0, 12), to + QPointF(0, 12));
  bool painted = false;
  for (const StrungSpring& s : now().analysis.strung->springs) painted = painted || s.stiffness > 1.05;
  CHECK(painted);
  f.move_to(from + QPointF(30, 30));
  f.shot("truss-brush");
  f.key(Qt::Key_Escape);

  CHECK(f.document().undo_stack()->index() >= 6);
  back_and_forth(f, empty);
}

TEST_CASE("Flow: truss mode on a small and on a large screen", "[ui][flow][truss]") {
  TrussFlow f({2, 3, 2});
  const auto at = [&](double x, double y, double z) { return Element{0, f.node_at(Vec3(x, y, z))}; };
  f.elements().set({at(0.5, 0.5, 0.5), at(0, 0.5, 0.5), at(-0.5, 0.5, 0.5)}, at(0.5, 0.5, 0.5));
  f.press_key(Qt::Key_P);
  TrussOptions::of(f.elements()).set_colours(TrussOptions::Colours::stiffness);
  AnalysisPanel& panel = f.analysis();
  for (const QSize size : {QSize(1280, 720), QSize(1600, 1000)}) {
    f->resize(size);
    QTest::qWait(50);
    // Nothing of the mode's row is cut off at the side.
    CHECK(f.view().mode_bar()->geometry().right() < f.view().width());
    CHECK(panel.strung()->isVisible());
    f.sight(panel.strung()->brush_action());
    f.shot(size.width() == 1280 ? "truss-1280x720" : "truss-1600x1000");
  }
}

}  // namespace flow_truss_test
