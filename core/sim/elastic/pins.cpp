#include "core/sim/elastic/pins.h"

namespace hazumi {

PinFrame pin_frame(std::span<const Vec3> nodes, std::span<const std::uint32_t> pinned) {
  PinFrame frame;
  if (pinned.empty()) return frame;
  frame.kind = PinKind::point;
  frame.origin = nodes[pinned.front()];
  double farthest = 0;
  for (const std::uint32_t node : pinned) {
    const Vec3 along = nodes[node] - frame.origin;
    if (along.norm() <= farthest) continue;
    farthest = along.norm();
    frame.axis = along / farthest;
    frame.kind = PinKind::line;
  }
  for (const std::uint32_t node : pinned)
    if ((nodes[node] - frame.origin).cross(frame.axis).norm() > 1e-9 * farthest) frame.kind = PinKind::held;
  return frame;
}

}  // namespace hazumi
