// Hands that know nothing: commands, keys, clicks and drags drawn at random, anywhere in the real window, on any of the shipped
// scenes. Whatever they do, the scene is one that a file gives back to the byte, undo takes all of it back and redo all of it forth,
// and what is computed at the end is what a run of that scene from nothing gives.
// HAZUMI_HANDS_SEED and HAZUMI_HANDS_COUNT draw others (the case of `long`); with HAZUMI_HANDS_TOLD every step is told before it is done.
#include <cstdio>

#include <QDrag>
#include <QWheelEvent>

#include "core/scene/file/scene_io.h"
#include "core/scene/validate.h"
#include "tests/support/edits.h"
#include "tests/ui/flow_support.h"
#include "ui/model/playback_controller.h"

namespace random_hands_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

/// What stands in the way of the next step is put aside: dialogs are left, menus too or an entry of them is taken.
class PutAside : public QObject {
 public:
  explicit PutAside(EditDice& dice) : dice_(dice) { startTimer(15); }

 protected:
  void timerEvent(QTimerEvent*) override {
    QDrag::cancel();  // what is carried by a synthetic mouse would never arrive
    if (QWidget* popup = QApplication::activePopupWidget()) {
      if (++popups_ % 4 == 0) popup->close();
      const Qt::Key key = popups_ % 4 == 3 && dice_.unit() < 0.4 ? Qt::Key_Return : Qt::Key_Down;
      if (QApplication::activePopupWidget() == popup) QTest::keyClick(popup, key);
    } else if (QWidget* dialog = QApplication::activeModalWidget()) {
      if (++dialogs_ % 3 == 0) QTest::keyClick(dialog, Qt::Key_Escape);
      if (dialogs_ % 9 == 8) dialog->close();
    }
  }

 private:
  EditDice& dice_;
  int popups_ = 0, dialogs_ = 0;
};

struct Hands : Flow {
  EditDice dice;
  std::string done;  ///< in words, a step a line

  explicit Hands(std::uint64_t seed) : dice(seed) {}

  std::size_t below(std::size_t n) { return static_cast<std::size_t>(dice.below(static_cast<int>(n))); }
  template <class List>
  const auto& one_of(const List& list) {
    return list[below(std::size(list))];
  }
  void tell(const QString& step) {
    done += step.toStdString() + "\n";
    if (qEnvironmentVariableIsSet("HAZUMI_HANDS_TOLD"))
      std::fprintf(stderr, "%s\n", qPrintable(step)), std::fflush(stderr);
  }

