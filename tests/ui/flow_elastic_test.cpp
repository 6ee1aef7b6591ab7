// Elastic models on the real window (docs/elastic-bars.md): chosen from a list that explains itself, two side by side, poses of meshes and
// frames, weights beside the body while it plays, and keys of a shape with what follows them.
#include <QAbstractItemView>
#include <QComboBox>
#include <QFile>
#include <QListWidget>
#include <QScreen>
#include <QTemporaryDir>
#include <QTextStream>

#include "core/scene/derived/tracks.h"
#include "core/sim/elastic/solver.h"
#include "tests/ui/bar_support.h"
#include "ui/jobs/elastic_pictures.h"
#include "ui/model/text.h"
#include "ui/panels/elastic_list.h"
#include "ui/viewport/motion_view.h"
#include "ui/widgets/key_button.h"
#include "ui/widgets/variant_row.h"

namespace flow_elastic_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

struct ElasticFlow : BarFlow {
  /// A flexible bar that lies in the air, one end lower.
  explicit ElasticFlow(const char* solver = "lagrange", std::array<int, 3> divisions = {6, 2, 2})
      : BarFlow(solver, Vec3(1.5, 0.4, 0.4), divisions, Vec3(0, 1.1, 0), 0.8f, 0.4) {}
  QComboBox* solver_box() {
    tab("properties");
    for (auto* field : window.findChildren<FieldWidget*>("body.solver"))
      if (field->isVisibleTo(&window)) return field->findChild<QComboBox*>();
    FAIL("no list of solvers");
    return nullptr;
  }
  /// By mouse: the list is opened, and the row clicked.
  void choose_solver(const char* name) {
    QComboBox* box = sight(solver_box());
    if (box->currentData().toString() == name) return;
    pick(box, box->findData(QString(name)));
    CHECK(bar().body.solver == name);
  }
  static void pick(QComboBox* box, int number) {
    click_in(box, box->rect().center());
    REQUIRE(wait_for([&] { return box->view()->isVisible(); }, 2000));
    QTest::qWait(600);  // a list that has just opened takes no click
    const QModelIndex row = box->model()->index(number, 0);
    click_in(box->view()->viewport(), box->view()->visualRect(row).center());
    REQUIRE(wait_for([&] { return !box->view()->isVisible(); }, 2000));
    QTest::qWait(20);
  }
};

/// How far two sets of places are from being one turned and moved: of the distances between any two, m.
double off_shape(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  REQUIRE(a.size() == b.size());
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) most = std::max(most, std::abs((a[i] - a[j]).norm() - (b[i] - b[j]).norm()));
  return most;
}

}  // namespace

TEST_CASE("Flow: an elastic model is picked from a list with moving pictures, and nothing else changes",
          "[ui][flow][elastic]") {
  ElasticFlow f;
  const std::string start = scene_to_text(f.scene());
  QComboBox* box = f.sight(f.solver_box());
  auto* list = box->findChild<ElasticList*>();
  REQUIRE(list);
  f.click_in(box, box->rect().center());
  REQUIRE(wait_for([&] { return box->view()->isVisible(); }, 2000));
  // All of it is on the screen, though the box stands at the window's edge and the list is wider.
  CHECK(wait_for([&] { return box->screen()->availableGeometry().contains(box->view()->window()->frameGeometry()); },
                 2000));
  REQUIRE(wait_for(
      [&] {
        return std::ranges::all_of(elastic_solvers(), [&](const ElasticSolverInfo* solver) {
          return list->pictures().of(text_of(solver->name)).size() == kElasticPictures;
        });
      },
      20000));
  // They move, and no two models bend alike.
  const int shown = list->shown();
  CHECK(wait_for([&] { return list->shown() != shown; }, 2000));
  const int middle = kElasticPictures / 2;
  std::vector<QImage> bent;
  for (const ElasticSolverInfo* solver : elastic_solvers()) {
    const QVector<QImage>& pictures = list->pictures().of(text_of(solver->name));
    CHECK(pictures[0] != pictures[middle]);
    for (const QImage& other : bent) CHECK(other != pictures[middle]);
    bent.push_back(pictures[middle]);
  }
  f.shot("elastic-list");
  QTest::keyClick(box->view(), Qt::Key_Escape);
  REQUIRE(wait_for([&] { return !box->view()->isVisible(); }, 2000));

  for (const char* name : {"polyhedral", "springs", "fem", "shape_matching", "lagrange"}) {
    const int steps = f.document().undo_stack()->index();
    f.choose_solver(name);
    CHECK(f.document().undo_stack()->index() == steps + 1);
    const Scene as_before = with_object(f.scene(), f.id, [](Object& o) { o.body.solver = "lagrange"; });
    CHECK(scene_to_text(as_before) == start);
    REQUIRE(complete(f.playback()));
    CHECK_FALSE(f.playback().status().failure);
  }
  back_and_forth(f, start);
}

