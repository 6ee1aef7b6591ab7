// Contact geometry of the tests: where rows are, nothing of how they act.
#pragma once

#include "tests/sim/reference/substep.h"

namespace hazumi::reference {

/// What a single flexible body falls on: the plane y = 0, or the convex edge of the quadrant x < 0, y < 0.
enum class Ground { plane, edge };

namespace detail {

/// The row of a node that goes from `from` to `to`, if there is one.
inline std::optional<Row> ground_row(Ground ground, int node, const Vec3& from, const Vec3& to) {
  Row row{node_anchor(0, node, from), {}, Vec3::UnitY(), from.y(), node};
  if (ground == Ground::plane) return from.y() < 0 || to.y() < 0 ? std::optional(row) : std::nullopt;
  const bool inside = from.x() < 0 && from.y() < 0;
  if (!inside && !(to.x() < 0 && to.y() < 0)) return std::nullopt;
  bool top = from.y() > from.x();  // inside: the nearer side
  if (!inside) {
    // Outside: the side that is crossed last.
    const double at_top = from.y() / (from.y() - to.y() + 1e-300), at_side = from.x() / (from.x() - to.x() + 1e-300);
    top = from.y() >= 0 && (from.x() < 0 || at_top >= at_side);
  }
  row.normal = top ? Vec3::UnitY() : Vec3::UnitX();
  row.gap = from.dot(row.normal);
  return row;
}

}  // namespace detail

inline Contacts on_ground(Ground ground) {
  Contacts c;
  c.touch = [ground](const World& w, const std::vector<BodyStep>& free) {
    std::vector<Row> rows;
    const Nodes x = w.bodies[0].flexible.positions();
    for (int i = 0; i < x.cols(); ++i)
      if (const auto row = detail::ground_row(ground, i, x.col(i), free[0].flexible.end.col(i))) rows.push_back(*row);
    return rows;
  };
  c.place = [](const World&, const std::vector<BodyStep>& now, Row& row) {
    row.a.point = now[0].flexible.mean.col(row.a.node[0]);
  };
  c.overlap = [ground](const World& w) {
    std::vector<Row> rows;
    const Nodes x = w.bodies[0].flexible.positions();
    for (int i = 0; i < x.cols(); ++i)
      if (const auto row = detail::ground_row(ground, i, x.col(i), x.col(i)); row && row->gap < -1e-5)
        rows.push_back(*row);
    return rows;
  };
  return c;
}

inline Vec3 box_corner(int corner, const Vec3& half) {
  return Vec3(corner & 1 ? 1 : -1, corner & 2 ? 1 : -1, corner & 4 ? 1 : -1).cwiseProduct(half);
}

/// The corners of one rigid box on the plane y = 0. Rows stay up to a gap of `keep` m.
inline Contacts box_on_plane(double keep) {
  Contacts c;
  c.place = [](const World& w, const std::vector<BodyStep>& now, Row& row) {
    const Body& b = w.bodies[0];
    row.a.point = b.arm_centre + now[0].rigid.half * box_corner(static_cast<int>(row.key), b.rigid.half);
  };
  c.touch = [keep, place = c.place](const World& w, const std::vector<BodyStep>& free) {
    std::vector<Row> rows;
    const RigidBody& b = w.bodies[0].rigid;
    for (int k = 0; k < 8; ++k) {
      const Vec3 corner = box_corner(k, b.half);
      const double from = (b.centre + b.attitude * corner).y();
      const double to = (free[0].rigid.centre + free[0].rigid.attitude * corner).y();
      if (from > keep && to > 0) continue;
      rows.push_back({{0, Vec3::Zero()}, {}, Vec3::UnitY(), from, k});
      place(w, free, rows.back());
    }
    return rows;
  };
  return c;
}

/// A rigid ball on the plane y = 0.
inline Contacts ball_on_plane(double radius) {
  Contacts c;
  c.place = [radius](const World& w, const std::vector<BodyStep>&, Row& row) {
    row.a.point = w.bodies[0].arm_centre - radius * row.normal;
  };
  c.touch = [place = c.place, radius](const World& w, const std::vector<BodyStep>& free) {
    std::vector<Row> rows;
    const double from = w.bodies[0].rigid.centre.y() - radius;
    if (from > 1e-4 && free[0].rigid.centre.y() > radius) return rows;
    rows.push_back({{0, Vec3::Zero()}, {}, Vec3::UnitY(), from, 0});
    place(w, free, rows.back());
    return rows;
  };
  return c;
}

namespace detail {

/// Bottom corner (0…3) of storey `i` on the top of the storey below, for rigid boxes and braced ones. `attitude`, `centre`
/// and `nodes` say where bodies are: half-way for forces, at the start for gaps.
struct StackCorner {
  const World& w;
  std::function<Mat3(int)> attitude;
  std::function<Vec3(int)> centre;
  std::function<Nodes(int)> nodes;

