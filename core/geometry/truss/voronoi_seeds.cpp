#include "core/geometry/truss/voronoi_seeds.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <voro++/voro++.hh>

#include "core/base/random.h"

namespace hazumi {

namespace {

constexpr double kPlaces = 60;  // for each seed, that Lloyd's steps look at
enum Purpose : std::uint64_t { kColumn = 1, kAlong, kChoice };

double chance(int seed, std::uint64_t index, std::uint64_t purpose) {
  return random_unit(static_cast<std::uint64_t>(seed), Id{1}, index, purpose);
}

/// Where lines along z, one in each square of a grid, are inside: places at random in steps of the grid's width.
std::vector<Vec3> places_inside(const WeldedSurface& surface, double width, int seed) {
  Box3 box;
  for (const Vec3& p : surface.positions) box.add(p);
  const auto columns = static_cast<std::int64_t>(std::ceil((box.high.x() - box.low.x()) / width)),
             rows = static_cast<std::int64_t>(std::ceil((box.high.y() - box.low.y()) / width));
  const auto at = [&](std::int64_t i, std::int64_t j) {
    const auto number = static_cast<std::uint64_t>(j * columns + i);
    return Eigen::Vector2d(box.low.x() + width * (static_cast<double>(i) + chance(seed, 2 * number, kColumn)),
                           box.low.y() + width * (static_cast<double>(j) + chance(seed, 2 * number + 1, kColumn)));
  };
  std::map<std::pair<std::int64_t, std::int64_t>, std::vector<double>> crossings;  // (row, column): heights
  const auto index = [&](double x, double low) { return static_cast<std::int64_t>(std::floor((x - low) / width)); };
  for (const auto& f : surface.faces) {
    const Vec3 &a = surface.positions[f[0]], &b = surface.positions[f[1]], &c = surface.positions[f[2]];
    const double twice = (b.x() - a.x()) * (c.y() - a.y()) - (b.y() - a.y()) * (c.x() - a.x());
    if (!(std::abs(twice) > 0)) continue;
    const auto [low_x, high_x] = std::minmax({a.x(), b.x(), c.x()});
    const auto [low_y, high_y] = std::minmax({a.y(), b.y(), c.y()});
    for (std::int64_t j = index(low_y, box.low.y()); j <= std::min(rows - 1, index(high_y, box.low.y())); ++j)
      for (std::int64_t i = index(low_x, box.low.x()); i <= std::min(columns - 1, index(high_x, box.low.x())); ++i) {
        const Eigen::Vector2d p = at(i, j);
        const auto side = [&](const Vec3& u, const Vec3& v) {
          return (v.x() - u.x()) * (p.y() - u.y()) - (v.y() - u.y()) * (p.x() - u.x());
        };
        const double wa = side(b, c) / twice, wb = side(c, a) / twice, wc = 1 - wa - wb;
        if (wa > 0 && wb > 0 && wc > 0) crossings[{j, i}].push_back(wa * a.z() + wb * b.z() + wc * c.z());
      }
  }
  std::vector<Vec3> places;
  std::uint64_t drawn = 0;
  for (auto& [square, heights] : crossings) {
    if (heights.size() % 2 != 0) continue;  // through an edge, to the last bit
    std::sort(heights.begin(), heights.end());
    const Eigen::Vector2d p = at(square.second, square.first);
    for (std::size_t k = 0; k < heights.size(); k += 2)
      for (double z = heights[k] + width * chance(seed, drawn++, kAlong); z < heights[k + 1];
           z += width * (0.5 + chance(seed, drawn++, kAlong)))
        places.emplace_back(p.x(), p.y(), z);
  }
  return places;
}

/// Seeds in the boxes of a grid.
class Nearest {
 public:
  Nearest(const std::vector<Vec3>& seeds, double width) : seeds_(seeds), width_(width) {
    for (std::uint32_t i = 0; i < seeds.size(); ++i) boxes_[box(seeds[i])].push_back(i);
  }
  /// `guess`: a seed that may be it.
  std::uint32_t of(const Vec3& p, std::uint32_t guess) const {
    std::uint32_t best = guess;
    double square = (seeds_[guess] - p).squaredNorm();
    const Key middle = box(p);
    for (std::int64_t ring = 0; width_ * static_cast<double>(ring - 1) < std::sqrt(square); ++ring)
      for (std::int64_t dz = -ring; dz <= ring; ++dz)
        for (std::int64_t dy = -ring; dy <= ring; ++dy)
          for (std::int64_t dx = -ring; dx <= ring; ++dx) {
            if (std::max({std::abs(dx), std::abs(dy), std::abs(dz)}) < ring) continue;
            const auto found = boxes_.find({middle[0] + dx, middle[1] + dy, middle[2] + dz});
            if (found == boxes_.end()) continue;
            for (const std::uint32_t i : found->second)
              if (const double d = (seeds_[i] - p).squaredNorm(); d < square || (d == square && i < best)) {
                square = d;
                best = i;
              }
          }
    return best;
  }

