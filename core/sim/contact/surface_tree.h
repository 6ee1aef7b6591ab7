// Faces of a surface by where they are in a sub-step. Of what deforms only parts that others come near are mapped ("open"): the rest
// is known by boxes that hold it whatever the nodes do (PartReach). No answer depends on which parts are open.
#pragma once

#include <limits>
#include <span>
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
  /// Holds the part over the whole sub-step.
  const Box3& bound(std::uint32_t part) const { return deforms_ ? shape_.fit.bounds[part] : mesh_.parts[part].box; }
  /// Puts vertices of these parts, and of what lies around them, in their places.
  void open(std::span<const std::uint32_t> parts);

  /// visit(face) for faces whose box meets this one, borders included, and for some others; in no particular order.
  template <class Visit>
  void within(const Box3& box, const Visit& visit);
  /// As BoxTree::nearest.
  template <class Distance>
  std::uint32_t nearest(const Vec3& p, const Distance& distance_squared);
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
};

template <class Visit>
void SurfaceTree::within(const Box3& box, const Visit& visit) {
  near_.clear();
  top().within(box, [&](std::uint32_t p) {
    if (bound(p).meets(box)) near_.push_back(p);
  });
  open(near_);
  for (const std::uint32_t p : near_) tree(p).within(box, [&](std::uint32_t k) { visit(mesh_.parts[p].faces[k]); });
}

template <class Distance>
std::uint32_t SurfaceTree::nearest(const Vec3& p, const Distance& distance_squared) {
  std::uint32_t best = BoxTree::nothing;
  double least = std::numeric_limits<double>::infinity();
  top().nearest(p, [&](std::uint32_t part) {
    open({&part, 1});
    const std::vector<std::uint32_t>& faces = mesh_.parts[part].faces;
    const std::uint32_t at = tree(part).nearest(p, [&](std::uint32_t k) { return distance_squared(faces[k]); });
    if (at == BoxTree::nothing) return std::numeric_limits<double>::infinity();
    const double d = distance_squared(faces[at]);
    if (d < least || (d == least && faces[at] < best)) least = d, best = faces[at];
    return d;
  });
  return best;
}

template <class Visit>
void SurfaceTree::across(SurfaceTree& other, const BoxAcross& seen, const Visit& visit) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> met;
  std::vector<std::uint32_t> mine, others;
  top().across(other.top(), seen, [&](std::uint32_t p, std::uint32_t q) {
    if (!seen(bound(p)).meets(other.bound(q))) return;
    met.emplace_back(p, q);
    mine.push_back(p);
    others.push_back(q);
  });
  open(mine);
  other.open(others);
  for (const auto& [p, q] : met)
    tree(p).across(other.tree(q), seen, [&, p = p, q = q](std::uint32_t i, std::uint32_t j) {
      visit(mesh_.parts[p].faces[i], other.mesh_.parts[q].faces[j]);
    });
}

/// Reach of all parts; drivers of a vertex are asked for once. Empty where the skin is not known by its nodes (bones).
class PartReaches {
 public:
  explicit PartReaches(const SurfaceMesh& mesh);
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
