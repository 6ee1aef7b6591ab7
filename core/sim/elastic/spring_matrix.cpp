#include "core/sim/elastic/spring_matrix.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace hazumi {

namespace {

constexpr std::uint32_t kNoEntry = 0xffffffff;

using spring_kernel::kBlock;
using spring_kernel::kLanes;

Eigen::Map<Mat3, 0, Eigen::OuterStride<4>> block(double* of, std::size_t k) {
  return Eigen::Map<Mat3, 0, Eigen::OuterStride<4>>(of + kBlock * k);
}
Eigen::Map<Vec3> node(double* of, std::size_t k) { return Eigen::Map<Vec3>(of + 3 * k); }

}  // namespace

SpringPattern::SpringPattern(std::size_t n, std::vector<Ends> springs, std::vector<char> held, double most_products)
    : n_(n), ends_(std::move(springs)), held_(std::move(held)) {
  fill(most_products);
  plan();
}

SpringPattern::SpringPattern(std::span<const Vec3> places, std::vector<Ends> springs, std::vector<char> held,
                             std::vector<double> shares, bool rough)
    : n_(places.size()), ends_(std::move(springs)), held_(std::move(held)), shares_(std::move(shares)), rough_(rough) {
  std::vector<Ends> edges = ends_;
  for (std::size_t e = 0; e < edges.size(); ++e)
    if (shares_[e] == 0) edges[e] = {0, 0};  // joins nothing
  plan_ = FrontPlan::make(places, edges, held_);
  for (const Front& front : plan_.fronts) longest_ = std::max<std::size_t>(longest_, 3 * front.rows + 8);
}

void SpringPattern::fill(double most_products) {
  std::vector<std::vector<std::uint32_t>> columns(n_);
  for (const auto& [a, b] : ends_)
    if (!held_[a] && !held_[b]) columns[std::min(a, b)].push_back(std::max(a, b));
  const auto tidy = [](std::vector<std::uint32_t>& list) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  };
  for (auto& column : columns) tidy(column);
  // A column hands its rows on to the first of them.
  auto filled = columns;
  double products = 0;
  for (std::size_t j = 0; j < n_ && whole_; ++j) {
    auto& column = filled[j];
    tidy(column);
    const auto rows = static_cast<double>(column.size());
    products += 0.5 * rows * (rows + 1);
    if (products > most_products) whole_ = false;
    if (column.size() > 1) {
      auto& to = filled[column.front()];
      to.insert(to.end(), column.begin() + 1, column.end());
    }
  }
  products_ = products;
  if (whole_) columns = std::move(filled);
  start_.assign(1, 0);
  for (const auto& column : columns) {
    row_.insert(row_.end(), column.begin(), column.end());
    start_.push_back(static_cast<std::uint32_t>(row_.size()));
  }
  slot_.assign(ends_.size(), kNoEntry);
  for (std::size_t e = 0; e < ends_.size(); ++e) {
    const auto [low, high] = std::minmax(ends_[e].first, ends_[e].second);
    if (held_[low] || held_[high]) continue;
    const auto begin = row_.begin() + start_[low], end = row_.begin() + start_[low + 1];
    slot_[e] = static_cast<std::uint32_t>(std::lower_bound(begin, end, high) - row_.begin());
  }
}

void SpringPattern::plan() {
  std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> rows(n_);  // block, end of its column
  for (std::size_t j = 0; j < n_; ++j)
    for (std::uint32_t k = start_[j]; k < start_[j + 1]; ++k) rows[row_[k]].emplace_back(k, start_[j + 1]);
  before_.assign(1, 0);
  std::vector<std::uint32_t> slot_of(n_, kNoEntry);
  for (std::size_t j = 0; j < n_; ++j) {
    for (std::uint32_t k = start_[j]; k < start_[j + 1]; ++k) slot_of[row_[k]] = k;
    for (const auto& [at, end] : rows[j]) {
      at_.push_back(at);
      end_.push_back(end);
      for (std::uint32_t k = at + 1; k < end; ++k) target_.push_back(slot_of[row_[k]]);
    }
    before_.push_back(static_cast<std::uint32_t>(at_.size()));
    for (std::uint32_t k = start_[j]; k < start_[j + 1]; ++k) slot_of[row_[k]] = kNoEntry;
  }
}

