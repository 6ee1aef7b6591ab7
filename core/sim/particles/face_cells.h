// Which faces are in which cells of a lattice over all of them, 64 along the longest side: most places are near none, which a few bits tell, and
// elsewhere a short list takes the place of a walk down a tree. Where lists are long it is the tree that is asked.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/geometry/mesh/mesh.h"

namespace hazumi {

class FaceCells {
 public:
  struct Face {
    Box3 box;
    Vec3 place, normal;  ///< of its plane, m; unit, or zero without area
  };
  FaceCells() = default;  ///< has no answer
  explicit FaceCells(std::span<const Face> faces);

  /// True: a ball of this radius on its straight way from p to q comes to no face, with a millionth of their coordinates to spare.
  bool free(const Vec3& p, const Vec3& q, double radius) const;
  /// visit(face) for all that such a way may come to, some more than once; in no particular order. False: nothing was visited, ask a tree.
  template <class Visit>
  bool along(const Vec3& p, const Vec3& q, double radius, const Visit& visit) const;

 private:
  static constexpr int kCells = 64;
  static constexpr std::uint32_t kMostFaces = 48;  // of one answer: a tree finds fewer in less time
  static constexpr int kMostCells = 8;
  struct Range {
    int from[3], to[3];
  };
  Range range(const Box3& box) const;
  template <class Visit>
  void each_cell(const Face& face, const Visit& visit) const;
  void list(std::span<const Face> faces);
  static std::uint64_t bits(int from, int to) { return (~std::uint64_t{0} >> (63 - (to - from))) << from; }
  std::size_t cell(std::size_t row, int x) const {
    return before_[row] + static_cast<std::size_t>(std::popcount(rows_[row] & ~(~std::uint64_t{0} << x)));
  }

  Vec3 low_ = Vec3::Zero();
  double side_ = 1;                    // m, of a cell
  std::vector<std::uint64_t> rows_;    // along x, a bit a cell that is not empty; then y, then z
  std::vector<std::uint32_t> before_;  // cells that are not empty, of the rows before
  std::vector<std::uint32_t> start_;   // of each of them in faces_, and the end; empty: too many for lists
  struct Entry {
    float normal[3], level;  // of its plane
    std::uint32_t face;
  };
  std::vector<Entry> faces_;
  float slack_ = 0;  // m, of what is rounded to floats
};

template <class Visit>
bool FaceCells::along(const Vec3& p, const Vec3& q, double radius, const Visit& visit) const {
  if (rows_.empty()) return false;
  const Vec3 reach = Vec3::Constant(radius);
  const Range at = range({p.cwiseMin(q) - reach, p.cwiseMax(q) + reach});
  const std::uint64_t along = bits(at.from[0], at.to[0]);
  std::size_t found[kMostCells];
  int count = 0;
  std::uint32_t faces = 0;
  for (int z = at.from[2]; z <= at.to[2]; ++z)
    for (int y = at.from[1]; y <= at.to[1]; ++y) {
      const auto row = static_cast<std::size_t>(kCells * z + y);
      for (std::uint64_t left = rows_[row] & along; left != 0; left &= left - 1) {
        if (start_.empty() || count == kMostCells) return false;
        const std::size_t one = cell(row, std::countr_zero(left));
        faces += start_[one + 1] - start_[one];
        found[count++] = one;
      }
    }
  if (count == 0) return true;
  if (faces > kMostFaces) return false;
  const float a[3] = {static_cast<float>(p.x()), static_cast<float>(p.y()), static_cast<float>(p.z())};
  const float b[3] = {static_cast<float>(q.x()), static_cast<float>(q.y()), static_cast<float>(q.z())};
  const float off = static_cast<float>(radius) + slack_;
  for (int k = 0; k < count; ++k)
    for (std::uint32_t i = start_[found[k]]; i < start_[found[k] + 1]; ++i) {
      const Entry& entry = faces_[i];
      const auto& n = entry.normal;
      const float first = n[0] * a[0] + n[1] * a[1] + n[2] * a[2] - entry.level;
      const float last = n[0] * b[0] + n[1] * b[1] + n[2] * b[2] - entry.level;
      // All of the way on one side of the plane, and not at it.
      if ((first > off && last > off) || (first < -off && last < -off)) continue;
      visit(entry.face);
    }
  return true;
}

}  // namespace hazumi
