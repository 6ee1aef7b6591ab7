#include "core/sim/contact/mesh_view.h"

#include <algorithm>
#include <cmath>

#include "core/geometry/mesh/topology.h"

namespace hazumi {
namespace {

constexpr double kOver = 1e-7;  // sine: leaning over a neighbour by less is round-off

Mat3 turn_between(const Pose& mine, const Pose& other) {
  return (other.rotation.conjugate() * mine.rotation).toRotationMatrix();
}
Vec3 shift_between(const Pose& mine, const Pose& other) {
  return other.rotation.conjugate() * (mine.position - other.position);
}

}  // namespace

ContactSpace space_of(const BodyShape& shape) {
  return shape.body->deforms ? ContactSpace() : ContactSpace{shape.from, shape.to};
}

BoxAcross::BoxAcross(const ContactSpace& mine, const ContactSpace& other, double margin) : margin_(margin) {
  const Pose* const ends[2][2] = {{&mine.from, &other.from}, {&mine.to, &other.to}};
  for (int k = 0; k < 2; ++k) {
    turn_[k] = turn_between(*ends[k][0], *ends[k][1]);
    size_[k] = 0.5 * turn_[k].cwiseAbs();
    shift_[k] = shift_between(*ends[k][0], *ends[k][1]);
  }
  ends_ = turn_[0] == turn_[1] && shift_[0] == shift_[1] ? 1 : 2;
}

Box3 BoxAcross::operator()(const Box3& box) const {
  Box3 out;
  const Vec3 centre = box.centre(), size = box.size();
  for (int k = 0; k < ends_; ++k) {
    const Vec3 at = turn_[k] * centre + shift_[k], half = size_[k] * size + Vec3::Constant(margin_);
    out.add(at - half);
    out.add(at + half);
  }
  return out;
}

MeshView::MeshView(const BodyShape& shape, const ContactSpace& space)
    : mesh_(shape.proxy().surface.get()), space_(space) {
  const bool deforms = shape.body->deforms;
  from_ = deforms ? shape.points_from.data() : mesh_->points.data();
  to_ = deforms ? shape.points_to.data() : mesh_->points.data();
  const ContactSpace own = space_of(shape);
  const auto same = [](const Pose& a, const Pose& b) {
    return a.position == b.position && a.rotation.coeffs() == b.rotation.coeffs();
  };
  still_ = same(own.from, space.from) && same(own.to, space.to);
  rests_ = still_ && !deforms;
  turn_[0] = turn_between(own.from, space.from);
  turn_[1] = turn_between(own.to, space.to);
  shift_[0] = shift_between(own.from, space.from);
  shift_[1] = shift_between(own.to, space.to);
}

Vec3 MeshView::normal(std::uint32_t face) const {
  if (rests_) return mesh_->normals[face];
  const auto& v = mesh_->faces[face];
  const Vec3 a = to(v[0]), area = (to(v[1]) - a).cross(to(v[2]) - a);
  const double size = area.norm();
  return size > 1e-300 ? Vec3(area / size) : Vec3(Vec3::Zero());
}

Box3 MeshView::swept(std::uint32_t face) const {
  Box3 box;
  for (const std::uint32_t v : mesh_->faces[face]) {
    box.add(to(v));
    box.add(from(v));
  }
  return box;
}

Box3 MeshView::swept_edge(std::uint32_t edge) const {
  Box3 box;
  for (const std::uint32_t v : mesh_->edges[edge].ends) {
    box.add(to(v));
    box.add(from(v));
  }
  return box;
}

FaceNow face_now(const MeshView& view, std::uint32_t face, const Vec3& start) {
  const SurfaceMesh& mesh = view.mesh();
  FaceNow now;
  now.number = face;
  now.solid = mesh.solid[face] != 0;
  const auto& v = mesh.faces[face];
  for (std::size_t k = 0; k < 3; ++k) now.corner[k] = view.to(v[k]);
  now.normal = view.normal(face);
  now.start = start;
  if (view.rests()) return now;
  const Vec3 a = view.from(v[0]), b = view.from(v[1]), c = view.from(v[2]);
  const Vec3 normal = (b - a).cross(c - a).normalized();
  const std::array<double, 3> w = plane_weights(start, a, b, c);
  if (w[0] + w[1] + w[2] == 0) return now;
  now.start = w[0] * now.corner[0] + w[1] * now.corner[1] + w[2] * now.corner[2] + normal.dot(start - a) * now.normal;
  return now;
}

bool nearest_here(const MeshView& view, std::uint32_t face, const TrianglePlace& at, const Vec3& d) {
  const SurfaceMesh& mesh = view.mesh();
  if (at.part == TrianglePlace::inside) return true;
  const auto leans = [&](const Vec3& over) { return d.dot(over) > kOver * d.norm() * over.norm(); };
  if (at.part < TrianglePlace::first_corner) {
    const auto k = static_cast<std::size_t>(at.part - TrianglePlace::first_edge);
    const std::uint32_t other = mesh.beside[face][k], p = mesh.faces[face][k], q = mesh.faces[face][(k + 1) % 3];
    if (other == kNoIndex) return true;
    for (const std::uint32_t r : mesh.faces[other]) {
      if (r == p || r == q) continue;
      const Vec3 edge = (view.to(q) - view.to(p)).normalized(), arm = view.to(r) - view.to(p);
      if (leans(arm - edge * edge.dot(arm))) return false;
    }
    return true;
  }
  const std::uint32_t v = mesh.faces[face][static_cast<std::size_t>(at.part - TrianglePlace::first_corner)];
  const Vec3 place = view.to(v);
  for (const std::uint32_t f : mesh.around(v))
    for (const std::uint32_t w : mesh.faces[f])
      if (w != v && leans(view.to(w) - place)) return false;
  return true;
}

Vec3 outward(const MeshView& view, std::uint32_t face, const TrianglePlace& at) {
  const SurfaceMesh& mesh = view.mesh();
  if (at.part == TrianglePlace::inside) return view.normal(face);
  if (at.part < TrianglePlace::first_corner) {
    const std::uint32_t other = mesh.beside[face][static_cast<std::size_t>(at.part - TrianglePlace::first_edge)];
    return other == kNoIndex ? view.normal(face) : Vec3(view.normal(face) + view.normal(other));
  }
  const std::uint32_t v = mesh.faces[face][static_cast<std::size_t>(at.part - TrianglePlace::first_corner)];
  Vec3 sum = Vec3::Zero();
  for (const std::uint32_t f : mesh.around(v)) {
    const auto& corners = mesh.faces[f];
    const std::size_t k = corners[0] == v ? 0 : corners[1] == v ? 1 : 2;
    const Vec3 p = (view.to(corners[(k + 1) % 3]) - view.to(v)).normalized();
    const Vec3 q = (view.to(corners[(k + 2) % 3]) - view.to(v)).normalized();
    sum += std::acos(std::clamp(p.dot(q), -1.0, 1.0)) * view.normal(f);
  }
  return sum;
}

}  // namespace hazumi
