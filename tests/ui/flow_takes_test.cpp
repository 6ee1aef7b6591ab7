// Takes as a person has them, in the real window by mouse: the panel, switching, a frame that is changed, the wall, a number that is varied.
#include <QComboBox>
#include <QTreeWidget>

#include "core/motion/change_here.h"
#include "core/scene/derived/motion_rules.h"
#include "core/scene/derived/takes.h"
#include "core/scene/diff.h"
#include "tests/ui/flow_support.h"
#include "ui/editors/take_wall.h"
#include "ui/editors/vary_dialog.h"
#include "ui/model/playback_controller.h"
#include "ui/model/selection.h"
#include "ui/tools/gizmo.h"
#include "ui/viewport/changing.h"

namespace flow_takes_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

struct TakeFlow : Flow {
  Id ball;

  void stage(int last_frame = 40) {
    Scene made = ball_scene(last_frame);
    ball = id_of(made, "Ball");
    made = with_object(std::move(made), ball, [](Object& o) {
      o.transform.position = Vec3(-1, 1, 0);
      o.body.velocity = Vec3(1.5, 1, 0);
    });
    Flow::Window::open(made);
    ViewCamera camera;
    camera.target = {0, 0.7f, 0};
    camera.distance = 5;
    camera.yaw = 0;
    camera.pitch = 0.1f;
    view().camera() = camera;
    REQUIRE(complete(playback()));
    view().setFocus();
    QTest::qWait(10);
  }
  QTreeWidget& list() {
    tab("takes");
    auto* found = window.findChild<QTreeWidget*>("take_list");
    REQUIRE(found);
    return *found;
  }
  void click_row(int row) {
    QTreeWidget& takes = list();
    const QRect place = takes.visualItemRect(takes.topLevelItem(row));
    click_in(takes.viewport(), QPoint(place.left() + 60, place.center().y()));
    QTest::qWait(10);
  }
  void double_click(int row) {
    click_row(row);
    QTreeWidget& takes = list();
    const QRect place = takes.visualItemRect(takes.topLevelItem(row));
    QTest::mouseDClick(takes.viewport(), Qt::LeftButton, {}, QPoint(place.left() + 60, place.center().y()));
    QTest::qWait(10);
  }
  void press_button(const char* command) {
    tab("takes");
    for (QToolButton* button : window.findChild<QDockWidget*>("takes")->findChildren<QToolButton*>())
      if (button->defaultAction() == action(command) || button->toolTip().startsWith(plain_text_of(command))) {
        click_in(button, button->rect().center());
        QTest::qWait(10);
        return;
      }
    FAIL("no such button");
  }
  QString plain_text_of(const char* command) { return action(command)->text().remove(QLatin1Char('&')); }
  std::string undo_text() { return document().undo_stack()->undoText().toStdString(); }
  Vec3 at(int frame) {
    const FramePtr shown = playback().cache().frame(frame);
    REQUIRE(shown);
    return shown->find(ball)->position.cast<double>();
  }
  std::vector<std::uint64_t> hashes(int count) {
    std::vector<std::uint64_t> all;
    for (int f = 0; f < count; ++f) all.push_back(playback().cache().frame(f)->state_hash);
    return all;
  }
  TakeWall* wall() { return view().findChild<TakeWall*>(); }
  bool on_wall() {
    return wait_for([&] { return wall() && wall()->complete() && wall()->pictures() > 2; }, 30000);
  }
};

}  // namespace

