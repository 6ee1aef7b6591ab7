#include "core/sim/particles/obstacles.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/sim/contact/nearest.h"
#include "core/sim/model.h"

namespace hazumi {

namespace {

constexpr double kInside = 1e-9;         // of barycentric coordinates, so that no gap is between neighbours
constexpr double kGrazing = 1e-9;        // of its way: what slides along a surface does not meet it again and again
constexpr std::uint32_t kNothing = ~0u;  // of by_body_
constexpr std::size_t kManyFaces = 64;   // that a tree takes longer for than a look at its cells
constexpr std::size_t kMostBoxes = 8;    // that each particle is held against by itself

/// In the axes of what is met.
struct LocalHit {
  double at = 2;
  Vec3 place = Vec3::Zero(), normal = Vec3::UnitY();
  std::uint32_t face = 0;
  double first = 0, second = 0;
};

/// A plane at `level` along `normal`.
void meet_plane(const Vec3& normal, double level, const Vec3& p, const Vec3& q, double r, LocalHit& hit) {
  const double a = normal.dot(p) - level, b = normal.dot(q) - level;
  if (b >= r || a - b <= kGrazing * (q - p).norm() || a < -r) return;
  hit.at = a > r ? (a - r) / (a - b) : 0;
  hit.place = p + hit.at * (q - p);
  hit.place += (level + r - normal.dot(hit.place)) * normal;
  hit.normal = normal;
}

void meet_ball(const Vec3& centre, double radius, const Vec3& p, const Vec3& q, double r, LocalHit& hit) {
  const Vec3 m = p - centre, d = q - p;
  const double away = m.dot(d), reach = radius + r, out = m.squaredNorm() - reach * reach;
  if (away >= -kGrazing * m.norm() * d.norm()) return;
  if (out > 0) {
    const double square = d.squaredNorm(), root = away * away - square * out;
    if (root < 0) return;
    const double at = (-away - std::sqrt(root)) / square;
    if (at > 1) return;
    hit.at = std::max(at, 0.0);
  } else {
    if (m.norm() < std::max(radius - r, 1e-3 * radius)) return;
    hit.at = 0;
  }
  hit.normal = (m + hit.at * d).normalized();
  hit.place = centre + reach * hit.normal;
}

void meet_box(const Vec3& centre, const Vec3& half, const Vec3& p, const Vec3& q, double r, LocalHit& hit) {
  const Vec3 m = p - centre, d = q - p;
  const Vec3 reach = half.array() + r;
  int axis = -1;
  double enter = 0;
  if ((m.cwiseAbs().array() <= reach.array()).all()) {
    double least = 2 * r;
    for (int k = 0; k < 3; ++k)
      if (const double depth = reach[k] - std::abs(m[k]);
          depth <= least && m[k] * d[k] < 0 && std::abs(d[k]) > kGrazing * d.norm()) {
        least = depth;
        axis = k;
      }
    if (axis < 0) return;
  } else {
    double leave = 1;
    for (int k = 0; k < 3; ++k) {
      if (d[k] == 0) {
        if (std::abs(m[k]) > reach[k]) return;
        continue;
      }
      const double side = d[k] > 0 ? -reach[k] : reach[k];
      const double in = (side - m[k]) / d[k], out = (-side - m[k]) / d[k];
      if (in > enter || (axis < 0 && in >= 0)) {
        enter = std::max(enter, in);
        axis = k;
      }
      leave = std::min(leave, out);
    }
    if (axis < 0 || enter > leave || std::abs(d[axis]) <= kGrazing * d.norm()) return;
  }
  hit.at = enter;
  const double side = m[axis] + enter * d[axis] > 0 ? 1 : -1;
  hit.normal = side * Vec3::Unit(axis);
  hit.place = p + enter * d;
  hit.place[axis] = centre[axis] + side * reach[axis];
}

ObstacleFace triangle(const Vec3& a, const Vec3& b, const Vec3& c) {
  Vec3 normal = (b - a).cross(c - a);
  const double twice = normal.norm();
  if (twice > 0) normal /= twice;
  return {a, b, c, normal};
}

bool holds(const ObstacleFace& t, const Vec3& p, double& first, double& second) {
  const Vec3 g = p - t.a;
  const double ge = g.dot(t.e), gf = g.dot(t.f);
  const double along_e = t.ff * ge - t.ef * gf, along_f = t.ee * gf - t.ef * ge, least = -2 * kInside * t.size;
  // Most are well outside, which takes no division.
  if (t.size > 0 && (along_e < least || along_f < least || along_e + along_f > t.size - least)) return false;
  first = along_e / t.size;
  second = along_f / t.size;
  return first >= -kInside && second >= -kInside && first + second <= 1 + kInside;
}

void meet_triangle(const ObstacleFace& t, bool solid, const Vec3& p, const Vec3& q, double r, std::uint32_t face,
                   LocalHit& hit) {
  if (t.normal == Vec3::Zero()) return;
  const double above = t.normal.dot(p - t.a);
  if (solid && above < -0.5 * r) return;
  const double side = above >= -0.5 * r && (solid || above >= 0) ? 1 : -1;
  const double a = side * above, b = side * t.normal.dot(q - t.a);
  if (b >= r || a - b <= kGrazing * (q - p).norm()) return;
  double first = 0, second = 0;
  double at = a > r ? (a - r) / (a - b) : 0;
  // Of two at once the one with the lower number: in which order a tree tells of them depends on what it was built over.
  const auto sooner = [&] { return at < hit.at || (at == hit.at && face < hit.face); };
  bool met = sooner() && holds(t, p + at * (q - p), first, second);
  if (!met && b < 0) {
    at = std::max(a, 0.0) / (std::max(a, 0.0) - b);
    met = sooner() && holds(t, p + at * (q - p), first, second);
  }
  if (!met) return;
  hit.at = at;
  hit.face = face;
  hit.first = first;
  hit.second = second;
  hit.normal = side * t.normal;
  hit.place = t.a + first * t.e + second * t.f + r * hit.normal;
}

Box3 box_of_way(const Vec3& from, const Vec3& to, double radius) {
  Box3 box;
  box.add(from);
  box.add(to);
  box.low.array() -= radius;
  box.high.array() += radius;
  return box;
}

/// False: the way is beside the box, by more than rounding takes.
bool may_overlap(const Box3& box, const Vec3& from, const Vec3& to, double radius) {
  for (int k = 0; k < 3; ++k) {
    const double slack = radius + 1e-6 * std::max(std::abs(box.low[k]), std::abs(box.high[k]));
    if (std::max(from[k], to[k]) + slack < box.low[k] || std::min(from[k], to[k]) - slack > box.high[k]) return false;
  }
  return true;
}

void add_moved(Box3& box, const Box3& own, const Pose& pose) {
  for (int corner = 0; corner < 8; ++corner)
    box.add(pose * Vec3((corner & 1 ? own.high : own.low).x(), (corner & 2 ? own.high : own.low).y(),
                        (corner & 4 ? own.high : own.low).z()));
}

Box3 own_box(const Obstacle& obstacle) {
  if (obstacle.shape == Obstacle::Shape::surface) return obstacle.surface->box;
  const Vec3 half =
      obstacle.shape == Obstacle::Shape::ball ? Vec3(Vec3::Constant(obstacle.radius)) : Vec3(obstacle.half);
  return {obstacle.centre - half, obstacle.centre + half};
}

/// Without a turn it is what it was, to the bit but for the sign of a 0: most of what stands has none, and a product takes as long as the look at
/// a triangle.
Vec3 turned(const Quat& rotation, const Vec3& p) {
  const bool turns = rotation.w() != 1 || rotation.x() != 0 || rotation.y() != 0 || rotation.z() != 0;
  const auto plain = [](double x) { return std::abs(x) > 0 && std::abs(x) < 1e300; };
  if (turns || !plain(p.x()) || !plain(p.y()) || !plain(p.z())) return rotation * p;
  return p;
}

Vec3 back(const Pose& pose, const Vec3& p) { return turned(pose.rotation.conjugate(), p - pose.position); }

Pose between(const Pose& a, const Pose& b, double part) {
  return {a.position + part * (b.position - a.position), a.rotation.slerp(part, b.rotation)};
}

/// Whether it tells of this way.
bool tells(const FacesAround& around, std::uint32_t obstacle, const Vec3& p, const Vec3& q, double radius) {
  const auto in = [&](const Vec3& x) { return (x - around.centre).squaredNorm() <= around.reach * around.reach; };
  return around.obstacle == obstacle && around.radius == radius && in(p) && in(q);
}

/// Vertices and faces of the hull, where a body that bends has no surface of its own.
std::shared_ptr<const SurfaceMesh> hull_of(const Body& body) {
  DisplayMesh mesh;
  mesh.positions = body.truss.nodes;
  mesh.faces.assign(body.truss.hull.begin(), body.truss.hull.end());
  mesh.normals.assign(mesh.positions.size(), Vec3::Zero());
  return mesh.empty() ? nullptr : make_surface_mesh(mesh, Vec3::Zero(), true);
}

/// Among those of this model and of the one before; null: none has it.
const Obstacle* same_surface(const Obstacle& one, std::span<const Obstacle> all, std::span<const Obstacle> before) {
  for (const auto& list : {all, before})
    for (const Obstacle& other : list) {
      if (!other.still) continue;
      if (one.surface ? other.surface == one.surface : one.mesh && other.mesh == one.mesh && other.origin == one.origin)
        return &other;
    }
  return nullptr;
}

}  // namespace

ObstacleFace::ObstacleFace(const Vec3& first, const Vec3& second, const Vec3& third, const Vec3& unit)
    : a(first),
      normal(unit),
      e(second - first),
      f(third - first),
      ee(e.squaredNorm()),
      ef(e.dot(f)),
      ff(f.squaredNorm()),
      size(ee * ff - ef * ef) {}

ObstacleFaces::ObstacleFaces(const SurfaceMesh& mesh) {
  std::vector<Box3> boxes(mesh.faces.size());
  for (std::size_t f = 0; f < boxes.size(); ++f)
    for (const std::uint32_t v : mesh.faces[f]) boxes[f].add(mesh.points[v]);
  tree = BoxTree(boxes);
  std::vector<FaceCells::Face> all;
  for (std::size_t f = 0; f < boxes.size(); ++f) {
    const auto& corners = mesh.faces[f];
    const Vec3 &a = mesh.points[corners[0]], &b = mesh.points[corners[1]], &c = mesh.points[corners[2]];
    faces.emplace_back(a, b, c, mesh.normals[f]);
    all.push_back({{a, b, c}, mesh.normals[f]});
  }
  if (all.size() >= kManyFaces) cells = FaceCells(all);
}

std::vector<Obstacle> make_obstacles(const Model& model, std::span<const Obstacle> before) {
  std::vector<Obstacle> all;
  for (std::uint32_t i = 0; i < model.bodies.size(); ++i) {
    const Body& body = model.bodies[i];
    const ContactProxy& proxy = body.proxy;
    if (proxy.shape == ContactShape::none || !proxy.info) continue;
    Obstacle one;
    one.body = i;
    one.thickness = proxy.thickness;
    one.centre = proxy.centre;
    one.half = proxy.half_extents;
    one.radius = proxy.radius;
    if (proxy.shape == ContactShape::plane) {
      one.shape = Obstacle::Shape::plane;
    } else if (proxy.shape == ContactShape::sphere) {
      one.shape = Obstacle::Shape::ball;
    } else if (body.deforms) {
      one.shape = Obstacle::Shape::bent;
      one.surface = proxy.surface ? proxy.surface : hull_of(body);
      if (!one.surface) continue;
    } else if (proxy.shape == ContactShape::box) {
      one.shape = Obstacle::Shape::box;
    } else {
      one.shape = Obstacle::Shape::surface;
      one.surface = proxy.surface;
      if (!one.surface && body.mesh && !body.mesh->empty()) {
        one.mesh = body.mesh;
        one.origin = body.mesh_origin;
      }
      if (const Obstacle* same = same_surface(one, all, before)) {
        one.surface = same->surface;
        one.still = same->still;
      }
      if (!one.surface && one.mesh) one.surface = make_surface_mesh(*one.mesh, one.origin, false);
      if (!one.surface || one.surface->faces.empty()) continue;
      if (!one.still) one.still = std::make_shared<const ObstacleFaces>(*one.surface);
    }
    all.push_back(std::move(one));
  }
  return all;
}

double depth_at_start(const Model& model, const Obstacle& obstacle, const Vec3& place) {
  const Body& body = model.bodies[obstacle.body];
  const Vec3 p = back(body.start, place);
  switch (obstacle.shape) {
    case Obstacle::Shape::plane:
      return obstacle.centre.y() - p.y();
    case Obstacle::Shape::ball:
      return obstacle.radius - (p - obstacle.centre).norm();
    case Obstacle::Shape::box:
      return (obstacle.half - (p - obstacle.centre).cwiseAbs()).minCoeff();
    case Obstacle::Shape::bent:
      return -1;
    case Obstacle::Shape::surface:
      break;
  }
  const SurfaceMesh& mesh = *obstacle.surface;
  if (!mesh.any_solid || mesh.any_open || !mesh.box.holds(p)) return -1;
  double around = 0;  // half the solid angle (Van Oosterom and Strackee 1983)
  double nearest = std::numeric_limits<double>::max();
  for (const auto& f : mesh.faces) {
    nearest = std::min(
        nearest, (nearest_on_triangle(p, mesh.points[f[0]], mesh.points[f[1]], mesh.points[f[2]]).place - p).norm());
    const Vec3 a = mesh.points[f[0]] - p, b = mesh.points[f[1]] - p, c = mesh.points[f[2]] - p;
    const double la = a.norm(), lb = b.norm(), lc = c.norm();
    around += std::atan2(a.dot(b.cross(c)), la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb);
  }
  return around / (2 * kPi) > 0.5 ? nearest : -nearest;
}

void ObstaclesNow::find_bent(const Obstacle& obstacle, const Model& model, const State& before, const State& after,
                             Now& now) const {
  const Body& body = model.bodies[obstacle.body];
  const std::vector<double>&first = before.bodies[obstacle.body].values, &last = after.bodies[obstacle.body].values;
  // Of what broke in this sub-step the surface is that of its parts at the end, at both ends.
  const std::shared_ptr<const BodyParts> parts = body.parts(last);
  const ContactProxy& proxy = body.proxy_in(parts.get());
  const std::shared_ptr<const SurfaceMesh> surface = proxy.surface ? proxy.surface : obstacle.surface;
  const bool skin = proxy.surface && !proxy.skin.empty();
  const Mapping* mapping = skin ? body.mapping_in(parts.get()) : nullptr;
  const auto read = [&](const std::vector<double>& values, std::vector<Vec3>& points) {
    std::vector<Vec3> nodes(body.truss.nodes.size());
    body.positions(values, nodes);
    points.resize(surface->points.size());
    if (mapping) return mapping->map_points(nodes, body.pose(values), surface->source, points);
    for (std::size_t i = 0; i < points.size(); ++i) points[i] = nodes[surface->source[i]];
  };
  read(first, now.begins);
  read(last, now.ends);
  std::vector<Box3> boxes(surface->faces.size());
  for (std::size_t f = 0; f < boxes.size(); ++f)
    for (const std::uint32_t v : surface->faces[f]) {
      boxes[f].add(now.begins[v]);
      boxes[f].add(now.ends[v]);
    }
  if (now.surface == surface)
    now.tree.refit(boxes);
  else
    now.tree = BoxTree(boxes);
  now.surface = surface;
  for (const Box3& box : boxes) {
    now.box.add(box.low);
    now.box.add(box.high);
  }
}

void ObstaclesNow::find(const std::vector<Obstacle>& obstacles, const Model& model, const State& before,
                        const State& after) {
  obstacles_ = &obstacles;
  step_ = model.step;
  now_.resize(obstacles.size());
  planes_.clear();
  bounded_.clear();
  by_body_.assign(model.bodies.size(), kNothing);
  std::vector<Box3> boxes;
  for (std::uint32_t i = 0; i < obstacles.size(); ++i) {
    const Obstacle& obstacle = obstacles[i];
    const Body& body = model.bodies[obstacle.body];
    if (body.absent || !body.is_there(after.bodies[obstacle.body].values)) continue;
    Now& now = now_[i];
    by_body_[obstacle.body] = i;
    now.from = body.pose(before.bodies[obstacle.body].values);
    now.to = body.pose(after.bodies[obstacle.body].values);
    now.moved = now.from.position != now.to.position || now.from.rotation.coeffs() != now.to.rotation.coeffs();
    if (obstacle.shape == Obstacle::Shape::plane) {
      planes_.push_back(i);
      now.normal = now.to.rotation * Vec3::UnitY();
      now.level = now.normal.dot(now.to.position) + obstacle.centre.y();
      continue;
    }
    now.box = Box3();
    if (obstacle.shape == Obstacle::Shape::bent) {
      find_bent(obstacle, model, before, after, now);
    } else {
      const Box3 own = own_box(obstacle);
      add_moved(now.box, own, now.from);
      if (now.moved) {
        add_moved(now.box, own, now.to);
        // Half-way round, corners of what turns are outside both.
        const double reach = own.size().norm() * now.from.rotation.angularDistance(now.to.rotation);
        now.box.low.array() -= reach;
        now.box.high.array() += reach;
      }
    }
    now.box.low.array() -= obstacle.thickness;
    now.box.high.array() += obstacle.thickness;
    bounded_.push_back(i);
    boxes.push_back(now.box);
  }
  tree_ = BoxTree(boxes, 2);
}

Vec3 ObstaclesNow::velocity_at(const Obstacle& obstacle, const Now& now, const ParticleMeeting& m) const {
  if (obstacle.shape != Obstacle::Shape::bent) {
    if (!now.moved) return Vec3::Zero();
    return (m.place - now.from * back(now.to, m.place)) / step_;
  }
  const auto& f = now.surface->faces[m.face];
  const auto at = [&](const std::vector<Vec3>& p) {
    return Vec3((1 - m.first - m.second) * p[f[0]] + m.first * p[f[1]] + m.second * p[f[2]]);
  };
  return (at(now.ends) - at(now.begins)) / step_;
}

void ObstaclesNow::meet_one(std::uint32_t number, const Vec3& from, const Vec3& to, double radius, bool later,
                            double part, const FacesAround& around, ParticleMeeting& best) const {
  const Obstacle& obstacle = (*obstacles_)[number];
  const Now& now = now_[number];
  const double r = radius + obstacle.thickness;
  LocalHit hit;
  hit.at = best.at;
  if (obstacle.shape == Obstacle::Shape::plane) {
    // In the world, where it ends: where it moves, the way begins as far from it as from where it begins.
    Vec3 start = from;
    if (now.moved && !later) start = now.to * back(part < 1 ? between(now.from, now.to, 1 - part) : now.from, from);
    meet_plane(now.normal, now.level, start, to, r, hit);
    if (hit.at >= best.at) return;
    best.place = hit.place;
    best.normal = hit.normal;
  } else if (obstacle.shape == Obstacle::Shape::bent) {
    now.tree.within(box_of_way(from, to, r), [&](std::uint32_t f) {
      const auto& face = now.surface->faces[f];
      const ObstacleFace t = triangle(now.ends[face[0]], now.ends[face[1]], now.ends[face[2]]);
      Vec3 start = from;
      if (!later)
        for (const std::uint32_t v : face) start += part / 3 * (now.ends[v] - now.begins[v]);
      meet_triangle(t, now.surface->solid[f] != 0, start, to, r, f, hit);
    });
    if (hit.at >= best.at) return;
    best.place = hit.place;
    best.normal = hit.normal;
  } else {
    Vec3 p;
    if (later || !now.moved)
      p = back(now.to, from);
    else
      p = part < 1 ? back(between(now.from, now.to, 1 - part), from) : back(now.from, from);
    const Vec3 q = back(now.to, to);
    if (obstacle.shape == Obstacle::Shape::ball) meet_ball(obstacle.centre, obstacle.radius, p, q, r, hit);
    if (obstacle.shape == Obstacle::Shape::box) meet_box(obstacle.centre, obstacle.half, p, q, r, hit);
    if (obstacle.shape == Obstacle::Shape::surface) {
      const SurfaceMesh& mesh = *obstacle.surface;
      const auto look = [&](std::uint32_t f) {
        meet_triangle(obstacle.still->faces[f], mesh.solid[f] != 0, p, q, r, f, hit);
      };
      if (!later && around.obstacle == number && around.radius == r)
        FaceCells::on_way(around, look);
      else if (tells(around, number, p, q, r))
        obstacle.still->cells.among(around, p, q, r, look);
      else if (!obstacle.still->cells.along(p, q, r, look))
        obstacle.still->tree.within(box_of_way(p, q, r), look);
    }
    if (hit.at >= best.at) return;
    best.place = now.to.position + turned(now.to.rotation, hit.place);
    best.normal = turned(now.to.rotation, hit.normal);
  }
  best.at = hit.at;
  best.obstacle = number;
  best.face = hit.face;
  best.first = hit.first;
  best.second = hit.second;
}

ParticleMeeting ObstaclesNow::meet(const Vec3& from, const Vec3& to, double radius, std::span<const char> used,
                                   bool later, double part, const FacesAround& around) const {
  ParticleMeeting best;
  for (const std::uint32_t number : planes_) {
    if (!used[number]) continue;
    const Now& now = now_[number];
    if (now.normal.dot(to) - now.level >= radius + (*obstacles_)[number].thickness) continue;  // it ends above
    meet_one(number, from, to, radius, later, part, around, best);
  }
  const auto meet_body = [&](std::uint32_t k) {
    if (used[bounded_[k]]) meet_one(bounded_[k], from, to, radius, later, part, around, best);
  };
  if (bounded_.size() == 1) {
    if (may_overlap(now_[bounded_[0]].box, from, to, radius)) meet_body(0);
  } else if (!bounded_.empty()) {
    tree_.within(box_of_way(from, to, radius), meet_body);
  }
  if (best.at > 1) return best;
  best.velocity = velocity_at((*obstacles_)[best.obstacle], now_[best.obstacle], best);
  return best;
}

Surroundings ObstaclesNow::surroundings(std::span<const char> used) const {
  Surroundings round;
  round.step = step_;
  for (const std::uint32_t number : planes_) {
    if (!used[number]) continue;
    const Now& now = now_[number];
    round.planes.push_back(
        {{now.normal.x(), now.normal.y(), now.normal.z()}, now.level + (*obstacles_)[number].thickness});
  }
  for (const std::uint32_t number : bounded_) {
    const Now& now = now_[number];
    const Obstacle& obstacle = (*obstacles_)[number];
    if (!used[number] || !now.box.valid()) continue;
    const bool cells = obstacle.shape == Obstacle::Shape::surface;
    round.bodies.push_back(
        {now.box, now.from, now.to, now.moved, obstacle.thickness, cells ? &obstacle.still->cells : nullptr, number});
  }
  if (round.bodies.size() <= kMostBoxes) return round;
  Surroundings::Body all;
  for (const Surroundings::Body& body : round.bodies) {
    all.box.add(body.box.low);
    all.box.add(body.box.high);
  }
  round.bodies = {all};
  return round;
}

Vec3 ObstaclesNow::stuck(const ParticleMeeting& meeting, double) const {
  const Now& now = now_[meeting.obstacle];
  if ((*obstacles_)[meeting.obstacle].shape != Obstacle::Shape::bent) return back(now.to, meeting.place);
  return {static_cast<double>(meeting.face), meeting.first, meeting.second};
}

bool ObstaclesNow::place_of(std::uint32_t body, const Vec3& stuck, double radius, Vec3& place) const {
  const std::uint32_t number = body < by_body_.size() ? by_body_[body] : kNothing;
  if (number == kNothing) return false;
  const Obstacle& obstacle = (*obstacles_)[number];
  const Now& now = now_[number];
  if (obstacle.shape != Obstacle::Shape::bent) {
    place = now.to * stuck;
    return true;
  }
  const auto face = static_cast<std::size_t>(stuck.x());
  if (face >= now.surface->faces.size()) return false;  // it broke, and its faces are others
  const auto& f = now.surface->faces[face];
  const ObstacleFace t = triangle(now.ends[f[0]], now.ends[f[1]], now.ends[f[2]]);
  // On the side on which it was, which is the one where it still is.
  const double side = now.surface->solid[face] || t.normal.dot(place - t.a) >= 0 ? 1 : -1;
  place = t.a + stuck.y() * t.e + stuck.z() * t.f + side * (radius + obstacle.thickness) * t.normal;
  return true;
}

}  // namespace hazumi
