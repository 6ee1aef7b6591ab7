#include "core/scene/derived/cameras.h"

#include <algorithm>
#include <cmath>

#include "core/math/rotation.h"
#include "core/scene/derived/following.h"
#include "core/scene/derived/tracks.h"

namespace hazumi {

namespace {

/// Of a line of sight, without roll.
Mat3 level_axes(const Vec3& forward) {
  const double level = std::hypot(forward.x(), forward.z());
  // Along −z of the picture: right = (cos a, 0, −sin a) with the yaw a of the eye about the target.
  const Vec3 right = level > 1e-9 ? Vec3(-forward.z() / level, 0, forward.x() / level) : Vec3(1, 0, 0);
  Mat3 axes;
  axes << right, right.cross(forward), -forward;
  return axes;
}

Vec3 sight(const Camera& camera) {
  const Vec3 way = camera.target - camera.position;
  return way.norm() > 0 ? Vec3(way.normalized()) : Vec3(0, 0, -1);
}

std::uint64_t id_of(const Key& key) { return static_cast<std::uint64_t>(std::llround(key.value[0])); }

std::string time_text(double time) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g s", time);
  return text;
}

}  // namespace

double angle_of_lens(double focal_length) { return 2 * std::atan(0.5 * kFilmHeight / focal_length); }
double lens_of_angle(double angle) { return 0.5 * kFilmHeight / std::tan(0.5 * angle); }

Mat3 camera_axes(const Camera& camera) {
  return level_axes(sight(camera)) * Eigen::AngleAxisd(-camera.roll, Vec3::UnitZ()).toRotationMatrix();
}

void turn_camera(Camera& camera, const Mat3& axes) {
  const double distance = std::max((camera.target - camera.position).norm(), 1e-6);
  const Vec3 forward = -axes.col(2).normalized();
  camera.target = camera.position + distance * forward;
  const Mat3 level = level_axes(sight(camera));
  const double roll = std::atan2(axes.col(1).dot(level.col(0)), axes.col(1).dot(level.col(1)));
  camera.roll += std::remainder(roll - camera.roll, 2 * kPi);
}

const Camera& active_camera(const Scene& shown) {
  static const Camera usual;
  if (const Camera* camera = shown.settings.camera != 0 ? find_camera(shown, Id{shown.settings.camera}) : nullptr)
    return *camera;
  return shown.cameras.empty() ? usual : *shown.cameras.front();
}

Track cuts_of(const Scene& scene) {
  const Track* track = find_track(scene, 0, kCutField);
  if (!track || !track->visible) return {};
  Track cuts = *track;
  // 0 names the first, as it does without keys.
  std::erase_if(cuts.keys, [&](const Key& key) { return id_of(key) != 0 && !find_camera(scene, Id{id_of(key)}); });
  return cuts;
}

std::vector<CameraStretch> camera_stretches(const Scene& scene, double first, double last) {
  std::vector<CameraStretch> stretches;
  if (scene.cameras.empty() || last < first) return stretches;
  const Track cuts = cuts_of(scene);
  if (cuts.keys.empty()) return {{first, last, active_camera(scene).id, false}};
  // From a time on: where a cycle begins anew its last key holds for no time at all.
  const auto at = [&](double time) {
    const double behind = time + 10 * kSameTime;
    const auto id = static_cast<std::uint64_t>(std::llround(track_value(cuts, FieldType::integer, behind)[0]));
    return id != 0 ? Id{id} : scene.cameras.front()->id;
  };
  stretches.push_back({first, last, at(first), std::abs(cuts.keys.front().time - first) <= kSameTime});
  const double start = cuts.keys.front().time, length = cuts.keys.back().time - start;
  const auto cycles = [&](Beyond how) { return (how == Beyond::cycle || how == Beyond::cycle_offset) && length > 0; };
  const auto add = [&](double time, bool by_key) {
    if (time <= stretches.back().from + kSameTime) {
      stretches.back().by_key = stretches.back().by_key || (by_key && time >= first - kSameTime);
      return;
    }
    if (time > last) return;
    stretches.back().to = time;
    stretches.push_back({time, last, at(time), by_key});
  };
  // Turns of a cycle before and behind the keys repeat them; their cuts are not keys that can be taken hold of.
  constexpr double kMostTurns = 1000;
  const double before = cycles(cuts.before) ? std::clamp(std::floor((first - start) / length), -kMostTurns, 0.0) : 0;
  const double after = cycles(cuts.after) ? std::clamp(std::ceil((last - start) / length), 0.0, kMostTurns) : 0;
  for (double turn = before; turn <= after; ++turn)
    for (const Key& key : cuts.keys) add(key.time + turn * length, turn == 0);
  return stretches;
}