TEST_CASE("Flow: takes are made, named, gone to and deleted in the panel", "[ui][flow][takes]") {
  TakeFlow f;
  f.stage();
  const std::string start = scene_to_text(f.scene());
  REQUIRE(f.list().topLevelItemCount() == 1);
  CHECK(f.list().topLevelItem(0)->text(0) == "Take 1");
  CHECK_FALSE(f.action("take.delete")->isEnabled());
  CHECK_FALSE(f.action("take.next")->isEnabled());
  f.press_button("take.new");
  REQUIRE(f.scene().takes.size() == 2);
  CHECK(f.undo_text() == "New Take 2");
  CHECK(f.list().topLevelItem(1)->text(1) == "current");
  CHECK(wait_for([&] { return f.list().topLevelItem(0)->text(1) == "nothing"; }, 2000));
  // What is edited is this take's own.
  (void)f.document().edit_object("Faster", f.ball, [](Object& o) { o.body.velocity = Vec3(3, 1, 0); });
  REQUIRE(complete(f.playback()));
  const double fast = f.at(20).x();
  CHECK(wait_for([&] { return f.list().topLevelItem(0)->text(1) == "1 value"; }, 2000));
  f.shot("takes_panel");
  f.click_row(0);
  CHECK(f.undo_text() == "Go to Take 1");
  CHECK(f.object("Ball").body.velocity.x() == 1.5);
  REQUIRE(complete(f.playback()));
  CHECK(f.at(20).x() < fast - 0.2);
  // What belongs to all takes is seen in each.
  (void)f.document().edit_object("Rename", f.ball, [](Object& o) { o.name = "Marble"; });
  f.view().setFocus();
  f.key(Qt::Key_PageDown, Qt::ControlModifier);
  CHECK(f.object("Marble").body.velocity.x() == 3);
  REQUIRE(complete(f.playback()));
  CHECK(f.at(20).x() == fast);
  // By a double click its name.
  QTreeWidget& list = f.list();
  f.double_click(1);
  auto* editor = list.findChild<QLineEdit*>();
  REQUIRE(editor);
  editor->selectAll();
  QTest::keyClicks(editor, "Fast");
  QTest::keyClick(editor, Qt::Key_Return);
  QTest::qWait(20);
  CHECK(current_take(f.scene())->name == "Fast");
  // A name that is taken is refused with a sentence.
  f.double_click(1);
  editor = list.findChild<QLineEdit*>();
  REQUIRE(editor);
  QString said;
  QObject::connect(&f.document(), &DocumentController::refused, &list, [&](const QString& s) { said = s; });
  editor->selectAll();
  QTest::keyClicks(editor, "Take 1");
  QTest::keyClick(editor, Qt::Key_Return);
  QTest::qWait(20);
  CHECK(said == "Two takes are named \"Take 1\". Give each a name of its own.");
  CHECK(list.topLevelItem(1)->text(0) == "Fast");
  f.press_button("take.duplicate");
  REQUIRE(f.scene().takes.size() == 3);
  CHECK(f.scene().takes[2]->name == "Fast 2");
  CHECK(current_take(f.scene())->name == "Fast");
  f.press_button("take.delete");
  CHECK(f.scene().takes.size() == 2);
  CHECK(current_take(f.scene())->name == "Fast 2");
  back_and_forth(f, start);
}

