#include "core/geometry/truss/even_sheet.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <tuple>
#include <utility>

namespace hazumi {

namespace {

using EvenIndex = std::uint32_t;
using EvenTriangle = std::array<EvenIndex, 3>;

/// Σ area (n · (x − p))² of planes, and the sum of the areas.
struct Planes {
  Mat3 square = Mat3::Zero();
  Vec3 linear = Vec3::Zero();
  double constant = 0, area = 0;

  void add(const Vec3& normal, const Vec3& at, double weight) {
    const double away = normal.dot(at);
    square += weight * normal * normal.transpose();
    linear -= weight * away * normal;
    constant += weight * away * away;
    area += weight;
  }
  void add(const Planes& other) {
    square += other.square;
    linear += other.linear;
    constant += other.constant;
    area += other.area;
  }
  /// m², in the mean.
  double off(const Vec3& x) const {
    return area > 0 ? std::max(0.0, x.dot(square * x) + 2 * linear.dot(x) + constant) / area : 0;
  }
};

class Collapse {
 public:
  Collapse(EvenSheet& sheet, const std::atomic<bool>* cancelled)
      : sheet_(sheet), cancelled_(cancelled), around_(sheet.positions.size()), planes_(sheet.positions.size()) {
    for (EvenIndex f = 0; f < sheet.faces.size(); ++f)
      for (const EvenIndex i : sheet.faces[f]) around_[i].push_back(f);
    left_ = static_cast<std::size_t>(
        std::count_if(around_.begin(), around_.end(), [](const auto& list) { return !list.empty(); }));
    for (const EvenTriangle& f : sheet.faces) {
      const Vec3 normal = normal_of(f);
      const double area = normal.norm();
      for (std::size_t k = 0; area > 0 && k < 3; ++k) {
        const EvenIndex a = f[k], b = f[(k + 1) % 3];
        planes_[a].add(normal / area, at(a), area);
        if (faces_at(a, b).size() > 1) continue;
        // At a border a plane upright on the face.
        const Vec3 along = at(b) - at(a), across = along.cross(normal).normalized();
        for (const EvenIndex i : {a, b}) planes_[i].add(across, at(a), kBorder * along.squaredNorm());
      }
    }
  }

  /// What could not go may be able to when all the others have had their turn.
  bool run(std::size_t nodes) {
    for (std::size_t before = left_ + 1; left_ > nodes && left_ < before;) {
      before = left_;
      for (EvenIndex i = 0; i < sheet_.positions.size(); ++i)
        for (const EvenIndex j : ring(i))
          if (i < j) waiting_.insert(entry(i, j));
      while (left_ > nodes && !waiting_.empty()) {
        if (cancelled_ && *cancelled_) return false;
        const auto [cost, a, b] = *waiting_.begin();
        waiting_.erase(waiting_.begin());
        collapse(a, b);
      }
    }
    return true;
  }

  void store() {
    std::vector<EvenIndex> number(sheet_.positions.size(), 0);
    EvenSheet kept;
    for (EvenIndex i = 0; i < sheet_.positions.size(); ++i) {
      if (around_[i].empty()) continue;
      number[i] = static_cast<EvenIndex>(kept.positions.size());
      kept.positions.push_back(at(i));
    }
    for (const EvenTriangle& f : sheet_.faces)
      if (f[0] != f[1]) kept.faces.push_back({number[f[0]], number[f[1]], number[f[2]]});
    sheet_ = std::move(kept);
  }

 private:
  static constexpr double kBorder = 10;  // a border counts as so many faces
  static constexpr double kTrue = 4;     // what leaves the surface counts as an edge so many times longer
  static constexpr double kTurn = 0.3;   // cosine between a face before and after
  static constexpr double kThin = 0.1;   // of the area of an equilateral triangle with such sides

  const Vec3& at(EvenIndex i) const { return sheet_.positions[i]; }
  Vec3 normal_of(const EvenTriangle& f) const { return (at(f[1]) - at(f[0])).cross(at(f[2]) - at(f[0])); }

  std::vector<EvenIndex> faces_at(EvenIndex a, EvenIndex b) const {
    std::vector<EvenIndex> both;
    for (const EvenIndex f : around_[a])
      if (std::find(sheet_.faces[f].begin(), sheet_.faces[f].end(), b) != sheet_.faces[f].end()) both.push_back(f);
    return both;
  }

