#include "core/sim/constraint/cone_lanes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace hazumi {

namespace {

constexpr std::uint32_t kNone = 0xffffffff;

inline void take_cross(const Four* a, const Four* b, Four* out) {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

/// Three numbers of each lane's body.
inline void gather(const double* x, const std::uint32_t* from, std::size_t offset, Four* out) {
  for (std::size_t k = 0; k < 3; ++k)
    out[k] = Four{x[from[0] + offset + k], x[from[1] + offset + k], x[from[2] + offset + k], x[from[3] + offset + k]};
}

inline void scatter(const Four* in, double* x, const std::uint32_t* to, std::size_t offset) {
  for (std::size_t lane = 0; lane < 4; ++lane)
    for (std::size_t k = 0; k < 3; ++k) x[to[lane] + offset + k] = in[k][lane];
}

/// ω ± I⁻¹ t of a symmetric I⁻¹.
inline void turn(Four* spin, const Four* inertia, const Four* t, double sign) {
  spin[0] += sign * (inertia[0] * t[0] + inertia[1] * t[1] + inertia[2] * t[2]);
  spin[1] += sign * (inertia[1] * t[0] + inertia[3] * t[1] + inertia[4] * t[2]);
  spin[2] += sign * (inertia[2] * t[0] + inertia[4] * t[1] + inertia[5] * t[2]);
}

void set(Four* to, std::size_t lane, const Vec3& v) {
  for (int k = 0; k < 3; ++k) to[k][lane] = v[k];
}

}  // namespace

void ConeLanes::find_pairs(std::span<const Contact> contacts, const ConeParts& parts) {
  pairs_.clear();
  for (std::uint32_t k = 0; k < contacts.size(); ++k) {
    const ConeParts::Hold& hold = parts.hold[contacts[k].row];
    const bool same =
        k > 0 && parts.hold[contacts[k - 1].row].a == hold.a && parts.hold[contacts[k - 1].row].b == hold.b;
    if (!same) pairs_.push_back({k, k, 0});
    ++pairs_.back().end;
  }
  after_.assign(parts.part.size(), 0);
  lanes_of_.assign(pairs_.size(), 0);
  open_.resize(pairs_.size() + 1);
  std::iota(open_.begin(), open_.end(), 0U);
  for (Pair& pair : pairs_) {
    const ConeParts::Hold& hold = parts.hold[contacts[pair.begin].row];
    std::uint32_t* const a = hold.a >= 0 ? &after_[static_cast<std::size_t>(hold.a)] : nullptr;
    std::uint32_t* const b = hold.b >= 0 ? &after_[static_cast<std::size_t>(hold.b)] : nullptr;
    pair.batch = first_open(std::max(a ? *a : 0, b ? *b : 0));
    if (++lanes_of_[pair.batch] == 4) open_[pair.batch] = pair.batch + 1;
    if (a) *a = pair.batch + 1;
    if (b) *b = pair.batch + 1;
  }
  std::stable_sort(pairs_.begin(), pairs_.end(), [](const Pair& p, const Pair& q) { return p.batch < q.batch; });
}

std::uint32_t ConeLanes::first_open(std::uint32_t batch) {
  while (open_[batch] != batch) {
    open_[batch] = open_[open_[batch]];
    batch = open_[batch];
  }
  return batch;
}

void ConeLanes::add_batch(std::span<const Pair> pairs, std::span<const Contact> contacts, const ConeParts& parts) {
  Batch batch = {};
  batch.begin = static_cast<std::uint32_t>(lanes_.size());
  std::uint32_t most = 0;
  for (const Pair& pair : pairs) most = std::max(most, pair.end - pair.begin);
  batch.end = batch.begin + most;
  lanes_.resize(batch.end, Lanes{});
  weight_.resize(4 * std::size_t{batch.end}, 0);
  row_.resize(4 * std::size_t{batch.end}, kNone);
  const auto nobody = static_cast<std::uint32_t>(6 * parts.part.size());
  std::fill_n(batch.a, 4, nobody);
  std::fill_n(batch.b, 4, nobody);
  const auto hold_part = [&](std::int32_t part, std::size_t lane, std::uint32_t* at, Four& mass, Four* inertia) {
    if (part < 0) return;
    const ConeParts::Part& p = parts.part[static_cast<std::size_t>(part)];
    at[lane] = static_cast<std::uint32_t>(6 * part);
    mass[lane] = p.inverse_mass;
    const Mat3& i = p.inverse_inertia;
    const std::array<double, 6> six = {i(0, 0), i(0, 1), i(0, 2), i(1, 1), i(1, 2), i(2, 2)};
    for (std::size_t k = 0; k < 6; ++k) inertia[k][lane] = six[k];
  };
  for (std::size_t lane = 0; lane < pairs.size(); ++lane) {
    const Pair& pair = pairs[lane];
    const ConeParts::Hold& first = parts.hold[contacts[pair.begin].row];
    hold_part(first.a, lane, batch.a, batch.mass_a, batch.inertia_a);
    hold_part(first.b, lane, batch.b, batch.mass_b, batch.inertia_b);
    for (std::uint32_t k = pair.begin; k < pair.end; ++k) {
      const Contact& c = contacts[k];
      const std::size_t at = batch.begin + (k - pair.begin);
      Lanes& to = lanes_[at];
      const ConeParts::Hold& hold = parts.hold[c.row];
      set(to.normal, lane, c.normal);
      set(to.w_n, lane, c.w_n);
      set(to.free, lane, c.free);
      set(to.arm_a, lane, hold.arm_a);
      set(to.arm_b, lane, hold.arm_b);
      to.least[lane] = c.least;
      to.friction[lane] = c.friction;
      to.spread[lane] = c.spread;
      to.spread_t[lane] = c.spread > 0 ? c.spread_t : 0.0;
      to.mobility[lane] = c.mobility;
      weight_[4 * at + lane] = c.weight;
      row_[4 * at + lane] = c.row;
    }
  }
  batches_.push_back(batch);
}

void ConeLanes::lay(std::span<const Contact> contacts, const ConeParts& parts) {
  lanes_.clear();
  weight_.clear();
  batches_.clear();
  row_.clear();
  find_pairs(contacts, parts);
  for (std::size_t k = 0; k < pairs_.size();) {
    std::size_t end = k + 1;
    while (end < pairs_.size() && pairs_[end].batch == pairs_[k].batch) ++end;
    add_batch(std::span(pairs_).subspan(k, end - k), contacts, parts);
    k = end;
  }
  impulse_.resize(lanes_.size());
}

void ConeLanes::take(std::span<const Vec3> impulse) {
  for (std::size_t k = 0; k < lanes_.size(); ++k)
    for (std::size_t lane = 0; lane < 4; ++lane) {
      const std::uint32_t row = row_[4 * k + lane];
      set(impulse_[k].along, lane, row == kNone ? Vec3(Vec3::Zero()) : impulse[row]);
    }
}

void ConeLanes::give(std::span<Vec3> impulse) const {
  for (std::size_t k = 0; k < lanes_.size(); ++k)
    for (std::size_t lane = 0; lane < 4; ++lane)
      if (const std::uint32_t row = row_[4 * k + lane]; row != kNone)
        for (int c = 0; c < 3; ++c) impulse[row][c] = impulse_[k].along[c][lane];
}

/// One row of each lane, each by itself (ConeSolve::contact_next): λ, and what it changes by.
static inline void solve_lanes(const Four* normal, const Four* w_n, const Four& least, const Four& friction,
                               const Four& spread, const Four& spread_t, const Four* u, Four* impulse, Four* step) {
  const Four zero = {};
  const Four was = impulse[0] * normal[0] + impulse[1] * normal[1] + impulse[2] * normal[2];
  const Four leaving = u[0] * normal[0] + u[1] * normal[1] + u[2] * normal[2];
  const Four wanted = was + (least - leaving) * spread;
  const Four now = wanted > zero ? wanted : zero;
  Four pushed[3], across[3];
  for (int k = 0; k < 3; ++k) pushed[k] = u[k] + (now - was) * w_n[k];
  const Four along = normal[0] * pushed[0] + normal[1] * pushed[1] + normal[2] * pushed[2];
  for (int k = 0; k < 3; ++k) {
    across[k] = impulse[k] - was * normal[k] - (pushed[k] - normal[k] * along) * spread_t;
    across[k] = spread_t > zero ? across[k] : zero;
  }
  const Four most = friction * now;
  const Four square = across[0] * across[0] + across[1] * across[1] + across[2] * across[2];
  Four share = {1, 1, 1, 1};
  for (int lane = 0; lane < 4; ++lane)
    if (square[lane] > most[lane] * most[lane]) share[lane] = most[lane] / std::sqrt(square[lane]);
  for (int k = 0; k < 3; ++k) {
    const Four next = now * normal[k] + across[k] * share;
    step[k] = next - impulse[k];
    impulse[k] = next;
  }
}

HAZUMI_CLONES double ConeLanes::run(const Batch* batches, std::ptrdiff_t count, std::ptrdiff_t way, const Lanes* lanes,
                                    Impulses* impulses, double* x) {
  const Four zero = {};
  Four greatest = {};
  for (; count > 0; --count, batches += way) {
    const Batch& b = *batches;
    Four va[3], wa[3], vb[3], wb[3];
    gather(x, b.a, 0, va);
    gather(x, b.a, 3, wa);
    gather(x, b.b, 0, vb);
    gather(x, b.b, 3, wb);
    const std::ptrdiff_t rows = b.end - b.begin;
    std::ptrdiff_t at = way > 0 ? b.begin : std::ptrdiff_t{b.end} - 1;
    for (std::ptrdiff_t k = 0; k < rows; ++k, at += way) {
      const Lanes& row = lanes[at];
      Four u[3], turned[3], step[3];
      take_cross(wa, row.arm_a, turned);
      for (int c = 0; c < 3; ++c) u[c] = row.free[c] + (va[c] + turned[c]);
      take_cross(wb, row.arm_b, turned);
      for (int c = 0; c < 3; ++c) u[c] -= vb[c] + turned[c];
      solve_lanes(row.normal, row.w_n, row.least, row.friction, row.spread, row.spread_t, u, impulses[at].along, step);
      for (int c = 0; c < 3; ++c) {
        va[c] += b.mass_a * step[c];
        vb[c] -= b.mass_b * step[c];
        Four size = step[c] < zero ? -step[c] : step[c];
        size *= row.mobility;
        greatest = size > greatest ? size : greatest;
      }
      take_cross(row.arm_a, step, turned);
      turn(wa, b.inertia_a, turned, 1);
      take_cross(row.arm_b, step, turned);
      turn(wb, b.inertia_b, turned, -1);
    }
    scatter(va, x, b.a, 0);
    scatter(wa, x, b.a, 3);
    scatter(vb, x, b.b, 0);
    scatter(wb, x, b.b, 3);
  }
  return std::max(std::max(greatest[0], greatest[1]), std::max(greatest[2], greatest[3]));
}

double ConeLanes::sweep(bool back, std::span<Vec3> x) {
  if (batches_.empty()) return 0;
  return run(back ? &batches_.back() : batches_.data(), static_cast<std::ptrdiff_t>(batches_.size()), back ? -1 : 1,
             lanes_.data(), impulse_.data(), x.front().data());
}

void ConeLanes::start() {
  last_ = impulse_;
  kept_.resize(impulse_.size());
}

void ConeLanes::keep() { std::copy(impulse_.begin(), impulse_.end(), kept_.begin()); }

double ConeLanes::along() const {
  Four sum = {};
  for (std::size_t k = 0; k < lanes_.size(); ++k) {
    Four dot = {};
    for (int c = 0; c < 3; ++c)
      dot += (kept_[k].along[c] - impulse_[k].along[c]) * (impulse_[k].along[c] - last_[k].along[c]);
    sum += Four{weight_[4 * k], weight_[4 * k + 1], weight_[4 * k + 2], weight_[4 * k + 3]} * dot;
  }
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

void ConeLanes::lead(double share) {
  for (std::size_t k = 0; k < impulse_.size(); ++k)
    for (int c = 0; c < 3; ++c) {
      const Four now = impulse_[k].along[c];
      impulse_[k].along[c] = now + share * (now - last_[k].along[c]);
      last_[k].along[c] = now;
    }
}

std::size_t ConeLanes::bytes() const {
  return lanes_.capacity() * sizeof(Lanes) + batches_.capacity() * sizeof(Batch) + pairs_.capacity() * sizeof(Pair) +
         (after_.capacity() + lanes_of_.capacity() + open_.capacity() + row_.capacity()) * sizeof(std::uint32_t) +
         weight_.capacity() * sizeof(double) +
         (impulse_.capacity() + kept_.capacity() + last_.capacity()) * sizeof(Impulses);
}

}  // namespace hazumi