TEST_CASE("Flow: a simulated frame is moved, turned and thrown by mouse, and goes on", "[ui][flow][takes]") {
  TakeFlow f;
  f.stage();
  const std::string start = scene_to_text(f.scene());
  CHECK_FALSE(f.action("take.change_here")->isEnabled());
  f.playback().set_frame(20);
  QTest::qWait(20);
  const std::vector<std::uint64_t> before = f.hashes(20);
  const Vec3 was = f.at(20), later = f.at(35);
  f.selection().select_only(f.ball);
  f.submenu("Playback", "take.change_here");
  REQUIRE(f.view().changing().on());
  REQUIRE(f.view().changing().tips().size() == 1);
  f.shot("change_here");
  // With the move tool: what is selected is dragged.
  const Vec3 to = was + Vec3(0.5, 0.6, 0);
  f.drag(&f.view(), f.pixel(was) + QPointF(9, 5), f.pixel(to) + QPointF(9, 5));
  REQUIRE(f.scene().takes.size() == 2);
  CHECK(current_take(f.scene())->name == "From frame 20");
  CHECK(f.undo_text() == "Move Ball at Frame 20");
  CHECK(f.document().undo_stack()->index() == 1);
  REQUIRE(complete(f.playback()));
  CHECK(f.hashes(20) == before);
  CHECK((f.pixel(f.at(20)) - f.pixel(to)).manhattanLength() < 3);
  CHECK((f.at(35) - later).norm() > 0.2);
  CHECK(f.object("Ball").transform.position == Vec3(-1, 1, 0));
  // Its velocity, by the tip of the arrow; the same take goes on.
  REQUIRE(f.view().changing().on());
  const auto tip = f.view().changing().tips().at(0);
  f.drag(&f.view(), tip.at, tip.at + QPointF(-90, -170));
  CHECK(f.scene().takes.size() == 2);
  CHECK(f.undo_text() == "Move velocity of Ball at Frame 20");
  REQUIRE(complete(f.playback()));
  CHECK(f.hashes(20) == before);
  CHECK(f.at(24).x() < f.at(20).x());
  CHECK(f.at(24).y() > f.at(20).y());
  f.shot("change_here_thrown");
  // Turned by keys.
  f.view().setFocus();
  f.move_to(f.pixel(f.at(20)) + QPointF(60, 0));
  f.key(Qt::Key_R);
  f.key(Qt::Key_Z);
  f.key(Qt::Key_9);
  f.key(Qt::Key_0);
  f.key(Qt::Key_Return);
  REQUIRE(complete(f.playback()));
  CHECK(f.undo_text() == "Rotate Ball at Frame 20");
  const auto turned = f.playback().cache().frame(20)->find(f.ball)->rotation;
  CHECK(turned.angularDistance(Eigen::Quaternionf(Eigen::AngleAxisf(1.5708f, Eigen::Vector3f::UnitZ()))) < 0.02f);
  const MotionNode* box = change_at(f.scene(), f.ball, 20);
  REQUIRE(box);
  CHECK(f.scene().motion.size() == 2);
  // Esc ends it; the first take has its frames.
  f.key(Qt::Key_Escape);
  CHECK_FALSE(f.view().changing().on());
  f.click_row(0);
  REQUIRE(complete(f.playback()));
  CHECK(f.at(35) == later);
  f.click_row(1);
  CHECK(f.playback().status().phase == FillStatus::Phase::complete);
  // A cancelled drag leaves nothing.
  f.playback().set_frame(10);
  QTest::qWait(20);
  const int steps = f.document().undo_stack()->index();
  f.action("take.change_here")->trigger();
  f.view().setFocus();
  f.move_to(f.pixel(f.at(10)) + QPointF(60, 0));
  f.key(Qt::Key_G);
  f.move_to(f.pixel(f.at(10)) + QPointF(120, 30));
  f.key(Qt::Key_Escape);
  CHECK(f.document().undo_stack()->index() == steps);
  CHECK(f.scene().takes.size() == 2);
  // Another frame ends it.
  CHECK(f.view().changing().on());
  f.playback().set_frame(11);
  CHECK_FALSE(f.view().changing().on());
  back_and_forth(f, start);
}

