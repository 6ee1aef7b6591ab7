// The graph of the bowling scene, made anew by mouse from nothing: as few actions as that, and the same run to the bit.
#include <QTreeView>

#include "core/playback/simulator.h"
#include "tests/ui/motion_support.h"
#include "ui/model/motion_selection.h"
#include "ui/panels/outliner_panel.h"
#include "ui/panels/scene_model.h"
#include "ui/panels/thing_picker.h"

namespace flow_bowling_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

/// What a person does with the mouse is counted; what she types and keys are not.
struct BowlingFlow : MotionFlow {
  int actions = 0;

  QPointF spot(int column, int row) {
    const double w = canvas->viewport()->width(), h = canvas->viewport()->height();
    return {10 + column * (w - 20) / 3, (row + 0.5) * h / 5};
  }
  void click_row(const char* name) {
    auto* panel = window.findChild<OutlinerPanel*>();
    REQUIRE(panel);
    Id found = id_of(scene(), name);
    for (const auto& collection : scene().collections)
      if (collection->name == name) found = collection->id;
    const QModelIndex index = panel->index_of(found);
    REQUIRE(index.isValid());
    panel->view()->scrollTo(index);
    const QRect row = panel->view()->visualRect(index.sibling(index.row(), SceneModel::name_column));
    QTest::mouseClick(panel->view()->viewport(), Qt::LeftButton, {}, QPoint(row.left() + 24, row.center().y()));
    QTest::qWait(10);
    ++actions;
  }
  MotionBoxPanel& panel() { return *window.findChild<MotionBoxPanel*>("motion_box_panel"); }
  /// Of the box that was made last, which is the one that the panel shows.
  void with(const char* name) {
    QWidget* arrow = panel().other()->button();
    sight(arrow);
    Flow::click_in(arrow, arrow->rect().center());
    ++actions;
    click_row(name);
    CHECK(newest().other != 0);
  }
  void type(const char* parameter, const char* text) {
    FieldWidget* field = panel().field(parameter);
    REQUIRE(field);
    sight(field);
    type_number(number_of(field), text);
    ++actions;
  }
  Id from_palette(MotionRole role, const char* kind, QPointF to) {
    ++actions;
    return drag_from_palette(role, kind, to + QPointF(MotionBox::kWidth / 2, 0));
  }
  /// A wire drawn to the empty, and a choice in the menu there.
  Id follow(Id from, const char* kind, QPointF to) {
    actions += 2;
    const std::size_t before = scene().motion.size();
    const Id id = follow_in_empty(from, to, kind);
    REQUIRE(scene().motion.size() == before + 1);
    REQUIRE(window.context().boxes.active() == id);
    return id;
  }
};

std::vector<std::uint64_t> hashes_of(PlaybackController& playback, int last) {
  std::vector<std::uint64_t> all;
  for (int f = 0; f <= last; ++f) all.push_back(playback.cache().frame(f)->state_hash);
  return all;
}

}  // namespace

TEST_CASE("Flow: the bowling graph is made anew in sixty mouse actions, and the run is the same",
          "[ui][flow][motion_graph]") {
  BowlingFlow f;
  f.stage();
  f.open(shipped("bowling.json"));
  constexpr int kLast = 150;  // the pins have fallen
  const auto run_to = [&] {
    return wait_for(
        [&] {
          return f.playback().cache().size() > kLast || f.playback().status().phase == FillStatus::Phase::complete;
        },
        120000);
  };
  REQUIRE(run_to());
  const auto wanted = hashes_of(f.playback(), kLast);
  const auto log_until = [&] {
    auto log = f.playback().log()->motion;
    std::erase_if(log, [](const auto& mark) { return mark.first >= kLast; });
    return log;
  };
  const auto wanted_log = log_until();
  REQUIRE(wanted_log.size() > 20);
  Scene bare = f.scene();
  const std::size_t boxes = bare.motion.size();
  bare.motion.clear();
  f.Flow::Window::open(bare);
  f.tab("motion_graph");
  f.window.resizeDocks({f.window.findChild<QDockWidget*>("motion_graph")}, {430}, Qt::Vertical);
  REQUIRE(wait_for([&] { return f.canvas->viewport()->height() > 300; }, 3000));
  QTest::qWait(30);

  f.click_row("Ball");
  const Id ready = f.from_palette(MotionRole::event, "time", f.spot(0, 0));
  f.follow(ready, "hold", f.spot(1, 0));
  const Id go = f.from_palette(MotionRole::event, "time", f.spot(0, 1));
  f.type("time", "0.3");
  const Id thrown = f.follow(go, "throw", f.spot(1, 1));
  f.type("x", "0.21");
  f.type("y", "0.5");
  f.type("z", "-8.2");
  const Id lane = f.follow(thrown, "contact", f.spot(2, 1));
  f.with("Lane");
  const Id bounce = f.follow(lane, "bounce", f.spot(2, 2));
  f.with("Lane");
  f.type("restitution", "0.45");
  f.type("until", "0.35");
  f.type("friction", "0.12");
  const Id settled = f.follow(bounce, "finished", f.spot(1, 2));
  f.follow(settled, "roll", f.spot(0, 2));
  f.with("Lane");
  f.type("friction", "0.3");
  const Id pins = f.follow(thrown, "contact", f.spot(2, 0));
  f.canvas_key(Qt::Key_L);
  f.with("Pins");
  f.follow(pins, "collide", f.spot(2, 3));
  f.with("Pins");
  f.type("restitution", "0.5");
  f.type("friction", "0.2");
  f.click_row("Pins");
  const Id hit = f.from_palette(MotionRole::event, "contact", f.spot(0, 3));
  f.canvas_key(Qt::Key_L);
  f.with("Ball");
  const Id down = f.from_palette(MotionRole::event, "contact", f.spot(0, 4));
  f.canvas_key(Qt::Key_L);
  f.with("Lane");
  f.follow(hit, "collide", f.spot(1, 3));
  f.with("Ball");
  f.type("restitution", "0.5");
  f.type("friction", "0.2");
  f.follow(down, "collide", f.spot(1, 4));
  f.with("Lane");
  f.type("restitution", "0.4");
  f.type("friction", "0.4");
  f.shot("motion_bowling_anew");
  CHECK(f.actions <= 60);  // 58
  REQUIRE(f.scene().motion.size() == boxes);
  CHECK(motion_faults(f.scene()).empty());
  REQUIRE(run_to());
  CHECK(hashes_of(f.playback(), kLast) == wanted);
  CHECK(log_until() == wanted_log);
}

}  // namespace flow_bowling_test
