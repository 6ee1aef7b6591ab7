#include "core/geometry/mesh/box_tree.h"

#include <cassert>
#include <cmath>
#include <numeric>

namespace hazumi {

namespace {

// Rounded outwards, so that a float box holds what the double one holds. A step down is a little more than the distance to
// the next float, which std::nextafter would take ten times as long to find.
float rounded_down(double x) {
  constexpr float kHuge = std::numeric_limits<float>::max();
  if (!(x >= -static_cast<double>(kHuge))) return -std::numeric_limits<float>::infinity();
  const float f = x < static_cast<double>(kHuge) ? static_cast<float>(x) : kHuge;
  if (!(static_cast<double>(f) > x)) return f;
  return f - (std::abs(f) * std::numeric_limits<float>::epsilon() + std::numeric_limits<float>::denorm_min());
}
float rounded_up(double x) { return -rounded_down(-x); }

}  // namespace

// Always a step outwards, without a branch: several times as fast, for boxes that are made anew in every sub-step.
FlatBox flat_box(const Box3& box) {
  constexpr double kHuge = std::numeric_limits<float>::max();
  constexpr float kStep = std::numeric_limits<float>::epsilon(), kLeast = std::numeric_limits<float>::denorm_min();
  FlatBox flat;
  for (int k = 0; k < 3; ++k) {
    const double low = box.low[k] < kHuge ? box.low[k] : kHuge, high = box.high[k] > -kHuge ? box.high[k] : -kHuge;
    const auto from = static_cast<float>(low > -kHuge ? low : -kHuge),
               to = static_cast<float>(high < kHuge ? high : kHuge);
    flat.low[k] = from - (std::abs(from) * kStep + kLeast);
    flat.high[k] = to + (std::abs(to) * kStep + kLeast);
  }
  flat.low[3] = flat.high[3] = 0;
  return flat;
}

BoxTree::BoxTree(std::span<const Box3> boxes, std::uint32_t leaf) : items_(boxes.size()) {
  const std::size_t count = boxes.size();
  std::iota(items_.begin(), items_.end(), 0u);
  if (count == 0) return;
  if (count <= leaf) {
    Box3 all;
    for (const Box3& box : boxes) {
      all.low = all.low.cwiseMin(box.low);
      all.high = all.high.cwiseMax(box.high);
    }
    nodes_.push_back(
        {all.low.unaryExpr(&rounded_down), 0, all.high.unaryExpr(&rounded_up), static_cast<std::uint32_t>(count)});
    return;
  }
  std::vector<Vec3f> low(count), high(count), centre(count);
  for (std::size_t i = 0; i < count; ++i) {
    const Box3& box = boxes[i];
    low[i] = box.low.unaryExpr(&rounded_down);
    high[i] = box.high.unaryExpr(&rounded_up);
    // A number that is none has no place in an order.
    centre[i] = box.centre().cast<float>().unaryExpr([](float x) { return std::isfinite(x) ? x : 0.0f; });
  }
  struct Task {
    std::uint32_t node, first, count;
  };
  nodes_.reserve(2 * (count / (leaf / 2) + 1));
  nodes_.emplace_back();
  std::vector<Task> tasks = {{0, 0, static_cast<std::uint32_t>(count)}};
  while (!tasks.empty()) {
    const Task task = tasks.back();
    tasks.pop_back();
    Vec3f least = low[items_[task.first]], most = high[items_[task.first]];
    Vec3f from = centre[items_[task.first]], to = from;
    for (std::uint32_t k = task.first; k < task.first + task.count; ++k) {
      const std::uint32_t i = items_[k];
      least = least.cwiseMin(low[i]);
      most = most.cwiseMax(high[i]);
      from = from.cwiseMin(centre[i]);
      to = to.cwiseMax(centre[i]);
    }
    nodes_[task.node].low = least;
    nodes_[task.node].high = most;
    if (task.count <= leaf) {
      nodes_[task.node].first = task.first;
      nodes_[task.node].count = task.count;
      // In order, so that of faces met at the same place the first one is found without a search.
      std::sort(items_.begin() + task.first, items_.begin() + task.first + task.count);
      continue;
    }
    Eigen::Index axis = 0;
    (to - from).maxCoeff(&axis);
    const std::uint32_t half = task.count / 2;
    const auto begin = items_.begin() + task.first;
    std::nth_element(begin, begin + half, begin + task.count, [&](std::uint32_t a, std::uint32_t b) {
      const float x = centre[a][axis], y = centre[b][axis];
      return x != y ? x < y : a < b;
    });
    const auto left = static_cast<std::uint32_t>(nodes_.size());
    nodes_.emplace_back();
    nodes_.emplace_back();
    nodes_[task.node].first = left;
    tasks.push_back({left + 1, task.first + half, task.count - half});
    tasks.push_back({left, task.first, half});
  }
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> BoxTree::leaves() const {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> found;
  for (const Node& node : nodes_)
    if (node.count > 0) found.emplace_back(node.first, node.count);
  std::sort(found.begin(), found.end());
  return found;
}

void BoxTree::refit(std::span<const Box3> boxes) {
  assert(boxes.size() == items_.size());
  for (std::size_t at = nodes_.size(); at-- > 0;) {  // children stand behind their parents
    Node& node = nodes_[at];
    if (node.count == 0) {
      node.low = nodes_[node.first].low.cwiseMin(nodes_[node.first + 1].low);
      node.high = nodes_[node.first].high.cwiseMax(nodes_[node.first + 1].high);
      continue;
    }
    Box3 all = boxes[items_[node.first]];
    for (std::uint32_t k = node.first + 1; k < node.first + node.count; ++k) {
      all.low = all.low.cwiseMin(boxes[items_[k]].low);
      all.high = all.high.cwiseMax(boxes[items_[k]].high);
    }
    node.low = all.low.unaryExpr(&rounded_down);
    node.high = all.high.unaryExpr(&rounded_up);
  }
}

void BoxTree::refit_placed(std::span<const FlatBox> placed) {
  assert(placed.size() == items_.size());
  for (std::size_t at = nodes_.size(); at-- > 0;) {
    Node& node = nodes_[at];
    if (node.count == 0) {
      node.low = nodes_[node.first].low.cwiseMin(nodes_[node.first + 1].low);
      node.high = nodes_[node.first].high.cwiseMax(nodes_[node.first + 1].high);
      continue;
    }
    FlatBox all = placed[node.first];
    for (std::uint32_t k = node.first + 1; k < node.first + node.count; ++k)
      for (int axis = 0; axis < 4; ++axis) {
        all.low[axis] = std::min(all.low[axis], placed[k].low[axis]);
        all.high[axis] = std::max(all.high[axis], placed[k].high[axis]);
      }
    node.low = Eigen::Map<const Vec3f>(all.low);
    node.high = Eigen::Map<const Vec3f>(all.high);
  }
}

std::size_t BoxTree::memory_use() const {
  return sizeof *this + nodes_.capacity() * sizeof(Node) + items_.capacity() * sizeof(std::uint32_t);
}

}  // namespace hazumi
