#include "core/math/anderson.h"

#include <algorithm>
#include <cmath>

namespace hazumi {

void AndersonMixing::advance(double* x, const double* f) {
  const std::size_t size = 3 * masses_.size();
  double* x_before = array(0);
  double* f_before = array(1);
  const std::size_t count = std::min(passes_, kDepth);
  double right[kDepth] = {};
  if (count > 0) {
    const std::size_t newest = (passes_ - 1) % kDepth;
    double* dx = array(2 + newest);
    double* df = array(2 + kDepth + newest);
    for (std::size_t i = 0; i < size; ++i) {
      dx[i] = x[i] - x_before[i];
      df[i] = f[i] - f_before[i];
    }
    for (std::size_t j = 0; j < count; ++j) {
      const double* other = array(2 + kDepth + j);
      double of_columns = 0, of_step = 0;
      for (std::size_t i = 0; i < size; ++i) {
        const double weighed = masses_[i / 3] * other[i];
        of_columns += weighed * df[i];
        of_step += weighed * f[i];
      }
      gram_[newest][j] = gram_[j][newest] = of_columns;
      right[j] = of_step;
    }
  }
  std::copy(x, x + size, x_before);
  std::copy(f, f + size, f_before);
  for (std::size_t i = 0; i < size; ++i) x[i] += f[i];
  ++passes_;
  if (count == 0) return;

  // Cholesky, newest column first; columns of length 1.
  std::size_t order[kDepth];
  double length[kDepth], l[kDepth][kDepth] = {}, gamma[kDepth] = {};
  std::size_t kept = 0;
  for (std::size_t back = 0; back < count; ++back) {
    const std::size_t j = (passes_ - 2 + kDepth - back) % kDepth;
    const double norm = std::sqrt(gram_[j][j]);
    if (!(norm > 0)) continue;
    double row[kDepth] = {}, rest = 1;
    for (std::size_t a = 0; a < kept; ++a) {
      row[a] = gram_[j][order[a]] / (norm * length[a]);
      for (std::size_t b = 0; b < a; ++b) row[a] -= l[a][b] * row[b];
      row[a] /= l[a][a];
      rest -= row[a] * row[a];
    }
    if (!(rest > 1e-10)) continue;
    row[kept] = std::sqrt(rest);
    std::copy(row, row + kept + 1, l[kept]);
    order[kept] = j;
    length[kept++] = norm;
  }
  for (std::size_t a = 0; a < kept; ++a) {
    gamma[a] = right[order[a]] / length[a];
    for (std::size_t b = 0; b < a; ++b) gamma[a] -= l[a][b] * gamma[b];
    gamma[a] /= l[a][a];
  }
  double square = 0;
  for (std::size_t a = kept; a-- > 0;) {
    for (std::size_t b = a + 1; b < kept; ++b) gamma[a] -= l[b][a] * gamma[b];
    gamma[a] /= l[a][a];
  }
  for (std::size_t a = 0; a < kept; ++a) {
    gamma[a] /= length[a];
    square += gamma[a] * gamma[a];
  }
  if (!(square < 100)) return;
  for (std::size_t a = 0; a < kept; ++a) {
    const double* dx = array(2 + order[a]);
    const double* df = array(2 + kDepth + order[a]);
    for (std::size_t i = 0; i < size; ++i) x[i] -= gamma[a] * (dx[i] + df[i]);
  }
}

}  // namespace hazumi