 private:
  using Key = std::array<std::int64_t, 3>;
  Key box(const Vec3& p) const {
    Key key;
    for (std::size_t k = 0; k < 3; ++k)
      key[k] = static_cast<std::int64_t>(std::floor(p[static_cast<Eigen::Index>(k)] / width_));
    return key;
  }
  const std::vector<Vec3>& seeds_;
  double width_;
  std::map<Key, std::vector<std::uint32_t>> boxes_;
};

}  // namespace

std::vector<Vec3> scattered_seeds(const WeldedSurface& surface, double volume, int count, int relaxation, int seed,
                                  const std::atomic<bool>& cancelled) {
  const auto wanted = static_cast<std::size_t>(count);
  const double apart = std::cbrt(volume / count);
  std::vector<Vec3> places = places_inside(surface, apart / std::cbrt(kPlaces), seed);
  // The first `wanted` of a shuffle.
  std::vector<Vec3> seeds = places;
  for (std::size_t i = 0; i < std::min(wanted, seeds.size()); ++i) {
    const auto rest = static_cast<double>(seeds.size() - i);
    std::swap(seeds[i], seeds[i + static_cast<std::size_t>(rest * chance(seed, i, kChoice))]);
  }
  if (seeds.size() > wanted) seeds.resize(wanted);
  if (seeds.empty()) return seeds;
  std::vector<std::uint32_t> nearest(places.size(), 0);
  for (int step = 0; step < relaxation && !cancelled; ++step) {
    const Nearest search(seeds, apart);
    std::vector<Vec3> sum(seeds.size(), Vec3::Zero());
    std::vector<double> number(seeds.size(), 0.0);
    for (std::size_t p = 0; p < places.size(); ++p) {
      nearest[p] = search.of(places[p], nearest[p]);
      sum[nearest[p]] += places[p];
      number[nearest[p]] += 1;
    }
    for (std::size_t i = 0; i < seeds.size(); ++i)
      if (number[i] > 0) seeds[i] = sum[i] / number[i];
  }
  return seeds;
}

ConvexCell voronoi_cell(const std::vector<Vec3>& seeds, std::size_t i, const Box3& box) {
  const Vec3& seed = seeds[i];
  std::vector<std::pair<double, std::size_t>> others;
  for (std::size_t j = 0; j < seeds.size(); ++j)
    if (j != i) others.emplace_back((seeds[j] - seed).squaredNorm(), j);
  std::sort(others.begin(), others.end());
  voro::voronoicell_neighbor cell;
  cell.init(box.low.x() - seed.x(), box.high.x() - seed.x(), box.low.y() - seed.y(), box.high.y() - seed.y(),
            box.low.z() - seed.z(), box.high.z() - seed.z());
  std::vector<double> numbers;
  for (const auto& [square, j] : others) {
    if (!(square > 0)) continue;
    cell.vertices(numbers);
    double reach = 0;
    for (std::size_t k = 0; k < numbers.size(); k += 3)
      reach = std::max(reach, Vec3(numbers[k], numbers[k + 1], numbers[k + 2]).squaredNorm());
    if (square > 4 * reach) break;  // no other bisector comes so near
    const Vec3 to = seeds[j] - seed;
    cell.nplane(to.x(), to.y(), to.z(), square, static_cast<int>(j) + 1);
  }
  ConvexCell out;
  cell.vertices(seed.x(), seed.y(), seed.z(), numbers);
  for (std::size_t k = 0; k < numbers.size(); k += 3)
    out.corners.emplace_back(numbers[k], numbers[k + 1], numbers[k + 2]);
  std::vector<int> lists, ids;
  cell.face_vertices(lists);
  cell.neighbors(ids);
  for (std::size_t at = 0; at < lists.size(); at += static_cast<std::size_t>(lists[at]) + 1) {
    std::vector<std::uint32_t> face;
    for (std::size_t k = 0; k < static_cast<std::size_t>(lists[at]); ++k)
      face.push_back(static_cast<std::uint32_t>(lists[at + 1 + k]));
    Vec3 area = Vec3::Zero();
    for (std::size_t k = 0; k < face.size(); ++k)
      area += (out.corners[face[k]] - seed).cross(out.corners[face[(k + 1) % face.size()]] - seed);
    if (area.dot(out.corners[face[0]] - seed) < 0) std::reverse(face.begin(), face.end());
    out.beyond.push_back(std::int64_t{ids[out.faces.size()]} - 1);
    out.faces.push_back(std::move(face));
  }
  return out;
}

}  // namespace hazumi
