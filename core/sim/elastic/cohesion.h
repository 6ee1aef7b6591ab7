// What of a truss hangs together when some of its springs have broken.
//
// A truss of tetrahedra is braced: from one of them every node is reached that three springs hold, not in a plane, to nodes reached
// before. Of such a truss a part is what is reached so. What hangs on a node, an edge or two springs alone would flap without
// anything that resists it at first order, as springs do along their reference direction only; it comes off, and its springs break too.
// Of other trusses (lines, sheets, boxes without diagonals) a part is whatever springs connect.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/geometry/truss/truss.h"

namespace hazumi {

class Cohesion {
 public:
  Cohesion() = default;
  Cohesion(std::span<const Vec3> nodes, std::span<const Spring> springs);

  bool braced() const { return braced_; }
  /// Part of each node, numbered in the order of their lowest nodes. `broken`: of each spring; those between parts become so.
  std::vector<std::uint32_t> parts(std::vector<char>& broken) const;
  /// Springs at a node: the other node, the spring; ascending.
  std::span<const std::pair<std::uint32_t, std::uint32_t>> around(std::uint32_t node) const {
    return std::span(around_).subspan(first_[node], first_[node + 1] - first_[node]);
  }

 private:
  using Labels = std::vector<std::uint32_t>;
  bool joined(std::uint32_t a, std::uint32_t b, const std::vector<char>& broken) const;
  bool find_tetrahedron(std::uint32_t node, const std::vector<char>& broken, const Labels& label,
                        std::array<std::uint32_t, 4>& out) const;
  void grow(std::uint32_t part, std::vector<std::uint32_t> reached, const std::vector<char>& broken,
            Labels& label) const;
  bool holds(std::uint32_t node, std::uint32_t part, const std::vector<char>& broken, const Labels& label) const;
  void connect(std::uint32_t part, std::uint32_t from, const std::vector<char>& broken, Labels& label) const;

  std::vector<Vec3> nodes_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> around_;  // other node, spring
  std::vector<std::uint32_t> first_;
  std::vector<Spring> springs_;
  bool braced_ = false;
};

}  // namespace hazumi
