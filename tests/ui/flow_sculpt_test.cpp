// Shapes sculpted where the body is in a frame of its run, and bodies bent along a line that is drawn: on the real window, by mouse.
#include <QPushButton>
#include <QToolButton>

#include "core/scene/derived/tracks.h"
#include "core/scene/file/scene_io.h"
#include "tests/ui/bar_support.h"

namespace flow_sculpt_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

struct SculptFlow : BarFlow {
  /// A flexible bar of 7 × 3 × 3 nodes in the air, one end lower.
  SculptFlow() : BarFlow("polyhedral", Vec3(1.5, 0.4, 0.4), {6, 2, 2}, Vec3(0, 1.1, 0), 0.6f, 0.5) {}
  /// Of the pose, as it is seen.
  std::vector<Vec3> seen() {
    const auto sight = view().mode_view();
    REQUIRE(sight);
    std::vector<Vec3> places;
    for (const Vec3& x : nodes()) places.push_back(sight->space.world(x));
    return places;
  }
  std::vector<Vec3> run_at(int frame) {
    std::vector<Vec3> places;
    const FramePtr there = playback().cache().frame(frame);
    REQUIRE(there);
    for (const Vec3f& x : there->find(id)->nodes) places.push_back(x.cast<double>());
    return places;
  }
  /// By mouse along these places, without letting go.
  void stroke(const std::vector<QPointF>& line) {
    mouse(&view(), QEvent::MouseMove, line[0], Qt::NoButton, Qt::NoButton);
    mouse(&view(), QEvent::MouseButtonPress, line[0], Qt::LeftButton, Qt::LeftButton);
    for (const QPointF& at : line) mouse(&view(), QEvent::MouseMove, at, Qt::NoButton, Qt::LeftButton);
  }
  void bend_along(const std::vector<QPointF>& line) {
    press_key(Qt::Key_L);
    stroke(line);
    let_go(line.back());
    press_key(Qt::Key_Escape);
  }
  void let_go(QPointF at) {
    mouse(&view(), QEvent::MouseButtonRelease, at, Qt::LeftButton, Qt::NoButton);
    QTest::qWait(5);
  }
};

double farthest(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  REQUIRE(a.size() == b.size());
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, (a[i] - b[i]).norm());
  return most;
}

/// Moved and turned to where it fits these best.
std::vector<Vec3> laid_on(std::vector<Vec3> nodes, const std::vector<Vec3>& places) {
  const Transform at = placed_on(nodes, Vec3::Ones(), places);
  for (Vec3& x : nodes) x = at.position + at.rotation * x;
  return nodes;
}

/// A corner is dragged, and what is seen goes with the mouse; a hand works there too.
void shape_by_hand(SculptFlow& f, const std::vector<Vec3>& rest) {
  std::uint32_t corner = 0;
  for (std::uint32_t i = 0; i < rest.size(); ++i)
    if ((rest[i] - Vec3(0.75, 0.2, 0.2)).norm() < 1e-6) corner = i;
  f.click(f.pixel(f.seen()[corner]));
  REQUIRE(f.elements().contains({0, corner}));
  const QPointF from = f.pixel(f.seen()[corner]), to = from + QPointF(30, -60);
  f.drag(&f.view(), from, to);
  CHECK(f.steps() == 2);
  CHECK(QLineF(f.pixel(f.seen()[corner]), to).length() < 3);
  CHECK(f.playback().frame() == 48);
  REQUIRE(f.view().displayed_frame());
  CHECK(f.view().displayed_frame()->index == 48);  // the floor and others as they were there
  f.press_key(Qt::Key_J);
  const QPointF end = f.pixel(f.seen()[corner]);
  f.drag(&f.view(), end, end + QPointF(50, 0));
  f.press_key(Qt::Key_Escape);
  CHECK(f.steps() == 3);
}

