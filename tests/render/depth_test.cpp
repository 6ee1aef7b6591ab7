// Scenes of any size are seen: planes of a free view, its grid, its shadow.
#include "render/depth.h"

#include <cmath>

#include <catch2/catch.hpp>

#include <glm/geometric.hpp>

#include "render/convert.h"
#include "render/extract.h"
#include "render/picking.h"
#include "tests/render/support.h"

namespace depth_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

constexpr float kAspect = 16.0f / 9.0f;
const glm::vec2 kSize(1600, 900);

Box3 bounds_of(const Scene& scene, MeshStore& meshes) { return shown_bounds(scene, nullptr, meshes); }

ViewCamera home(const Scene& scene, MeshStore& meshes) {
  ViewCamera camera;
  camera.frame(bounds_of(scene, meshes), kAspect);
  return camera;
}

/// Every corner of every mesh of the list within the clip volume; and the coarsest step of depth at any of them, as a share of
/// the distance to what is looked at.
float in_clip_volume(const RenderList& list) {
  float step = 0;
  for (const DrawMesh& mesh : list.meshes)
    for (int i = 0; i < 8; ++i) {
      const Vec3 corner(i & 1 ? mesh.bounds.high.x() : mesh.bounds.low.x(),
                        i & 2 ? mesh.bounds.high.y() : mesh.bounds.low.y(),
                        i & 4 ? mesh.bounds.high.z() : mesh.bounds.low.z());
      const glm::vec4 clip = list.projection * (list.view * glm::vec4(to_glm(corner), 1.0f));
      for (int k = 0; k < 3; ++k) CHECK(std::abs(clip[k]) <= clip.w);
      const float z =
          glm::dot(to_glm(corner) - list.eye, -glm::vec3(list.view[0][2], list.view[1][2], list.view[2][2]));
      step = std::max(step, z * z / (list.depths.near_plane * 16777216.0f) / list.distance);
    }
  return step;
}

Object ball(std::uint64_t id, double diameter, const Vec3& at) {
  Object object = make_object(id, "Ball " + std::to_string(id), PrimitiveShape::sphere, Vec3::Constant(diameter), at);
  object.display.primitive.divisions = {12, 8, 1};
  return object;
}

}  // namespace

TEST_CASE("From a millimetre to ten kilometres everything lies between the planes of the free view", "[depth]") {
  for (double size = 1e-3; size < 2e4; size *= std::sqrt(10.0)) {
    CAPTURE(size);
    Scene scene;
    for (std::uint64_t id = 1; id <= 9; ++id)
      scene.objects.push_back(ball(id, 0.1 * size, size * Vec3(double(id % 3) - 1, 0.3, double(id / 3) - 1)));
    MeshStore meshes;
    for (const bool parallel : {false, true}) {
      CAPTURE(parallel);
      ViewCamera camera = home(scene, meshes);
      camera.orthographic = parallel;
      const RenderList list = extract(scene, nullptr, camera, kAspect, {}, {}, meshes);
      REQUIRE(list.meshes.size() == 9);
      const float step = in_clip_volume(list);
      if (!parallel) CHECK(step < 3e-5f);  // 1.6e-5 at every size: a fortieth of a pixel's width
      for (const auto& object : scene.objects) {
        const glm::vec3 p = camera.project(to_glm(object->transform.position), kSize);
        CHECK((p.z > 0 && p.z < 1));
        const auto hit = pick(list, scene, camera, glm::vec2(p), kSize);
        REQUIRE(hit);
        CHECK(hit->id == object->id);
      }
    }
  }
}

