#include "core/math/sparse_factor.h"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCholesky>
#include <algorithm>

#include "core/math/clones.h"

namespace hazumi {

namespace {

constexpr std::size_t kLarge =
    500'000;  // numbers, from which a factor has branches; with fewer a solve takes a quarter of a millisecond
constexpr std::size_t kBranches = 16;              // a branch has at most one of as many parts of all numbers
constexpr std::size_t kWide = 30'000;              // numbers of a panel of the trunk that is divided
constexpr std::size_t kRows = 192, kColumns = 24;  // multiples of three

/// out[r] += Σ_j column_j[r] x[j] over three columns, `stride` numbers apart.
HAZUMI_CLONES void add_columns(const double* columns, std::size_t stride, std::size_t rows, const double* x,
                               double* out) {
  const double* a = columns;
  const double* b = columns + stride;
  const double* c = columns + 2 * stride;
  const Four x0 = {x[0], x[0], x[0], x[0]}, x1 = {x[1], x[1], x[1], x[1]}, x2 = {x[2], x[2], x[2], x[2]};
  std::size_t r = 0;
  for (; r + 4 <= rows; r += 4) {
    Four va, vb, vc, v;
    __builtin_memcpy(&va, a + r, sizeof va);
    __builtin_memcpy(&vb, b + r, sizeof vb);
    __builtin_memcpy(&vc, c + r, sizeof vc);
    __builtin_memcpy(&v, out + r, sizeof v);
    v += (va * x0 + vb * x1) + vc * x2;
    __builtin_memcpy(out + r, &v, sizeof v);
  }
  for (; r < rows; ++r) out[r] += (a[r] * x[0] + b[r] * x[1]) + c[r] * x[2];
}

/// x[j] -= Σ_r column_j[r] t[r] for three columns; every sum in four fixed lanes.
HAZUMI_CLONES void subtract_dots(const double* columns, std::size_t stride, std::size_t rows, const double* t,
                                 double* x) {
  const double* a = columns;
  const double* b = columns + stride;
  const double* c = columns + 2 * stride;
  Four sa = {0, 0, 0, 0}, sb = sa, sc = sa;
  std::size_t r = 0;
  for (; r + 4 <= rows; r += 4) {
    Four va, vb, vc, v;
    __builtin_memcpy(&va, a + r, sizeof va);
    __builtin_memcpy(&vb, b + r, sizeof vb);
    __builtin_memcpy(&vc, c + r, sizeof vc);
    __builtin_memcpy(&v, t + r, sizeof v);
    sa += va * v;
    sb += vb * v;
    sc += vc * v;
  }
  double s0 = (sa[0] + sa[1]) + (sa[2] + sa[3]), s1 = (sb[0] + sb[1]) + (sb[2] + sb[3]),
         s2 = (sc[0] + sc[1]) + (sc[2] + sc[3]);
  for (; r < rows; ++r) {
    s0 += a[r] * t[r];
    s1 += b[r] * t[r];
    s2 += c[r] * t[r];
  }
  x[0] -= s0;
  x[1] -= s1;
  x[2] -= s2;
}

}  // namespace

std::vector<std::uint32_t> fill_reducing_order(std::size_t n,
                                               const std::vector<std::pair<std::uint32_t, std::uint32_t>>& edges) {
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(n + 2 * edges.size());
  for (std::size_t i = 0; i < n; ++i) entries.emplace_back(static_cast<int>(i), static_cast<int>(i), 1.0);
  for (const auto& [a, b] : edges) {
    entries.emplace_back(static_cast<int>(a), static_cast<int>(b), 1.0);
    entries.emplace_back(static_cast<int>(b), static_cast<int>(a), 1.0);
  }
  SparseMatrix pattern(static_cast<int>(n), static_cast<int>(n));
  pattern.setFromTriplets(entries.begin(), entries.end());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order;
  Eigen::AMDOrdering<int>()(pattern, order);
  std::vector<std::uint32_t> result(n);
  for (std::size_t k = 0; k < n; ++k) result[k] = static_cast<std::uint32_t>(order.indices()[static_cast<int>(k)]);
  return result;
}

std::optional<SparseFactor> SparseFactor::factor(const SparseMatrix& a) {
  Eigen::SimplicialLLT<SparseMatrix, Eigen::Lower, Eigen::NaturalOrdering<int>> cholesky(a);
  if (cholesky.info() != Eigen::Success) return std::nullopt;
  const SparseMatrix l = cholesky.matrixL();

  SparseFactor result;
  result.size_ = static_cast<std::size_t>(l.rows());
  result.entries_ = static_cast<std::size_t>(l.nonZeros());
  const int* start = l.outerIndexPtr();
  const int* row = l.innerIndexPtr();
  const double* value = l.valuePtr();
  const int nodes = static_cast<int>(l.rows()) / 3;
  const auto count = [&](int node) { return start[3 * node + 1] - start[3 * node]; };

  for (int first = 0; first < nodes;) {
    // Columns join a panel while each has the rows of the one before without its own block. Patterns of
    // Cholesky factors are nested along the elimination tree, so equal lengths and the right first row below
    // are enough.
    int end = first + 1;
    while (end < nodes && count(end - 1) > 3 && row[start[3 * (end - 1)] + 3] == 3 * end &&
           count(end) == count(end - 1) - 3)
      ++end;
    Panel panel;
    panel.first = static_cast<std::uint32_t>(3 * first);
    panel.width = static_cast<std::uint32_t>(3 * (end - first));
    panel.rows = static_cast<std::uint32_t>(count(end - 1) - 3);
    panel.triangle = result.numbers_.size();
    const std::size_t w = panel.width, r = panel.rows;
    panel.rectangle = panel.triangle + w * w;
    panel.index = result.nodes_.size();
    result.numbers_.resize(panel.rectangle + w * r, 0.0);
    for (std::size_t j = 0; j < w; ++j) {
      const int column = static_cast<int>(panel.first + j);
      const int* rows = row + start[column];
      const double* values = value + start[column];
      for (std::size_t i = j; i < w; ++i)
        result.numbers_[panel.triangle + j * w + i] = i == j ? 1.0 / values[0] : values[i - j];
      for (std::size_t i = 0; i < r; ++i) result.numbers_[panel.rectangle + j * r + i] = values[w - j + i];
      if (j == 0)
        for (std::size_t i = 0; i < r; i += 3) result.nodes_.push_back(static_cast<std::uint32_t>(rows[w + i]));
    }
    result.longest_ = std::max({result.longest_, r, w});
    result.panels_.push_back(panel);
    first = end;
  }
  result.plant_branches();
  return result;
}

/// Branches of a large factor, as even as they come: the heaviest is parted until none has more than a sixteenth of all numbers.
void SparseFactor::plant_branches() {
  constexpr std::uint32_t kNone = 0xffffffffu;
  scratch_ = longest_;
  const auto count = static_cast<std::uint32_t>(panels_.size());
  trunk_.clear();
  if (numbers_.size() < kLarge) {
    for (std::uint32_t k = 0; k < count; ++k) trunk_.push_back(k);
    return;
  }
  std::vector<std::uint32_t> of(size_), above(count, kNone);
  for (std::uint32_t k = 0; k < count; ++k) std::fill_n(of.begin() + panels_[k].first, panels_[k].width, k);
  std::vector<std::size_t> weight(count, 0);  // of all that hangs below, itself counted
  std::vector<std::vector<std::uint32_t>> below(count);
  std::vector<std::uint32_t> heads;
  std::vector<char> is_trunk(count, 0);
  for (std::uint32_t k = 0; k < count; ++k) {
    weight[k] += std::size_t{panels_[k].width} * (panels_[k].width + panels_[k].rows);
    if (panels_[k].rows > 0) {
      above[k] = of[nodes_[panels_[k].index]];
      weight[above[k]] += weight[k];
      below[above[k]].push_back(k);
    } else {
      heads.push_back(k);
    }
  }
  for (std::size_t next = 0; next < heads.size();) {
    const std::uint32_t head = heads[next];
    if (weight[head] <= numbers_.size() / kBranches) {
      ++next;
      continue;
    }
    is_trunk[head] = 1;
    heads.erase(heads.begin() + static_cast<std::ptrdiff_t>(next));
    heads.insert(heads.end(), below[head].begin(), below[head].end());
  }
  std::sort(heads.begin(), heads.end());
  std::vector<std::uint32_t> branch_of(count, kNone), place(size_, kNone);
  for (std::uint32_t b = 0; b < heads.size(); ++b) branch_of[heads[b]] = b;
  for (std::uint32_t k = count; k-- > 0;) {  // what is above comes first
    if (!is_trunk[k] && branch_of[k] == kNone) branch_of[k] = branch_of[above[k]];
    if (is_trunk[k]) trunk_.push_back(k);
  }
  std::reverse(trunk_.begin(), trunk_.end());
  branches_.resize(heads.size());
  for (std::uint32_t k = 0; k < count; ++k)
    if (!is_trunk[k]) branches_[branch_of[k]].panels.push_back(k);
  for (std::uint32_t b = 0; b < branches_.size(); ++b) {
    Branch& branch = branches_[b];
    const Panel& head = panels_[heads[b]];
    for (std::uint32_t i = 0; i < head.rows; i += 3) place[nodes_[head.index + i / 3]] = i;
    for (const std::uint32_t k : branch.panels) {
      std::uint32_t inner = 0;
      for (std::uint32_t i = 0; i < panels_[k].rows / 3; ++i) {
        const std::uint32_t node = nodes_[panels_[k].index + i];
        if (branch_of[of[node]] == b)
          ++inner;
        else
          branch.outer.push_back(place[node]);
      }
      branch.inner.push_back(inner);
    }
    branch.scratch = scratch_;
    scratch_ += head.rows + longest_;
  }
}

namespace {

/// L y = x of the triangle of a panel.
void forward_triangle(const double* column, std::size_t w, double* mine) {
  for (std::size_t j = 0; j < w; ++j, column += w) {
    const double y = mine[j] *= column[j];
    for (std::size_t i = j + 1; i < w; ++i) mine[i] -= column[i] * y;
  }
}

/// Lᵀ x = y of the columns from `first` to `end` of it, what is below these done.
void backward_triangle(const double* triangle, std::size_t w, std::size_t first, std::size_t end, double* mine) {
  for (std::size_t j = end; j-- > first;) {
    const double* column = triangle + j * w;
    double sum = mine[j];
    for (std::size_t i = j + 1; i < end; ++i) sum -= column[i] * mine[i];
    mine[j] = sum * column[j];
  }
}

/// The same of a wide triangle, by squares of kColumns, three columns at a time. `scratch`: w numbers.
void forward_squares(const double* triangle, std::size_t w, double* mine, double* scratch) {
  for (std::size_t first = 0; first < w; first += kColumns) {
    const std::size_t end = std::min(w, first + kColumns), left = w - end;
    for (std::size_t j = first; j < end; ++j) {
      const double* const column = triangle + j * w;
      const double y = mine[j] *= column[j];
      for (std::size_t i = j + 1; i < end; ++i) mine[i] -= column[i] * y;
    }
    std::fill(scratch, scratch + left, 0.0);
    for (std::size_t j = first; j < end; j += 3) add_columns(triangle + j * w + end, w, left, mine + j, scratch);
    for (std::size_t i = 0; i < left; ++i) mine[end + i] -= scratch[i];
  }
}
void forward_triangle(bool squares, const double* triangle, std::size_t w, double* mine, double* scratch) {
  if (squares)
    forward_squares(triangle, w, mine, scratch);
  else
    forward_triangle(triangle, w, mine);
}

void backward_squares(const double* triangle, std::size_t w, double* mine) {
  for (std::size_t end = w; end > 0;) {
    const std::size_t first = (end - 1) / kColumns * kColumns;
    for (std::size_t j = first; j < end; j += 3)
      subtract_dots(triangle + j * w + end, w, w - end, mine + end, mine + j);
    backward_triangle(triangle, w, first, end, mine);
    end = first;
  }
}

}  // namespace

void SparseFactor::forward(const Panel& panel, double* x, double* scratch, Executor* executor) const {
  const std::size_t w = panel.width, r = panel.rows;
  double* const mine = x + panel.first;
  forward_triangle(by_squares(panel), numbers_.data() + panel.triangle, w, mine, scratch);
  if (r == 0) return;
  const double* const rectangle = numbers_.data() + panel.rectangle;
  const std::uint32_t* const node = nodes_.data() + panel.index;
  // By rows, which know nothing of each other.
  in_blocks(w * r > kWide ? executor : nullptr, r, w * r > kWide ? kRows : r, [&](std::size_t begin, std::size_t end) {
    std::fill(scratch + begin, scratch + end, 0.0);
    for (std::size_t j = 0; j < w; j += 3)
      add_columns(rectangle + j * r + begin, r, end - begin, mine + j, scratch + begin);
    for (std::size_t i = begin; i < end; i += 3) {
      double* to = x + node[i / 3];
      to[0] -= scratch[i];
      to[1] -= scratch[i + 1];
      to[2] -= scratch[i + 2];
    }
  });
}

/// What it does to rows above it: into `sums`.
void SparseFactor::forward(const Branch& branch, double* x, double* sums) const {
  const std::size_t above = panels_[branch.panels.back()].rows;
  double* const scratch = sums + above;
  std::fill(sums, sums + above, 0.0);
  const std::uint32_t* outer = branch.outer.data();
  for (std::size_t k = 0; k < branch.panels.size(); ++k) {
    const Panel& panel = panels_[branch.panels[k]];
    const std::size_t w = panel.width, r = panel.rows;
    double* const mine = x + panel.first;
    forward_triangle(by_squares(panel), numbers_.data() + panel.triangle, w, mine, scratch);
    std::fill(scratch, scratch + r, 0.0);
    const double* const rectangle = numbers_.data() + panel.rectangle;
    for (std::size_t j = 0; j < w; j += 3) add_columns(rectangle + j * r, r, r, mine + j, scratch);
    const std::uint32_t* node = nodes_.data() + panel.index;
    std::size_t i = 0;
    for (; i < 3 * std::size_t{branch.inner[k]}; i += 3, ++node)
      for (std::size_t c = 0; c < 3; ++c) x[*node + c] -= scratch[i + c];
    for (; i < r; i += 3, ++outer)
      for (std::size_t c = 0; c < 3; ++c) sums[*outer + c] += scratch[i + c];
  }
}

void SparseFactor::backward(const Panel& panel, double* x, double* scratch, Executor* executor) const {
  const std::size_t w = panel.width, r = panel.rows;
  double* const mine = x + panel.first;
  if (r > 0) {
    const std::uint32_t* node = nodes_.data() + panel.index;
    for (std::size_t i = 0; i < r; i += 3, ++node) {
      const double* from = x + *node;
      scratch[i] = from[0];
      scratch[i + 1] = from[1];
      scratch[i + 2] = from[2];
    }
    const double* const rectangle = numbers_.data() + panel.rectangle;
    in_blocks(w * r > kWide ? executor : nullptr, w, w * r > kWide ? kColumns : w,
              [&](std::size_t begin, std::size_t end) {
                for (std::size_t j = begin; j < end; j += 3) subtract_dots(rectangle + j * r, r, r, scratch, mine + j);
              });
  }
  if (by_squares(panel))
    backward_squares(numbers_.data() + panel.triangle, w, mine);
  else
    backward_triangle(numbers_.data() + panel.triangle, w, 0, w, mine);
}

void SparseFactor::solve(double* x, double* scratch, Executor* executor) const {
  in_blocks(executor, branches_.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t b = begin; b < end; ++b) forward(branches_[b], x, scratch + branches_[b].scratch);
  });
  for (const Branch& branch : branches_) {
    const Panel& head = panels_[branch.panels.back()];
    const double* sum = scratch + branch.scratch;
    for (std::uint32_t i = 0; i < head.rows; i += 3, sum += 3)
      for (std::size_t c = 0; c < 3; ++c) x[nodes_[head.index + i / 3] + c] -= sum[c];
  }
  for (const std::uint32_t k : trunk_) forward(panels_[k], x, scratch, executor);
  for (auto k = trunk_.rbegin(); k != trunk_.rend(); ++k) backward(panels_[*k], x, scratch, executor);
  in_blocks(executor, branches_.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t b = begin; b < end; ++b) {
      const Branch& branch = branches_[b];
      double* const own = scratch + branch.scratch + panels_[branch.panels.back()].rows;
      for (auto k = branch.panels.rbegin(); k != branch.panels.rend(); ++k) backward(panels_[*k], x, own, nullptr);
    }
  });
}

}  // namespace hazumi
