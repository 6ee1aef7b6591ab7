// The view at any size of scene, and what must not jump under the mouse, in the real window.
#include "tests/ui/flow_support.h"

#include <cmath>

#include <QSlider>

#include "core/base/random.h"
#include "render/picking.h"
#include "ui/model/diagnostics_model.h"
#include "ui/viewport/canvas.h"
#include "ui/widgets/bubble.h"

namespace flow_view_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

Object red(std::uint64_t id, PrimitiveShape shape, const Vec3& size, const Vec3& at) {
  Object object = make_object(id, "Thing " + std::to_string(id), {shape, size, {16, 12, 1}}, at, BodyKind::fixed);
  object.material.surface.diffuse = Vec3(0.95, 0.15, 0.1);
  object.material.surface.ambient = Vec3(0.4, 0.05, 0.05);
  return object;
}

bool is_red(const QColor& c) { return c.red() > c.blue() + 50 && c.red() > c.green() + 50; }

/// The colour of the picture, without what is painted over it, around a logical pixel.
bool red_near(Flow& f, const QImage& shown, QPointF at, int reach) {
  const QPoint p = (at * f.view().devicePixelRatioF()).toPoint();
  for (int y = -reach; y <= reach; ++y)
    for (int x = -reach; x <= reach; ++x)
      if (shown.rect().contains(p + QPoint(x, y)) && is_red(shown.pixelColor(p + QPoint(x, y)))) return true;
  return false;
}

QImage rested(Flow& f) {
  REQUIRE(wait_for([&] { return f.view().resting(); }, 5000));
  QTest::qWait(20);
  return f.view().shown();
}

std::vector<QRect> tab_places(Flow& f) {
  std::vector<QRect> places;
  for (QTabBar* bar : f.window.findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly))
    for (int i = 0; bar->isVisible() && i < bar->count(); ++i)
      places.push_back(QRect(bar->mapTo(&f.window, bar->tabRect(i).topLeft()), bar->tabRect(i).size()));
  return places;
}

}  // namespace

TEST_CASE("Home shows what there is, from a millimetre to ten kilometres", "[flow][view]") {
  ViewCanvas::smooth_when_at_rest(true);
  Flow f;
  for (const double size : {1e-3, 0.1, 10.0, 1e3, 1e4}) {
    CAPTURE(size);
    Scene scene = make_new_scene();
    scene.objects.clear();
    for (std::uint64_t id = 100; id < 109; ++id)
      scene.objects.push_back(red(id, PrimitiveShape::sphere, Vec3::Constant(0.15 * size),
                                  size * Vec3(double(id % 3) - 1, 0.3, double(id / 3 % 3) - 1)));
    f.Window::open(scene);
    f.view().setFocus();
    f.key(Qt::Key_Home);
    const QImage shown = rested(f);
    for (const auto& object : scene.objects) CHECK(red_near(f, shown, f.pixel(object->transform.position), 1));
    f.shot(("home-" + std::to_string(int(std::lround(std::log10(size) * 10)))).c_str());
  }
}

TEST_CASE("257 balls over 1.2 km are seen, and each is met by a click", "[flow][view]") {
  ViewCanvas::smooth_when_at_rest(true);
  Flow f;
  Scene scene = make_new_scene();
  scene.objects.clear();
  for (std::uint64_t id = 100; id < 357; ++id)
    scene.objects.push_back(red(id, PrimitiveShape::sphere, Vec3::Constant(0.5),
                                Vec3(80 * double(id % 16), 0.25, 80 * double(id / 16 % 16))));
  f.Window::open(scene);
  f.view().setFocus();
  f.key(Qt::Key_Home);
  const QImage shown = rested(f);
  int seen = 0;
  for (const auto& object : scene.objects) seen += red_near(f, shown, f.pixel(object->transform.position), 2);
  CHECK(seen == 257);
  f.click(f.pixel(scene.objects[40]->transform.position));
  CHECK(f.selection().ids().size() == 1);
  f.shot("balls-over-a-kilometre");
}

