#include "core/sim/elastic/shape_matching_examples.h"

#include <algorithm>
#include <cmath>

#include "core/math/rotation.h"
#include "core/sim/elastic/body_frame.h"

namespace hazumi::shape_matching {

namespace {

constexpr double kFlatRegion = 1e-9;  // of what a region spreads: it has no width there
constexpr double kFar = 0.02;         // of a weight in a step
constexpr double kAlike = 1e-9;       // of the largest of G: examples that are the same go by equal parts

using Numbers = std::array<double, Examples::kMost>;

Vec3 place_of(std::span<const double> places, std::size_t node) {
  const double* const x = places.data() + 3 * node;
  return {x[0], x[1], x[2]};
}

/// The free entries of a quadratic problem: G z = b there, or with Σ z = 1 as well. G is factored (Cholesky) each time: there are few.
class FreePart {
 public:
  FreePart(const double* g, std::size_t n, const bool* is_free) {
    for (std::size_t k = 0; k < n; ++k)
      if (is_free[k]) at_[count_++] = k;
    for (std::size_t i = 0; i < count_; ++i)
      for (std::size_t j = 0; j <= i; ++j) {
        double sum = g[at_[i] * n + at_[j]];
        for (std::size_t k = 0; k < j; ++k) sum -= l_[i * Examples::kMost + k] * l_[j * Examples::kMost + k];
        l_[i * Examples::kMost + j] = i == j ? std::sqrt(std::max(sum, 1e-300)) : sum / l_[j * Examples::kMost + j];
      }
  }

  std::size_t count() const { return count_; }

  /// The multiplier of Σ z = 1; 0 where that is not asked for.
  double solve(const double* b, bool whole, double sum, double* z) const {
    Numbers of_b, ones, unit;
    for (std::size_t i = 0; i < count_; ++i) {
      of_b[i] = b[at_[i]];
      unit[i] = 1;
    }
    solve(of_b);
    double multiplier = 0;
    if (whole) {
      ones = unit;
      solve(ones);
      double has = 0, gives = 0;
      for (std::size_t i = 0; i < count_; ++i) {
        has += of_b[i];
        gives += ones[i];
      }
      multiplier = (has - sum) / gives;
      for (std::size_t i = 0; i < count_; ++i) of_b[i] -= multiplier * ones[i];
    }
    for (std::size_t i = 0; i < count_; ++i) z[at_[i]] = of_b[i];
    return multiplier;
  }

 private:
  void solve(Numbers& x) const {
    for (std::size_t i = 0; i < count_; ++i) {
      for (std::size_t k = 0; k < i; ++k) x[i] -= l_[i * Examples::kMost + k] * x[k];
      x[i] /= l_[i * Examples::kMost + i];
    }
    for (std::size_t i = count_; i-- > 0;) {
      for (std::size_t k = i + 1; k < count_; ++k) x[i] -= l_[k * Examples::kMost + i] * x[k];
      x[i] /= l_[i * Examples::kMost + i];
    }
  }

