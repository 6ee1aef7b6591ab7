#include "core/scene/derived/shape_keys.h"

#include <algorithm>
#include <cmath>

#include "core/scene/derived/poses.h"
#include "core/scene/derived/track_hash.h"
#include "core/scene/values/body_kinds.h"
#include "core/scene/values/fields.h"

namespace hazumi {

namespace {

const Track* track_of(const Scene& scene, Id object, const char* field) {
  const Track* track = scene.tracks.empty() ? nullptr : find_track(scene, object.value, field);
  return track && track->visible && !track->keys.empty() ? track : nullptr;
}

int known_pose(const Object& object, double value) {
  const int id = static_cast<int>(std::lround(std::clamp(value, 0.0, 1e9)));
  return find_pose(object.analysis, static_cast<std::uint32_t>(id)) ? id : 0;
}

}  // namespace

double shape_lateness(const Truss& truss) {
  double stiff = 0, damped = 0;
  for (const Spring& s : truss.springs) {
    const double square = (truss.nodes[s.b] - truss.nodes[s.a]).squaredNorm();
    stiff += s.stiffness * square;
    damped += s.damping * square;
  }
  return stiff > 0 ? damped / stiff : 0;
}

std::vector<ShapeTracks> shaped_objects(const Scene& scene) {
  std::vector<ShapeTracks> found;
  for (const auto& object : scene.objects) {
    if (!body_kind(object->body.kind).deforms || object->analysis.poses.empty()) continue;
    ShapeTracks tracks{object->id, track_of(scene, object->id, "body.shape.pose"),
                       track_of(scene, object->id, "body.shape.following")};
    if (!tracks.pose && object->body.shape.pose == 0) continue;
    found.push_back(tracks);
  }
  std::sort(found.begin(), found.end(), [](const ShapeTracks& a, const ShapeTracks& b) { return a.object < b.object; });
  return found;
}

ShapeTold told_shape(const Object& object, const ShapeTracks& tracks, std::int64_t substep, const RunClock& clock) {
  const double now = substep < 0 ? 0 : clock.film(substep + 1);
  ShapeTold out;
  out.following = tracks.following ? std::clamp(track_value(*tracks.following, FieldType::number, now)[0], 0.0, 1.0)
                                   : object.body.shape.following;
  if (!tracks.pose) {
    out.from = out.to = known_pose(object, object.body.shape.pose);
    return out;
  }
  // What follows exactly is not late.
  const double time = now + (substep < 0 ? 0 : (1 - out.following) * tracks.late);
  const auto& keys = tracks.pose->keys;
  const auto next =
      std::upper_bound(keys.begin(), keys.end(), time, [](double t, const auto& key) { return t < key.time; });
  const auto& before = next == keys.begin() ? *next : *(next - 1);
  out.from = out.to = known_pose(object, before.value[0]);
  if (next == keys.begin() || next == keys.end()) return out;
  out.to = known_pose(object, next->value[0]);
  if (out.to == out.from) return out;
  const double t = (time - before.time) / (next->time - before.time), slow = t * t * (3 - 2 * t);
  out.share = t + object.body.shape.ease * (slow - t);
  return out;
}

std::vector<std::pair<int, int>> shape_ways(const Object& object, const ShapeTracks& tracks) {
  std::vector<std::pair<int, int>> ways;
  if (!tracks.pose) return ways;
  for (std::size_t k = 1; k < tracks.pose->keys.size(); ++k) {
    const std::pair way(known_pose(object, tracks.pose->keys[k - 1].value[0]),
                        known_pose(object, tracks.pose->keys[k].value[0]));
    if (way.first != way.second && std::find(ways.begin(), ways.end(), way) == ways.end()) ways.push_back(way);
  }
  return ways;
}

void add_shapes(Hasher& hasher, const Scene& scene) {
  for (const ShapeTracks& shaped : shaped_objects(scene)) {
    hasher.add(std::string_view("shape")).add(shaped.object.value);
    for (const Track* track : {shaped.pose, shaped.following}) add_track(hasher, track);
  }
}

}  // namespace hazumi
