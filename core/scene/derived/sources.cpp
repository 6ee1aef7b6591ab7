#include "core/scene/derived/sources.h"

#include <algorithm>
#include <cstdio>
#include <set>

#include "core/scene/derived/collections.h"
#include "core/scene/derived/contact_rules.h"
#include "core/scene/derived/copies.h"
#include "core/scene/derived/list_at.h"
#include "core/scene/derived/signature.h"
#include "core/scene/derived/track_hash.h"
#include "core/scene/values/body_kinds.h"

namespace hazumi {

namespace {

bool is_there(const std::vector<Shared<Collection>>& collections, std::uint64_t id) {
  return std::any_of(collections.begin(), collections.end(), [id](const auto& c) { return c->id.value == id; });
}

bool counts_as_key(const Field<ParticleSource>& row) { return row.keyable && row.effect != Effect::look; }

const Curve* curve_born_on(const Scene& scene, const ParticleSource& source) {
  return source.shape == SourceShape::curve ? find_curve(scene, Id{source.curve}) : nullptr;
}

const Object* carrier_of(const Scene& scene, const ParticleSource& source) {
  return source.shape == SourceShape::curve || source.carrier == 0 ? nullptr : find_object(scene, Id{source.carrier});
}

/// Whether a copy has room where it is to be born depends on what everything touches as, before anything is touched.
void add_rooms(Hasher& hasher, const Scene& scene) {
  for (const auto& object : scene.objects)
    if (collides(*object)) hasher.add(object->id.value).add(signature_of(*object).touch);
  for (const ObjectGroups& groups : collision_groups(scene))
    hasher.add(groups.id.value).add(groups.mask.in).add(groups.mask.ignores);
}

}  // namespace

KeyedSources::KeyedSources(const Scene& scene) {
  own_.particles = scene.particles;
  std::sort(own_.particles.begin(), own_.particles.end(), [](const auto& a, const auto& b) { return a->id < b->id; });
  if (own_.particles.empty()) return;
  for (const auto& track : scene.tracks) {
    if (!track->visible || track->keys.empty() || !find_source(own_, Id{track->target})) continue;
    const auto* row = find_field(particle_source_fields(), std::string_view(track->field));
    if (row && counts_as_key(*row)) own_.tracks.push_back(track);
  }
}

std::vector<Shared<ParticleSource>> KeyedSources::at(double time) const {
  std::vector<Shared<ParticleSource>> now = own_.particles;
  put_keyed_values(now, particle_source_fields(), own_, time);
  return now;
}

bool sources_differ(const std::vector<Shared<ParticleSource>>& a, const std::vector<Shared<ParticleSource>>& b) {
  for (const auto& is : b) {
    const auto was = std::find_if(a.begin(), a.end(), [&](const auto& one) { return one->id == is->id; });
    if (was == a.end() || was->same_as(is)) continue;
    for (const Field<ParticleSource>& row : particle_source_fields())
      if (counts_as_key(row) && (effect_now(row, **was) != Effect::look || effect_now(row, *is) != Effect::look) &&
          !operator_equal(row.get(**was), row.get(*is)))
        return true;
  }
  return false;
}

std::vector<Id> who_is_met(const Scene& scene, const ParticleSource& source) {
  std::vector<Id> all;
  if (!source.collides || gives_copies(source)) return all;
  std::set<Id> in;
  if (source.meets != 0 && is_there(scene.collections, source.meets)) in = things_in(scene, Id{source.meets});
  for (const auto& object : scene.objects)
    if (collides(*object) && (source.meets == 0 || in.contains(object->id))) all.push_back(object->id);
  std::sort(all.begin(), all.end());
  return all;
}

std::uint64_t source_surroundings(const Scene& scene, const ParticleSource& source) {
  Hasher hasher;
  if (source.shape == SourceShape::curve) add_curve(hasher, curve_born_on(scene, source));
  const Object* carrier = carrier_of(scene, source);
  hasher.add(carrier != nullptr);
  if (const Object* copied = copied_object(scene, source)) {
    hasher.add(std::string_view("copies")).add(copied->id.value);
    add_rooms(hasher, scene);
  }
  if (carrier && source.shape == SourceShape::surface) {
    // What contact reads of something that collides as it is seen is its surface, and no more.
    Object seen = *carrier;
    seen.contact = ContactSettings();
    seen.contact.shape = ContactShape::surface;
    hasher.add(signature_of(seen).touch);
  }
  for (const Id id : who_is_met(scene, source))
    for (const auto& object : scene.objects)
      if (object->id == id) hasher.add(id.value).add(signature_of(object).touch);
  if (!gives_copies(source) && source.collides && source.hit == ParticleHit::split)
    hasher.add(find_source(scene, Id{source.into}) != nullptr);
  return hasher.value();
}

std::vector<IdleSource> idle_sources(const Scene& scene) {
  std::vector<IdleSource> all;
  for (std::size_t i = 0; i < scene.particles.size(); ++i) {
    const ParticleSource& source = *scene.particles[i];
    const std::string where = "particles[" + std::to_string(i) + "] \"" + source.name + "\" ";
    const auto note = [&](const char* field, std::string message, std::string hint) {
      all.push_back({source.id, where + field, std::move(message), std::move(hint)});
    };
    if (source.shape == SourceShape::curve && !curve_born_on(scene, source))
      note("curve",
           source.curve == 0 ? source.name + " has no curve to be born on; it gives nothing."
                             : "The curve of " + source.name + " is gone; it gives nothing.",
           "Choose a curve under Source, or another shape.");
    if (source.shape != SourceShape::curve && source.carrier != 0 && !carrier_of(scene, source))
      note("carrier", "The object that carried " + source.name + " is gone; it gives nothing.",
           "Choose another one under Carried by, or none.");
    if (source.shape == SourceShape::surface && source.carrier == 0)
      note("carrier", source.name + " has no object whose surface it could take; it gives nothing.",
           "Choose one under Carried by, or another shape.");
    if (!gives_copies(source) && source.collides && source.meets != 0 && !is_there(scene.collections, source.meets))
      note("meets", "The collection that particles of " + source.name + " meet is gone; they meet nothing.",
           "Choose another one under Meet, or none so that they meet everything.");
    if (!gives_copies(source) && source.collides && source.hit == ParticleHit::split &&
        !find_source(scene, Id{source.into}))
      note("into", "No source makes the pieces into which particles of " + source.name + " go; they just die.",
           "Choose one under Into.");
    if (auto none = why_no_copies(scene, source)) note(none->field, std::move(none->message), std::move(none->hint));
    if (const Object* copied = copied_object(scene, source)) {
      if (!copied->visible)
        note("object", copied->name + " is hidden, so copies of it that " + source.name + " gives are not seen.",
             "Show it: it takes no part in the run itself.");
      continue;
    }
    if (gives_copies(source)) continue;
    if (source.look == ParticleLook::mesh && !find_object(scene, Id{source.copies}))
      note("copies", "There is no object of which " + source.name + " could show copies; nothing of it is seen.",
           "Choose one under Copies of, or another look.");
    const double span = source.duration > 0 ? std::min(source.duration, source.life) : source.life;
    const double wanted = source.rate * span + source.burst;
    const auto rows = particle_source_fields();
    const bool refused = std::any_of(rows.begin(), rows.end(),
                                     [&](const auto& row) { return !field_problem(row, row.get(source)).empty(); });
    if (!refused && source.on && wanted > source.most) {
      char text[200];
      std::snprintf(text, sizeof text, " would have about %.0f particles at once and may have %d; more are not born.",
                    wanted, source.most);
      note("most", source.name + text, "Raise At most, or lower Rate, Burst or Life.");
    }
  }
  return all;
}

Scene sources_at(Scene scene, double time) {
  put_keyed_values(scene.particles, particle_source_fields(), scene, time);
  return scene;
}

void add_sources(Hasher& hasher, const Scene& scene) {
  if (scene.particles.empty()) return;
  for (const auto& source : KeyedSources(scene).at(0)) {
    const ParticleSource& own = *find_source(scene, source->id);
    hasher.add(std::string_view("source")).add(own.id.value).add(source_surroundings(scene, own));
    for (const Field<ParticleSource>& row : particle_source_fields())
      if (counts_as_key(row) && effect_now(row, own) != Effect::look)
        if (const Track* track = find_track(scene, own.id.value, row.path);
            track && track->visible && !track->keys.empty())
          add_track(hasher.add(row.path), track);
  }
}

}  // namespace hazumi