  void command() {
    std::vector<QAction*> all;
    for (QAction* action : window.findChildren<QAction*>())
      if (action->isEnabled() && !action->menu() && !action->objectName().startsWith("file.") &&
          !action->text().isEmpty())
        all.push_back(action);
    if (all.empty()) return;
    QAction* action = one_of(all);
    tell("command " + action->objectName() + " " + action->text());
    action->trigger();
  }
  void keys() {
    static constexpr Qt::Key plain[] = {
        Qt::Key_G,   Qt::Key_R,      Qt::Key_S,     Qt::Key_X,      Qt::Key_Y,        Qt::Key_Z,      Qt::Key_1,
        Qt::Key_2,   Qt::Key_5,      Qt::Key_Minus, Qt::Key_Period, Qt::Key_Return,   Qt::Key_Escape, Qt::Key_Tab,
        Qt::Key_I,   Qt::Key_Space,  Qt::Key_Left,  Qt::Key_Right,  Qt::Key_Up,       Qt::Key_Down,   Qt::Key_Home,
        Qt::Key_End, Qt::Key_Delete, Qt::Key_H,     Qt::Key_A,      Qt::Key_B,        Qt::Key_C,      Qt::Key_E,
        Qt::Key_F,   Qt::Key_K,      Qt::Key_M,     Qt::Key_N,      Qt::Key_P,        Qt::Key_L,      Qt::Key_T,
        Qt::Key_V,   Qt::Key_F2,     Qt::Key_F3,    Qt::Key_F9,     Qt::Key_Backspace};
    static constexpr Qt::KeyboardModifiers with[] = {Qt::NoModifier, Qt::NoModifier, Qt::NoModifier, Qt::ShiftModifier,
                                                     Qt::AltModifier};
    if (dice.unit() < 0.4) view().setFocus();
    if (dice.unit() < 0.15) {
      const Qt::KeyboardModifiers shift = dice.unit() < 0.3 ? Qt::ShiftModifier : Qt::NoModifier;
      tell("Ctrl+Z");
      key(Qt::Key_Z, Qt::ControlModifier | shift);
      return;
    }
    for (std::size_t k = 1 + below(4); k > 0; --k) {
      const Qt::Key which = one_of(plain);
      const Qt::KeyboardModifiers held = one_of(with);
      tell("key " + QKeySequence(which | held).toString() + " in " + named(QApplication::focusWidget()));
      key(which, held);
    }
  }
  static QString named(const QWidget* widget) {
    if (!widget) return "nothing";
    QString name;
    for (const QWidget* up = widget; up && !up->isWindow(); up = up->parentWidget())
      name.prepend(QString(up->metaObject()->className()) + "'" + up->objectName() + "' ");
    return name.trimmed();
  }
  void typed() {
    static const char* const texts[] = {"0",     "1", "-2", "0.3", "1e9",   "-1e-9", "nan",
                                        "12 cm", "x", "",   "90",  "3 4 5", "=1/3"};
    auto* edit = qobject_cast<QLineEdit*>(QApplication::focusWidget());
    if (!edit) return;
    const char* text = one_of(texts);
    tell(QString("type \"%1\" in %2").arg(text, named(edit)));
    if (dice.unit() < 0.7) edit->selectAll();
    QTest::keyClicks(edit, text);
    if (QApplication::focusWidget())
      QTest::keyClick(QApplication::focusWidget(), dice.unit() < 0.8 ? Qt::Key_Return : Qt::Key_Escape);
  }
  QPoint place_in(const QWidget& widget) {
    return {static_cast<int>(below(static_cast<std::size_t>(widget.width()))),
            static_cast<int>(below(static_cast<std::size_t>(widget.height())))};
  }
  /// A click, a drag, the wheel, wherever that is.
  void mouse_at(QPointer<QWidget> widget) {
    const QPoint at = place_in(*widget), to = place_in(*widget);
    const double what = dice.unit();
    const Qt::KeyboardModifiers held = dice.unit() < 0.2   ? Qt::ShiftModifier
                                       : dice.unit() < 0.1 ? Qt::ControlModifier
                                                           : Qt::NoModifier;
    const auto told = [&](const char* how) {
      tell(QString("%1 at %2,%3 to %4,%5 of %6")
               .arg(how)
               .arg(at.x())
               .arg(at.y())
               .arg(to.x())
               .arg(to.y())
               .arg(named(widget)));
    };
    if (what < 0.5) {
      told("click");
      QTest::mouseMove(widget, at);
      if (widget) QTest::mouseClick(widget, Qt::LeftButton, held, at);
    } else if (what < 0.8) {
      told("drag");
      if (widget) mouse(widget, QEvent::MouseButtonPress, at, Qt::LeftButton, Qt::LeftButton, held);
      for (int k = 1; k <= 4 && widget; ++k)
        mouse(widget, QEvent::MouseMove, QPointF(at) + QPointF(to - at) * k / 4.0, Qt::NoButton, Qt::LeftButton, held);
      if (dice.unit() < 0.1) key(Qt::Key_Escape);
      if (widget) mouse(widget, QEvent::MouseButtonRelease, to, Qt::LeftButton, Qt::NoButton, held);
    } else if (what < 0.87) {
      told("right click");
      QTest::mouseClick(widget, Qt::RightButton, held, at);
    } else if (what < 0.93) {
      told("double click");
      QTest::mouseDClick(widget, Qt::LeftButton, held, at);
    } else {
      told("wheel");
      QWheelEvent wheel(at, widget->mapToGlobal(at), {}, {0, dice.unit() < 0.5 ? 120 : -120}, Qt::NoButton, held,
                        Qt::NoScrollPhase, false);
      QApplication::sendEvent(widget, &wheel);
    }
  }
  void anywhere() {
    std::vector<QWidget*> seen;
    for (QWidget* widget : window.findChildren<QWidget*>())
      if (widget->isVisible() && widget->isEnabled() && widget->width() > 3 && widget->height() > 3 &&
          !widget->visibleRegion().isEmpty())
        seen.push_back(widget);
    if (seen.empty()) return;
    mouse_at(one_of(seen));
    if (dice.unit() < 0.5) typed();
  }
  void step() {
    const double what = dice.unit();
    if (what < 0.3)
      command();
    else if (what < 0.55)
      keys();
    else if (what < 0.85)
      anywhere();
    else
      mouse_at(&view());
    QTest::qWait(static_cast<int>(below(4)) * 5);
  }
  /// Out of whatever it is in.
  void leave() {
    for (int k = 0; k < 50 && (QApplication::activeModalWidget() || QApplication::activePopupWidget()); ++k)
      QTest::qWait(20);
    playback().play(false);
    view().setFocus();
    for (int k = 0; k < 4; ++k) key(Qt::Key_Escape);
    QTest::qWait(20);
  }
};