  Vec3 point(int i, int corner) const {
    const Body& b = w.bodies[i];
    if (b.is_flexible) return nodes(i).col((corner & 2 ? 4 : 0) + (corner & 1));
    const Vec3 local(corner & 2 ? 1 : -1, -1, corner & 1 ? 1 : -1);
    return centre(i) + attitude(i) * local.cwiseProduct(b.rigid.half);
  }
  /// Fills anchors and normal; the gap is that of these places.
  void place(Row& row) const {
    const int i = static_cast<int>(row.key / 10);
    const Vec3 p = point(i, static_cast<int>(row.key % 10));
    row.a = {i, p, {}, {}};
    if (w.bodies[i].is_flexible)
      row.a = node_anchor(i, (row.key % 10 & 2 ? 4 : 0) + static_cast<int>(row.key % 10 & 1), p);
    row.b = {i - 1, p, {}, {}};
    row.normal = Vec3::UnitY();
    row.gap = p.y();
    if (i == 0) return;
    if (!w.bodies[i - 1].is_flexible) {
      row.normal = attitude(i - 1).col(1);
      row.gap = row.normal.dot(p - centre(i - 1)) - w.bodies[i - 1].rigid.half.y();
      return;
    }
    const Nodes x = nodes(i - 1);
    const std::vector<int> top = {2, 3, 6, 7};  // (x, z): −−, −+, +−, ++
    const Vec3 a = x.col(2), b = x.col(3), c = x.col(6), d = x.col(7), e = p - (a + b + c + d) / 4;
    row.normal = (b - c).cross(d - a).normalized();
    const Vec3 ex = (c + d - a - b) / 2, ez = (b + d - a - c) / 2;
    const double u = e.dot(ex) / ex.squaredNorm(), v = e.dot(ez) / ez.squaredNorm();
    Vector weight(4);
    weight << (.5 - u) * (.5 - v), (.5 - u) * (.5 + v), (.5 + u) * (.5 - v), (.5 + u) * (.5 + v);
    row.b = face_anchor(i - 1, top, weight, x, p);
    row.gap = row.normal.dot(p - (weight[0] * a + weight[1] * b + weight[2] * c + weight[3] * d));
  }
};

}  // namespace detail

/// Boxes on top of each other, the lowest on y = 0: four rows a storey, kept up to a gap of 1 mm.
inline Contacts stack() {
  Contacts c;
  c.place = [](const World& w, const std::vector<BodyStep>& now, Row& row) {
    detail::StackCorner{w, [&](int i) { return now[i].rigid.half; }, [&](int i) { return w.bodies[i].arm_centre; },
                        [&](int i) { return now[i].flexible.mean; }}
        .place(row);
  };
  c.touch = [place = c.place](const World& w, const std::vector<BodyStep>& free) {
    std::vector<Row> rows;
    const detail::StackCorner start{w, [&](int i) { return w.bodies[i].rigid.attitude; },
                                    [&](int i) { return w.bodies[i].rigid.centre; },
                                    [&](int i) { return w.bodies[i].flexible.positions(); }};
    for (int i = 0; i < static_cast<int>(w.bodies.size()); ++i)
      for (int k = 0; k < 4; ++k) {
        Row row;
        row.key = 10 * i + k;
        start.place(row);
        const double gap = row.gap;
        if (gap >= 1e-3) continue;
        place(w, free, row);
        row.gap = gap;
        rows.push_back(row);
      }
    return rows;
  };
  return c;
}

}  // namespace hazumi::reference
