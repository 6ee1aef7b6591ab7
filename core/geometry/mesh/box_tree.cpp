#include "core/geometry/mesh/box_tree.h"

#include <numeric>

namespace hazumi {

BoxTree::BoxTree(std::vector<Box3> boxes) : boxes_(std::move(boxes)), items_(boxes_.size()) {
  std::iota(items_.begin(), items_.end(), 0u);
  if (!boxes_.empty()) build(0, static_cast<std::uint32_t>(boxes_.size()));
}

std::uint32_t BoxTree::build(std::uint32_t first, std::uint32_t count) {
  const auto at = static_cast<std::uint32_t>(nodes_.size());
  nodes_.emplace_back();
  Box3 box, centres;
  for (std::uint32_t k = first; k < first + count; ++k) {
    const Box3& b = boxes_[items_[k]];
    box.add(b.low);
    box.add(b.high);
    centres.add(b.centre());
  }
  nodes_[at].box = box;
  if (count <= kLeaf) {
    nodes_[at].first = first;
    nodes_[at].count = count;
    return at;
  }
  Eigen::Index axis = 0;
  centres.size().maxCoeff(&axis);
  const std::uint32_t half = count / 2;
  const auto begin = items_.begin() + first;
  std::nth_element(begin, begin + half, begin + count, [&](std::uint32_t a, std::uint32_t b) {
    const double x = boxes_[a].centre()[axis], y = boxes_[b].centre()[axis];
    return x != y ? x < y : a < b;
  });
  build(first, half);
  const std::uint32_t right = build(first + half, count - half);
  nodes_[at].right = right;
  return at;
}

}  // namespace hazumi
