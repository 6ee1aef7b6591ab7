#include "core/scene/derived/felt.h"

#include <algorithm>

#include "core/scene/derived/collections.h"
#include "core/scene/derived/list_at.h"
#include "core/scene/derived/track_hash.h"
#include "core/scene/values/body_kinds.h"

namespace hazumi {

namespace {

const Curve* curve_round(const Scene& scene, const ForceField& field) {
  return field.shape == FieldShape::curve ? find_curve(scene, Id{field.curve}) : nullptr;
}

bool is_collection(const Scene& scene, std::uint64_t id) {
  return std::any_of(scene.collections.begin(), scene.collections.end(),
                     [id](const auto& collection) { return collection->id.value == id; });
}

}  // namespace

KeyedFields::KeyedFields(const Scene& scene) {
  own_.fields = scene.fields;
  std::sort(own_.fields.begin(), own_.fields.end(), [](const auto& a, const auto& b) { return a->id < b->id; });
  for (const auto& track : scene.tracks)
    if (find_force_field(own_, Id{track->target})) own_.tracks.push_back(track);
}

std::vector<Shared<ForceField>> KeyedFields::at(double time) const {
  std::vector<Shared<ForceField>> now = own_.fields;
  put_keyed_values(now, force_field_fields(), own_, time);
  return now;
}

double middle_of(std::int64_t substep, const RunClock& clock) {
  return clock.even() ? (static_cast<double>(substep) + 0.5) * clock.step()
                      : 0.5 * (clock.film(substep) + clock.film(substep + 1));
}

std::vector<Id> who_feels(const Scene& scene, const ForceField& field) {
  std::set<Id> in;
  if (field.feels != 0 && is_collection(scene, field.feels)) in = things_in(scene, Id{field.feels});
  std::vector<Id> all;
  for (const auto& object : scene.objects)
    if (body_kind(object->body.kind).moves && object->body.fields && (field.feels == 0 || in.contains(object->id)))
      all.push_back(object->id);
  for (const auto& source : scene.particles)
    if (source->fields && (field.feels == 0 || in.contains(source->id))) all.push_back(source->id);
  std::sort(all.begin(), all.end());
  return all;
}

std::vector<IdleField> idle_fields(const Scene& scene) {
  std::vector<IdleField> all;
  for (std::size_t i = 0; i < scene.fields.size(); ++i) {
    const ForceField& field = *scene.fields[i];
    const std::string where = "fields[" + std::to_string(i) + "] \"" + field.name + "\" ";
    if (field.shape == FieldShape::curve && !curve_round(scene, field))
      all.push_back({field.id, where + "curve",
                     field.curve == 0 ? field.name + " has no curve to act round; it does nothing."
                                      : "The curve that " + field.name + " acts round is gone; it does nothing.",
                     "Choose a curve under Shape, or let it act everywhere."});
    if (field.feels != 0 && !is_collection(scene, field.feels))
      all.push_back({field.id, where + "feels",
                     "The collection that feels " + field.name + " is gone; nothing feels it.",
                     "Choose another one under Felt by, or none so that everything feels it."});
  }
  return all;
}

Scene fields_at(Scene scene, double time) {
  put_keyed_values(scene.fields, force_field_fields(), scene, time);
  return scene;
}

void add_fields(Hasher& hasher, const Scene& scene) {
  if (scene.fields.empty()) return;
  const KeyedFields keyed(scene);
  for (const auto& field : keyed.at(0)) {
    const ForceField& own = *find_force_field(scene, field->id);
    hasher.add(std::string_view("field")).add(own.id.value);
    if (own.feels != 0)
      for (const Id id : who_feels(scene, own)) hasher.add(id.value);
    if (own.shape == FieldShape::curve) add_curve(hasher, curve_round(scene, own));
    for (const Field<ForceField>& row : force_field_fields())
      if (row.keyable && effect_now(row, own) != Effect::look)
        if (const Track* track = find_track(scene, own.id.value, row.path);
            track && track->visible && !track->keys.empty())
          add_track(hasher.add(row.path), track);
  }
}

bool felt_alike(const Scene& before, const ForceField& was, const Scene& after, const ForceField& is) {
  if (!same_way(curve_round(before, was), curve_round(after, is))) return false;
  return (was.feels == 0 && is.feels == 0) || who_feels(before, was) == who_feels(after, is);
}

}  // namespace hazumi