  std::vector<EvenIndex> ring(EvenIndex i) const {
    std::vector<EvenIndex> all;
    for (const EvenIndex f : around_[i])
      for (const EvenIndex j : sheet_.faces[f])
        if (j != i) all.push_back(j);
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
  }

  bool is_border(EvenIndex i) const {
    const auto all = ring(i);
    return std::any_of(all.begin(), all.end(), [&](EvenIndex j) { return faces_at(i, j).size() == 1; });
  }

  Vec3 place(EvenIndex a, EvenIndex b) const {
    Planes both = planes_[a];
    both.add(planes_[b]);
    const Vec3 middle = 0.5 * (at(a) + at(b));
    Vec3 best = middle;
    // An end has to be nearer by more than rounding: on what is flat the middle keeps triangles even.
    for (const Vec3& end : {at(a), at(b)})
      if (both.off(end) < 0.5 * both.off(best) - 1e-9 * (at(a) - at(b)).squaredNorm()) best = end;
    return best;
  }

  std::tuple<double, EvenIndex, EvenIndex> entry(EvenIndex i, EvenIndex j) const {
    const EvenIndex a = std::min(i, j), b = std::max(i, j);
    Planes both = planes_[a];
    both.add(planes_[b]);
    return {(at(a) - at(b)).squaredNorm() + kTrue * kTrue * both.off(place(a, b)), a, b};
  }

  /// Whether the surface is as connected after it as before, and none of its faces turns over or becomes a sliver.
  bool allowed(EvenIndex a, EvenIndex b, const Vec3& to) const {
    const auto shared = faces_at(a, b);
    const auto near_a = ring(a), near_b = ring(b);
    std::vector<EvenIndex> common;
    std::set_intersection(near_a.begin(), near_a.end(), near_b.begin(), near_b.end(), std::back_inserter(common));
    if (common.size() != shared.size()) return false;
    if (shared.size() == 2 && is_border(a) && is_border(b)) return false;
    // What is left over of a tetrahedron, or of a single triangle, would be no surface.
    if (near_a.size() + near_b.size() < (shared.size() == 2 ? 7u : 5u)) return false;
    for (const EvenIndex i : {a, b})
      for (const EvenIndex f : around_[i]) {
        if (std::find(shared.begin(), shared.end(), f) != shared.end()) continue;
        const EvenTriangle& face = sheet_.faces[f];
        std::array<Vec3, 3> p;
        for (std::size_t k = 0; k < 3; ++k) p[k] = face[k] == i ? to : at(face[k]);
        const Vec3 before = normal_of(face), after = (p[1] - p[0]).cross(p[2] - p[0]);
        if (after.dot(before) <= kTurn * after.norm() * before.norm()) return false;
        const double sides = (p[1] - p[0]).squaredNorm() + (p[2] - p[1]).squaredNorm() + (p[0] - p[2]).squaredNorm();
        if (after.norm() < kThin * sides / (2 * std::sqrt(3.0)) && after.norm() < before.norm()) return false;
      }
    return true;
  }

  void collapse(EvenIndex a, EvenIndex b) {
    const Vec3 to = place(a, b);
    if (!allowed(a, b, to)) return;
    // Their costs change with the place of `a`.
    for (const EvenIndex i : {a, b})
      for (const EvenIndex j : ring(i)) waiting_.erase(entry(i, j));
    for (const EvenIndex f : faces_at(a, b)) {
      for (const EvenIndex i : sheet_.faces[f]) std::erase(around_[i], f);
      sheet_.faces[f] = {0, 0, 0};
    }
    for (const EvenIndex f : around_[b]) {
      std::replace(sheet_.faces[f].begin(), sheet_.faces[f].end(), b, a);
      around_[a].push_back(f);
    }
    around_[b].clear();
    planes_[a].add(planes_[b]);
    sheet_.positions[a] = to;
    --left_;
    for (const EvenIndex j : ring(a)) waiting_.insert(entry(a, j));
  }

  EvenSheet& sheet_;
  const std::atomic<bool>* cancelled_;
  std::vector<std::vector<EvenIndex>> around_;  // faces of each
  std::vector<Planes> planes_;
  std::set<std::tuple<double, EvenIndex, EvenIndex>> waiting_;
  std::size_t left_ = 0;
};

}  // namespace

bool make_even(EvenSheet& sheet, std::size_t nodes, const std::atomic<bool>* cancelled) {
  Collapse collapse(sheet, cancelled);
  const bool done = collapse.run(nodes);
  collapse.store();
  return done;
}

}  // namespace hazumi
