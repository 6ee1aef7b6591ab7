#include <algorithm>
#include <cmath>

#include "core/geometry/mesh/topology.h"
#include "core/sim/contact/mesh_touch.h"

namespace hazumi {
namespace {

constexpr double kMayHold = -0.1;      // sine: neighbours that lie deeper by less do not count
constexpr double kOverBorder = 1e-9;   // weights of a place that is still on the triangle
constexpr double kOverMoving = 1e-3;   // the same where the face moves in the space
constexpr double kSameNormal = 1e-6;   // 1 − cosine
constexpr double kFarther = 4;         // of the squared depth: a way out beside the shortest, for what is deep
constexpr double kBehind = 0.5;        // cosine: behind a face of a sheet and not beside its border
constexpr double kKnownNearer = 0.25;  // of the squared depth: the way out that a row has taken before

bool may_hold(const VertexPath& path, const Vec3& normal) {
  return std::all_of(path.arms.begin(), path.arms.end(), [&](const Vec3& arm) { return normal.dot(arm) >= kMayHold; });
}

constexpr double kNearer = 0.25;      // of the squared distance to a place of its own body as it was made
constexpr double kThroughFace = 0.2;  // cosine: a way that goes through a face and not along it

/// Visits faces of a surface as it was made whose boxes meet this one.
template <class Visit>
void made_within(const SurfaceMesh& mesh, const Box3& box, const Visit& visit) {
  mesh.top.within(box, [&](std::uint32_t g) {
    for (const std::uint32_t p : mesh.groups[g].parts)
      if (mesh.parts[p].box.meets(box))
        mesh.parts[p].tree.within(box, [&](std::uint32_t k) { visit(mesh.parts[p].faces[k]); });
  });
}

}  // namespace

bool other_skin(const SurfaceMesh& mesh, std::uint32_t vertex, std::uint32_t face) {
  const auto corner = [&](std::uint32_t f, std::size_t k) -> const Vec3& { return mesh.points[mesh.faces[f][k]]; };
  const Vec3& from = mesh.points[vertex];
  const Vec3 to = nearest_on_triangle(from, corner(face, 0), corner(face, 1), corner(face, 2)).place, way = to - from;
  if (!(way.dot(mesh.normals[face]) > kThroughFace * way.norm())) return false;
  Box3 box;
  box.add(from);
  box.add(to);
  bool crossed = false;
  made_within(mesh, box, [&](std::uint32_t f) {
    const Vec3& n = mesh.normals[f];
    const double before = n.dot(from - corner(f, 0)), after = n.dot(to - corner(f, 0));
    const double t = before / (before - after);
    if (crossed || !(before * after < 0) || t < kOverMoving || t > 1 - kOverMoving) return;
    const std::array<double, 3> w = plane_weights(from + t * way, corner(f, 0), corner(f, 1), corner(f, 2));
    crossed = std::min({w[0], w[1], w[2]}) > kOverBorder;
  });
  return !crossed;
}

bool VertexOnMesh::look(const Face& face, int side, const Vec3& p, Near& near) const {
  const TrianglePlace at = nearest_on_triangle(p, face.corner[0], face.corner[1], face.corner[2]);
  const Vec3 d = p - at.place;
  const double height = face.height(p);
  const auto plane = [&] {
    near = {side * face.normal, side * height, true};
    return face.normal != Vec3::Zero();
  };
  if (at.part == TrianglePlace::inside || (d - height * face.normal).norm() <= slop_) return plane();
  if (!nearest_here(view_, face.number, at, d)) return false;
  if (face.solid && outward(view_, face.number, at).dot(d) <= 0) return height <= 0 && plane();
  const double away = d.norm();
  near = {d / away, away, false};
  return true;
}

int VertexOnMesh::side_of(const Face& face, const VertexPath& path) const {
  if (face.solid) return 1;
  const double height = face.height(face.start);
  if (path.side != 0 && std::abs(height) <= 2 * margin_) return path.side;
  if (std::abs(height) > 2 * slop_) return height > 0 ? 1 : -1;
  const bool front = may_hold(path, face.normal), back = may_hold(path, -face.normal);
  if (front != back) return front ? 1 : -1;
  return face.height(path.centre) < 0 ? -1 : 1;
}

void VertexOnMesh::add(const Face& face, const Vec3& p, const Near& near, int side, std::vector<MeshTouch>& out) const {
  for (const MeshTouch& known : out)
    if (known.normal.dot(near.normal) > 1 - kSameNormal && std::abs(known.gap - near.gap) < 0.5 * slop_) return;
  MeshTouch touch;
  touch.face = face.number;
  touch.weights = nearest_on_triangle(p, face.corner[0], face.corner[1], face.corner[2]).weights;
  touch.normal = near.normal;
  touch.gap = near.gap;
  touch.behind = !face.solid && side < 0;
  out.push_back(touch);
}

/// How far the start is to be moved so that it is outside of all that it touches.
Vec3 VertexOnMesh::lifted(const VertexPath& path) {
  std::vector<Near> touched;
  for (Face& face : faces_) {
    face.side = side_of(face, path);
    Near near;
    if (!look(face, face.side, face.start, near) || std::abs(near.gap) > margin_) continue;
    if (!may_hold(path, near.normal)) continue;
    face.touched = near.plane;
    touched.push_back(near);
  }
  Vec3 lift = Vec3::Zero();
  for (int pass = 0; pass < 2; ++pass)
    for (const Near& near : touched) lift += std::max(0.0, slop_ - near.gap - near.normal.dot(lift)) * near.normal;
  return lift;
}

bool VertexOnMesh::inside(const VertexPath& path, std::vector<MeshTouch>& held) {
  const SurfaceMesh& mesh = view_.mesh();
  if (!(view_.rests() ? mesh.box : tree_.box()).holds(path.from)) return false;
  const auto place = [&](std::uint32_t f) {
    const auto& v = mesh.faces[f];
    return nearest_on_triangle(path.from, view_.from(v[0]), view_.from(v[1]), view_.from(v[2]));
  };
  const auto distance = [&](std::uint32_t f) {
    if (path.piece != kNoIndex && mesh.piece_of_face(f) != path.piece) return 1e300;
    return (place(f).place - path.from).squaredNorm();
  };
  const std::uint32_t nearest = near_ = tree_.nearest(path.from, distance, near_, path.piece);
  if (nearest == BoxTree::nothing || !(distance(nearest) < 1e300) || !mesh.solid[nearest]) return false;
  const FaceNow first = face_now(view_, nearest, path.from);
  const TrianglePlace at = nearest_on_triangle(first.start, first.corner[0], first.corner[1], first.corner[2]);
  if (outward(view_, nearest, at).dot(first.start - at.place) >= 0) return false;
  const auto way_out = [&](std::uint32_t f) {
    if (!mesh.solid[f] || !may_hold(path, view_.normal(f))) return 1e300;
    const FaceNow now = face_now(view_, f, path.from);
    return now.height(now.start) > 0 ? 1e300 : distance(f);
  };
  std::uint32_t out = out_ = tree_.nearest(path.from, way_out, out_, path.piece);
  if (path.region != kNoIndex) {
    const std::uint32_t known =
        tree_.nearest(path.from, [&](std::uint32_t f) { return mesh.region[f] == path.region ? way_out(f) : 1e300; });
    if (known != BoxTree::nothing && out != BoxTree::nothing && way_out(known) < 1e300 &&
        kKnownNearer * way_out(known) < way_out(out))
      out = known;
  }
  Face face;
  const double far = std::max(kFarther * distance(nearest), std::pow(kSunk * margin_, 2));
  const bool good = out != BoxTree::nothing && may_hold(path, view_.normal(out)) && way_out(out) <= far;
  static_cast<FaceNow&>(face) = face_now(view_, good ? out : nearest, path.from);
  add(face, path.to, {face.normal, face.height(path.to), true}, 1, held);
  return true;
}

/// Of its own body a vertex is always inside or on the border. What it has come into is nearer to it now than it was made, and
/// not by its own part of the body being squeezed.
void VertexOnMesh::inside_itself(const VertexPath& path, std::vector<MeshTouch>& held) const {
  const SurfaceMesh& mesh = view_.mesh();
  const auto place_on = [&](std::uint32_t f, const auto& corner, const Vec3& p) {
    const auto& v = mesh.faces[f];
    return nearest_on_triangle(p, corner(v[0]), corner(v[1]), corner(v[2]));
  };
  const auto now = [&](std::uint32_t v) { return view_.from(v); };
  const auto made = [&](std::uint32_t v) { return mesh.points[v]; };
  const auto distance = [&](std::uint32_t f) {
    if (!mesh.solid[f]) return 1e300;
    const double near = (place_on(f, now, path.from).place - path.from).squaredNorm();
    const Vec3& was = mesh.points[path.own];
    if (!(near < kNearer * (place_on(f, made, was).place - was).squaredNorm())) return 1e300;
    return other_skin(mesh, path.own, f) ? 1e300 : near;
  };
  Box3 reach;
  reach.low = path.from.array() - kSunk * margin_;
  reach.high = path.from.array() + kSunk * margin_;
  const auto nearest_of =
      [&](const auto& measure) {  // of the many faces that do not count a search of the whole tree sees all
        std::uint32_t best = BoxTree::nothing;
        double least = 1e300;
        tree_.within(reach, [&](std::uint32_t f) {
          const double d = measure(f);
          if (d < least || (d == least && f < best && d < 1e300)) least = d, best = f;
        });
        return best;
      };
  const std::uint32_t nearest = nearest_of(distance);
  if (nearest == BoxTree::nothing) return;
  const FaceNow first = face_now(view_, nearest, path.from);
  const TrianglePlace at = nearest_on_triangle(first.start, first.corner[0], first.corner[1], first.corner[2]);
  if (outward(view_, nearest, at).dot(first.start - at.place) >= 0) return;
  const auto way_out = [&](std::uint32_t f) {
    const FaceNow face = face_now(view_, f, path.from);
    return face.height(face.start) <= 0 && may_hold(path, face.normal) ? distance(f) : 1e300;
  };
  const std::uint32_t out = nearest_of(way_out);
  if (out == BoxTree::nothing) return;
  Face face;
  static_cast<FaceNow&>(face) = face_now(view_, out, path.from);
  if (face.height(face.start) < -margin_) add(face, path.to, {face.normal, face.height(path.to), true}, 1, held);
}

/// A sheet has no inside, but what had a row on one side of it in the sub-step before and is behind it now has sunk into it.
void VertexOnMesh::sunk(const VertexPath& path, std::vector<MeshTouch>& held) const {
  const SurfaceMesh& mesh = view_.mesh();
  const auto place = [&](std::uint32_t f) {
    const auto& v = mesh.faces[f];
    return nearest_on_triangle(path.from, view_.from(v[0]), view_.from(v[1]), view_.from(v[2]));
  };
  const std::uint32_t nearest =
      tree_.nearest(path.from, [&](std::uint32_t f) { return (place(f).place - path.from).squaredNorm(); });
  if (nearest == BoxTree::nothing || mesh.solid[nearest] || mesh.region[nearest] != path.region) return;
  Face face;
  static_cast<FaceNow&>(face) = face_now(view_, nearest, path.from);
  const Vec3 normal = path.side * face.normal;
  const double height = path.side * face.height(face.start), far = (place(nearest).place - path.from).norm();
  if (!(height < 0 && height >= -kSunk * margin_ && -height > kBehind * far) || !may_hold(path, normal)) return;
  add(face, path.to, {normal, path.side * face.height(path.to), true}, path.side, held);
}

/// The first face that the way from the lifted start goes through.
bool VertexOnMesh::cross(const VertexPath& path, const Vec3& lift, std::vector<MeshTouch>& held,
                         std::vector<MeshTouch>& crossed) const {
  const double border = view_.rests() ? kOverBorder : kOverMoving;
  const Face* first = nullptr;
  double when = 2;
  for (const Face& face : faces_) {
    const Vec3 start = face.start + lift;
    const double before = face.height(start), after = face.height(path.to);
    if (face.solid ? !(before >= 0 && after < 0) : !(before * after < 0)) continue;
    const double t = before / (before - after);
    if (!(t < when)) continue;
    const std::array<double, 3> w =
        plane_weights(start + t * (path.to - start), face.corner[0], face.corner[1], face.corner[2]);
    if (std::min({w[0], w[1], w[2]}) < -border || w[0] + w[1] + w[2] == 0) continue;
    when = t;
    first = &face;
  }
  if (!first) return false;
  const int side = first->height(first->start + lift) < 0 ? -1 : 1;
  const Near near{side * first->normal, side * first->height(path.to), true};
  add(*first, path.to, near, side, may_hold(path, near.normal) ? held : crossed);
  return true;
}

/// Faces that it touched and is still over; where it met nothing, what is near its end.
void VertexOnMesh::stay(const VertexPath& path, const Vec3& lift, bool met, std::vector<MeshTouch>& held) const {
  for (const Face& face : faces_) {
    Near near;
    if (face.touched) {
      if (look(face, face.side, path.to, near) && near.plane && near.gap <= margin_ && may_hold(path, near.normal))
        add(face, path.to, near, face.side, held);
      continue;
    }
    if (met) continue;
    const int side = face.solid || face.height(path.to) >= 0 ? 1 : -1;
    if (!look(face, side, path.to, near) || near.gap > margin_ || near.gap < -2 * slop_) continue;
    if (face.solid && near.plane && near.gap < 0 && face.height(face.start + lift) < 0) continue;
    if (may_hold(path, near.normal)) add(face, path.to, near, side, held);
  }
}

void VertexOnMesh::find(const VertexPath& path, std::span<const std::uint32_t> near, std::vector<MeshTouch>& held,
                        std::vector<MeshTouch>& crossed) {
  faces_.clear();
  for (const std::uint32_t f : near) {
    Face face;
    static_cast<FaceNow&>(face) = face_now(view_, f, path.from);
    faces_.push_back(face);
  }
  const Vec3 lift = lifted(path);
  const bool touches = std::any_of(faces_.begin(), faces_.end(), [](const Face& f) { return f.touched; });
  const bool own = path.own != kNoIndex;
  if (own && view_.mesh().any_solid) inside_itself(path, held);
  if (!touches && !own && view_.mesh().any_solid && inside(path, held)) return;
  const bool met = cross(path, lift, held, crossed);
  stay(path, lift, met, held);
  if (!own && !met && path.side != 0 && view_.mesh().any_open && held.empty()) sunk(path, held);
}

}  // namespace hazumi