std::size_t SpringPattern::memory() const {
  if (in_fronts())
    return 5 * ends_.size() + 6 * plan_.order.size() + numbers(plan_.panels) + numbers(plan_.rests) +
           numbers(3 * plan_.order.size()) + numbers(longest_) + 5 * 3 * n_;
  return 5 * ends_.size() + kBlock * (n_ + row_.size()) + 5 * 3 * n_ + 4 * n_;
}

SpringMatrix::SpringMatrix(const SpringPattern& pattern, std::span<const double> masses, double* memory)
    : pattern_(pattern), masses_(masses) {
  const std::size_t size = 3 * pattern.n_;
  springs_ = memory;
  if (pattern.in_fronts()) {
    diagonal_ = springs_ + 5 * pattern.ends_.size();
    below_ = diagonal_ + 6 * pattern.plan_.order.size();
    rests_ = below_ + pattern.numbers(pattern.plan_.panels);
    padded_ = rests_ + pattern.numbers(pattern.plan_.rests);
    work_ = padded_ + pattern.numbers(3 * pattern.plan_.order.size());
    left_ = work_ + pattern.numbers(pattern.longest_);
    way_ = left_ + size;
    seen_ = way_ + size;
    answer_ = seen_ + size;
    found_ = answer_ + size;
    return;
  }
  diagonal_ = springs_ + 5 * pattern.ends_.size();
  below_ = diagonal_ + kBlock * pattern.n_;
  left_ = below_ + kBlock * pattern.row_.size();
  way_ = left_ + size;
  seen_ = way_ + size;
  answer_ = seen_ + size;
  found_ = answer_ + size;
  padded_ = found_ + size;
}

spring_kernel::Factor SpringMatrix::view() const {
  const SpringPattern& p = pattern_;
  return {p.n_,      p.start_.data(), p.row_.data(), p.before_.data(), p.at_.data(), p.end_.data(), p.target_.data(),
          diagonal_, below_};
}

template <class T>
spring_kernel::Fronts<T> SpringMatrix::fronts() const {
  const FrontPlan& plan = pattern_.plan_;
  return {plan.fronts.data(),
          plan.fronts.size(),
          plan.row.data(),
          plan.edge.data(),
          plan.run.data(),
          plan.child.data(),
          reinterpret_cast<T*>(below_),
          reinterpret_cast<T*>(rests_)};
}

template <class T>
void SpringMatrix::precondition_in_fronts(const spring_kernel::FrontKernels<T>& kernels, double* x) const {
  const auto& order = pattern_.plan_.order;
  T* const mine = reinterpret_cast<T*>(padded_);
  for (std::size_t k = 0; k < order.size(); ++k)
    for (std::size_t c = 0; c < 3; ++c) mine[3 * k + c] = static_cast<T>(x[3 * std::size_t{order[k]} + c]);
  kernels.solve(fronts<T>(), mine, reinterpret_cast<T*>(work_));
  for (std::size_t k = 0; k < order.size(); ++k)
    for (std::size_t c = 0; c < 3; ++c) x[3 * std::size_t{order[k]} + c] = mine[3 * k + c];
}

void SpringMatrix::factor_fronts() {
  const SpringPattern& p = pattern_;
  const std::size_t places = p.plan_.order.size();
  double least = masses_[p.plan_.order[0]];
  std::fill(way_, way_ + 2 * 3 * p.n_, 0.0);  // six numbers of each node
  for (std::size_t e = 0; e < p.ends_.size(); ++e) {
    const double share = p.shares_[e];
    if (share == 0) continue;
    const double* const s = springs_ + 5 * e;
    const double across = share * s[0], along = share * s[1];
    const double x = along * s[2], y = along * s[3];
    const double sums[6] = {across + x * s[2], x * s[3], x * s[4],
                            across + y * s[3], y * s[4], across + along * s[4] * s[4]};
    double *const a = way_ + 6 * std::size_t{p.ends_[e].first}, *const b = way_ + 6 * std::size_t{p.ends_[e].second};
    for (std::size_t k = 0; k < 6; ++k) {
      a[k] += sums[k];
      b[k] += sums[k];
    }
  }
  for (std::size_t k = 0; k < places; ++k) {
    const std::size_t i = p.plan_.order[k];
    double* const to = diagonal_ + 6 * k;
    std::copy(way_ + 6 * i, way_ + 6 * i + 6, to);
    to[0] += masses_[i];
    to[3] += masses_[i];
    to[5] += masses_[i];
    least = std::min(least, masses_[i]);
  }
  const auto& kernels = spring_kernel::kernels();
  if (p.rough_)
    kernels.in_rough_fronts.eliminate(fronts<float>(), diagonal_, springs_, p.shares_.data(), least);
  else
    kernels.in_fronts.eliminate(fronts<double>(), diagonal_, springs_, p.shares_.data(), least);
}

