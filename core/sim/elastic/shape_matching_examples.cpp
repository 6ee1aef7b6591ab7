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

/// ⟨m, R⟩ and axial(Rᵀ m) of a sum of a lead.
double product(const double* sum, const Mat3& r) {
  double all = 0;
  for (int c = 0; c < 3; ++c) all += sum[4 * c] * r(0, c) + sum[4 * c + 1] * r(1, c) + sum[4 * c + 2] * r(2, c);
  return all;
}
Mat3 matrix_of(const double* sum) {
  Mat3 m;
  for (int c = 0; c < 3; ++c) m.col(c) << sum[4 * c], sum[4 * c + 1], sum[4 * c + 2];
  return m;
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
    Numbers of_b, ones;
    for (std::size_t i = 0; i < count_; ++i) {
      of_b[i] = b[at_[i]];
      ones[i] = 1;
    }
    solve(of_b);
    double multiplier = 0;
    if (whole) {
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

Vec3 spin_of(const EightVectors* spins, std::size_t region) {
  const auto& of = spins[region / 8].of;
  return {of[0][region % 8], of[1][region % 8], of[2][region % 8]};
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
  const std::size_t n = regions.masses.size(), eights = regions.rests.size();
  for (std::uint32_t k = 0; k < count_; ++k) {
    poses_.push_back(setup.examples[k].pose);
    all_.push_back(k);
  }
  painted_.assign(n, 0);
  if (setup.groups.size() == regions.rings())
    for (std::size_t r = 0; r < n; ++r)
      painted_[r] = setup.groups[r < regions.rings() ? r : regions.nodes[regions.start[r]]];
  std::vector<std::uint32_t> used = painted_;
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  groups_ = each ? n : used.size();
  for (std::uint32_t r = 0; r < n; ++r)
    group_of_.push_back(
        each ? r : static_cast<std::uint32_t>(std::lower_bound(used.begin(), used.end(), painted_[r]) - used.begin()));
  for (std::size_t b = 0; b < eights; ++b) {
    const auto first = group_of_.begin() + static_cast<std::ptrdiff_t>(8 * b),
               last = group_of_.begin() + static_cast<std::ptrdiff_t>(std::min(8 * b + 8, n));
    alike_of_.push_back(std::all_of(first, last, [&](std::uint32_t group) { return group == *first; }));
  }
  rests_.assign(regions.rests.begin(), regions.rests.end());
  mass_.assign(regions.masses.begin(), regions.masses.end());
  stretches_.assign(eights * count_, EightStretch{});
  ExampleWarps::Posed posed;
  for (std::size_t k = 0; k < count_; ++k) add_example(regions, setup.examples[k].nodes, k, posed);
  sum_up(regions, posed);
}

void Examples::add_example(const Regions& regions, const std::vector<Vec3>& nodes, std::size_t k,
                           ExampleWarps::Posed& posed) {
  Vec3 origin = Vec3::Zero();  // near it, so that sums of x^k lose nothing
  for (const Vec3& x : nodes) origin += x / static_cast<double>(nodes.size());
  std::vector<Vec3>& places = posed.nodes.emplace_back();
  for (const Vec3& x : nodes) places.push_back(x - origin);
  std::vector<RegionPose>& poses = posed.regions.emplace_back();
  for (std::size_t r = 0; r < mass_.size(); ++r) {
    Vec3 middle = Vec3::Zero();
    for (std::size_t j = regions.start[r]; j < regions.start[r + 1]; ++j)
      middle += regions.share(r, regions.nodes[j]) / mass_[r] * places[regions.nodes[j]];
    Mat3 fit = Mat3::Zero(), moment = Mat3::Zero();
    for (std::size_t j = regions.start[r]; j < regions.start[r + 1]; ++j) {
      const double share = regions.share(r, regions.nodes[j]);
      const Vec3 q = place_of(regions.reference, regions.nodes[j]) - regions.centres[r];
      fit += share * (places[regions.nodes[j]] - middle) * q.transpose();
      moment += share * q * q.transpose();
    }
    const Mat3 a = fit * inverse3(moment + kFlatRegion * moment.trace() * Mat3::Identity());
    const Mat3 back = polar_rotation(a, Quat::Identity()).toRotationMatrix().transpose(), s = back * a;
    const Mat3 stretch = 0.5 * (s + s.transpose()) - Mat3::Identity();
    const double d[6] = {stretch(0, 0), stretch(1, 1), stretch(2, 2), stretch(0, 1), stretch(1, 2), stretch(2, 0)};
    for (std::size_t c = 0; c < 6; ++c) stretches_[r / 8 * count_ + k].of[c][r % 8] = d[c];
    poses.push_back({back, stretch, middle});
  }
}

void Examples::sum_up(const Regions& regions, const ExampleWarps::Posed& posed) {
  const std::size_t n = mass_.size(), square = count_ * count_;
  alike_.assign(groups_ * count_, 0.0);
  gram_.assign(groups_ * square, 0.0);
  std::vector<double> spread(groups_, 0.0), stretched(groups_ * count_, 0.0);
  for (std::size_t r = 0; r < n; ++r) {
    const std::size_t g = group_of_[r];
    Mat3 moment = Mat3::Zero();
    for (std::size_t j = regions.start[r]; j < regions.start[r + 1]; ++j) {
      const Vec3 q = place_of(regions.reference, regions.nodes[j]) - regions.centres[r];
      moment += regions.share(r, regions.nodes[j]) * q * q.transpose();
    }
    spread[g] += moment.trace();
    for (std::size_t k = 0; k < count_; ++k) {
      const Mat3 d = posed.regions[k][r].stretch * moment;
      alike_[g * count_ + k] += d.trace();
      for (std::size_t l = 0; l <= k; ++l)
        gram_[g * square + k * count_ + l] += (d * posed.regions[l][r].stretch).trace();
      if (r < regions.rings()) stretched[g * count_ + k] += (d * posed.regions[k][r].stretch).trace();
    }
  }
  const std::vector<double> of_warps = warps_.build(regions, posed, group_of_, stretched);
  warp_gram_.assign(groups_ * square, 0.0);
  for (std::size_t r = 0; r < n; ++r)
    for (std::size_t i = 0; i < square; ++i) warp_gram_[group_of_[r] * square + i] += of_warps[r * square + i];
  lead_of_.assign(n, kNoLead);
  for (std::uint32_t lead = 0; lead < warps_.count(); ++lead) lead_of_[warps_.leads()[lead]] = lead;
  leads_before_.assign(rests_.size() + 1, 0);
  for (const std::uint32_t r : warps_.leads()) ++leads_before_[r / 8 + 1];
  for (std::size_t b = 0; b < rests_.size(); ++b) leads_before_[b + 1] += leads_before_[b];
  for (std::size_t g = 0; g < groups_; ++g) {
    double *const gram = gram_.data() + g * square, *const warps = warp_gram_.data() + g * square;
    double most = 1e-15 * spread[g] + 1e-300;
    for (std::size_t i = 0; i < square; ++i) gram[i] += warps[i];
    for (std::size_t k = 0; k < count_; ++k) most = std::max(most, gram[k * count_ + k]);
    for (std::size_t k = 0; k < count_; ++k) {
      gram[k * count_ + k] += kAlike * most;
      for (std::size_t l = 0; l < k; ++l) {
        gram[l * count_ + k] = gram[k * count_ + l];
        warps[l * count_ + k] = warps[k * count_ + l];
      }
    }
  }
}

std::size_t Examples::numbers() const {
  if (none()) return 0;
  return sizeof(EightVectors) / sizeof(double) * rests_.size() + 16 * count_ + 3 * warps_.sum_count() +
         4 * mass_.size() + 2 * state_size();
}

Examples::Room Examples::room(double* numbers) const {
  Room room{};
  if (none()) return room;
  room.spins = reinterpret_cast<EightVectors*>(numbers);
  room.weights = reinterpret_cast<double(*)[8]>(room.spins + rests_.size());
  room.rates = room.weights + count_;
  room.of_places = reinterpret_cast<double*>(room.rates + count_);
  room.of_speeds = room.of_places + warps_.sum_count();
  room.maps = room.of_speeds + warps_.sum_count();
  room.padded = room.maps + warps_.sum_count();
  room.push = room.padded + 4 * mass_.size();
  room.rate = room.push + state_size();
  return room;
}

void Examples::use(const double* v, Room& room) const {
  std::array<bool, kMost> used{};
  for (std::size_t i = 0; i < state_size(); ++i) used[i % count_] = used[i % count_] || v[i] > 0;
  room.count = 0;
  for (std::uint32_t k = 0; k < count_; ++k)
    if (used[k]) room.list[room.count++] = k;
}

void Examples::lanes(std::size_t eight, const double* of_groups, double factor, const Room& room,
                     double (*out)[8]) const {
  if (groups_ == 1 && eight > 0) return;  // it is there
  for (std::size_t l = 0; l < 8; ++l) {
    const double* const of_group = of_groups + group_of_[std::min(8 * eight + l, mass_.size() - 1)] * count_;
    for (std::size_t i = 0; i < room.count; ++i) out[i][l] = factor * of_group[room.list[i]];
  }
}

void Examples::add_up(std::size_t eight, const double (*push)[8], std::span<const std::uint32_t> examples,
                      double* out) const {
  for (std::size_t i = 0; i < examples.size(); ++i) {
    const double* const of = push[i];
    if (alike_of_[eight] != 0) {  // lanes beyond the last region are 0
      out[group_of_[8 * eight] * count_ + examples[i]] +=
          ((of[0] + of[1]) + (of[2] + of[3])) + ((of[4] + of[5]) + (of[6] + of[7]));
      continue;
    }
    for (std::size_t r = 8 * eight; r < std::min(8 * eight + 8, mass_.size()); ++r)
      out[group_of_[r] * count_ + examples[i]] += of[r % 8];
  }
}

void Examples::begin_push(Room& room) const {
  for (std::size_t i = 0; i < state_size(); ++i) room.push[i] = -alike_[i];
}

void Examples::add_push(std::size_t eight, const EightSums& places, const double (*turn)[8], Room& room) const {
  alignas(64) double push[kMost][8];
  push_eight(places, rests_[eight], turn, stretches_.data() + eight * count_, count_, push);
  add_up(eight, push, all_, room.push);
}

bool Examples::find(const double* places, const double* turns, double* v, Room& room) const {
  std::array<bool, kMost> used{};
  for (const std::uint32_t k : room.used()) used[k] = true;
  Room fresh = room;
  fresh.count = 0;
  for (std::uint32_t k = 0; k < count_; ++k) {
    if (used[k]) continue;
    for (std::size_t g = 0; g < groups_; ++g) used[k] = used[k] || room.push[g * count_ + k] > 0;
    if (used[k]) fresh.list[fresh.count++] = k;
  }
  gather(places, fresh, room.of_places);
  room.count = 0;
  for (std::uint32_t k = 0; k < count_; ++k)
    if (used[k]) room.list[room.count++] = k;
  if (room.count == 0) return false;
  for (std::size_t lead = 0; lead < warps_.count(); ++lead) {
    const std::uint32_t r = warps_.leads()[lead];
    const Mat3 turn = turn_of(turns, r);
    for (const std::uint32_t k : room.used())
      room.push[group_of_[r] * count_ + k] += product(warps_.sum(room.of_places, k, lead), turn);
  }
  return solve(v, room);
}

/// The least over the examples in use.
bool Examples::solve(double* v, Room& room) const {
  const std::size_t m = room.count;
  bool far = false;
  std::array<double, kMost * kMost> g;
  Numbers b, x;
  for (std::size_t group = 0; group < groups_; ++group) {
    for (std::size_t i = 0; i < m; ++i) {
      b[i] = room.push[group * count_ + room.list[i]];
      x[i] = v[group * count_ + room.list[i]];
      for (std::size_t j = 0; j < m; ++j) g[i * m + j] = gram_[(group * count_ + room.list[i]) * count_ + room.list[j]];
    }
    nearest_in_simplex(g.data(), b.data(), m, x.data());
    for (std::size_t i = 0; i < m; ++i) {
      double& was = v[group * count_ + room.list[i]];
      far = far || std::abs(x[i] - was) > kFar;
      was = x[i];
    }
  }
  return far;
}

Mat3 Examples::of_lead(std::size_t lead, const double* of_leads, const double* v, const Room& room) const {
  const double* const of_group = v + group_of_[warps_.leads()[lead]] * count_;
  Mat3 sum = Mat3::Zero();
  for (const std::uint32_t k : room.used())
    if (of_group[k] > 0) sum += beta() * of_group[k] * matrix_of(warps_.sum(of_leads, k, lead));
  return sum;
}

void Examples::fit(std::size_t eight, const EightSums& sums, const double* of_leads, const double* v, const Room& room,
                   double (*fit)[8]) const {
  lanes(eight, v, beta(), room, room.weights);
  fit_eight(sums, rests_[eight], {stretches_.data() + eight * count_, room.used(), room.weights}, fit);
  for (std::size_t lead = leads_before_[eight]; lead < leads_before_[eight + 1]; ++lead) {
    const std::size_t lane = warps_.leads()[lead] % 8;
    const Mat3 more = of_lead(lead, of_leads, v, room);
    for (int c = 0; c < 9; ++c) fit[c][lane] += more.data()[c];
  }
}

void Examples::begin_rates(Room& room) const { std::fill(room.push, room.push + 2 * state_size(), 0.0); }

void Examples::add_rates(std::size_t eight, const EightSums& places, const EightSums& speeds, const EightTurns& fitted,
                         const double* turns, const double* v, Room& room) const {
  alignas(64) double push[kMost][8];
  EightVectors& spin = room.spins[eight];
  spin = {};
  for (std::size_t lead = leads_before_[eight]; lead < leads_before_[eight + 1]; ++lead) {
    const std::uint32_t r = warps_.leads()[lead];
    const Vec3 moment = -axial(turn_of(turns, r).transpose() * of_lead(lead, room.of_speeds, v, room));
    for (int c = 0; c < 3; ++c) spin.of[c][r % 8] = moment[c];
  }
  lanes(eight, v, beta(), room, room.weights);
  spin_eight(places, speeds, rests_[eight], fitted.turn, fitted.fit,
             {stretches_.data() + eight * count_, room.used(), room.weights}, spin, push);
  add_up(eight, push, room.used(), room.push);
}

/// ẇ of the groups, from Ω and what stretches say of it.
void Examples::end_rates(const double* turns, const double* v, double kept, Room& room) const {
  for (std::size_t lead = 0; lead < warps_.count(); ++lead) {
    const std::uint32_t r = warps_.leads()[lead];
    const Mat3 m = turn_of(turns, r);
    const Vec3 spin = spin_of(room.spins, r);
    for (const std::uint32_t k : room.used())
      room.push[group_of_[r] * count_ + k] +=
          product(warps_.sum(room.of_speeds, k, lead), m) -
          spin.dot(axial(m.transpose() * matrix_of(warps_.sum(room.of_places, k, lead))));
  }
  free_rates(v, room);
  for (std::size_t i = 0; i < state_size(); ++i) room.rate[i] *= kept;
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

void Examples::maps(const EightSums* places, const EightSums* speeds, const double* turns, const double* v, double pull,
                    double calm, Twelve* maps, Room& room) const {
  alignas(64) double turn[4][8];
  for (std::size_t b = 0; b < rests_.size(); ++b) {
    lanes_of_turns(turns, mass_.size(), b, turn);
    lanes(b, v, beta(), room, room.weights);
    if (speeds) lanes(b, room.rate, 1, room, room.rates);
    map_eight(places[b], speeds ? speeds + b : nullptr, rests_[b], turn,
              {stretches_.data() + b * count_, room.used(), room.weights, room.rates}, room.spins + b, pull, calm,
              maps[8 * b].data());
  }
  for (std::size_t lead = 0; lead < warps_.count(); ++lead) {
    const std::uint32_t r = warps_.leads()[lead];
    const double *const of_group = v + group_of_[r] * count_, *const rate = room.rate + group_of_[r] * count_;
    const Mat3 m = turn_of(turns, r);
    Mat3 turning = pull * Mat3::Identity();
    if (speeds) turning += calm * skew(spin_of(room.spins, r));
    for (const std::uint32_t k : room.used()) {
      Mat3 map = beta() * of_group[k] * turning;
      if (speeds) map.diagonal().array() += calm * rate[k];
      map = m * map;
      double* const to = warps_.sum(room.maps, k, lead);
      for (int c = 0; c < 3; ++c) {
        for (int i = 0; i < 3; ++i) to[4 * c + i] = map(i, c);
        to[4 * c + 3] = 0;
      }
    }
  }
}

Vec3 Examples::target(std::size_t region, const Vec3& q, const double* v) const {
  const double* const of_group = v + group_of_[region] * count_;
  Vec3 out = q;
  for (std::size_t k = 0; k < count_; ++k) {
    if (!(of_group[k] > 0)) continue;
    const auto& d = stretches_[region / 8 * count_ + k].of;
    const std::size_t l = region % 8;
    out +=
        beta() * of_group[k] *
        Vec3(d[0][l] * q.x() + d[3][l] * q.y() + d[5][l] * q.z(), d[3][l] * q.x() + d[1][l] * q.y() + d[4][l] * q.z(),
             d[5][l] * q.x() + d[4][l] * q.y() + d[2][l] * q.z());
  }
  return out;
}

double Examples::squared(const double* v, const std::vector<double>& gram) const {
  double sum = 0;
  for (std::size_t g = 0; g < groups_; ++g)
    for (std::size_t k = 0; k < count_; ++k)
      for (std::size_t l = 0; l < count_; ++l)
        sum += v[g * count_ + k] * gram[(g * count_ + k) * count_ + l] * v[g * count_ + l];
  return beta() * beta() * sum;
}

double Examples::spread_beyond(const double* v) const {
  double sum = squared(v, gram_);
  for (std::size_t i = 0; i < state_size(); ++i) sum += 2 * beta() * v[i] * alike_[i];
  return sum;
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
