// The one bounding-volume tree: over the faces of a mesh (face_tree.h), the cells of an embedding, the bodies of a sub-step.
// Boxes are halved at the median of their centres along the longest side (Kay and Kajiya 1986), so the same boxes give the
// same tree everywhere. The tree keeps no boxes of single items and its nodes are floats rounded outwards, 32 bytes each: it
// tells which items have to be looked at, and whoever asks looks at them exactly. So no answer depends on the tree's shape.
// Building over a million items takes about half a second.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "core/geometry/mesh/mesh.h"

namespace hazumi {

/// The direction need not be unit: parameters are in its lengths.
struct MeshRay {
  Vec3 origin, direction;
};

class BoxTree {
 public:
  BoxTree() = default;
  /// Leaves hold up to `leaf` items: few where looking at an item is dear, more where memory is. A box that is not valid()
  /// holds nothing and meets nothing.
  explicit BoxTree(std::span<const Box3> boxes, std::uint32_t leaf = 4);

  /// For as many boxes as it was built over, which have moved: who is beside whom in the tree stays, so it answers the slower
  /// the more they have.
  void refit(std::span<const Box3> boxes);

  /// Items as they lie in the leaves: what is kept in this order too is looked at without jumps through memory.
  std::span<const std::uint32_t> order() const { return items_; }
  /// Of the leaves: first place in order(), and how many.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> leaves() const;

  /// visit(place in order()) for every item whose box holds p, borders included, and for some others; in no particular order.
  template <class Visit>
  void around(const Vec3& p, const Visit& visit) const;

  /// The item with the least distance_squared(i), the lowest number of several; `nothing` of an empty tree.
  /// distance_squared(i) is never less than the squared distance from p to box i.
  template <class Distance>
  std::uint32_t nearest(const Vec3& p, const Distance& distance_squared) const {
    std::uint32_t best = nothing;
    double least = std::numeric_limits<double>::infinity();
    if (!nodes_.empty()) nearest_below(0, gap_squared(nodes_[0], p), p, distance_squared, best, least);
    return best;
  }

  /// visit(i) for the items whose box the ray meets at a parameter from 0 to `furthest`, and for some others, the nearer
  /// ones first. visit may lower `furthest` as it finds hits.
  template <class Visit>
  void along(const MeshRay& ray, const double& furthest, const Visit& visit) const;

  /// visit(i, j) once for every two items whose boxes meet, borders included, and for some others; in no particular order.
  template <class Visit>
  void pairs(const Visit& visit) const;

  /// visit(i) for the items whose box meets this one, borders included, and for some others; in no particular order.
  template <class Visit>
  void within(const Box3& box, const Visit& visit) const;

  /// visit(i, j) for item i of this tree and item j of the other one whose boxes meet, and for some others; in no particular
  /// order. The trees lie in spaces of their own: `seen(box)` holds in the other's space what a box of this tree holds here.
  template <class Seen, class Visit>
  void across(const BoxTree& other, const Seen& seen, const Visit& visit) const;

  std::size_t memory_use() const;

  static constexpr std::uint32_t nothing = std::numeric_limits<std::uint32_t>::max();

 private:
  struct Node {
    Vec3f low, high;
    std::uint32_t first = 0,
                  count = 0;  // leaf: items_[first, first + count); else count 0, children at first, first + 1
  };
  // A tree of 2³² items is 32 levels deep, and a walk leaves one node of each level behind; one over pairs less than four.
  static constexpr int kDeepest = 64, kMostPairs = 160;

