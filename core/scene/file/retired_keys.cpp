#include "core/scene/file/retired_keys.h"

#include <algorithm>
#include <cmath>

#include "core/scene/derived/cameras.h"
#include "core/scene/values/field_rows.h"

namespace hazumi {

namespace {

constexpr std::string_view kCamera = "camera.";

/// The lens of an angle, to the bit: what it gives back in float, which pictures are made with, is the angle in float.
double lens_of_retired_angle(double angle) {
  const double lens = lens_of_angle(angle);
  for (const double tried : {lens, std::nextafter(lens, 0.0), std::nextafter(lens, 1e9)})
    if (static_cast<float>(angle_of_lens(tried)) == static_cast<float>(angle)) return tried;
  return lens;
}

/// Keys of the angle as keys of the lens: the same at the keys, with the slopes of there.
void take_angles(Track& track) {
  for (Key& key : track.keys) {
    const double angle = std::clamp(key.value[0], 0.0174, 3.0), half = std::sin(0.5 * angle);
    key.value[0] = lens_of_retired_angle(angle);
    for (auto* slope : {&key.in, &key.out}) (*slope)[0] *= -0.25 * kFilmHeight / (half * half);
  }
}

}  // namespace

const RetiredChoice* find_retired_choice(std::string_view path) {
  static constexpr RetiredChoice kKeys[] = {
      {"body.method", "lagrange", "method", "factored"},
      {"body.beta", "lagrange", "beta", "1/4"},
  };
  for (const RetiredChoice& key : kKeys)
    if (key.path == path) return &key;
  return nullptr;
}

void read_retired_choice(const RetiredChoice& key, std::string_view word, Object& object) {
  if (word == key.fallback) return;
  set_parameter(object.body.parameters, {std::string(key.solver), std::string(key.name), std::string(word)});
}

std::span<const Field<RetiredCamera>> retired_camera_fields() {
  using namespace rows;
  using Owner = RetiredCamera;
  // clang-format off
  static const std::vector<Field<RetiredCamera>> table = {
      ROW(position, "Position", "", "m", kAny, look, always, ""),
      ROW(target, "Target", "", "m", kAny, look, always, ""),
      ROW(field_of_view, "Field of view", "", "°", within(0.0174, 3.0, 0.005), look, always, ""),
      ROW(near_plane, "Near plane", "", "m", within(1e-5, 1e6, 0), look, always, ""),
      ROW(far_plane, "Far plane", "", "m", within(1e-4, 1e7, 0), look, always, ""),
  };
  // clang-format on
  return table;
}

bool has_retired_camera_keys(const Scene& scene) {
  return std::any_of(scene.tracks.begin(), scene.tracks.end(),
                     [](const auto& track) { return track->target == 0 && track->field.starts_with(kCamera); });
}

void read_retired_camera(RetiredCamera old, Scene& scene) {
  Camera camera;
  camera.id = next_id(scene);
  camera.name = unique_name(scene, camera.name);
  camera.position = old.position;
  camera.target = old.target;
  camera.focal_length = lens_of_retired_angle(old.field_of_view);
  camera.depth = {false, old.near_plane, old.far_plane};
  camera.kept = std::move(old.kept);
  for (auto& track : scene.tracks)
    if (track->target == 0 && track->field.starts_with(kCamera))
      track = track.edited([&](Track& t) {
        t.target = camera.id.value;
        t.field = t.field.substr(kCamera.size());
        if (t.field == "field_of_view") {
          t.field = "focal_length";
          take_angles(t);
        }
        if (t.field.ends_with("_plane")) t.field = "depth." + t.field;
      });
  scene.cameras.push_back(Shared<Camera>(std::move(camera)));
}

std::span<const Field<RetiredMiddle>> retired_middle_fields() {
  using namespace rows;
  using Owner = RetiredMiddle;
  // clang-format off
  static const std::vector<Field<RetiredMiddle>> table = {
      ROW(bends, "Through a middle", "", "", kNone, look, always, ""),
      ROW(middle, "Middle", "", "", (Range{0.01, 0.99, false, 0}), look, always, ""),
      ROW(middle_growth, "Middle growth", "", "", within(0, 1000, 0), look, always, ""),
      rows::as_colour(ROW(middle_colour, "Middle colour", "", "", kColour, look, always, "")),
  };
  // clang-format on
  return table;
}

void read_retired_middle(const RetiredMiddle& old, ParticleSource& source) {
  if (!old.bends) return;
  if (source.size_keys.empty()) source.size_keys = {{old.middle, old.middle_growth}};
  if (source.colour_keys.empty()) source.colour_keys = {{old.middle, old.middle_colour}};
}

}  // namespace hazumi