  std::size_t count_ = 0;
  std::array<std::size_t, Examples::kMost> at_{};
  std::array<double, Examples::kMost * Examples::kMost> l_;
};

Mat3 turn_of(const double* turns, std::size_t region) {
  const double* const q = turns + 4 * region;
  return Quat(q[0], q[1], q[2], q[3]).toRotationMatrix();
}

}  // namespace

// Active sets: steps from one feasible point to the least of the free entries, cut where one of them gets to an end.
void nearest_in_simplex(const double* g, const double* b, std::size_t n, double* v) {
  std::array<bool, Examples::kMost> is_free{};
  double scale = 0, sum = 0;
  bool any = false;
  for (std::size_t k = 0; k < n; ++k) {
    v[k] = std::clamp(v[k], 0.0, 1.0);
    is_free[k] = v[k] > 0;
    any = any || is_free[k] || b[k] > 0;
    scale = std::max({scale, std::abs(b[k]), g[k * n + k]});
    sum += v[k];
  }
  if (!any) return;
  if (sum > 1)
    for (std::size_t k = 0; k < n; ++k) v[k] /= sum;
  bool whole = sum >= 1;
  const double slack = 1e-13 * scale;
  for (std::size_t turn = 0; turn < 8 * n + 8; ++turn) {
    const FreePart part(g, n, is_free.data());
    whole = whole && part.count() > 0;
    Numbers z{};
    const double multiplier = part.solve(b, whole, 1, z.data());
    double along = 1, before = 0, after = 0;
    std::size_t stops = n;  // n: nothing; n + 1: the sum
    for (std::size_t k = 0; k < n; ++k) {
      before += v[k];
      after += z[k];
      if (is_free[k] && z[k] < 0 && v[k] <= along * (v[k] - z[k])) {
        along = v[k] / (v[k] - z[k]);
        stops = k;
      }
    }
    if (!whole && after > 1 && 1 - before < along * (after - before)) {
      along = (1 - before) / (after - before);
      stops = n + 1;
    }
    for (std::size_t k = 0; k < n; ++k) v[k] = is_free[k] ? std::max(0.0, v[k] + along * (z[k] - v[k])) : 0;
    if (stops == n + 1) {
      whole = true;
      continue;
    }
    if (stops < n) {
      v[stops] = 0;
      is_free[stops] = false;
      continue;
    }
    // The least of these: done, unless an entry that is held at 0, or the sum, would go further.
    double worst = -slack;
    std::size_t next = n;
    for (std::size_t k = 0; k < n; ++k) {
      if (is_free[k]) continue;
      double slope = multiplier - b[k];
      for (std::size_t j = 0; j < n; ++j) slope += g[k * n + j] * v[j];
      if (slope < worst) {
        worst = slope;
        next = k;
      }
    }
    if (whole && multiplier < worst) {
      whole = false;
      continue;
    }
    if (next == n) return;
    is_free[next] = true;
  }
}

Examples::Examples(const Regions& regions, const ElasticSetup& setup, bool each)
    : count_(std::min(setup.examples.size(), kMost)) {
  if (none()) return;
  const std::size_t n = regions.masses.size();
  for (std::size_t k = 0; k < count_; ++k) poses_.push_back(setup.examples[k].pose);
  painted_.assign(n, 0);
  if (setup.groups.size() == n) painted_ = setup.groups;
  std::vector<std::uint32_t> used = painted_;
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  groups_ = each ? n : used.size();
  for (std::uint32_t r = 0; r < n; ++r)
    group_of_.push_back(
        each ? r : static_cast<std::uint32_t>(std::lower_bound(used.begin(), used.end(), painted_[r]) - used.begin()));
  centre_.assign(regions.centres.begin(), regions.centres.end());
  mass_.assign(regions.masses.begin(), regions.masses.end());
  stretch_.resize(n * count_);
  for (std::size_t k = 0; k < count_; ++k) add_example(regions, setup.examples[k].nodes, k);
  sum_up(regions);
}

void Examples::add_example(const Regions& regions, const std::vector<Vec3>& nodes, std::size_t k) {
  Vec3 origin = Vec3::Zero();  // near it, so that sums of x^k lose nothing
  for (const Vec3& x : nodes) origin += x / static_cast<double>(nodes.size());
  for (const Vec3& x : nodes)
    for (int c = 0; c < 3; ++c) places_.push_back(x[c] - origin[c]);
  for (std::size_t r = 0; r < mass_.size(); ++r) {
    Vec3 middle = Vec3::Zero();
    for (std::size_t j = regions.start[r]; j < regions.start[r + 1]; ++j)
      middle += regions.shares[regions.nodes[j]] / mass_[r] * (nodes[regions.nodes[j]] - origin);
    Mat3 fit = Mat3::Zero(), moment = Mat3::Zero();
    for (std::size_t j = regions.start[r]; j < regions.start[r + 1]; ++j) {
      const double share = regions.shares[regions.nodes[j]];
      const Vec3 q = place_of(regions.reference, regions.nodes[j]) - centre_[r];
      fit += share * (nodes[regions.nodes[j]] - origin - middle) * q.transpose();
      moment += share * q * q.transpose();
    }
    const Mat3 a = fit * inverse3(moment + kFlatRegion * moment.trace() * Mat3::Identity());
    const Mat3 back = polar_rotation(a, Quat::Identity()).toRotationMatrix().transpose(), s = back * a;
    stretch_[r * count_ + k] = {s(0, 0) - 1,
                                s(1, 1) - 1,
                                s(2, 2) - 1,
                                0.5 * (s(0, 1) + s(1, 0)),
                                0.5 * (s(1, 2) + s(2, 1)),
                                0.5 * (s(2, 0) + s(0, 2))};
    back_.push_back(back);
    middle_.push_back(middle);
  }
}

void Examples::sum_up(const Regions& regions) {
  const std::size_t n = mass_.size();
  strains_.assign(groups_ * count_, 0.0);
  alike_ = strains_;
  gram_.assign(groups_ * count_ * count_, 0.0);
  std::vector<double> spread(groups_, 0.0);
  std::vector<Vec3> d(count_);
  for (std::size_t r = 0; r < n; ++r) {
    const std::size_t g = group_of_[r];
    Mat3 moment = Mat3::Zero();
    for (std::size_t j = regions.start[r]; j < regions.start[r + 1]; ++j) {
      const std::size_t node = regions.nodes[j];
      const double share = regions.shares[node];
      const Vec3 q = place_of(regions.reference, node) - centre_[r];
      moment += share * q * q.transpose();
      for (std::size_t k = 0; k < count_; ++k) {
        d[k] = back_[k * n + r] * (place_of(places_, k * n + node) - middle_[k * n + r]) - q;
        alike_[g * count_ + k] += share * q.dot(d[k]);
        for (std::size_t l = 0; l <= k; ++l) gram_[(g * count_ + k) * count_ + l] += share * d[k].dot(d[l]);
      }
    }
    spread[g] += moment.trace();
    for (std::size_t k = 0; k < count_; ++k) strains_[g * count_ + k] += dot(stretch_[r * count_ + k], moment);
  }
  for (std::size_t g = 0; g < groups_; ++g) {
    double* const gram = gram_.data() + g * count_ * count_;
    double most = 1e-15 * spread[g] + 1e-300;
    for (std::size_t k = 0; k < count_; ++k) most = std::max(most, gram[k * count_ + k]);
    for (std::size_t k = 0; k < count_; ++k) {
      gram[k * count_ + k] += kAlike * most;
      for (std::size_t l = 0; l < k; ++l) gram[l * count_ + k] = gram[k * count_ + l];
    }
  }
}

std::size_t Examples::numbers() const {
  return none() ? 0
                : 9 * (mass_.size() + count_ * mass_.size()) + 2 * state_size() + 12 * mass_.size() +
                      3 * count_ * mass_.size();
}

Examples::Room Examples::room(double* numbers) const {
  Room room{};
  const std::size_t n = mass_.size();
  room.nodes = reinterpret_cast<Nine*>(numbers);
  room.regions = room.nodes + n;
  room.fits = reinterpret_cast<Mat3*>(room.regions + count_ * n);
  room.push = reinterpret_cast<double*>(room.fits + n);
  room.rate = room.push + state_size();
  room.spins = reinterpret_cast<Vec3*>(room.rate + state_size());
  room.leans = room.spins + n;
  return room;
}

void Examples::gather_one(const Regions& regions, const double* of_nodes, std::size_t k, Room& room) const {
  const std::size_t n = mass_.size();
  const double* const places = places_.data() + 3 * k * n;
  for (std::size_t i = 0; i < n; ++i) {
    const double *r = places + 3 * i, *a = of_nodes + 3 * i, w = regions.shares[i];
    const double x = w * a[0], y = w * a[1], z = w * a[2];
    room.nodes[i] << x * r[0], y * r[0], z * r[0], x * r[1], y * r[1], z * r[1], x * r[2], y * r[2], z * r[2];
  }
  Nine* const out = room.regions + k * n;
  for (std::size_t r = 0; r < n; ++r) {
    Nine sum = Nine::Zero();
    for (std::size_t j = regions.start[r]; j < regions.start[r + 1]; ++j) sum += room.nodes[regions.nodes[j]];
    out[r] = sum;
  }
}

void Examples::gather(const Regions& regions, const double* of_nodes, Room& room) const {
  for (std::size_t k = 0; k < count_; ++k)
    if (room.used[k]) gather_one(regions, of_nodes, k, room);
}

bool Examples::use(const Regions& regions, const double* of_nodes, const double* v, Room& room) const {
  room.used.fill(false);
  bool any = false;
  for (std::size_t i = 0; i < state_size(); ++i)
    if (v[i] > 0) any = room.used[i % count_] = true;
  gather(regions, of_nodes, room);
  return any;
}

Mat3 Examples::shape_fit(std::size_t k, std::size_t region, const Twelve& plain, const Room& room) const {
  const std::size_t at = k * mass_.size() + region;
  const Vec3 sum(plain[9], plain[10], plain[11]);
  return (Eigen::Map<const Mat3>(room.regions[at].data()) - sum * middle_[at].transpose()) * back_[at].transpose();
}

Mat3 Examples::fit(std::size_t region, const Twelve& plain, const double* v, const Room& room) const {
  const Vec3 sum(plain[9], plain[10], plain[11]);
  const double* const of_group = v + group_of_[region] * count_;
  const Mat3 own = Eigen::Map<const Mat3>(plain.data()) - sum * centre_[region].transpose();
  Mat3 fit = own;
  double left = 1;
  for (std::size_t k = 0; k < count_; ++k) left -= beta() * of_group[k];
  if (left != 1) fit = left * own;
  for (std::size_t k = 0; k < count_; ++k)
    if (of_group[k] > 0) fit += beta() * of_group[k] * shape_fit(k, region, plain, room);
  return fit;
}

bool Examples::find(const Regions& regions, const double* of_nodes, const Twelve* fits, const double* turns, double* v,
                    Room& room) const {
  const std::size_t n = mass_.size();
  std::array<bool, kMost> fresh{};
  for (std::size_t i = 0; i < state_size(); ++i) room.push[i] = -(room.used[i % count_] ? alike_[i] : strains_[i]);
  for (std::size_t r = 0; r < n; ++r) {
    const Mat3 back = turn_of(turns, r).transpose();
    const Vec3 sum(fits[r][9], fits[r][10], fits[r][11]);
    const Mat3 seen = back * (Eigen::Map<const Mat3>(fits[r].data()) - sum * centre_[r].transpose());
    double* const push = room.push + group_of_[r] * count_;
    for (std::size_t k = 0; k < count_; ++k)
      push[k] += room.used[k] ? back.transpose().cwiseProduct(shape_fit(k, r, fits[r], room)).sum() - seen.trace()
                              : dot(stretch_[r * count_ + k], seen);
  }
  bool any = false;
  for (std::size_t i = 0; i < state_size(); ++i)
    if (!room.used[i % count_] && room.push[i] > 0) any = fresh[i % count_] = true;
  for (std::size_t k = 0; any && k < count_; ++k) {
    if (!fresh[k]) continue;
    room.used[k] = true;
    gather_one(regions, of_nodes, k, room);
    for (std::size_t g = 0; g < groups_; ++g) room.push[g * count_ + k] = -alike_[g * count_ + k];
    for (std::size_t r = 0; r < n; ++r) {
      const Vec3 sum(fits[r][9], fits[r][10], fits[r][11]);
      const Mat3 plain = Eigen::Map<const Mat3>(fits[r].data()) - sum * centre_[r].transpose();
      room.push[group_of_[r] * count_ + k] +=
          turn_of(turns, r).cwiseProduct(shape_fit(k, r, fits[r], room) - plain).sum();
    }
  }
  return solve(v, room);
}

/// The least over the examples in use.
bool Examples::solve(double* v, Room& room) const {
  std::array<std::size_t, kMost> at;
  std::size_t m = 0;
  for (std::size_t k = 0; k < count_; ++k)
    if (room.used[k]) at[m++] = k;
  if (m == 0) return false;
  bool far = false;
  std::array<double, kMost * kMost> g;
  Numbers b, x;
  for (std::size_t group = 0; group < groups_; ++group) {
    for (std::size_t i = 0; i < m; ++i) {
      b[i] = room.push[group * count_ + at[i]];
      x[i] = v[group * count_ + at[i]];
      for (std::size_t j = 0; j < m; ++j) g[i * m + j] = gram_[(group * count_ + at[i]) * count_ + at[j]];
    }
    nearest_in_simplex(g.data(), b.data(), m, x.data());
    for (std::size_t i = 0; i < m; ++i) {
      double& was = v[group * count_ + at[i]];
      far = far || std::abs(x[i] - was) > kFar;
      was = x[i];
    }
  }
  return far;
}

void Examples::place(const double* turns, const double* v, Twelve* regions, Room& room) const {
  const std::size_t n = mass_.size();
  for (std::size_t r = 0; r < n; ++r) {
    const double *const q = turns + 4 * r, *const of_group = v + group_of_[r] * count_;
    const Mat3 m = Quat(q[0], q[1], q[2], q[3]).toRotationMatrix();
    const Vec3 sum(regions[r][9], regions[r][10], regions[r][11]);
    const Mat3 plain = Eigen::Map<const Mat3>(regions[r].data()) - sum * centre_[r].transpose();
    Vec3 place = sum / mass_[r];
    double left = 1;
    for (std::size_t k = 0; k < count_; ++k) {
      if (!room.used[k]) continue;
      const Mat3 map = beta() * of_group[k] * m * back_[k * n + r];
      room.leans[k * n + r] = axial(m.transpose() * (shape_fit(k, r, regions[r], room) - plain));
      left -= beta() * of_group[k];
      place -= map * middle_[k * n + r];
      Eigen::Map<Mat3>(room.regions[k * n + r].data()) = map;
    }
    const Mat3 map = left * m;
    place -= map * centre_[r];
    Eigen::Map<Mat3>(regions[r].data()) = map;
    regions[r].tail<3>() = place.array();
  }
}

/// Ω of each region in its axes, then ẇ of the groups, then what both say of the velocities of nodes.
void Examples::rates(const double* turns, const double* v, double kept, Twelve* regions, Room& room) const {
  const std::size_t n = mass_.size();
  std::fill(room.push, room.push + 2 * state_size(), 0.0);
  for (std::size_t r = 0; r < n; ++r) {
    const double *const q = turns + 4 * r, *const of_group = v + group_of_[r] * count_;
    const Mat3 back = Quat(q[0], q[1], q[2], q[3]).toRotationMatrix().transpose();
    const Mat3 held = back * room.fits[r], moment = held.trace() * Mat3::Identity() - 0.5 * (held + held.transpose());
    const Vec3 angular = -axial(back * fit(r, regions[r], v, room));
    const double size = moment.trace();
    const bool turns_freely = moment.determinant() > 1e-9 * size * size * size;
    room.spins[r] = turns_freely ? Vec3(inverse3(moment) * angular) : Vec3(Vec3::Zero());
    const Vec3 sum(regions[r][9], regions[r][10], regions[r][11]);
    const Mat3 plain = Eigen::Map<const Mat3>(regions[r].data()) - sum * centre_[r].transpose();
    for (std::size_t k = 0; k < count_; ++k)
      if (of_group[k] > 0)
        room.push[group_of_[r] * count_ + k] +=
            (back * (shape_fit(k, r, regions[r], room) - plain)).trace() - room.spins[r].dot(room.leans[k * n + r]);
  }
  free_rates(v, room);
  for (std::size_t r = 0; r < n; ++r) {
    const double *const q = turns + 4 * r, *const of_group = v + group_of_[r] * count_;
    const double* const rate = room.rate + group_of_[r] * count_;
    const Mat3 m = Quat(q[0], q[1], q[2], q[3]).toRotationMatrix(), turning = m * skew(room.spins[r]);
    Vec3 place = Vec3(regions[r][9], regions[r][10], regions[r][11]) / mass_[r];
    double left = 1, leaving = 0;
    for (std::size_t k = 0; k < count_; ++k) {
      if (!room.used[k]) continue;
      const Mat3 map = (beta() * of_group[k] * turning + kept * rate[k] * m) * back_[k * n + r];
      left -= beta() * of_group[k];
      leaving += kept * rate[k];
      place -= map * middle_[k * n + r];
      Eigen::Map<Mat3>(room.regions[k * n + r].data()) = map;
    }
    const Mat3 map = left * turning - leaving * m;
    place -= map * centre_[r];
    Eigen::Map<Mat3>(regions[r].data()) = map;
    regions[r].tail<3>() = place.array();
  }
}

/// ẇ of the examples that a body has; where it is in examples alone, it goes from one to the other.
void Examples::free_rates(const double* v, Room& room) const {
  std::array<bool, kMost> is_free{};
  for (std::size_t g = 0; g < groups_; ++g) {
    const double *const of_group = v + g * count_, *const b = room.push + g * count_;
    double* const out = room.rate + g * count_;
    double has = 0, sum = 0;
    for (std::size_t k = 0; k < count_; ++k) {
      is_free[k] = of_group[k] > 0;
      has += of_group[k];
    }
    if (!(has > 0)) continue;
    const FreePart part(gram_.data() + g * count_ * count_, count_, is_free.data());
    part.solve(b, false, 0, out);
    for (std::size_t k = 0; k < count_; ++k) sum += out[k];
    if (has >= 1 - 1e-12 && sum > 0) part.solve(b, true, 0, out);
  }
}

void Examples::spread(const Regions& regions, Room& room, double* goals) const {
  const std::size_t n = mass_.size();
  for (std::size_t k = 0; k < count_; ++k) {
    if (!room.used[k]) continue;
    const Nine* const maps = room.regions + k * n;
    for (std::size_t i = 0; i < n; ++i) {
      Nine sum = Nine::Zero();
      for (std::size_t j = regions.of_start[i]; j < regions.of_start[i + 1]; ++j) sum += maps[regions.of_nodes[j]];
      sum *= 1.0 / static_cast<double>(regions.of_start[i + 1] - regions.of_start[i]);
      const double* const x = places_.data() + 3 * (k * n + i);
      for (int c = 0; c < 3; ++c)
        goals[3 * i + static_cast<std::size_t>(c)] += sum[c] * x[0] + sum[3 + c] * x[1] + sum[6 + c] * x[2];
    }
  }
}

Vec3 Examples::target(const Regions& regions, std::size_t region, std::size_t node, const double* v) const {
  const std::size_t n = mass_.size();
  const double* const of_group = v + group_of_[region] * count_;
  const Vec3 q = place_of(regions.reference, node) - centre_[region];
  Vec3 out = q;
  for (std::size_t k = 0; k < count_; ++k) {
    const Vec3 own = back_[k * n + region] * (place_of(places_, k * n + node) - middle_[k * n + region]);
    out += beta() * of_group[k] * (own - q);
  }
  return out;
}

double Examples::spread_beyond(const double* v) const {
  double sum = 0;
  for (std::size_t g = 0; g < groups_; ++g)
    for (std::size_t k = 0; k < count_; ++k) {
      sum += 2 * beta() * v[g * count_ + k] * alike_[g * count_ + k];
      for (std::size_t l = 0; l < count_; ++l)
        sum += beta() * beta() * v[g * count_ + k] * gram_[(g * count_ + k) * count_ + l] * v[g * count_ + l];
    }
  return sum;
}

double Examples::held_back(const double* v) const {
  double sum = 0;
  for (std::size_t g = 0; g < groups_; ++g)
    for (std::size_t k = 0; k < count_; ++k)
      for (std::size_t l = 0; l < count_; ++l)
        sum += v[g * count_ + k] * gram_[(g * count_ + k) * count_ + l] * v[g * count_ + l];
  return epsilon_ * beta() * beta() * sum;
}

void Examples::shares(const double* v, std::vector<ExampleShare>& out) const {
  out.clear();
  if (none()) return;
  std::vector<std::uint32_t> used = painted_;
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  for (const std::uint32_t group : used) {
    const std::size_t first = out.size();
    double mass = 0;
    for (std::size_t k = 0; k < count_; ++k) out.push_back({poses_[k], group, 0});
    for (std::size_t r = 0; r < mass_.size(); ++r) {
      if (painted_[r] != group) continue;
      mass += mass_[r];
      for (std::size_t k = 0; k < count_; ++k) out[first + k].weight += mass_[r] * v[group_of_[r] * count_ + k];
    }
    for (std::size_t k = 0; k < count_; ++k) out[first + k].weight /= mass;
  }
}

}  // namespace hazumi::shape_matching