TEST_CASE("200 random scenes: Home brings everything into the picture and a click meets it", "[flow][view]") {
  Flow f;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    INFO("seed " << seed);
    const auto random = [seed](std::uint64_t purpose, double low, double high) {
      return low + (high - low) * random_unit(seed, Id{}, purpose, 7);
    };
    const double size = std::pow(10, random(1, -3, 4));
    Scene scene = make_new_scene();
    scene.objects.clear();
    const auto count = static_cast<std::uint64_t>(random(2, 1, 12));
    for (std::uint64_t i = 0; i < count; ++i) {
      const double own = size * std::pow(10, random(10 + i, -2.5, -0.5));
      const Vec3 at = size * Vec3(random(40 + i, -1, 1), random(60 + i, 0, 1), random(80 + i, -1, 1)) +
                      (seed % 3 == 0 ? size : 0.0) * Vec3(20, 0, -10);
      scene.objects.push_back(
          red(100 + i, seed % 2 ? PrimitiveShape::sphere : PrimitiveShape::box, Vec3::Constant(own), at));
    }
    f.document().reset(scene, {});
    if (seed % 5 == 0) f.view().look(QStringLiteral("right"));
    f.view().frame_all();
    const ViewCamera camera = std::as_const(f.view()).camera();
    const RenderList& list = f.view().render_list();
    const glm::vec2 view = f.view().view_size();
    for (const auto& object : scene.objects) {
      const Vec3 at = object->transform.position;
      const glm::vec3 world(at.x(), at.y(), at.z());
      const glm::vec3 p = camera.project(world, view);
      CHECK((p.x > 0 && p.x < view.x && p.y > 0 && p.y < view.y));
      const float depth = glm::dot(world - camera.position(), camera.forward());
      CHECK(depth > list.depths.near_plane);
      CHECK(depth < list.depths.far_plane);
      const auto hit = pick(list, scene, camera, glm::vec2(p), view);
      REQUIRE(hit);
      // It, or what lies before it.
      const double reach = 0.9 * object->display.primitive.size.x();
      const float met = glm::dot(hit->point - camera.position(), camera.forward());
      CHECK((hit->id == object->id || met < depth + reach));
    }
    if (seed % 5 == 0) f.view().set_orthographic(false);
  }
}

TEST_CASE("From the front and from the right the ground is a line", "[flow][view]") {
  ViewCanvas::smooth_when_at_rest(true);
  Flow f;
  Scene scene = make_new_scene();
  scene.objects.clear();
  scene.objects.push_back(red(100, PrimitiveShape::box, Vec3(1, 1, 1), Vec3(0, 0.5, 0)));
  f.Window::open(scene);
  f.view().setFocus();
  for (const auto key : {Qt::Key_1, Qt::Key_3}) {
    f.key(key);
    f.key(Qt::Key_Home);
    const QImage shown = rested(f);
    const double ratio = f.view().devicePixelRatioF();
    const int y = int(std::lround(f.pixel(Vec3::Zero()).y() * ratio));
    const auto bright = [&](double share, int at) { return shown.pixelColor(int(share * shown.width()), at).value(); };
    for (const double share : {0.1, 0.2, 0.83, 0.95}) {
      const int line = std::max({bright(share, y - 1), bright(share, y), bright(share, y + 1)});
      CHECK(line > bright(share, y - int(9 * ratio)) + 40);
      CHECK(line > bright(share, y + int(9 * ratio)) + 40);
    }
    f.shot(key == Qt::Key_1 ? "front" : "right");
  }
}

TEST_CASE("The wires of a dense selected mesh stay apart, and an outline does not cross what is in front",
          "[flow][view]") {
  ViewCanvas::smooth_when_at_rest(true);
  Flow f;
  Scene scene = make_new_scene();
  scene.objects.clear();
  Object dense = red(100, PrimitiveShape::sphere, Vec3(2, 2, 2), Vec3(0, 1, 0));
  dense.display.primitive.divisions = {300, 200, 1};
  Object front = red(101, PrimitiveShape::box, Vec3(1.2, 1.2, 0.2), Vec3(0.9, 1, 1.6));
  front.material.surface.diffuse = front.material.surface.ambient = Vec3(0.2, 0.3, 0.5);
  scene.objects = {dense, front};
  f.Window::open(scene);
  f.view().setFocus();
  f.key(Qt::Key_1);
  f.key(Qt::Key_Home);
  f.click(f.pixel(Vec3(-0.6, 1, 0)));
  REQUIRE(f.selection().ids() == std::set<Id>{Id{100}});
  f.move_to({5, 300});
  const auto orange = [](const QColor& c) { return c.red() > 170 && c.red() > c.blue() + 110; };
  {
    const QImage shown = rested(f);
    f.shot("outline-behind");
    const double ratio = f.view().devicePixelRatioF();
    // The rim of the ball on the left is outlined; the part of the rim behind the box is not.
    const auto rim = [&](double angle) {
      const QPointF middle = f.pixel(Vec3(0, 1, 0)), edge = f.pixel(Vec3(1, 1, 0));
      const double radius = edge.x() - middle.x() + 1;
      int found = 0;
      for (double r = radius - 4; r <= radius + 5; r += 0.5) {
        const QPoint p = ((middle + r * QPointF(std::cos(angle), -std::sin(angle))) * ratio).toPoint();
        found += orange(shown.pixelColor(p));
      }
      return found;
    };
    CHECK(rim(kPi) > 2);
    CHECK(rim(0.75 * kPi) > 2);
    CHECK(rim(0) == 0);
    CHECK(rim(0.2) == 0);
  }
  f.key(Qt::Key_Z);
  const QImage wires = rested(f);
  f.shot("wires");
  int blob = 0, inside = 0;
  for (double x = -0.55; x < 0.25; x += 0.02)
    for (double y = 0.6; y < 1.4; y += 0.02) {
      ++inside;
      blob += orange(wires.pixelColor((f.pixel(Vec3(x, y, 0)) * f.view().devicePixelRatioF()).toPoint()));
    }
  CHECK(inside > 1500);
  CHECK(blob < inside / 4);
}