/// In order, as they are now.
std::vector<std::pair<double, Vec3>> nodes_on_axis(SculptFlow& f, const std::vector<Vec3>& rest) {
  std::vector<std::pair<double, Vec3>> on;
  const std::vector<Vec3> now = f.nodes();
  for (std::size_t i = 0; i < rest.size(); ++i)
    if (std::abs(rest[i].y()) < 1e-9 && std::abs(rest[i].z()) < 1e-9) on.emplace_back(rest[i].x(), now[i]);
  std::sort(on.begin(), on.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  return on;
}

/// With the tool in hand, on a body that goes along `arch`, which it is left with.
void give_up_and_turn_round(SculptFlow& f, const std::vector<Vec3>& rest, const std::vector<QPointF>& arch,
                            const std::vector<QPointF>& wave) {
  const std::vector<Vec3> arched = f.nodes();
  // One that is given up goes back to the line before, to the last bit and with its steps.
  const std::string arched_text = scene_to_text(f.scene());
  const int arched_steps = f.steps();
  f.stroke(wave);
  CHECK(farthest(f.nodes(), arched) > 0.1);
  f.press_key(Qt::Key_Escape);
  f.let_go(wave.back());
  CHECK(scene_to_text(f.scene()) == arched_text);
  CHECK(f.steps() == arched_steps);

  // V has the other end go to where the line begins.
  const auto first_goes_to = [&](QPointF where, QPointF other) {
    const auto ends = nodes_on_axis(f, rest);
    const QPointF first = f.pixel(f.view().mode_view()->space.world(ends.front().second));
    return QLineF(first, where).length() < QLineF(first, other).length();
  };
  CHECK(first_goes_to(arch.front(), arch.back()));
  f.press_key(Qt::Key_V);
  f.stroke(arch);
  f.let_go(arch.back());
  CHECK(first_goes_to(arch.back(), arch.front()));
  f.press_key(Qt::Key_V);
  f.stroke(arch);
  f.let_go(arch.back());
  CHECK(farthest(f.nodes(), arched) < 1e-12);
}

}  // namespace

TEST_CASE("Flow: a key of a shape is sculpted where the body is at its frame", "[ui][flow][poses][sculpt]") {
  SculptFlow f;
  const std::string start = scene_to_text(f.scene());
  REQUIRE(complete(f.playback()));
  f.playback().set_frame(48);
  QTest::qWait(30);
  const std::vector<Vec3> run = f.run_at(48);
  REQUIRE(farthest(run, f.run_at(0)) > 0.3);
  const glm::mat4 camera = static_cast<const Viewport&>(f.view()).camera().view();

  // One click: a pose as the body is there, its key and one of the start, and the view shapes it there.
  f.push("sculpt_key");
  REQUIRE(f.elements().in("poses"));
  CHECK(f.steps() == 1);
  CHECK(f.document().undo_stack()->undoText() == "Key a shape of Bar at frame 48");
  const Track* track = find_track(f.scene(), f.id.value, "body.shape.pose");
  REQUIRE(track);
  REQUIRE(track->keys.size() == 2);
  CHECK(track->keys[0].value[0] == 0);
  CHECK(track->keys[1].time == Approx(0.8));
  CHECK(track->keys[1].value[0] == f.bar().analysis.poses[0].id);
  CHECK(f.playback().frame() == 48);
  CHECK(f.view().elements_shown());
  CHECK(static_cast<const Viewport&>(f.view()).camera().view() == camera);
  // It is the body's shape there. It stands on the run, of which the one with the key may have come already.
  CHECK(farthest(laid_on(f.nodes(), run), run) < 1e-5);
  // What is stored has no motion of the whole.
  const std::vector<Vec3> rest = analysis_truss(f.bar().analysis).nodes;
  const Transform whole = placed_on(rest, Vec3::Ones(), f.nodes());
  CHECK(whole.position.norm() < 1e-6);
  CHECK(whole.rotation.angularDistance(Quat::Identity()) < 1e-6);

  // When the run with the key has come, the handles stand on that.
  REQUIRE(wait_for([&] { return complete(f.playback()); }, 60000));
  QTest::qWait(30);
  const auto best = [&] { return placed_on(f.nodes(), Vec3::Ones(), f.run_at(48)); };
  REQUIRE(f.view().mode_view());
  CHECK((f.view().mode_view()->space.transform.position - best().position).norm() < 1e-5);
  const Transform stood = f.view().mode_view()->space.transform;
  const double off = farthest(f.seen(), f.run_at(48));
  INFO("off the run " << off);
  CHECK(off < 0.15);

  shape_by_hand(f, rest);
  CHECK(f.view().mode_view()->space.transform.position == stood.position);
  f.shot("sculpt-at-frame");
  REQUIRE(wait_for([&] { return complete(f.playback()); }, 60000));
  CHECK(f.view().mode_view()->space.transform.position == stood.position);

  // Out of the mode the run is seen again, without a jump of the camera.
  f.press_key(Qt::Key_Tab);
  CHECK_FALSE(f.elements().mode());
  REQUIRE(f.view().displayed_frame());
  CHECK(f.view().displayed_frame() == f.playback().cache().frame(48));
  CHECK(static_cast<const Viewport&>(f.view()).camera().view() == camera);
  f.shot("sculpt-run");
  // The key is there: it is opened, and nothing is made.
  const int steps = f.steps();
  f.push("sculpt_key");
  CHECK(f.elements().in("poses"));
  CHECK(f.steps() == steps);
  CHECK((f.view().mode_view()->space.transform.position - best().position).norm() < 1e-5);
  // As the body is here: the pose lies on the body.
  const std::vector<Vec3> body = f.run_at(48);
  CHECK(farthest(f.seen(), body) > 1e-3);
  auto* as_here = f.view().findChild<QToolButton*>("poses.as_here");
  REQUIRE(as_here);
  QTest::mouseClick(as_here, Qt::LeftButton);
  CHECK(f.steps() == steps + 1);
  CHECK(farthest(f.seen(), body) < 1e-5);
  f.press_key(Qt::Key_Tab);
  f.playback().set_frame(0);
  back_and_forth(f, start);
}

