// Box along the body frame's axes.
#include <cmath>

#include "core/sim/contact/narrow.h"
#include "core/sim/contact/shape_table.h"

namespace hazumi {
namespace {

void make_box(const ProxySetup& setup, ContactProxy& proxy) {
  const Vec3 half = 0.5 * setup.box.size();
  proxy.half_extents = half.cwiseMax(1e-4 * half.maxCoeff());
  proxy.radius = half.minCoeff() > 0 ? half.minCoeff() : half.maxCoeff();
  for (int k = 0; k < 8; ++k) {
    const Vec3 corner(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1);
    proxy.points.push_back(proxy.centre + proxy.half_extents.cwiseProduct(corner));
  }
}

bool box_suits(const Object& object, const Body&) {
  return object.display.kind == DisplayKind::primitive && object.display.primitive.shape == PrimitiveShape::box;
}

/// Slab method in the box's frame.
std::optional<ShapeEntry> box_entry(const ContactProxy& box, const Vec3& p0, const Vec3& p1) {
  double enter = -1, leave = 1, sign = 0;
  int axis = 0;
  for (int k = 0; k < 3; ++k) {
    const double d = p1[k] - p0[k], half = box.half_extents[k];
    if (std::abs(d) < 1e-300) {
      if (std::abs(p0[k]) > half) return std::nullopt;
      continue;
    }
    const double side = d > 0 ? -1.0 : 1.0;
    const double t0 = (side * half - p0[k]) / d;
    if (t0 > enter) enter = t0, axis = k, sign = side;
    leave = std::min(leave, (-side * half - p0[k]) / d);
  }
  const double level = sign * p1[axis] - box.half_extents[axis];
  if (enter < 0 || enter > leave || !(level < 0)) return std::nullopt;
  return ShapeEntry{sign * Vec3::Unit(axis), level};
}

}  // namespace

HAZUMI_CONTACT_SHAPE(40, box)

const ContactShapeInfo& contact_box() {
  static constexpr ContactShape kChoices[] = {ContactShape::box};
  static constexpr PairRow kPairs[] = {
      {"box", box_box},
      {"plane", [](BodyShape& box, BodyShape& plane, ContactSink& sink) { points_plane(box, plane, sink); }},
  };
  static const ContactShapeInfo info = {.name = "box",
                                        .choices = kChoices,
                                        .flat = true,
                                        .pairs = kPairs,
                                        .make = make_box,
                                        .suits = box_suits,
                                        .entry = box_entry};
  return info;
}

}  // namespace hazumi