TEST_CASE("Flow: a variant has another elastic model, and Compare shows both side by side", "[ui][flow][elastic]") {
  ElasticFlow f;
  const std::string start = scene_to_text(f.scene());
  QTest::mouseClick(f.sight(f.analysis().variants()->duplicate()), Qt::LeftButton);
  f.choose_solver("polyhedral");
  QTest::mouseClick(f.sight(f.analysis().variants()->compare()), Qt::LeftButton);
  QTest::qWait(20);
  const Object& copy = f.last();
  REQUIRE(copy.id != f.id);
  CHECK(f.bar().body.solver == "polyhedral");
  CHECK(copy.body.solver == "lagrange");
  f.playback().play(false);
  REQUIRE(complete(f.playback()));
  const FramePtr frame = f.playback().cache().frame(50);
  std::vector<Vec3> a, b;
  for (const Vec3f& x : frame->find(f.id)->nodes) a.push_back(x.cast<double>());
  for (const Vec3f& x : frame->find(copy.id)->nodes) b.push_back(x.cast<double>());
  CHECK(off_shape(a, b) > 1e-4);  // 4e-4: bent alike, by other means
  f.playback().set_frame(30);
  QTest::qWait(50);
  f.shot("elastic-compare");
  f.playback().set_frame(0);
  back_and_forth(f, start);
}

TEST_CASE("Flow: a pose is taken from a mesh with the same vertices, and refused from another", "[ui][flow][poses]") {
  ElasticFlow f("shape_matching");
  const Truss truss = analysis_truss(f.bar().analysis);
  std::vector<Vec3> places;  // bent, and turned as a whole, which the pose does not have
  const Quat turn(Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()));
  for (const Vec3& x : truss.nodes)
    places.push_back(turn * (x + Vec3(0, 0.3 * x.x() * x.x(), 0.1 * x.x())) + Vec3(2, -1, 0.5));
  QTemporaryDir folder;
  const auto write = [&](const QString& name, std::size_t count) {
    const QString path = folder.filePath(name);
    QFile file(path);
    REQUIRE(file.open(QIODevice::WriteOnly));
    QTextStream out(&file);
    out.setRealNumberPrecision(12);
    // Nodes inside are on no face.
    for (std::size_t i = 0; i < count; ++i)
      out << "v " << places[i].x() << " " << places[i].y() << " " << places[i].z() << "\n";
    for (const auto& t : truss.hull)
      if (std::max({t[0], t[1], t[2]}) < count) out << "f " << t[0] + 1 << " " << t[1] + 1 << " " << t[2] + 1 << "\n";
    return path;
  };
  answer_file_dialog(write("Bowed.obj", places.size()));
  f.push("pose_from_mesh");
  if (f.bar().analysis.poses.empty()) {
    const Status why = pose_from_mesh(f.window.context(), f.bar(), folder.filePath("Bowed.obj"));
    FAIL((why.ok() ? std::string("it was not pressed") : why.error().message));
  }
  REQUIRE(f.bar().analysis.poses.size() == 1);
  const AnalysisPose& pose = f.bar().analysis.poses[0];
  CHECK(pose.name == "Bowed");
  CHECK(off_shape(blended_nodes(truss.nodes, pose, 1), places) < 1e-6);
  double most = 0;  // without the motion of the whole
  for (const PoseNode& node : pose.nodes) most = std::max(most, node.shift.norm());
  CHECK(most < 0.25);
  const int steps = f.document().undo_stack()->index();
  answer_file_dialog(write("Short.obj", places.size() - 1));
  f.push("pose_from_mesh");
  CHECK(f.bar().analysis.poses.size() == 1);
  CHECK(f.document().undo_stack()->index() == steps);
}