TEST_CASE("Flow: the first key of a shape leaves the start as it was", "[ui][flow][poses][sculpt]") {
  SculptFlow f;
  f.push("new_pose");
  REQUIRE(wait_for([&] { return complete(f.playback()); }, 60000));
  const std::string before = scene_to_text(f.scene());
  const int steps = f.steps();
  f.playback().set_frame(30);
  f.push("key_pose");
  const Track* track = find_track(f.scene(), f.id.value, "body.shape.pose");
  REQUIRE(track);
  REQUIRE(track->keys.size() == 2);
  CHECK(track->keys[0].time == 0);
  CHECK(track->keys[0].value[0] == 0);
  CHECK(track->keys[1].time == Approx(0.5));
  CHECK(track->keys[1].value[0] == f.bar().analysis.poses[0].id);
  CHECK(f.steps() == steps + 1);
  f.document().undo_stack()->undo();
  CHECK(scene_to_text(f.scene()) == before);
  // At the start there is nothing before it.
  f.playback().set_frame(0);
  f.push("key_pose");
  CHECK(find_track(f.scene(), f.id.value, "body.shape.pose")->keys.size() == 1);
}

TEST_CASE("Flow: a frame that is not computed is said, and sculpted where the body was last",
          "[ui][flow][poses][sculpt]") {
  SculptFlow f;
  REQUIRE(complete(f.playback()));
  f.push("new_pose");
  REQUIRE(wait_for([&] { return complete(f.playback()); }, 60000));
  f.playback().set_paused(true);
  REQUIRE(f.document().edit("Softer", with_object(f.scene(), f.id, [](Object& o) { o.body.stiffness = 250; })).ok());
  f.playback().set_frame(40);
  QTest::qWait(30);
  REQUIRE_FALSE(f.playback().shown());
  QTest::mouseClick(f.sight(f.section().edit_button()), Qt::LeftButton);
  REQUIRE(f.elements().in("poses"));
  INFO(f.view().hint().toStdString());
  CHECK(f.view().hint().startsWith("Frame 40 is not computed yet"));
  REQUIRE(f.elements().stand());
  CHECK_FALSE(f.elements().stand()->here);
  f.playback().set_paused(false);
  REQUIRE(wait_for([&] { return complete(f.playback()); }, 60000));
  REQUIRE(wait_for([&] { return f.elements().stand()->here; }, 2000));
  CHECK_FALSE(f.view().hint().startsWith("Frame 40"));
  const Transform best = placed_on(f.nodes(), Vec3::Ones(), f.run_at(40));
  CHECK((f.elements().stand()->place.position - best.position).norm() < 1e-5);
  // Where the run begins it is shaped as ever.
  f.playback().set_frame(0);
  QTest::qWait(10);
  CHECK_FALSE(f.elements().stand());
  CHECK(f.view().mode_view()->space.transform.position == f.bar().transform.position);
}

