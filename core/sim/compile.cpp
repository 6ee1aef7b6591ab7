// Scene → Model. Bodies in ascending id. The body frame of a rigid body has its origin in the centre of mass and the
// object's axes; of a fixed body it is the object frame; of a flexible one it is its solver's.
#include <algorithm>
#include <cstdio>
#include <optional>
#include <string>

#include "core/geometry/mesh/winding.h"
#include "core/scene/derived/contact_rules.h"
#include "core/scene/derived/copies.h"
#include "core/scene/derived/family.h"
#include "core/scene/derived/told_solvers.h"
#include "core/scene/diff.h"
#include "core/sim/body_mapping.h"
#include "core/sim/contact/proxy.h"
#include "core/sim/contact/surface_mesh.h"
#include "core/sim/model.h"
#include "core/sim/particles/copies.h"

namespace hazumi {
namespace {

Diagnostics add_mapping(const Object& object, const Body* old, Body& body) {
  if (body.mesh->empty()) return {};
  const MappingSettings settings = scaled_mapping(object);
  body.mapping_key = mapping_key(settings, *body.mesh, body.truss);
  MadeMapping made;
  if (old && old->mapping_key == body.mapping_key) made = {old->mapping, old->mapping_note};
  if (!made.mapping) made = make_mapping(settings, *body.mesh, body.truss);
  body.mapping = std::move(made.mapping);
  body.mapping_note = std::move(made.note);
  if (body.mapping_note.empty()) return {};
  return {{Severity::warning, object.name, body.mapping_note,
           "Choose another kind under Mapping, or give it what it needs."}};
}

/// Of what has keys of its place or rotation, and cannot go where they say.
Diagnostic not_led(const Object& object, const Body& body) {
  const bool pinned = !body.truss.pinned.empty();
  return {Severity::warning, object.name,
          pinned ? "Its keys do not lead it, because nodes of it are pinned."
                 : "Its keys do not lead it, because it can break.",
          pinned ? "Take the pins away in Edit Mode (Object, Lead to a Place, leads those nodes by keys of their own), "
                   "or delete the "
                   "keys of its place and rotation."
                 : "Set Breaks to 0 under Properties, Body, or delete the keys of its place and rotation."};
}

constexpr std::size_t kManyFaces = 20'000;  // of a surface that touches itself: about a tenth of a second a sub-step

/// What a person would hardly want of a collision shape; none of it stops a run.
Diagnostics contact_notes(const Object& object, const Body& body) {
  Diagnostics notes;
  const auto note = [&](std::string what, const char* remedy) {
    notes.push_back({Severity::warning, object.name, std::move(what), remedy});
  };
  const ContactProxy& proxy = body.proxy;
  if (!proxy.info) return notes;
  if (proxy.thickness > proxy.reach && proxy.reach > 0) {
    char text[128];
    std::snprintf(text, sizeof text, "Others keep %.3g m away from it, which is more than its own size of %.3g m.",
                  proxy.thickness, 2 * proxy.reach);
    note(text, "Lower the thickness under Properties, Contact.");
  }
  const auto no_area = [](const SurfaceMesh& mesh) {
    return std::all_of(mesh.normals.begin(), mesh.normals.end(), [](const Vec3& n) { return n == Vec3::Zero(); });
  };
  if (proxy.shape == ContactShape::surface && proxy.surface && no_area(*proxy.surface) && body.mesh &&
      !body.mesh->faces.empty())
    note("None of its triangles has an area, so others meet only its points.",
         "Scale it up, import the mesh again with repairs, or let it collide as a box or ball.");
  if (!object.contact.self_collision || !body.deforms) return notes;
  if (!proxy.self)
    note("It does not touch itself, because what collides is not a surface.", "Let it collide as it is seen.");
  else if (proxy.surface && proxy.surface->faces.size() > kManyFaces)
    note("A surface of " + std::to_string(proxy.surface->faces.size()) +
             " triangles touches itself, which takes long to compute.",
         "Let it collide as a simplified surface, or turn self-collision off.");
  return notes;
}

/// A primitive turned by its bone within an object that is stretched would have to shear.
void check_moving(const Object& object, Diagnostics& problems) {
  const Vec3& s = object.transform.scale;
  if (has_moving_metaballs(object) && (s.x() != s.y() || s.y() != s.z()))
    problems.push_back({Severity::error, object.name,
                        "Metaballs that go with bones cannot be stretched in one direction.",
                        "Give it the same scale along x, y and z, or turn Go with bones off."});
}

/// What is carried touches nothing (scene/derived/family.h), nor does a skin. Said where the object asks for more.
Object touching_nothing(const Object& object, const std::string& why, const char* remedy, Diagnostics& notes) {
  if (collides(object)) notes.push_back({Severity::info, object.name, why + ", so it touches nothing.", remedy});
  Object bare = object;
  bare.contact.enabled = false;
  return bare;
}

void note_mass(const Object& object, const Body& body, Diagnostics& problems) {
  if (!body.moves || object.body.mass_source != MassSource::material) return;
  MassNote note = mass_note(object, measure(*body.mesh));
  if (!note.message.empty())
    problems.push_back({Severity::warning, object.name, std::move(note.message), std::move(note.hint)});
}

std::vector<std::string_view> solvers_for(const std::vector<ToldSolvers>& told, Id object) {
  const auto at =
      std::lower_bound(told.begin(), told.end(), object, [](const ToldSolvers& one, Id id) { return one.object < id; });
  if (at == told.end() || at->object != object) return {};
  return at->solvers;
}

}  // namespace

std::size_t BodyList::own() const { return number(Id{kFirstCopyId}); }

std::uint32_t BodyList::number(Id id) const {
  const auto at = std::lower_bound(bodies_.begin(), bodies_.end(), id,
                                   [](const auto& body, Id wanted) { return body->id < wanted; });
  return static_cast<std::uint32_t>(at - bodies_.begin());
}

const Body* BodyList::find(Id id) const {
  const std::uint32_t at = number(id);
  return at < bodies_.size() && bodies_[at]->id == id ? bodies_[at].get() : nullptr;
}

Result<std::shared_ptr<Model>> compile_bodies(const Scene& scene, MeshStore& meshes, const Model* before) {
  // Polygonising takes long and can be cancelled, so it comes before (MeshStore::prepare); here nothing waits for it.
  const std::optional<MeshStore::Held> surfaces = meshes.prepared(scene);
  if (!surfaces)
    return Diagnostic{Severity::error, "", "The surface of metaballs has not been made yet.",
                      "Wait a moment and run the scene again."};
  auto model = std::make_shared<Model>();
  const SceneSettings& settings = scene.settings;
  model->substeps = settings.substeps;
  model->frame_rate = settings.frame_rate;
  model->step = 1.0 / (settings.frame_rate * settings.substeps);
  model->clock = RunClock(scene);
  model->gravity = settings.gravity;
  model->seed = settings.seed;
  model->rest_speed = settings.rest_speed;
  model->pulses = settings.impacts == Impacts::sine_pulse;
  model->signature = simulation_signature(scene);

  std::vector<const Object*> objects;
  for (const auto& object : scene.objects) objects.push_back(object.get());
  std::sort(objects.begin(), objects.end(), [](const Object* a, const Object* b) { return a->id < b->id; });

  const std::vector<ObjectGroups> groups = collision_groups(scene);
  const std::vector<Carried> carried = carried_objects(scene);
  auto next_carried = carried.begin();  // ascending, as the objects are
  const std::vector<Id> copied = copied_objects(scene);
  const std::vector<LedTracks> led = led_objects(scene);
  auto next_led = led.begin();  // the same
  const std::vector<ToldSolvers> told = told_solvers(scene);
  Diagnostics problems;
  for (const Object* object : objects) check_moving(*object, problems);
  for (const Object* object : objects) {
    BodySetup setup{*object, meshes.mesh(*object), {}, model->step};
    setup.truss = object_truss(*object, *setup.mesh);
    setup.led = next_led != led.end() && next_led->object == object->id;
    if (setup.led) ++next_led;
    setup.solvers = solvers_for(told, object->id);
    const std::string_view kind = body_kind(object->body.kind).name;
    const BodyInfo* info = find_body(kind, setup.truss, setup.led);
    if (!info) {
      problems.push_back({Severity::error, object->name, "Nothing moves a body of kind \"" + std::string(kind) + "\".",
                          "Choose another kind under Moves as."});
      continue;
    }
    auto made = info->make(setup);
    if (!made.ok()) {
      for (const Diagnostic& d : made.diagnostics()) problems.push_back(d);
      continue;
    }
    for (const Diagnostic& d : made.diagnostics()) problems.push_back(d);  // warnings
    std::unique_ptr<Body> body = std::move(made).value();
    note_mass(*object, *body, problems);
    if (setup.led && !body->can_be_led()) problems.push_back(not_led(*object, *body));
    const Body* const old = before ? before->bodies.find(body->id) : nullptr;
    if (body->deforms)
      for (Diagnostic& d : add_mapping(*object, old, *body)) problems.push_back(std::move(d));
    std::optional<Object> bare;
    if (next_carried != carried.end() && next_carried->child == object->id)
      bare = touching_nothing(*object, "It is carried by " + find_object(scene, next_carried++->carrier)->name,
                              "Turn Collides off under Properties, Contact, or take it from its parent.", problems);
    else if (is_skin(*object))
      bare = touching_nothing(*object, "It is a skin that bends with other objects",
                              "Turn Collides off under Properties, Contact; what carries it touches things.", problems);
    body->proxy = make_contact_proxy(bare ? *bare : *object, *body, old);
    body->proxy.groups = mask_of(groups, object->id);
    body->absent = std::binary_search(copied.begin(), copied.end(), object->id);
    for (Diagnostic& d : contact_notes(*object, *body)) problems.push_back(std::move(d));
    model->bodies.push_back(std::move(body));
  }
  if (has_error(problems)) return problems;
  add_copies(scene, meshes, groups, *model);
  model->joints = compile_joints(scene, *model, problems);
  model->apart = bodies_apart(model->joints);
  model->carried = make_carried(*model, scene);
  model->skins = make_skinned(*model, scene, before);
  model->pairs = pairs_of(scene, *model);
  model->fields = make_field_stage(scene, *model);
  model->particles = make_particle_stage(scene, *model, before ? before->particles.get() : nullptr, problems);
  return Result<std::shared_ptr<Model>>(std::move(model), std::move(problems));
}

}  // namespace hazumi
