#include "core/sim/constraint/account.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace hazumi {
namespace {

constexpr double kKept = 0.9;       // κ
constexpr double kSpentMost = 10;   // of ½ M v² at the speed of rest
constexpr double kGiftSpeed = 0.1;  // m/s

bool before(const PairMemory& x, const PairMemory& y) {
  return std::tie(x.body_a, x.body_b) < std::tie(y.body_a, y.body_b);
}

double gift_of(const Model& model, std::span<const BodyMotion> motions, std::int64_t substep, const PairMemory& pair,
               double depth) {
  const auto fresh = [&](const Body& body) { return substep == 0 || !body.lives(model.clock.film(substep - 1)); };
  const Body &a = model.bodies[pair.body_a], &b = model.bodies[pair.body_b];
  if (!(depth > 0) || !(fresh(a) || fresh(b))) return 0;
  double mass = 0;
  if (motions[pair.body_a].moves) mass += a.mass;
  if (motions[pair.body_b].moves && pair.body_b != pair.body_a) mass += b.mass;
  return overlap_gift(model, mass, depth);
}

}  // namespace

const PairMemory* known_pair(std::span<const PairMemory> pairs, std::uint32_t a, std::uint32_t b) {
  PairMemory wanted;
  wanted.body_a = a;
  wanted.body_b = b;
  const auto at = std::lower_bound(pairs.begin(), pairs.end(), wanted, before);
  return at != pairs.end() && at->body_a == a && at->body_b == b ? &*at : nullptr;
}

double overlap_gift(const Model& model, double mass, double depth) {
  return mass * (model.gravity.norm() * depth + 0.5 * kGiftSpeed * kGiftSpeed);
}

void Account::open(const Model& model, std::span<const BodyMotion> motions, std::span<const PairMemory> known,
                   std::int64_t substep, std::span<const Row> rows) {
  pairs.clear();
  pair_of.clear();
  double depth = 0;
  bool is_new = false;
  const auto close = [&] {
    if (is_new) pairs.back().gift = pairs.back().given = gift_of(model, motions, substep, pairs.back(), depth);
  };
  for (const Row& row : rows) {
    if (pairs.empty() || pairs.back().body_a != row.body_a || pairs.back().body_b != row.body_b) {
      close();
      const PairMemory* at = known_pair(known, row.body_a, row.body_b);
      is_new = !at;
      pairs.push_back(at ? *at : PairMemory());
      pairs.back().body_a = row.body_a;
      pairs.back().body_b = row.body_b;
      depth = 0;
    }
    if (row.start_gap() < -row.slop) depth = std::max(depth, -row.start_gap());
    pair_of.push_back(static_cast<std::uint32_t>(pairs.size() - 1));
  }
  close();
}

double Account::sum() const {
  double sum = 0;
  for (const PairMemory& p : pairs) sum += p.sum();
  return sum;
}

void Account::draw(double cost) {
  for (double PairMemory::*purse :
       {&PairMemory::spent, &PairMemory::elastic, &PairMemory::gift, &PairMemory::turning}) {
    double there = 0;
    for (const PairMemory& p : pairs) there += p.*purse;
    if (!(there > 0) || !(cost > 0)) continue;
    const double share = std::min(1.0, cost / there);
    for (PairMemory& p : pairs) p.*purse -= share * (p.*purse);
    cost -= share * there;
  }
}

double Account::lifting() const {
  double sum = 0;
  for (const PairMemory& p : pairs) sum += p.sum() + p.sunk;
  return sum;
}

void Account::draw_lifting(double cost) {
  for (double PairMemory::*purse : {&PairMemory::sunk, &PairMemory::turning}) {
    double there = 0;
    for (const PairMemory& p : pairs) there += p.*purse;
    if (!(there > 0) || !(cost > 0)) continue;
    const double share = std::min(1.0, cost / there);
    for (PairMemory& p : pairs) p.*purse -= share * (p.*purse);
    cost -= share * there;
  }
  draw(cost);
}

void Account::give_turning(std::uint32_t pair, double worked) {
  PairMemory& p = pairs[pair];
  const double given = std::min(p.turning, worked);
  p.turning -= given;
  p.spent += given;  // from which it is drawn with the work of all
}

void Account::take_turning(std::uint32_t pair, double gained) { pairs[pair].turning += gained; }

void Account::book(std::span<const Taken> taken, double work) {
  if (work > 0) return draw(work);
  double all = 0;
  for (const Taken& t : taken) all += t.all;
  if (!(all > 0)) return;
  // Rows that worked meanwhile lived on what others took.
  const double share = -work / all;
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const Taken& t = taken[k];
    pairs[k].elastic += share * t.elastic;
    pairs[k].sunk += share * t.sunk;
    pairs[k].turning += share * t.turning;
    // Of sums: below zero by round-off.
    pairs[k].spent += share * std::max(0.0, t.all - t.elastic - t.sunk - t.turning);
  }
}

void Account::decay(double mass, double rest_speed, std::span<const After> after) {
  double spent = 0;
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    if (!after[k].deep) {
      pairs[k].spent += pairs[k].sunk;
      pairs[k].sunk = 0;
    }
    if (!after[k].curves) {
      pairs[k].spent += pairs[k].turning;
      pairs[k].turning = 0;
    }
  }
  for (PairMemory& p : pairs) spent += p.spent *= kKept;
  const double most = kSpentMost * 0.5 * mass * rest_speed * rest_speed;
  if (spent > most)
    for (PairMemory& p : pairs) p.spent *= most / spent;
}

void merge_pairs(std::span<const PairMemory> known, std::vector<PairMemory>& pairs, std::int64_t substep,
                 std::vector<PairMemory>& out) {
  std::sort(pairs.begin(), pairs.end(), before);
  auto next = pairs.begin();
  for (const PairMemory& p : known) {
    while (next != pairs.end() && before(*next, p)) out.push_back(std::move(*next++));
    if (next != pairs.end() && !before(p, *next)) {
      out.push_back(std::move(*next++));
      continue;
    }
    PairMemory left = p;
    left.elastic = 0;
    left.gift = 0;
    left.sunk = 0;
    left.turning = 0;
    left.pulses.clear();
    left.spent *= kKept;
    left.regions.erase_if([&](const RegionMemory& r) { return r.until < substep; });
    if (left.spent > 1e-12 || !left.regions.empty()) out.push_back(std::move(left));
  }
  while (next != pairs.end()) out.push_back(std::move(*next++));
}

}  // namespace hazumi
