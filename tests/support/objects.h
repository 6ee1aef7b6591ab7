// Objects that many small scenes are made of.
#pragma once

#include "core/scene/values/scene.h"

namespace hazumi::test {

/// Of 1 m; a flexible one in an icosahedron.
inline Object sphere_object(Id id, const std::string& name, BodyKind kind, const std::array<int, 3>& divisions) {
  Object o;
  o.id = id;
  o.name = name;
  o.display.primitive.shape = PrimitiveShape::sphere;
  o.display.primitive.divisions = divisions;
  o.body.kind = kind;
  if (kind == BodyKind::flexible) {
    o.analysis.kind = AnalysisKind::icosahedron;
    o.analysis.divisions = {1, 1, 1};
  }
  return o;
}

}  // namespace hazumi::test
