#include <algorithm>
#include <cmath>

#include "core/sim/contact/mesh_touch.h"

namespace hazumi {
namespace {

constexpr double kLook =
    0.5;  // of the radius: the way is looked at in steps of this, so that no face is passed between two
constexpr int kMostLooks = 64;      // … beyond that only what the centre goes through is sure
constexpr double kSameWay = 0.9;    // cosine: of several touches on the way that look alike the last one counts
constexpr double kSame = 1 - 1e-9;  // cosine
constexpr double kBorder = 1e-6;    // weights of a place that is still on the triangle

struct BallTouch {
  MeshTouch touch;
  Vec3 place = Vec3::Zero();  // of the surface
  int look = 0;
  bool plane = false;  // it is over the face
};

struct BallPath {
  const MeshView& view;
  const Vec3 from, to;
  double radius, margin;
};

/// The first face that the centre goes through; the part of the way until then.
double through(const BallPath& ball, const std::vector<FaceNow>& faces, std::vector<BallTouch>& out) {
  const FaceNow* first = nullptr;
  double when = 1;
  for (const FaceNow& face : faces) {
    const double before = face.height(face.start), after = face.height(ball.to);
    if (face.solid ? !(before >= 0 && after < 0) : !(before * after < 0)) continue;
    const double t = before / (before - after);
    if (first && !(t < when)) continue;
    const std::array<double, 3> w =
        plane_weights(face.start + t * (ball.to - face.start), face.corner[0], face.corner[1], face.corner[2]);
    if (std::min({w[0], w[1], w[2]}) < -kBorder || w[0] + w[1] + w[2] == 0) continue;
    when = t;
    first = &face;
  }
  if (!first) return 1;
  BallTouch b;
  const int side = first->height(first->start) < 0 ? -1 : 1;
  b.touch.face = first->number;
  b.touch.normal = side * first->normal;
  b.place = first->corner[0];
  b.touch.behind = side < 0;
  b.look = -1;
  out.push_back(b);
  return when;
}

/// The faces that the ball is in reach of as it begins, those behind the edge of a hollow too: it may still go along the one that it comes
/// from. Each with the gap to its plane.
void find_starts(const BallPath& ball, const std::vector<FaceNow>& faces, std::vector<MeshTouch>& starts) {
  for (const FaceNow& face : faces) {
    const TrianglePlace at = nearest_on_triangle(face.start, face.corner[0], face.corner[1], face.corner[2]);
    const double away = (face.start - at.place).norm(), height = face.height(face.start);
    if (away > ball.radius + ball.margin || !(away > 0) || (face.solid && height < 0)) continue;
    MeshTouch touch;
    touch.face = face.number;
    touch.normal = height < 0 ? Vec3(-face.normal) : face.normal;
    touch.gap = std::abs(height) - ball.radius;
    starts.push_back(touch);
  }
}

/// What the ball touches at a part of its way; where it is not at the end, only what it overlaps.
void look_at(const BallPath& ball, const std::vector<FaceNow>& faces, double t, int number, bool end,
             std::vector<BallTouch>& out) {
  for (const FaceNow& face : faces) {
    const Vec3 p = face.start + t * (ball.to - face.start);
    const TrianglePlace at = nearest_on_triangle(p, face.corner[0], face.corner[1], face.corner[2]);
    const Vec3 d = p - at.place;
    const double away = d.norm();
    if (away > ball.radius + (end ? ball.margin : 0) || !(away > 0)) continue;
    if (!nearest_here(ball.view, face.number, at, d)) continue;
    if (face.solid && outward(ball.view, face.number, at).dot(d) < 0) continue;
    BallTouch b;
    b.touch.face = face.number;
    const double height = face.height(p);
    b.touch.normal = d / away;
    b.plane = at.part == TrianglePlace::inside;
    if (b.plane) b.touch.normal = height < 0 ? Vec3(-face.normal) : face.normal;
    b.place = at.place;
    b.touch.behind = !face.solid && height < 0;
    b.look = number;
    const auto alike = std::find_if(out.begin(), out.end(), [&](const BallTouch& known) {
      if (known.look < 0) return known.touch.normal.dot(b.touch.normal) > kSameWay;
      return known.touch.normal.dot(b.touch.normal) > (known.look == number ? kSame : kSameWay);
    });
    if (alike == out.end())
      out.push_back(b);
    else if (alike->look >= 0 && (alike->look < number || (b.plane && !alike->plane)))
      *alike = b;  // over a flat edge the face says the normal to the last bit
  }
}

/// A centre that begins inside: out through the nearest face.
bool from_inside(const BallPath& ball, SurfaceTree& tree, std::vector<BallTouch>& out) {
  const SurfaceMesh& mesh = ball.view.mesh();
  if (!mesh.any_solid || (ball.view.rests() && !mesh.box.holds(ball.from))) return false;
  const std::uint32_t nearest = tree.nearest(ball.from, [&](std::uint32_t f) {
    const auto& v = mesh.faces[f];
    const Vec3 a = ball.view.from(v[0]), b = ball.view.from(v[1]), c = ball.view.from(v[2]);
    return (nearest_on_triangle(ball.from, a, b, c).place - ball.from).squaredNorm();
  });
  if (nearest == BoxTree::nothing || !mesh.solid[nearest]) return false;
  const FaceNow face = face_now(ball.view, nearest, ball.from);
  const TrianglePlace at = nearest_on_triangle(face.start, face.corner[0], face.corner[1], face.corner[2]);
  if (outward(ball.view, nearest, at).dot(face.start - at.place) >= 0) return false;
  BallTouch b;
  b.touch.face = nearest;
  b.touch.normal = face.normal;
  b.place = face.corner[0];
  out.push_back(b);
  return true;
}

}  // namespace

void ball_on_mesh(const MeshView& view, SurfaceTree& tree, const Vec3& from, const Vec3& to, double radius,
                  double margin, std::span<const std::uint32_t> near, std::vector<MeshTouch>& out,
                  std::vector<MeshTouch>* starts) {
  const BallPath ball{view, from, to, radius, margin};
  std::vector<BallTouch> touches;
  if (!from_inside(ball, tree, touches)) {
    std::vector<FaceNow> faces;
    double way = (to - from).norm();
    for (const std::uint32_t f : near) {
      faces.push_back(face_now(view, f, from));
      way = std::max(way, (to - faces.back().start).norm());
    }
    if (starts) find_starts(ball, faces, *starts);
    const double end = through(ball, faces, touches);
    const bool met = !touches.empty();
    const double wanted = std::ceil(way / (kLook * radius));  // of a ball without size no number
    const int looks = wanted < kMostLooks ? std::max(1, static_cast<int>(wanted)) : kMostLooks;
    for (int k = 1; k <= looks; ++k) {
      const double t = static_cast<double>(k) / looks;
      if (t < end || (!met && k == looks)) look_at(ball, faces, t, k, k == looks, touches);
    }
  }
  for (BallTouch& b : touches) {
    b.touch.gap = b.touch.normal.dot(to - b.place) - radius;
    if (b.touch.gap > margin) continue;
    const auto& v = view.mesh().faces[b.touch.face];
    b.touch.weights = nearest_on_triangle(to, view.to(v[0]), view.to(v[1]), view.to(v[2])).weights;
    out.push_back(b.touch);
  }
}

}  // namespace hazumi
