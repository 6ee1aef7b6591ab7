#include "render/offscreen.h"

#include <catch2/catch.hpp>

#include <thread>

#include "tests/render/golden.h"
#include "tests/render/support.h"

namespace offscreen_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

std::unique_ptr<OffscreenRenderer> renderer() {
  auto made = OffscreenRenderer::create();
  if (!made) FAIL(to_string(made.error()));
  return std::move(made).value();
}

PictureOptions sized(int width, int height, int samples = 4) {
  PictureOptions options;
  options.width = width;
  options.height = height;
  options.samples = samples;
  return options;
}

QImage picture(OffscreenRenderer& with, const Scene& scene, const PictureOptions& options,
               const FramePtr& frame = nullptr) {
  MeshStore meshes;
  auto image = with.picture(scene, frame, meshes, options);
  if (!image) FAIL(to_string(image.error()));
  return std::move(image).value();
}

// Where a world point is in a picture through the scene's camera.
QPoint pixel_of(const Scene& scene, const glm::vec3& world, const PictureOptions& options) {
  const glm::vec3 p = from_scene_camera(active_camera(scene))
                          .project(world, {static_cast<float>(options.width), static_cast<float>(options.height)});
  return {static_cast<int>(p.x), static_cast<int>(p.y)};
}

double at(const QImage& image, QPoint p) { return brightness(image, p.x(), p.y()); }

}  // namespace

TEST_CASE("The lit side is brighter than the other, and a shadow lies on the floor", "[offscreen]") {
  const auto draw = renderer();
  const PictureOptions options = sized(400, 300);
  Scene scene = studio();
  scene.lights.resize(1);  // the sun from (3, 6, 3.5)
  const QImage image = picture(*draw, scene, options);
  const Vec3 sun = Vec3(3, 6, 3.5).normalized(), ball(-1.1, 1.0, 0.2);
  const auto on_ball = [&](const Vec3& direction) {
    const Vec3 p = ball + 0.8 * direction.normalized();
    return at(image, pixel_of(scene, {static_cast<float>(p.x()), static_cast<float>(p.y()), static_cast<float>(p.z())},
                              options));
  };
  CHECK(on_ball(Vec3(0.3, 0.8, 0.9)) > on_ball(Vec3(-0.5, -0.7, 0.6)) + 50);

  // The middle of the ball's shadow, where its ray from the sun meets the floor, and the same spot without shadow.
  const Vec3 middle = ball - sun * (ball.y() / sun.y()) + Vec3(-0.35, 0, 0.25);
  const QPoint spot = pixel_of(scene, {static_cast<float>(middle.x()), 0, static_cast<float>(middle.z())}, options);
  const Scene without_shadow = with_light(scene, Id{10}, [](Light& l) { l.shadow = false; });
  const QImage bright = picture(*draw, without_shadow, options);
  CHECK(at(image, spot) < at(bright, spot) - 40);
  const QPoint open = pixel_of(scene, {0.3f, 0, 2.4f}, options);
  CHECK(std::abs(at(image, open) - at(bright, open)) < 2);
}

TEST_CASE("Shadows follow what moves", "[offscreen]") {
  const auto draw = renderer();
  const PictureOptions options = sized(200, 150, 1);
  Scene scene = studio();
  const QImage before = picture(*draw, scene, options);
  scene = with_object(scene, Id{2}, [](Object& o) { o.transform.position += Vec3(0, 2.5, 0); });
  const QImage moved = picture(*draw, scene, options);  // the same renderer: its map must be drawn anew
  const QImage fresh = picture(*renderer(), scene, options);
  CHECK(moved == fresh);
  CHECK(moved != before);
}

TEST_CASE("A transparent picture has alpha 0 around, 255 inside, and colours that are not darkened", "[offscreen]") {
  const auto draw = renderer();
  PictureOptions options = sized(240, 180);
  options.transparent = true;
  const Scene scene = without(studio(), Id{1});
  const QImage image = picture(*draw, scene, options);
  for (const QPoint corner : {QPoint(0, 0), QPoint(239, 0), QPoint(0, 179), QPoint(239, 179)}) {
    CHECK(image.pixelColor(corner).alpha() == 0);
  }
  const QPoint inside = pixel_of(scene, {-1.1f, 1.2f, 0.9f}, options);
  CHECK(image.pixelColor(inside).alpha() == 255);
  // Edge pixels keep the object's colour: red stays well above blue wherever there is some alpha.
  int edges = 0;
  for (int x = 0; x < 110; ++x)
    for (int y = 0; y < 180; ++y) {
      const QColor c = image.pixelColor(x, y);
      if (c.alpha() == 0 || c.alpha() == 255) continue;
      ++edges;
      CHECK(c.red() > c.blue());
    }
  CHECK(edges > 10);
  options.transparent = false;
  const QColor corner = picture(*draw, scene, options).pixelColor(0, 0);
  CHECK(corner.red() == std::lround(0.16 * 255));
  CHECK(corner.blue() == std::lround(0.19 * 255));
}

