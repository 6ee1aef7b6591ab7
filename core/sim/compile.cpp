// Scene → Model. Bodies in ascending id. The body frame of a rigid body has its origin in the centre of mass and the
// object's axes; of a fixed body it is the object frame; of a flexible one it is its solver's.
//
// Inertia of a rigid body, whichever comes first: closed display mesh (exact integrals, scaled to the mass), analysis
// nodes, bounding box of an open mesh, solid ball of 0.5 m (an object with neither mesh nor nodes).
#include <algorithm>
#include <cmath>

#include "core/scene/diff.h"
#include "core/sim/body_mapping.h"
#include "core/sim/contact/proxy.h"
#include "core/sim/model.h"

namespace hazumi {
namespace {

/// Inertia of a solid box of full extents `size` about its centre.
Mat3 box_inertia(double mass, const Vec3& size) {
  const Vec3 s = size.cwiseProduct(size);
  return (mass / 12.0 * Vec3(s.y() + s.z(), s.z() + s.x(), s.x() + s.y())).asDiagonal();
}

void rigid_properties(Body& body) {
  const bool mesh = !body.mesh->empty();
  if (mesh && is_closed(*body.mesh)) {
    const MassProperties p = mass_properties(*body.mesh, 1.0);
    if (p.volume > 0) {
      body.mesh_origin = p.centre;
      body.inertia = body.mass / p.mass * p.inertia;
      return;
    }
  }
  if (!body.truss.empty()) {
    const MassProperties p = mass_properties(body.truss.nodes, body.truss.masses);
    body.mesh_origin = p.centre;
    body.inertia = body.mass / p.mass * p.inertia;
  } else if (mesh) {
    const Box3 box = bounds(*body.mesh);
    body.mesh_origin = box.centre();
    body.inertia = box_inertia(body.mass, box.size());
  } else {
    body.inertia = 0.4 * body.mass * 0.25 * Mat3::Identity();
  }
  // Nodes on a line resist no turn about it: a thousandth of the mean inertia keeps the body from spinning up without limit.
  body.inertia += 1e-3 / 3.0 * std::max(body.inertia.trace(), 1e-12 * body.mass) * Mat3::Identity();
}

/// E of a truss, the mean of l k / A (3.39).
double truss_young(const Truss& truss, const Object& object) {
  if (object.body.stiffness_source == StiffnessSource::material || truss.springs.empty())
    return object.material.substance.young;
  double sum = 0;
  for (const Spring& s : truss.springs) sum += (truss.nodes[s.b] - truss.nodes[s.a]).norm() * s.stiffness;
  return sum / (static_cast<double>(truss.springs.size()) * object.body.cross_section);
}

/// Energy that stretches the springs of one node by a quarter of the body's radius: beyond, linear springs turn it inside out.
double deformation_energy(const Truss& truss, double radius) {
  double stiffness = 0;
  for (const Spring& s : truss.springs) stiffness += 2 * s.stiffness / static_cast<double>(truss.nodes.size());
  return 0.5 * stiffness * 0.0625 * radius * radius;
}

/// ψ of contact/body_motion.h: ψ² = 1 / (1 + ½ h c/m + ¼ h² k/m), c and k summed over the springs of a node.
double contact_softness(const Truss& truss, double h) {
  std::vector<double> stiffness(truss.nodes.size(), 0.0), damping(truss.nodes.size(), 0.0);
  for (const Spring& s : truss.springs)
    for (std::uint32_t node : {s.a, s.b}) {
      stiffness[node] += s.stiffness;
      damping[node] += s.damping;
    }
  double sum = 0;
  for (std::size_t i = 0; i < truss.nodes.size(); ++i)
    sum += (0.5 * h * damping[i] + 0.25 * h * h * stiffness[i]) / truss.masses[i];
  return 1.0 / std::sqrt(1.0 + sum / static_cast<double>(truss.nodes.size()));
}

Diagnostics make_flexible(const Object& object, double h, Body& body) {
  const auto failure = [&](std::string message, std::string hint) {
    return Diagnostics{{Severity::error, object.name, std::move(message), std::move(hint)}};
  };
  if (body.truss.empty())
    return failure("A flexible body needs an analysis model.", "Give it one under Analysis, or make it rigid.");
  const ElasticSolverInfo* info = find_elastic_solver(object.body.solver);
  if (!info) {
    std::string names;
    for (const ElasticSolverInfo* s : elastic_solvers()) names += (names.empty() ? "" : ", ") + std::string(s->name);
    return failure("There is no elastic solver \"" + object.body.solver + "\".", "Choose one of: " + names + ".");
  }
  auto solver = info->make(ElasticSetup{body.truss, h, object.body});
  if (!solver.ok()) {
    Diagnostics out = solver.diagnostics();
    for (Diagnostic& d : out) d.path = d.path.empty() ? object.name : object.name + ": " + d.path;
    return out;
  }
  body.elastic = std::move(solver).value();
  const MassProperties p = mass_properties(body.truss.nodes, body.truss.masses);
  body.mass = p.mass;
  body.inertia = p.inertia;
  body.mesh_origin = p.centre;
  body.contact_softness = contact_softness(body.truss, h);
  body.pins = pin_frame(body.truss.nodes, body.truss.pinned);
  if (!body.truss.pinned.empty()) body.held_nodes.assign(body.truss.nodes.size(), 0);
  for (const std::uint32_t node : body.truss.pinned) body.held_nodes[node] = 1;
  return {};
}

Diagnostics add_mapping(const Object& object, const Model* before, Body& body) {
  if (body.mesh->empty()) return {};
  const MappingSettings settings = scaled_mapping(object);
  body.mapping_key = mapping_key(settings, *body.mesh, body.truss);
  MadeMapping made;
  if (before != nullptr) {
    const auto old = std::lower_bound(before->bodies.begin(), before->bodies.end(), body.id,
                                      [](const Body& b, Id id) { return b.id < id; });
    if (old != before->bodies.end() && old->id == body.id && old->mapping_key == body.mapping_key)
      made = {old->mapping, old->mapping_note};
  }
  if (!made.mapping) made = make_mapping(settings, *body.mesh, body.truss);
  body.mapping = std::move(made.mapping);
  body.mapping_note = std::move(made.note);
  if (body.mapping_note.empty()) return {};
  return {{Severity::warning, object.name, body.mapping_note,
           "Choose another kind under Mapping, or give it what it needs."}};
}

}  // namespace

Result<std::shared_ptr<const Model>> compile(const Scene& scene, MeshCache& meshes, const Model* before) {
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
  model->gravity = settings.gravity;
  model->seed = settings.seed;
  model->rest_speed = settings.rest_speed;
  model->signature = simulation_signature(scene);

  std::vector<const Object*> objects;
  for (const auto& object : scene.objects) objects.push_back(object.get());
  std::sort(objects.begin(), objects.end(), [](const Object* a, const Object* b) { return a->id < b->id; });

  Diagnostics problems;
  for (const Object* object : objects) {
    Body body;
    body.id = object->id;
    body.name = object->name;
    body.kind = object->body.kind;
    body.substance = object->material.substance;
    body.hertz_young = body.substance.young;
    body.mesh = meshes.mesh(*object);
    body.truss = object_truss(*object, *body.mesh);
    if (body.kind != BodyKind::fixed) {
      body.mass = object_mass(*object, *body.mesh);
      body.gravity = object->body.gravity;
      body.velocity = object->body.velocity;
      body.spin = object->body.spin;
    }
    if (body.kind == BodyKind::point) {
      body.birth = object->body.birth;
      body.death = object->body.death;
    }
    if (body.kind == BodyKind::rigid) {
      rigid_properties(body);
      body.rigid = RigidInertia(body.mass, body.inertia);
    }
    if (body.kind == BodyKind::flexible) {
      for (Diagnostic& d : make_flexible(*object, model->step, body)) problems.push_back(std::move(d));
      body.hertz_young = truss_young(body.truss, *object);
      if (!has_error(problems))
        for (Diagnostic& d : add_mapping(*object, before, body)) problems.push_back(std::move(d));
    }
    if (has_error(problems)) continue;
    body.start.rotation = object->transform.rotation.normalized();
    body.start.position = object->transform.position + body.start.rotation * body.mesh_origin;
    if (body.kind == BodyKind::rigid && !body.truss.pinned.empty()) {
      body.pins = pin_frame(body.truss.nodes, body.truss.pinned);
      PinFrame about_centre = body.pins;
      about_centre.origin -= body.mesh_origin;
      body.pinned = PinnedBody(body.rigid, about_centre, body.start);
    }
    body.proxy = make_contact_proxy(*object, body);
    if (body.kind == BodyKind::flexible) body.deformation_energy = deformation_energy(body.truss, body.proxy.radius);
    model->bodies.push_back(std::move(body));
  }
  if (has_error(problems)) return problems;
  return Result<std::shared_ptr<const Model>>(std::move(model), std::move(problems));
}

}  // namespace hazumi
