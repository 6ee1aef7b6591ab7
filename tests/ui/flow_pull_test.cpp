// The hand as a person has it, in the real window by mouse: press on what runs, drag, let go; rewind, keep, undo, record.
#include "core/scene/derived/tracks.h"
#include "core/scene/diff.h"
#include "tests/ui/flow_support.h"
#include "ui/model/key_selection.h"
#include "ui/model/live_pull.h"
#include "ui/model/playback_controller.h"
#include "ui/model/selection.h"
#include "ui/panels/dope_sheet.h"
#include "ui/widgets/adjust_panel.h"

namespace flow_pull_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

struct PullFlow : Flow {
  LivePull& pull() { return window.context().pull; }
  int steps() { return document().undo_stack()->index(); }
  std::string undo_text() { return document().undo_stack()->undoText().toStdString(); }

  /// A floor and a ball that falls on it and lies; a jelly beside it.
  void stage() {
    Scene made = make_new_scene();
    const auto add = [&](Object object) {
      object.id = next_id(made);
      made.objects.push_back(Shared<Object>(std::move(object)));
    };
    add(make_object(0, "Ball", {PrimitiveShape::sphere, Vec3(0.6, 0.6, 0.6), {24, 12, 1}}, Vec3(-0.6, 0.6, 0)));
    Object soft = make_object(0, "Jelly", {PrimitiveShape::sphere, Vec3(0.7, 0.7, 0.7), {24, 12, 1}}, Vec3(0.8, 0.6, 0),
                              BodyKind::flexible);
    soft.analysis.size = Vec3(0.7, 0.7, 0.7);
    add(soft);
    made.settings.last_frame = 240;
    Flow::Window::open(made);
    ViewCamera camera;
    camera.target = {0, 0.8f, 0};
    camera.distance = 6;
    camera.yaw = 0;
    camera.pitch = 0.1f;
    view().camera() = camera;
    view().setFocus();
    REQUIRE(wait_for([&] { return playback().cache().size() == 241; }, 60000));
    playback().set_frame(60);
    REQUIRE(wait_for([&] { return playback().shown() != nullptr; }, 5000));
    QTest::qWait(30);
  }
  std::vector<std::uint64_t> hashes() {
    std::vector<std::uint64_t> all;
    for (const FramePtr& frame : playback().cache().frames()) all.push_back(frame ? frame->state_hash : 0);
    return all;
  }
  Vec3 shown(const char* name) {
    const FramePtr frame = playback().shown();
    REQUIRE(frame);
    return frame->find(object(name).id)->position.cast<double>();
  }
  void press(QPointF at, Qt::KeyboardModifiers keys = {}) {
    move_to(at);
    mouse(&view(), QEvent::MouseButtonPress, at, Qt::LeftButton, Qt::LeftButton, keys);
  }
  void release(QPointF at) { mouse(&view(), QEvent::MouseButtonRelease, at, Qt::LeftButton, Qt::NoButton); }
  /// A way of the held mouse that takes so many frames.
  void haul(QPointF from, QPointF to, int frames) {
    const int begin = playback().frame();
    for (int k = 1; k <= frames; ++k) {
      mouse(&view(), QEvent::MouseMove, from + (to - from) * k / double(frames), Qt::NoButton, Qt::LeftButton);
      REQUIRE(wait_for([&] { return playback().frame() >= begin + k; }, 20000));
      CHECK(playback().shown());
    }
  }
};

}  // namespace

