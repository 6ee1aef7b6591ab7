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

/// visit(row, x) of all cells of its box that its plane goes through.
template <class Visit>
void FaceCells::each_cell(const Face& face, const Visit& visit) const {
  const Range at = range(with_slack(face));
  const double reach =
      0.5 * side_ * face.normal.cwiseAbs().sum() + 1e-6 * (low_.cwiseAbs().maxCoeff() + kCells * side_);
  for (int z = at.from[2]; z <= at.to[2]; ++z)
    for (int y = at.from[1]; y <= at.to[1]; ++y)
      for (int x = at.from[0]; x <= at.to[0]; ++x) {
        const Vec3 centre = low_ + side_ * Vec3(x + 0.5, y + 0.5, z + 0.5);
        if (std::abs(face.normal.dot(centre - face.corners[0])) <= reach)
          visit(static_cast<std::size_t>(kCells * z + y), x);
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
  faces_.resize(cells_.back().start);
  std::vector<std::uint32_t> next;
  for (const Cell& one : cells_) next.push_back(one.start);
  slack_ = static_cast<float>(1e-6 * (low_.cwiseAbs().maxCoeff() + 2 * kCells * side_));
  for (std::uint32_t f = 0; f < faces.size(); ++f) {
    const Face& face = faces[f];
    Plate& plate = plates_.emplace_back();
    const Box3 box = with_slack(face);
    for (int k = 0; k < 3; ++k) {
      plate.low[k] = static_cast<float>(box.low[k]);
      plate.high[k] = static_cast<float>(box.high[k]);
      plate.normal[k] = static_cast<float>(face.normal[k]);
    }
    plate.low[3] = plate.high[3] = 0;
    plate.level = static_cast<float>(face.normal.dot(face.corners[0]));
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
    if (std::min(first, last) - one.high > way.off || one.low - std::max(first, last) > way.off) continue;
    found.cells[kept++] = c;
    faces += cells_[c + 1].start - one.start;
  }
  found.count = kept;
  return faces <= kMostFaces;
}

FaceCells::Sought FaceCells::sought(const Vec3& p, const Vec3& q, double radius) const {
  Sought way;
  for (int k = 0; k < 3; ++k) {
    way.from[k] = static_cast<float>(p[k]);
    way.to[k] = static_cast<float>(q[k]);
    way.low[k] = static_cast<float>(std::min(p[k], q[k]) - radius);
    way.high[k] = static_cast<float>(std::max(p[k], q[k]) + radius);
  }
  way.low[3] = way.high[3] = 0;
  way.off = static_cast<float>(radius) + slack_;
  return way;
}

void FaceCells::judge(FaceWays& ways, std::size_t i, std::uint32_t obstacle) const {
  FacesAround& around = *ways.around[i];
  around.obstacle = ~0u;
  ways.free[i] = 1;
  Found found;
  Range at;
  for (int k = 0; k < 3; ++k) {
    at.from[k] = ways.from[k][i];
    at.to[k] = ways.to[k][i];
  }
  const Vec3 p(ways.p[0][i], ways.p[1][i], ways.p[2][i]);
  around.centre = p;
  around.reach = ways.reach[i];
  around.radius = ways.radius[i];
  around.count = 0;
  bool told = collect(at, found);
  if (told && found.count == 0) {
    around.obstacle = obstacle;
    return;
  }
  const Vec3 q(ways.q[0][i], ways.q[1][i], ways.q[2][i]);
  const Sought ball = sought(p, p, around.radius + around.reach);
  told = told && leave_out(ball, found);
  if (!told) {
    if (!along(p, q, around.radius, [&](std::uint32_t) { ways.free[i] = 0; })) ways.free[i] = 0;
    return;
  }
  const Sought way = sought(p, q, around.radius);
  scan(found, [&](std::uint32_t f) {
    const Plate& plate = plates_[f];
    if (!comes_to(plate, ball)) return;
    if (around.count < FacesAround::kMost) around.faces[around.count] = f;
    ++around.count;
    if (ways.free[i] != 0 && comes_to(plate, way)) ways.free[i] = 0;
  });
  if (around.count <= FacesAround::kMost) around.obstacle = obstacle;
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
  for (std::size_t i = 0; i < ways.count; ++i) judge(ways, i, obstacle);
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
