#include "core/sim/particles/face_cells.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/math/clones.h"

namespace hazumi {

namespace {

constexpr std::size_t kMostEntries = 32;  // of all lists, for each face; more are too large for cells

constexpr double kReach = 1.001;  // of its way, that a particle turned back does not leave
constexpr std::size_t kLanes = 8;
static_assert(FaceWays::kMost % kLanes == 0);

/// As FaceCells::range() does of a ball.
HAZUMI_WIDE_CLONES void find_reach(const double* low, double per_metre, double last, std::size_t count,
                                   FaceWays& ways) {
  for (std::size_t i = 0; i < count; ++i) {
    const double x = ways.q[0][i] - ways.p[0][i], y = ways.q[1][i] - ways.p[1][i], z = ways.q[2][i] - ways.p[2][i];
    ways.reach[i] = kReach * std::sqrt(x * x + y * y + z * z);
  }
  for (int k = 0; k < 3; ++k)
    for (std::size_t i = 0; i < count; ++i) {
      const double radius = ways.radius[i] + ways.reach[i];
      const double a = (ways.p[k][i] - radius - low[k]) * per_metre, b = (ways.p[k][i] + radius - low[k]) * per_metre;
      const double from = a > 0 ? (a < last ? a : last) : 0, to = b > 0 ? (b < last ? b : last) : 0;
      ways.from[k][i] = static_cast<std::int32_t>(from);
      ways.to[k][i] = static_cast<std::int32_t>(to);
    }
}

/// By what rounding moves a face or what comes near it, many times over.
Box3 with_slack(const FaceCells::Face& face) {
  Box3 out;
  for (const Vec3& corner : face.corners) out.add(corner);
  for (int k = 0; k < 3; ++k) {
    const double slack = 1e-6 * std::max(std::abs(out.low[k]), std::abs(out.high[k])) + 1e-30;
    out.low[k] -= slack;
    out.high[k] += slack;
  }
  return out;
}

/// Outwards in its plane, across the edges from each corner to the next one; unit, or zero.
std::array<Vec3, 3> across_edges(const FaceCells::Face& face) {
  std::array<Vec3, 3> out;
  for (std::size_t k = 0; k < 3; ++k) {
    const Vec3& a = face.corners[k];
    const Vec3 across = (face.corners[(k + 1) % 3] - a).cross(face.normal);
    const double length = across.norm(), behind = across.dot(face.corners[(k + 2) % 3] - a);
    out[k] = length > 0 ? Vec3(across / (behind > 0 ? -length : length)) : Vec3(Vec3::Zero());
  }
  return out;
}

}  // namespace

FaceCells::FaceCells(std::span<const Face> faces) {
  Box3 all;
  for (const Face& face : faces) {
    const Box3 wide = with_slack(face);
    all.add(wide.low);
    all.add(wide.high);
  }
  if (faces.empty() || !all.low.allFinite() || !all.high.allFinite()) return;
  low_ = all.low;
  side_ = all.size().maxCoeff() / kCells;
  if (!(side_ > 0) || !std::isfinite(1 / side_)) return;
  rows_.assign(kCells * kCells, 0);
  std::size_t entries = 0;
  for (const Face& face : faces)
    each_cell(face, [&](std::size_t row, int x) {
      rows_[row] |= std::uint64_t{1} << x;
      ++entries;
    });
  if (entries <= kMostEntries * faces.size()) list(faces);
}

/// visit(row, x) of all cells that the face goes through.
template <class Visit>
void FaceCells::each_cell(const Face& face, const Visit& visit) const {
  const Range at = range(with_slack(face));
  const double slack = 1e-6 * (low_.cwiseAbs().maxCoeff() + kCells * side_);
  const std::array<Vec3, 3> edges = across_edges(face);
  const auto reach_along = [&](const Vec3& normal) { return 0.5 * side_ * normal.cwiseAbs().sum() + slack; };
  const double reach = reach_along(face.normal);
  std::array<double, 3> most;  // levels of centres, of cells that are not outside of an edge
  for (std::size_t k = 0; k < 3; ++k) most[k] = edges[k].dot(face.corners[k]) + reach_along(edges[k]);
  for (int z = at.from[2]; z <= at.to[2]; ++z)
    for (int y = at.from[1]; y <= at.to[1]; ++y)
      for (int x = at.from[0]; x <= at.to[0]; ++x) {
        const Vec3 centre = low_ + side_ * Vec3(x + 0.5, y + 0.5, z + 0.5);
        bool through = std::abs(face.normal.dot(centre - face.corners[0])) <= reach;
        for (std::size_t k = 0; k < 3; ++k) through = through && edges[k].dot(centre) <= most[k];
        if (through) visit(static_cast<std::size_t>(kCells * z + y), x);
      }
}

void FaceCells::list(std::span<const Face> faces) {
  std::uint32_t cells = 0;
  for (const std::uint64_t row : rows_) {
    before_.push_back(cells);
    cells += static_cast<std::uint32_t>(std::popcount(row));
  }
  cells_.resize(cells + 1);
  std::vector<Vec3> normals(cells, Vec3::Zero());
  for (const Face& face : faces)
    each_cell(face, [&](std::size_t row, int x) {
      const std::size_t at = cell(row, x);
      ++cells_[at + 1].start;
      normals[at] += normals[at].dot(face.normal) < 0 ? Vec3(-face.normal) : face.normal;
    });
  for (std::size_t c = 0; c < cells; ++c) {
    Cell& one = cells_[c];
    cells_[c + 1].start += one.start;
    const Vec3 n = normals[c].norm() > 0.1 ? Vec3(normals[c].normalized()) : Vec3(Vec3::UnitY());
    for (int k = 0; k < 3; ++k) one.normal[k] = static_cast<float>(n[k]);
    one.low = std::numeric_limits<float>::max();
    one.high = -one.low;
  }
  faces_.assign(cells_.back().start + 3, 0);
  std::vector<std::uint32_t> next;
  for (const Cell& one : cells_) next.push_back(one.start);
  slack_ = static_cast<float>(1e-6 * (low_.cwiseAbs().maxCoeff() + 2 * kCells * side_));
  for (std::uint32_t f = 0; f < faces.size(); ++f) {
    const Face& face = faces[f];
    Plate& plate = plates_.emplace_back();
    const std::array<Vec3, 3> edges = across_edges(face);
    for (std::size_t side = 0; side < 4; ++side) {
      const Vec3& normal = side == 0 ? face.normal : edges[side - 1];
      for (int k = 0; k < 3; ++k) plate.planes[side][k] = static_cast<float>(normal[k]);
      plate.planes[side][3] = static_cast<float>(normal.dot(face.corners[side == 0 ? 0 : side - 1]));
    }
    each_cell(face, [&](std::size_t row, int x) {
      const std::size_t at = cell(row, x);
      faces_[next[at]++] = f;
      Cell& one = cells_[at];
      for (const Vec3& corner : face.corners) {
        const double level = one.normal[0] * corner.x() + one.normal[1] * corner.y() + one.normal[2] * corner.z();
        one.low = std::min(one.low, static_cast<float>(level));
        one.high = std::max(one.high, static_cast<float>(level));
      }
    });
  }
}

bool FaceCells::none_in(const Range& at) const {
  const std::uint64_t along = bits(at.from[0], at.to[0]);
  std::uint64_t any = 0;
  for (const int z : {at.from[2], at.to[2]})
    for (const int y : {at.from[1], at.to[1]}) any |= rows_[static_cast<std::size_t>(kCells * z + y)];
  if (at.to[1] - at.from[1] > 1 || at.to[2] - at.from[2] > 1)
    for (int z = at.from[2]; z <= at.to[2]; ++z)
      for (int y = at.from[1]; y <= at.to[1]; ++y) any |= rows_[static_cast<std::size_t>(kCells * z + y)];
  return (any & along) == 0;
}

/// False: too many, or there are no lists.
bool FaceCells::collect(const Range& at, Found& found) const {
  const std::uint64_t along = bits(at.from[0], at.to[0]);
  for (int z = at.from[2]; z <= at.to[2]; ++z)
    for (int y = at.from[1]; y <= at.to[1]; ++y) {
      const auto row = static_cast<std::size_t>(kCells * z + y);
      for (std::uint64_t left = rows_[row] & along; left != 0; left &= left - 1) {
        if (cells_.empty() || found.count == kMostCells) return false;
        found.cells[found.count++] = static_cast<std::uint32_t>(cell(row, std::countr_zero(left)));
      }
    }
  return true;
}

/// Leaves out cells whose faces are all on one side of the way, and not at it. False: too many faces are left.
bool FaceCells::leave_out(const Sought& way, Found& found) const {
  std::uint32_t kept = 0, faces = 0;
  for (std::uint32_t k = 0; k < found.count; ++k) {
    const std::uint32_t c = found.cells[k];
    const Cell& one = cells_[c];
    const float first = along_normal(one.normal, way.from), last = along_normal(one.normal, way.to);
    // Without a branch, which would go wrong every other time.
    const float beside = std::max(std::min(first, last) - one.high, one.low - std::max(first, last));
    const std::uint32_t left = beside > way.off ? 0 : 1;
    found.cells[kept] = c;
    kept += left;
    faces += left * (cells_[c + 1].start - one.start);
  }
  found.count = kept;
  return faces <= kMostFaces;
}

FaceCells::Sought FaceCells::sought(const Vec3& p, const Vec3& q, double radius) const {
  Sought way;
  for (int k = 0; k < 3; ++k) {
    way.from[k] = static_cast<float>(p[k]);
    way.to[k] = static_cast<float>(q[k]);
  }
  way.off = static_cast<float>(radius) + slack_;
  return way;
}

/// Cells that the ball of way i reaches. False: nothing is left to be looked at.
bool FaceCells::reach(FaceWays& ways, std::size_t i, std::uint32_t obstacle, Found& found) const {
  FacesAround& around = *ways.around[i];
  around.obstacle = ~0u;
  ways.free[i] = 1;
  around.centre = Vec3(ways.p[0][i], ways.p[1][i], ways.p[2][i]);
  around.reach = ways.reach[i];
  around.radius = ways.radius[i];
  around.count = 0;
  Range at;
  for (int k = 0; k < 3; ++k) {
    at.from[k] = ways.from[k][i];
    at.to[k] = ways.to[k][i];
  }
  if (none_in(at)) {
    around.obstacle = obstacle;
    return false;
  }
  if (!collect(at, found)) {
    look_along(ways, i);
    return false;
  }
  for (std::uint32_t k = 0; k < found.count; ++k) __builtin_prefetch(&cells_[found.cells[k]]);
  return true;
}

/// Where there is no list for all that the particle may meet.
void FaceCells::look_along(FaceWays& ways, std::size_t i) const {
  const Vec3 p(ways.p[0][i], ways.p[1][i], ways.p[2][i]), q(ways.q[0][i], ways.q[1][i], ways.q[2][i]);
  if (!along(p, q, ways.radius[i], [&](std::uint32_t) { ways.free[i] = 0; })) ways.free[i] = 0;
}

void FaceCells::judge(FaceWays& ways, std::size_t i, std::uint32_t obstacle, const Found& found) const {
  FacesAround& around = *ways.around[i];
  const Vec3 q(ways.q[0][i], ways.q[1][i], ways.q[2][i]);
  const Sought ball = sought(around.centre, around.centre, around.radius + around.reach);
  const Sought way = sought(around.centre, q, around.radius);
  Faces faces;
  const std::uint32_t count = faces_in(found, faces);
  std::uint32_t near = 0, met = 0;
  for (std::uint32_t k = 0; k < count; k += 4) {
    const Four these = four(&faces[k]);
    const std::uint32_t some_of = some(count - k), reached = comes_to(these, ball) & some_of;
    met |= comes_to(these, way) & some_of;
    for (std::uint32_t lane = 0; lane < 4; ++lane) {
      around.faces[std::min(near, FacesAround::kMost)] = faces[k + lane];
      near += reached >> lane & 1;
    }
  }
  around.count = near;
  ways.free[i] = met == 0 ? 1 : 0;
  if (near > FacesAround::kMost) return;
  around.obstacle = obstacle;
  for (std::uint32_t lane = 0; lane < 3; ++lane) around.faces[near + lane] = 0;
}

/// Those of all cells one after the other; three more are any.
std::uint32_t FaceCells::faces_in(const Found& found, Faces& faces) const {
  std::uint32_t count = 0;
  for (std::uint32_t k = 0; k < found.count; ++k) {
    const std::uint32_t begin = cells_[found.cells[k]].start, end = cells_[found.cells[k] + 1].start;
    for (std::uint32_t i = begin; i < end; i += 4)
      std::memcpy(&faces[count + i - begin], &faces_[i], 4 * sizeof(std::uint32_t));
    count += end - begin;
  }
  for (std::uint32_t k = 0; k < 3; ++k) faces[count + k] = 0;
  return count;
}

FaceCells::Four FaceCells::four(const std::uint32_t* faces) const {
  Four out;
  for (int side = 0; side < 4; ++side) {
    Quad of[4];
    for (int k = 0; k < 4; ++k) std::memcpy(&of[k], plates_[faces[k]].planes[side], sizeof of[k]);
    const Quad a = __builtin_shufflevector(of[0], of[1], 0, 4, 1, 5);
    const Quad b = __builtin_shufflevector(of[2], of[3], 0, 4, 1, 5);
    const Quad c = __builtin_shufflevector(of[0], of[1], 2, 6, 3, 7);
    const Quad d = __builtin_shufflevector(of[2], of[3], 2, 6, 3, 7);
    out.normal[side][0] = __builtin_shufflevector(a, b, 0, 1, 4, 5);
    out.normal[side][1] = __builtin_shufflevector(a, b, 2, 3, 6, 7);
    out.normal[side][2] = __builtin_shufflevector(c, d, 0, 1, 4, 5);
    out.level[side] = __builtin_shufflevector(c, d, 2, 3, 6, 7);
  }
  return out;
}

void FaceCells::look(FaceWays& ways, std::uint32_t obstacle) const {
  if (rows_.empty()) {
    std::fill_n(ways.free.begin(), ways.count, 0);
    return;
  }
  const std::size_t whole = (ways.count + kLanes - 1) / kLanes * kLanes;
  for (std::size_t i = ways.count; i < whole; ++i) {
    for (int k = 0; k < 3; ++k) ways.p[k][i] = ways.q[k][i] = 0;
    ways.radius[i] = 0;
  }
  find_reach(low_.data(), 1 / side_, kCells - 1, whole, ways);
  // What each step reads of memory is asked for in the one before it, of all ways.
  std::array<Found, FaceWays::kMost> found;
  std::array<std::uint8_t, FaceWays::kMost> which;
  std::size_t count = 0, kept = 0;
  for (std::size_t i = 0; i < ways.count; ++i) {
    found[count].count = 0;
    if (!reach(ways, i, obstacle, found[count])) continue;
    which[count++] = static_cast<std::uint8_t>(i);
  }
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t i = which[k];
    FacesAround& around = *ways.around[i];
    if (!leave_out(sought(around.centre, around.centre, around.radius + around.reach), found[k])) {
      look_along(ways, i);
      continue;
    }
    if (found[k].count == 0) {
      around.obstacle = obstacle;
      continue;
    }
    for (std::uint32_t c = 0; c < found[k].count; ++c) __builtin_prefetch(&faces_[cells_[found[k].cells[c]].start]);
    which[kept] = static_cast<std::uint8_t>(i);
    found[kept++] = found[k];
  }
  for (std::size_t k = 0; k < kept; ++k) judge(ways, which[k], obstacle, found[k]);
}

// Rises with the coordinate, rounding included: what meets shares a cell. What is outside counts to the border.
FaceCells::Range FaceCells::range(const Box3& box) const {
  Range at;
  const double per_metre = 1 / side_;
  for (int k = 0; k < 3; ++k) {
    const auto number = [&](double x) {
      const double c = (x - low_[k]) * per_metre;
      return c > 0 ? (c < kCells - 1 ? static_cast<int>(c) : kCells - 1) : 0;
    };
    at.from[k] = number(box.low[k]);
    at.to[k] = std::max(at.from[k], number(box.high[k]));
  }
  return at;
}

}  // namespace hazumi
