// Point 4 of the foundation on the real window: playing while frames are computed, scrubbing, and what an edit recomputes.
#include <QProcess>

#include "tests/ui/flow_support.h"
#include "ui/panels/timeline_ruler.h"
#include "ui/widgets/theme.h"

namespace flow_play_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

/// The shipped ball scene, 61 frames by the field of the time line.
void open_balls(Flow& f) {
  f.open(shipped("soft_and_hard_ball.json"));
  type_number(f->findChild<QWidget*>("timeline_last")->findChild<NumberField*>(), "60");
  REQUIRE(f.scene().settings.last_frame == 60);
  f.view().setFocus();
}

Id flexible_ball(const Scene& scene) {
  for (const auto& object : scene.objects)
    if (object->body.kind == BodyKind::flexible) return object->id;
  return {};
}

/// True when the strip of computed frames is painted at this frame.
bool painted_computed(TimelineRuler& ruler, int frame) {
  const QImage image = ruler.grab().toImage();
  const double ratio = image.devicePixelRatio();
  const int x = static_cast<int>((ruler.x_of(frame) - 1.5) * ratio);
  const QColor wanted = theme_colours().computed;
  for (int y = image.height() / 2; y < image.height(); ++y) {
    const QColor c = image.pixelColor(x, y);
    if (std::abs(c.red() - wanted.red()) + std::abs(c.green() - wanted.green()) + std::abs(c.blue() - wanted.blue()) <
        60)
      return true;
  }
  return false;
}

}  // namespace

TEST_CASE("Flow: frames of the window have the hashes that the command line prints", "[ui][flow][hash]") {
  Flow f;
  open_balls(f);
  REQUIRE(complete(f.playback()));
  QProcess cli;
  cli.start(HAZUMI_BINARY_DIR "/bin/hazumi-cli",
            {"simulate", shipped("soft_and_hard_ball.json"), "--frames", "0-60", "--hash", "--threads", "1"});
  REQUIRE(cli.waitForFinished(120000));
  REQUIRE(cli.exitCode() == 0);
  const QStringList lines = QString::fromUtf8(cli.readAllStandardOutput()).split('\n', Qt::SkipEmptyParts);
  REQUIRE(lines.size() == 61);
  for (int i = 0; i <= 60; ++i) {
    INFO(i);
    const FramePtr frame = f.playback().cache().frame(i);
    REQUIRE(frame);
    CHECK(lines[i] == QString("frame %1 %2").arg(i).arg(frame->state_hash, 16, 16, QChar('0')));
  }
}

TEST_CASE("Flow: Space plays while frames are computed; the time line shows them; the mouse scrubs", "[ui][flow]") {
  Flow f;
  open_balls(f);
  auto* ruler = f->findChild<TimelineRuler*>();
  REQUIRE(ruler);
  // Held back right after a new beginning, the end of the range is not there yet and not painted.
  f.playback().set_paused(true);
  f.selection().select_only(flexible_ball(f.scene()));
  type_number(number_of(f.analysis().stiffness()), "3000");
  QTest::qWait(100);
  REQUIRE(f.playback().cache().size() < 60);
  CHECK_FALSE(painted_computed(*ruler, 58));
  f.view().setFocus();
  f.key(Qt::Key_Space);
  REQUIRE(f.playback().playing());
  QTest::qWait(150);
  CHECK(f.playback().frame() < std::max(1, f.playback().cache().size()));  // never ahead of what is there
  f.playback().set_paused(false);
  REQUIRE(wait_for([&] { return f.playback().frame() > 5; }));
  CHECK(f.playback().shown());
  REQUIRE(complete(f.playback()));
  QTest::qWait(60);
  CHECK(painted_computed(*ruler, 58));
  f.key(Qt::Key_Space);
  CHECK_FALSE(f.playback().playing());
  const int drawn = f.view().frames_drawn();
  for (int frame : {10, 45, 3, 60}) {
    f.drag(ruler, QPointF(ruler->x_of(20), 8), QPointF(ruler->x_of(frame), 8));
    CHECK(f.playback().frame() == frame);
    REQUIRE(f.view().displayed_frame());
    CHECK(f.view().displayed_frame()->index == frame);
  }
  QTest::qWait(30);
  CHECK(f.view().frames_drawn() > drawn);
}

