// Bounding-volume tree over boxes, for "which of these contain the point" and "which of these is nearest".
// Split at the median of the longest side, so the same boxes give the same tree everywhere; answers do not
// depend on the tree's shape.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/geometry/mesh/mesh.h"

namespace hazumi {

class BoxTree {
 public:
  BoxTree() = default;
  explicit BoxTree(std::vector<Box3> boxes);

  /// visit(i) for every box i that holds p, borders included; in no particular order.
  template <class Visit>
  void containing(const Vec3& p, const Visit& visit) const {
    descend(p, [&](std::uint32_t i) { visit(i); });
  }

  /// The item with the least distance_squared(i), the lowest number of several; `nothing` of an empty tree.
  /// distance_squared(i) is never less than the squared distance from p to box i.
  template <class Distance>
  std::uint32_t nearest(const Vec3& p, const Distance& distance_squared) const {
    std::uint32_t best = nothing;
    double least = std::numeric_limits<double>::infinity();
    if (!nodes_.empty()) nearest_below(0, p, distance_squared, best, least);
    return best;
  }

  static constexpr std::uint32_t nothing = std::numeric_limits<std::uint32_t>::max();

 private:
  struct Node {
    Box3 box;
    std::uint32_t first = 0, count = 0;  // leaf: items_[first, first + count)
    std::uint32_t right = 0;             // else children are the next node and this one
  };
  static constexpr std::uint32_t kLeaf = 4;

  static bool holds(const Box3& box, const Vec3& p) {
    return (p.array() >= box.low.array()).all() && (p.array() <= box.high.array()).all();
  }
  static double gap_squared(const Box3& box, const Vec3& p) {
    return (p - p.cwiseMax(box.low).cwiseMin(box.high)).squaredNorm();
  }

  std::uint32_t build(std::uint32_t first, std::uint32_t count);

  template <class Visit>
  void descend(const Vec3& p, const Visit& visit) const {
    std::uint32_t stack[64];
    int top = 0;
    if (!nodes_.empty()) stack[top++] = 0;
    while (top > 0) {
      const std::uint32_t at = stack[--top];
      const Node& node = nodes_[at];
      if (!holds(node.box, p)) continue;
      if (node.count > 0) {
        for (std::uint32_t k = node.first; k < node.first + node.count; ++k)
          if (holds(boxes_[items_[k]], p)) visit(items_[k]);
        continue;
      }
      stack[top++] = node.right;
      stack[top++] = at + 1;
    }
  }

  template <class Distance>
  void nearest_below(std::uint32_t at, const Vec3& p, const Distance& distance_squared, std::uint32_t& best,
                     double& least) const {
    const Node& node = nodes_[at];
    // A little slack: the distance is computed in another way than the gap, and equals must all be looked at.
    if (gap_squared(node.box, p) * (1 - 1e-9) > least) return;
    if (node.count > 0) {
      for (std::uint32_t k = node.first; k < node.first + node.count; ++k) {
        const std::uint32_t i = items_[k];
        const double d = distance_squared(i);
        if (d < least || (d == least && i < best)) least = d, best = i;
      }
      return;
    }
    std::uint32_t near = at + 1, far = node.right;
    if (gap_squared(nodes_[far].box, p) < gap_squared(nodes_[near].box, p)) std::swap(near, far);
    nearest_below(near, p, distance_squared, best, least);
    nearest_below(far, p, distance_squared, best, least);
  }

  std::vector<Box3> boxes_;
  std::vector<std::uint32_t> items_;
  std::vector<Node> nodes_;
};

}  // namespace hazumi
