// How bodies do over the frames: plotted of what is selected, told in Properties, written as a table.
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QTemporaryDir>

#include "tests/ui/flow_support.h"
#include "ui/panels/plot_view.h"

namespace flow_plots_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

void choose(QComboBox* box, const QString& text) {
  const int index = box->findText(text);
  CAPTURE(text.toStdString());
  REQUIRE(index >= 0);
  box->setCurrentIndex(index);
}

}  // namespace

TEST_CASE("Flow: how bodies do is plotted, told in Properties and written as a table", "[ui][flow][plots]") {
  Flow f;
  f.window.resize(1580, 960);
  f.open(shipped("twist_and_bend.json"));
  REQUIRE(wait_for([&] { return complete(f.playback()); }, 60000));
  f.tab("plots");
  auto* plot = f.window.findChild<PlotView*>();
  auto* quantity = f.window.findChild<QComboBox*>("plot_quantity");
  REQUIRE(plot);
  REQUIRE(quantity);
  // Without joints and with nothing selected: the speed of all that moves.
  const int frames = f.scene().settings.last_frame + 1;
  REQUIRE(wait_for([&] { return plot->series().size() == 3 && plot->series()[0].values.size() == std::size_t(frames); },
                   5000));
  CHECK(quantity->currentText() == "Speed");
  CHECK(plot->value_label() == "Speed, m/s");
  CHECK(plot->why().isEmpty());
  // Energy of an undriven body under gravity: what it stores is told apart from its motion.
  choose(quantity, "Elastic energy");
  REQUIRE(plot->series().size() == 3);
  CHECK(*std::max_element(plot->series()[0].values.begin(), plot->series()[0].values.end()) > 0);
  choose(quantity, "Elements inside out");
  REQUIRE(plot->series().size() == 3);
  CHECK(plot->value_label() == "Elements inside out");
  choose(quantity, "Force");
  CHECK(plot->series().empty());
  CHECK(plot->why() == "The scene has no joints whose forces could be plotted.");

  // How far each bar has gone into its poses: the taught ones have a line, up to all of it.
  choose(quantity, "Weights of poses");
  REQUIRE(plot->series().size() == 2);
  for (const PlotSeries& series : plot->series()) {
    CAPTURE(series.name.toStdString());
    CHECK(series.name.contains(" · "));
    const auto [least, most] = std::minmax_element(series.values.begin(), series.values.end());
    CHECK(*least > -1e-3);
    CHECK(*most > 50);
    CHECK(*most < 100.1);
  }
  f.shot("pose-weights");

  // One that is selected: its lines alone, and its numbers in Properties.
  const Object& one = f.object("S");
  f.selection().set({one.id});
  REQUIRE(plot->series().size() == 1);
  f.tab("properties");
  auto* line = f.window.findChild<QLabel*>("properties_body");
  REQUIRE(line);
  CHECK(line->isVisible());
  f.playback().set_frame(20);
  CHECK(line->text().startsWith("Frame 20: Speed "));
  CHECK(line->text().contains("Largest strain "));
  CHECK(line->text().contains("nothing inside out"));
  CHECK(line->text().contains(" pass"));

  QTemporaryDir folder;
  const QString file = folder.filePath("bodies.csv");
  answer_file_dialog(file);
  auto* button = f.window.findChild<QPushButton*>("plot_export");
  REQUIRE(button);
  Flow::click_in(button, button->rect().center());
  REQUIRE(wait_for([&] { return QFile::exists(file); }, 5000));
  QFile table(file);
  REQUIRE(table.open(QIODevice::ReadOnly));
  const QList<QByteArray> lines = table.readAll().split('\n');
  CHECK(lines.size() == frames + 2);
  CHECK(lines[0].startsWith("frame,time (s),S: speed (m/s),"));
  CHECK(lines[0].contains("weights of poses (%)"));
  CHECK(lines[0].count(',') == lines[21].count(','));

  // What stands has nothing to tell; what is rigid has no strain.
  f.selection().set({id_of(f.scene(), "Floor")});
  CHECK_FALSE(line->isVisible());
  CHECK(plot->why() == "Select objects that move.");
}

TEST_CASE("Flow: lines of a plot come as their bodies do, and stay with the run", "[ui][flow][plots]") {
  Flow f;
  f.open(shipped("twist_and_bend.json"));
  f.tab("plots");
  auto* plot = f.window.findChild<PlotView*>();
  REQUIRE(plot);
  REQUIRE(wait_for([&] { return plot->series().size() == 3; }, 20000));
  const auto all_there = [&] {
    return f.playback().status().phase == FillStatus::Phase::complete &&
           plot->series()[0].values.size() == static_cast<std::size_t>(f.playback().cache().size());
  };
  REQUIRE(wait_for([&] { return all_there(); }, 60000));
  const std::vector<double> before = plot->series()[0].values;
  // Another gravity: other numbers, from the first frame on.
  SceneSettings settings = f.scene().settings;
  settings.gravity = Vec3(settings.gravity / 2);
  Scene next = f.scene();
  next.settings = settings;
  REQUIRE(f.document().edit("Gravity", next).ok());
  REQUIRE(wait_for([&] { return all_there(); }, 60000));
  CHECK(plot->series()[0].values != before);
  f.document().undo_stack()->undo();
  REQUIRE(wait_for([&] { return plot->series()[0].values == before; }, 20000));
}

}  // namespace flow_plots_test