TEST_CASE("Flow: a body is bent along a line that is drawn, or clicked point by point", "[ui][flow][poses][sculpt]") {
  SculptFlow f;
  const std::string start = scene_to_text(f.scene());
  f.push("new_pose");
  QTest::mouseClick(f.sight(f.section().edit_button()), Qt::LeftButton);
  const std::vector<Vec3> rest = f.nodes();
  const auto middle_line = [&] { return nodes_on_axis(f, rest); };
  // An arch: half a circle about as long as the bar.
  const QPointF middle = f.pixel(f.bar().transform.position + Vec3(0, -0.2, 0));
  const double radius = 100;
  std::vector<QPointF> arch;
  for (int i = 0; i <= 40; ++i) {
    const double angle = 3.1416 * (1 - i / 40.0);
    arch.push_back(middle + radius * QPointF(std::cos(angle), -std::sin(angle)));
  }
  f.press_key(Qt::Key_L);
  REQUIRE(f.view().mode_tool() == "poses.curve");
  const int before = f.steps();
  f.stroke(arch);
  CHECK(farthest(f.nodes(), rest) > 0.1);  // seen while it is drawn
  f.shot("pose-curve-drawn");
  f.press_key(Qt::Key_Escape);
  CHECK(farthest(f.nodes(), rest) == 0);
  f.let_go(arch.back());
  CHECK(f.view().mode_tool() == "poses.curve");

  f.stroke(arch);
  f.let_go(arch.back());
  CHECK(f.document().undo_stack()->undoText() == "Bend along a line pose Pose of Bar");
  const int one = f.steps();
  CHECK(one == before + 1);  // the one that was given up left none
  const auto line = middle_line();
  REQUIRE(line.size() == 7);
  for (std::size_t i = 0; i + 1 < line.size(); ++i) {
    const double apart = (line[i + 1].second - line[i].second).norm();
    CHECK(apart < 0.25 + 1e-9);  // chords of arcs of 0.25 m
    CHECK(apart > 0.24);
  }
  // Its ends lie to the left and right of the arch, its middle on top, and it goes along the line.
  const auto at = [&](std::size_t k) { return f.pixel(f.view().mode_view()->space.world(line[k].second)); };
  for (std::size_t k = 0; k < 5; ++k) CHECK(QLineF(at(k), middle).length() == Approx(radius).margin(8));
  const std::vector<Vec3> arched = f.nodes();
  f.shot("pose-curve");

  // Another line takes its place; the same line is the same pose.
  std::vector<QPointF> wave;
  for (int i = 0; i <= 40; ++i) wave.push_back(middle + QPointF(-160 + 8.0 * i, 40 * std::sin(6.2832 * i / 40)));
  f.stroke(wave);
  f.let_go(wave.back());
  CHECK(f.steps() == one + 1);
  CHECK(farthest(f.nodes(), arched) > 0.1);
  f.stroke(arch);
  f.let_go(arch.back());
  CHECK(farthest(f.nodes(), arched) < 1e-12);

  give_up_and_turn_round(f, rest, arch, wave);

  // By clicks: three points and Enter are one step.
  const int steps = f.steps();
  for (const QPointF& p : {middle + QPointF(-150, 0), middle + QPointF(0, -60), middle + QPointF(150, 0)}) f.click(p);
  f.press_key(Qt::Key_Return);
  CHECK(f.steps() == steps + 1);
  CHECK(farthest(f.nodes(), arched) > 0.1);
  f.press_key(Qt::Key_Escape);
  CHECK(f.view().mode_tool().isEmpty());
  f.press_key(Qt::Key_Tab);
  back_and_forth(f, start);
}

