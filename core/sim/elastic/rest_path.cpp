#include "core/sim/elastic/rest_path.h"

#include <algorithm>
#include <cmath>

#include "core/math/rotation.h"
#include "core/math/sparse_factor.h"
#include "core/sim/elastic/cell_body.h"
#include "core/sim/elastic/cells.h"

namespace hazumi {

namespace {

using Shape = std::vector<Vec3>;

constexpr int kMostRestSteps = 300;
constexpr double kThere = 1e-6;  // of the elastic energy at the start
constexpr double kShare = 0.15;  // of what is left, in a step

Shape aligned(const ElasticSetup& setup, std::span<const Vec3> x, Quat& turn) {
  double mass = 0;
  Vec3 from = Vec3::Zero(), to = Vec3::Zero();
  for (std::size_t i = 0; i < x.size(); ++i) {
    mass += setup.masses[i];
    from += setup.masses[i] * x[i];
    to += setup.masses[i] * setup.nodes[i];
  }
  from /= mass;
  to /= mass;
  Mat3 fit = Mat3::Zero();
  for (std::size_t i = 0; i < x.size(); ++i) fit += setup.masses[i] * (setup.nodes[i] - to) * (x[i] - from).transpose();
  turn = polar_rotation_near(fit, turn);
  const Mat3 back = turn.toRotationMatrix();
  Shape out;
  for (const Vec3& p : x) out.push_back(to + back * (p - from));
  return out;
}

double distance(const ElasticSetup& setup, const Shape& a, const Shape& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += setup.masses[i] * (a[i] - b[i]).squaredNorm();
  return std::sqrt(sum);
}

/// A body of cells that lies still: E, its slope and its stiffness where the nodes are, own numbers.
class StillBody {
 public:
  /// Rest shape q; false in can(): nothing that relaxes.
  StillBody(ElasticSetup setup, std::span<const Vec3> q) : x(q.size()) {
    setup.spring_section = 1;  // a material as stiff as the springs
    setup.rest_offset.clear();
    for (Spring& s : setup.springs)
      if (!(s.stiffness > 0)) s.stiffness = 1;
    cells_ = Cells::strained(setup, 1, 0);
    if (cells_.size() == 0) cells_ = Cells(setup, 1, 0);
    order_ = fill_reducing_order(q.size(), cells_.pairs());
    place_.resize(q.size());
    for (std::uint32_t i = 0; i < q.size(); ++i) place_[order_[i]] = i;
    cells_.renumber(place_);
    std::vector<Vec3> rest(q.size());
    for (std::size_t i = 0; i < q.size(); ++i) rest[place_[i]] = q[i];
    cells_.take_shape(rest);
    turns_.assign(cells_.size(), Quat::Identity());
  }
  bool can() const {
    for (std::size_t e = 0; e < cells_.size(); ++e)
      if (cells_[e].count == 2) return false;
    return cells_.size() > 0;
  }
  void lie(std::span<const Vec3> nodes) {
    for (std::size_t i = 0; i < nodes.size(); ++i) x[place_[i]] = nodes[i];
    fit();
  }
  Shape nodes() const {
    Shape out(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) out[i] = x[place_[i]];
    return out;
  }
  void fit() {
    for (std::size_t e = 0; e < cells_.size(); ++e) {
      Mat3 f = Mat3::Zero();
      const auto at = cells_.nodes(cells_[e]);
      for (std::size_t k = 0; k < at.size(); ++k) f += (x[at[k]] - x[at[0]]) * cells_.rest(cells_[e])[k].transpose();
      turns_[e] = Cells::turn(cells_[e], f, turns_[e]);
    }
  }

  struct Place {
    Shape x;
    std::vector<Quat> turns;
  };
  Place place() const { return {x, turns_}; }
  void put(const Place& place) {
    x = place.x;
    turns_ = place.turns;
  }

  /// E; adds its slope to `slope` where there is one.
  double energy(Shape* slope) const {
    double sum = 0;
    for (std::size_t e = 0; e < cells_.size(); ++e) {
      const Cell& cell = cells_[e];
      const auto at = cells_.nodes(cell);
      const auto rest = cells_.rest(cell);
      const Mat3 m = turns_[e].toRotationMatrix();
      const auto push = [&](std::size_t k, const Vec3& f) {
        if (slope) (*slope)[at[k]] += f;
      };
      if (!cell.strained) {
        Vec3 centre = Vec3::Zero();
        for (const std::uint32_t i : at) centre += x[i] / static_cast<double>(cell.count);
        for (std::size_t k = 0; k < cell.count; ++k) {
          const Vec3 off = x[at[k]] - centre - m * rest[k];
          sum += 0.5 * cell.stiffness * off.squaredNorm();
          push(k, cell.stiffness * off);
        }
        continue;
      }
      const auto place = [&](std::size_t i) { return x[i]; };
      const Mat3 f = cell_body::slope(cells_, cell, place);
      Mat3 strain = m.transpose() * f;
      strain.diagonal().array() -= 1;
      const Mat3 stress = Cells::stress(cell, strain);
      sum += 0.5 * (stress.array() * strain.array()).sum();
      for (std::size_t k = 0; k < cell.count; ++k) push(k, m * stress * rest[k]);
      if (!(cell.warp > 0)) continue;
      cell_body::warp(cells_, cell, f, place, [&](std::size_t k, const Vec3& off) {
        sum += 0.5 * cell.warp * off.squaredNorm();
        push(k, cell.warp * off);
      });
    }
    return sum;
  }

