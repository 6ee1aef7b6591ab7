// Box along the body frame's axes.
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

}  // namespace

HAZUMI_CONTACT_SHAPE(40, box)

const ContactShapeInfo& contact_box() {
  static constexpr ContactShape kChoices[] = {ContactShape::box};
  static constexpr PairRow kPairs[] = {
      {"box", box_box},
      {"plane", [](BodyShape& box, BodyShape& plane, ContactSink& sink) { points_plane(box, plane, sink); }},
  };
  static const ContactShapeInfo info = {
      .name = "box", .choices = kChoices, .flat = true, .pairs = kPairs, .make = make_box, .suits = box_suits};
  return info;
}

}  // namespace hazumi
