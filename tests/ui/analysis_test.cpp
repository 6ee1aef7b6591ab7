#include <catch2/catch.hpp>

#include <cmath>

#include <QLabel>
#include <QPushButton>
#include <QSlider>
#include <QToolButton>

#include "core/sim/elastic/modes.h"
#include "core/sim/elastic/setup.h"
#include "tests/ui/panels_support.h"
#include "ui/panels/analysis_panel.h"
#include "ui/widgets/field_widget.h"
#include "ui/widgets/number_field.h"
#include "ui/widgets/segments.h"
#include "ui/widgets/vibration_plot.h"

namespace analysis_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

bool solved(AnalysisPanel* panel) {
  return wait_for([&] { return panel->plot()->vibration().has_value(); });
}
/// The lowest mode of an object as its solver has it.
ModeValues lowest_mode(const Object& object) {
  const ElasticSolverInfo& info = *find_elastic_solver(object.body.solver);
  const Truss truss = object_truss(object, DisplayMesh{});
  return vibration_modes(*info.linearise(*setup_of_object(info, object, truss, 0)))->modes.at(0).values;
}
NumberField* number(FieldWidget* widget) { return static_cast<SingleNumberField*>(widget)->field(); }

}  // namespace

TEST_CASE("Analysis: the plot shows the lowest mode of the truss with the chosen k, c and m", "[ui][analysis]") {
  Bench b;
  auto* panel = b.show(new AnalysisPanel(b.context, nullptr));
  b.selection.set({Id{2}});
  REQUIRE(solved(panel));
  const Object& jelly = b.object(2);
  const ModeValues mode = lowest_mode(jelly);
  CHECK(panel->plot()->vibration()->lambda == Approx(mode.lambda).epsilon(1e-6));
  CHECK(panel->plot()->vibration()->gamma == Approx(mode.gamma).epsilon(1e-6));
  CHECK(panel->words()->text().startsWith("Period "));
  CHECK(panel->words()->text().contains("Hz"));
  CHECK(panel->words()->text().contains("halves in"));

  // Another k, c, m: the curve never goes away, and is the new one as soon as the worker has looked.
  type_into(number(panel->stiffness()), "3200");
  type_into(number(panel->damping()), "2");
  type_into(number(panel->mass()), "4");
  REQUIRE(panel->plot()->vibration());
  const ModeValues after = lowest_mode(b.object(2));
  CHECK(wait_for([&] { return panel->plot()->vibration()->lambda == Approx(after.lambda).epsilon(1e-6); }));
  CHECK(panel->plot()->vibration()->gamma == Approx(after.gamma).epsilon(1e-6));
  CHECK(b.steps() == 3);
}

