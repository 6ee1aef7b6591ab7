// The program on a screen of double resolution: a process of its own, as the scale is read once at its start.
#include <QAbstractButton>
#include <QCoreApplication>
#include <QLabel>
#include <QProcess>
#include <QTabBar>
#include <QToolButton>

#include "tests/ui/flow_support.h"

namespace scale_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

/// Everything on the screen that has words on it and does not show them whole.
QStringList cut_words(const QWidget& window) {
  QStringList cut;
  const auto look = [&](const QWidget& widget, const QString& text, int wanted) {
    if (widget.isVisible() && !text.isEmpty() && wanted > widget.width())
      cut << QStringLiteral("%1 (%2 of %3)").arg(text).arg(widget.width()).arg(wanted);
  };
  for (const QLabel* label : window.findChildren<QLabel*>())
    if (!label->wordWrap()) look(*label, label->text(), label->sizeHint().width());
  for (const QAbstractButton* button : window.findChildren<QAbstractButton*>()) {
    // Margins of a style are no words: what has to fit is the text, and the icon where it stands beside that.
    const auto* tool = qobject_cast<const QToolButton*>(button);
    const bool above = tool && tool->toolButtonStyle() == Qt::ToolButtonTextUnderIcon;
    const bool alone = tool && tool->toolButtonStyle() == Qt::ToolButtonIconOnly;
    if (alone) continue;
    const QFontMetrics metrics = button->fontMetrics();
    const int icon = above || button->icon().isNull() ? 0 : button->iconSize().width() + 4;
    look(*button, button->text(), metrics.size(Qt::TextShowMnemonic, button->text()).width() + icon + 2);
  }
  return cut;
}

}  // namespace

TEST_CASE("A process with two pixels for each", "[.scale2]") {
  Flow f;
  REQUIRE(f.window.devicePixelRatioF() == 2);
  f.open(shipped("soft_and_hard_ball.json"));
  REQUIRE(complete(f.playback()));
  for (const QSize size : {QSize(1600, 1000), QSize(1280, 720)}) {
    f.window.resize(size);
    QTest::qWait(50);
    REQUIRE(f.window.size() == size);
    CHECK(f.view().picture().size() == 2 * f.view().size());
    for (const char* name : {"Soft ball", "Hard ball"}) {
      f.selection().select_only(id_of(f.scene(), name));
      for (const char* panel : {"properties", "analysis", "mapping", "material", "metaballs"}) {
        f.tab(panel);
        const QStringList cut = cut_words(f.window);
        INFO(name << ", " << panel << ", " << size.width() << ": " << cut.join("; ").toStdString());
        CHECK(cut.empty());
        f.shot(qPrintable(QStringLiteral("scale2-%1-%2").arg(size.width()).arg(panel)));
      }
    }
    for (const QTabBar* bar : f.window.findChildren<QTabBar*>())
      for (int i = 0; i < bar->count() && bar->isVisible(); ++i) CHECK(bar->rect().contains(bar->tabRect(i)));
    // What is clicked is what lies there: two pixels for each are no two places.
    f.selection().clear();
    f.playback().set_frame(0);
    QTest::qWait(30);
    f.click(f.pixel(f.object("Hard ball").transform.position));
    CHECK(f.selection().ids() == std::set<Id>{id_of(f.scene(), "Hard ball")});
  }
}

TEST_CASE("Flow: with two pixels for each nothing in the panels is cut, and clicks meet what lies there",
          "[ui][flow]") {
  QProcess process;
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  environment.insert("QT_SCALE_FACTOR", "2");
  process.setProcessEnvironment(environment);
  process.setProcessChannelMode(QProcess::MergedChannels);
  process.start(QCoreApplication::applicationFilePath(), {"[.scale2]"});
  REQUIRE(process.waitForStarted());
  REQUIRE(wait_for([&] { return process.state() == QProcess::NotRunning; }, 120000));
  INFO(process.readAll().toStdString());
  CHECK(process.exitStatus() == QProcess::NormalExit);
  CHECK(process.exitCode() == 0);
}

}  // namespace scale_test
