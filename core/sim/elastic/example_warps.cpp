#include "core/sim/elastic/example_warps.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/math/clones.h"

namespace hazumi::shape_matching {

namespace {

constexpr std::uint32_t kNoLead = 0xffffffffu;
constexpr int kWidest = 3;           // rings round a lead
constexpr double kMostApart = 0.25;  // rad, of a region against its lead
constexpr double kNothing = 1e-5;    // Σ m̃ |W|², of the mean G of a region
constexpr double kBetween = 5e-4;    // Σ m̃ |W|² φ², of the same

Vec3 vec_at(std::span<const double> x, std::size_t i) { return {x[3 * i], x[3 * i + 1], x[3 * i + 2]}; }

HAZUMI_CLONES void gather_warps(const std::uint32_t* node, const std::uint32_t* end, const double* warps,
                                const double* padded, double* sum) {
  Four s[3] = {}, t[3] = {};  // two, that one does not wait for the other
  for (; node + 1 < end; node += 2, warps += 6) {
    Four a, b;
    std::memcpy(&a, padded + 4 * static_cast<std::size_t>(node[0]), sizeof a);
    std::memcpy(&b, padded + 4 * static_cast<std::size_t>(node[1]), sizeof b);
    for (int c = 0; c < 3; ++c) {
      s[c] += a * warps[c];
      t[c] += b * warps[3 + c];
    }
  }
  if (node != end) {
    Four a;
    std::memcpy(&a, padded + 4 * static_cast<std::size_t>(*node), sizeof a);
    for (int c = 0; c < 3; ++c) s[c] += a * warps[c];
  }
  for (int c = 0; c < 3; ++c) s[c] += t[c];
  std::memcpy(sum, s, sizeof s);
}

HAZUMI_CLONES void spread_warps(const std::uint32_t* node, const std::uint32_t* end, const double* warps,
                                const double* map, double* padded) {
  Four n[3];
  std::memcpy(n, map, sizeof n);
  for (; node != end; ++node, warps += 3) {
    double* const at = padded + 4 * static_cast<std::size_t>(*node);
    Four a;
    std::memcpy(&a, at, sizeof a);
    for (int c = 0; c < 3; ++c) a += n[c] * warps[c];
    std::memcpy(at, &a, sizeof a);
  }
}

}  // namespace

struct ExampleWarps::Draft {
  const Regions& regions;
  const Posed& posed;
  std::span<const std::uint32_t> group_of;
  std::span<const double> stretched;
  std::size_t count = posed.nodes.size(), n = regions.centres.size();
  std::vector<double> sizes = {};           // Σ m̃ |W_k|², by example
  std::vector<double> means = {};           // G_kk of a region in the mean, by group
  std::vector<std::uint32_t> lead_of = {};  // of regions
  std::vector<std::uint8_t> open = {};      // has a warp, and no lead yet
  std::vector<std::uint32_t> from = {};     // of a search: the lead from which a region was reached
  std::vector<std::uint32_t> queue = {};

  Vec3 warp(std::size_t k, std::size_t r, std::size_t node) const {
    const RegionPose& pose = posed.regions[k][r];
    const Vec3 q = vec_at(regions.reference, node) - regions.centres[r];
    return pose.back * (posed.nodes[k][node] - pose.middle) - q - pose.stretch * q;
  }
  Mat3 against(std::size_t k, std::size_t r, std::size_t lead) const {
    return posed.regions[k][lead].back * posed.regions[k][r].back.transpose();
  }
  double mean(std::size_t k, std::size_t r) const { return means[group_of[r] * count + k]; }

