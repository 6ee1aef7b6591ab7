#include "core/playback/digest.h"

#include "core/base/hash.h"

namespace hazumi {

namespace {

void add(Hasher& hasher, const std::vector<Vec3f>& points) {
  hasher.add(static_cast<std::uint64_t>(points.size()));
  for (const Vec3f& p : points) hasher.add(p.x()).add(p.y()).add(p.z());
}

}  // namespace

std::uint64_t digest(const Frame& frame) {
  Hasher hasher;
  hasher.add(frame.index).add(static_cast<std::uint64_t>(frame.objects.size()));
  for (const ObjectFrame& object : frame.objects) {
    hasher.add(object.id.value).add(object.present).add(object.deformed);
    for (float x : object.position) hasher.add(x);
    for (float x : object.rotation.coeffs()) hasher.add(x);
    add(hasher, object.vertices);
    add(hasher, object.normals);
    add(hasher, object.nodes);
    if (object.surface) hasher.add(std::string_view("surface")).add(mesh_hash(*object.surface));
  }
  // Blocks that a frame does not have leave no trace, so that recorded runs stay what they are.
  for (const InstanceBlock& block : frame.instances) {
    hasher.add(std::string_view("instances")).add(block.id.value).add(mesh_hash(*block.mesh));
    add(hasher, block.positions);
    hasher.add(static_cast<std::uint64_t>(block.rotations.size()));
    for (const auto& rotation : block.rotations)
      for (float x : rotation.coeffs()) hasher.add(x);
    hasher.add(static_cast<std::uint64_t>(block.scales.size()));
    for (float scale : block.scales) hasher.add(scale);
  }
  for (const PolylineBlock& block : frame.polylines) {
    hasher.add(std::string_view("polylines")).add(block.id.value);
    add(hasher, block.points);
    hasher.add(static_cast<std::uint64_t>(block.counts.size()));
    for (std::uint32_t count : block.counts) hasher.add(static_cast<std::uint64_t>(count));
  }
  for (const ParticleBlock& block : frame.particles) {
    hasher.add(std::string_view("particles")).add(block.id.value);
    for (const std::uint64_t number : block.numbers) hasher.add(number);
    add(hasher, block.positions);
    add(hasher, block.velocities);
    for (const auto* list : {&block.ages, &block.times, &block.sizes, &block.masses})
      for (const float value : *list) hasher.add(value);
    for (const auto& rotation : block.rotations)
      for (const float x : rotation.coeffs()) hasher.add(x);
  }
  if (frame.looks)
    for (const FrameLook& look : *frame.looks) {
      hasher.add(std::string_view("look")).add(look.object.value).add(static_cast<std::uint64_t>(look.visible + 1));
      for (const float value :
           {look.colour.x(), look.colour.y(), look.colour.z(), look.coloured, look.opacity, look.faded})
        hasher.add(value);
      if (look.replaced > 0) {
        const Surface& s = look.surface;
        for (const Vec3& colour : {s.ambient, s.diffuse, s.specular})
          for (const double x : colour) hasher.add(x);
        hasher.add(s.shininess).add(s.opacity).add(look.replaced);
      }
    }
  if (frame.cues)
    for (const FrameCue& cue : *frame.cues)
      hasher.add(std::string_view("cue")).add(cue.thing.value).add(cue.time).add(cue.gain);
  return hasher.value();
}

std::uint64_t observables_digest(const Model& model, const State& state) {
  Hasher hasher;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Observables o = observe(model, state, b);
    hasher.add(model.bodies[b].id.value).add(o.mass);
    for (const Vec3& v : {o.centre, o.momentum, o.angular_momentum})
      for (double x : v) hasher.add(x);
    hasher.add(o.kinetic_energy).add(o.elastic_energy).add(o.volume).add(o.max_strain);
  }
  return hasher.value();
}

}  // namespace hazumi