  // Axis by axis: most boxes are left by the first comparisons.
  static bool holds(const Node& node, const Vec3& p) {
    return p.x() >= static_cast<double>(node.low.x()) && p.x() <= static_cast<double>(node.high.x()) &&
           p.y() >= static_cast<double>(node.low.y()) && p.y() <= static_cast<double>(node.high.y()) &&
           p.z() >= static_cast<double>(node.low.z()) && p.z() <= static_cast<double>(node.high.z());
  }
  static bool meet(const Node& a, const Node& b) {
    return (a.low.array() <= b.high.array()).all() && (b.low.array() <= a.high.array()).all();
  }
  static Box3 box_of(const Node& node) { return {node.low.cast<double>(), node.high.cast<double>()}; }
  static bool meet(const Node& a, const Box3& b) {
    return (a.low.cast<double>().array() <= b.high.array()).all() &&
           (b.low.array() <= a.high.cast<double>().array()).all();
  }
  static double gap_squared(const Node& node, const Vec3& p) {
    return (p - p.cwiseMax(node.low.cast<double>()).cwiseMin(node.high.cast<double>())).squaredNorm();
  }

  template <class Distance>
  void nearest_below(std::uint32_t at, double gap, const Vec3& p, const Distance& distance_squared, std::uint32_t& best,
                     double& least) const;