  void measure();
  void search(std::span<const std::uint32_t> begin, int rings);
  bool may_follow(std::uint32_t r, std::uint32_t lead) const;
  void take_leads(int rings);
};

void ExampleWarps::Draft::measure() {
  sizes.assign(count * n, 0.0);
  open.assign(n, 0);
  lead_of.assign(n, kNoLead);
  from.assign(n, kNoLead);
  means.assign(stretched.begin(), stretched.end());
  std::vector<double> members(stretched.size() / count, 0.0);
  for (std::size_t r = 0; r < regions.rings(); ++r) ++members[group_of[r]];
  for (std::size_t k = 0; k < count; ++k)
    for (std::size_t r = 0; r < n; ++r) {
      double size = 0;
      for (std::size_t j = regions.start[r]; j < regions.start[r + 1]; ++j)
        size += regions.share(r, regions.nodes[j]) * warp(k, r, regions.nodes[j]).squaredNorm();
      sizes[k * n + r] = size;
      if (r < regions.rings()) means[group_of[r] * count + k] += size;
    }
  for (std::size_t i = 0; i < means.size(); ++i) means[i] /= members[i / count];
  for (std::size_t k = 0; k < count; ++k)
    for (std::size_t r = 0; r < n; ++r)
      if (sizes[k * n + r] > kNothing * mean(k, r)) open[r] = 1;
}

/// from ← of open regions within so many rings of `begin` the nearest of those, in its own group.
void ExampleWarps::Draft::search(std::span<const std::uint32_t> begin, int rings) {
  queue.assign(begin.begin(), begin.end());
  for (const std::uint32_t r : queue) from[r] = r;
  std::size_t next = 0;
  for (int ring = 0; ring < rings; ++ring)
    for (const std::size_t last = queue.size(); next < last; ++next) {
      const std::uint32_t r = queue[next];
      for (std::size_t j = regions.start[r]; j < regions.start[r + 1]; ++j) {
        const std::uint32_t s = regions.nodes[j];
        if (open[s] == 0 || from[s] != kNoLead || group_of[s] != group_of[r]) continue;
        from[s] = from[r];
        queue.push_back(s);
      }
    }
}

bool ExampleWarps::Draft::may_follow(std::uint32_t r, std::uint32_t lead) const {
  for (std::size_t k = 0; k < count; ++k) {
    const double size = sizes[k * n + r];
    if (!(size > kNothing * mean(k, r))) continue;
    const double square = 3 - against(k, r, lead).trace();  // φ²
    if (!(square < kMostApart * kMostApart && square * size < kBetween * mean(k, r))) return false;
  }
  return true;
}

/// Leads twice so many rings from each other, and of what is near one whatever may follow it. Clusters lead themselves.
void ExampleWarps::Draft::take_leads(int rings) {
  std::vector<std::uint32_t> begin, members(n, 0);
  const std::size_t may_lead = rings > 0 ? regions.rings() : n;
  for (std::uint32_t r = 0; r < may_lead; ++r) {
    if (open[r] == 0 || from[r] != kNoLead) continue;
    begin.push_back(r);
    search({&begin.back(), 1}, 2 * rings);
  }
  std::fill(from.begin(), from.end(), kNoLead);
  search(begin, 2 * rings);
  for (const std::uint32_t r : queue)
    if (may_follow(r, from[r])) ++members[from[r]];
  for (const std::uint32_t r : queue) {
    if (!may_follow(r, from[r]) || (rings > 0 && members[from[r]] < 2)) continue;
    lead_of[r] = from[r];
    open[r] = 0;
  }
  std::fill(from.begin(), from.end(), kNoLead);
}

std::vector<double> ExampleWarps::build(const Regions& regions, const Posed& posed,
                                        std::span<const std::uint32_t> group_of, std::span<const double> stretched) {
  Draft draft{regions, posed, group_of, stretched};
  draft.measure();
  for (int rings = kWidest; rings >= 0; --rings) draft.take_leads(rings);
  const std::size_t n = draft.n, count = draft.count;
  examples_ = count;
  masses_.assign(regions.of_nodes.begin(), regions.of_nodes.end());
  std::vector<std::vector<std::uint32_t>> followers(n);
  for (std::uint32_t r = 0; r < n; ++r)
    if (draft.lead_of[r] != kNoLead) followers[draft.lead_of[r]].push_back(r);
  start_.assign(1, 0);
  for (std::uint32_t lead = 0; lead < n; ++lead) {
    if (followers[lead].empty()) continue;
    const std::size_t first = node_.size();
    for (const std::uint32_t r : followers[lead])
      node_.insert(node_.end(), regions.nodes.begin() + regions.start[r], regions.nodes.begin() + regions.start[r + 1]);
    std::sort(node_.begin() + static_cast<std::ptrdiff_t>(first), node_.end());
    node_.erase(std::unique(node_.begin() + static_cast<std::ptrdiff_t>(first), node_.end()), node_.end());
    leads_.push_back(lead);
    start_.push_back(static_cast<std::uint32_t>(node_.size()));
  }
  std::vector<std::uint32_t> places(n);  // where a lead has its node
  std::vector<Vec3> w(count);
  std::vector<Mat3> against(count);
  warps_.assign(3 * count * node_.size(), 0.0);
  std::vector<double> grams(count * count * n, 0.0);
  for (std::size_t lead = 0; lead < leads_.size(); ++lead) {
    for (std::uint32_t j = start_[lead]; j < start_[lead + 1]; ++j) places[node_[j]] = j;
    for (const std::uint32_t r : followers[leads_[lead]]) {
      for (std::size_t k = 0; k < count; ++k) against[k] = draft.against(k, r, leads_[lead]);
      for (std::size_t j = regions.start[r]; j < regions.start[r + 1]; ++j) {
        const std::uint32_t i = regions.nodes[j];
        const double share = regions.share(r, i) / regions.of_nodes[i];  // one over how many regions have it
        for (std::size_t k = 0; k < count; ++k) {
          w[k] = against[k] * draft.warp(k, r, i);
          double* const v = warps_.data() + 3 * (k * node_.size() + places[i]);
          for (int c = 0; c < 3; ++c) v[c] += share * w[k][c];
          for (std::size_t l = 0; l <= k; ++l)
            grams[(r * count + k) * count + l] += regions.share(r, i) * w[k].dot(w[l]);
        }
      }
    }
  }
  return grams;
}

void ExampleWarps::gather(const double* a, std::span<const std::uint32_t> used, double* padded, double* sums) const {
  if (none() || used.empty()) return;
  for (std::size_t i = 0; i < masses_.size(); ++i) {
    for (std::size_t c = 0; c < 3; ++c) padded[4 * i + c] = masses_[i] * a[3 * i + c];
    padded[4 * i + 3] = 0;
  }
  for (std::size_t lead = 0; lead < leads_.size(); ++lead)
    for (const std::uint32_t k : used)
      gather_warps(node_.data() + start_[lead], node_.data() + start_[lead + 1],
                   warps_.data() + 3 * (k * node_.size() + start_[lead]), padded, sum(sums, k, lead));
}

void ExampleWarps::spread(const double* maps, std::span<const std::uint32_t> used, double* padded, double* to) const {
  if (none() || used.empty()) return;
  std::fill(padded, padded + 4 * masses_.size(), 0.0);
  for (std::size_t lead = 0; lead < leads_.size(); ++lead)
    for (const std::uint32_t k : used)
      spread_warps(node_.data() + start_[lead], node_.data() + start_[lead + 1],
                   warps_.data() + 3 * (k * node_.size() + start_[lead]), sum(maps, k, lead), padded);
  for (std::size_t i = 0; i < masses_.size(); ++i)
    for (std::size_t c = 0; c < 3; ++c) to[3 * i + c] += padded[4 * i + c];
}

}  // namespace hazumi::shape_matching
