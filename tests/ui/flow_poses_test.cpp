// Poses on the real window: made, shaped with every hand, mirrored, blended, taken from a frame, grouped, played, and all taken back.
#include <QListWidget>
#include <QPushButton>
#include <QSlider>
#include <QToolButton>

#include "core/scene/derived/tracks.h"
#include "core/scene/file/scene_io.h"
#include "core/scene/values/lists.h"
#include "tests/ui/bar_support.h"
#include "ui/modes/mode_bar.h"
#include "ui/widgets/number_field.h"

namespace flow_poses_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

struct PoseFlow : BarFlow {
  /// A flexible bar of 3 × 3 × 7 nodes that stands upright.
  PoseFlow() : BarFlow("shape_matching", Vec3(0.5, 1.5, 0.5), {2, 6, 2}, Vec3(0, 1.6, 0), 1.6f) {}
  const AnalysisPose& pose(std::size_t k = 0) { return bar().analysis.poses.at(k); }
  Vec3 node(std::uint32_t number) { return nodes().at(number); }
  /// The node of the rest shape there.
  std::uint32_t at(const Vec3& place) {
    const std::vector<Vec3> rest = analysis_truss(bar().analysis).nodes;
    std::uint32_t best = 0;
    for (std::uint32_t i = 0; i < rest.size(); ++i)
      if ((rest[i] - place).norm() < (rest[best] - place).norm()) best = i;
    return best;
  }
  QPointF seen(std::uint32_t number) { return pixel(ObjectSpace(bar()).world(node(number))); }
  double moved(const AnalysisPose& of) {
    double most = 0;
    for (const PoseNode& n : of.nodes) most = std::max(most, n.shift.norm());
    return most;
  }
};

}  // namespace

TEST_CASE("Flow: a pose is made and shaped by every hand, and groups are painted", "[ui][flow][poses]") {
  PoseFlow f;
  const std::string empty = scene_to_text(f.scene());
  f.push("new_pose");
  REQUIRE(f.bar().analysis.poses.size() == 1);
  CHECK(f.moved(f.pose()) == 0);
  QTest::mouseClick(f.sight(f.section().edit_button()), Qt::LeftButton);
  REQUIRE(f.elements().in("poses"));
  f.view().setFocus();

  // A node with those around it, by mouse.
  const std::uint32_t corner = f.at(Vec3(0.25, 0.75, 0.25)), below = f.at(Vec3(0.25, 0.5, 0.25)),
                      foot = f.at(Vec3(0.25, -0.75, 0.25));
  f.click(f.seen(corner));
  REQUIRE(f.elements().elements() == Elements{{0, corner}});
  const int before = f.steps();
  f.drag(&f.view(), f.seen(corner), f.seen(corner) + QPointF(60, 0));
  CHECK(f.steps() == before + 1);
  CHECK(f.pose().nodes[corner].shift.norm() > 0.05);
  CHECK(f.pose().nodes[below].shift.norm() > 0);
  CHECK(f.pose().nodes[below].shift.norm() < f.pose().nodes[corner].shift.norm());
  CHECK(f.pose().nodes[foot].shift.norm() == 0);
  const double radius = PoseOptions::of(f.elements()).radius();
  f.press_key(Qt::Key_BracketRight);
  CHECK(PoseOptions::of(f.elements()).radius() > radius);
  f.move_to(QPointF(-1, -1));
  f.shot("poses-mode");
  f.press_key(Qt::Key_G, Qt::AltModifier);
  f.press_key(Qt::Key_Z, Qt::ControlModifier);
  CHECK(f.pose().nodes[corner].shift.norm() > 0.05);

  // The hands, each one step a drag.
  for (const auto& [key, name] : {std::pair{Qt::Key_B, "Grab"}, std::pair{Qt::Key_N, "Smooth"},
                                  std::pair{Qt::Key_J, "Twist"}, std::pair{Qt::Key_K, "Bend"}}) {
    INFO(name);
    const AnalysisPose was = f.pose();
    const int step = f.steps();
    f.press_key(key);
    const QPointF from = f.seen(below);
    f.drag(&f.view(), from, from + QPointF(70, 10));
    CHECK(f.steps() == step + 1);
    CHECK(f.document().undo_stack()->text(step).contains(name));
    CHECK_FALSE(same_entry(was, f.pose()));
    f.shot(("poses-" + std::string(name)).c_str());
    f.press_key(Qt::Key_Escape);
  }
  // Groups.
  f.section().group()->set_value(2);
  PoseOptions::of(f.elements()).set_group(2);
  f.press_key(Qt::Key_P);
  f.drag(&f.view(), f.seen(corner), f.seen(corner) + QPointF(10, 5));
  CHECK_FALSE(f.bar().analysis.pose_groups.empty());
  f.press_key(Qt::Key_Escape);
  f.press_key(Qt::Key_Tab);
  REQUIRE_FALSE(f.elements().in("poses"));

  back_and_forth(f, empty);
}

