#include "core/scene/derived/rope.h"

namespace hazumi {

double rope_radius(const Object& object) {
  if (object.analysis.kind != AnalysisKind::rope) return 0;
  const Vec3 size = object.analysis.size.cwiseProduct(object.transform.scale.cwiseAbs());
  return 0.25 * (size.sum() - size.maxCoeff());
}

}  // namespace hazumi
