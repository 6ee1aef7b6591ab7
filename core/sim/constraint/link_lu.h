// L U by elimination with row pivots of the small systems of nodes (link_tree.h, link_place.h), in place: `n` rows, `stride` numbers apart.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace hazumi {

/// What lies on the diagonal of U: itself, or by what its rows are to be multiplied.
enum class LinkDiagonal { own, inverse };

/// False: singular.
template <LinkDiagonal kDiagonal, int kStride>
bool lu_decompose(double* a, std::uint8_t* pivots, int n) {
  for (int k = 0; k < n; ++k) {
    int pivot = k;
    for (int i = k + 1; i < n; ++i)
      if (std::abs(a[i * kStride + k]) > std::abs(a[pivot * kStride + k])) pivot = i;
    const double value = a[pivot * kStride + k];
    if (!(std::abs(value) > 0) || !std::isfinite(value)) return false;
    pivots[k] = static_cast<std::uint8_t>(pivot);
    if (pivot != k) std::swap_ranges(a + k * kStride, a + k * kStride + n, a + pivot * kStride);
    const double inverse = 1 / value;
    for (int i = k + 1; i < n; ++i) {
      double* const row = a + i * kStride;
      const double factor = row[k] * inverse;
      row[k] = factor;
      if (factor == 0) continue;
      for (int j = k + 1; j < n; ++j) row[j] -= factor * a[k * kStride + j];
    }
    if constexpr (kDiagonal == LinkDiagonal::inverse) a[k * kStride + k] = inverse;
  }
  return true;
}

/// `x` has n rows of kWide numbers, each column of which becomes what it is by the inverse.
template <LinkDiagonal kDiagonal, int kStride, int kWide>
void lu_substitute(const double* a, const std::uint8_t* pivots, int n, double* x) {
  for (int k = 0; k < n; ++k)
    if (const int pivot = pivots[k]; pivot != k)
      std::swap_ranges(x + k * kWide, x + (k + 1) * kWide, x + pivot * kWide);
  double sum[kWide];
  const auto take_away = [&](int i, int from, int to) {
    for (int c = 0; c < kWide; ++c) sum[c] = x[i * kWide + c];
    for (int k = from; k < to; ++k)
      for (int c = 0; c < kWide; ++c) sum[c] -= a[i * kStride + k] * x[k * kWide + c];
  };
  for (int i = 1; i < n; ++i) {
    take_away(i, 0, i);
    for (int c = 0; c < kWide; ++c) x[i * kWide + c] = sum[c];
  }
  for (int i = n; i-- > 0;) {
    take_away(i, i + 1, n);
    const double diagonal = a[i * kStride + i];
    for (int c = 0; c < kWide; ++c)
      x[i * kWide + c] = kDiagonal == LinkDiagonal::inverse ? sum[c] * diagonal : sum[c] / diagonal;
  }
}

}  // namespace hazumi
