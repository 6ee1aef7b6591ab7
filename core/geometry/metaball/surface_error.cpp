#include "core/geometry/metaball/surface_error.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/geometry/metaball/field_points.h"
#include "core/geometry/metaball/skin_mesh.h"

namespace hazumi {

namespace {

using metaball::FieldPoints;
constexpr std::size_t kAsked = 7;  // of a face: its middle, those of its edges, its corners
constexpr std::array<double, kAsked> kWeights = {27.0 / 60, 8.0 / 60, 8.0 / 60, 8.0 / 60, 3.0 / 60, 3.0 / 60, 3.0 / 60};
constexpr int kNewton = 6;
constexpr double kExact = 1e-9;  // of the diameter

/// Between a point and one on the other side of the surface, to where it is.
Vec3 halved(const MetaballField& field, Vec3 from, Vec3 to) {
  const bool inside = field.value(from) >= 1;
  for (int k = 0; k < 30; ++k) {
    const Vec3 middle = 0.5 * (from + to);
    ((field.value(middle) >= 1) == inside ? from : to) = middle;
  }
  return to;
}

/// Along a line to both sides, to the nearest place where the sign is another: as far as `reach`.
double along_line(const MetaballField& field, const Vec3& from, const Vec3& along, double reach) {
  const bool inside = field.value(from) >= 1;
  double last = 0;
  for (double t = 1e-4 * reach; t < reach; last = t, t *= 1.3)
    for (const double side : {1.0, -1.0})
      if ((field.value(from + side * t * along) >= 1) != inside)
        return (halved(field, from + side * last * along, from + side * t * along) - from).norm();
  return reach;
}

/// Along the gradient by steps that grow while they lead on, as long as it leads to the surface: to the rim of a fin too, whose sides
/// turn the gradient about. As far as `reach`.
double up_the_slope(const MetaballField& field, const Vec3& from, double reach) {
  Vec3 x = from, slope = Vec3::Zero();
  double value = field.value(x, slope), step = 1e-3 * reach;
  const double way = value < 1 ? 1 : -1;
  for (int k = 0; k < 120 && step > 1e-7 * reach && slope.squaredNorm() > 0 && (x - from).norm() < reach; ++k) {
    const Vec3 next = x + way * step * slope.normalized();
    Vec3 there = Vec3::Zero();
    const double then = field.value(next, there);
    if ((then >= 1) != (value >= 1)) return std::min(reach, (halved(field, x, next) - from).norm());
    const bool nearer = way * (then - value) > 0;
    step *= nearer ? 1.5 : 0.5;
    if (nearer) x = next, value = then, slope = there;
  }
  return reach;
}

class Measure {
 public:
  Measure(const MetaballGroup& group, const DisplayMesh& mesh)
      : field_(group),
        points_(field_),
        mesh_(metaball::joined_mesh(mesh, Pose{})),
        normals_(mesh_.start.size(), Vec3::Zero()),
        reach_(0.1 * field_.largest_diameter()) {
    for (std::size_t v = 0; v < mesh.normals.size(); ++v) normals_[mesh_.of[v]] = mesh.normals[v];
  }
  std::size_t faces() const { return mesh_.faces.size(); }

  /// Distances of all vertices. On a crest that is just below the surface no way leads there: over a neighbour it is no farther than this.
  void vertices(const std::atomic<bool>* cancel) {
    const std::size_t n = mesh_.start.size();
    far_.assign(n, 0);
    for (std::size_t v = 0; v < n && !(cancel && *cancel); v += kEight) {
      const std::size_t count = std::min(kEight, n - v);
      std::array<Vec3, kEight> along;
      for (std::size_t i = 0; i < count; ++i) along[i] = normals_[v + i];
      distances({mesh_.start.data() + v, count}, along, {far_.data() + v, count});
    }
    bool nearer = true;
    for (int round = 0; round < kRounds && nearer; ++round) {
      nearer = false;
      for (const auto& f : mesh_.faces)
        for (std::size_t k = 0; k < 3; ++k)
          for (const std::uint32_t other : {f[(k + 1) % 3], f[(k + 2) % 3]}) {
            const double over = far_[other] + (mesh_.start[f[k]] - mesh_.start[other]).norm();
            if (over >= far_[f[k]]) continue;
            far_[f[k]] = over;
            nearer = true;
          }
    }
  }

