// Points that can be first to touch: vertices of the display mesh in the body frame; of what deforms, its display vertices where
// it has a skin, else its nodes. Points have no extent: two bodies of points do not meet.
#include <algorithm>
#include <cmath>
#include <optional>

#include "core/sim/contact/narrow.h"
#include "core/sim/contact/shape_table.h"
#include "core/sim/contact/surface_tree.h"

namespace hazumi {
namespace {

SkinDrivers drivers_of(std::uint32_t vertex, const DriverInfo& info, const Body& body) {
  SkinDrivers drivers;
  drivers.vertex = vertex;
  drivers.linear = info.linear;
  if (!info.linear) return drivers;
  drivers.nodes = info.nodes;
  drivers.arm = info.arm;
  double sum = 0;
  for (const NodeWeight& w : drivers.nodes) sum += w.weight;
  if (std::abs(1 - sum) < 1e-12) return drivers;
  drivers.centre = 1 - sum;
  if (body.truss.pinned.empty()) return drivers;
  std::vector<double> weights(body.truss.nodes.size());
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = drivers.centre * body.truss.masses[i] / body.mass;
  for (const NodeWeight& w : drivers.nodes) weights[w.node] += w.weight;
  drivers.centre = 0;
  drivers.nodes.clear();
  for (std::uint32_t i = 0; i < weights.size(); ++i) drivers.nodes.push_back({i, weights[i]});
  return drivers;
}

constexpr double kSpacing = 0.04;         // of the diagonal of the bounding box
constexpr std::size_t kMostSpread = 512;  // vertices between the extreme ones

/// Adds the point that is farthest from all that are kept, again and again, until none is farther than `spacing` (m). What deforms
/// gives way at its extreme vertices, and then what lies between them touches: a belly between legs.
void add_spread_points(std::span<const Vec3> points, double spacing, std::vector<std::uint32_t>& kept) {
  if (kept.empty()) return;
  std::vector<double> away(points.size(), 1e300);
  const auto keep = [&](std::uint32_t v) {
    for (std::size_t i = 0; i < points.size(); ++i) away[i] = std::min(away[i], (points[i] - points[v]).squaredNorm());
  };
  for (const std::uint32_t v : kept) keep(v);
  for (std::size_t k = 0; k < kMostSpread; ++k) {
    const auto farthest = std::max_element(away.begin(), away.end());
    if (!(*farthest > spacing * spacing)) break;
    kept.push_back(static_cast<std::uint32_t>(farthest - away.begin()));
    keep(kept.back());
  }
  std::sort(kept.begin(), kept.end());
}

void make_points(const ProxySetup& setup, ContactProxy& proxy) {
  const Body& body = setup.body;
  const Vec3 half = 0.5 * setup.box.size();
  if (!body.deforms) {
    for (std::uint32_t v : extreme_points(setup.cloud, kDirections))
      proxy.points.push_back(setup.cloud[v] - body.mesh_origin);
    proxy.radius = half.minCoeff() > 0 ? half.minCoeff() : half.maxCoeff();
    return;
  }
  double sum = 0;
  for (const Vec3& p : body.truss.nodes) sum += (p - body.mesh_origin).norm();
  proxy.radius = sum / static_cast<double>(body.truss.nodes.size());
  if (body.mapping && setup.object.contact.shape != ContactShape::nodes) {
    std::vector<std::uint32_t> skin = extreme_points(body.mesh->positions, kDirections);
    add_spread_points(body.mesh->positions, kSpacing * setup.box.size().norm(), skin);
    use_skin(body, *body.mapping, std::move(skin), setup.before, proxy);
    proxy.radius = half.sum() / 3.0;
  }
  proxy.centre.setZero();
  proxy.shape = ContactShape::nodes;
}

}  // namespace

void use_skin(const Body& body, const Mapping& mapping, std::vector<std::uint32_t> vertices, const Body* before,
              ContactProxy& proxy) {
  proxy.skin = std::move(vertices);
  if (before && before->mapping == body.mapping && before->proxy.skin == proxy.skin &&
      before->proxy.surface == proxy.surface && before->truss.masses == body.truss.masses &&
      before->truss.pinned == body.truss.pinned && before->mass == body.mass) {
    const ContactProxy& old = before->proxy;
    proxy.skin_drivers = old.skin_drivers;
    proxy.part_reach = old.part_reach;
    proxy.group_reach = old.group_reach;
    proxy.skin_gain = old.skin_gain;
    proxy.skin_offset = old.skin_offset;
    return;
  }
  proxy.skin_drivers.clear();
  double gain = 0, offset = 0;
  std::optional<PartReaches> parts, groups;
  if (const SurfaceMesh* surface = proxy.surface.get()) {
    parts.emplace(surface->parts, surface->points.size());
    groups.emplace(surface->groups, surface->points.size());
  }
  for (std::uint32_t k = 0; k < proxy.skin.size(); ++k) {
    const std::uint32_t v = proxy.skin[k];
    const DriverInfo drivers = mapping.drivers(v);
    if (parts) parts->add(k, drivers);
    if (groups) groups->add(k, drivers);
    double sum = 0;
    for (const NodeWeight& w : drivers.nodes) sum += std::abs(w.weight);
    gain = std::max(gain, sum);
    offset = std::max(offset, drivers.offset);
    proxy.skin_drivers.push_back(drivers_of(v, drivers, body));
  }
  if (parts) proxy.part_reach = parts->finish();
  if (groups) proxy.group_reach = groups->finish();
  proxy.skin_gain = gain;
  proxy.skin_offset = offset;
}

HAZUMI_CONTACT_SHAPE(10, nodes)
HAZUMI_CONTACT_SHAPE(20, vertices)

const ContactShapeInfo& contact_points() {
  static constexpr ContactShape kChoices[] = {ContactShape::vertices, ContactShape::nodes};
  static constexpr PairRow kPairs[] = {
      {"points", [](BodyShape&, BodyShape&, ContactSink&) {}},
      {"sphere", [](BodyShape& points, BodyShape& sphere, ContactSink& sink) { points_sphere(points, sphere, sink); }},
      {"box", [](BodyShape& points, BodyShape& box, ContactSink& sink) { points_box(points, box, sink); }},
      {"plane", [](BodyShape& points, BodyShape& plane, ContactSink& sink) { points_plane(points, plane, sink); }},
  };
  static const ContactShapeInfo info = {.name = "points", .choices = kChoices, .pairs = kPairs, .make = make_points};
  return info;
}

}  // namespace hazumi
