// Change Solver, in the real window: dragged from the palette, wired, picked in its panel; and what Problems says of it.
#include <QComboBox>

#include "core/sim/elastic/solver.h"
#include "tests/ui/motion_support.h"
#include "ui/model/motion_problems.h"
#include "ui/viewport/viewport.h"
#include "ui/widgets/field_widget.h"

namespace flow_solver_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

struct SolverFlow : MotionFlow {
  SolverFlow() {
    stage();
    Scene next = document().scene();
    next = with_object(std::move(next), id("ball"), [](Object& o) {
      o.body.kind = BodyKind::flexible;
      o.analysis.kind = AnalysisKind::icosahedron;
      o.analysis.size = Vec3(0.4, 0.4, 0.4);
      o.body.stiffness = 300;
      o.body.velocity = Vec3(0, -4, 0);
    });
    REQUIRE(document().edit("Stage", std::move(next)).ok());
    selection().select_only(id("ball"));
  }
  MotionBoxPanel& panel() { return *window.findChild<MotionBoxPanel*>("motion_box_panel"); }
  void choose(QComboBox* box, const QString& text) {
    sight(box);
    box->setFocus();
    const int to = box->findData(text);
    INFO(text.toStdString());
    REQUIRE(to >= 0);
    for (int guard = 0; box->currentIndex() != to && guard < 20; ++guard)
      QTest::keyClick(box, box->currentIndex() < to ? Qt::Key_Down : Qt::Key_Up);
    CHECK(box->currentData().toString() == text);
  }
  /// Where its nodes are in each frame.
  std::vector<std::vector<Vec3f>> nodes() {
    std::vector<std::vector<Vec3f>> all;
    for (int f = 0; f <= 60; ++f) {
      const FramePtr frame = playback().cache().frame(f);
      REQUIRE(frame);
      all.push_back(frame->find(id("ball"))->nodes);
    }
    return all;
  }
};

}  // namespace

TEST_CASE("Flow: a jelly gets another solver as it hits", "[ui][flow][motion_graph][solver]") {
  SolverFlow f;
  REQUIRE(complete(f.playback()));
  const auto plain = f.nodes();
  const double w = f.canvas->viewport()->width(), h = f.canvas->viewport()->height();
  const Id hit = f.drag_from_palette(MotionRole::event, "contact", QPointF(0.2 * w, 0.4 * h));
  const Id box = f.drag_from_palette(MotionRole::procedure, "solver", QPointF(0.6 * w, 0.4 * h));
  f.drag_on_canvas(f.right(hit), f.middle(box));
  f.click_on_canvas(f.middle(box));
  FieldWidget* field = f.panel().field("solver");
  REQUIRE(field);
  CHECK(field->isVisible());
  for (const ElasticSolverInfo* solver : elastic_solvers())
    CHECK(field->toolTip().contains(QString::fromUtf8(solver->label.data())));
  CHECK(f.panel().sentence() == "Let ball bend by springs");
  auto* list = field->findChild<QComboBox*>();
  REQUIRE(list);
  REQUIRE(complete(f.playback()));
  const auto springs = f.nodes();
  std::size_t parts = 0;
  while (parts <= 60 && springs[parts] == plain[parts]) ++parts;
  CHECK(parts > 5);
  CHECK(parts < 25);
  const int steps = f.steps();
  f.choose(list, "polyhedral");
  CHECK(find_parameter(f.node(box), "solver")->word == "polyhedral");
  CHECK(f.panel().sentence() == "Let ball bend by polyhedral");
  REQUIRE(complete(f.playback()));
  const auto polyhedral = f.nodes();
  CHECK(std::equal(plain.begin(), plain.begin() + static_cast<std::ptrdiff_t>(parts), polyhedral.begin()));
  CHECK(polyhedral.back() != springs.back());
  f.playback().set_frame(static_cast<int>(parts) + 4);
  QTest::qWait(50);
  f.shot("motion-change-solver");

  // Undone, and done again.
  while (f.steps() > steps) f.document().undo_stack()->undo();
  REQUIRE(complete(f.playback()));
  CHECK(f.nodes() == springs);
  f.view().setFocus();
  f.key(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
  REQUIRE(complete(f.playback()));
  CHECK(f.nodes() != springs);

  // What cannot be: the box is marked, and says why.
  Scene next = with_object(f.scene(), f.id("ball"), [](Object& o) { o.body.kind = BodyKind::rigid; });
  REQUIRE(f.document().edit("Rigid", std::move(next)).ok());
  const std::map<Id, QString> faults = faults_of_boxes(f.scene());
  REQUIRE(faults.count(box) == 1);
  CHECK(faults.at(box).startsWith("\"ball\" does not bend, so \"Change Solver\" does nothing."));
}

}  // namespace flow_solver_test