TEST_CASE("Flow: a selected part of a body is bent along a line, and hangs on the rest", "[ui][flow][poses][sculpt]") {
  SculptFlow f;
  const std::string start = scene_to_text(f.scene());
  f.push("new_pose");
  QTest::mouseClick(f.sight(f.section().edit_button()), Qt::LeftButton);
  const std::vector<Vec3> rest = f.nodes();
  // A box round the right end: the nodes from x = 0.25 on.
  const Quat turn = f.bar().transform.rotation;
  const auto on_screen = [&](const Vec3& x) { return f.pixel(f.bar().transform.position + turn * x); };
  QRectF box(on_screen(Vec3(0.25, 0, 0)), QSizeF(1, 1));
  for (const double x : {0.25, 0.75})
    for (const double y : {-0.2, 0.2})
      for (const double z : {-0.2, 0.2}) {
        const QPointF p = on_screen(Vec3(x, y, z));
        box = box.united(QRectF(p, QSizeF(1, 1)));
      }
  f.drag(&f.view(), box.bottomRight() + QPointF(25, 25), box.topLeft() + QPointF(12, -12));
  const auto chosen = f.elements().numbers(0);
  INFO(chosen.size() << " nodes are chosen");
  REQUIRE(chosen.size() >= 18);
  REQUIRE(chosen.size() < rest.size() - 9);
  f.press_key(Qt::Key_O);  // they alone
  REQUIRE_FALSE(f.elements().soft() > 0);
  double hangs = 1e9;  // x where the part begins
  for (const auto k : chosen) hangs = std::min(hangs, rest[k].x());

  f.press_key(Qt::Key_L);
  REQUIRE(f.view().mode_tool() == "poses.curve");
  const QPointF from = on_screen(Vec3(hangs, 0, 0));
  std::vector<QPointF> line;
  for (int i = 0; i <= 30; ++i) {  // on as it lies, then down
    const double a = -0.5 + 1.5 * i / 30;
    line.push_back((line.empty() ? from : line.back()) + 8 * QPointF(std::cos(a), std::sin(a)));
  }
  const int steps = f.steps();
  f.stroke(line);
  f.shot("pose-curve-part");
  f.let_go(line.back());
  CHECK(f.steps() == steps + 1);
  const std::vector<Vec3> bent = f.nodes();
  double moved = 0;
  for (std::uint32_t i = 0; i < rest.size(); ++i) {
    if (!chosen.contains(i))
      CHECK((bent[i] - rest[i]).norm() < 1e-9);
    else
      moved = std::max(moved, (bent[i] - rest[i]).norm());
  }
  CHECK(moved > 0.15);
  // Where it begins it stays, and its middle line is as long as it was, but for chords of arcs.
  const auto on = nodes_on_axis(f, rest);
  for (std::size_t k = 0; k + 1 < on.size(); ++k)
    CHECK((on[k + 1].second - on[k].second).norm() == Approx(0.25).margin(0.03));
  for (const auto& [x, now] : on)
    if (x == hangs) CHECK((now - Vec3(hangs, 0, 0)).norm() < 1e-6);
  // Bent, it is bent on from how it is: along a straight line it is straight again, in the plane of the view.
  f.press_key(Qt::Key_Escape);
  f.press_key(Qt::Key_L);
  std::vector<QPointF> straight;
  for (int i = 0; i <= 30; ++i) straight.push_back(from + (on_screen(Vec3(1.2, 0, 0)) - from) * i / 30);
  f.stroke(straight);
  f.let_go(straight.back());
  std::vector<Vec3> part;
  for (const auto& [x, now] : nodes_on_axis(f, rest))
    if (x > hangs - 1e-9) part.push_back(now);
  REQUIRE(part.size() >= 3);
  CHECK((part.front() - Vec3(hangs, 0, 0)).norm() < 0.03);
  CHECK((part.back() - part.front()).norm() == Approx(0.75 - hangs).margin(0.02));
  f.press_key(Qt::Key_Escape);
  f.press_key(Qt::Key_Tab);
  back_and_forth(f, start);
}

TEST_CASE("Flow: a body that is bent is bent on along the line that it has", "[ui][flow][poses][sculpt]") {
  SculptFlow f;
  const std::string start = scene_to_text(f.scene());
  f.push("new_pose");
  QTest::mouseClick(f.sight(f.section().edit_button()), Qt::LeftButton);
  const std::vector<Vec3> rest = f.nodes();
  const QPointF middle = f.pixel(f.bar().transform.position + Vec3(0, -0.2, 0));
  std::vector<QPointF> arch, level;
  for (int i = 0; i <= 40; ++i) {
    const double angle = 3.1416 * (1 - i / 40.0);
    arch.push_back(middle + 100 * QPointF(std::cos(angle), -std::sin(angle)));
    level.push_back(middle + QPointF(-170 + 8.5 * i, -60));
  }
  f.bend_along(arch);
  const double reach = (nodes_on_axis(f, rest).front().second - nodes_on_axis(f, rest).back().second).norm();
  CHECK(reach < 1.1);  // of 1.5 m
  // The tool in hand once more: the dashed line lies in the arch, and a level line makes a straight bar of it.
  f.press_key(Qt::Key_L);
  f.mouse(&f.view(), QEvent::MouseMove, level.front(), Qt::NoButton, Qt::NoButton);
  f.shot("pose-curve-again");
  f.stroke(level);
  f.let_go(level.back());
  const auto on = nodes_on_axis(f, rest);
  CHECK((on.front().second - on.back().second).norm() == Approx(1.5).margin(0.03));
  CHECK(farthest(laid_on(rest, f.nodes()), f.nodes()) < 0.03);
  f.press_key(Qt::Key_Escape);

  // Bend (K) of the arch: its left half stays, the right one turns as a piece.
  f.bend_along(arch);
  const std::vector<Vec3> arched = f.nodes();
  f.press_key(Qt::Key_K);
  const QPointF hold = arch[27];
  f.drag(&f.view(), hold, hold + QPointF(10, 60));
  const auto bent = f.nodes();
  std::size_t still = 0, gone = 0;
  for (std::size_t i = 0; i < bent.size(); ++i) (bent[i] == arched[i] ? still : gone) += 1;
  INFO(still << " nodes stay, " << gone << " go");
  CHECK(still >= 18);
  CHECK(gone >= 18);
  f.shot("pose-bend-arch");
  f.press_key(Qt::Key_Escape);
  f.press_key(Qt::Key_Tab);
  back_and_forth(f, start);
}

}  // namespace flow_sculpt_test
