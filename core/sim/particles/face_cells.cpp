#include "core/sim/particles/face_cells.h"

#include <cmath>
#include <limits>

#include "core/math/clones.h"

namespace hazumi {

namespace {

constexpr std::size_t kMostEntries = 32, kMostToo = 16'384;  // of all lists of a lattice, for each face, and more
constexpr std::size_t kLanes = 8;
static_assert(FaceWays::kMost % kLanes == 0);
constexpr double kAround = 0.375;  // sides, that a cell knows round itself

/// Cells of places in the finest lattice.
struct Finest {
  double low[3], cells[3];
  double per_metre, most, reach;
  std::int32_t
      nowhere;  // what has no cell, or is not asked, or is too large, is in the row behind the last: that has none
};

/// True: of some that are asked for the finest does not tell all.
HAZUMI_WIDE_CLONES bool find_cells(const Finest& finest, std::size_t count, FaceWays& ways) {
  const double low[3] = {finest.low[0], finest.low[1], finest.low[2]};
  const double cells[3] = {finest.cells[0], finest.cells[1], finest.cells[2]};
  const double per_metre = finest.per_metre, most = finest.most, times = finest.reach;
  const std::int32_t nowhere = finest.nowhere;
  for (std::size_t i = 0; i < count; i += kLanes) {
    Eight square = {}, p, q;
    for (int k = 0; k < 3; ++k) {
      __builtin_memcpy(&p, &ways.p[k][i], sizeof p);
      __builtin_memcpy(&q, &ways.q[k][i], sizeof q);
      square += (q - p) * (q - p);
    }
    for (std::size_t k = 0; k < kLanes; ++k) square[k] = std::sqrt(square[k]);
    square *= times;
    __builtin_memcpy(&ways.reach[i], &square, sizeof square);
  }
  const std::int32_t too_large = nowhere + 1;
  for (std::size_t i = 0; i < count; ++i) {
    const double a = (ways.p[0][i] - low[0]) * per_metre, b = (ways.p[1][i] - low[1]) * per_metre,
                 c = (ways.p[2][i] - low[2]) * per_metre;
    const bool in = a >= 0 && a < cells[0] && b >= 0 && b < cells[1] && c >= 0 && c < cells[2];
    const auto x = static_cast<std::int32_t>(in ? a : 0), y = static_cast<std::int32_t>(in ? b : 0),
               z = static_cast<std::int32_t>(in ? c : 0);
    const std::int32_t at = in ? (z * static_cast<std::int32_t>(cells[1]) + y) * 64 + x : nowhere;
    const std::int32_t known = ways.radius[i] + ways.reach[i] <= most ? at : too_large;
    ways.at[i] = ways.asked[i] > 0 ? known : nowhere;
  }
  std::int32_t large = 0;
  for (std::size_t i = 0; i < count; ++i) large |= ways.at[i] == too_large ? 1 : 0;
  return large != 0;
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

/// A box round each cell of a lattice, as large as what the cell knows of.
struct Lattice {
  Vec3 low;     // m
  double side;  // m, of a cell; its box is twice as long
  int cells[3];
  double slack;  // m, of planes

  /// visit(cell, its number) of all whose box the face goes through, or more.
  template <class Visit>
  void each(const FaceCells::Face& face, const Visit& visit) const {
    const Box3 box = with_slack(face);
    int from[3], to[3];
    for (int k = 0; k < 3; ++k) {
      const auto number = [&](double x) { return std::clamp((x - low[k]) / side, 0.0, cells[k] - 1.0); };
      from[k] = static_cast<int>(number(box.low[k] - (kAround + 1e-6) * side));
      to[k] = static_cast<int>(number(box.high[k] + (kAround + 1e-6) * side));
    }
    const std::array<Vec3, 3> edges = across_edges(face);
    const auto reach_along = [&](const Vec3& normal) {
      return (0.5 + kAround + 1e-6) * side * normal.cwiseAbs().sum() + slack;
    };
    const double reach = reach_along(face.normal);
    std::array<double, 3> most;  // levels of centres, of cells that are not outside of an edge
    for (std::size_t k = 0; k < 3; ++k) most[k] = edges[k].dot(face.corners[k]) + reach_along(edges[k]);
    for (int z = from[2]; z <= to[2]; ++z)
      for (int y = from[1]; y <= to[1]; ++y)
        for (int x = from[0]; x <= to[0]; ++x) {
          const Vec3 centre = low + side * Vec3(x + 0.5, y + 0.5, z + 0.5);
          if (!(std::abs(face.normal.dot(centre - face.corners[0])) <= reach)) continue;
          bool through = true;
          for (std::size_t k = 0; k < 3; ++k) through = through && edges[k].dot(centre) <= most[k];
          if (through) visit(static_cast<std::uint32_t>((z * cells[1] + y) * cells[0] + x));
        }
  }
};

/// A face as far as it is in a box.
class Clipped {
 public:
  Clipped(const FaceCells::Face& face, const Box3& box) {
    for (const Vec3& corner : face.corners) corners_[count_++] = corner;
    for (int k = 0; k < 3 && count_ > 0; ++k) {
      cut(k, 1, box.high[k]);
      cut(k, -1, -box.low[k]);
    }
  }
  std::span<const Vec3> corners() const { return {corners_.data(), count_}; }

 private:
  void cut(int axis, double sign, double level) {
    bool all = true;
    for (const Vec3& corner : corners()) all = all && sign * corner[axis] <= level;
    if (all) return;
    std::array<Vec3, 9> kept;
    std::size_t count = 0;
    for (std::size_t k = 0; k < count_; ++k) {
      const Vec3 &a = corners_[k], &b = corners_[(k + 1) % count_];
      const double in = level - sign * a[axis], next = level - sign * b[axis];
      if (in >= 0) kept[count++] = a;
      if ((in < 0) != (next < 0)) kept[count++] = a + in / (in - next) * (b - a);
    }
    corners_ = kept;
    count_ = count;
  }
  std::array<Vec3, 9> corners_;
  std::size_t count_ = 0;
};

}  // namespace

FaceCells::FaceCells(std::span<const Face> faces) {
  Box3 all;
  for (const Face& face : faces) {
    const Box3 wide = with_slack(face);
    all.add(wide.low);
    all.add(wide.high);
  }
  if (faces.empty() || !all.low.allFinite() || !all.high.allFinite()) return;
  const double longest = all.size().maxCoeff();
  if (!(longest > 0) || !std::isfinite(64 / longest)) return;
  slack_ = static_cast<float>(2e-6 * (all.low.cwiseAbs().maxCoeff() + 2 * longest));
  for (const int cells : {64, 32, 16, 8})
    if (Level level; make_level(faces, all, cells, level)) levels_.push_back(std::move(level));
  if (levels_.empty()) return;
  for (const Face& face : faces) make_plate(face);
}

/// False: its lists would be too long.
bool FaceCells::make_level(std::span<const Face> faces, const Box3& all, int cells, Level& level) const {
  // Half a cell more all round: what is outside has nothing near.
  level.side = all.size().maxCoeff() / (cells - 1.001);
  level.most = kAround * (1 - 1e-6) * level.side;
  level.low = all.low.array() - 0.5 * level.side;
  Lattice lattice{level.low, level.side, {}, slack_};
  std::size_t count = 1;
  for (int k = 0; k < 3; ++k) {
    lattice.cells[k] = level.cells[k] =
        std::clamp(static_cast<int>(std::ceil(all.size()[k] / level.side + 1)), 1, cells);
    count *= static_cast<std::size_t>(level.cells[k]);
  }
  std::vector<std::uint32_t> starts(count + 1, 0);
  struct Entry {
    std::uint32_t cell, face;
  };
  std::vector<Entry> entries;
  const std::size_t most = std::min<std::size_t>(kMostEntries * faces.size() + kMostToo, (1u << 26) - 1);
  for (std::uint32_t f = 0; f < faces.size(); ++f) {
    lattice.each(faces[f], [&](std::uint32_t cell) {
      ++starts[cell + 1];
      entries.push_back({cell, f});
    });
    if (entries.size() > most) return false;
  }
  for (std::size_t c = 0; c < count; ++c) starts[c + 1] += starts[c];
  std::vector<std::uint32_t> which(entries.size()), next(starts.begin(), starts.end() - 1);
  for (const Entry& entry : entries) which[next[entry.cell]++] = entry.face;
  find_slabs(faces, starts, which, level);
  return true;
}

/// Of a cell after the other: which faces are near, and the slab that holds them.
void FaceCells::find_slabs(std::span<const Face> faces, std::span<const std::uint32_t> starts,
                           std::span<const std::uint32_t> which, Level& level) const {
  const auto along_x = static_cast<std::size_t>(level.cells[0]), along_y = static_cast<std::size_t>(level.cells[1]);
  level.rows.resize((starts.size() - 1) / along_x);
  for (std::size_t c = 0; c + 1 < starts.size(); ++c) {
    Row& row = level.rows[c / along_x];
    if (c % along_x == 0) row.before = static_cast<std::uint32_t>(level.full.size());
    const auto own = which.subspan(starts[c], starts[c + 1] - starts[c]);
    if (own.empty()) continue;
    row.bits |= std::uint64_t{1} << (c % along_x);
    Vec3 n = Vec3::Zero();
    for (const std::uint32_t f : own) n += n.dot(faces[f].normal) < 0 ? Vec3(-faces[f].normal) : faces[f].normal;
    n = n.norm() > 0.1 ? Vec3(n.normalized()) : Vec3(Vec3::UnitY());
    Cell& one = level.full.emplace_back();
    for (int k = 0; k < 3; ++k) one.normal[k] = static_cast<float>(n[k]);
    const double across = (0.5 + kAround + 1e-5) * level.side;  // what rounding cuts off too much is in there
    const Vec3 at(static_cast<double>(c % along_x), static_cast<double>(c / along_x % along_y),
                  static_cast<double>(c / along_x / along_y));
    const Vec3 middle = level.low + level.side * Vec3(at.array() + 0.5);
    const Box3 box{middle.array() - across - slack_, middle.array() + across + slack_};
    const bool listed = own.size() <= kMostFaces;  // many are small, and none of them is far outside of the box
    double low = std::numeric_limits<double>::max(), high = -low;
    const auto add = [&](std::span<const Vec3> corners) {
      for (const Vec3& corner : corners) {
        const double to = one.normal[0] * corner.x() + one.normal[1] * corner.y() + one.normal[2] * corner.z();
        low = std::min(low, to);
        high = std::max(high, to);
      }
    };
    for (const std::uint32_t f : own) add(listed ? Clipped(faces[f], box).corners() : faces[f].corners);
    one.low = static_cast<float>(low);
    one.high = static_cast<float>(high);
    one.start = listed ? static_cast<std::uint32_t>(level.faces.size()) & ((1u << 26) - 1) : 0;
    one.count = (listed ? static_cast<std::uint32_t>(own.size()) : kNoList) & 63;
    if (listed) level.faces.insert(level.faces.end(), own.begin(), own.end());
  }
  level.rows.emplace_back();
  level.faces.insert(level.faces.end(), 3, 0);
  level.faces.shrink_to_fit();
  level.full.shrink_to_fit();
}

void FaceCells::make_plate(const Face& face) {
  const Box3 box = with_slack(face);
  Bounds& bounds = bounds_.emplace_back();
  for (int k = 0; k < 3; ++k) {
    bounds.low[k] = static_cast<float>(box.low[k]) - slack_;
    bounds.high[k] = static_cast<float>(box.high[k]) + slack_;
  }
  bounds.low[3] = bounds.high[3] = 0;
  Plate& plate = plates_.emplace_back();
  const std::array<Vec3, 3> edges = across_edges(face);
  for (std::size_t side = 0; side < 4; ++side) {
    const Vec3& normal = side == 0 ? face.normal : edges[side - 1];
    for (int k = 0; k < 3; ++k) plate.planes[side][k] = static_cast<float>(normal[k]);
    plate.planes[side][3] = static_cast<float>(normal.dot(face.corners[side == 0 ? 0 : side - 1]));
  }
}

/// The finest that tells all of a ball; null: none does.
const FaceCells::Level* FaceCells::level_of(double reach) const {
  for (const Level& level : levels_)
    if (reach <= level.most) return &level;
  return nullptr;
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

/// Those that any face is near. A step without branches for each: which way they go nobody can foresee.
std::size_t FaceCells::near_some(const FaceWays& ways, Nears& out) const {
  const Level& finest = levels_.front();
  const Row* const rows = finest.rows.data();
  std::size_t count = 0;
  std::array<std::uint8_t, FaceWays::kMost> which;
  for (std::size_t i = 0; i < ways.count; ++i) {
    const std::int32_t at = ways.at[i];
    which[count] = static_cast<std::uint8_t>(i);
    count += rows[at >> 6].bits >> (at & 63) & 1;
  }
  for (std::size_t k = 0; k < count; ++k) {
    const std::int32_t at = ways.at[which[k]];
    const std::uint32_t number = cell(rows[at >> 6], at & 63);
    __builtin_prefetch(&finest.full[number]);
    out.level[k] = &finest;
    out.way[k] = which[k];
    out.cell[k] = number;
  }
  return count;
}

/// Behind those of the finest lattice; what no lattice tells of may come to a face.
std::size_t FaceCells::large_ones(FaceWays& ways, std::size_t count, Nears& out) const {
  for (std::uint32_t i = 0; i < ways.count; ++i) {
    const double reach = ways.radius[i] + ways.reach[i];
    if (!(ways.asked[i] > 0) || reach <= levels_.front().most) continue;
    const Level* level = level_of(reach);
    const Cell* one = level ? find(*level, Vec3(ways.p[0][i], ways.p[1][i], ways.p[2][i])) : nullptr;
    if (!level) ways.met[ways.met_count++] = static_cast<std::uint8_t>(i);
    if (!one) continue;
    out.level[count] = level;
    out.way[count] = i;
    out.cell[count++] = static_cast<std::uint32_t>(one - level->full.data());
  }
  return count;
}

/// Leaves out those that are beside the slab.
std::size_t FaceCells::in_slabs(const FaceWays& ways, std::size_t count, Nears& nears) const {
  std::size_t kept = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const std::uint32_t i = nears.way[k], number = nears.cell[k];
    const Level& level = *nears.level[k];
    const Cell& one = level.full[number];
    const float p[3] = {static_cast<float>(ways.p[0][i]), static_cast<float>(ways.p[1][i]),
                        static_cast<float>(ways.p[2][i])};
    const float q[3] = {static_cast<float>(ways.q[0][i]), static_cast<float>(ways.q[1][i]),
                        static_cast<float>(ways.q[2][i])};
    const float off = static_cast<float>(ways.radius[i]) + slack_;
    nears.level[kept] = &level;
    nears.way[kept] = i;
    nears.cell[kept] = number;
    __builtin_prefetch(&level.faces[one.start]);
    kept += beside(one, p, q) > off ? 0 : 1;
  }
  return kept;
}

/// Those whose bounds a ball round where the way begins comes to; three more are any.
std::uint32_t FaceCells::in_box(const std::uint32_t* faces, std::uint32_t count, const Sought& way, float reach,
                                std::uint32_t* out) const {
  const float wide = way.off + reach;
  const Quad from = {way.from[0], way.from[1], way.from[2], 0};
  const Quad low = from - wide, high = from + wide;
  std::uint32_t kept = 0;
  for (std::uint32_t k = 0; k < count; ++k) {
    const Bounds& face = bounds_[faces[k]];
    const Mask in = (face.low <= high) & (face.high >= low);
    std::uint64_t half[2];
    std::memcpy(half, &in, sizeof half);
    out[kept] = faces[k];
    kept += (half[0] & half[1]) == ~std::uint64_t{0} ? 1 : 0;
  }
  for (std::uint32_t k = 0; k < 3; ++k) out[kept + k] = faces[0];
  for (std::uint32_t k = 0; k < 4; ++k) __builtin_prefetch(&plates_[out[k]]);  // few have more
  return kept;
}

/// Of those that have a list.
void FaceCells::judge(FaceWays& ways, std::uint32_t i, std::span<const std::uint32_t> faces,
                      std::uint32_t obstacle) const {
  FacesTold& told = *ways.told;
  FacesAround& around = told.list[told.count];
  const Vec3 p(ways.p[0][i], ways.p[1][i], ways.p[2][i]), q(ways.q[0][i], ways.q[1][i], ways.q[2][i]);
  const Sought way = sought(p, q, ways.radius[i]);
  const auto reach = static_cast<float>(ways.reach[i]);
  const auto count = static_cast<std::uint32_t>(faces.size());
  std::uint32_t reached = 0, met = 0;  // what a way comes to, the ball round it reaches
  for (std::uint32_t k = 0; k < count; k += 4) {
    const auto [on_way, in_ball] = comes_to(four(&faces[k]), way, reach);
    const std::uint32_t some_of = some(count - k);
    for (std::uint32_t lane = 0; lane < 4; ++lane) {
      around.faces[std::min(reached, FacesAround::kMost)] = faces.data()[k + lane];
      met |= (on_way & some_of) >> lane << std::min(reached, FacesAround::kMost) &
             (1u << std::min(reached, FacesAround::kMost));
      reached += ((in_ball | on_way) & some_of) >> lane & 1;
    }
  }
  ways.met[ways.met_count] = static_cast<std::uint8_t>(i);
  ways.met_count += met != 0 ? 1 : 0;
  if (reached > FacesAround::kMost) return;
  around.obstacle = obstacle;
  around.count = reached;
  around.on_way = met;
  around.centre = p;
  around.reach = ways.reach[i];
  around.radius = ways.radius[i];
  for (std::uint32_t lane = 0; lane < 3; ++lane) around.faces[reached + lane] = 0;
  if (told.which[i] != FacesTold::kNone)
    told.list[told.which[i]] = around;
  else
    told.which[i] = told.count++;
}

void FaceCells::look(FaceWays& ways, std::uint32_t obstacle) const {
  ways.met_count = 0;
  if (levels_.empty()) {
    for (std::size_t i = 0; i < ways.count; ++i) ways.met[ways.met_count++] = static_cast<std::uint8_t>(i);
    return;
  }
  const Level& level = levels_.front();
  Finest finest{{}, {}, 1 / level.side, level.most, kReach, static_cast<std::int32_t>(level.rows.size() - 1) * 64};
  for (int k = 0; k < 3; ++k) {
    finest.low[k] = level.low[k];
    finest.cells[k] = level.cells[k];
  }
  const bool any_large = find_cells(finest, (ways.count + kLanes - 1) / kLanes * kLanes, ways);
  Nears nears;
  std::size_t count = near_some(ways, nears);
  if (any_large) count = large_ones(ways, count, nears);
  count = in_slabs(ways, count, nears);
  // What each step reads of memory is asked for in the one before it, of all ways.
  std::array<std::uint32_t, FaceWays::kMost * kMostFaces + 4> faces;
  std::array<std::uint32_t, FaceWays::kMost + 1> starts;
  std::uint32_t end = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const std::uint32_t i = nears.way[k];
    const Cell& cell = nears.level[k]->full[nears.cell[k]];
    const Vec3 p(ways.p[0][i], ways.p[1][i], ways.p[2][i]);
    const auto reach = static_cast<float>(ways.reach[i]);
    starts[k] = end;
    if (cell.count == kNoList)
      ways.met[ways.met_count++] = static_cast<std::uint8_t>(i);
    else
      end += in_box(&nears.level[k]->faces[cell.start], cell.count, sought(p, p, ways.radius[i]), reach, &faces[end]);
  }
  starts[count] = end;
  for (std::size_t k = 0; k < count; ++k)
    if (nears.level[k]->full[nears.cell[k]].count != kNoList)
      judge(ways, nears.way[k], {&faces[starts[k]], starts[k + 1] - starts[k]}, obstacle);
}

}  // namespace hazumi