void SpringMatrix::factor() {
  const SpringPattern& p = pattern_;
  if (p.in_fronts()) return factor_fronts();
  const std::size_t n = p.n_;
  std::fill(diagonal_, below_ + kBlock * p.row_.size(), 0.0);
  for (std::size_t i = 0; i < n; ++i) block(diagonal_, i) = masses_[i] * Mat3::Identity();
  for (std::size_t e = 0; e < p.ends_.size(); ++e) {
    const double* const s = springs_ + 5 * e;
    const Vec3 direction(s[2], s[3], s[4]);
    Mat3 stiff = s[1] * direction * direction.transpose();
    stiff.diagonal().array() += s[0];
    const auto [a, b] = p.ends_[e];
    if (!p.held_[a]) block(diagonal_, a) += stiff;
    if (!p.held_[b]) block(diagonal_, b) += stiff;
    if (p.slot_[e] != kNoEntry) block(below_, p.slot_[e]) -= stiff;
  }
  spring_kernel::kernels().eliminate(view(), masses_.data());
}

void SpringMatrix::precondition(double* x) const {
  const std::size_t n = pattern_.n_;
  if (pattern_.in_fronts()) {
    if (pattern_.rough_)
      precondition_in_fronts(spring_kernel::kernels().in_rough_fronts, x);
    else
      precondition_in_fronts(spring_kernel::kernels().in_fronts, x);
    return;
  }
  for (std::size_t i = 0; i < n; ++i) {
    std::copy(x + 3 * i, x + 3 * i + 3, padded_ + 4 * i);
    padded_[4 * i + 3] = 0;
  }
  spring_kernel::kernels().solve(view(), padded_);
  for (std::size_t i = 0; i < n; ++i) std::copy(padded_ + 4 * i, padded_ + 4 * i + 3, x + 3 * i);
}

void SpringMatrix::inverse_blocks(std::span<const std::uint32_t> nodes, std::span<Mat3> blocks) const {
  const std::size_t m = nodes.size(), n = pattern_.n_;
  std::vector<std::uint32_t> order(m);
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return nodes[a] < nodes[b]; });
  std::vector<double> x(3 * kLanes * n);
  for (std::size_t q = 0; q < 3 * m; q += kLanes) {
    const std::size_t lanes = std::min(kLanes, 3 * m - q), first = nodes[order[q / 3]];
    std::fill(x.begin() + static_cast<std::ptrdiff_t>(3 * kLanes * first), x.end(), 0.0);
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const std::size_t j = nodes[order[(q + lane) / 3]];
      if (!pattern_.held_[j]) x[(3 * j + (q + lane) % 3) * kLanes + lane] = 1;
    }
    spring_kernel::kernels().columns(view(), first, x.data());
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const std::size_t a = (q + lane) / 3;
      const auto c = static_cast<Eigen::Index>((q + lane) % 3);
      for (std::size_t b = a; b < m; ++b) {
        const double* const from = x.data() + 3 * kLanes * std::size_t{nodes[order[b]]} + lane;
        Mat3& to = blocks[order[b] * m + order[a]];
        for (Eigen::Index r = 0; r < 3; ++r) to(r, c) = from[kLanes * static_cast<std::size_t>(r)];
      }
    }
  }
  for (std::size_t a = 0; a < m; ++a) {
    Mat3& own = blocks[order[a] * m + order[a]];
    own = (0.5 * (own + own.transpose())).eval();
    for (std::size_t b = a + 1; b < m; ++b)
      blocks[order[a] * m + order[b]] = blocks[order[b] * m + order[a]].transpose();
  }
}

std::size_t SpringPattern::block_of(std::uint32_t i, std::uint32_t j) const {
  if (i == j) return i;
  const auto [low, high] = std::minmax(i, j);
  const auto begin = row_.begin() + start_[low], end = row_.begin() + start_[low + 1];
  const auto at = std::lower_bound(begin, end, high);
  return at != end && *at == high ? n_ + static_cast<std::size_t>(at - row_.begin()) : blocks();
}

