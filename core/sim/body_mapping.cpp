#include "core/sim/body_mapping.h"

#include <cmath>

namespace hazumi {

MappingSettings scaled_mapping(const Object& object) {
  MappingSettings settings = object.mapping;
  const Vec3& scale = object.transform.scale;
  for (Bone& bone : settings.bones) {
    bone.head = bone.head.cwiseProduct(scale);
    bone.tail = bone.tail.cwiseProduct(scale);
    bone.radius *= std::cbrt(scale.prod());
    bone.bound_position = bone.bound_position.cwiseProduct(scale);
  }
  return settings;
}

}  // namespace hazumi
