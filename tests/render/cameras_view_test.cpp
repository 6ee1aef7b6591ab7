// Cameras of a scene, seen and looked through: symbols under the mouse, pictures along the cuts, what a camera looks
// at, and depths that find themselves at any size.
#include <catch2/catch.hpp>

#include <cmath>
#include <set>

#include "core/scene/derived/tracks.h"
#include "render/convert.h"
#include "render/depth.h"
#include "render/extract_parts.h"
#include "render/picking.h"
#include "tests/render/support.h"

namespace cameras_view_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

const glm::vec2 kSize(800, 450);

/// Of studio(): the camera 12 from the right, 13 from the left, 14 from above and rolled.
Scene filmed() {
  Scene scene = studio();
  scene.cameras.push_back(make_camera(13, Vec3(-5, 2, 3), Vec3(0, 0.7, 0)));
  Camera third = make_camera(14, Vec3(0, 7, 0.5), Vec3(0, 0, 0), 0.9);
  third.roll = 0.6;
  scene.cameras.push_back(third);
  return scene;
}

PictureOptions small(Id camera = {}) {
  PictureOptions options;
  options.width = 160;
  options.height = 90;
  options.samples = 1;
  options.camera = camera;
  return options;
}

QImage picture(const Scene& scene, int frame, const PictureOptions& options) {
  static std::unique_ptr<OffscreenRenderer> renderer = std::move(OffscreenRenderer::create()).value();
  auto shown = std::make_shared<Frame>();
  shown->index = frame;
  MeshStore meshes;
  auto image = renderer->picture(scene, shown, meshes, options);
  REQUIRE(image.ok());
  return std::move(image).value();
}

Scene balls(std::initializer_list<std::pair<double, double>> sizes_at_depths) {
  Scene scene;
  std::uint64_t id = 1;
  for (const auto& [size, depth] : sizes_at_depths)
    scene.objects.push_back(
        make_object(id++, "Ball", PrimitiveShape::sphere, Vec3::Constant(size), Vec3(0, 0, -depth)));
  return scene;
}

/// Of an automatic camera in the origin that looks along −z at `distance`.
DepthRange depths(const Scene& scene, double distance, double eye = 0) {
  Camera camera = make_camera(99, Vec3(0, 0, eye), Vec3(0, 0, -distance));
  camera.depth.automatic = true;
  MeshStore meshes;
  return extract(scene, nullptr, from_scene_camera(camera), 1.5f, {}, {}, meshes).depths;
}

}  // namespace

TEST_CASE("A view through a camera has its axes, its roll and the angle of its lens", "[camera]") {
  const unsigned seed = 99;
  INFO("seed " << seed);
  std::srand(seed);
  const auto random = [](double low, double high) { return low + (high - low) * std::rand() / RAND_MAX; };
  for (int i = 0; i < 200; ++i) {
    Camera camera = make_camera(1, Vec3(random(-9, 9), random(-9, 9), random(-9, 9)),
                                Vec3(random(-3, 3), random(-3, 3), random(-3, 3)));
    camera.roll = random(-4, 4);
    camera.focal_length = random(10, 200);
    const ViewCamera view = from_scene_camera(camera);
    const Mat3 axes = camera_axes(camera);
    CHECK((to_eigen(view.right()) - axes.col(0)).norm() < 2e-6);
    CHECK((to_eigen(view.up()) - axes.col(1)).norm() < 2e-6);
    CHECK((to_eigen(view.forward()) + axes.col(2)).norm() < 2e-6);
    CHECK(view.field_of_view == Approx(2 * std::atan(12 / camera.focal_length)).epsilon(1e-6));
    const Camera back = to_scene_camera(view, camera);
    CHECK(back.focal_length == camera.focal_length);
    CHECK((camera_axes(back) - axes).norm() < 5e-6);
    CHECK(back.roll == Approx(camera.roll).epsilon(1e-6));
  }
}

TEST_CASE("Other cameras are frusta that the mouse can take; the one that is looked through is not drawn",
          "[picking]") {
  const Scene scene = filmed();
  MeshStore meshes;
  ViewCamera view;
  view.distance = 14;
  const auto list = [&](Id through = {}) {
    ViewOptions options;
    options.through = through;
    return extract(scene, nullptr, view, kSize.x / kSize.y, options, {}, meshes);
  };
  const RenderList all = list();
  const auto symbol = [](const RenderList& of, Id id) {
    return std::find_if(of.symbols.begin(), of.symbols.end(), [&](const PickSymbol& s) { return s.id == id; });
  };
  for (const auto& camera : scene.cameras) {
    INFO(camera->id.value);
    const auto own = symbol(all, camera->id);
    REQUIRE(own != all.symbols.end());
    // On a corner of its frame, in the middle of an edge, and where it stands.
    const auto at = [&](const glm::vec3& world) { return glm::vec2(view.project(world, kSize)); };
    for (const glm::vec3& world :
         {to_glm(camera->position), own->segments[1], 0.5f * (own->segments[0] + own->segments[1])}) {
      const auto hit = pick(all, scene, view, at(world), kSize);
      REQUIRE(hit);
      CHECK(hit->id == camera->id);
    }
    // Its frame has the picture's shape.
    const glm::vec3 wide = own->segments[3] - own->segments[2], high = own->segments[7] - own->segments[6];
    CHECK(glm::length(wide) / glm::length(high) == Approx(16.0 / 9).epsilon(1e-4));
    const RenderList through = list(camera->id);
    CHECK(symbol(through, camera->id) == through.symbols.end());
  }
  Scene locked = with_camera(scene, Id{13}, [](Camera& c) { c.locked = true; });
  const glm::vec2 there(view.project(to_glm(scene.cameras[1]->position), kSize));
  const auto hit = pick(all, locked, view, there, kSize);
  CHECK((!hit || hit->id != Id{13}));
  Scene hidden = with_camera(scene, Id{13}, [](Camera& c) { c.visible = false; });
  const RenderList without = extract(hidden, nullptr, view, kSize.x / kSize.y, {}, {}, meshes);
  CHECK(symbol(without, Id{13}) == without.symbols.end());
}