const std::vector<std::filesystem::path>& scenes_of_the_house() {
  static const std::vector<std::filesystem::path> files = [] {
    std::vector<std::filesystem::path> found;
    for (const QFileInfo& file : QDir(HAZUMI_SOURCE_DIR "/scenes").entryInfoList({"*.json"}, QDir::Files, QDir::Name))
      if (file.size() < 150000) found.emplace_back(file.filePath().toStdString());
    return found;
  }();
  return files;
}

/// Frames of a run from nothing, as far as it comes.
std::vector<std::uint64_t> hashes(Session& session) {
  PlaybackController& playback = session.playback;
  REQUIRE(wait_for(
      [&] {
        const auto phase = playback.status().phase;
        return phase == FillStatus::Phase::complete || phase == FillStatus::Phase::stopped;
      },
      120000));
  std::vector<std::uint64_t> all;
  for (const FramePtr& frame : playback.cache().frames()) all.push_back(frame->state_hash);
  return all;
}

void check_all(Hands& f, const std::string& start) {
  QUndoStack& undo = *f.document().undo_stack();
  undo.setIndex(undo.count());
  const std::string end = scene_to_text(f.scene());
  const Result<Scene> again = part_from_text(end);
  REQUIRE(again.ok());
  CHECK(scene_to_text(again.value()) == end);
  for (const Diagnostic& d : validate(f.scene())) CHECK(d.severity != Severity::error);
  while (undo.canUndo()) undo.undo();
  CHECK(scene_to_text(f.scene()) == start);
  while (undo.canRedo()) undo.redo();
  CHECK(scene_to_text(f.scene()) == end);
  f.playback().end_beside();
  const std::vector<std::uint64_t> shown = hashes(f.session);
  Session fresh(1);
  fresh.document.reset(f.scene(), {});
  CHECK(shown == hashes(fresh));
}

void run(std::uint64_t seed, int steps) {
  Hands f(seed);
  const std::filesystem::path& file = f.one_of(scenes_of_the_house());
  Result<Scene> read = load_scene(file);
  REQUIRE(read.ok());
  Scene scene = std::move(read.value());
  scene.settings.last_frame = std::min(scene.settings.last_frame, 8);
  f.Window::open(scene);
  const std::string start = scene_to_text(f.scene());
  f.tell(QString("seed %1: ").arg(seed) + QString::fromStdString(file.filename().string()));
  // New, or a scene of the gallery: undo ends there.
  bool replaced = false;
  QObject::connect(&f.document(), &DocumentController::document_replaced, &f.window, [&replaced] { replaced = true; });
  {
    PutAside aside(f.dice);
    for (int k = 0; k < steps && !replaced; ++k) f.step();
    f.leave();
  }
  if (replaced) return;
  INFO(f.done);
  check_all(f, start);
}

}  // namespace

TEST_CASE("Random hands in the window: undo takes all back, nothing is stale", "[ui][hands][random]") {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) run(seed, 30);
}

TEST_CASE("Random hands in the window, for long", "[.long]") {
  const int first = qEnvironmentVariableIntValue("HAZUMI_HANDS_SEED"),
            count = qEnvironmentVariableIntValue("HAZUMI_HANDS_COUNT");
  for (int k = 0; k < (count ? count : 200); ++k) run(static_cast<std::uint64_t>((first ? first : 1) + k), 40);
}

}  // namespace random_hands_test
