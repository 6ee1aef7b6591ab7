#include "render/depth.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <glm/geometric.hpp>

#include "render/convert.h"

namespace hazumi {

namespace {

constexpr float kUsualNear = 1e-2f, kLeastNear = 5e-4f;  // of the distance to what is looked at
constexpr float kUsualFar = 50;
constexpr float kRoom = 0.9f;  // of the depth of the nearest thing; boxes are rounded
constexpr float kNone = std::numeric_limits<float>::infinity();

/// A flat piece of a box's side, cut by the sides of the view: four corners, and one more with each of four cuts.
struct Piece {
  std::array<glm::vec3, 8> corners;
  std::size_t count = 0;
};

/// What of it lies where n·p ≥ 0 (Sutherland and Hodgman 1974).
Piece cut(const Piece& piece, const glm::vec3& n) {
  Piece left;
  for (std::size_t i = 0; i < piece.count; ++i) {
    const glm::vec3 &p = piece.corners[i], &q = piece.corners[(i + 1) % piece.count];
    const float a = glm::dot(n, p), b = glm::dot(n, q);
    if (a >= 0) left.corners[left.count++] = p;
    if ((a >= 0) != (b >= 0) && left.count < left.corners.size())
      left.corners[left.count++] = p + a / (a - b) * (q - p);
  }
  return left;
}

/// The box as the eye has it: x to the right, y up, z into the picture.
struct EyeFrame {
  glm::vec3 eye, right, up, forward;