TEST_CASE("Flow: a pose of a simulated frame is the body as it is bent there", "[ui][flow][poses]") {
  ElasticFlow f("polyhedral");
  REQUIRE(complete(f.playback()));
  // The frame in which it is bent most.
  const std::vector<Vec3> rest = analysis_truss(f.bar().analysis).nodes;
  int most_at = 0;
  double most = 0;
  std::vector<Vec3> then;
  for (int frame = 0; frame <= 60; ++frame) {
    std::vector<Vec3> now;
    for (const Vec3f& x : f.playback().cache().frame(frame)->find(f.id)->nodes) now.push_back(x.cast<double>());
    const double off = off_shape(now, rest);
    if (off <= most) continue;
    most = off, most_at = frame, then = now;
  }
  REQUIRE(most > 0.01);
  f.playback().set_frame(most_at);
  QTest::qWait(50);
  f.push("pose_from_frame");
  REQUIRE(f.bar().analysis.poses.size() == 1);
  CHECK(off_shape(blended_nodes(rest, f.bar().analysis.poses[0], 1), then) < 1e-5);
  // Started in the pose it lies in it.
  REQUIRE(
      f.document()
          .edit("Shape", with_object(f.scene(), f.id,
                                     [](Object& o) { o.body.shape.pose = static_cast<int>(o.analysis.poses[0].id); }))
          .ok());
  f.playback().set_frame(0);
  REQUIRE(complete(f.playback()));
  std::vector<Vec3> begun;
  for (const Vec3f& x : f.playback().cache().frame(0)->find(f.id)->nodes) begun.push_back(x.cast<double>());
  CHECK(off_shape(begun, then) < 1e-4);
}

TEST_CASE("Flow: bars beside the poses say how far the body has gone into each while it plays", "[ui][flow][poses]") {
  Flow f;
  f.window.resize(1580, 960);
  f.open(shipped("twist_and_bend.json"));
  const Id id = id_of(f.scene(), "Twist");
  f.selection().select_only(id);
  PoseSection& section = *f.analysis().poses();
  f.sight(section.list());
  REQUIRE(wait_for([&] { return complete(f.playback()); }, 60000));
  double most = 0;
  int different = 0, shot = -1;
  for (int frame = 0; frame <= f.scene().settings.last_frame; frame += 4) {
    f.playback().set_frame(frame);
    REQUIRE(wait_for([&] { return f.playback().shown() && f.playback().shown()->index == frame; }, 5000));
    QTest::qWait(1);
    const FramePtr now = f.playback().shown();
    double weight = -1;
    if (now->examples)
      for (const FrameExample& example : *now->examples)
        if (example.object == id) weight = std::max(weight, static_cast<double>(example.weight));
    CHECK(section.weight(0) == Approx(weight).margin(1e-6));
    different += std::abs(weight - most) > 0.05;
    if (weight > most) most = weight, shot = frame;
  }
  CHECK(most > 0.6);
  CHECK(different > 3);
  f.playback().set_frame(shot);
  QTest::qWait(100);
  f.shot("poses-weights");
}

