// Faces of a surface by where they are in a sub-step. Of what deforms only parts that others come near are mapped ("open"): the rest
// is known by boxes that hold it whatever the nodes do (PartReach). No answer depends on which parts are open.
#pragma once

#include <algorithm>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "core/sim/contact/mesh_view.h"
#include "core/sim/contact/shape.h"
#include "core/sim/contact/surface_mesh.h"

namespace hazumi {

class SurfaceTree {
 public:
  /// In space_of(shape). The shape must be read and finished.
  explicit SurfaceTree(BodyShape& shape);
  const SurfaceMesh& mesh() const { return mesh_; }
  BodyShape& shape() const { return shape_; }
  /// Holds the group over the whole sub-step.
  const Box3& bound_of_group(std::uint32_t group) const {
    return deforms_ ? shape_.fit.groups[group] : mesh_.groups[group].box;
  }
  /// Holds the part over the whole sub-step. Its group must have been looked into.
  const Box3& bound(std::uint32_t part) const { return deforms_ ? shape_.fit.bounds[part] : mesh_.parts[part].box; }
  void look_into(std::uint32_t group);
  /// Holds all of it; not valid() where there are no faces.
  Box3 box() const;
  /// Puts vertices of these parts, and of what lies around them, in their places.
  void open(std::span<const std::uint32_t> parts);

  /// visit(face) for faces whose box meets this one, borders included, and for some others; in no particular order.
  template <class Visit>
  void within(const Box3& box, const Visit& visit);
  /// As BoxTree::nearest. `guess`: a face that may be near, or BoxTree::nothing; the answer is the same without. `piece`: of faces that
  /// need not be looked at where they are of others; kNoIndex: all.
  template <class Distance>
  std::uint32_t nearest(const Vec3& p, const Distance& distance_squared, std::uint32_t guess = BoxTree::nothing,
                        std::uint32_t piece = 0xffffffffu);
  /// As BoxTree::across: visit(face, face of the other). `seen`: from this space to the other's.
  template <class Visit>
  void across(SurfaceTree& other, const BoxAcross& seen, const Visit& visit);

 private:
  const BoxTree& top() const { return deforms_ ? shape_.fit.top : mesh_.top; }
  const BoxTree& tree(std::uint32_t part) const { return deforms_ ? shape_.fit.trees[part] : mesh_.parts[part].tree; }

  BodyShape& shape_;
  const SurfaceMesh& mesh_;
  bool deforms_;
  std::vector<std::uint32_t> near_;
  std::vector<std::pair<double, std::uint32_t>>
      near_parts_;  // of a group that nearest() looks into, by squared distance
};

template <class Visit>
void SurfaceTree::within(const Box3& box, const Visit& visit) {
  near_.clear();
  top().within(box, [&](std::uint32_t g) {
    if (!bound_of_group(g).meets(box)) return;
    look_into(g);
    for (const std::uint32_t p : mesh_.groups[g].parts)
      if (bound(p).meets(box)) near_.push_back(p);
  });
  open(near_);
  for (const std::uint32_t p : near_) tree(p).within(box, [&](std::uint32_t k) { visit(mesh_.parts[p].faces[k]); });
}

template <class Distance>
std::uint32_t SurfaceTree::nearest(const Vec3& p, const Distance& distance_squared, std::uint32_t guess,
                                   std::uint32_t piece) {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  std::uint32_t best = guess;
  double least = guess == BoxTree::nothing ? kNone : distance_squared(guess);
  if (!(least < kNone)) least = kNone, best = BoxTree::nothing;  // a face without area may have no distance
  const auto look = [&](std::uint32_t part) {
    open({&part, 1});
    const std::vector<std::uint32_t>& faces = mesh_.parts[part].faces;
    double here = kNone;
    tree(part).nearest(
        p,
        [&](std::uint32_t k) {
          const double d = distance_squared(faces[k]);
          if (d < least || (d == least && faces[k] < best)) least = d, best = faces[k];
          here = std::min(here, d);
          return d;
        },
        BoxTree::nothing, least);
    return here;
  };
  const auto of_group = [&](std::uint32_t g) {
    look_into(g);
    near_parts_.clear();
    for (const std::uint32_t part : mesh_.groups[g].parts) {
      if (piece != 0xffffffffu && mesh_.parts[part].piece != piece) continue;
      const Box3& box = bound(part);
      near_parts_.emplace_back((p - p.cwiseMax(box.low).cwiseMin(box.high)).squaredNorm(), part);
    }
    std::sort(near_parts_.begin(), near_parts_.end());
    double nearest = kNone;
    for (const auto& [gap, part] : near_parts_)
      if (gap * (1 - 1e-9) <= least) nearest = std::min(nearest, look(part));
    return nearest;
  };
  top().nearest(p, of_group, BoxTree::nothing, least);
  return best;
}

template <class Visit>
void SurfaceTree::across(SurfaceTree& other, const BoxAcross& seen, const Visit& visit) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> met;
  std::vector<std::uint32_t> mine, others;
  top().across(other.top(), seen, [&](std::uint32_t g, std::uint32_t k) {
    if (!seen(bound_of_group(g)).meets(other.bound_of_group(k))) return;
    look_into(g);
    other.look_into(k);
    for (const std::uint32_t p : mesh_.groups[g].parts) {
      const Box3 box = seen(bound(p));
      if (!box.meets(other.bound_of_group(k))) continue;
      for (const std::uint32_t q : other.mesh_.groups[k].parts) {
        if (!box.meets(other.bound(q)) || mesh_.one_piece(p, other.mesh_, q)) continue;
        met.emplace_back(p, q);
        mine.push_back(p);
        others.push_back(q);
      }
    }
  });
  open(mine);
  other.open(others);
  for (const auto& [p, q] : met)
    tree(p).across(other.tree(q), seen, [&, p = p, q = q](std::uint32_t i, std::uint32_t j) {
      visit(mesh_.parts[p].faces[i], other.mesh_.parts[q].faces[j]);
    });
}

/// Reach of parts or groups; drivers of a vertex are given once.
class PartReaches {
 public:
  /// Parts of type SurfacePart or SurfaceGroup.
  template <class Parts>
  PartReaches(const Parts& parts, std::size_t vertices) : parts_(parts.size()), parts_of_(vertices) {
    for (std::uint32_t p = 0; p < parts.size(); ++p)
      for (const std::uint32_t v : parts[p].corners) parts_of_[v].push_back(p);
  }
  void add(std::uint32_t vertex, const DriverInfo& drivers);
  std::vector<PartReach> finish();

 private:
  struct Range {
    double low = 0, high = 0;
    std::uint32_t count = 0;
    void add(double w);
  };
  struct Part {
    std::vector<std::pair<std::uint32_t, Range>> nodes;  // ascending
    Range origin, arm[3];
    double away = 0;
    bool known = true;
    std::uint32_t count = 0;
  };
  std::vector<Part> parts_;
  std::vector<std::vector<std::uint32_t>> parts_of_;  // of each vertex
};
/// Holds the part for these nodes.
Box3 reach_box(const PartReach& reach, std::span<const Vec3> nodes, const Pose& frame);

}  // namespace hazumi