TEST_CASE("Flow: a ball is pulled while it runs, thrown, and the run before is there again", "[ui][flow][pull]") {
  PullFlow f;
  f.stage();
  const std::string start = scene_to_text(f.scene());
  const auto before = f.hashes();
  f.key(Qt::Key_Y);
  CHECK(f.view().tool() == "pull");
  const Vec3 ball = f.shown("Ball");
  const QPointF from = f.pixel(ball + Vec3(0, 0.1, 0.28)), to = f.pixel(Vec3(-0.2, 1.9, 0));
  f.press(from);
  REQUIRE(f.pull().holds());
  CHECK(f.playback().playing());
  f.haul(from, to, 30);
  CHECK(f.pull().holds());
  // It is where the mouse is, no frame was computed ahead of it, and the frames before are the old ones.
  CHECK(f.shown("Ball").y() > ball.y() + 0.7);
  CHECK(f.playback().cache().size() <= f.playback().frame() + 2);
  CHECK(f.playback().shown()->joints);
  f.shot("pull_held");
  if (const QByteArray folder = qgetenv("HAZUMI_SHOTS"); !folder.isEmpty()) {
    // On its way after a quick hand.
    f.haul(to, to + QPointF(170, -40), 4);
    CHECK(f.view().picture().save(QString::fromUtf8(folder) + "/pull.png"));
    f.haul(to + QPointF(170, -40), to, 12);
  }
  f.release(to);
  CHECK(!f.pull().holds());
  CHECK(f.pull().lasts());
  CHECK(f.steps() == 0);
  CHECK(scene_to_text(f.scene()) == start);
  REQUIRE(wait_for([&] { return f.playback().cache().size() == 241; }, 60000));
  const auto pulled = f.hashes();
  for (std::size_t k = 0; k <= 60; ++k) CHECK(pulled[k] == before[k]);
  CHECK(pulled[100] != before[100]);
  CHECK(f.view().findChild<QWidget*>("keep_pull_bar")->isVisible());
  f.shot("pull_let_go");
  // Rewound: the run without it, bit for bit.
  f.playback().play(false);
  f.action("play.start")->trigger();
  REQUIRE(wait_for([&] { return f.playback().cache().size() == 241; }, 60000));
  CHECK(f.hashes() == before);
  CHECK(!f.pull().lasts());
  CHECK(f.steps() == 0);
  CHECK(!f.view().findChild<QWidget*>("keep_pull_bar")->isVisible());
}