TEST_CASE("No tab moves when another comes to the front", "[flow][view]") {
  Flow f;
  for (const QSize size : {QSize(1280, 720), QSize(1600, 1000)}) {
    f.window.resize(size);
    QTest::qWait(60);
    const std::vector<QRect> places = tab_places(f);
    REQUIRE(places.size() > 4);
    for (const char* id : {"properties", "analysis", "mapping", "material", "outliner", "history", "properties"}) {
      CAPTURE(id, size.width());
      f.tab(id);
      CHECK(tab_places(f) == places);
      // The name of the one in front can be read: on its tab, or over the panel.
      auto* dock = f.window.findChild<QDockWidget*>(id);
      auto* title = dock->findChild<QLabel*>("dock_title");
      bool on_tab = false;
      for (QTabBar* bar : f.window.findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly))
        for (int i = 0; i < bar->count(); ++i)
          on_tab = on_tab || (bar->tabText(i) == dock->windowTitle() && !bar->property("icons").toBool());
      CHECK((on_tab || (title && title->isVisible() && title->height() > 10)));
    }
    f.shot(size.width() < 1300 ? "tabs-small" : "tabs-large");
  }
}

TEST_CASE("Softness is the first thing of Analysis, and nothing moves when a body becomes flexible", "[flow][view]") {
  Flow f;
  f.window.resize(1600, 1000);
  f.Window::open(ball_scene());
  f.selection().select_only(id_of(f.scene(), "Ball"));
  AnalysisPanel& panel = f.analysis();
  auto* kinds = panel.findChild<QWidget*>("body_kinds");
  REQUIRE(kinds);
  const auto top = [&](QWidget* widget) { return widget->mapTo(&f.window, QPoint(0, 0)).y(); };
  CHECK(top(panel.softness()) < top(kinds));
  CHECK_FALSE(panel.softness()->isEnabled());
  CHECK(panel.softness()->toolTip().contains("Flexible"));
  f.menu("Object", "object.set_flexible");
  QTest::qWait(20);
  CHECK(panel.softness()->isEnabled());
  CHECK(panel.softness()->isVisible());
  const int softness = top(panel.softness()), before = top(kinds);
  f.shot("analysis", f->findChild<QDockWidget*>("analysis"));
  f.menu("Object", "object.set_rigid");
  QTest::qWait(20);
  CHECK(top(panel.softness()) == softness);
  CHECK(std::abs(top(kinds) - before) < 60);
  f.shot("softness-rigid");
}

