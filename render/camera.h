// View of a scene: orbit camera in floats (GLM, column-major like GL). Pure functions, no GL.
#pragma once

#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "core/geometry/mesh/mesh.h"
#include "core/scene/values/scene.h"

namespace hazumi {

struct Frame;

struct Ray {
  glm::vec3 origin, direction;  ///< direction: unit
  bool parallel = false;        ///< one of many alike: it goes on behind its origin
};

/// Between these depths along the view something is drawn, m.
struct DepthRange {
  float near_plane = 0, far_plane = 0;
};

/// What the viewport looks through: either free or the scene's render camera.
struct ViewCamera {
  glm::vec3 target{0, 0.5f, 0};     ///< m
  float distance = 8;               ///< m
  float yaw = 0.6f, pitch = 0.35f;  ///< rad; yaw about +y from +z, pitch above the horizon
  float field_of_view = 0.69f;      ///< rad, vertical
  float roll = 0;  ///< rad, about the line of sight: above 0 it leans to its right (core/scene/derived/cameras.h)
  bool orthographic = false;
  float near_plane = 0, far_plane = 0;  ///< m; 0: fitted to what there is to see (render/depth.h)
  bool steady = false;  ///< fitted in steps: of a camera that pictures are taken with, one after the other

  glm::vec3 position() const;
  glm::vec3 forward() const;  ///< unit, from the eye to the target
  glm::vec3 right() const;    ///< unit, horizontal without roll
  glm::vec3 up() const;       ///< unit, up on screen
  glm::mat4 view() const;
  bool has_planes() const { return near_plane > 0 && far_plane > 0; }
  glm::mat4 projection(float aspect, DepthRange depths) const;
  /// Through a pixel (origin top left, in logical pixels of a viewport of `size`).
  Ray ray(glm::vec2 pixel, glm::vec2 size) const;
  /// Logical pixel of a world point; z: how deep it lies, in (0,1) between the planes; outside when not in view.
  /// Without planes of its own a view reaches from the eye to infinity, a parallel one both ways.
  glm::vec3 project(glm::vec3 world, glm::vec2 size) const;
  /// Metres per logical pixel at the distance of `world`.
  float metres_per_pixel(glm::vec3 world, glm::vec2 size) const;

  void orbit(float dyaw, float dpitch);
  void pan(glm::vec2 pixels, glm::vec2 size);
  void zoom(float factor);
  /// The same direction, moved so that the box fills the view with a margin.
  void frame(const Box3& box, float aspect);
};

ViewCamera from_scene_camera(const Camera& camera);
/// The camera put where the view looks from; its lens stays where the angle is the same, and it no longer turns to an
/// object that is not in the middle then.
Camera to_scene_camera(const ViewCamera& view, const Camera& like);
/// The camera with its target where what it looks at is (Camera::looks_at), in the scene as shown at a time and its
/// frame; null: as authored.
Camera aimed(Camera camera, const Scene& shown, const Frame* frame);

}  // namespace hazumi
