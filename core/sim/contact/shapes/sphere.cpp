// Ball about the middle of the bounding box; of what deforms, about its body frame's origin.
#include "core/sim/contact/narrow.h"
#include "core/sim/contact/shape_table.h"

namespace hazumi {
namespace {

void make_sphere(const ProxySetup& setup, ContactProxy& proxy) {
  proxy.radius = Vec3(0.5 * setup.box.size()).sum() / 3.0;
  proxy.reach = proxy.centre.norm() + proxy.radius;
  if (setup.body.deforms) proxy.centre.setZero();
}

bool sphere_suits(const Object& object, const Body&) {
  const Primitive& p = object.display.primitive;
  if (object.display.kind != DisplayKind::primitive || p.shape != PrimitiveShape::sphere) return false;
  const Vec3 size = p.size.cwiseProduct(object.transform.scale);
  return (size.array() - size.x()).abs().maxCoeff() <= 1e-9 * std::abs(size.x());
}

}  // namespace

HAZUMI_CONTACT_SHAPE(30, sphere)

const ContactShapeInfo& contact_sphere() {
  static constexpr ContactShape kChoices[] = {ContactShape::sphere};
  static constexpr PairRow kPairs[] = {
      {"sphere", [](BodyShape& a, BodyShape& b, ContactSink& sink) { sphere_sphere(a, b, sink); }},
      {"box", [](BodyShape& sphere, BodyShape& box, ContactSink& sink) { sphere_box(sphere, box, sink); }},
      {"plane", [](BodyShape& sphere, BodyShape& plane, ContactSink& sink) { sphere_plane(sphere, plane, sink); }},
  };
  static const ContactShapeInfo info = {
      .name = "sphere", .choices = kChoices, .pairs = kPairs, .make = make_sphere, .suits = sphere_suits};
  return info;
}

}  // namespace hazumi