TEST_CASE("The same request gives the same picture, from other renderers too", "[offscreen]") {
  const Scene scene = studio();
  const PictureOptions options = sized(160, 120, 16);
  const auto draw = renderer();
  const QImage first = picture(*draw, scene, options);
  CHECK(first == picture(*draw, scene, options));
  CHECK(first == picture(*renderer(), scene, options));
}

TEST_CASE("More samples than the card has are taken in passes", "[offscreen]") {
  const auto draw = renderer();
  Scene scene = studio();
  const QImage rough = picture(*draw, scene, sized(160, 120, 1));
  const QImage fine = picture(*draw, scene, sized(160, 120, 64));
  const QImage finer = picture(*draw, scene, sized(160, 120, 48));
  CHECK(compare(fine, finer).mean < 0.2 * compare(fine, rough).mean);
  CHECK(compare(fine, rough).mean < 1.1);  // not shifted, not another exposure
}

TEST_CASE("A picture larger than a tile is the same picture", "[offscreen]") {
  const auto draw = renderer();
  const Scene scene = studio();
  const QImage large = picture(*draw, scene, sized(2600, 130, 1));
  REQUIRE(large.width() == 2600);
  // Around the seam at 2048 neighbours agree as they do elsewhere (the floor is smooth there).
  for (const int y : {100, 120}) CHECK(std::abs(brightness(large, 2047, y) - brightness(large, 2048, y)) < 3);
  const QImage small = picture(*draw, scene, sized(1300, 65, 4));
  const QImage shrunk = large.scaled(1300, 65, Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
  CHECK(compare(small, shrunk).mean < 0.1);
}

TEST_CASE("Sizes and samples out of range are refused with a sentence", "[offscreen]") {
  const auto draw = renderer();
  for (const PictureOptions& options :
       {sized(0, 10), sized(10, -1), sized(16385, 10), sized(10, 10, 0), sized(10, 10, 65)}) {
    const auto image = draw->draw(RenderList{}, options);
    REQUIRE_FALSE(image.ok());
    CHECK_FALSE(image.error().message.empty());
    CHECK_FALSE(image.error().hint.empty());
  }
}

TEST_CASE("An empty list is the background", "[offscreen]") {
  RenderList list;
  list.background = {1, 0, 0};
  const auto image = renderer()->draw(list, sized(3, 2, 1));
  REQUIRE(image.ok());
  CHECK(image->pixelColor(1, 1) == QColor(255, 0, 0));
}

TEST_CASE("Two renderers in two threads draw side by side", "[offscreen]") {
  const Scene scene = studio();
  const QImage expected = picture(*renderer(), scene, sized(120, 90));
  QImage seen[2];
  std::thread threads[2];
  for (int t = 0; t < 2; ++t)
    threads[t] = std::thread([&, t] {
      for (int round = 0; round < 3; ++round) {
        auto made = OffscreenRenderer::create();
        if (!made) return;
        MeshStore meshes;
        for (int i = 0; i < 2; ++i) {
          auto image = made.value()->picture(scene, nullptr, meshes, sized(120, 90));
          if (image) seen[t] = image.value();
        }
      }
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(seen[0] == expected);
  CHECK(seen[1] == expected);
}

TEST_CASE("Meshes and frames that come and go are not mistaken for each other", "[offscreen]") {
  const auto draw = renderer();
  const PictureOptions options = sized(96, 64, 1);
  for (int i = 0; i < 20; ++i) {
    Scene scene = studio();
    MeshStore meshes;  // new meshes each time, likely at old addresses
    scene = with_object(scene, Id{3}, [&](Object& o) { o.display.primitive.size = Vec3(0.4 + 0.1 * i, 0.5, 0.5); });
    const auto mesh = meshes.mesh(*find_object(scene, Id{2}));
    auto frame = std::make_shared<Frame>();
    ObjectFrame moved;
    moved.id = Id{2};
    moved.deformed = true;
    for (const Vec3& p : mesh->positions) moved.vertices.push_back((p + Vec3(-1.1, 1 + 0.05 * i, 0)).cast<float>());
    for (const Vec3& n : mesh->normals) moved.normals.push_back(n.cast<float>());
    frame->objects.push_back(moved);
    const QImage seen = picture(*draw, scene, options, frame);
    if (i % 6 == 0) CHECK(seen == picture(*renderer(), scene, options, frame));
  }
}

TEST_CASE("Exported pictures show no helpers and no grid", "[offscreen]") {
  const auto draw = renderer();
  Scene scene = studio();
  const PictureOptions options = sized(160, 120, 1);
  const QImage image = picture(*draw, scene, options);
  MeshStore meshes;
  ViewOptions with_helpers;
  const auto viewport = draw->draw(
      extract(scene, nullptr, from_scene_camera(active_camera(scene)), 160.0f / 120.0f, with_helpers, {}, meshes),
      options);
  REQUIRE(viewport.ok());
  CHECK(*viewport != image);
  with_helpers.grid = with_helpers.helpers = false;
  const auto plain = draw->draw(
      extract(scene, nullptr, from_scene_camera(active_camera(scene)), 160.0f / 120.0f, with_helpers, {}, meshes),
      options);
  REQUIRE(plain.ok());
  CHECK(*plain == image);
}

}  // namespace offscreen_test
