#include "core/sim/contact/surface_tree.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace hazumi {
namespace {

constexpr double kMapped = 1e-6;    // of the distances to the nodes: how exact weights are
constexpr double kRounded = 1e-12;  // of the coordinates

/// Vertices that are not in their places yet.
void place_vertices(BodyShape& shape, std::vector<std::uint32_t>& vertices) {
  const ContactProxy& proxy = shape.proxy();
  std::erase_if(vertices, [&](std::uint32_t v) { return std::exchange(shape.fit.placed[v], 1) != 0; });
  if (proxy.skin.empty()) {
    for (const std::uint32_t v : vertices) {
      const std::uint32_t node = proxy.surface->source[v];
      shape.points_from[v] = shape.nodes_from[node];
      shape.points_to[v] = shape.nodes_to[node];
    }
    return;
  }
  std::vector<std::uint32_t> display;
  for (const std::uint32_t v : vertices) display.push_back(proxy.skin[v]);
  std::vector<Vec3> places(vertices.size());
  const auto map = [&](std::span<const Vec3> nodes, const Pose& frame, std::vector<Vec3>& points) {
    shape.mapping().map_points(nodes, frame, display, places);
    for (std::size_t k = 0; k < vertices.size(); ++k) points[vertices[k]] = places[k];
  };
  map(shape.nodes_from, shape.from, shape.points_from);
  map(shape.nodes_to, shape.to, shape.points_to);
}

Box3 swept_box(const BodyShape& shape, const std::vector<PartReach>& reach, std::size_t part,
               std::span<const std::uint32_t> corners) {
  const ContactProxy& proxy = shape.proxy();
  Box3 box;
  if (proxy.skin.empty()) {
    for (const std::uint32_t v : corners) {
      box.add(shape.nodes_from[proxy.surface->source[v]]);
      box.add(shape.nodes_to[proxy.surface->source[v]]);
    }
    return box;
  }
  if (!reach[part].known) return shape.swept;
  for (const Box3& end :
       {reach_box(reach[part], shape.nodes_from, shape.from), reach_box(reach[part], shape.nodes_to, shape.to)}) {
    box.add(end.low);
    box.add(end.high);
  }
  return box;
}

void start_fit(BodyShape& shape) {
  SurfaceFit& fit = shape.fit;
  const SurfaceMesh& mesh = *shape.proxy().surface;
  if (fit.of != shape.proxy().surface) {
    fit = SurfaceFit();
    fit.of = shape.proxy().surface;
    if (shape.body->deforms) {
      fit.top = mesh.top;
      for (const SurfacePart& part : mesh.parts) fit.trees.push_back(part.tree);
      fit.bounds.resize(mesh.parts.size());
      fit.groups.resize(mesh.groups.size());
    }
  }
  fit.ready = true;
  if (!shape.body->deforms) return;
  fit.open.assign(mesh.parts.size(), 0);
  fit.placed.assign(mesh.points.size(), 0);
  shape.points_from.resize(mesh.points.size());
  shape.points_to.resize(mesh.points.size());
  fit.known.assign(mesh.groups.size(), 0);
  for (std::size_t g = 0; g < fit.groups.size(); ++g)
    fit.groups[g] = swept_box(shape, shape.proxy().group_reach, g, mesh.groups[g].corners);
  if (!fit.groups.empty()) fit.top.refit(fit.groups);
  std::vector<std::uint32_t> loose = mesh.loose;
  place_vertices(shape, loose);
}

}  // namespace

SurfaceTree::SurfaceTree(BodyShape& shape)
    : shape_(shape), mesh_(*shape.proxy().surface), deforms_(shape.body->deforms) {
  if (!shape.fit.ready) start_fit(shape);
}

void SurfaceTree::look_into(std::uint32_t group) {
  if (!deforms_ || std::exchange(shape_.fit.known[group], 1)) return;
  const std::vector<std::uint32_t>& parts = mesh_.groups[group].parts;
  for (const std::uint32_t p : parts)
    shape_.fit.bounds[p] = parts.size() == 1 ? shape_.fit.groups[group]
                                             : swept_box(shape_, shape_.proxy().part_reach, p, mesh_.parts[p].corners);
}

Box3 SurfaceTree::box() const {
  Box3 all;
  for (std::uint32_t g = 0; g < mesh_.groups.size(); ++g) {
    all.low = all.low.cwiseMin(bound_of_group(g).low);
    all.high = all.high.cwiseMax(bound_of_group(g).high);
  }
  return all;
}

