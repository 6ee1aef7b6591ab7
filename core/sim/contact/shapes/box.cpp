// Box along the body frame's axes.
#include "core/sim/contact/narrow.h"
#include "core/sim/contact/shape_table.h"
#include "core/sim/contact/surface_mesh.h"

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
  DisplayMesh sides;  // for surfaces
  sides.positions = proxy.points;
  for (std::uint32_t axis = 0; axis < 3; ++axis)
    for (const std::uint32_t side : {0u, 1u}) {
      const std::uint32_t u = 1u << (axis + 1) % 3, v = 1u << (axis + 2) % 3, at = side << axis;
      const std::uint32_t b = side ? u : v, d = side ? v : u;
      sides.faces.push_back({at, at + b, at + u + v});
      sides.faces.push_back({at, at + u + v, at + d});
    }
  proxy.surface = make_surface_mesh(sides, Vec3::Zero(), false);
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