TEST_CASE("Flow: what follows keys of a shape is a track, ghosts show the way, linear stands beside",
          "[ui][flow][poses]") {
  ElasticFlow f("fem", {6, 1, 1});
  const std::string start = scene_to_text(f.scene());
  (void)f.document().edit("Floating", with_object(f.scene(), f.id, [](Object& o) {
                            o.body.gravity = false;
                            o.transform.rotation = Quat::Identity();
                          }));
  f.push("new_pose");
  // Shaped in the view, where the start pose is: the end is bent round by hand.
  QTest::mouseClick(f.sight(f.section().edit_button()), Qt::LeftButton);
  REQUIRE(f.window.context().elements.in("poses"));
  f.view().setFocus();
  QTest::keyClick(&f.view(), Qt::Key_K);
  const ObjectSpace space(f.bar());
  const QPointF from = f.pixel(space.world(Vec3(0.25, 0.2, 0.2)));  // a node
  f.drag(&f.view(), from, from + QPointF(0, -90));
  QTest::keyClick(&f.view(), Qt::Key_Escape);
  QTest::keyClick(&f.view(), Qt::Key_Tab);
  double most = 0;
  for (const PoseNode& node : f.bar().analysis.poses[0].nodes) most = std::max(most, node.shift.norm());
  REQUIRE(most > 0.1);
  f.playback().set_frame(5);
  f.push("key_rest_shape");
  f.playback().set_frame(40);
  f.push("key_pose");
  const auto track = [&](const char* field) { return find_track(f.scene(), f.id.value, field); };
  REQUIRE(track("body.shape.pose"));
  REQUIRE(track("body.shape.pose")->keys.size() == 2);

  // Following: its diamond, at two frames.
  f.tab("properties");
  const auto field = [&](const char* path) {
    for (auto* widget : f.window.findChildren<FieldWidget*>(path))
      if (widget->isVisibleTo(&f.window)) return f.sight(widget);
    FAIL("no field " << path);
    return static_cast<FieldWidget*>(nullptr);
  };
  f.playback().set_frame(5);
  FieldWidget* following = field("body.shape.following");
  REQUIRE(following->key());
  QTest::mouseClick(following->key(), Qt::LeftButton);
  f.playback().set_frame(40);
  type_number(number_of(field("body.shape.following")), "1");
  if (!track("body.shape.following") || track("body.shape.following")->keys.size() < 2)
    QTest::mouseClick(field("body.shape.following")->key(), Qt::LeftButton);
  REQUIRE(track("body.shape.following"));
  CHECK(track("body.shape.following")->keys.size() == 2);
  f.playback().set_frame(0);
  REQUIRE(complete(f.playback()));
  const auto nodes = [&](int frame) {
    std::vector<Vec3> now;
    for (const Vec3f& x : f.playback().cache().frame(frame)->find(f.id)->nodes) now.push_back(x.cast<double>());
    return now;
  };
  const std::vector<Vec3> rest = analysis_truss(f.bar().analysis).nodes,
                          pose = blended_nodes(rest, f.bar().analysis.poses[0], 1);
  CHECK(off_shape(nodes(40), pose) < 0.015);  // 1 % of its length
  const std::vector<Vec3> directed = nodes(24);

  // Ghosts: the shapes between the keys, while it stands in the middle of them.
  f.playback().set_frame(24);
  f.view().setFocus();
  QTest::keyClick(&f.view(), Qt::Key_T, Qt::AltModifier);
  CHECK(f.view().motion().ghosts());
  f.shot("shape-keys-ghosts");
  QTest::keyClick(&f.view(), Qt::Key_T, Qt::AltModifier);

  // Linear, by its list.
  FieldWidget* way = field("body.shape.way");
  auto* box = way->findChild<QComboBox*>();
  REQUIRE(box);
  f.pick(box, static_cast<int>(ShapeWay::linear));
  CHECK(f.bar().body.shape.way == ShapeWay::linear);
  f.playback().set_frame(0);
  REQUIRE(complete(f.playback()));
  CHECK(off_shape(nodes(24), directed) > 1e-3);
  CHECK(off_shape(nodes(40), pose) < 0.015);
  back_and_forth(f, start);
}

}  // namespace flow_elastic_test