  /// −K⁻¹ of the slope, K with the cells as they are turned; the rigid motions, which have no stiffness, are held by next to nothing.
  bool way(Shape& out) const {
    constexpr double kNextToNothing = 1e-7;
    out.assign(x.size(), Vec3::Zero());
    energy(&out);
    std::vector<Eigen::Triplet<double>> entries;
    cells_.add_stiffness(1, std::vector<char>(x.size(), 0), entries, turns_);
    double most = 0;
    for (const auto& entry : entries) most = std::max(most, std::abs(entry.value()));
    for (int i = 0; i < static_cast<int>(3 * x.size()); ++i)
      for (int j = i - i % 3; j < i - i % 3 + 3; ++j) entries.emplace_back(i, j, i == j ? kNextToNothing * most : 0.0);
    const auto size = 3 * static_cast<Eigen::Index>(x.size());
    SparseMatrix k(size, size);
    k.setFromTriplets(entries.begin(), entries.end());
    const auto factor = SparseFactor::factor(k);
    if (!factor) return false;
    std::vector<double> numbers(3 * x.size()), scratch(factor->scratch_size());
    for (std::size_t i = 0; i < x.size(); ++i) cell_body::put(numbers.data(), i, -out[i]);
    factor->solve(numbers.data(), scratch.data());
    for (std::size_t i = 0; i < x.size(); ++i) out[i] = cell_body::at(numbers.data(), i);
    return true;
  }

  Shape x;

 private:
  Cells cells_;
  std::vector<std::uint32_t> order_, place_;
  std::vector<Quat> turns_;  // M
};

/// Empty: it did not get there.
std::vector<Shape> relax(const ElasticSetup& setup, std::span<const Vec3> p, std::span<const Vec3> q) {
  StillBody body(setup, q);
  if (!body.can()) return {};
  // From q to p by degrees, so that the cells turn with it.
  constexpr int kParts = 8;
  Shape at(p.size());
  for (int part = 0; part <= kParts; ++part) {
    for (std::size_t i = 0; i < p.size(); ++i) at[i] = q[i] + static_cast<double>(part) / kParts * (p[i] - q[i]);
    body.lie(at);
  }
  const double start = body.energy(nullptr);
  double energy = start, share = kShare;
  std::vector<Shape> path;
  Quat turn = Quat::Identity();
  path.push_back(aligned(setup, p, turn));
  Shape way;
  for (int step = 0; step < kMostRestSteps; ++step) {
    if (!body.way(way)) return {};
    const StillBody::Place before = body.place();
    for (std::size_t i = 0; i < way.size(); ++i) body.x[i] += share * way[i];
    body.fit();
    const double now = body.energy(nullptr);
    if (!(now < energy)) {
      body.put(before);
      share *= 0.5;
      if (share < 1e-3 * kShare) return {};
      continue;
    }
    energy = now;
    share = std::min(kShare, 1.5 * share);
    path.push_back(aligned(setup, body.nodes(), turn));
    if (energy <= kThere * start) {
      path.push_back(aligned(setup, q, turn));
      return path;
    }
  }
  return {};
}

}  // namespace

std::vector<std::vector<Vec3>> rest_path(const ElasticSetup& setup, std::span<const Vec3> p, std::span<const Vec3> q,
                                         int count, bool directed) {
  std::vector<Shape> path = directed ? relax(setup, p, q) : std::vector<Shape>();
  if (path.empty()) {
    Quat turn = Quat::Identity();
    path.push_back(aligned(setup, p, turn));
    path.push_back(aligned(setup, q, turn));
  }
  std::vector<double> way = {0};
  for (std::size_t k = 1; k < path.size(); ++k) way.push_back(way.back() + distance(setup, path[k - 1], path[k]));
  std::vector<Shape> out;
  std::size_t k = 1;
  for (int j = 0; j <= count; ++j) {
    const double wanted = way.back() * j / count;
    while (k + 1 < path.size() && way[k] < wanted) ++k;
    const double length = way[k] - way[k - 1];
    const double part = length > 0 ? std::clamp((wanted - way[k - 1]) / length, 0.0, 1.0) : 1;
    Shape shape(p.size());
    for (std::size_t i = 0; i < shape.size(); ++i) shape[i] = (1 - part) * path[k - 1][i] + part * path[k][i];
    out.push_back(std::move(shape));
  }
  return out;
}

}  // namespace hazumi
