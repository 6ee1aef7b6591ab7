#include "core/sim/contact/shape.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "core/sim/contact/surface_mesh.h"

namespace hazumi {

void read_shape(const Body& body, std::span<const double> values, bool at_end, BodyShape& shape) {
  shape.body = &body;
  if (body.deforms) {
    std::vector<Vec3>& nodes = at_end ? shape.nodes_to : shape.nodes_from;
    nodes.resize(body.truss.nodes.size());
    body.positions(values, nodes);
  }
  (at_end ? shape.to : shape.from) = body.pose(values);
  if (at_end) return;
  shape.parts = body.parts(values);
  shape.limp = body.limp(values);
}

void finish_shape(BodyShape& shape) {
  const ContactProxy& proxy = shape.proxy();
  shape.points_ready = shape.fit.ready = false;
  shape.size = proxy.reach;
  if (shape.body->deforms) {
    double farthest = 0;
    for (const Vec3& p : shape.nodes_from) farthest = std::max(farthest, (p - shape.from.position).squaredNorm());
    for (const Vec3& p : shape.nodes_to) farthest = std::max(farthest, (p - shape.to.position).squaredNorm());
    shape.size = std::max(proxy.skin_gain * std::sqrt(farthest) + proxy.skin_offset, proxy.radius);
  }
  shape.size += proxy.thickness;
  if (shape.unbounded()) shape.size = 0;
  const Vec3 margin = Vec3::Constant(shape.size * 1.002 + 1e-6);
  shape.swept = Box3();
  for (const Vec3& p : {shape.from.position, shape.to.position}) {
    shape.swept.add(p - margin);
    shape.swept.add(p + margin);
  }
}

void fill_points(BodyShape& shape) {
  if (shape.points_ready) return;
  shape.points_ready = true;
  const Body& body = *shape.body;
  const ContactProxy& proxy = shape.proxy();
  shape.points_from.clear();
  shape.points_to.clear();
  const auto add = [&](const Vec3& p) {
    shape.points_from.push_back(shape.from * p);
    shape.points_to.push_back(shape.to * p);
  };
  if (body.deforms) {
    assert(!proxy.surface);
    if (proxy.skin.empty()) {
      shape.points_from = shape.nodes_from;
      shape.points_to = shape.nodes_to;
    } else {
      shape.points_from.resize(proxy.skin.size());
      shape.points_to.resize(proxy.skin.size());
      shape.mapping().map_points(shape.nodes_from, shape.from, proxy.skin, shape.points_from);
      shape.mapping().map_points(shape.nodes_to, shape.to, proxy.skin, shape.points_to);
    }
  } else {
    for (const Vec3& p : proxy.points) add(p);
  }
}

// The force at a display vertex goes to what moves it (SkinDrivers).
ContactAnchor point_anchor(const BodyShape& shape, std::size_t point) {
  const Body& body = *shape.body;
  ContactAnchor anchor;
  if (!body.deforms) {
    anchor.offset = shape.to.rotation.conjugate() * (shape.points_to[point] - shape.to.position);
    return anchor;
  }
  anchor.kind = ContactAnchor::nodal;
  anchor.weights = {1, 0, 0};
  const auto number = static_cast<std::uint32_t>(point);
  if (!shape.proxy().skin.empty())
    anchor.skin[0] = &shape.proxy().skin_drivers[point];
  else
    anchor.nodes[0] = shape.proxy().surface ? shape.proxy().surface->source[number] : number;
  return anchor;
}

void NearPairs::find(const std::vector<BodyShape>& shapes,
                     std::vector<std::pair<std::uint32_t, std::uint32_t>>& pairs) {
  constexpr int kMostRefits = 16;
  constexpr std::uint32_t kLeaf = 4;
  found_.clear();
  const auto add = [&](std::uint32_t i, std::uint32_t j) { found_.emplace_back(std::min(i, j), std::max(i, j)); };
  bounded_.swap(bounded_before_);
  bounded_.clear();
  unbounded_.clear();
  boxes_.clear();
  kinds_.clear();
  for (std::uint32_t i = 0; i < shapes.size(); ++i) {
    const BodyShape& shape = shapes[i];
    if (!shape.active) continue;
    if (shape.proxy().self) add(i, i);
    if (shape.unbounded()) {
      unbounded_.push_back(i);
      continue;
    }
    bounded_.push_back(i);
    boxes_.push_back(shape.swept);
    kinds_.push_back({shape.proxy().groups, shape.body->moves});
  }
  for (std::uint32_t p : unbounded_) {
    const ContactProxy& proxy = shapes[p].proxy();
    for (std::size_t k = 0; k < bounded_.size(); ++k)
      if (kinds_[k].moves && !ignore_each_other(kinds_[k].groups, proxy.groups) &&
          proxy.info->near(shapes[p], shapes[bounded_[k]]))
        add(bounded_[k], p);
  }
  const bool same = bounded_ == bounded_before_ && refits_ < kMostRefits;
  if (!same) tree_ = BoxTree(boxes_, kLeaf);
  refits_ = same ? refits_ + 1 : 0;
  placed_.resize(boxes_.size());
  for (std::size_t at = 0; at < placed_.size(); ++at) placed_[at] = flat_box(boxes_[tree_.order()[at]]);
  if (same) tree_.refit_placed(placed_);
  tree_.pairs(placed_, [&](std::uint32_t at, std::uint32_t other) {
    const std::uint32_t k = tree_.order()[at], l = tree_.order()[other];
    if (boxes_[k].meets(boxes_[l]) && (kinds_[k].moves || kinds_[l].moves) &&
        !ignore_each_other(kinds_[k].groups, kinds_[l].groups))
      add(bounded_[k], bounded_[l]);
  });
  sort_found(shapes.size(), pairs);
}

/// By the first number through their counts, of which few pairs have the same, then by the second.
void NearPairs::sort_found(std::size_t count, std::vector<std::pair<std::uint32_t, std::uint32_t>>& pairs) {
  begin_.assign(count + 1, 0);
  for (const auto& [i, j] : found_) ++begin_[i + 1];
  for (std::size_t i = 0; i < count; ++i) begin_[i + 1] += begin_[i];
  pairs.resize(found_.size());
  for (const auto& pair : found_) pairs[begin_[pair.first]++] = pair;
  for (std::size_t i = 0, from = 0; i < count; from = begin_[i++])
    std::sort(pairs.begin() + static_cast<std::ptrdiff_t>(from), pairs.begin() + begin_[i]);
}

}  // namespace hazumi
