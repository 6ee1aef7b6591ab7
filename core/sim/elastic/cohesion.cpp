#include "core/sim/elastic/cohesion.h"

#include <algorithm>
#include <numeric>

namespace hazumi {
namespace {

constexpr std::uint32_t kNoPart = 0xffffffffu;
constexpr double kFlatSprings = 0.01;  // of det Σ b bᵀ: directions of springs that lie in a plane

}  // namespace

Cohesion::Cohesion(std::span<const Vec3> nodes, std::span<const Spring> springs)
    : nodes_(nodes.begin(), nodes.end()), springs_(springs.begin(), springs.end()) {
  const std::size_t n = nodes.size();
  first_.assign(n + 1, 0);
  for (const Spring& s : springs) {
    ++first_[s.a + 1];
    ++first_[s.b + 1];
  }
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  around_.resize(2 * springs.size());
  std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
  for (std::uint32_t k = 0; k < springs.size(); ++k) {
    around_[next[springs[k].a]++] = {springs[k].b, k};
    around_[next[springs[k].b]++] = {springs[k].a, k};
  }
  for (std::size_t i = 0; i < n; ++i) std::sort(around_.begin() + first_[i], around_.begin() + first_[i + 1]);

  const std::vector<char> none(springs.size(), 0);
  Labels label(n, kNoPart);
  std::array<std::uint32_t, 4> seed{};
  for (std::uint32_t i = 0; i < n; ++i) {
    if (!find_tetrahedron(i, none, label, seed)) continue;
    grow(0, {seed.begin(), seed.end()}, none, label);
    break;
  }
  braced_ = n > 3 && std::find(label.begin(), label.end(), kNoPart) == label.end();
}

bool Cohesion::joined(std::uint32_t a, std::uint32_t b, const std::vector<char>& broken) const {
  const auto list = around(a);
  for (auto at = std::lower_bound(list.begin(), list.end(), std::pair(b, 0u)); at != list.end() && at->first == b; ++at)
    if (!broken[at->second]) return true;
  return false;
}

/// Of nodes that are in no part, `node` the lowest.
bool Cohesion::find_tetrahedron(std::uint32_t node, const std::vector<char>& broken, const Labels& label,
                                std::array<std::uint32_t, 4>& out) const {
  std::vector<std::uint32_t> near;
  for (const auto& [other, spring] : around(node))
    if (other > node && label[other] == kNoPart && !broken[spring] && (near.empty() || near.back() != other))
      near.push_back(other);
  for (std::size_t i = 0; i < near.size(); ++i)
    for (std::size_t j = i + 1; j < near.size(); ++j) {
      if (!joined(near[i], near[j], broken)) continue;
      for (std::size_t k = j + 1; k < near.size(); ++k) {
        if (!joined(near[i], near[k], broken) || !joined(near[j], near[k], broken)) continue;
        const Vec3& x = nodes_[node];
        const Vec3 a = (nodes_[near[i]] - x).normalized(), b = (nodes_[near[j]] - x).normalized(),
                   c = (nodes_[near[k]] - x).normalized();
        const double volume = a.cross(b).dot(c);
        if (volume * volume <= kFlatSprings) continue;
        out = {node, near[i], near[j], near[k]};
        return true;
      }
    }
  return false;
}

bool Cohesion::holds(std::uint32_t node, std::uint32_t part, const std::vector<char>& broken,
                     const Labels& label) const {
  Mat3 sum = Mat3::Zero();
  int count = 0;
  for (const auto& [other, spring] : around(node)) {
    if (broken[spring] || label[other] != part) continue;
    const Vec3 b = (nodes_[other] - nodes_[node]).normalized();
    sum += b * b.transpose();
    ++count;
  }
  return count > 2 && sum.determinant() > kFlatSprings;
}

void Cohesion::grow(std::uint32_t part, std::vector<std::uint32_t> reached, const std::vector<char>& broken,
                    Labels& label) const {
  for (const std::uint32_t node : reached) label[node] = part;
  for (std::size_t k = 0; k < reached.size(); ++k)
    for (const auto& [other, spring] : around(reached[k])) {
      if (broken[spring] || label[other] != kNoPart || !holds(other, part, broken, label)) continue;
      label[other] = part;
      reached.push_back(other);
    }
}

void Cohesion::connect(std::uint32_t part, std::uint32_t from, const std::vector<char>& broken, Labels& label) const {
  std::vector<std::uint32_t> reached{from};
  label[from] = part;
  for (std::size_t k = 0; k < reached.size(); ++k)
    for (const auto& [other, spring] : around(reached[k])) {
      if (broken[spring] || label[other] != kNoPart) continue;
      label[other] = part;
      reached.push_back(other);
    }
}

std::vector<std::uint32_t> Cohesion::parts(std::vector<char>& broken) const {
  const auto n = static_cast<std::uint32_t>(nodes_.size());
  Labels label(n, kNoPart);
  std::uint32_t count = 0;
  std::array<std::uint32_t, 4> seed{};
  if (braced_)
    for (std::uint32_t i = 0; i < n; ++i)
      if (label[i] == kNoPart && find_tetrahedron(i, broken, label, seed))
        grow(count++, {seed.begin(), seed.end()}, broken, label);
  for (std::uint32_t i = 0; i < n; ++i) {
    if (label[i] != kNoPart) continue;
    if (braced_)
      label[i] = count++;
    else
      connect(count++, i, broken, label);
  }
  for (std::size_t k = 0; k < springs_.size(); ++k)
    broken[k] = static_cast<char>(broken[k] || label[springs_[k].a] != label[springs_[k].b]);
  Labels number(count, kNoPart);  // a part grown later may have a lower node
  std::uint32_t next = 0;
  for (std::uint32_t& l : label) {
    if (number[l] == kNoPart) number[l] = next++;
    l = number[l];
  }
  return label;
}

}  // namespace hazumi
