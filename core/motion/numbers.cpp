#include "core/motion/numbers.h"

#include <algorithm>

#include "core/scene/derived/leading.h"
#include "core/scene/values/body_kinds.h"
#include "core/sim/body/body.h"
#include "core/sim/constraint/substance_told.h"

namespace hazumi {

ToldBodies::ToldBodies(const Scene& scene, const Model& model) : scene_(scene), substances_(substance_keys(scene_)) {
  for (const auto& force : scene_.forces) {
    const Object* object = find_object(scene_, Id{force->object});
    if (!object || !body_kind(object->body.kind).moves || !is_told_by_box(scene_, force->id)) continue;
    if (!model.bodies.find(object->id)) continue;
    forces_.push_back(acting(scene_, model, model.bodies.number(object->id), push_of(scene_, *force)));
  }
}

void ToldBodies::direct(const Model& model, const State& state, const NumbersTold& told,
                        std::span<BodyForces> forces) const {
  if (told.now.empty()) return;
  for (const NumberTold& one : told.now)
    if (settable_numbers()[one.number].of == NumberOf::object && model.bodies.find(one.thing))
      tell_object(model, one, forces);
  tell_forces(model, state, told.now, forces);
  tell_gravity(model, state.substep, told.now, forces);
  // Nothing sleeps through a change, whatever it is of.
  if (told.before == told.now) return;
  for (BodyForces& body : forces) body.stirred = true;
}

void ToldBodies::tell_object(const Model& model, const NumberTold& one, std::span<BodyForces> forces) const {
  const std::uint32_t body = model.bodies.number(one.thing);
  const std::string_view path = settable_numbers()[one.number].path;
  BodyForces& to = forces[body];
  if (path == "body.volume.size") {
    to.size = told(one, to.size.value_or(find_object(scene_, one.thing)->body.volume.size));
    return;
  }
  const Substance& own = model.bodies[body].substance;
  if (!substance_told(forces, body)) tell_substance(to, own.friction, own.restitution);
  for (ContactTold& contact : to.contacts) {
    if (contact.other != kOfItself) continue;
    std::optional<double>& value = path == kFrictionField ? contact.friction : contact.restitution;
    value = told(one, *value);
  }
}

void ToldBodies::tell_forces(const Model& model, const State& state, std::span<const NumberTold> now,
                             std::span<BodyForces> forces) const {
  for (const Pushed& one : forces_) {
    const Push& push = one.push;
    const auto is_of_it = [&](const NumberTold& number) {
      return settable_numbers()[number.number].of == NumberOf::force && number.thing == push.force->id;
    };
    if (std::none_of(now.begin(), now.end(), is_of_it)) continue;
    // What it would push with while it is on.
    Push always = push;
    Force own = *push.force;
    own.on = true;
    always.force = &own;
    always.on = nullptr;
    Vec3 is = pushed(always, state.substep, model.clock);
    const Vec3 was = pushed(push, state.substep, model.clock);
    const double begin = model.clock.film(state.substep);
    bool on = push.on ? track_value(*push.on, FieldType::boolean, begin)[0] >= 0.5 : push.force->on;
    for (const NumberTold& number : now) {
      if (!is_of_it(number)) continue;
      const SettableNumber& row = settable_numbers()[number.number];
      if (row.is_switch())
        on = told(number, on ? 1 : 0) >= 0.5;
      else
        is[row.axis] = told(number, is[row.axis]);
    }
    push_by(model, state, one, on ? Vec3(is - was) : Vec3(-was), forces[one.body]);
  }
}

void ToldBodies::tell_gravity(const Model& model, std::int64_t substep, std::span<const NumberTold> now,
                              std::span<BodyForces> forces) const {
  const Track* track = gravity_track(scene_);
  const Vec3 own =
      model.gravity + (track ? added_gravity(*track, scene_.settings, substep, model.clock) : Vec3(Vec3::Zero()));
  const Vec3 added = told_gravity(now, own) - own;
  if (added == Vec3::Zero()) return;
  for (std::size_t i = 0; i < forces.size(); ++i) {
    const Body& body = model.bodies[i];
    bool has = body.gravity;
    for (const SubstanceTracks& keys : substances_)
      if (keys.object == body.id)
        has = told_substance(*find_object(scene_, body.id), keys, substep, model.clock).gravity;
    if (body.moves && has) forces[i].acceleration += added;
  }
}

}  // namespace hazumi
