// Cameras of a scene: which one takes the pictures at a time (the cuts), and what a camera's values mean.
//
// With film of height s = 24 mm and focal length f the picture's vertical angle is 2 atan(s / 2f).
// The axes of a camera: forward to the target; right horizontal; up = right × forward; right and up then turned about
// forward by the roll ρ: right' = cos ρ right − sin ρ up, up' = sin ρ right + cos ρ up. Straight up or down right is
// +x.
//
// The cuts are the keys of the scene's camera (SceneSettings::camera). A key that names a camera that is gone is passed
// over: the camera before it stays.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/math/types.h"
#include "core/scene/values/scene.h"

namespace hazumi {

struct Track;

inline constexpr std::string_view kCutField = "settings.camera", kLooksAt = "looks_at";

double angle_of_lens(double focal_length);  ///< mm → rad, vertical
double lens_of_angle(double angle);

/// Columns right, up, −forward: turns what is in the camera's axes into the world's.
Mat3 camera_axes(const Camera& camera);
/// The camera turned to look along these axes' −z from where it is, its target as far as before.
void turn_camera(Camera& camera, const Mat3& axes);

/// The scene's camera, of a scene as it is at a time (scene_at); one of the usual values where it has none.
const Camera& active_camera(const Scene& shown);
/// The track of the cuts without keys that name no camera of the scene; nothing is left, or there is none: no keys.
Track cuts_of(const Scene& scene);

/// Who takes the pictures from a time on.
struct CameraStretch {
  double from = 0, to = 0;  ///< s
  Id camera;
  bool by_key = false;  ///< a cut begins it: a key lies at `from`
};
/// Over first…last without gaps; one after another may have the same camera where a key says so. None: the scene has no
/// camera.
std::vector<CameraStretch> camera_stretches(const Scene& scene, double first, double last);

/// The scene with a cut to this camera at a time. Where there was none, the camera of before has a key at the start.
Scene with_cut(Scene scene, Id camera, double time);

/// What names a camera, a curve, or an object that something looks at, and finds none or must not: a sentence each, with place.
struct LostReference {
  Id who;            ///< the camera or object; none: the scene
  std::string path;  ///< "tracks[2] \"Camera\" keys[3]"
  std::string message;
};
std::vector<LostReference> lost_references(const Scene& scene);

}  // namespace hazumi
