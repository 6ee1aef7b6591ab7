// Half space below a plane through the surface of a flat sheet, normal its +y; of anything else, the top of its bounding box.
#include "core/sim/contact/narrow.h"
#include "core/sim/contact/shape_table.h"

namespace hazumi {
namespace {

void make_plane(const ProxySetup& setup, ContactProxy& proxy) { proxy.centre.y() = setup.box.high.y(); }

bool plane_suits(const Object& object, const Body& body) {
  return object.display.kind == DisplayKind::primitive && object.display.primitive.shape == PrimitiveShape::plane &&
         !body.moves;
}

bool near_plane(const BodyShape& plane, const BodyShape& other) {
  const Vec3 n = plane.plane_normal();
  const double level = n.dot(plane.centre_to());
  const double lowest = std::min(n.dot(other.from.position), n.dot(other.to.position)) - other.size;
  return lowest - level < plane.proxy().thickness + 2e-3 * other.size + 1e-6;
}

}  // namespace

HAZUMI_CONTACT_SHAPE(50, plane)

const ContactShapeInfo& contact_plane() {
  static constexpr ContactShape kChoices[] = {ContactShape::plane};
  static const ContactShapeInfo info = {.name = "plane",
                                        .choices = kChoices,
                                        .flat = true,
                                        .pairs = {},
                                        .make = make_plane,
                                        .suits = plane_suits,
                                        .near = near_plane};
  return info;
}

}  // namespace hazumi
