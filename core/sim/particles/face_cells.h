// Which faces may be near a place: over all of them lie lattices of 64, 32, 16 and 8 cells along the longest side, and each cell knows of all
// faces that are in it or nearer than three eighths of its side. So one cell, of the lattice that is just coarse enough, says all of a ball that is no
// larger: most are near none, which a bit tells; else the faces, as far as they are there, are in a slab, mostly a thin one, that few balls come
// to, and a list of them takes the place of a walk down a tree. Where lists are long, and for larger balls, it is the tree that is asked.
// A lattice takes up to 64 kB, and 28 bytes for each entry of its lists; one that would have more than 16,384 and 32 a face is left out. A face
// takes 96 bytes besides.
#pragma once

#include <algorithm>
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
  static constexpr std::uint32_t kMost = 16, kNone = ~0u;
  std::uint32_t obstacle;  ///< the list is of that one; kNone: nothing else is told. Not set until it is told
  std::uint32_t count;
  std::uint32_t on_way;                        ///< a bit for each that it may come to on the way that was looked at
  Vec3 centre;                                 ///< in its axes, m
  double reach, radius;                        ///< m: of all ways that stay within the reach, of a ball of that radius
  std::array<std::uint32_t, kMost + 4> faces;  ///< and behind the last three more, of any that there are
  static FacesAround none() {
    FacesAround out = {};
    out.obstacle = kNone;
    return out;
  }
};

/// Of a block, one behind the other: few are near anything.
struct FacesTold {
  static constexpr std::size_t kMost = 136;
  static constexpr std::uint8_t kNone = 255;
  std::array<std::uint8_t, kMost> which;    ///< in the list, of each
  std::array<FacesAround, kMost + 1> list;  ///< and one to write in
  std::uint8_t count;
  FacesAround nothing = FacesAround::none();
  void clear() {
    which.fill(kNone);
    count = 0;
  }
  const FacesAround& of(std::size_t i) const { return which[i] == kNone ? nothing : list[which[i]]; }
};

/// Ways of balls that are looked at side by side: from p to q in the axes of the faces. Up to seven behind the last are made up.
struct FaceWays {
  static constexpr std::size_t kMost = 136;
  template <class T>
  using List = std::array<T, kMost>;
  alignas(64) List<double> p[3];
  alignas(64) List<double> q[3];      ///< m
  alignas(64) List<double> radius;    ///< m
  alignas(64) List<double> asked;     ///< 1: of this way; of others nothing is said
  alignas(64) List<double> reach;     ///< m, out: a little more than their length
  alignas(64) List<std::int32_t> at;  ///< out: cell of the finest lattice
  List<std::uint8_t>
      met;  ///< out: those that may come to a face; others come to none, with a millionth of their coordinates to spare
  FacesTold* told = nullptr;  ///< out, too: of those of which the cells tell it, and that some may be near
  std::size_t count = 0, met_count = 0;
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
  /// visit(face) for all that a ball may come to on its straight way from p to q; in no particular order. False: nothing was visited, ask a
  /// tree.
  template <class Visit>
  bool along(const Vec3& p, const Vec3& q, double radius, const Visit& visit) const;
  /// The same of these faces alone, on the way that was looked at.
  template <class Visit>
  static void on_way(const FacesAround& faces, const Visit& visit) {
    for (std::uint32_t met = faces.on_way; met != 0; met &= met - 1)
      visit(faces.faces[static_cast<std::size_t>(std::countr_zero(met))]);
  }
  /// And on another one.
  template <class Visit>
  void among(const FacesAround& faces, const Vec3& p, const Vec3& q, double radius, const Visit& visit) const {
    if (faces.count > kFew) return scan(faces.faces.data(), faces.count, sought(p, q, radius), visit);
    for (std::uint32_t i = 0; i < faces.count; ++i) visit(faces.faces[i]);
  }

