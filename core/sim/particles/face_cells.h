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
  std::uint32_t obstacle = ~0u;  ///< the list is of that one; ~0: of none, and nothing else is told
  std::uint32_t count;
  Vec3 centre;                                 ///< in its axes, m
  double reach, radius;                        ///< m: of all ways that stay within the reach, of a ball of that radius
  std::array<std::uint32_t, kMost + 4> faces;  ///< and behind the last three more, of any that there are
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
  /// The same of these faces alone.
  template <class Visit>
  void among(const FacesAround& faces, const Vec3& p, const Vec3& q, double radius, const Visit& visit) const {
    scan(faces.faces.data(), faces.count, sought(p, q, radius), visit);
  }

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
  /// Of a face, rounded to floats: its plane, and those across it through its edges, outwards; normal and level of each.
  struct Plate {
    alignas(64) float planes[4][4];
  };
  /// Of faces side by side: a branch for each of them costs more than all that it spares.
  struct Four {
    Quad normal[4][3], level[4];
  };
  using Faces = std::array<std::uint32_t, kMostFaces + 4>;
  Range range(const Box3& box) const;
  template <class Visit>
  void each_cell(const Face& face, const Visit& visit) const;
  void list(std::span<const Face> faces);
  bool none_in(const Range& at) const;
  bool collect(const Range& at, Found& found) const;
  bool leave_out(const Sought& way, Found& found) const;
  Sought sought(const Vec3& p, const Vec3& q, double radius) const;
  bool reach(FaceWays& ways, std::size_t i, std::uint32_t obstacle, Found& found) const;
  void look_along(FaceWays& ways, std::size_t i) const;
  void judge(FaceWays& ways, std::size_t i, std::uint32_t obstacle, const Found& found) const;
  std::uint32_t faces_in(const Found& found, Faces& faces) const;
  Four four(const std::uint32_t* faces) const;
  /// visit(face) of those that the way comes to. Three more may be read.
  template <class Visit>
  void scan(const std::uint32_t* faces, std::uint32_t count, const Sought& way, const Visit& visit) const {
    for (std::uint32_t i = 0; i < count; i += 4)
      for (std::uint32_t met = comes_to(four(faces + i), way) & some(count - i); met != 0; met &= met - 1)
        visit(faces[i + static_cast<std::uint32_t>(std::countr_zero(met))]);
  }
  static std::uint64_t bits(int from, int to) { return (~std::uint64_t{0} >> (63 - (to - from))) << from; }
  std::size_t cell(std::size_t row, int x) const {
    return before_[row] + static_cast<std::size_t>(std::popcount(rows_[row] & ~(~std::uint64_t{0} << x)));
  }
  static float along_normal(const float* normal, const float* p) {
    return normal[0] * p[0] + normal[1] * p[1] + normal[2] * p[2];
  }
  static std::uint32_t some(std::uint32_t count) { return count < 4 ? (1u << count) - 1 : 15u; }
  /// A bit for each of the four: it is not on one side of the face's plane all along, nor outside of one of the edges.
  static std::uint32_t comes_to(const Four& faces, const Sought& way) {
    const auto along = [](const Quad* n, const Quad& level, const float* p) {
      return n[0] * p[0] + n[1] * p[1] + n[2] * p[2] - level;
    };
    const auto first = along(faces.normal[0], faces.level[0], way.from);
    const auto last = along(faces.normal[0], faces.level[0], way.to);
    auto off = ((first > way.off) & (last > way.off)) | ((first < -way.off) & (last < -way.off));
    for (int k = 1; k < 4; ++k)
      off |= (along(faces.normal[k], faces.level[k], way.from) > way.off) &
             (along(faces.normal[k], faces.level[k], way.to) > way.off);
    std::uint64_t half[2];
    std::memcpy(half, &off, sizeof half);
    const auto bits = [](std::uint64_t two) { return (two & 1) | (two >> 62 & 2); };
    return static_cast<std::uint32_t>(~(bits(half[0]) | bits(half[1]) << 2) & 15);
  }

  Vec3 low_ = Vec3::Zero();
  double side_ = 1;                    // m, of a cell
  std::vector<std::uint64_t> rows_;    // along x, a bit a cell that is not empty; then y, then z
  std::vector<std::uint32_t> before_;  // cells that are not empty, of the rows before
  std::vector<Cell> cells_;            // of those, and one for the end; empty: too many for lists
  std::vector<std::uint32_t> faces_;   // of cell after cell, and three more
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
  Faces faces;
  const std::uint32_t count = faces_in(found, faces);
  scan(faces.data(), count, way, visit);
  return true;
}

}  // namespace hazumi
