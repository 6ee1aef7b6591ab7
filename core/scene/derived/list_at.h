// Things of a list of the scene as they are at a time, by keys of fields that a run reads. What is only looked at is LookTracks' (tracks.h).
#pragma once

#include <algorithm>
#include <vector>

#include "core/scene/derived/tracks.h"

namespace hazumi {

template <class Thing>
void put_keyed_values(std::vector<Shared<Thing>>& things, std::span<const Field<Thing>> fields, const Scene& scene,
                      double time) {
  if (things.empty()) return;
  for (const auto& track : scene.tracks) {
    if (!track->visible || track->keys.empty()) continue;
    const auto at =
        std::find_if(things.begin(), things.end(), [&](const auto& thing) { return thing->id.value == track->target; });
    const Field<Thing>* field = at == things.end() ? nullptr : find_field(fields, std::string_view(track->field));
    if (!field || !field->keyable || field->effect == Effect::look) continue;
    const FieldRange range{field->label, field->unit,     field->type,    field->low,
                           field->high,  field->low_open, field->choices, field->refers};
    const FieldValue value = value_of(range, track_value(*track, field->type, time));
    *at = at->edited([&](Thing& thing) { field->set(thing, value); });
  }
}

}  // namespace hazumi
