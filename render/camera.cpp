// Orbit camera. With yaw a and pitch b the unit vector from target to eye is
//   d = (sin a cos b, sin b, cos a cos b),
// the right vector is (cos a, 0, −sin a) and up = right × (−d): this basis stays well defined when the camera looks
// straight down, where the usual look-at with a fixed up vector does not. A roll turns right and up about the line of
// sight.
#include "render/camera.h"

#include <algorithm>
#include <cmath>

#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/matrix.hpp>
#include <glm/trigonometric.hpp>
#include <glm/vec4.hpp>

#include "core/playback/frame.h"
#include "core/scene/derived/cameras.h"

namespace hazumi {

namespace {

constexpr float kHalfPi = 1.57079632679f;
constexpr float kSmallestDistance = 1e-5f, kLargestDistance = 1e6f;  // m

glm::vec3 away(float yaw, float pitch) {
  return {std::sin(yaw) * std::cos(pitch), std::sin(pitch), std::cos(yaw) * std::cos(pitch)};
}

}  // namespace

glm::vec3 ViewCamera::position() const { return target + distance * away(yaw, pitch); }
glm::vec3 ViewCamera::forward() const { return -away(yaw, pitch); }
glm::vec3 ViewCamera::right() const {
  const glm::vec3 level(std::cos(yaw), 0.0f, -std::sin(yaw));
  return roll == 0 ? level : std::cos(roll) * level - std::sin(roll) * glm::cross(level, forward());
}
glm::vec3 ViewCamera::up() const { return glm::cross(right(), forward()); }

glm::mat4 ViewCamera::view() const {
  const glm::vec3 r = right(), u = up(), b = away(yaw, pitch), eye = position();
  glm::mat4 m(1);
  for (int i = 0; i < 3; ++i) {
    m[i][0] = r[i];
    m[i][1] = u[i];
    m[i][2] = b[i];
  }
  m[3] = glm::vec4(-glm::dot(r, eye), -glm::dot(u, eye), -glm::dot(b, eye), 1);
  return m;
}

glm::mat4 ViewCamera::projection(float aspect, DepthRange depths) const {
  aspect = std::max(aspect, 1e-3f);
  if (!orthographic) return glm::perspective(field_of_view, aspect, depths.near_plane, depths.far_plane);
  const float half = distance * std::tan(field_of_view / 2);
  return glm::ortho(-half * aspect, half * aspect, -half, half, depths.near_plane, depths.far_plane);
}

Ray ViewCamera::ray(glm::vec2 pixel, glm::vec2 size) const {
  size = glm::max(size, glm::vec2(1));
  const float half = std::tan(field_of_view / 2);
  const float x = (2 * pixel.x / size.x - 1) * half * size.x / size.y;
  const float y = (1 - 2 * pixel.y / size.y) * half;
  if (!orthographic) return {position(), glm::normalize(forward() + x * right() + y * up())};
  // Begins well behind the eye: a parallel view shows what is there too.
  return {position() + distance * (x * right() + y * up()) - 10 * distance * forward(), forward(), true};
}

glm::vec3 ViewCamera::project(glm::vec3 world, glm::vec2 size) const {
  size = glm::max(size, glm::vec2(1));
  const glm::vec3 way = world - position();
  const float depth = glm::dot(way, forward()), half = std::tan(field_of_view / 2);
  if (!orthographic && depth <= 0) return {0, 0, -1};
  const float height = half * (orthographic ? distance : depth);  // of half the view, there
  const float x = glm::dot(way, right()) / height * size.y / size.x, y = glm::dot(way, up()) / height;
  float z = 0;
  if (has_planes())
    z = orthographic ? (depth - near_plane) / (far_plane - near_plane)
                     : far_plane / (far_plane - near_plane) * (1 - near_plane / depth);
  else
    z = orthographic ? 0.5f + std::atan(depth / distance - 1) / (2 * kHalfPi) : depth / (depth + distance);
  return {(x + 1) / 2 * size.x, (1 - y) / 2 * size.y, z};
}

float ViewCamera::metres_per_pixel(glm::vec3 world, glm::vec2 size) const {
  const float depth = orthographic ? distance : std::max(glm::dot(world - position(), forward()), 1e-4f * distance);
  return 2 * depth * std::tan(field_of_view / 2) / std::max(size.y, 1.0f);
}

void ViewCamera::orbit(float dyaw, float dpitch) {
  yaw = std::remainder(yaw + dyaw, 4 * kHalfPi);
  pitch = std::clamp(pitch + dpitch, -kHalfPi, kHalfPi);
}

void ViewCamera::pan(glm::vec2 pixels, glm::vec2 size) {
  const float scale = metres_per_pixel(target, size);
  target += scale * (-pixels.x * right() + pixels.y * up());
}

void ViewCamera::zoom(float factor) { distance = std::clamp(distance * factor, kSmallestDistance, kLargestDistance); }

// A corner at (x, y, z) of the view basis about the centre (z towards the eye) is inside when
// |x| ≤ (d − z) tan(h) and |y| ≤ (d − z) tan(v); the smallest d for all eight is taken. With a margin m, tangents
// shrink.
void ViewCamera::frame(const Box3& box, float aspect) {
  if (!box.valid()) return;
  constexpr float kMargin = 0.82f;
  const glm::vec3 r = right(), u = up(), b = -forward();
  const glm::vec3 centre(box.centre().x(), box.centre().y(), box.centre().z());
  const glm::vec3 half = 0.5f * glm::vec3(box.size().x(), box.size().y(), box.size().z());
  const float tan_v = std::tan(field_of_view / 2) * kMargin, tan_h = tan_v * std::max(aspect, 1e-3f);
  float wanted = 0;
  for (int i = 0; i < 8; ++i) {
    const glm::vec3 corner(i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z);
    const float z = orthographic ? 0.0f : glm::dot(corner, b);
    wanted = std::max({wanted, z + std::abs(glm::dot(corner, r)) / tan_h, z + std::abs(glm::dot(corner, u)) / tan_v});
  }
  target = centre;
  // A point has no size: a metre around it is shown.
  distance = std::clamp(wanted > 0 ? wanted : 1 / tan_v, kSmallestDistance, kLargestDistance);
}

ViewCamera from_scene_camera(const Camera& camera) {
  const Vec3 offset = camera.position - camera.target;
  const double length = offset.norm();
  ViewCamera view;
  view.target = glm::vec3(camera.target.x(), camera.target.y(), camera.target.z());
  view.distance = static_cast<float>(std::max(length, static_cast<double>(kSmallestDistance)));
  if (length > 0) {
    view.pitch = static_cast<float>(std::asin(std::clamp(offset.y() / length, -1.0, 1.0)));
    if (std::hypot(offset.x(), offset.z()) > 1e-9 * length) {
      view.yaw = static_cast<float>(std::atan2(offset.x(), offset.z()));
    } else {
      view.yaw = 0;  // straight above or below: +z is down on screen
    }
  }
  view.roll = static_cast<float>(camera.roll);
  view.field_of_view = static_cast<float>(angle_of_lens(camera.focal_length));
  view.steady = camera.depth.automatic;
  if (view.steady) return view;
  view.near_plane = static_cast<float>(camera.depth.near_plane);
  view.far_plane = static_cast<float>(camera.depth.far_plane);
  return view;
}

Camera to_scene_camera(const ViewCamera& view, const Camera& like) {
  Camera camera = like;
  const glm::vec3 eye = view.position();
  camera.position = Vec3(eye.x, eye.y, eye.z);
  const Vec3 target(view.target.x, view.target.y, view.target.z);
  if (camera.looks_at != 0 && (target - like.target).norm() > 1e-5 * view.distance) camera.looks_at = 0;
  camera.target = target;
  camera.roll = view.roll;
  if (static_cast<float>(angle_of_lens(like.focal_length)) != view.field_of_view)
    camera.focal_length = lens_of_angle(view.field_of_view);
  return camera;
}

Camera aimed(Camera camera, const Scene& shown, const Frame* frame) {
  if (camera.looks_at == 0) return camera;
  const Object* object = find_object(shown, Id{camera.looks_at});
  if (!object) return camera;
  const ObjectFrame* moved = frame ? frame->find(object->id) : nullptr;
  const Vec3 place = moved ? moved->position.cast<double>().eval() : object->transform.position;
  if (place != camera.position) camera.target = place;
  return camera;
}

}  // namespace hazumi
