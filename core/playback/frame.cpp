#include "core/playback/frame.h"

#include <algorithm>

namespace hazumi {

const ObjectFrame* Frame::find(Id id) const {
  const auto it = std::lower_bound(objects.begin(), objects.end(), id,
                                   [](const ObjectFrame& object, Id wanted) { return object.id < wanted; });
  return it != objects.end() && it->id == id ? &*it : nullptr;
}

const FrameJoint* Frame::find_joint(Id id) const {
  if (!joints) return nullptr;
  const auto it = std::lower_bound(joints->begin(), joints->end(), id,
                                   [](const FrameJoint& joint, Id wanted) { return joint.joint < wanted; });
  return it != joints->end() && it->joint == id ? &*it : nullptr;
}

const ParticleBlock* Frame::find_particles(Id source) const {
  const auto it = std::lower_bound(particles.begin(), particles.end(), source,
                                   [](const ParticleBlock& block, Id wanted) { return block.id < wanted; });
  return it != particles.end() && it->id == source ? &*it : nullptr;
}

std::size_t Frame::memory_use() const {
  std::size_t bytes = sizeof(Frame) + objects.capacity() * sizeof(ObjectFrame);
  for (const ObjectFrame& object : objects) {
    bytes += (object.vertices.capacity() + object.normals.capacity() + object.nodes.capacity()) * sizeof(Vec3f);
    if (const DisplayMesh* own = object.surface.get())
      bytes += sizeof(DisplayMesh) + (own->positions.capacity() + own->normals.capacity()) * sizeof(Vec3) +
               own->faces.capacity() * sizeof(own->faces[0]) + own->looks.capacity() * sizeof(VertexLook);
  }
  bytes += instances.capacity() * sizeof(InstanceBlock) + polylines.capacity() * sizeof(PolylineBlock);
  for (const InstanceBlock& block : instances)  // the mesh is shared by all frames
    bytes += block.positions.capacity() * sizeof(Vec3f) + block.rotations.capacity() * sizeof(Eigen::Quaternionf) +
             block.scales.capacity() * sizeof(float);
  for (const PolylineBlock& block : polylines)
    bytes += block.points.capacity() * sizeof(Vec3f) + block.counts.capacity() * sizeof(std::uint32_t);
  bytes += particles.capacity() * sizeof(ParticleBlock);
  for (const ParticleBlock& block : particles)
    bytes += block.numbers.capacity() * sizeof(std::uint64_t) +
             (block.positions.capacity() + block.velocities.capacity()) * sizeof(Vec3f) +
             (block.ages.capacity() + block.times.capacity() + block.sizes.capacity() + block.masses.capacity()) *
                 sizeof(float) +
             block.rotations.capacity() * sizeof(Eigen::Quaternionf);
  return bytes + contacts.capacity() * sizeof(FrameContact) + (joints ? joints->capacity() * sizeof(FrameJoint) : 0) +
         (examples ? examples->capacity() * sizeof(FrameExample) : 0) +
         (bodies ? bodies->capacity() * sizeof(FrameBody) : 0) +
         (sources ? sources->capacity() * sizeof(FrameSource) : 0) +
         (looks ? looks->capacity() * sizeof(FrameLook) : 0) + (cues ? cues->capacity() * sizeof(FrameCue) : 0) +
         (surfaces ? surfaces->capacity() * sizeof(FrameSurface) : 0);
}

}  // namespace hazumi
