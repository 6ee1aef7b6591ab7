#include <algorithm>
#include <cmath>

#include "core/sim/contact/mesh_touch.h"

namespace hazumi {
namespace {

constexpr double kParallel = 0.02;  // sine: edges that make less touch by their ends
constexpr double kLeans = 0.05;     // sine: into a face at the edge
constexpr double kLeansFast = 0.3;  // the same for what has gone through each other
constexpr double kFlatNow = 0.03;   // rad, of an edge that was not sharp as it was made
constexpr double kPast = 0.1;       // of an edge's length, at the end of the sub-step
constexpr int kHalvings = 40;

struct EdgesAt {
  Vec3 a, u, b, w;
  LinePlaces lines;
  double apart = 0;  // along the cross product
  bool between = false;
};

EdgesAt edges_at(const EdgePath& a, const EdgePath& b, double t, double slop) {
  EdgesAt e;
  const auto at = [&](const EdgePath& p, std::size_t k) { return Vec3((1 - t) * p.from[k] + t * p.to[k]); };
  e.a = at(a, 0);
  e.u = at(a, 1) - e.a;
  e.b = at(b, 0);
  e.w = at(b, 1) - e.b;
  e.lines = nearest_on_lines(e.a, e.u, e.b, e.w, kParallel);
  if (!e.lines.crossing) return e;
  e.apart = e.lines.normal.dot(e.a - e.b);
  const double of_a = slop / e.u.norm(), of_b = slop / e.w.norm();
  e.between = e.lines.s > of_a && e.lines.s < 1 - of_a && e.lines.t > of_b && e.lines.t < 1 - of_b;
  return e;
}

double past_an_end(const EdgesAt& e) { return std::max({-e.lines.s, e.lines.s - 1, -e.lines.t, e.lines.t - 1}); }

/// Whether a normal from b to a leads out of the faces at both edges.
bool leads_out(const EdgePath& a, const EdgePath& b, const Vec3& n, double most) {
  return n.dot(b.inwards[0]) <= most && n.dot(b.inwards[1]) <= most && n.dot(a.inwards[0]) >= -most &&
         n.dot(a.inwards[1]) >= -most;
}

}  // namespace

EdgePath edge_path(const MeshView& view, std::uint32_t edge) {
  const SurfaceMesh& mesh = view.mesh();
  const SurfaceEdge& e = mesh.edges[edge];
  EdgePath path;
  for (std::size_t k = 0; k < 2; ++k) {
    path.from[k] = view.from(e.ends[k]);
    path.to[k] = view.to(e.ends[k]);
  }
  const Vec3 along = (path.to[1] - path.to[0]).normalized();
  for (std::size_t k = 0; k < 2; ++k) {
    path.inwards[k].setZero();
    for (const std::uint32_t v : mesh.faces[e.faces[k]]) {
      if (v == e.ends[0] || v == e.ends[1]) continue;
      const Vec3 arm = view.to(v) - path.to[0];
      path.inwards[k] = (arm - along * along.dot(arm)).normalized();
    }
  }
  path.flat = !e.sharp && (path.inwards[0] + path.inwards[1]).norm() < kFlatNow;
  return path;
}

bool edges_touch(const EdgePath& a, const EdgePath& b, int side, const Vec3& apart, double slop, double margin,
                 bool parts, EdgeTouch& out) {
  const EdgesAt from = edges_at(a, b, 0, slop), to = edges_at(a, b, 1, slop);
  if (!from.lines.crossing || !to.lines.crossing) return false;
  if (from.lines.normal.dot(to.lines.normal) < 0) return false;  // they were parallel on the way
  const auto touch = [&](const EdgesAt& e, double sign, double gap) {
    out = {sign * e.lines.normal, gap, e.lines.s, e.lines.t, sign < 0};
    return gap <= margin;
  };
  // What had a row may be deeper than rows reach, by half the way of the sub-step in which it met: no vertex need be inside.
  const bool sunk = !parts && side * from.apart < 0 && std::abs(from.apart) <= kSunk * margin;
  if (from.between && (std::abs(from.apart) <= margin || sunk)) {
    const bool front = leads_out(a, b, to.lines.normal, kLeans), back = leads_out(a, b, -to.lines.normal, kLeans);
    // Past an end by a little: a vertex is over the face from the next sub-step on.
    if ((!front && !back) || (parts ? !to.between : past_an_end(to) > kPast)) return false;
    double sign = front ? 1 : -1;
    if (front && back) {
      sign = from.apart < 0 ? -1 : 1;
      if (side != 0)
        sign = side;
      else if (std::abs(from.apart) <= 2 * slop && to.lines.normal.dot(apart) != 0)
        sign = to.lines.normal.dot(apart) < 0 ? -1 : 1;
    }
    return touch(to, sign, sign * to.apart);
  }
  if (from.apart * to.apart < 0) {
    const double sign = from.apart < 0 ? -1 : 1;
    double low = 0, high = 1;
    EdgesAt met = to;
    for (int k = 0; k < kHalvings; ++k) {
      const double middle = 0.5 * (low + high);
      met = edges_at(a, b, middle, slop);
      if (!met.lines.crossing) return false;
      (sign * met.apart > 0 ? low : high) = middle;
    }
    const Vec3 n = sign * met.lines.normal;
    if (!met.between || !leads_out(a, b, n, kLeansFast)) return false;
    const Vec3 p = a.to[0] + met.lines.s * (a.to[1] - a.to[0]), q = b.to[0] + met.lines.t * (b.to[1] - b.to[0]);
    return touch(met, sign, n.dot(p - q));
  }
  if (!to.between || std::abs(to.apart) > margin) return false;
  // What comes between the ends now may lie on each other already, by a vertex and a face.
  double sign = to.apart < 0 ? -1 : 1;
  if (!parts && std::abs(to.apart) <= 2 * slop && !leads_out(a, b, sign * to.lines.normal, kLeans)) sign = -sign;
  return leads_out(a, b, sign * to.lines.normal, kLeans) && touch(to, sign, sign * to.apart);
}

}  // namespace hazumi
