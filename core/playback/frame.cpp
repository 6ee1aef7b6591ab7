#include "core/playback/frame.h"

#include <algorithm>

namespace hazumi {

const ObjectFrame* Frame::find(Id id) const {
  const auto it = std::lower_bound(objects.begin(), objects.end(), id,
                                   [](const ObjectFrame& object, Id wanted) { return object.id < wanted; });
  return it != objects.end() && it->id == id ? &*it : nullptr;
}

std::size_t Frame::memory_use() const {
  std::size_t bytes = sizeof(Frame) + objects.capacity() * sizeof(ObjectFrame);
  for (const ObjectFrame& object : objects)
    bytes += (object.vertices.capacity() + object.normals.capacity() + object.nodes.capacity()) * sizeof(Vec3f);
  return bytes;
}

}  // namespace hazumi
