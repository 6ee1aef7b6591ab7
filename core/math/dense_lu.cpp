#include "core/math/dense_lu.h"

#include <algorithm>
#include <cmath>

#include "core/math/clones.h"

namespace hazumi {
namespace {

constexpr std::size_t kPanel = 4;

/// x −= l y, `count` numbers.
HAZUMI_CLONES void take_column(double* __restrict x, const double* __restrict l, double y, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) x[i] -= l[i] * y;
}

/// x −= Σ l y of four columns that are n numbers apart.
HAZUMI_CLONES void take_panel(double* __restrict x, const double* __restrict l, std::size_t n, const double* y,
                              std::size_t count) {
  const double *l0 = l, *l1 = l + n, *l2 = l1 + n, *l3 = l2 + n;
  const double y0 = y[0], y1 = y[1], y2 = y[2], y3 = y[3];
  for (std::size_t i = 0; i < count; ++i) x[i] -= (l0[i] * y0 + l1[i] * y1) + (l2[i] * y2 + l3[i] * y3);
}

/// The same of two columns at once, for half of the reading.
HAZUMI_CLONES void take_panel_twice(double* __restrict x, double* __restrict z, const double* __restrict l,
                                    std::size_t n, const double* y, const double* w, std::size_t count) {
  const double *l0 = l, *l1 = l + n, *l2 = l1 + n, *l3 = l2 + n;
  const double y0 = y[0], y1 = y[1], y2 = y[2], y3 = y[3], w0 = w[0], w1 = w[1], w2 = w[2], w3 = w[3];
  for (std::size_t i = 0; i < count; ++i) {
    x[i] -= (l0[i] * y0 + l1[i] * y1) + (l2[i] * y2 + l3[i] * y3);
    z[i] -= (l0[i] * w0 + l1[i] * w1) + (l2[i] * w2 + l3[i] * w3);
  }
}

/// Columns first … first + width of the n rows from `first` on: row pivots, and the factor's rows in all columns.
bool panel(double* a, std::size_t n, std::size_t first, std::size_t width, std::uint32_t* pivots) {
  for (std::size_t k = first; k < first + width; ++k) {
    double* column = a + k * n;
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < n; ++i)
      if (std::abs(column[i]) > std::abs(column[pivot])) pivot = i;
    if (!(std::abs(column[pivot]) > 0) || !std::isfinite(column[pivot])) return false;
    pivots[k - first] = static_cast<std::uint32_t>(pivot);
    if (pivot != k)
      for (std::size_t c = first; c < first + width; ++c) std::swap(a[c * n + k], a[c * n + pivot]);
    const double inverse = 1 / column[k];
    for (std::size_t i = k + 1; i < n; ++i) column[i] *= inverse;
    for (std::size_t c = k + 1; c < first + width; ++c)
      take_column(a + c * n + k + 1, column + k + 1, a[c * n + k], n - k - 1);
  }
  return true;
}

}  // namespace

bool dense_lu(double* a, std::size_t n, std::size_t columns, std::uint32_t* pivots) {
  std::uint32_t rows[kPanel];
  for (std::size_t first = 0; first < n; first += kPanel) {
    const std::size_t width = std::min(kPanel, n - first), end = first + width;
    if (!panel(a, n, first, width, rows)) return false;
    if (pivots) std::copy(rows, rows + width, pivots + first);
    const auto exchange = [&](double* x) {
      for (std::size_t k = 0; k < width; ++k) std::swap(x[first + k], x[rows[k]]);
    };
    for (std::size_t c = 0; c < first; ++c) exchange(a + c * n);
    const auto top = [&](std::size_t c) {
      double* const x = a + c * n;
      exchange(x);
      for (std::size_t k = first; k < end; ++k)
        for (std::size_t i = k + 1; i < end; ++i) x[i] -= a[k * n + i] * x[k];
      return x;
    };
    const double* const l = a + first * n + end;
    std::size_t c = end;
    for (; c + 1 < columns && end < n; c += 2) {
      double *const x = top(c), *const z = top(c + 1);
      take_panel_twice(x + end, z + end, l, n, x + first, z + first, n - end);
    }
    for (; c < columns; ++c) {
      double* const x = top(c);
      if (end < n) take_panel(x + end, l, n, x + first, n - end);
    }
  }
  return true;
}

void dense_back(const double* a, std::size_t n, double* x) {
  for (std::size_t k = n; k-- > 0;) {
    x[k] /= a[k * n + k];
    take_column(x, a + k * n, x[k], k);
  }
}

void dense_solve(const double* a, std::size_t n, const std::uint32_t* pivots, double* x) {
  // Rows of L have gone along with every later pivot: all of them first.
  for (std::size_t k = 0; k < n; ++k)
    if (pivots[k] != k) std::swap(x[k], x[pivots[k]]);
  for (std::size_t k = 0; k < n; ++k) take_column(x + k + 1, a + k * n + k + 1, x[k], n - k - 1);
  dense_back(a, n, x);
}

}  // namespace hazumi
