#include "core/sim/particles/room.h"

#include <algorithm>
#include <numeric>

#include "core/sim/contact/narrow_mesh.h"
#include "core/sim/contact/surface_tree.h"
#include "core/sim/model.h"

namespace hazumi {

namespace {

/// How often a closed surface of which this is a face goes round the place, as a ray from there along the axis sees it: ±1, or 0 beside the face.
/// What an edge says is the same for both of its faces.
int turns_over(const std::array<Vec3, 3>& corner, const std::array<std::uint32_t, 3>& number, const Vec3& p,
               Eigen::Index axis) {
  const Eigen::Index x = (axis + 1) % 3, y = (axis + 2) % 3;
  int turns = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    std::size_t from = k, to = (k + 1) % 3;
    const bool up = corner[from][y] <= p[y] && corner[to][y] > p[y];
    if (!up && !(corner[from][y] > p[y] && corner[to][y] <= p[y])) continue;
    if (number[to] < number[from]) std::swap(from, to);
    const Vec3 &a = corner[from], &b = corner[to];
    if (a[x] + (p[y] - a[y]) / (b[y] - a[y]) * (b[x] - a[x]) > p[x]) turns += up ? 1 : -1;
  }
  if (turns == 0) return 0;
  const Vec3 normal = (corner[1] - corner[0]).cross(corner[2] - corner[0]);
  const double along = normal[axis];
  if (along == 0) return 0;
  return normal.dot(corner[0] - p) / along > 0 ? turns : 0;
}

/// A place of each piece of a surface that hangs together, m, world; of a shape without one its middle, or all of its points.
std::vector<Vec3> places_of(BodyShape& shape) {
  const ContactProxy& proxy = shape.proxy();
  std::vector<Vec3> places;
  if (!proxy.surface) {
    if (proxy.shape == ContactShape::sphere || proxy.shape == ContactShape::box) return {shape.centre_to()};
    fill_points(shape);
    return shape.points_to.empty() ? shape.nodes_to : shape.points_to;
  }
  SurfaceTree tree(shape);
  const ContactSpace space = space_of(shape);
  const MeshView view(shape, space);
  const SurfaceMesh& mesh = tree.mesh();
  std::vector<std::uint32_t> root(mesh.points.size());
  std::iota(root.begin(), root.end(), 0u);
  const auto find = [&](std::uint32_t v) {
    while (root[v] != v) v = root[v] = root[root[v]];
    return v;
  };
  for (const auto& f : mesh.faces)
    for (const std::uint32_t v : {f[1], f[2]}) root[std::max(find(f[0]), find(v))] = std::min(find(f[0]), find(v));
  for (std::uint32_t g = 0; g < mesh.groups.size(); ++g)
    for (const std::uint32_t p : mesh.groups[g].parts)
      for (const std::uint32_t v : mesh.parts[p].corners) {
        if (root[v] != v) continue;
        tree.look_into(g);
        tree.open({&p, 1});
        places.push_back(space.to * view.to(v));
      }
  return places;
}

}  // namespace

bool any_inside(BodyShape& shape, std::span<const Vec3> places) {
  const ContactProxy& proxy = shape.proxy();
  if (!proxy.surface || !proxy.surface->any_solid) return false;
  SurfaceTree tree(shape);
  const ContactSpace space = space_of(shape);
  const MeshView view(shape, space);
  const SurfaceMesh& mesh = tree.mesh();
  const Box3 all = tree.box();
  for (const Vec3& place : places) {
    const Vec3 p = into(space.to, place);
    if (!all.holds(p)) continue;
    int inside = 0;
    for (Eigen::Index axis = 0; axis < 3; ++axis) {
      Box3 ray;
      ray.low = ray.high = p;
      ray.high[axis] = all.high[axis];
      int turns = 0;
      tree.within(ray, [&](std::uint32_t f) {
        if (mesh.solid[f] == 0) return;
        const auto& number = mesh.faces[f];
        turns += turns_over({view.to(number[0]), view.to(number[1]), view.to(number[2])}, number, p, axis);
      });
      inside += turns != 0 ? 1 : 0;
    }
    if (inside >= 2) return true;
  }
  return false;
}

void CopyRoom::put(std::uint32_t body, std::span<const double> values) {
  BodyShape& shape = shapes_[body];
  read_shape(model_.bodies[body], values, false, shape);
  read_shape(model_.bodies[body], values, true, shape);
  finish_shape(shape);
}

void CopyRoom::read() {
  shapes_.resize(model_.bodies.size());
  for (std::uint32_t i = 0; i < shapes_.size(); ++i) {
    const Body& body = model_.bodies[i];
    shapes_[i].body = &body;
    shapes_[i].active = body.proxy.shape != ContactShape::none && body.present(time_, state_.bodies[i].values);
    if (shapes_[i].active) put(i, state_.bodies[i].values);
  }
}

/// What it touches, and `pairs_`, what is near.
void CopyRoom::find(std::uint32_t body, std::span<const double> values) {
  const ContactProxy& proxy = model_.bodies[body].proxy;
  if (shapes_.empty()) read();
  put(body, values);
  BodyShape& own = shapes_[body];
  pairs_.clear();
  for (std::uint32_t i = 0; i < shapes_.size(); ++i) {
    const BodyShape& other = shapes_[i];
    if (i == body || !other.active || ignore_each_other(proxy.groups, other.proxy().groups)) continue;
    const bool near = other.unbounded() ? other.proxy().info->near(other, own) : other.swept.meets(own.swept);
    if (near) pairs_.emplace_back(std::minmax(i, body));
  }
  search_.find(shapes_, pairs_, {}, contacts_);
}

bool CopyRoom::has(std::uint32_t body, std::span<const double> values) {
  if (model_.bodies[body].proxy.shape == ContactShape::none) return true;
  find(body, values);
  double least = 0;
  for (const Contact& c : contacts_) {
    if (c.gap >= least) continue;
    least = c.gap;
    in_the_way_ = c.body_a == body ? c.body_b : c.body_a;
  }
  if (least < 0) return false;
  BodyShape& own = shapes_[body];
  for (const auto& [a, b] : pairs_) {
    in_the_way_ = a == body ? b : a;
    BodyShape& other = shapes_[in_the_way_];
    if (other.unbounded()) continue;
    if (any_inside(other, places_of(own)) || any_inside(own, places_of(other))) return false;
  }
  return true;
}

double CopyRoom::out_along(std::uint32_t body, std::span<const double> values, const Vec3& way, double level) {
  constexpr double kPushes = 0.5;  // of a normal, along the way
  if (model_.bodies[body].proxy.shape == ContactShape::none) return 0;
  find(body, values);
  double out = 0;
  for (const Contact& c : contacts_) {
    const double along = (c.body_a == body ? c.normal : Vec3(-c.normal)).dot(way);
    if (c.gap < 0 && along > kPushes && c.point.dot(way) < level) out = std::max(out, -c.gap / along);
  }
  return out;
}

void CopyRoom::take(std::uint32_t body) {
  if (!shapes_.empty()) shapes_[body].active = model_.bodies[body].proxy.shape != ContactShape::none;
}

}  // namespace hazumi
