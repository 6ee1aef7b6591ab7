#include "render/camera.h"
#include "core/scene/derived/cameras.h"

#include <catch2/catch.hpp>

#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>

#include "render/convert.h"

namespace camera_test {

using namespace hazumi;

namespace {

float difference(const glm::mat4& a, const glm::mat4& b) {
  float worst = 0;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) worst = std::max(worst, std::abs(a[i][j] - b[i][j]));
  return worst;
}

ViewCamera some_camera() {
  ViewCamera camera;
  camera.target = {1, 2, -3};
  camera.distance = 5;
  camera.yaw = 0.8f;
  camera.pitch = 0.4f;
  return camera;
}

}  // namespace

TEST_CASE("The view matrix is that of a look-at from the eye to the target", "[camera]") {
  const ViewCamera camera = some_camera();
  CHECK(difference(camera.view(), glm::lookAt(camera.position(), camera.target, glm::vec3(0, 1, 0))) < 2e-7f);
  CHECK(glm::length(camera.position() - camera.target) == Approx(5.0f));
  // Yaw turns from +z towards +x, pitch lifts the eye.
  ViewCamera plain;
  plain.target = {0, 0, 0};
  plain.yaw = plain.pitch = 0;
  CHECK(glm::length(plain.position() - glm::vec3(0, 0, plain.distance)) < 1e-6f);
  plain.yaw = 1.5707963f;
  CHECK(glm::length(plain.position() - glm::vec3(plain.distance, 0, 0)) < 1.5e-6f);
}

TEST_CASE("Looking straight down is a view like any other", "[camera]") {
  ViewCamera camera = some_camera();
  camera.orbit(0, 10);
  const glm::mat4 view = camera.view();
  CHECK(camera.pitch == Approx(1.5707963f));
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) CHECK(std::isfinite(view[i][j]));
  CHECK(glm::determinant(glm::mat3(view)) == Approx(1.0f).margin(1e-6));
}

TEST_CASE("A ray through the pixel of a point meets the point", "[camera]") {
  const glm::vec2 size(1200, 700);
  for (const bool orthographic : {false, true}) {
    ViewCamera camera = some_camera();
    camera.orthographic = orthographic;
    for (const glm::vec3& world : {glm::vec3(1, 2, -3), glm::vec3(0.2f, 2.5f, -2), glm::vec3(2.1f, 1.2f, -4.5f)}) {
      const glm::vec3 pixel = camera.project(world, size);
      REQUIRE(pixel.z > 0);
      REQUIRE(pixel.z < 1);
      const Ray ray = camera.ray(glm::vec2(pixel), size);
      CHECK(glm::length(ray.direction) == Approx(1.0f).margin(1.8e-7));
      const float along = glm::dot(world - ray.origin, ray.direction);
      CHECK(along > 0);
      CHECK(glm::length(ray.origin + along * ray.direction - world) < 2.5e-5f);
    }
  }
}

TEST_CASE("What lies behind the eye is not in view", "[camera]") {
  const ViewCamera camera = some_camera();
  const glm::vec3 p = camera.project(camera.position() - camera.forward(), {800, 600});
  CHECK_FALSE((p.z > 0 && p.z < 1));
}

TEST_CASE("Panning moves what is at the target's depth along with the mouse", "[camera]") {
  const glm::vec2 size(1000, 800), moved(37, -52);
  ViewCamera camera = some_camera();
  const glm::vec3 point = camera.target;
  const glm::vec3 before = camera.project(point, size);
  camera.pan(moved, size);
  const glm::vec3 after = camera.project(point, size);
  CHECK(after.x - before.x == Approx(moved.x).margin(3e-4));
  CHECK(after.y - before.y == Approx(moved.y).margin(3e-4));
}

TEST_CASE("metres_per_pixel agrees with the projection", "[camera]") {
  const glm::vec2 size(1000, 800);
  for (const bool orthographic : {false, true}) {
    ViewCamera camera = some_camera();
    camera.orthographic = orthographic;
    const glm::vec3 at(0.5f, 1.5f, -2.5f);
    const float scale = camera.metres_per_pixel(at, size);
    const glm::vec3 a = camera.project(at, size), b = camera.project(at + 100 * scale * camera.right(), size);
    CHECK(b.x - a.x == Approx(100.0f).epsilon(1e-6));
  }
}

TEST_CASE("Framing shows the whole box and fills the view with it", "[camera]") {
  Box3 box;
  box.add(Vec3(-3, 0, 1));
  box.add(Vec3(2, 1.5, 9));
  for (const bool orthographic : {false, true})
    for (const float aspect : {0.5f, 1.0f, 2.4f})
      for (const float pitch : {-0.3f, 0.2f, 1.5f}) {
        ViewCamera camera = some_camera();
        camera.orthographic = orthographic;
        camera.pitch = pitch;
        const float yaw = camera.yaw;
        camera.frame(box, aspect);
        CHECK(camera.yaw == yaw);
        const glm::vec2 size(1000 * aspect, 1000);
        float reach = 0;  // 1: the border of the view
        for (int i = 0; i < 8; ++i) {
          const glm::vec3 corner(i & 1 ? 2 : -3, i & 2 ? 1.5f : 0, i & 4 ? 9 : 1);
          const glm::vec3 p = camera.project(corner, size);
          reach = std::max({reach, std::abs(p.x / size.x - 0.5f) * 2, std::abs(p.y / size.y - 0.5f) * 2});
        }
        CHECK(reach < 0.9f);
        CHECK(reach > 0.75f);
      }
  ViewCamera camera;
  Box3 point;
  point.add(Vec3(1, 1, 1));
  camera.frame(point, 1);
  CHECK(camera.distance > 0.5f);
  const ViewCamera before = camera;
  camera.frame(Box3{}, 1);
  CHECK(camera.distance == before.distance);
}

TEST_CASE("The scene's camera and the view camera become each other", "[camera]") {
  Camera camera;
  camera.position = Vec3(-3, 5, 2);
  camera.target = Vec3(1, 0.5, -1);
  camera.focal_length = lens_of_angle(0.5);
  camera.depth = {false, 0.2, 70};
  const ViewCamera view = from_scene_camera(camera);
  CHECK((to_eigen(view.position()) - camera.position).norm() < 1.5e-6);
  const Camera back = to_scene_camera(view, camera);
  CHECK((back.position - camera.position).norm() < 1.5e-6);
  CHECK((back.target - camera.target).norm() < 1e-6);
  CHECK(back.focal_length == camera.focal_length);
  CHECK(back.depth.far_plane == 70);
  CHECK(difference(view.projection(1.5f, {view.near_plane, view.far_plane}),
                   glm::perspective(0.5f, 1.5f, 0.2f, 70.0f)) < 1e-6f);

  camera.position = Vec3(1, 9, -1);  // straight above
  CHECK((to_eigen(from_scene_camera(camera).position()) - camera.position).norm() < 1e-6);
  camera.position = camera.target;  // no direction at all: still a usable view
  CHECK(std::isfinite(from_scene_camera(camera).view()[3][2]));
}

}  // namespace camera_test