TEST_CASE("Flow: a colour drops no frame, a stiffness restarts, undo brings the very frames back", "[ui][flow]") {
  Flow f;
  open_balls(f);
  REQUIRE(complete(f.playback()));
  const FrameCache& cache = f.playback().cache();
  const auto generation = cache.generation();
  const std::vector<FramePtr> first = cache.frames();
  REQUIRE(first.size() >= 61);
  // The same objects, not equal ones. (One more may come: of the longer range that was under way when it became shorter.)
  const auto still_there = [&] {
    const std::vector<FramePtr> now = cache.frames();
    return now.size() >= first.size() && std::equal(first.begin(), first.end(), now.begin());
  };
  const Id ball = flexible_ball(f.scene());
  f.selection().select_only(ball);
  const Vec3 colour = find_object(f.scene(), ball)->material.surface.diffuse;
  MaterialPanel& material = f.material();
  type_number(f.sight(material.hsv(1, 0)), "120");
  CHECK(find_object(f.scene(), ball)->material.surface.diffuse != colour);
  QTest::qWait(50);
  CHECK(cache.generation() == generation);
  CHECK(still_there());

  AnalysisPanel& analysis = f.analysis();
  type_number(number_of(f.sight(analysis.stiffness())), "2500");
  REQUIRE(wait_for([&] { return cache.generation() != generation; }));
  REQUIRE(complete(f.playback()));
  REQUIRE(cache.frame(60));
  CHECK(cache.frame(60)->state_hash != first[60]->state_hash);
  CHECK(cache.frame(0)->state_hash == first[0]->state_hash);  // the same beginning
  f.view().setFocus();
  f.key(Qt::Key_Z, Qt::ControlModifier);
  REQUIRE(wait_for([&] { return cache.frame(60) == first[60]; }));
  CHECK(still_there());
  f.key(Qt::Key_Z, Qt::ControlModifier);
  CHECK(find_object(f.scene(), ball)->material.surface.diffuse == colour);
  CHECK(still_there());
}

TEST_CASE("Flow: edits while it plays", "[ui][flow]") {
  Flow f;
  open_balls(f);
  const Id ball = flexible_ball(f.scene());
  f.selection().select_only(ball);
  AnalysisPanel& analysis = f.analysis();
  f.view().setFocus();
  f.key(Qt::Key_Space);
  REQUIRE(wait_for([&] { return f.playback().frame() > 3; }));
  type_number(number_of(f.sight(analysis.stiffness())), "1500");
  CHECK(find_object(f.scene(), ball)->body.stiffness == 1500);
  CHECK(f.playback().playing());
  REQUIRE(complete(f.playback()));
  const int at = f.playback().frame();
  REQUIRE(wait_for([&] { return f.playback().frame() != at; }));
  f.view().setFocus();
  f.key(Qt::Key_G);
  f.key(Qt::Key_Y);
  f.key(Qt::Key_1);
  f.key(Qt::Key_Return);
  CHECK(f.playback().playing());
  REQUIRE(complete(f.playback()));
  const FramePtr moved = f.playback().cache().frame(0);
  REQUIRE(moved);
  CHECK(moved->find(ball)->position.y() == Approx(find_object(f.scene(), ball)->transform.position.y()).epsilon(9e-8));
  f.key(Qt::Key_Space);
  CHECK_FALSE(f.playback().playing());
}

TEST_CASE("Flow: pictures of the user guide: the window and its time line", "[ui][flow][shots]") {
  if (qEnvironmentVariableIsEmpty("HAZUMI_SHOTS")) return;  // pictures only; nothing to check
  Flow f;
  f.open(shipped("soft_and_hard_ball.json"));
  f.playback().set_frame(0);
  REQUIRE(complete(f.playback()));
  f.playback().set_frame(52);
  f.selection().select_only(flexible_ball(f.scene()));
  f.tab("properties");
  f.menu("View", "view.analysis_cycle");
  f.move_to(QPointF(-1, -1));
  f.shot("main-window");
  f.playback().set_frame(0);
  f.view().setFocus();
  f.move_to(f.pixel(f.object("Soft ball").transform.position));
  for (Qt::Key k : {Qt::Key_G, Qt::Key_X, Qt::Key_Minus, Qt::Key_0, Qt::Key_Period, Qt::Key_5}) f.key(k);
  f.shot("typed-move", &f.view());
  f.key(Qt::Key_Escape);
  f.open(shipped("heap.json"));
  REQUIRE(wait_for([&] { return f.playback().cache().size() > 80; }, 120000));
  f.playback().set_frame(60);
  f.selection().select_only(flexible_ball(f.scene()));
  type_number(number_of(f.analysis().stiffness()), "900");
  REQUIRE(wait_for([&] { return f.playback().cache().size() > 20; }, 120000));
  f.playback().set_paused(true);
  f.shot("time-line", f->findChild<QDockWidget*>("timeline"));
  f.playback().set_paused(false);
  f->show_start_page();
  QTest::qWait(6000);
  f.shot("start-page");
  f->hide_start_page();
}

}  // namespace flow_play_test