TEST_CASE("Pictures along the cuts are those of each camera, to the bit", "[offscreen]") {
  Scene scene = filmed();
  scene.settings.frame_rate = 10;
  const Scene plain = scene;
  scene = with_cut(scene, Id{13}, 1.0);
  scene = with_cut(scene, Id{14}, 2.0);
  scene = with_cut(scene, Id{12}, 3.0);
  const QImage of[] = {picture(plain, 0, small(Id{12})), picture(plain, 0, small(Id{13})),
                       picture(plain, 0, small(Id{14}))};
  CHECK(of[0] != of[1]);
  CHECK(of[1] != of[2]);
  CHECK(of[0] == picture(plain, 0, small()));
  for (const auto& [frame, camera] : {std::pair(0, 0), {9, 0}, {10, 1}, {19, 1}, {20, 2}, {29, 2}, {30, 0}, {99, 0}}) {
    INFO(frame);
    CHECK(picture(scene, frame, small()) == of[camera]);
    CHECK(picture(scene, frame, small(Id{13})) == of[1]);  // a named one, whatever the cuts say
  }
}

TEST_CASE("A camera turns to what it looks at, where the frame says that it is", "[camera]") {
  Scene scene = filmed();
  scene = with_camera(scene, Id{13}, [](Camera& c) { c.looks_at = 2; });
  const Camera& camera = *find_camera(scene, Id{13});
  CHECK(aimed(camera, scene, nullptr).target == find_object(scene, Id{2})->transform.position);
  Frame frame;
  ObjectFrame moved;
  moved.id = Id{2};
  moved.position = Vec3f(3, 4, 5);
  frame.objects.push_back(moved);
  CHECK(aimed(camera, scene, &frame).target == Vec3(3, 4, 5));
  // In the middle of the picture.
  const ViewCamera view = from_scene_camera(aimed(camera, scene, &frame));
  const glm::vec3 p = view.project({3, 4, 5}, kSize);
  CHECK(p.x == Approx(kSize.x / 2).margin(1e-2));
  CHECK(p.y == Approx(kSize.y / 2).margin(1e-2));
  // What is gone, or where the camera itself is: its target.
  CHECK(aimed(camera, without(scene, Id{2}), nullptr).target == camera.target);
  frame.objects[0].position = camera.position.cast<float>();
  CHECK(aimed(camera, scene, &frame).target == camera.target);
}

TEST_CASE("The depth of an automatic camera holds everything, from a millimetre to a kilometre", "[depth]") {
  for (const double scale : {1e-3, 1.0, 1e3}) {
    INFO(scale);
    const DepthRange range = depths(balls({{1 * scale, 3 * scale}, {2 * scale, 40 * scale}}), 3 * scale);
    CHECK(range.near_plane <= 2.5f * static_cast<float>(scale));
    CHECK(range.near_plane >= 0.9f * 1.2f * static_cast<float>(scale));  // a step below, no more
    CHECK(range.far_plane >= 41 * static_cast<float>(scale));
    CHECK(range.far_plane <= 84 * static_cast<float>(scale));
  }
  // A grain before the lens of a landscape: the ratio is bounded.
  const DepthRange wide = depths(balls({{1e-3, 2e-3}, {100, 50e3}}), 10);
  CHECK(wide.far_plane >= 50e3f);
  CHECK(wide.far_plane / wide.near_plane <= 1.001f * kMostRatio);
  // Inside something, and with nothing to see.
  CHECK(depths(balls({{20, 0}}), 3).near_plane > 0);
  const DepthRange none = depths(Scene{}, 3);
  CHECK((none.near_plane > 0 && none.near_plane < 3 && none.far_plane > 3));
}

TEST_CASE("Coming nearer, the depths of an automatic camera change in few steps: nothing flickers between them",
          "[depth]") {
  const Scene scene = balls({{1, 100}, {5, 200}});
  std::set<std::pair<float, float>> ranges;
  float before = 0;
  for (int i = 0; i <= 960; ++i) {
    const double eye = -0.1 * i;  // from 100 m to 4 m before it
    const DepthRange range = depths(scene, 100, eye);
    ranges.insert({range.near_plane, range.far_plane});
    const float nearest = static_cast<float>(100 - 0.5 + eye);
    CHECK(range.near_plane < nearest);
    if (before != 0) CHECK((range.near_plane == before || range.near_plane <= 0.5f * before));
    before = range.near_plane;
  }
  INFO(ranges.size() << " ranges over 961 pictures");
  CHECK(ranges.size() <= 8);
}

}  // namespace cameras_view_test
