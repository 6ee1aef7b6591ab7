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
}

void finish_shape(BodyShape& shape) {
  const ContactProxy& proxy = shape.body->proxy;
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
  const ContactProxy& proxy = body.proxy;
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
      body.mapping->map_points(shape.nodes_from, shape.from, proxy.skin, shape.points_from);
      body.mapping->map_points(shape.nodes_to, shape.to, proxy.skin, shape.points_to);
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
  if (!body.proxy.skin.empty())
    anchor.skin[0] = &body.proxy.skin_drivers[point];
  else
    anchor.nodes[0] = body.proxy.surface ? body.proxy.surface->source[number] : number;
  return anchor;
}

void NearPairs::find(const std::vector<BodyShape>& shapes,
                     std::vector<std::pair<std::uint32_t, std::uint32_t>>& pairs) {
  constexpr int kMostRefits = 16;
  pairs.clear();
  const auto movable = [&](std::uint32_t i) { return shapes[i].body->moves; };
  const auto ignored = [&](std::uint32_t i, std::uint32_t j) {
    return ignore_each_other(shapes[i].body->proxy.groups, shapes[j].body->proxy.groups);
  };
  bounded_.swap(bounded_before_);
  bounded_.clear();
  unbounded_.clear();
  boxes_.clear();
  for (std::uint32_t i = 0; i < shapes.size(); ++i) {
    if (!shapes[i].active) continue;
    (shapes[i].unbounded() ? unbounded_ : bounded_).push_back(i);
    if (!shapes[i].unbounded()) boxes_.push_back(shapes[i].swept);
    if (shapes[i].body->proxy.self) pairs.emplace_back(i, i);
  }
  for (std::uint32_t p : unbounded_)
    for (std::uint32_t i : bounded_)
      if (movable(i) && !ignored(i, p) && shapes[p].body->proxy.info->near(shapes[p], shapes[i]))
        pairs.push_back(std::minmax(i, p));
  if (bounded_ == bounded_before_ && refits_ < kMostRefits) {
    tree_.refit(boxes_);
    ++refits_;
  } else {
    tree_ = BoxTree(boxes_, 8);
    refits_ = 0;
  }
  tree_.pairs([&](std::uint32_t k, std::uint32_t l) {
    const std::uint32_t i = bounded_[k], j = bounded_[l];
    if (boxes_[k].meets(boxes_[l]) && (movable(i) || movable(j)) && !ignored(i, j)) pairs.push_back(std::minmax(i, j));
  });
  std::sort(pairs.begin(), pairs.end());
}

}  // namespace hazumi
