#include "core/scene/derived/substance_keys.h"

#include <algorithm>
#include <map>

#include "core/scene/derived/track_hash.h"

namespace hazumi {

namespace {

double number_at(const Track* track, std::string_view field, double own, double time) {
  if (!track) return own;
  const Field<Object>& row = *find_field(object_fields(), field);
  return std::clamp(track_value(*track, FieldType::number, time)[0], row.low, row.high);
}

}  // namespace

std::vector<SubstanceTracks> substance_keys(const Scene& scene) {
  std::map<Id, SubstanceTracks> all;
  for (const auto& track : scene.tracks) {
    if (track->target == 0 || !track->visible || track->keys.empty()) continue;
    const Track* SubstanceTracks::*member = track->field == kFrictionField      ? &SubstanceTracks::friction
                                            : track->field == kRestitutionField ? &SubstanceTracks::restitution
                                            : track->field == kGravityField     ? &SubstanceTracks::gravity
                                                                                : nullptr;
    if (!member || !find_object(scene, Id{track->target})) continue;
    SubstanceTracks& tracks = all[Id{track->target}];
    tracks.object = Id{track->target};
    tracks.*member = track.get();
  }
  std::vector<SubstanceTracks> found;
  for (const auto& [id, tracks] : all) found.push_back(tracks);
  return found;
}

SubstanceTold substance_at(const Object& object, const SubstanceTracks& tracks, double time) {
  const Substance& own = object.material.substance;
  return {number_at(tracks.friction, kFrictionField, own.friction, time),
          number_at(tracks.restitution, kRestitutionField, own.restitution, time),
          tracks.gravity ? track_value(*tracks.gravity, FieldType::boolean, time)[0] >= 0.5 : object.body.gravity};
}

SubstanceTold told_substance(const Object& object, const SubstanceTracks& tracks, std::int64_t substep,
                             const RunClock& clock) {
  return substance_at(object, tracks, substep < 0 ? 0 : clock.film(substep));
}

void add_substance_keys(Hasher& hasher, const Scene& scene) {
  for (const SubstanceTracks& tracks : substance_keys(scene)) {
    hasher.add(std::string_view("substance")).add(tracks.object.value);
    for (const Track* track : {tracks.friction, tracks.restitution, tracks.gravity}) add_track(hasher, track);
  }
}

}  // namespace hazumi
