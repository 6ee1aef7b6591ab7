// Which faces are in which cells of a lattice over all of them, 64 along the longest side: most places are near none, which a few bits tell.
// Elsewhere the faces of a cell are in a slab, mostly a thin one, that few ways come to, and a short list of them takes the place of a walk
// down a tree. Where lists are long it is the tree that is asked.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "core/geometry/mesh/mesh.h"

namespace hazumi {

/// Faces that a ball may come to from where it is, told once for all that it meets in a sub-step.
struct FacesAround {
  static constexpr std::uint32_t kMost = 16;
  std::uint32_t obstacle = ~0u;  ///< the list is of that one; ~0: of none
  Vec3 centre;                   ///< in its axes, m
  double reach = 0, radius = 0;  ///< m: of all ways that stay within the reach, of a ball of that radius
  std::uint32_t count = 0;
  std::array<std::uint32_t, kMost> faces;
};

/// Ways of balls that are looked at side by side: from p to q in the axes of the faces.
struct FaceWays {
  static constexpr std::size_t kMost = 136;
  template <class T>
  using List = std::array<T, kMost>;
  alignas(64) List<double> p[3];
  alignas(64) List<double> q[3];           ///< m
  alignas(64) List<double> radius;         ///< m
  alignas(64) List<double> reach;          ///< m, out: a little more than their length
  alignas(64) List<std::int32_t> from[3];  ///< out: cells that they reach
  alignas(64) List<std::int32_t> to[3];    ///< out
  List<FacesAround*> around;               ///< told are those of which the cells tell it
  List<std::uint8_t> free;  ///< out: 1: it comes to no face, with a millionth of their coordinates to spare
  std::size_t count = 0;
};

class FaceCells {
 public:
  struct Face {
    std::array<Vec3, 3> corners;  ///< m
    Vec3 normal;                  ///< unit, or zero without area
  };
  FaceCells() = default;  ///< has no answer
  explicit FaceCells(std::span<const Face> faces);

  void look(FaceWays& ways, std::uint32_t obstacle) const;
  /// visit(face) for all that a ball may come to on its straight way from p to q, some more than once; in no particular order. False: nothing
  /// was visited, ask a tree.
  template <class Visit>
  bool along(const Vec3& p, const Vec3& q, double radius, const Visit& visit) const;

 private:
  static constexpr int kCells = 64;
  static constexpr std::uint32_t kMostFaces = 48;  // of one answer: a tree finds fewer in less time
  static constexpr int kMostCells = 8;
  struct Range {
    int from[3], to[3];
  };
  using Quad = float __attribute__((vector_size(16)));
  /// Rounded to floats.
  struct Sought {
    Quad low, high;        // m, of the way and the ball
    float from[3], to[3];  // m
    float off = 0;         // m, from a plane
  };
  struct Found {
    std::uint32_t count = 0;
    std::array<std::uint32_t, kMostCells> cells;
  };
  struct Cell {
    float normal[3] = {}, low = 0, high = 0;  // all of its faces, as far as they go, are in that slab, m
    std::uint32_t start = 0;                  // in faces_
  };
  struct Plate {                // of a face; rounded to floats
    alignas(16) float low[4];   // m
    alignas(16) float high[4];  // m
    float normal[3], level;     // of its plane
  };
  Range range(const Box3& box) const;
  template <class Visit>
  void each_cell(const Face& face, const Visit& visit) const;
  void list(std::span<const Face> faces);
  bool collect(const Range& at, Found& found) const;
  bool leave_out(const Sought& way, Found& found) const;
  Sought sought(const Vec3& p, const Vec3& q, double radius) const;
  void judge(FaceWays& ways, std::size_t i, std::uint32_t obstacle) const;
  template <class Visit>
  void scan(const Found& found, const Visit& visit) const {
    for (std::uint32_t k = 0; k < found.count; ++k)
      for (std::uint32_t i = cells_[found.cells[k]].start; i < cells_[found.cells[k] + 1].start; ++i) visit(faces_[i]);
  }
  static std::uint64_t bits(int from, int to) { return (~std::uint64_t{0} >> (63 - (to - from))) << from; }
  std::size_t cell(std::size_t row, int x) const {
    return before_[row] + static_cast<std::size_t>(std::popcount(rows_[row] & ~(~std::uint64_t{0} << x)));
  }
  static float along_normal(const float* normal, const float* p) {
    return normal[0] * p[0] + normal[1] * p[1] + normal[2] * p[2];
  }
  static bool apart(const Plate& plate, const Sought& way) {
    Quad least, most;
    std::memcpy(&least, plate.low, sizeof least);
    std::memcpy(&most, plate.high, sizeof most);
    const auto lanes = (least > way.high) | (most < way.low);
    std::uint64_t half[2];
    std::memcpy(half, &lanes, sizeof half);
    return (half[0] | half[1]) != 0;
  }
  /// The box of the way is that of the face, and it is not on one side of its plane all along.
  static bool comes_to(const Plate& plate, const Sought& way) {
    if (apart(plate, way)) return false;
    const float first = along_normal(plate.normal, way.from) - plate.level;
    const float last = along_normal(plate.normal, way.to) - plate.level;
    return !(first > way.off && last > way.off) && !(first < -way.off && last < -way.off);
  }

  Vec3 low_ = Vec3::Zero();
  double side_ = 1;                    // m, of a cell
  std::vector<std::uint64_t> rows_;    // along x, a bit a cell that is not empty; then y, then z
  std::vector<std::uint32_t> before_;  // cells that are not empty, of the rows before
  std::vector<Cell> cells_;            // of those, and one for the end; empty: too many for lists
  std::vector<std::uint32_t> faces_;
  std::vector<Plate> plates_;
  float slack_ = 0;  // m, of planes that are rounded
};

template <class Visit>
bool FaceCells::along(const Vec3& p, const Vec3& q, double radius, const Visit& visit) const {
  if (rows_.empty()) return false;
  const Vec3 reach = Vec3::Constant(radius);
  Found found;
  if (!collect(range({p.cwiseMin(q) - reach, p.cwiseMax(q) + reach}), found)) return false;
  if (found.count == 0) return true;
  const Sought way = sought(p, q, radius);
  if (!leave_out(way, found)) return false;
  scan(found, [&](std::uint32_t f) {
    if (comes_to(plates_[f], way)) visit(f);
  });
  return true;
}

}  // namespace hazumi
