#include "core/scene/values/scene.h"

#include <algorithm>
#include <cstdio>
#include <set>
#include <unordered_set>

#include "core/base/hash.h"
#include "core/geometry/mesh/mass_properties.h"
#include "core/geometry/mesh/winding.h"
#include "core/geometry/truss/sheet.h"
#include "core/scene/values/scene_lists.h"

namespace hazumi {

namespace {

template <class Thing>
auto position_of(const std::vector<Shared<Thing>>& list, Id id) {
  return std::find_if(list.begin(), list.end(), [id](const Shared<Thing>& thing) { return thing->id == id; });
}

template <class Thing>
void change_in(std::vector<Shared<Thing>>& list, Id id, const std::function<void(Thing&)>& change) {
  const auto at = position_of(list, id);
  if (at == list.end()) return;
  list[static_cast<std::size_t>(at - list.begin())] = at->edited(change);
}

}  // namespace

std::uint64_t mesh_hash(const DisplayMesh& mesh) {
  Hasher hasher;
  const auto add_points = [&](const std::vector<Vec3>& points) {
    hasher.add(static_cast<std::uint64_t>(points.size()));
    for (const Vec3& p : points) hasher.add(p.x()).add(p.y()).add(p.z());
  };
  add_points(mesh.positions);
  add_points(mesh.normals);
  hasher.add(static_cast<std::uint64_t>(mesh.faces.size()));
  for (const auto& face : mesh.faces)
    for (std::uint32_t v : face) hasher.add(static_cast<std::uint64_t>(v));
  hasher.add(static_cast<std::uint64_t>(mesh.parts.size()));
  for (const Part& part : mesh.parts)
    hasher.add(static_cast<std::uint64_t>(part.first_face)).add(static_cast<std::uint64_t>(part.face_count));
  return hasher.value();
}

const Object* find_object(const Scene& scene, Id id) {
  const auto at = position_of(scene.objects, id);
  return at == scene.objects.end() ? nullptr : at->get();
}

const Light* find_light(const Scene& scene, Id id) {
  const auto at = position_of(scene.lights, id);
  return at == scene.lights.end() ? nullptr : at->get();
}

const Camera* find_camera(const Scene& scene, Id id) {
  const auto at = position_of(scene.cameras, id);
  return at == scene.cameras.end() ? nullptr : at->get();
}

bool is_skin(const Object& object) {
  if (can_move(object.body) || object.mapping.kind != MappingKind::skeleton) return false;
  const std::vector<Bone>& bones = object.mapping.bones;
  return std::any_of(bones.begin(), bones.end(), [](const Bone& bone) { return bone.carrier != 0; });
}

bool has_moving_metaballs(const Object& object) {
  return object.display.kind == DisplayKind::metaballs && object.display.metaballs.moving && is_skin(object);
}

const Curve* find_curve(const Scene& scene, Id id) {
  const auto at = position_of(scene.curves, id);
  return at == scene.curves.end() ? nullptr : at->get();
}

const Joint* find_joint(const Scene& scene, Id id) {
  const auto at = position_of(scene.joints, id);
  return at == scene.joints.end() ? nullptr : at->get();
}

const Force* find_force(const Scene& scene, Id id) {
  const auto at = position_of(scene.forces, id);
  return at == scene.forces.end() ? nullptr : at->get();
}

const ForceField* find_force_field(const Scene& scene, Id id) {
  const auto at = position_of(scene.fields, id);
  return at == scene.fields.end() ? nullptr : at->get();
}

const ParticleSource* find_source(const Scene& scene, Id id) {
  const auto at = position_of(scene.particles, id);
  return at == scene.particles.end() ? nullptr : at->get();
}

const Sound* find_sound(const Scene& scene, Id id) {
  const auto at = position_of(scene.sounds, id);
  return at == scene.sounds.end() ? nullptr : at->get();
}

const Marker* find_marker(const Scene& scene, Id id) {
  const auto at = position_of(scene.markers, id);
  return at == scene.markers.end() ? nullptr : at->get();
}

Id collection_of(const Scene& scene, const Object& object) {
  const Object* eldest = &object;
  // Parents that go round in a ring are no valid scene, and end here all the same.
  for (std::size_t step = 0; eldest->parent != 0 && step < scene.objects.size(); ++step) {
    const Object* parent = find_object(scene, Id{eldest->parent});
    if (!parent) break;
    eldest = parent;
  }
  return Id{eldest->collection};
}

Id next_id(const Scene& scene) {
  std::uint64_t largest = 0;
  // Ids of takes that wait come back with them.
  for (const auto& take : scene.takes)
    if (take->motion) largest = std::max(largest, next_id(*take->motion).value - 1);
  visit_scene_lists([&](const auto& list) {
    for (const auto& thing : scene.*list.member) largest = std::max(largest, thing->id.value);
  });
  return Id{largest + 1};
}

std::string unique_name(const Scene& scene, const std::string& wanted) {
  std::unordered_set<std::string_view> taken;
  visit_scene_lists([&](const auto& list) {
    if (!list.listed) return;
    for (const auto& thing : scene.*list.member) taken.insert(thing->name);
  });
  const std::string name = wanted.empty() ? "Object" : wanted;
  if (!taken.contains(name)) return name;
  // "Ball 2" is counted on to "Ball 3", not to "Ball 2 2".
  std::string stem = name;
  std::uint64_t number = 2;
  const std::size_t space = name.find_last_of(' ');
  if (space != std::string::npos && space > 0 && space + 1 < name.size() && name.size() - space < 10 &&
      std::all_of(name.begin() + static_cast<std::ptrdiff_t>(space) + 1, name.end(),
                  [](char c) { return c >= '0' && c <= '9'; })) {
    stem = name.substr(0, space);
    number = std::max<std::uint64_t>(2, std::stoull(name.substr(space + 1)) + 1);
  }
  for (;; ++number) {
    std::string candidate = stem + " " + std::to_string(number);
    if (!taken.contains(candidate)) return candidate;
  }
}

Scene with_object(Scene scene, Id id, const std::function<void(Object&)>& change) {
  change_in(scene.objects, id, change);
  return scene;
}

Scene with_light(Scene scene, Id id, const std::function<void(Light&)>& change) {
  change_in(scene.lights, id, change);
  return scene;
}

Scene with_camera(Scene scene, Id id, const std::function<void(Camera&)>& change) {
  change_in(scene.cameras, id, change);
  return scene;
}

Scene with_curve(Scene scene, Id id, const std::function<void(Curve&)>& change) {
  change_in(scene.curves, id, change);
  return scene;
}

Scene with_joint(Scene scene, Id id, const std::function<void(Joint&)>& change) {
  change_in(scene.joints, id, change);
  return scene;
}

Scene with_force(Scene scene, Id id, const std::function<void(Force&)>& change) {
  change_in(scene.forces, id, change);
  return scene;
}

Scene with_force_field(Scene scene, Id id, const std::function<void(ForceField&)>& change) {
  change_in(scene.fields, id, change);
  return scene;
}

Scene with_source(Scene scene, Id id, const std::function<void(ParticleSource&)>& change) {
  change_in(scene.particles, id, change);
  return scene;
}

namespace {

/// Those whose member names the id `from` name `to` instead.
template <class Thing>
void put(std::vector<Shared<Thing>>& things, std::uint64_t Thing::*member, std::uint64_t from, std::uint64_t to) {
  for (auto& thing : things)
    if (thing.get()->*member == from) thing = thing.edited([&](Thing& t) { t.*member = to; });
}

/// Bones that went with the object `id` go with nobody.
void let_go_of_bones(Scene& scene, std::uint64_t id) {
  for (auto& object : scene.objects) {
    const std::vector<Bone>& bones = object->mapping.bones;
    if (std::none_of(bones.begin(), bones.end(), [id](const Bone& bone) { return bone.carrier == id; })) continue;
    object = object.edited([id](Object& o) {
      for (Bone& bone : o.mapping.bones)
        if (bone.carrier == id) bone.carrier = 0;
    });
  }
}

/// Joints that hold an object that goes, leads along a curve that goes, gears of hinges that go, and their tracks.
void let_go_of_joints(Scene& scene, std::uint64_t id) {
  std::set<std::uint64_t> gone{id};
  const auto erase = [&](const auto& holds) {
    std::erase_if(scene.joints,
                  [&](const Shared<Joint>& joint) { return holds(*joint) && gone.insert(joint->id.value).second; });
  };
  erase([id](const Joint& j) { return j.kind != JointKind::gear && (j.a.object == id || j.b.object == id); });
  erase([id](const Joint& j) { return j.kind == JointKind::lead && j.curve == id; });
  erase([&](const Joint& j) { return j.kind == JointKind::gear && (gone.count(j.first) || gone.count(j.second)); });
  gone.erase(id);
  if (!gone.empty())
    std::erase_if(scene.tracks, [&](const Shared<Track>& track) { return gone.count(track->target) != 0; });
}

/// Forces that push an object that goes, and their tracks.
void let_go_of_forces(Scene& scene, std::uint64_t id) {
  std::set<std::uint64_t> gone;
  std::erase_if(scene.forces,
                [&](const Shared<Force>& force) { return force->object == id && gone.insert(force->id.value).second; });
  if (!gone.empty())
    std::erase_if(scene.tracks, [&](const Shared<Track>& track) { return gone.count(track->target) != 0; });
}

/// The boxes of an object that goes, their tracks, and the wires to boxes that go.
void let_go_of_motion(Scene& scene, std::uint64_t id, bool object) {
  std::set<std::uint64_t> gone = {id};
  std::erase_if(scene.motion, [&](const Shared<MotionNode>& node) {
    return object && node->object == id && gone.insert(node->id.value).second;
  });
  std::erase_if(scene.tracks, [&](const Shared<Track>& track) { return gone.count(track->target) != 0; });
  for (auto& node : scene.motion)
    if (std::any_of(node->wires.begin(), node->wires.end(), [&](const MotionWire& w) { return gone.count(w.to) != 0; }))
      node = node.edited(
          [&](MotionNode& n) { std::erase_if(n.wires, [&](const MotionWire& w) { return gone.count(w.to) != 0; }); });
}

/// What rides on a curve that goes, or looks at an object that goes.
template <class Thing>
void let_go(std::vector<Shared<Thing>>& things, std::uint64_t gone) {
  const auto names = [gone](const auto& follow) {
    if constexpr (requires { follow.looks_at; })
      if (follow.looks_at == gone) return true;
    return follow.curve == gone;
  };
  for (auto& thing : things)
    if (names(thing->follow))
      thing = thing.edited([&](Thing& t) {
        if (t.follow.curve == gone) t.follow.curve = 0;
        if constexpr (requires { t.follow.looks_at; })
          if (t.follow.looks_at == gone) t.follow.looks_at = 0;
      });
}

}  // namespace

Scene without(Scene scene, Id id) {
  const bool was_object = find_object(scene, id) != nullptr;
  if (const Object* parent = find_object(scene, id)) {
    const std::uint64_t place = collection_of(scene, *parent).value;
    for (auto& child : scene.objects)
      if (child->parent == id.value)
        child = child.edited([&](Object& o) {
          o.parent = 0;
          o.collection = place;
        });
  }
  for (const auto& gone : scene.collections)
    if (gone->id == id) {
      const std::uint64_t above = gone->collection;
      put(scene.objects, &Object::collection, id.value, above);
      put(scene.lights, &Light::collection, id.value, above);
      put(scene.cameras, &Camera::collection, id.value, above);
      put(scene.curves, &Curve::collection, id.value, above);
      put(scene.joints, &Joint::collection, id.value, above);
      put(scene.forces, &Force::collection, id.value, above);
      put(scene.fields, &ForceField::collection, id.value, above);
      put(scene.particles, &ParticleSource::collection, id.value, above);
      put(scene.collections, &Collection::collection, id.value, above);
      break;
    }
  visit_scene_lists([&](const auto& list) {
    std::erase_if(scene.*list.member, [id](const auto& thing) { return thing->id == id; });
  });
  std::erase_if(scene.pairs, [id](const auto& pair) { return pair->a == id.value || pair->b == id.value; });
  std::erase_if(scene.tracks, [id](const auto& track) { return track->target == id.value; });
  if (scene.settings.camera == id.value) scene.settings.camera = 0;
  put(scene.cameras, &Camera::looks_at, id.value, 0);
  let_go_of_joints(scene, id.value);
  let_go_of_forces(scene, id.value);
  let_go_of_bones(scene, id.value);
  let_go_of_motion(scene, id.value, was_object);
  let_go(scene.objects, id.value);
  let_go(scene.cameras, id.value);
  return scene;
}

double object_mass(const Object& object, const DisplayMesh& mesh) {
  return object.body.mass_source == MassSource::given ? object.body.mass : object_mass(object, measure(mesh));
}

double object_mass(const Object& object, const MeshMeasure& mesh) {
  const BodySettings& body = object.body;
  if (body.mass_source == MassSource::given) return body.mass;
  const double volume = body.shell > 0 ? body.shell * mesh.area : mesh.volume;
  return volume > 0 ? object.material.substance.density * volume : body.mass;
}

MassNote mass_note(const Object& object, const MeshMeasure& mesh) {
  const BodySettings& body = object.body;
  if (!body_kind(body.kind).moves || body.mass_source == MassSource::given) return {};
  if (body.shell > 0 ? mesh.area > 0 : mesh.exact) return {};
  char text[160];
  if (mesh.area == 0 || mesh.volume == 0) {
    std::snprintf(text, sizeof text, "The display model encloses no volume, so the mass is the given one, %.4g kg.",
                  body.mass);
    return {text,
            mesh.area == 0 ? "Take the mass as given." : "Say how thick its shell is, or take the mass as given."};
  }
  std::snprintf(text, sizeof text,
                "The display model is not closed: its volume is estimated by winding number, which gives %.4g kg.",
                object_mass(object, mesh));
  return {text, "Import it again with repairs, say how thick its shell is, or take the mass as given."};
}

std::int64_t node_count(const AnalysisModel& analysis) {
  const auto n = [&](int axis) { return std::int64_t{analysis.divisions[axis]} + 1; };
  const std::int64_t parts = analysis.divisions[0];
  switch (analysis.kind) {
    case AnalysisKind::none:
      return 0;
    case AnalysisKind::plane_grid:
      return 2 * n(0) * n(2);
    case AnalysisKind::box_grid:
      return n(0) * n(1) * n(2);
    case AnalysisKind::cloth:
      return n(0) * n(2);
    case AnalysisKind::rope:
      return n(0);
    case AnalysisKind::octahedron:
      return 4 * parts * parts + 3;
    case AnalysisKind::icosahedron:
      return 10 * parts * parts + 3;
    case AnalysisKind::strung:
      return analysis.strung == nullptr ? 0 : static_cast<std::int64_t>(analysis.strung->nodes.size());
  }
  return 0;
}

bool is_sheet(const AnalysisModel& analysis) {
  return analysis.kind == AnalysisKind::strung && analysis.strung != nullptr && !analysis.strung->sheet.empty();
}

TrussRecipe truss_recipe(const AnalysisModel& analysis) {
  TrussRecipe recipe;
  switch (analysis.kind) {
    case AnalysisKind::plane_grid:
      recipe.shape = TrussShape::plane_grid;
      break;
    case AnalysisKind::box_grid:
      recipe.shape = TrussShape::box_grid;
      break;
    case AnalysisKind::octahedron:
      recipe.shape = TrussShape::octahedron;
      break;
    case AnalysisKind::cloth:
      recipe.shape = TrussShape::cloth;
      break;
    case AnalysisKind::rope:
      recipe.shape = TrussShape::rope;
      break;
    case AnalysisKind::none:
    case AnalysisKind::strung:
    case AnalysisKind::icosahedron:
      recipe.shape = TrussShape::icosahedron;
      break;
  }
  recipe.divisions = analysis.divisions;
  recipe.size = analysis.size;
  recipe.offset = analysis.offset;
  recipe.hollow = analysis.hollow;
  recipe.shear = analysis.shear;
  recipe.bending = analysis.bending;
  return recipe;
}

Truss object_truss(const Object& object, const DisplayMesh& mesh) {
  if (object.analysis.kind == AnalysisKind::none) return {};
  const bool strung = object.analysis.kind == AnalysisKind::strung;
  if (strung && object.analysis.strung == nullptr) return {};
  TrussRecipe recipe = truss_recipe(object.analysis);
  const Vec3& scale = object.transform.scale;
  // How stiff a cloth is follows from how large its squares are, a rope from how long its parts are.
  const bool sized = recipe.shape == TrussShape::cloth || recipe.shape == TrussShape::rope;
  if (sized) recipe.size = recipe.size.cwiseProduct(scale.cwiseAbs());
  Truss truss = strung ? to_truss(*object.analysis.strung) : make_truss(recipe);
  if (sized)
    for (Vec3& node : truss.nodes) node = (node - recipe.offset).cwiseQuotient(scale.cwiseAbs()) + recipe.offset;

  for (Vec3& node : truss.nodes) node = scale.cwiseProduct(node);
  if (is_sheet(object.analysis)) truss.bends = sheet_bends(truss.nodes, truss.hull, object.analysis.bending);
  const double mass = object_mass(object, mesh);
  for (double& m : truss.masses) m *= mass;
  const BodySettings& body = object.body;
  for (std::size_t i = 0; i < truss.springs.size(); ++i) {
    Spring& spring = truss.springs[i];
    spring.damping *= body.damping;
    if (body.stiffness_source == StiffnessSource::given) {
      spring.stiffness *= body.stiffness;
    } else {
      // Thesis (3.38): E = l k / A.
      const double length = (truss.nodes[spring.b] - truss.nodes[spring.a]).norm();
      const double section = strung ? object.analysis.strung->springs[i].cross_section : 1;
      spring.stiffness *= object.material.substance.young * body.cross_section * section / length;
    }
  }
  return truss;
}

}  // namespace hazumi