 private:
  static constexpr std::uint32_t kFew = 4;         // that are not worth a look
  static constexpr std::uint32_t kMostFaces = 48;  // of one answer: a tree finds fewer in less time
  static constexpr std::uint32_t kNoList = 63;
  static constexpr double kReach = 1.001;  // of its way, that a particle turned back does not leave
  using Quad = float __attribute__((vector_size(16)));
  using Mask = std::int32_t __attribute__((vector_size(16)));
  /// Rounded to floats.
  struct Sought {
    float from[3], to[3];  // m
    float off = 0;         // m, from a plane
  };
  struct Cell {
    float normal[3] = {}, low = 0, high = 0;      // all of its faces, as far as they go, are in that slab, m
    std::uint32_t start : 26 = 0, count : 6 = 0;  // in faces_; kNoList: there are too many
  };
  /// Along x, a bit a cell that is not empty.
  struct Row {
    std::uint64_t bits = 0;
    std::uint32_t before = 0;  // cells that are not empty, of the rows before
  };
  struct Level {
    int cells[3] = {};                 // along each axis, up to 64
    double side = 1, most = 0;         // m, of a cell; of a ball that one cell knows all of
    Vec3 low = Vec3::Zero();           // m
    std::vector<Row> rows;             // along y, then z; and one that is empty
    std::vector<Cell> full;            // those that are not empty
    std::vector<std::uint32_t> faces;  // of cell after cell, and three more
  };
  /// Of a face, rounded to floats: its plane, and those across it through its edges, outwards; normal and level of each.
  struct Plate {
    alignas(64) float planes[4][4];
  };
  /// A face's, rounded to floats outwards.
  struct Bounds {
    Quad low, high;  // and a fourth of nothing
  };
  /// Of faces side by side: a branch for each of them costs more than all that it spares.
  struct Four {
    Quad normal[4][3], level[4];
  };
  struct Nears {  // each list by itself: an entry that is read as a whole behind its parts would be waited for
    template <class T>
    using List = std::array<T, FaceWays::kMost>;
    List<const Level*> level;
    List<std::uint32_t> way, cell;
  };
  bool make_level(std::span<const Face> faces, const Box3& all, int cells, Level& level) const;
  void find_slabs(std::span<const Face> faces, std::span<const std::uint32_t> starts,
                  std::span<const std::uint32_t> which, Level& level) const;
  void make_plate(const Face& face);
  const Level* level_of(double reach) const;
  std::size_t near_some(const FaceWays& ways, Nears& out) const;
  std::size_t large_ones(FaceWays& ways, std::size_t count, Nears& out) const;
  std::size_t in_slabs(const FaceWays& ways, std::size_t count, Nears& nears) const;
  std::uint32_t in_box(const std::uint32_t* faces, std::uint32_t count, const Sought& way, float reach,
                       std::uint32_t* out) const;
  void judge(FaceWays& ways, std::uint32_t i, std::span<const std::uint32_t> faces, std::uint32_t obstacle) const;
  Sought sought(const Vec3& p, const Vec3& q, double radius) const;
  Four four(const std::uint32_t* faces) const;
  /// Nothing: none is near. The place is taken to be one that the level knows.
  static const Cell* find(const Level& level, const Vec3& p) {
    int at[3];
    for (int k = 0; k < 3; ++k) {
      const double c = (p[k] - level.low[k]) * (1 / level.side);
      if (!(c >= 0 && c < level.cells[k])) return nullptr;
      at[k] = static_cast<int>(c);
    }
    const Row& row = level.rows[static_cast<std::size_t>(level.cells[1] * at[2] + at[1])];
    return (row.bits >> at[0] & 1) != 0 ? &level.full[cell(row, at[0])] : nullptr;
  }
  static std::uint32_t cell(const Row& row, int x) {
    return row.before + static_cast<std::uint32_t>(std::popcount(row.bits & ~(~std::uint64_t{0} << x)));
  }
  /// How far a slab is beside a way.
  static float beside(const Cell& cell, const float* from, const float* to) {
    const auto along = [&](const float* p) {
      return cell.normal[0] * p[0] + cell.normal[1] * p[1] + cell.normal[2] * p[2];
    };
    const float first = along(from), last = along(to);
    return std::max(std::min(first, last) - cell.high, cell.low - std::max(first, last));
  }
  /// visit(face) of those that the way comes to. Three more may be read.
  template <class Visit>
  void scan(const std::uint32_t* faces, std::uint32_t count, const Sought& way, const Visit& visit) const {
    for (std::uint32_t i = 0; i < count; i += 4)
      for (std::uint32_t met = comes_to(four(faces + i), way, 0)[0] & some(count - i); met != 0; met &= met - 1)
        visit(faces[i + static_cast<std::uint32_t>(std::countr_zero(met))]);
  }
  static std::uint32_t some(std::uint32_t count) { return count < 4 ? (1u << count) - 1 : 15u; }
  static std::uint32_t bits(const Mask& mask) {
    std::uint64_t half[2];
    std::memcpy(half, &mask, sizeof half);
    const auto two = [](std::uint64_t x) { return (x & 1) | (x >> 62 & 2); };
    return static_cast<std::uint32_t>(two(half[0]) | two(half[1]) << 2);
  }
  /// A bit for each of the four: it is not on one side of the face's plane all along, nor outside of one of the edges. Then the same of a ball
  /// round where the way begins that is larger by the reach, m.
  static std::array<std::uint32_t, 2> comes_to(const Four& faces, const Sought& way, float reach) {
    const auto along = [](const Quad* n, const Quad& level, const float* p) {
      return n[0] * p[0] + n[1] * p[1] + n[2] * p[2] - level;
    };
    const float off = way.off, wide = off + reach;
    const Quad first = along(faces.normal[0], faces.level[0], way.from);
    const Quad last = along(faces.normal[0], faces.level[0], way.to);
    Mask past = ((first > off) & (last > off)) | ((first < -off) & (last < -off));
    Mask far = (first > wide) | (first < -wide);
    for (int k = 1; k < 4; ++k) {
      const Quad out = along(faces.normal[k], faces.level[k], way.from);
      past |= (out > off) & (along(faces.normal[k], faces.level[k], way.to) > off);
      far |= out > wide;
    }
    return {~bits(past) & 15, ~bits(far) & 15};
  }

  std::vector<Level> levels_;  // from fine to coarse
  std::vector<Plate> plates_;
  std::vector<Bounds> bounds_;
  float slack_ = 0;  // m, of planes that are rounded
};

template <class Visit>
bool FaceCells::along(const Vec3& p, const Vec3& q, double radius, const Visit& visit) const {
  const Level* level = level_of(radius + kReach * (q - p).norm());
  if (!level) return false;
  const Cell* cell = find(*level, p);
  if (!cell) return true;
  if (cell->count == kNoList) return false;
  const Sought way = sought(p, q, radius);
  if (!(beside(*cell, way.from, way.to) > way.off)) scan(&level->faces[cell->start], cell->count, way, visit);
  return true;
}

}  // namespace hazumi
