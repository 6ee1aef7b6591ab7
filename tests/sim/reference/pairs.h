// Contact geometry of two free bodies: nodes against the other's hull, and an edge against an edge.
#pragma once

#include <memory>

#include "tests/sim/reference/scenes.h"

namespace hazumi::reference {

namespace detail {

inline double height_above(const Nodes& x, const std::array<int, 3>& f, const Vec3& p, Vec3& normal) {
  normal = (x.col(f[1]) - x.col(f[0])).cross(x.col(f[2]) - x.col(f[0])).normalized();
  return normal.dot(p - x.col(f[0]));
}

/// The face that p is least inside of, and by how much (positive: outside). The hull is convex at rest.
inline std::pair<int, double> nearest_face(const FlexibleBody& b, const Nodes& x, const Vec3& p) {
  std::pair<int, double> best(-1, -1e300);
  Vec3 normal;
  for (std::size_t f = 0; f < b.hull.size(); ++f)
    if (const double d = height_above(x, b.hull[f], p, normal); d > best.second) best = {static_cast<int>(f), d};
  return best;
}

inline Anchor on_face(int body, const std::array<int, 3>& f, const Nodes& x, const Vec3& p) {
  const Vec3 w = face_weights(x.col(f[0]), x.col(f[1]), x.col(f[2]), p);
  return face_anchor(body, {f[0], f[1], f[2]}, w, x, p);
}

/// Signed distance of a box, its frame; `normal` that of the nearest face.
inline double box_distance(const Vec3& p, const Vec3& half, Vec3& normal) {
  const Vec3 q = p.cwiseAbs() - half;
  int axis = 0;
  const double d = q.maxCoeff(&axis);
  normal = Vec3::Zero();
  normal[axis] = p[axis] < 0 ? -1 : 1;
  return d;
}

/// Where bodies are at two times; of nodes or of a box.
struct PairPlaces {
  const World& w;
  std::vector<Nodes> x0, x1;
  const std::vector<BodyStep>* free = nullptr;  ///< none: both times are now
};

using FaceOf = std::map<long, int>;  ///< the face a node is outside of, by the row's key

inline std::optional<Row> node_on_box(const PairPlaces& at, int a, int node) {
  const int other = 1 - a;
  const RigidBody& b = at.w.bodies[other].rigid;
  const Vec3 p0 = at.x0[a].col(node), p1 = at.x1[a].col(node);
  const Mat3 r1 = at.free ? (*at.free)[other].rigid.attitude : b.attitude;
  const Vec3 c1 = at.free ? (*at.free)[other].rigid.centre : b.centre;
  Vec3 n0, n1;
  const Vec3 local = b.attitude.transpose() * (p0 - b.centre);
  const double d0 = box_distance(local, b.half, n0), d1 = box_distance(r1.transpose() * (p1 - c1), b.half, n1);
  if (d0 >= 0 && d1 >= 0) return std::nullopt;
  const Vec3 n = d0 > 0 ? n0 : n1, p = 0.5 * (p0 + p1);
  const Mat3 half = at.free ? (*at.free)[other].rigid.half : b.attitude;
  return Row{
      node_anchor(a, node, p), {other, p, {}, {}}, half * n, n.dot(local) - b.half.dot(n.cwiseAbs()), 1000 * a + node};
}

inline std::optional<Row> node_on_hull(const PairPlaces& at, FaceOf& faces, int a, int node) {
  const int other = 1 - a;
  const long key = 1000 * a + node;
  const FlexibleBody& b = at.w.bodies[other].flexible;
  const Vec3 p0 = at.x0[a].col(node), p1 = at.x1[a].col(node), p = 0.5 * (p0 + p1);
  const auto before = nearest_face(b, at.x0[other], p0), after = nearest_face(b, at.x1[other], p1);
  if (before.second >= 0 && after.second >= 0) {
    faces.erase(key);
    return std::nullopt;
  }
  const auto known = faces.find(key);
  const int face = known != faces.end() ? known->second : before.second < 0 ? after.first : before.first;
  faces[key] = face;
  Row row{node_anchor(a, node, p), {}, Vec3::Zero(), 0, key};
  row.gap = height_above(at.x0[other], b.hull[face], p0, row.normal);
  const Nodes mean = 0.5 * (at.x0[other] + at.x1[other]);
  height_above(mean, b.hull[face], p, row.normal);
  row.b = on_face(other, b.hull[face], mean, p);
  return row;
}

inline std::vector<Row> pair_rows(const PairPlaces& at, FaceOf& faces) {
  std::vector<Row> rows;
  for (int a = 0; a < 2; ++a) {
    if (!at.w.bodies[a].is_flexible) continue;
    for (int i = 0; i < at.w.bodies[a].flexible.count(); ++i) {
      const auto row = at.w.bodies[1 - a].is_flexible ? node_on_hull(at, faces, a, i) : node_on_box(at, a, i);
      if (row) rows.push_back(*row);
    }
  }
  return rows;
}

inline PairPlaces pair_places(const World& w, const std::vector<BodyStep>* free) {
  PairPlaces at{w, {}, {}, free};
  for (std::size_t i = 0; i < w.bodies.size(); ++i) {
    const Body& b = w.bodies[i];
    at.x0.push_back(b.is_flexible ? b.flexible.positions() : Nodes());
    at.x1.push_back(free && b.is_flexible ? (*free)[i].flexible.end : at.x0.back());
  }
  return at;
}

}  // namespace detail

/// Body 0 flexible; body 1 flexible or a rigid box.
inline Contacts nodes_of_pair() {
  Contacts c;
  const auto faces = std::make_shared<detail::FaceOf>();
  c.touch = [faces](const World& w, const std::vector<BodyStep>& free) {
    return detail::pair_rows(detail::pair_places(w, &free), *faces);
  };
  c.place = [faces](const World& w, const std::vector<BodyStep>& now, Row& row) {
    const Vec3 p = now[row.a.body].flexible.mean.col(row.a.node[0]);
    row.a.point = row.b.point = p;
    const Body& b = w.bodies[row.b.body];
    if (b.is_flexible)
      row.b = detail::on_face(row.b.body, b.flexible.hull[(*faces)[row.key]], now[row.b.body].flexible.mean, p);
  };
  c.overlap = [faces](const World& w) {
    std::vector<Row> rows = detail::pair_rows(detail::pair_places(w, nullptr), *faces);
    std::erase_if(rows, [](const Row& r) { return r.gap >= -1e-5; });
    return rows;
  };
  return c;
}

/// One edge of body 0 (nodes 0, 1, with node 2 of a face beside it) against one of body 1, likewise. The common point lies on the
/// edge of body 0; normal square to both edges, towards body 0.
inline Contacts edges_of_pair() {
  const auto place = [](const Nodes& x, const Nodes& y, const Vec3& apart, Row& row) {
    const Vec3 a = x.col(0), u = x.col(1) - a, b = y.col(0), v = y.col(1) - b;
    const double uu = u.dot(u), vv = v.dot(v), uv = u.dot(v), ud = u.dot(b - a), vd = v.dot(b - a);
    const double s = (ud * vv - vd * uv) / (uu * vv - uv * uv), t = (ud * uv - vd * uu) / (uu * vv - uv * uv);
    const Vec3 p = a + s * u;
    row.a = face_anchor(0, {0, 1, 2}, Vec3(1 - s, s, 0), x, p);
    row.b = face_anchor(1, {0, 1, 2}, Vec3(1 - t, t, 0), y, p);
    row.normal = u.cross(v).normalized();
    if (row.normal.dot(apart) < 0) row.normal = -row.normal;
    row.gap = row.normal.dot(p - (b + t * v));
    return s > 0 && s < 1 && t > 0 && t < 1;
  };
  Contacts c;
  c.place = [place](const World& w, const std::vector<BodyStep>& now, Row& row) {
    const double gap = row.gap;
    place(now[0].flexible.mean, now[1].flexible.mean, w.bodies[0].centre() - w.bodies[1].centre(), row);
    row.gap = gap;
  };
  c.touch = [place](const World& w, const std::vector<BodyStep>& free) {
    Row row, later;
    const Vec3 apart = w.bodies[0].centre() - w.bodies[1].centre();
    const bool crossed = place(w.bodies[0].flexible.positions(), w.bodies[1].flexible.positions(), apart, row) &&
                         place(free[0].flexible.end, free[1].flexible.end, apart, later);
    if (!crossed || (row.gap > 0 && later.gap > 0)) return std::vector<Row>();
    const double gap = row.gap;
    place(free[0].flexible.mean, free[1].flexible.mean, apart, row);
    row.gap = gap;
    return std::vector<Row>{row};
  };
  return c;
}

}  // namespace hazumi::reference