  std::vector<std::uint32_t> items_;
  std::vector<Node> nodes_;
};

template <class Visit>
void BoxTree::around(const Vec3& p, const Visit& visit) const {
  std::uint32_t stack[kDeepest];
  int top = 0;
  if (!nodes_.empty() && holds(nodes_[0], p)) stack[top++] = 0;
  while (top > 0) {
    const Node& node = nodes_[stack[--top]];
    for (std::uint32_t k = node.first; k < node.first + node.count; ++k) visit(k);
    if (node.count > 0) continue;
    if (holds(nodes_[node.first + 1], p)) stack[top++] = node.first + 1;
    if (holds(nodes_[node.first], p)) stack[top++] = node.first;
  }
}

template <class Visit>
void BoxTree::within(const Box3& box, const Visit& visit) const {
  std::uint32_t stack[kDeepest];
  int top = 0;
  if (!nodes_.empty() && meet(nodes_[0], box)) stack[top++] = 0;
  while (top > 0) {
    const Node& node = nodes_[stack[--top]];
    for (std::uint32_t k = node.first; k < node.first + node.count; ++k) visit(items_[k]);
    if (node.count > 0) continue;
    if (meet(nodes_[node.first + 1], box)) stack[top++] = node.first + 1;
    if (meet(nodes_[node.first], box)) stack[top++] = node.first;
  }
}

template <class Seen, class Visit>
void BoxTree::across(const BoxTree& other, const Seen& seen, const Visit& visit) const {
  struct Pair {
    std::uint32_t mine, others;
    Box3 box;  // of mine, as the other sees it
  };
  Pair stack[kMostPairs];
  int top = 0;
  if (nodes_.empty() || other.nodes_.empty()) return;
  stack[top++] = {0, 0, seen(box_of(nodes_[0]))};
  while (top > 0) {
    const Pair pair = stack[--top];
    const Node &a = nodes_[pair.mine], &b = other.nodes_[pair.others];
    if (!meet(b, pair.box)) continue;
    if (a.count > 0 && b.count > 0) {
      for (std::uint32_t k = a.first; k < a.first + a.count; ++k)
        for (std::uint32_t l = b.first; l < b.first + b.count; ++l) visit(items_[k], other.items_[l]);
      continue;
    }
    const bool split_mine =
        a.count == 0 && (b.count > 0 || pair.box.size().squaredNorm() >= box_of(b).size().squaredNorm());
    for (const std::uint32_t child : {0u, 1u})
      if (split_mine)
        stack[top++] = {a.first + child, pair.others, seen(box_of(nodes_[a.first + child]))};
      else
        stack[top++] = {pair.mine, b.first + child, pair.box};
  }
}

template <class Distance>
void BoxTree::nearest_below(std::uint32_t at, double gap, const Vec3& p, const Distance& distance_squared,
                            std::uint32_t& best, double& least) const {
  // A little slack: the distance is computed in another way than the gap, and equals must all be looked at.
  if (gap * (1 - 1e-9) > least) return;
  const Node& node = nodes_[at];
  if (node.count > 0) {
    for (std::uint32_t k = node.first; k < node.first + node.count; ++k) {
      const std::uint32_t i = items_[k];
      const double d = distance_squared(i);
      if (d < least || (d == least && i < best)) least = d, best = i;
    }
    return;
  }
  std::uint32_t near = node.first, far = node.first + 1;
  double near_gap = gap_squared(nodes_[near], p), far_gap = gap_squared(nodes_[far], p);
  if (far_gap < near_gap) std::swap(near, far), std::swap(near_gap, far_gap);
  nearest_below(near, near_gap, p, distance_squared, best, least);
  nearest_below(far, far_gap, p, distance_squared, best, least);
}

template <class Visit>
void BoxTree::along(const MeshRay& ray, const double& furthest, const Visit& visit) const {
  if (nodes_.empty()) return;
  constexpr double kMissed = std::numeric_limits<double>::infinity();
  const Vec3 inverse = ray.direction.cwiseInverse();
  // Where the ray enters the box of a node; infinite when it misses. A division 0 · ∞ gives a NaN, which min and max as
  // written here pass over: the ray runs in the plane of that side.
  const auto entry = [&](const Node& node) {
    double enter = 0, leave = furthest;
    for (int axis = 0; axis < 3; ++axis) {
      const double a = (static_cast<double>(node.low[axis]) - ray.origin[axis]) * inverse[axis];
      const double b = (static_cast<double>(node.high[axis]) - ray.origin[axis]) * inverse[axis];
      const double near = a < b ? a : b, far = a < b ? b : a;
      if (near > enter) enter = near;
      if (far < leave) leave = far;
    }
    return enter <= leave * (1 + 1e-12) ? enter : kMissed;
  };
  std::uint32_t stack[kDeepest];
  int depth = 0;
  stack[depth++] = 0;
  while (depth > 0) {
    const Node& node = nodes_[stack[--depth]];
    if (entry(node) > furthest) continue;
    for (std::uint32_t k = node.first; k < node.first + node.count; ++k) visit(items_[k]);
    if (node.count > 0) continue;
    const double left = entry(nodes_[node.first]), right = entry(nodes_[node.first + 1]);
    const bool left_first = left <= right;
    if ((left_first ? right : left) < kMissed) stack[depth++] = left_first ? node.first + 1 : node.first;
    if ((left_first ? left : right) < kMissed) stack[depth++] = left_first ? node.first : node.first + 1;
  }
}

template <class Visit>
void BoxTree::pairs(const Visit& visit) const {
  std::pair<std::uint32_t, std::uint32_t> stack[kMostPairs];
  int top = 0;
  if (!nodes_.empty()) stack[top++] = {0, 0};
  while (top > 0) {
    const auto [at, other] = stack[--top];
    const Node &a = nodes_[at], &b = nodes_[other];
    if (at == other) {
      for (std::uint32_t k = a.first; k < a.first + a.count; ++k)
        for (std::uint32_t l = k + 1; l < a.first + a.count; ++l) visit(items_[k], items_[l]);
      if (a.count > 0) continue;
      stack[top++] = {a.first, a.first};
      stack[top++] = {a.first + 1, a.first + 1};
      stack[top++] = {a.first, a.first + 1};
      continue;
    }
    if (!meet(a, b)) continue;
    if (a.count > 0 && b.count > 0) {
      for (std::uint32_t k = a.first; k < a.first + a.count; ++k)
        for (std::uint32_t l = b.first; l < b.first + b.count; ++l) visit(items_[k], items_[l]);
      continue;
    }
    // The children of the one that is no leaf; of two the first, whose turn comes back with its children.
    const bool split_a = a.count == 0 && (b.count > 0 || at < other);
    for (std::uint32_t child : {0u, 1u})
      stack[top++] = split_a ? std::pair(a.first + child, other) : std::pair(at, b.first + child);
  }
}

}  // namespace hazumi