TEST_CASE("Flow: a pull is kept in one undo step, as it was seen, and taken back", "[ui][flow][pull]") {
  PullFlow f;
  f.stage();
  const auto before = f.hashes();
  const QPointF from = f.pixel(f.shown("Jelly") + Vec3(0, 0.1, 0.3)), to = f.pixel(Vec3(1.2, 1.6, 0));
  // With any tool.
  f.press(from, Qt::ControlModifier | Qt::ShiftModifier);
  REQUIRE(f.pull().holds());
  f.haul(from, to, 25);
  f.shot("pull_jelly");
  f.release(to);
  REQUIRE(wait_for([&] { return f.playback().cache().size() == 241; }, 60000));
  const auto pulled = f.hashes();
  CHECK(pulled != before);
  f.key(Qt::Key_K);
  CHECK(f.steps() == 1);
  CHECK(f.undo_text() == "Pull Jelly");
  REQUIRE(f.scene().joints.size() == 1);
  const Joint& joint = *f.scene().joints[0];
  CHECK(joint.name == "Pull Jelly");
  CHECK(joint.kind == JointKind::pull);
  CHECK(f.selection().ids() == std::set<Id>{joint.id});
  REQUIRE(find_track(f.scene(), joint.id.value, "b.place"));
  CHECK(find_track(f.scene(), joint.id.value, "b.place")->keys.size() > 10);
  CHECK(f.hashes() == pulled);
  f.playback().play(false);
  f.playback().set_frame(80);
  CHECK(f.hashes() == pulled);
  f.shot("pull_kept");
  f.playback().set_frame(170);
  CHECK(f.window.findChild<QLabel*>("properties_joint")->text() == "Frame 170: off.");
  f.key(Qt::Key_Z, Qt::ControlModifier);
  REQUIRE(wait_for([&] { return f.playback().cache().size() == 241; }, 60000));
  CHECK(f.hashes() == before);
  CHECK(f.scene().joints.empty());
  f.key(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
  REQUIRE(wait_for([&] { return f.playback().cache().size() == 241; }, 60000));
  CHECK(f.hashes() == pulled);
  f.key(Qt::Key_Delete);
  CHECK(f.scene().joints.empty());
  CHECK(f.scene().tracks.empty());
}

TEST_CASE("Flow: a kept pull's keys are thinned out, more or less of them", "[ui][flow][pull][keys]") {
  PullFlow f;
  f.stage();
  const QPointF from = f.pixel(f.shown("Jelly") + Vec3(0, 0.1, 0.3)), to = f.pixel(Vec3(1.2, 1.6, 0));
  f.press(from, Qt::ControlModifier | Qt::ShiftModifier);
  f.haul(from, to, 25);
  f.release(to);
  f.key(Qt::Key_K);
  REQUIRE(f.scene().joints.size() == 1);
  const Id joint = f.scene().joints[0]->id;
  const auto keys = [&] { return find_track(f.scene(), joint.value, "b.place")->keys.size(); };
  const std::size_t recorded = keys();
  CHECK(!f.action("keys.thin")->isEnabled());
  f.tab("dope_sheet");
  auto* sheet = f.window.findChild<DopeSheet*>();
  REQUIRE(sheet);
  QTest::mouseMove(sheet, QPoint(500, 40));
  QTest::qWait(30);
  sheet->setFocus();
  QTest::keyClick(sheet, Qt::Key_A);
  constexpr std::size_t kSwitched = 3;  // when it is on
  CHECK(f.window.context().keys.count() == recorded + kSwitched);
  const int steps = f.steps();
  f.menu("Keys", "keys.thin");
  CHECK(f.steps() == steps + 1);
  CHECK(f.undo_text() == "Thin Out " + std::to_string(recorded + kSwitched) + " keys");
  const std::size_t fine = keys();
  INFO("recorded " << recorded << ", thinned " << fine);
  CHECK(fine < recorded);
  // All that are left are selected. F9, with the mouse still in the dope sheet, takes a coarser tolerance, as the same step.
  CHECK(f.window.context().keys.count() == fine + kSwitched);
  sheet->setFocus();
  QTest::keyClick(sheet, Qt::Key_F9);
  AdjustPanel& panel = *f.window.adjust_panel();
  REQUIRE(panel.field("part"));
  type_number(number_of(panel.field("part")), "10");
  CHECK(keys() < fine);
  CHECK(f.steps() == steps + 1);
  f.shot("keys_thinned");
  f.key(Qt::Key_Z, Qt::ControlModifier);
  CHECK(keys() == recorded);
}

TEST_CASE("Flow: recorded pulls are steps at once; an edit ends what is not kept", "[ui][flow][pull]") {
  PullFlow f;
  f.stage();
  const auto before = f.hashes();
  f.menu("Playback", "play.record_pulls");
  f.key(Qt::Key_Y);
  const auto pull_ball = [&](const Vec3& way) {
    const Vec3 ball = f.shown("Ball");
    const QPointF from = f.pixel(ball + Vec3(0, 0, 0.28)), to = f.pixel(ball + way);
    f.press(from);
    REQUIRE(f.pull().holds());
    f.haul(from, to, 12);
    f.release(to);
  };
  pull_ball(Vec3(0, 0.8, 0));
  CHECK(f.steps() == 1);
  CHECK(!f.pull().lasts());
  pull_ball(Vec3(-0.5, 0.5, 0));
  CHECK(f.steps() == 2);
  REQUIRE(f.scene().joints.size() == 2);
  CHECK(f.scene().joints[0]->name != f.scene().joints[1]->name);
  f.playback().play(false);
  f.menu("Playback", "play.record_pulls");
  f.key(Qt::Key_Z, Qt::ControlModifier);
  f.key(Qt::Key_Z, Qt::ControlModifier);
  REQUIRE(wait_for([&] { return f.playback().cache().size() == 241; }, 60000));
  CHECK(f.hashes() == before);
  f.playback().set_frame(60);
  pull_ball(Vec3(0, 0.8, 0));
  CHECK(f.pull().lasts());
  f.playback().play(false);
  REQUIRE(f.document().edit_object("Lighter Ball", f.object("Ball").id, [](Object& o) { o.body.mass *= 0.5; }).ok());
  CHECK(!f.pull().lasts());
  // What cannot be pulled is said, and is no step.
  const int steps = f.steps();
  QString told;
  QObject::connect(&f.document(), &DocumentController::told, [&](const QString& sentence) { told = sentence; });
  f.playback().set_frame(60);
  REQUIRE(wait_for([&] { return f.playback().shown() != nullptr; }, 20000));
  const QPointF floor = f.pixel(Vec3(0.1, 0, 1.5));
  f.press(floor);
  f.release(floor);
  CHECK(!f.pull().holds());
  CHECK(f.steps() == steps);
  INFO(told.toStdString());
  CHECK((told.isEmpty() || told.contains("does not move")));
}

}  // namespace flow_pull_test
