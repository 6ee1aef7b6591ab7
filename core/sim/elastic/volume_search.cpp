#include "core/sim/elastic/volume_search.h"

#include <nlopt.h>

#include <algorithm>
#include <cmath>
#include <memory>

namespace hazumi {

namespace {

constexpr double kNearWish = 1, kAlong = 1;   // c₂, c₃
constexpr double kFirst = 1e3, kGrowth = 10;  // c₁
constexpr int kRounds = 6, kMostEvaluations = 200000;
constexpr double kGood = 1e-7;                      // of the volume
constexpr double kFirstStep = 1e-2, kSame = 1e-10;  // of ℓ
constexpr unsigned long kSeed = 20111;

struct Search {
  const EnclosedVolume& surface;
  const VolumeSearch& wish;
  std::vector<std::uint32_t> free;  // nodes that move
  std::vector<Vec3> nodes;          // x
  double length = 1, volume_weight = kFirst;
  int evaluations = 0;
  double least = 1e300;           // of U
  std::vector<double> best = {};  // where that was

  void place(const double* shift) {
    for (std::size_t k = 0; k < free.size(); ++k)
      nodes[free[k]] = wish.moved[free[k]] + length * Vec3(shift[3 * k], shift[3 * k + 1], shift[3 * k + 2]);
  }
  double off() const { return std::abs(surface.volume(nodes) / wish.wanted - 1); }
  double value(const double* shift) {
    ++evaluations;
    place(shift);
    double sum = volume_weight * off();
    for (const std::uint32_t i : free) {
      const Vec3 now = nodes[i] - wish.before[i], then = wish.moved[i] - wish.before[i];
      sum += kNearWish * (nodes[i] - wish.moved[i]).norm() / length;
      const double both = now.norm() * then.norm();
      if (both > 0) sum += kAlong * (1 - now.dot(then) / both);
    }
    if (sum < least) {
      least = sum;
      best.assign(shift, shift + 3 * free.size());
    }
    return sum;
  }
};

double value_of(unsigned, const double* x, double*, void* search) { return static_cast<Search*>(search)->value(x); }

}  // namespace

SearchedVolume searched_volume(const EnclosedVolume& surface, const VolumeSearch& wish) {
  Search search{surface, wish, {}, {wish.moved.begin(), wish.moved.end()}};
  for (const auto& triangle : surface.triangles())
    for (const std::uint32_t node : triangle)
      if (!std::binary_search(wish.pinned.begin(), wish.pinned.end(), node)) search.free.push_back(node);
  std::sort(search.free.begin(), search.free.end());
  search.free.erase(std::unique(search.free.begin(), search.free.end()), search.free.end());
  search.length = std::cbrt(wish.wanted);

  const auto size = static_cast<unsigned>(3 * search.free.size());
  std::vector<double> shift(size, 0.0), first(size, kFirstStep);
  search.place(shift.data());
  nlopt_srand(kSeed);
  for (int round = 0; round < kRounds && size > 0 && search.off() > kGood; ++round) {
    const std::unique_ptr<nlopt_opt_s, void (*)(nlopt_opt)> praxis(nlopt_create(NLOPT_LN_PRAXIS, size), nlopt_destroy);
    nlopt_set_min_objective(praxis.get(), value_of, &search);
    nlopt_set_xtol_rel(praxis.get(), kSame);
    nlopt_set_maxeval(praxis.get(), kMostEvaluations);
    nlopt_set_initial_step(praxis.get(), first.data());
    search.least = 1e300;
    double least = search.value(shift.data());
    nlopt_optimize(praxis.get(), shift.data(), &least);
    shift = search.best;  // what it ends with may be worse
    search.place(shift.data());
    search.volume_weight *= kGrowth;
    for (double& step : first) step *= 0.1;
  }
  SearchedVolume out{std::vector<Vec3>(wish.moved.size(), Vec3::Zero()), search.off(), search.evaluations};
  for (std::size_t i = 0; i < out.shift.size(); ++i) out.shift[i] = search.nodes[i] - wish.moved[i];
  return out;
}

int move_to_volume(const EnclosedVolume& surface, std::span<const double> masses, std::span<const std::uint32_t> pinned,
                   double wanted, std::span<Vec3> nodes) {
  constexpr int kMost = 60, kHalvings = 10;
  constexpr double kRight = 1e-12, kNearly = 1e-6, kLongest = 0.5;
  const std::size_t n = nodes.size();
  std::vector<Vec3> g(n), next(n);
  double off = wanted - surface.volume(nodes);
  int rounds = 0;
  for (; rounds < kMost && std::abs(off) > kRight * wanted; ++rounds) {
    surface.gradient(nodes, g);
    for (const std::uint32_t pin : pinned) g[pin].setZero();
    double slope = 0, longest = 0;
    for (std::size_t i = 0; i < n; ++i) {
      slope += g[i].squaredNorm() / masses[i];
      longest = std::max(longest, g[i].norm() / masses[i]);
    }
    if (!(slope > 0) || !std::isfinite(off)) return -1;
    // Lengths go with the third root of a volume: not farther than half of it at once.
    const double most = kLongest * std::cbrt(wanted) / longest;
    double share = std::clamp(off / slope, -most, most), left = off;
    for (int half = 0; half < kHalvings; ++half, share *= 0.5) {
      for (std::size_t i = 0; i < n; ++i) next[i] = nodes[i] + share / masses[i] * g[i];
      left = wanted - surface.volume(next);
      if (std::abs(left) < std::abs(off)) break;
    }
    if (!(std::abs(left) < std::abs(off))) break;
    off = left;
    std::copy(next.begin(), next.end(), nodes.begin());
  }
  return std::abs(off) <= kNearly * wanted ? rounds : -1;
}

void take_out_rigid(std::span<const Vec3> nodes, std::span<const double> masses, std::span<Vec3> shift) {
  double mass = 0;
  Vec3 centre = Vec3::Zero(), mean = Vec3::Zero();
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    mass += masses[i];
    centre += masses[i] * nodes[i];
    mean += masses[i] * shift[i];
  }
  centre /= mass;
  mean /= mass;
  Mat3 inertia = Mat3::Zero();
  Vec3 turning = Vec3::Zero();
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Vec3 y = nodes[i] - centre;
    inertia += masses[i] * (y.squaredNorm() * Mat3::Identity() - y * y.transpose());
    turning += masses[i] * y.cross(shift[i]);
  }
  const Vec3 turn = inertia.inverse() * turning;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    shift[i] -= mean;
    if (turn.allFinite()) shift[i] -= turn.cross(nodes[i] - centre);
  }
}

}  // namespace hazumi
