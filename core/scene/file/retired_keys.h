// Keys that earlier versions wrote and this one keeps elsewhere. Such a file is read as it was meant and
// saved with what took the key's place.
#pragma once

#include <span>
#include <string_view>

#include "core/scene/values/fields.h"

namespace hazumi {

/// A choice of the only solver there was, which is a parameter of that solver now.
struct RetiredChoice {
  std::string_view path;      ///< "body.method"
  std::string_view solver;    ///< "lagrange"
  std::string_view name;      ///< "method"
  std::string_view fallback;  ///< as by default: nothing is kept
};

/// Null for a key that never was.
const RetiredChoice* find_retired_choice(std::string_view path);
void read_retired_choice(const RetiredChoice& key, std::string_view word, Object& object);

/// The only camera that there was, a block "camera" with an angle; its keys were of fields of the scene,
/// "camera.position".
struct RetiredCamera {
  Vec3 position = Vec3(4, 3, 6), target = Vec3(0, 0.5, 0);  ///< m
  double field_of_view = 0.69;                              ///< rad, vertical
  double near_plane = 0.05, far_plane = 500.0;              ///< m
  Kept kept = {};
};
std::span<const Field<RetiredCamera>> retired_camera_fields();
/// The same camera as the first of the list, with its keys; pictures through it are the same to the bit.
void read_retired_camera(RetiredCamera old, Scene& scene);
/// The scene has keys of the camera that was the only one.
bool has_retired_camera_keys(const Scene& scene);

/// The only key over its life that a source of particles had, of size and colour.
struct RetiredMiddle {
  bool bends = false;   ///< there is one
  double middle = 0.5;  ///< part of the life
  double middle_growth = 1;
  Vec3 middle_colour = Vec3(0.75, 0.85, 1);
};
std::span<const Field<RetiredMiddle>> retired_middle_fields();
/// The same as keys; pictures are the same to the bit.
void read_retired_middle(const RetiredMiddle& old, ParticleSource& source);

}  // namespace hazumi
