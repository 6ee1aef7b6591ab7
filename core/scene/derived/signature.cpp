#include "core/scene/derived/signature.h"

#include <algorithm>

#include "core/base/hash.h"
#include "core/scene/diff.h"

namespace hazumi {

namespace {

template <class... Numbers>
void add(Hasher& hasher, const Numbers&... numbers) {
  (hasher.add(numbers), ...);
}

void add(Hasher& hasher, const Vec3& v) { hasher.add(v.x()).add(v.y()).add(v.z()); }

void add(Hasher& hasher, const Quat& q) { hasher.add(q.w()).add(q.x()).add(q.y()).add(q.z()); }

template <class Enum>
void add_choice(Hasher& hasher, Enum choice) {
  hasher.add(static_cast<int>(choice));
}

bool touches(const Object& o) { return o.contact.enabled && o.contact.shape != ContactShape::none; }

/// Of a fixed plane or box that collides as what it is, only the extents are read, which do not depend on how
/// finely it is divided (sim/contact/proxy.cpp).
bool divisions_are_read(const Object& o) {
  if (o.body.kind != BodyKind::fixed) return true;
  const PrimitiveShape shape = o.display.primitive.shape;
  const ContactShape contact = o.contact.shape;
  const bool as_itself = contact == ContactShape::automatic ||
                         (shape == PrimitiveShape::plane && contact == ContactShape::plane) ||
                         (shape == PrimitiveShape::box && contact == ContactShape::box);
  return !as_itself || (shape != PrimitiveShape::plane && shape != PrimitiveShape::box);
}

void add_display(Hasher& hasher, const Object& o) {
  // What stands still and touches nothing is only looked at.
  if (o.body.kind == BodyKind::fixed && !touches(o)) return;
  add_choice(hasher, o.display.kind);
  if (o.display.kind == DisplayKind::primitive) {
    const Primitive& primitive = o.display.primitive;
    add_choice(hasher, primitive.shape);
    add(hasher, primitive.size);
    if (divisions_are_read(o))
      for (int n : primitive.divisions) hasher.add(n);
    if (is_superquadric(primitive.shape)) add(hasher, primitive.round_along, primitive.round_across);
    if (has_ratio(primitive.shape)) hasher.add(primitive.ratio);
  } else if (o.display.kind == DisplayKind::metaballs) {
    hasher.add(shape_hash(o.display.metaballs));
  } else if (o.display.kind == DisplayKind::mesh) {
    const MeshReference& mesh = o.display.mesh;
    hasher.add(mesh.mesh == nullptr ? std::uint64_t{0} : mesh.content != 0 ? mesh.content : mesh_hash(*mesh.mesh));
  }
}

// The geometry of an analysis model is read for every kind of body: frames carry its nodes, contact may use
// them.
void add_analysis(Hasher& hasher, const Object& o) {
  const AnalysisModel& analysis = o.analysis;
  add_choice(hasher, analysis.kind);
  if (analysis.kind == AnalysisKind::none) return;
  if (analysis.kind == AnalysisKind::strung) {
    if (analysis.strung != nullptr) hasher.add(truss_hash(*analysis.strung));
    return;
  }
  for (int n : analysis.divisions) hasher.add(n);
  add(hasher, analysis.size);
  add(hasher, analysis.offset);
}

// Frames carry display vertices, and contact may use them.
void add_mapping(Hasher& hasher, const Object& o) {
  const MappingSettings& mapping = o.mapping;
  const bool filled =
      o.analysis.kind == AnalysisKind::strung && o.analysis.strung != nullptr && !o.analysis.strung->tetrahedra.empty();
  const MappingKind kind = mapping.kind != MappingKind::automatic ? mapping.kind
                           : filled                               ? MappingKind::embedding
                                                                  : MappingKind::linear;
  add_choice(hasher, kind);
  if (kind == MappingKind::lattice)
    for (int n : mapping.lattice) hasher.add(n);
  if (kind != MappingKind::skeleton) return;
  hasher.add(static_cast<std::uint64_t>(mapping.bones.size()));
  for (const Bone& bone : mapping.bones) {
    add(hasher, std::uint64_t{bone.id}, std::uint64_t{bone.parent});
    add(hasher, bone.head);
    add(hasher, bone.tail);
    hasher.add(bone.radius);
  }
  hasher.add(static_cast<std::uint64_t>(mapping.painted.size()));
  for (const PaintedWeight& weight : mapping.painted)
    hasher.add((std::uint64_t{weight.vertex} << 32) | weight.bone).add(weight.weight);
}

void add_mass(Hasher& hasher, const Object& o) {
  add_choice(hasher, o.body.mass_source);
  hasher.add(o.body.mass);  // also with mass from the material: of a mesh that encloses no volume
  if (o.body.mass_source == MassSource::material) hasher.add(o.material.substance.density);
}

void add_springs(Hasher& hasher, const Object& o) {
  add_choice(hasher, o.body.stiffness_source);
  if (o.body.stiffness_source == StiffnessSource::given)
    hasher.add(o.body.stiffness);
  else
    add(hasher, o.material.substance.young, o.body.cross_section);
}

}  // namespace

ObjectSignature object_signature(const Object& o) {
  const BodySettings& body = o.body;
  ObjectSignature signature;
  signature.touches = touches(o);

  Hasher motion;
  motion.add(o.id.value);
  add(motion, o.transform.position);
  add(motion, o.transform.rotation);
  add(motion, o.transform.scale);
  add_display(motion, o);
  add_analysis(motion, o);
  add_choice(motion, body.kind);
  if (body.kind != BodyKind::fixed) {
    add_mass(motion, o);
    add(motion, body.velocity);
    motion.add(body.gravity);
  }
  if (body.kind == BodyKind::rigid || body.kind == BodyKind::flexible) add(motion, body.spin);
  if (body.kind == BodyKind::point) add(motion, body.birth, body.death);
  if (body.kind == BodyKind::flexible) {
    motion.add(std::string_view(body.solver));
    motion.add(parameters_hash(body.parameters, body.solver));
    add_springs(motion, o);
    motion.add(body.damping);
    if (o.analysis.kind != AnalysisKind::none) add_mapping(motion, o);
  }
  signature.motion = motion.value();

  if (signature.touches) {
    Hasher contact;
    add_choice(contact, o.contact.shape);
    const Substance& substance = o.material.substance;
    add(contact, substance.young, substance.poisson, substance.restitution, substance.friction);
    // The modulus at a contact of a flexible body is the mean of l k / A over its springs (3.39).
    if (body.kind == BodyKind::flexible) contact.add(body.cross_section);
    signature.contact = contact.value();
  }
  return signature;
}

std::uint64_t settings_signature(const SceneSettings& settings) {
  Hasher hasher;
  add(hasher, settings.frame_rate, settings.substeps);
  add(hasher, settings.gravity);
  add(hasher, settings.seed, settings.rest_speed);
  return hasher.value();
}

std::uint64_t simulation_signature(const Scene& scene) {
  std::vector<const Object*> objects;
  objects.reserve(scene.objects.size());
  for (const auto& object : scene.objects) objects.push_back(object.get());
  // A run goes through the objects in order of their ids: the order of the list is for people.
  std::sort(objects.begin(), objects.end(), [](const Object* a, const Object* b) { return a->id < b->id; });
  Hasher hasher;
  hasher.add(settings_signature(scene.settings));
  for (const Object* object : objects) {
    const ObjectSignature signature = object_signature(*object);
    hasher.add(signature.motion).add(signature.touches).add(signature.contact);
  }
  return hasher.value();
}

}  // namespace hazumi