TEST_CASE("Analysis: the softness slider moves k and c together and keeps the damping ratio; one undo step",
          "[ui][analysis]") {
  Bench b;
  auto* panel = b.show(new AnalysisPanel(b.context, nullptr));
  b.selection.set({Id{2}});
  REQUIRE(solved(panel));
  const double ratio = panel->plot()->vibration()->damping_ratio;
  QSlider* slider = panel->softness();
  const int before = slider->value();
  QTest::mousePress(slider, Qt::LeftButton, {}, QPoint(slider->width() / 4, slider->height() / 2));
  for (int i = 1; i <= 10; ++i) {
    const QPoint at(slider->width() / 4 + i, slider->height() / 2);
    QMouseEvent move(QEvent::MouseMove, at, slider->mapToGlobal(at), Qt::NoButton, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(slider, &move);
  }
  QTest::mouseRelease(slider, Qt::LeftButton, {}, QPoint(slider->width() / 4 + 10, slider->height() / 2));
  CHECK(slider->value() < before);
  CHECK(b.object(2).body.stiffness > 800);
  CHECK(b.object(2).body.damping / std::sqrt(b.object(2).body.stiffness) == Approx(0.5 / std::sqrt(800.0)));
  const ModeValues softer = lowest_mode(b.object(2));
  CHECK(wait_for([&] { return panel->plot()->vibration()->lambda == Approx(softer.lambda).epsilon(1e-6); }));
  CHECK(panel->plot()->vibration()->damping_ratio == Approx(ratio));
  CHECK(b.steps() == 1);
  b.document.undo_stack()->undo();
  CHECK(b.object(2).body.stiffness == 800);
  CHECK(slider->value() == before);
}

TEST_CASE("Analysis: picking a shape, making flexible, fitting to the display model", "[ui][analysis]") {
  Bench b;
  auto* panel = b.show(new AnalysisPanel(b.context, nullptr));
  b.selection.set({Id{1}});
  CHECK(panel->kinds()->current() == static_cast<int>(AnalysisKind::none));
  QTest::mouseClick(panel->bodies()->button(static_cast<int>(BodyKind::flexible)), Qt::LeftButton);
  CHECK(b.object(1).body.kind == BodyKind::flexible);
  CHECK(b.object(1).analysis.kind != AnalysisKind::none);
  CHECK(b.steps() == 1);
  QTest::mouseClick(panel->kinds()->button(static_cast<int>(AnalysisKind::box_grid)), Qt::LeftButton);
  CHECK(b.object(1).analysis.kind == AnalysisKind::box_grid);
  CHECK(panel->kinds()->current() == static_cast<int>(AnalysisKind::box_grid));
  REQUIRE(b.document.edit_object("Size", Id{1}, [](Object& o) { o.display.primitive.size = Vec3(2, 3, 4); }).ok());
  QTest::mouseClick(panel->fit_button(), Qt::LeftButton);
  CHECK(b.object(1).analysis.size == Vec3(2, 3, 4));
  QTest::mouseClick(panel->kinds()->button(static_cast<int>(AnalysisKind::none)), Qt::LeftButton);
  CHECK(b.object(1).analysis.kind == AnalysisKind::none);
  CHECK(b.object(1).body.kind == BodyKind::rigid);
  CHECK_FALSE(panel->plot()->vibration());
}

TEST_CASE("Analysis: stiffness from the material shows the swing, and the slider takes it as given", "[ui][analysis]") {
  Bench b;
  auto* panel = b.show(new AnalysisPanel(b.context, nullptr));
  b.selection.set({Id{2}});
  REQUIRE(b.document
              .edit_object("Source", Id{2},
                           [](Object& o) {
                             o.body.stiffness_source = StiffnessSource::material;
                             o.material.substance.young = 1e6;
                           })
              .ok());
  REQUIRE(solved(panel));
  CHECK(panel->plot()->vibration()->lambda == Approx(lowest_mode(b.object(2)).lambda).epsilon(1e-6));
  panel->softness()->setValue(panel->softness()->value() + 100);
  CHECK(b.object(2).body.stiffness_source == StiffnessSource::given);
}

TEST_CASE("Vibration in words", "[ui][analysis]") {
  CHECK(time_text(0.21) == "0.21 s");
  CHECK(time_text(0.0034) == "3.4 ms");
  CHECK(time_text(600) == "10 min");
  const double period = 0.21, half = 0.4, gamma = 2 * std::log(2.0) / half, omega = 2 * kPi / period;
  const Vibration v = make_vibration({omega * omega + gamma * gamma / 4, gamma});
  CHECK(vibration_text(v, 1.0 / 60) == "Period 0.21 s (4.76 Hz), halves in 0.4 s.");
  CHECK(vibration_text(make_vibration({1e8, 0}), 1.0 / 60).contains("looks rigid"));
  CHECK(vibration_text(make_vibration({1e8, 0}), 1.0 / 60).contains("never dies away"));
  CHECK(vibration_text(make_vibration({1, 50}), 1.0 / 60).startsWith("Does not swing"));
}

}  // namespace analysis_test