TEST_CASE("A number that its range ends says the range: dragged, by keys, and in a dialog", "[flow][view]") {
  Flow f;
  f.Window::open(ball_scene());
  f.selection().select_only(id_of(f.scene(), "Ball"));
  f.material();
  NumberField* friction = nullptr;
  for (NumberField* field : f.material().findChildren<NumberField*>())
    if (field->accessibleName() == "Restitution") friction = field;
  REQUIRE(friction);
  f.sight(friction);
  const double middle = friction->height() / 2.0;
  const int edits = f.document().undo_stack()->index();
  f.drag(friction, {10, middle}, {900, middle});
  CHECK(friction->value() == 1);
  CHECK(Bubble::shown_text() == "Restitution goes from 0 to 1.");
  CHECK(f.document().undo_stack()->index() == edits + 1);
  f.shot("range");
  Bubble::hide_all();
  // At its end it goes no farther, and says so again; one bubble for a drag.
  f.mouse(friction, QEvent::MouseButtonPress, {10, middle}, Qt::LeftButton, Qt::LeftButton);
  f.mouse(friction, QEvent::MouseMove, {100, middle}, Qt::NoButton, Qt::LeftButton);
  CHECK(Bubble::shown_text() == "Restitution goes from 0 to 1.");
  Bubble::hide_all();
  f.mouse(friction, QEvent::MouseMove, {160, middle}, Qt::NoButton, Qt::LeftButton);
  CHECK(Bubble::shown_text().isEmpty());
  f.mouse(friction, QEvent::MouseButtonRelease, {160, middle}, Qt::LeftButton, Qt::NoButton);
  CHECK(f.document().undo_stack()->index() == edits + 1);
  friction->setFocus();
  QTest::keyClick(friction, Qt::Key_Up);
  CHECK(Bubble::shown_text() == "Restitution goes from 0 to 1.");
  QTest::keyClick(friction, Qt::Key_Down);
  CHECK(Bubble::shown_text().isEmpty());
  type_number(friction, "3");
  CHECK(Bubble::shown_text() == "Restitution must be at most 1.");
  CHECK(friction->value() < 1);

  f.action("object.array")->trigger();
  QTest::qWait(30);
  QDialog* dialog = nullptr;
  for (QDialog* each : f.window.findChildren<QDialog*>())
    if (each->isVisible()) dialog = each;
  REQUIRE(dialog);
  auto* count = dialog->findChildren<NumberField*>().front();
  f.drag(count, {10, 8}, {-900, 8});
  CHECK(count->value() == 1);
  CHECK(Bubble::shown_text().contains(" goes from 1 to "));
  dialog->reject();
}

TEST_CASE("What the camera's planes leave out is told of and brought back by a click; Camera to View takes it in",
          "[flow][view]") {
  ViewCanvas::smooth_when_at_rest(true);
  Flow f;
  Scene scene = make_new_scene();
  scene.objects.clear();
  scene.objects.push_back(red(100, PrimitiveShape::sphere, Vec3::Constant(300), Vec3(0, 100, -2000)));
  scene.objects.push_back(red(101, PrimitiveShape::sphere, Vec3::Constant(1), Vec3(0, 0.5, 0)));
  const Id shot = scene.cameras.at(0)->id;
  scene = with_camera(scene, shot, [](Camera& c) {
    c.position = Vec3(0, 1, 8);
    c.target = Vec3(0, 1, 0);
    c.depth.automatic = false;
  });
  f.Window::open(scene);
  const auto told = [&] {
    QString text;
    for (const Problem& p : f.window.context().diagnostics.entries())
      if (p.source == Problem::Source::camera) text += QString::fromStdString(p.diagnostic.message) + "|";
    return text;
  };
  CHECK(told() == "Thing 100 lies beyond the camera's far plane (500 m): no picture shows it.|");
  f.view().setFocus();
  f.key(Qt::Key_0);
  REQUIRE(f.view().through_camera());
  const Vec3 far_ball(0, 100, -2000);
  CHECK_FALSE(red_near(f, rested(f), f.pixel(Vec3(0, 160, -1860)), 1));
  auto& diagnostics = f.window.context().diagnostics;
  const Problem problem = diagnostics.entries().front();
  REQUIRE(problem.remedies.size() == 1);
  CHECK(problem.remedies[0].text == "Far plane at 2400 m");
  diagnostics.apply(problem.remedies[0]);
  CHECK(told().isEmpty());
  CHECK(find_camera(f.scene(), shot)->depth.far_plane == 2400);
  CHECK(find_camera(f.scene(), shot)->depth.near_plane == find_camera(scene, shot)->depth.near_plane);
  CHECK(red_near(f, rested(f), f.pixel(Vec3(0, 160, -1860)), 1));
  f.key(Qt::Key_Z, Qt::ControlModifier);
  CHECK_FALSE(told().isEmpty());

  f.key(Qt::Key_0);
  f.key(Qt::Key_Home);
  f.key(Qt::Key_0, Qt::ControlModifier | Qt::AltModifier);
  REQUIRE(f.view().through_camera());
  CHECK(told().isEmpty());
  CHECK(red_near(f, rested(f), f.pixel(far_ball), 1));
}

}  // namespace flow_view_test
