#include "core/sim/particles/face_cells.h"

#include <algorithm>
#include <cmath>

namespace hazumi {

namespace {

constexpr std::size_t kMostEntries = 32;  // of all lists, for each face; more are too large for cells

/// By what rounding moves a face or what comes near it, many times over.
Box3 with_slack(const Box3& box) {
  Box3 out = box;
  for (int k = 0; k < 3; ++k) {
    const double slack = 1e-6 * std::max(std::abs(box.low[k]), std::abs(box.high[k])) + 1e-30;
    out.low[k] -= slack;
    out.high[k] += slack;
  }
  return out;
}

}  // namespace

FaceCells::FaceCells(std::span<const Face> faces) {
  Box3 all;
  for (const Face& face : faces) {
    const Box3 wide = with_slack(face.box);
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
  const Range at = range(with_slack(face.box));
  const double reach =
      0.5 * side_ * face.normal.cwiseAbs().sum() + 1e-6 * (low_.cwiseAbs().maxCoeff() + kCells * side_);
  for (int z = at.from[2]; z <= at.to[2]; ++z)
    for (int y = at.from[1]; y <= at.to[1]; ++y)
      for (int x = at.from[0]; x <= at.to[0]; ++x) {
        const Vec3 centre = low_ + side_ * Vec3(x + 0.5, y + 0.5, z + 0.5);
        if (std::abs(face.normal.dot(centre - face.place)) <= reach) visit(static_cast<std::size_t>(kCells * z + y), x);
      }
}

void FaceCells::list(std::span<const Face> faces) {
  std::uint32_t cells = 0;
  for (const std::uint64_t row : rows_) {
    before_.push_back(cells);
    cells += static_cast<std::uint32_t>(std::popcount(row));
  }
  start_.assign(cells + 1, 0);
  for (const Face& face : faces) each_cell(face, [&](std::size_t row, int x) { ++start_[cell(row, x) + 1]; });
  for (std::size_t c = 1; c < start_.size(); ++c) start_[c] += start_[c - 1];
  faces_.resize(start_.back());
  std::vector<std::uint32_t> next(start_.begin(), start_.end() - 1);
  slack_ = static_cast<float>(1e-6 * (low_.cwiseAbs().maxCoeff() + 2 * kCells * side_));
  for (std::uint32_t f = 0; f < faces.size(); ++f) {
    const Vec3& n = faces[f].normal;
    const Entry entry{{static_cast<float>(n.x()), static_cast<float>(n.y()), static_cast<float>(n.z())},
                      static_cast<float>(n.dot(faces[f].place)),
                      f};
    each_cell(faces[f], [&](std::size_t row, int x) { faces_[next[cell(row, x)]++] = entry; });
  }
}

bool FaceCells::free(const Vec3& p, const Vec3& q, double radius) const {
  bool free = true;
  return along(p, q, radius, [&](std::uint32_t) { free = false; }) && free;
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