  /// Distances of what is asked of one face.
  std::array<double, kAsked> face(std::size_t f, double& area) {
    const auto& v = mesh_.faces[f];
    const Vec3 &a = mesh_.start[v[0]], &b = mesh_.start[v[1]], &c = mesh_.start[v[2]];
    const Vec3 flat = (b - a).cross(c - a);
    area = 0.5 * flat.norm();
    const std::array<Vec3, 4> from = {(a + b + c) / 3, (a + b) / 2, (b + c) / 2, (c + a) / 2};
    std::array<Vec3, kEight> along;
    along.fill(area > 0 ? Vec3(flat.normalized()) : Vec3(Vec3::Zero()));
    std::array<double, kAsked> far{};
    distances(from, along, {far.data(), from.size()});
    for (std::size_t i = 0; i < from.size(); ++i)
      for (const std::uint32_t corner : v)
        far[i] = std::min(far[i], far_[corner] + (from[i] - mesh_.start[corner]).norm());
    for (std::size_t k = 0; k < 3; ++k) far[4 + k] = far_[v[k]];
    return far;
  }

 private:
  static constexpr std::size_t kEight = metaball::kLanes;
  static constexpr int kRounds = 20;

  /// At most eight points that lie together; where Newton comes to nothing, along the slope and along `along`, if that is a direction.
  void distances(std::span<const Vec3> from, const std::array<Vec3, kEight>& along, std::span<double> far) {
    std::array<Vec3, kEight> at;
    std::copy(from.begin(), from.end(), at.begin());
    std::array<double, kEight> left{};
    const double exact = kExact * field_.largest_diameter();
    points_.near(from, reach_, list_);
    for (int k = 0; k < kNewton; ++k) {
      points_.evaluate({at.data(), from.size()}, list_, out_);
      bool done = true;
      for (std::size_t i = 0; i < from.size(); ++i) {
        const double slope = out_[i].gradient.squaredNorm();
        left[i] = slope > 0 ? std::abs(1 - out_[i].value) / std::sqrt(slope) : reach_;
        if (slope > 0 && left[i] <= reach_) at[i] += out_[i].gradient * ((1 - out_[i].value) / slope);
        done = done && left[i] <= exact;
      }
      if (done) break;
    }
    for (std::size_t i = 0; i < from.size(); ++i) {
      far[i] = (at[i] - from[i]).norm();
      if (left[i] <= exact + 0.01 * far[i] && far[i] <= reach_) continue;
      far[i] = up_the_slope(field_, from[i], reach_);
      if (along[i].squaredNorm() > 0) far[i] = std::min(far[i], along_line(field_, from[i], along[i], reach_));
    }
  }

  MetaballField field_;
  FieldPoints points_;
  metaball::SkinMesh mesh_;  // vertices at one place joined
  std::vector<Vec3> normals_;
  double reach_;
  std::vector<double> far_;
  std::vector<std::uint16_t> list_;
  std::array<FieldPoints::At, kEight> out_;
};

}  // namespace

SurfaceError surface_error(const MetaballGroup& group, const DisplayMesh& mesh, std::size_t faces,
                           const std::atomic<bool>* cancel) {
  SurfaceError error;
  if (mesh.faces.empty() || faces == 0) return error;
  Measure measure(group, mesh);
  measure.vertices(cancel);
  const auto all = static_cast<double>(measure.faces());
  const double stride = std::max(1.0, all / static_cast<double>(faces));
  double squares = 0, whole = 0;
  for (double at = 0; at < all && !(cancel && *cancel); at += stride) {
    double area = 0;
    const auto far = measure.face(static_cast<std::size_t>(at), area);
    for (std::size_t i = 0; i < kAsked; ++i) {
      squares += kWeights[i] * area * far[i] * far[i];
      error.largest = std::max(error.largest, far[i]);
    }
    whole += area;
  }
  if (whole > 0) error.mean = std::sqrt(squares / whole);
  return error;
}

}  // namespace hazumi