void SurfaceTree::open(std::span<const std::uint32_t> parts) {
  if (!deforms_) return;
  SurfaceFit& fit = shape_.fit;
  std::vector<std::uint32_t> fresh, vertices;
  for (const std::uint32_t p : parts) {
    if (std::exchange(fit.open[p], 1)) continue;
    fresh.push_back(p);
    vertices.insert(vertices.end(), mesh_.parts[p].vertices.begin(), mesh_.parts[p].vertices.end());
  }
  if (fresh.empty()) return;
  place_vertices(shape_, vertices);
  std::vector<Box3> boxes;
  for (const std::uint32_t p : fresh) {
    boxes.clear();
    for (const std::uint32_t f : mesh_.parts[p].faces) {
      Box3& box = boxes.emplace_back();
      for (const std::uint32_t v : mesh_.faces[f]) {
        box.add(shape_.points_to[v]);
        box.add(shape_.points_from[v]);
      }
    }
    fit.trees[p].refit(boxes);
  }
}

void PartReaches::Range::add(double w) {
  low = count == 0 ? w : std::min(low, w);
  high = count == 0 ? w : std::max(high, w);
  ++count;
}

void PartReaches::add(std::uint32_t vertex, const DriverInfo& drivers) {
  for (const std::uint32_t p : parts_of_[vertex]) {
    Part& part = parts_[p];
    ++part.count;
    part.known = part.known && drivers.bones.empty();
    if (!part.known) continue;
    double sum = 0;
    for (const NodeWeight& w : drivers.nodes) {
      sum += w.weight;
      auto at = std::lower_bound(part.nodes.begin(), part.nodes.end(), w.node,
                                 [](const auto& known, std::uint32_t node) { return known.first < node; });
      if (at == part.nodes.end() || at->first != w.node) at = part.nodes.insert(at, {w.node, Range()});
      at->second.add(w.weight);
    }
    part.origin.add(1 - sum);
    for (int axis = 0; axis < 3; ++axis) part.arm[axis].add(drivers.linear ? drivers.arm[axis] : 0.0);
    if (!drivers.linear) part.away = std::max(part.away, drivers.offset);
  }
}

std::vector<PartReach> PartReaches::finish() {
  std::vector<PartReach> reaches;
  for (Part& part : parts_) {
    PartReach& reach = reaches.emplace_back();
    reach.known = part.known;
    if (!part.known) continue;
    for (auto& [node, range] : part.nodes) {
      if (range.count < part.count) range.add(0);  // it does not move all of them
      reach.middle.push_back({node, 0.5 * (range.low + range.high)});
      reach.range.push_back(0.5 * (range.high - range.low));
    }
    reach.origin = 0.5 * (part.origin.low + part.origin.high);
    reach.origin_range = 0.5 * (part.origin.high - part.origin.low);
    Vec3 spread;
    for (int axis = 0; axis < 3; ++axis) {
      reach.arm[axis] = 0.5 * (part.arm[axis].low + part.arm[axis].high);
      spread[axis] = 0.5 * (part.arm[axis].high - part.arm[axis].low);
    }
    reach.away = spread.norm() + part.away;
  }
  return reaches;
}

Box3 reach_box(const PartReach& reach, std::span<const Vec3> nodes, const Pose& frame) {
  Vec3 sum = reach.origin * frame.position;
  double share = reach.origin;
  for (const NodeWeight& w : reach.middle) {
    sum += w.weight * nodes[w.node];
    share += w.weight;
  }
  const Vec3 z = share > 0.5 ? Vec3(sum / share) : frame.position;
  Vec3 half = reach.origin_range * (frame.position - z).cwiseAbs();
  double farthest = 0;
  for (std::size_t k = 0; k < reach.middle.size(); ++k) {
    const Vec3 far = (nodes[reach.middle[k].node] - z).cwiseAbs();
    half += reach.range[k] * far;
    farthest = std::max(farthest, far.maxCoeff());
  }
  const Vec3 centre = z * (1 - share) + sum + frame.rotation * reach.arm;
  half.array() += reach.away + kMapped * farthest + kRounded * centre.cwiseAbs().maxCoeff();
  Box3 box;
  box.low = centre - half;
  box.high = centre + half;
  return box;
}

}  // namespace hazumi