TEST_CASE("What is near to the eye brings the near plane nearer, a floor below the picture does not", "[depth]") {
  Scene scene;
  scene.objects = {ball(1, 1, Vec3(0, 0.5, 0))};
  MeshStore meshes;
  ViewCamera camera;  // from 8 m
  const auto near_plane = [&] { return extract(scene, nullptr, camera, kAspect, {}, {}, meshes).depths.near_plane; };
  CHECK(near_plane() == Approx(0.08f));
  scene.objects.push_back(make_object(2, "Floor", PrimitiveShape::plane, Vec3(10000, 0, 10000), Vec3::Zero()));
  CHECK(near_plane() == Approx(0.08f));
  const auto before_the_eye = [&](float depth) {
    scene.objects.push_back(
        ball(scene.objects.size() + 1, 0.002, to_eigen(camera.position() + depth * camera.forward())));
  };
  before_the_eye(0.05f);
  const glm::vec3 f = glm::abs(camera.forward());
  CHECK(near_plane() == Approx(0.9f * (0.05f - 0.001f * (f.x + f.y + f.z))).epsilon(1e-3));
  before_the_eye(0.002f);  // 1/4000 of the distance: not for that
  CHECK(near_plane() == Approx(0.004f));
  camera.orbit(3.14159f, 0);  // from the other side neither is before the eye
  CHECK(near_plane() == Approx(0.08f));
}

TEST_CASE("The scene's camera keeps its planes, and what they cut is not hit", "[depth]") {
  Scene scene;
  scene.objects = {ball(1, 1, Vec3(0, 0, 0)), ball(2, 200, Vec3(0, 0, -600)), ball(3, 0.002, Vec3(0, 0, 4.97))};
  const Camera shot = make_camera(9, Vec3(0, 0, 5), Vec3::Zero());
  MeshStore meshes;
  const ViewCamera camera = from_scene_camera(shot);
  const RenderList list = extract(scene, nullptr, camera, kAspect, {}, {}, meshes);
  CHECK(list.depths.near_plane == Approx(shot.depth.near_plane));
  CHECK(list.depths.far_plane == Approx(shot.depth.far_plane));
  CHECK(list.cuts_lines);
  CHECK(pick(list, scene, camera, 0.5f * kSize, kSize)->id == Id{1});  // not the grain before it
  CHECK_FALSE(pick(list, scene, camera, glm::vec2(800, 310), kSize));  // not the large one far behind
  ViewCamera free = camera;
  free.near_plane = free.far_plane = 0;
  const RenderList all = extract(scene, nullptr, free, kAspect, {}, {}, meshes);
  CHECK(pick(all, scene, free, 0.5f * kSize, kSize)->id == Id{3});
  CHECK(pick(all, scene, free, glm::vec2(800, 310), kSize)->id == Id{2});
}

TEST_CASE("The planes follow what flies away in a run", "[depth]") {
  Scene scene;
  scene.objects = {ball(1, 1, Vec3(0, 0.5, 0)), ball(2, 1, Vec3(2, 0.5, 0))};
  MeshStore meshes;
  const ViewCamera camera = home(scene, meshes);
  for (const float away : {1.0f, 100.0f, 1e4f}) {
    CAPTURE(away);
    auto frame = std::make_shared<Frame>();
    ObjectFrame moved;
    moved.id = Id{2};
    moved.position = to_eigen(camera.target + away * camera.forward()).cast<float>();
    frame->objects.push_back(moved);
    for (const bool parallel : {false, true}) {
      ViewCamera view = camera;
      view.orthographic = parallel;
      const RenderList list = extract(scene, frame, view, kAspect, {}, {}, meshes);
      const float depth = camera.distance + away;
      CHECK(list.depths.near_plane < depth - 0.5f);
      CHECK(list.depths.far_plane > depth + 0.5f);
    }
  }
}

