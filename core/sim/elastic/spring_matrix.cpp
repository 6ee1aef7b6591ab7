#include "core/sim/elastic/spring_matrix.h"

#include <algorithm>
#include <cmath>

namespace hazumi {

namespace {

constexpr std::uint32_t kNone = 0xffffffff;
constexpr int kMostSweeps = 1000;

Eigen::Map<Mat3> block(double* of, std::size_t k) { return Eigen::Map<Mat3>(of + 9 * k); }
Eigen::Map<Vec3> node(double* of, std::size_t k) { return Eigen::Map<Vec3>(of + 3 * k); }

/// Lower L⁻¹ of A = L Lᵀ; false: A is not positive.
bool invert_root(const Mat3& a, Mat3& out) {
  const double l00 = std::sqrt(a(0, 0));
  const double l10 = a(1, 0) / l00, l20 = a(2, 0) / l00;
  const double d1 = a(1, 1) - l10 * l10;
  const double l11 = std::sqrt(d1), l21 = (a(2, 1) - l20 * l10) / l11;
  const double d2 = a(2, 2) - l20 * l20 - l21 * l21;
  const double least = 1e-14 * (a(0, 0) + a(1, 1) + a(2, 2));
  if (!(a(0, 0) > least && d1 > least && d2 > least)) return false;
  const double l22 = std::sqrt(d2);
  out << 1 / l00, 0, 0, -l10 / (l00 * l11), 1 / l11, 0, (l10 * l21 - l20 * l11) / (l00 * l11 * l22), -l21 / (l11 * l22),
      1 / l22;
  return true;
}

}  // namespace

SpringPattern::SpringPattern(std::size_t n, std::vector<Ends> springs, std::vector<char> held, double most_products)
    : n_(n), ends_(std::move(springs)), held_(std::move(held)) {
  fill(most_products);
  plan();
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
  if (whole_) columns = std::move(filled);
  start_.assign(1, 0);
  for (const auto& column : columns) {
    row_.insert(row_.end(), column.begin(), column.end());
    start_.push_back(static_cast<std::uint32_t>(row_.size()));
  }
  slot_.assign(ends_.size(), kNone);
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
  std::vector<std::uint32_t> slot_of(n_, kNone);
  for (std::size_t j = 0; j < n_; ++j) {
    for (std::uint32_t k = start_[j]; k < start_[j + 1]; ++k) slot_of[row_[k]] = k;
    for (const auto& [at, end] : rows[j]) {
      at_.push_back(at);
      end_.push_back(end);
      for (std::uint32_t k = at + 1; k < end; ++k) target_.push_back(slot_of[row_[k]]);
    }
    before_.push_back(static_cast<std::uint32_t>(at_.size()));
    for (std::uint32_t k = start_[j]; k < start_[j + 1]; ++k) slot_of[row_[k]] = kNone;
  }
}

std::size_t SpringPattern::memory() const { return 5 * ends_.size() + 9 * n_ + 9 * row_.size() + 5 * 3 * n_; }

SpringMatrix::SpringMatrix(const SpringPattern& pattern, std::span<const double> masses, double* memory)
    : pattern_(pattern), masses_(masses) {
  const std::size_t size = 3 * pattern.n_;
  springs_ = memory;
  diagonal_ = springs_ + 5 * pattern.ends_.size();
  below_ = diagonal_ + 9 * pattern.n_;
  left_ = below_ + 9 * pattern.row_.size();
  way_ = left_ + size;
  seen_ = way_ + size;
  answer_ = seen_ + size;
  found_ = answer_ + size;
}

/// By columns, each less those before it that have its row.
void SpringMatrix::factor() {
  const SpringPattern& p = pattern_;
  const std::size_t n = p.n_;
  std::fill(below_, below_ + 9 * p.row_.size(), 0.0);
  for (std::size_t i = 0; i < n; ++i) block(diagonal_, i) = masses_[i] * Mat3::Identity();
  for (std::size_t e = 0; e < p.ends_.size(); ++e) {
    const double* const s = springs_ + 5 * e;
    const Vec3 direction(s[2], s[3], s[4]);
    Mat3 stiff = s[1] * direction * direction.transpose();
    stiff.diagonal().array() += s[0];
    const auto [a, b] = p.ends_[e];
    if (!p.held_[a]) block(diagonal_, a) += stiff;
    if (!p.held_[b]) block(diagonal_, b) += stiff;
    if (p.slot_[e] != kNone) block(below_, p.slot_[e]) -= stiff;
  }
  const std::uint32_t* target = p.target_.data();
  for (std::size_t j = 0; j < n; ++j) {
    Mat3 own = block(diagonal_, j);
    for (std::uint32_t b = p.before_[j]; b < p.before_[j + 1]; ++b) {
      const Mat3 mine = block(below_, p.at_[b]).transpose();
      own -= block(below_, p.at_[b]) * mine;
      for (std::uint32_t k = p.at_[b] + 1; k < p.end_[b]; ++k, ++target)
        if (*target != kNone) block(below_, *target) -= block(below_, k) * mine;
    }
    Mat3 root;
    if (!invert_root(own, root) && !invert_root(block(diagonal_, j), root))
      root = Mat3::Identity() / std::sqrt(masses_[j]);
    block(diagonal_, j) = root;
    for (std::uint32_t k = p.start_[j]; k < p.start_[j + 1]; ++k)
      block(below_, k) = (block(below_, k) * root.transpose()).eval();
  }
}

void SpringMatrix::precondition(double* x) const {
  const SpringPattern& p = pattern_;
  for (std::size_t j = 0; j < p.n_; ++j) {
    const Vec3 y = block(diagonal_, j) * node(x, j);
    node(x, j) = y;
    for (std::uint32_t k = p.start_[j]; k < p.start_[j + 1]; ++k) node(x, p.row_[k]) -= block(below_, k) * y;
  }
  for (std::size_t j = p.n_; j-- > 0;) {
    Vec3 y = node(x, j);
    for (std::uint32_t k = p.start_[j]; k < p.start_[j + 1]; ++k)
      y -= block(below_, k).transpose() * node(x, p.row_[k]);
    node(x, j) = block(diagonal_, j).transpose() * y;
  }
}

void SpringMatrix::columns_of(std::size_t of, double* blocks) const {
  const SpringPattern& p = pattern_;
  std::fill(blocks, blocks + 9 * p.n_, 0.0);
  if (p.held_[of]) return;
  block(blocks, of).setIdentity();
  for (std::size_t j = of; j < p.n_; ++j) {  // nothing before it
    const Mat3 y = block(diagonal_, j) * block(blocks, j);
    block(blocks, j) = y;
    if (y.isZero(0)) continue;
    for (std::uint32_t k = p.start_[j]; k < p.start_[j + 1]; ++k) block(blocks, p.row_[k]) -= block(below_, k) * y;
  }
  for (std::size_t j = p.n_; j-- > 0;) {
    Mat3 y = block(blocks, j);
    for (std::uint32_t k = p.start_[j]; k < p.start_[j + 1]; ++k)
      y -= block(below_, k).transpose() * block(blocks, p.row_[k]);
    block(blocks, j) = block(diagonal_, j).transpose() * y;
  }
  for (std::size_t i = 0; i < p.n_; ++i)
    if (p.held_[i]) block(blocks, i).setZero();
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
    const double along = s[1] * (s[2] * dx + s[3] * dy + s[4] * dz);
    const double fx = s[0] * dx + along * s[2], fy = s[0] * dy + along * s[3], fz = s[0] * dz + along * s[4];
    oa[0] -= fx;
    oa[1] -= fy;
    oa[2] -= fz;
    ob[0] += fx;
    ob[1] += fy;
    ob[2] += fz;
    s += 5;
  }
  for (std::size_t i = 0; i < p.n_; ++i)
    if (p.held_[i]) node(out, i).setZero();
}

int SpringMatrix::solve(double* x, double share) {
  const std::size_t size = 3 * pattern_.n_;
  for (std::size_t i = 0; i < pattern_.n_; ++i)
    if (pattern_.held_[i]) node(x, i).setZero();
  std::copy(x, x + size, left_);
  std::copy(x, x + size, way_);
  precondition(way_);
  std::fill(found_, found_ + size, 0.0);
  double was = 0;
  for (std::size_t j = 0; j < size; ++j) was += left_[j] * way_[j];
  const double enough = share * share * was;
  int sweep = 0;
  for (; sweep < kMostSweeps && was > enough; ++sweep) {
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
  return sweep;
}

}  // namespace hazumi