TEST_CASE("Flow: a number is varied into takes, which play on the wall; the one that is clicked is gone on with",
          "[ui][flow][takes]") {
  TakeFlow f;
  f.stage(30);
  const std::string start = scene_to_text(f.scene());
  f.selection().select_only(f.ball);
  f.submenu("Playback", "take.vary");
  auto* dialog = f.window.findChild<VaryDialog*>();
  REQUIRE(dialog);
  auto* number = dialog->findChild<QComboBox*>("vary_number");
  CHECK(dialog->findChild<QComboBox*>("vary_thing")->currentText() == "Ball");
  number->setCurrentIndex(number->findText("Velocity X"));
  type_number(dialog->findChild<NumberField*>("vary_from"), "0");
  type_number(dialog->findChild<NumberField*>("vary_to"), "4");
  type_number(dialog->findChild<NumberField*>("vary_count"), "5");
  f.shot("vary_dialog", dialog);
  QTest::mouseClick(dialog->findChild<QPushButton*>("vary_make"), Qt::LeftButton);
  REQUIRE(f.scene().takes.size() == 6);
  CHECK(f.undo_text() == "Vary Velocity X");
  CHECK(f.scene().takes[1]->name == "Velocity X 0 m/s");
  CHECK(f.scene().takes[5]->name == "Velocity X 4 m/s");
  CHECK(current_take(f.scene())->name == "Take 1");
  // The wall is open.
  REQUIRE(f.on_wall());
  TakeWall& wall = *f.wall();
  REQUIRE(wall.tiles().size() == 6);
  for (const TakeWall::Tile& tile : wall.tiles()) {
    CHECK(tile.failure.isEmpty());
    REQUIRE(tile.frames);
    CHECK(tile.frames->size() == 31);
    CHECK_FALSE(tile.picture.isNull());
  }
  CHECK(wall.tiles()[1].frames->frame(30)->state_hash != wall.tiles()[2].frames->frame(30)->state_hash);
  const int drawn = wall.pictures();
  REQUIRE(wait_for([&] { return wall.pictures() > drawn + 2; }, 10000));
  f.shot("take_wall");
  const std::uint64_t last = wall.tiles()[5].frames->frame(30)->state_hash;
  Flow::click_in(&wall, wall.place_of(5).center());
  REQUIRE(wait_for([&] { return f.wall() == nullptr; }, 2000));
  CHECK(current_take(f.scene())->name == "Velocity X 4 m/s");
  CHECK(f.object("Ball").body.velocity.x() == 4);
  // Nothing is computed again.
  CHECK(f.playback().status().phase == FillStatus::Phase::complete);
  CHECK(f.playback().cache().frame(30)->state_hash == last);
  // Esc leaves all as it is.
  f.submenu("Playback", "take.wall");
  REQUIRE(f.wall());
  QTest::qWait(50);
  QTest::keyClick(f.wall(), Qt::Key_Escape);
  REQUIRE(wait_for([&] { return f.wall() == nullptr; }, 2000));
  CHECK(current_take(f.scene())->name == "Velocity X 4 m/s");
  REQUIRE(complete(f.playback()));
  CHECK(f.playback().cache().frame(30)->state_hash == last);
  // One that is not ticked is not on it.
  f.list();
  f.action("take.wall")->trigger();
  REQUIRE(f.wall());
  QTest::keyClick(f.wall(), Qt::Key_Escape);
  back_and_forth(f, start);
}

TEST_CASE("Flow: sixteen takes that part late play on the wall, and the window goes on", "[ui][flow][takes]") {
  TakeFlow f;
  f.stage(120);
  Scene scene = f.scene();
  Scene first = scene;
  for (int k = 0; k < 15; ++k) {
    const BodyChange change{f.ball, Vec3::Zero(), Quat::Identity(), Vec3(-2 + 0.3 * k, 3, 0)};
    Scene motion = changed_at(first, 60, std::span(&change, 1), {});
    scene = with_take_of(std::move(scene), motion, "Throw " + std::to_string(k + 1)).scene;
  }
  (void)f.document().edit("Takes", std::move(scene));
  f.action("take.wall")->trigger();
  REQUIRE(f.wall());
  REQUIRE(f.wall()->tiles().size() == 16);
  // While it computes and plays, the window answers at once.
  qint64 worst = 0;
  QElapsedTimer timer;
  for (int k = 0; k < 40; ++k) {
    timer.restart();
    QCoreApplication::processEvents();
    worst = std::max(worst, timer.elapsed());
    QThread::msleep(5);
  }
  INFO("longest " << worst << " ms");
  CHECK(worst < 400);
  REQUIRE(f.on_wall());
  for (const TakeWall::Tile& tile : f.wall()->tiles()) CHECK(tile.frames->size() == 121);
  // What they share is the same frames, not only equal ones.
  const auto& tiles = f.wall()->tiles();
  for (std::size_t i = 1; i < tiles.size(); ++i) {
    CHECK(tiles[i].frames->frame(59) == tiles[0].frames->frame(59));
    CHECK(tiles[i].frames->frame(90) != tiles[0].frames->frame(90));
  }
  const int drawn = f.wall()->pictures();
  REQUIRE(wait_for([&] { return f.wall()->frame() > 75 && f.wall()->pictures() > drawn + 4; }, 20000));
  f.shot("take_wall_16");
  QTest::keyClick(f.wall(), Qt::Key_Escape);
  CHECK(wait_for([&] { return f.wall() == nullptr; }, 2000));
}

}  // namespace flow_takes_test