TEST_CASE("Two faces a thousandth apart do not fight, at a millimetre, a metre and a kilometre", "[depth]") {
  for (const double size : {1e-3, 1.0, 1e3}) {
    CAPTURE(size);
    // A red sheet a thousandth of its size above a blue one, on a floor of a thousand times their size.
    Scene scene;
    scene.objects = {
        make_object(1, "Floor", PrimitiveShape::plane, size * Vec3(1000, 0, 1000), Vec3(0, -0.1 * size, 0)),
        make_object(2, "Below", PrimitiveShape::plane, size * Vec3(2, 0, 2), Vec3::Zero()),
        make_object(3, "Above", PrimitiveShape::plane, size * Vec3(1.6, 0, 1.6), Vec3(0, 1e-3 * size, 0))};
    for (auto& object : scene.objects)
      object = object.edited([](Object& o) {
        o.body.kind = BodyKind::fixed;
        o.material.surface = plastic(o.id == Id{3} ? Vec3(0.9, 0.1, 0.1) : Vec3(0.1, 0.1, 0.9));
        o.material.surface.specular = Vec3::Zero();
      });
    scene.lights.push_back(make_light(10, LightKind::directional, size * Vec3(3, 6, 3.5), 0.9, false));
    ViewCamera camera;
    Box3 sheets;
    sheets.add(size * Vec3(-1, 0, -1));
    sheets.add(size * Vec3(1, 0, 1));
    camera.frame(sheets, kAspect);
    ViewOptions options;
    options.grid = options.helpers = false;
    MeshStore meshes;
    const RenderList list = extract(scene, nullptr, camera, kAspect, options, {}, meshes);
    auto renderer = OffscreenRenderer::create();
    REQUIRE(renderer.ok());
    PictureOptions small;
    small.width = 320;
    small.height = 180;
    const auto image = renderer.value()->draw(list, small);
    REQUIRE(image.ok());
    int wrong = 0, looked_at = 0;
    for (double x = -0.75; x < 0.76; x += 0.05)
      for (double z = -0.75; z < 0.76; z += 0.05) {
        const glm::vec3 p = camera.project(to_glm(Vec3(size * x, size * 1e-3, size * z)), {320, 180});
        const QColor c = image.value().pixelColor(int(p.x), int(p.y));
        ++looked_at;
        wrong += c.red() <= 2 * c.blue();
      }
    CHECK(looked_at > 900);
    CHECK(wrong == 0);
  }
}

TEST_CASE("A parallel view from the side shows the ground as a line, at any size", "[depth]") {
  auto renderer = OffscreenRenderer::create();
  REQUIRE(renderer.ok());
  for (const float size : {1e-3f, 1.0f, 1e3f})
    for (const float yaw : {0.0f, 1.5707963f, 0.6f}) {
      CAPTURE(size, yaw);
      Scene scene;
      MeshStore meshes;
      ViewCamera camera;
      camera.target = size * glm::vec3(0.2f, 0.3f, 0);
      camera.distance = 4 * size;
      camera.yaw = yaw;
      camera.pitch = 0;
      camera.orthographic = true;
      PictureOptions small;
      small.width = 320;
      small.height = 180;
      const RenderList list = extract(scene, nullptr, camera, kAspect, {}, {}, meshes);
      const auto image = renderer.value()->draw(list, small);
      REQUIRE(image.ok());
      const glm::vec3 ground = camera.project(size * glm::vec3(0.2f, 0, 0), {320, 180});
      const int y = int(ground.y);
      const auto bright = [&](int x, int at) { return brightness(image.value(), x, at); };
      for (const int x : {20, 90, 250, 300}) {
        const double line = std::max({bright(x, y - 1), bright(x, y), bright(x, y + 1)});
        CHECK(line > bright(x, y - 7) + 25);
        CHECK(line > bright(x, y + 7) + 25);
        CHECK(bright(x, y + 7) < bright(x, y - 7));  // the earth is darker
      }
    }
}

TEST_CASE("Near to one ball of a kilometre of them its shadow is sharp", "[depth]") {
  Scene scene;
  for (std::uint64_t id = 1; id <= 257; ++id) scene.objects.push_back(ball(id, 1, Vec3(4.7 * double(id), 0.5, 0)));
  scene.lights.push_back(make_light(1000, LightKind::directional, Vec3(3, 6, 3.5), 0.95, true));
  MeshStore meshes;
  ViewCamera camera = home(scene, meshes);
  const auto covered = [&] {
    return extract(scene, nullptr, camera, kAspect, {}, {}, meshes).shadow_bounds.size().norm();
  };
  CHECK(covered() == Approx(256 * 4.7 + 1).epsilon(0.01));
  camera.target = {4.7f * 100, 0.5f, 0};
  camera.distance = 4;
  CHECK(covered() < 40);
  CHECK(covered() > 30);
}

}  // namespace depth_test
