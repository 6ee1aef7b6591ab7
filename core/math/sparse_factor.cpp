#include "core/math/sparse_factor.h"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCholesky>
#include <algorithm>

#include "core/math/clones.h"

namespace hazumi {

namespace {

/// out[r] += Σ_j column_j[r] x[j] over three columns.
HAZUMI_CLONES void add_columns(const double* columns, std::size_t rows, const double* x, double* out) {
  const double* a = columns;
  const double* b = columns + rows;
  const double* c = columns + 2 * rows;
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
HAZUMI_CLONES void subtract_dots(const double* columns, std::size_t rows, const double* t, double* x) {
  const double* a = columns;
  const double* b = columns + rows;
  const double* c = columns + 2 * rows;
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
    result.longest_ = std::max(result.longest_, r);
    result.panels_.push_back(panel);
    first = end;
  }
  return result;
}

void SparseFactor::solve(double* x, double* scratch) const {
  for (const Panel& panel : panels_) {  // L y = x
    const std::size_t w = panel.width, r = panel.rows;
    double* mine = x + panel.first;
    const double* column = numbers_.data() + panel.triangle;
    for (std::size_t j = 0; j < w; ++j, column += w) {
      const double y = mine[j] *= column[j];
      for (std::size_t i = j + 1; i < w; ++i) mine[i] -= column[i] * y;
    }
    if (r == 0) continue;
    std::fill(scratch, scratch + r, 0.0);
    const double* rectangle = numbers_.data() + panel.rectangle;
    for (std::size_t j = 0; j < w; j += 3) add_columns(rectangle + j * r, r, mine + j, scratch);
    const std::uint32_t* node = nodes_.data() + panel.index;
    for (std::size_t i = 0; i < r; i += 3, ++node) {
      double* to = x + *node;
      to[0] -= scratch[i];
      to[1] -= scratch[i + 1];
      to[2] -= scratch[i + 2];
    }
  }
  for (auto it = panels_.rbegin(); it != panels_.rend(); ++it) {  // Lᵀ x = y
    const Panel& panel = *it;
    const std::size_t w = panel.width, r = panel.rows;
    double* mine = x + panel.first;
    if (r > 0) {
      const std::uint32_t* node = nodes_.data() + panel.index;
      for (std::size_t i = 0; i < r; i += 3, ++node) {
        const double* from = x + *node;
        scratch[i] = from[0];
        scratch[i + 1] = from[1];
        scratch[i + 2] = from[2];
      }
      const double* rectangle = numbers_.data() + panel.rectangle;
      for (std::size_t j = 0; j < w; j += 3) subtract_dots(rectangle + j * r, r, scratch, mine + j);
    }
    const double* triangle = numbers_.data() + panel.triangle;
    for (std::size_t j = w; j-- > 0;) {
      const double* column = triangle + j * w;
      double sum = mine[j];
      for (std::size_t i = j + 1; i < w; ++i) sum -= column[i] * mine[i];
      mine[j] = sum * column[j];
    }
  }
}

}  // namespace hazumi