Scene with_cut(Scene scene, Id camera, double time) {
  const bool first = find_track(scene, 0, kCutField) == nullptr;
  if (first && time > kSameTime && !scene.cameras.empty()) {
    const std::uint64_t before = active_camera(scene).id.value;
    scene = with_key(std::move(scene), 0, kCutField, 0, static_cast<std::int64_t>(before));
  }
  return with_key(std::move(scene), 0, kCutField, time, static_cast<std::int64_t>(camera.value));
}

namespace {

/// Of what rides on curves.
void lost_rides(const Scene& scene, std::vector<LostReference>& lost) {
  const auto add = [&](const char* list, std::size_t i, const auto& thing, const char* field, std::string message) {
    lost.push_back({thing.id, std::string(list) + "[" + std::to_string(i) + "] \"" + thing.name + "\" " + field,
                    std::move(message)});
  };
  const auto gone = [](const std::string& name) {
    return "The curve that " + name + " is on is gone; it stands where it was.";
  };
  for (std::size_t i = 0; i < scene.cameras.size(); ++i)
    if (const Camera& c = *scene.cameras[i]; c.follow.curve != 0 && !find_curve(scene, Id{c.follow.curve}))
      add("cameras", i, c, "follow.curve", gone(c.name));
  for (std::size_t i = 0; i < scene.objects.size(); ++i) {
    const Object& o = *scene.objects[i];
    if (o.follow.curve == 0) continue;
    const Object* target = o.follow.looks_at != 0 ? find_object(scene, Id{o.follow.looks_at}) : nullptr;
    if (!find_curve(scene, Id{o.follow.curve}))
      add("objects", i, o, "follow.curve", gone(o.name));
    else if (o.follow.looks_at != 0 && !target)
      add("objects", i, o, "follow.looks_at", "What " + o.name + " looks at is gone; it is turned as without it.");
    else if (target && !looked_at(scene, o))
      add("objects", i, o, "follow.looks_at",
          o.name + (target == &o ? " looks at itself" : " looks at " + target->name + ", which goes with it") +
              "; it is turned as without it.");
  }
}

}  // namespace

std::vector<LostReference> lost_references(const Scene& scene) {
  std::vector<LostReference> lost;
  const auto is_gone = [&](Refers refers, std::uint64_t id) {
    if (id == 0 || refers == Refers::nothing) return false;
    if (refers == Refers::curve) return find_curve(scene, Id{id}) == nullptr;
    return refers == Refers::camera ? find_camera(scene, Id{id}) == nullptr : find_object(scene, Id{id}) == nullptr;
  };
  if (is_gone(Refers::camera, scene.settings.camera))
    lost.push_back({{}, std::string(kCutField), "The scene's camera is gone; the first one takes the pictures."});
  lost_rides(scene, lost);
  for (std::size_t i = 0; i < scene.cameras.size(); ++i)
    if (const Camera& c = *scene.cameras[i]; is_gone(Refers::object, c.looks_at))
      lost.push_back({c.id, "cameras[" + std::to_string(i) + "] \"" + c.name + "\" looks_at",
                      "What " + c.name + " looks at is gone; it looks at its target."});
  for (const auto& object : scene.objects)
    for (std::size_t b = 0; b < object->mapping.bones.size(); ++b)
      if (const Bone& bone = object->mapping.bones[b]; is_gone(Refers::object, bone.carrier))
        lost.push_back(
            {object->id,
             "objects \"" + object->name + "\" mapping.bones[" + std::to_string(b) + "] \"" + bone.name + "\" carrier",
             "What the bone " + bone.name + " of " + object->name +
                 " goes with is gone; it goes with the bone above it."});
  for (std::size_t i = 0; i < scene.tracks.size(); ++i) {
    const Track& track = *scene.tracks[i];
    if (track.field != kCutField && track.field != kLooksAt) continue;  // a thousand others are passed over quickly
    const auto field = track_field(scene, track.target, track.field);
    if (!field || field->range.refers == Refers::nothing) continue;
    for (std::size_t k = 0; k < track.keys.size(); ++k) {
      if (!is_gone(field->range.refers, id_of(track.keys[k]))) continue;
      const std::string path =
          "tracks[" + std::to_string(i) + "] \"" + track.name + "\" keys[" + std::to_string(k) + "]";
      lost.push_back({Id{track.target}, path,
                      field->range.refers == Refers::camera
                          ? "The cut at " + time_text(track.keys[k].time) +
                                " names a camera that is gone; the one before it stays."
                          : "The key at " + time_text(track.keys[k].time) +
                                " names an object that is gone; the camera looks at its target."});
    }
  }
  return lost;
}

}  // namespace hazumi