void SpringMatrix::near_inverse(std::span<Mat3> out) const {
  const SpringPattern& p = pattern_;
  std::vector<std::uint32_t> changes(p.row_.size());  // where the targets of a block begin
  std::uint32_t next = 0;
  for (std::size_t b = 0; b < p.at_.size(); ++b) {
    changes[p.at_[b]] = next;
    next += p.end_[b] - p.at_[b] - 1;
  }
  std::size_t longest = 0;
  for (std::size_t j = 0; j < p.n_; ++j) longest = std::max<std::size_t>(longest, p.start_[j + 1] - p.start_[j]);
  std::vector<double> blocks(kBlock * p.blocks()), work(4 * kBlock * longest);
  spring_kernel::kernels().near_inverse(view(), changes.data(), blocks.data(), blocks.data() + kBlock * p.n_,
                                        work.data());
  for (std::size_t k = 0; k < out.size(); ++k) out[k] = block(blocks.data(), k);
  Mat3* const below = out.data() + p.n_;
  for (std::size_t j = 0; j < p.n_; ++j) {
    if (p.held_[j]) out[j].setZero();
    for (std::uint32_t k = p.start_[j]; k < p.start_[j + 1]; ++k)
      if (p.held_[j] || p.held_[p.row_[k]]) below[k].setZero();
  }
}

void SpringMatrix::clear_held(double* x) const {
  for (std::size_t i = 0; i < pattern_.n_; ++i)
    if (pattern_.held_[i]) node(x, i).setZero();
}

void SpringMatrix::solve_by_factor(double* x) const {
  clear_held(x);
  precondition(x);
}

void SpringMatrix::multiply(const double* x, double* out) const {
  const SpringPattern& p = pattern_;
  for (std::size_t j = 0; j < 3 * p.n_; ++j) out[j] = masses_[j / 3] * x[j];
  const double* s = springs_;
  for (const auto& [a, b] : p.ends_) {
    const double* const xa = x + 3 * std::size_t{a};
    const double* const xb = x + 3 * std::size_t{b};
    double* const oa = out + 3 * std::size_t{a};
    double* const ob = out + 3 * std::size_t{b};
    const double dx = xb[0] - xa[0], dy = xb[1] - xa[1], dz = xb[2] - xa[2];
    double fx = s[0] * dx, fy = s[0] * dy, fz = s[0] * dz;
    if (s[1] != 0) {
      const double along = s[1] * (s[2] * dx + s[3] * dy + s[4] * dz);
      fx += along * s[2];
      fy += along * s[3];
      fz += along * s[4];
    }
    oa[0] -= fx;
    oa[1] -= fy;
    oa[2] -= fz;
    ob[0] += fx;
    ob[1] += fy;
    ob[2] += fz;
    s += 5;
  }
  clear_held(out);
}

int SpringMatrix::solve(double* x, double share, int most) {
  const std::size_t size = 3 * pattern_.n_;
  clear_held(x);
  std::copy(x, x + size, left_);
  std::copy(x, x + size, way_);
  precondition(way_);
  std::fill(found_, found_ + size, 0.0);
  double was = 0;
  for (std::size_t j = 0; j < size; ++j) was += left_[j] * way_[j];
  const double enough = share * share * was;
  int sweep = 0;
  for (; sweep < most && was > enough; ++sweep) {
    multiply(way_, seen_);
    double along = 0;
    for (std::size_t j = 0; j < size; ++j) along += way_[j] * seen_[j];
    if (!(along > 0)) break;
    const double far = was / along;
    for (std::size_t j = 0; j < size; ++j) {
      found_[j] += far * way_[j];
      left_[j] -= far * seen_[j];
    }
    std::copy(left_, left_ + size, answer_);
    precondition(answer_);
    double now = 0;
    for (std::size_t j = 0; j < size; ++j) now += left_[j] * answer_[j];
    const double turn = now / was;
    for (std::size_t j = 0; j < size; ++j) way_[j] = answer_[j] + turn * way_[j];
    was = now;
  }
  std::copy(found_, found_ + size, x);
  return was > enough ? most + 1 : sweep;
}

}  // namespace hazumi