  glm::vec3 operator()(const Vec3& world) const {
    const glm::vec3 way = to_glm(world) - eye;
    return {glm::dot(way, right), glm::dot(way, up), glm::dot(way, forward)};
  }
};

/// Depth of the nearest point of the box in a perspective view; kNone: none of it is in it.
float nearest_seen(const Box3& box, const EyeFrame& to_eye, const std::array<glm::vec3, 4>& sides) {
  const Vec3 eye = to_eigen(to_eye.eye);
  if ((eye.array() >= box.low.array()).all() && (eye.array() <= box.high.array()).all()) return 0;
  float nearest = kNone;
  for (int axis = 0; axis < 3; ++axis)
    for (const bool high : {false, true}) {
      const int u = (axis + 1) % 3, v = (axis + 2) % 3;
      Piece piece;
      for (const auto& [at_u, at_v] : {std::pair(false, false), {true, false}, {true, true}, {false, true}}) {
        Vec3 corner = high ? box.high : box.low;
        corner[u] = at_u ? box.high[u] : box.low[u];
        corner[v] = at_v ? box.high[v] : box.low[v];
        piece.corners[piece.count++] = to_eye(corner);
      }
      for (const glm::vec3& side : sides) piece = cut(piece, side);
      for (std::size_t i = 0; i < piece.count; ++i) nearest = std::min(nearest, piece.corners[i].z);
    }
  return nearest;
}

EyeFrame eye_frame(const ViewCamera& camera) {
  return {camera.position(), camera.right(), camera.up(), camera.forward()};
}

std::array<glm::vec3, 4> sides_of(const ViewCamera& camera, float aspect) {
  const float v = std::tan(camera.field_of_view / 2), h = v * std::max(aspect, 1e-3f);
  return {glm::vec3(1, 0, h), {-1, 0, h}, {0, 1, v}, {0, -1, v}};
}

/// From the nearest corner to the farthest, also of what is beside the picture.
DepthRange whole_depths(const Box3& box, const EyeFrame& to_eye) {
  const float centre = to_eye(box.centre()).z, half = 0.5f * glm::dot(glm::abs(to_eye.forward), to_glm(box.size()));
  return {centre - half, centre + half};
}

float step_below(float depth) { return std::exp2(std::floor(std::log2(depth))); }
float step_above(float depth) { return std::exp2(std::ceil(std::log2(depth))); }

/// Of what is drawn with depth. Particles all round the eye may come as near as they like: they do not move the planes.
std::vector<Box3> seen_boxes(const RenderList& list, const ViewCamera& camera) {
  std::vector<Box3> boxes;
  boxes.reserve(list.meshes.size() + list.sprite_boxes.size());
  for (const DrawMesh& mesh : list.meshes)
    if (mesh.bounds.valid()) boxes.push_back(mesh.bounds);
  const Vec3 eye = to_eigen(camera.position());
  for (const Box3& box : list.sprite_boxes)
    if (box.valid() && !box.holds(eye)) boxes.push_back(box);
  return boxes;
}

/// In steps of two. Where nothing is seen: about what is looked at.
DepthRange steady_depths(const RenderList& list, const ViewCamera& camera, float aspect) {
  const EyeFrame to_eye = eye_frame(camera);
  const std::array<glm::vec3, 4> sides = sides_of(camera, aspect);
  float nearest = kNone, farthest = 0;
  for (const Box3& box : seen_boxes(list, camera)) {
    const DepthRange whole = whole_depths(box, to_eye);
    if (whole.far_plane <= 0) continue;
    const float seen =
        whole.near_plane < nearest || whole.far_plane > farthest ? nearest_seen(box, to_eye, sides) : kNone;
    if (seen == kNone) continue;
    nearest = std::min(nearest, seen);
    farthest = std::max(farthest, whole.far_plane);
  }
  if (nearest == kNone) return {step_below(kUsualNear * camera.distance), step_above(kUsualFar * camera.distance)};
  const float far_plane = step_above(1.01f * farthest), least = far_plane / kMostRatio;
  return {std::max(nearest > 0 ? step_below(kRoom * nearest) : least, least), far_plane};
}

}  // namespace

DepthRange depths_of(const Box3& box, const ViewCamera& camera, float aspect) {
  const EyeFrame to_eye = eye_frame(camera);
  return {nearest_seen(box, to_eye, sides_of(camera, aspect)), whole_depths(box, to_eye).far_plane};
}

DepthRange reach_of(const Box3& box, const ViewCamera& camera) { return whole_depths(box, eye_frame(camera)); }

DepthRange depths_for(const RenderList& list, const ViewCamera& camera, float aspect) {
  if (camera.has_planes()) return {camera.near_plane, std::max(camera.far_plane, 2 * camera.near_plane)};
  if (camera.steady && !camera.orthographic) return steady_depths(list, camera, aspect);
  const EyeFrame to_eye = eye_frame(camera);
  const std::array<glm::vec3, 4> sides = sides_of(camera, aspect);
  const float usual = kUsualNear * camera.distance;
  float low = kNone, high = -kNone, nearest = kNone;
  for (const Box3& box : seen_boxes(list, camera)) {
    const DepthRange whole = whole_depths(box, to_eye);
    low = std::min(low, whole.near_plane);
    high = std::max(high, whole.far_plane);
    // Most lie farther away than where the near plane is anyway; the others are looked at closely.
    if (!camera.orthographic && whole.far_plane > 0 && kRoom * whole.near_plane < std::min(nearest, usual))
      nearest = std::min(nearest, nearest_seen(box, to_eye, sides));
  }
  if (!camera.orthographic)
    return {std::clamp(kRoom * nearest, kLeastNear * camera.distance, usual),
            std::max(1.01f * high, kUsualFar * camera.distance)};
  if (!(low <= high)) low = high = camera.distance;
  const float room = 0.01f * (high - low) + camera.distance;
  return {low - room, high + room};
}

void set_view(RenderList& list, const ViewCamera& camera, float aspect) {
  list.depths = depths_for(list, camera, aspect);
  list.cuts_lines = camera.has_planes();
  list.distance = camera.distance;
  list.eye = camera.position();
  list.view = camera.view();
  list.projection = camera.projection(aspect, list.depths);
}

}  // namespace hazumi