TEST_CASE("Flow: a pose is blended, copied, mirrored, renamed, played and taken from a frame", "[ui][flow][poses]") {
  PoseFlow f;
  const std::string empty = scene_to_text(f.scene());
  f.push("new_pose");
  std::vector<Vec3> rest = analysis_truss(f.bar().analysis).nodes, nodes = rest;
  for (Vec3& x : nodes) x = Quat(Eigen::AngleAxisd(0.5 * x.y(), Vec3::UnitY())) * x + Vec3(0.1 * x.y() * x.y(), 0, 0);
  REQUIRE(place_pose(f.window.context(), "Shape", f.id, f.pose().id, rest, nodes));
  const std::uint32_t corner = f.at(Vec3(0.25, 0.75, 0.25));

  // Blended in the view; nothing changes.
  const int step = f.steps();
  f.sight(f.section().blend());
  f.section().blend()->setValue(100);
  CHECK(f.elements().preview());
  f.shot("poses-blend");
  f.section().blend()->setValue(0);
  CHECK_FALSE(f.elements().preview());
  CHECK(f.steps() == step);

  f.push("duplicate_pose");
  REQUIRE(f.bar().analysis.poses.size() == 2);
  f.push("mirror_pose");
  CHECK_FALSE(same_entry(f.pose(0).nodes[corner], f.pose(1).nodes[corner]));
  f.section().list()->item(1)->setCheckState(Qt::Unchecked);
  CHECK_FALSE(f.pose(1).example);
  f.section().list()->item(1)->setText("Other side");
  CHECK(f.pose(1).name == "Other side");

  // Played: weights stand beside the names.
  f.key(Qt::Key_Space);
  REQUIRE(wait_for([&] { return f.playback().frame() >= 40 && f.playback().shown(); }));
  f.key(Qt::Key_Space);
  CHECK(f.section().weight(0) >= 0);
  CHECK(f.section().weight(1) < 0);  // no example
  f.push("pose_from_frame");
  REQUIRE(f.bar().analysis.poses.size() == 3);
  f.shot("poses-played");
  f.push("delete_pose");
  CHECK(f.bar().analysis.poses.size() == 2);
  back_and_forth(f, empty);
}

TEST_CASE("Flow: shapes are keyed by clicks, and the body goes from one to the next", "[ui][flow][poses]") {
  PoseFlow f;
  const std::string start = scene_to_text(f.scene());
  // A solver that takes told shapes.
  (void)f.document().edit("Springs", with_object(f.scene(), f.id, [](Object& o) { o.body.solver = "lagrange"; }));
  f.push("new_pose");
  const std::vector<Vec3> rest = analysis_truss(f.bar().analysis).nodes;
  std::vector<Vec3> nodes = rest;
  for (Vec3& x : nodes) x.x() += 0.3 * x.y() * x.y();
  REQUIRE(place_pose(f.window.context(), "Shape", f.id, f.pose().id, rest, nodes));
  const auto track = [&] { return find_track(f.scene(), f.id.value, "body.shape.pose"); };
  CHECK(track() == nullptr);

  f.push("key_rest_shape");
  REQUIRE(track());
  CHECK(f.document().undo_stack()->undoText() == "Key the rest shape of Bar");
  f.playback().set_frame(30);
  QTest::qWait(20);
  f.section().list()->setCurrentRow(0);
  f.push("key_pose");
  REQUIRE(track()->keys.size() == 2);
  CHECK(track()->keys[0].value[0] == 0);
  CHECK(track()->keys[1].value[0] == f.pose().id);
  CHECK(track()->keys[1].time == Approx(0.5));
  f.shot("poses-keyed");
  // It is in the pose by then: its ends are aside from its middle, by 0.3 · 0.75² m, less what its own dynamics owe.
  f.playback().set_frame(0);
  REQUIRE(complete(f.playback()));
  const auto bent = [&](int frame) {
    const ObjectFrame* own = f.playback().cache().frame(frame)->find(f.id);
    const Vec3f middle = own->nodes[f.at(Vec3(0, 0, 0))], top = own->nodes[f.at(Vec3(0, 0.75, 0))],
                foot = own->nodes[f.at(Vec3(0, -0.75, 0))];
    return static_cast<double>((0.5f * (top + foot) - middle).norm());
  };
  CHECK(bent(0) < 1e-3);
  CHECK(bent(45) > 0.5 * 0.3 * 0.75 * 0.75);
  f.playback().set_frame(45);
  QTest::qWait(50);
  f.shot("poses-keyed-bent");
  f.playback().set_frame(0);
  back_and_forth(f, start);
}

}  // namespace flow_poses_test
