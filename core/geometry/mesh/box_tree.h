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

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "core/geometry/mesh/mesh.h"

namespace hazumi {

/// A box of floats rounded outwards, 32 bytes. The fourth numbers are nobody's.
struct alignas(16) FlatBox {
  float low[4], high[4];
};
FlatBox flat_box(const Box3& box);

/// Borders included; each points to four floats of which three count.
inline bool flat_meet(const float* low, const float* high, const float* other_low, const float* other_high) {
#if defined(__SSE2__)
  const __m128 below = _mm_cmple_ps(_mm_loadu_ps(low), _mm_loadu_ps(other_high));
  const __m128 above = _mm_cmple_ps(_mm_loadu_ps(other_low), _mm_loadu_ps(high));
  return (_mm_movemask_ps(_mm_and_ps(below, above)) & 7) == 7;
#else
  bool meets = true;
  for (int k = 0; k < 3; ++k) meets &= (low[k] <= other_high[k]) & (other_low[k] <= high[k]);
  return meets;
#endif
}
inline bool meet(const FlatBox& a, const FlatBox& b) { return flat_meet(a.low, a.high, b.low, b.high); }

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
  /// The same for boxes that lie in order().
  void refit_placed(std::span<const FlatBox> placed);

  /// Items as they lie in the leaves: what is kept in this order too is looked at without jumps through memory.
  std::span<const std::uint32_t> order() const { return items_; }
  /// Of the leaves: first place in order(), and how many.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> leaves() const;

  /// visit(place in order()) for every item whose box holds p, borders included, and for some others; in no particular order.
  template <class Visit>
  void around(const Vec3& p, const Visit& visit) const;

  /// The item with the least distance_squared(i), the lowest number of several; `nothing` of an empty tree.
  /// distance_squared(i) is never less than the squared distance from p to box i.
  /// Faster where an item near p is known: `best`, at `least`.
  template <class Distance>
  std::uint32_t nearest(const Vec3& p, const Distance& distance_squared, std::uint32_t best = nothing,
                        double least = std::numeric_limits<double>::infinity()) const {
    if (!nodes_.empty()) nearest_below(0, gap_squared(nodes_[0], p), p, distance_squared, best, least);
    return best;
  }

  /// visit(i) for the items whose box the ray meets at a parameter from 0 to `furthest`, and for some others, the nearer
  /// ones first. visit may lower `furthest` as it finds hits.
  template <class Visit>
  void along(const MeshRay& ray, const double& furthest, const Visit& visit) const;

  /// visit(k, l) once for every two places in order() whose boxes `placed` meet, borders included, and for no others; in no
  /// particular order. `placed`: boxes that lie in order().
  template <class Visit>
  void pairs(std::span<const FlatBox> placed, const Visit& visit) const;

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
  // Leaf: items_[first, first + count); else count 0, children at first, first + 1. Two times four numbers, for flat_meet().
  struct Node {
    Vec3f low = Vec3f::Zero();
    std::uint32_t first = 0;
    Vec3f high = Vec3f::Zero();
    std::uint32_t count = 0;
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
    return flat_meet(a.low.data(), a.high.data(), b.low.data(), b.high.data());
  }
  static bool meet(const FlatBox& a, const Node& b) { return flat_meet(a.low, a.high, b.low.data(), b.high.data()); }
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
  if (nodes_.empty() || !meet(nodes_[0], box)) return;
  stack[top++] = 0;
  const FlatBox flat = nodes_[0].count > 0 ? FlatBox{} : flat_box(box);
  while (top > 0) {
    const Node& node = nodes_[stack[--top]];
    for (std::uint32_t k = node.first; k < node.first + node.count; ++k) visit(items_[k]);
    if (node.count > 0) continue;
    if (meet(flat, nodes_[node.first + 1])) stack[top++] = node.first + 1;
    if (meet(flat, nodes_[node.first])) stack[top++] = node.first;
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
void BoxTree::pairs(std::span<const FlatBox> placed, const Visit& visit) const {
  // One number for two nodes: what is written as two halves and read at once would have to wait.
  const auto both = [](std::uint32_t a, std::uint32_t b) { return static_cast<std::uint64_t>(a) << 32 | b; };
  std::uint64_t stack[kMostPairs];
  int top = 0;
  if (!nodes_.empty()) stack[top++] = 0;
  while (top > 0) {
    const std::uint64_t two = stack[--top];
    const auto at = static_cast<std::uint32_t>(two >> 32), other = static_cast<std::uint32_t>(two);
    const Node &a = nodes_[at], &b = nodes_[other];
    if (at == other) {
      for (std::uint32_t k = a.first; k < a.first + a.count; ++k)
        for (std::uint32_t l = k + 1; l < a.first + a.count; ++l)
          if (hazumi::meet(placed[k], placed[l])) visit(k, l);
      if (a.count > 0) continue;
      stack[top++] = both(a.first, a.first);
      stack[top++] = both(a.first + 1, a.first + 1);
      if (meet(nodes_[a.first], nodes_[a.first + 1])) stack[top++] = both(a.first, a.first + 1);
      continue;
    }
    if (a.count > 0 && b.count > 0) {
      for (std::uint32_t k = a.first; k < a.first + a.count; ++k) {
        if (!meet(placed[k], b)) continue;
        for (std::uint32_t l = b.first; l < b.first + b.count; ++l)
          if (hazumi::meet(placed[k], placed[l])) visit(k, l);
      }
      continue;
    }
    // The children of the one that is no leaf; of two the first, whose turn comes back with its children.
    const bool split_a = a.count == 0 && (b.count > 0 || at < other);
    const Node &split = split_a ? a : b, &whole = split_a ? b : a;
    for (std::uint32_t child = split.first; child < split.first + 2; ++child)
      if (meet(nodes_[child], whole)) stack[top++] = split_a ? both(child, other) : both(at, child);
  }
}

}  // namespace hazumi
