#include "core/scene/derived/own_weight.h"

#include <algorithm>
#include <limits>

namespace hazumi {

double sunk_by_own_weight(const Object& object, double mass, double gravity) {
  const AnalysisModel& analysis = object.analysis;
  if (!bends(object.body) || analysis.kind == AnalysisKind::none || analysis.kind == AnalysisKind::cloth ||
      analysis.kind == AnalysisKind::rope || analysis.kind == AnalysisKind::plane_grid || is_sheet(analysis) ||
      analysis.hollow)
    return 0;
  if (object.body.volume.of != VolumeOf::off || !object.body.parameters.empty()) return 0;
  Object weighed = object;
  weighed.body.mass_source = MassSource::given;
  weighed.body.mass = mass;
  const Truss truss = object_truss(weighed, DisplayMesh{});
  if (!truss.pinned.empty()) return 0;
  double low = std::numeric_limits<double>::infinity(), high = -low, stiff = 0;
  for (const Vec3& x : truss.nodes) {
    const double y = (object.transform.rotation * x).y();
    low = std::min(low, y);
    high = std::max(high, y);
  }
  for (const Spring& s : truss.springs) stiff += s.stiffness * (truss.nodes[s.a] - truss.nodes[s.b]).squaredNorm();
  return stiff > 0 && high > low ? 3 * mass * std::abs(gravity) * (high - low) / stiff : 0;
}

}  // namespace hazumi
