// Dense fronts (front_plan.h) as they are computed for each instruction set; part of spring_kernel_body.h.
//
// Every number of L is a sum in the order of its columns, one lane for each row: the same bits whatever the lanes.
#pragma once

#include "core/sim/elastic/spring_kernel_body.h"

namespace hazumi::spring_kernel {
namespace {

typedef float EightFloats __attribute__((vector_size(32)));

template <class T>
struct LanesOf {};
template <>
struct LanesOf<double> {
  using Lanes = Four;
};
template <>
struct LanesOf<float> {
  using Lanes = EightFloats;
};
template <class T>
using Lanes = typename LanesOf<T>::Lanes;
template <class T>
constexpr std::size_t kWide = 32 / sizeof(T);

template <class T>
[[gnu::always_inline]] inline Lanes<T> lanes(const T* p) {
  Lanes<T> v;
  __builtin_memcpy(&v, p, sizeof v);
  return v;
}
template <class T>
[[gnu::always_inline]] inline Lanes<T> spread(T x) {
  return x - Lanes<T>{};
}
template <class T>
[[gnu::always_inline]] inline void store(T* p, const Lanes<T>& v) {
  __builtin_memcpy(p, &v, sizeof v);
}

/// to[i, j] −= Σ_k a[i, k] b[j, k], or = −Σ where it is `first` to come, for kParts kWide rows i and kColumns columns j; columns of a and b
/// lie `lead` numbers apart.
template <class T, std::size_t kParts, std::size_t kColumns, bool kFirst>
[[gnu::always_inline]] inline void subtract_tile(T* to, std::size_t to_lead, const T* a, const T* b, std::size_t lead,
                                                 std::size_t depth) {
  Lanes<T> sum[kColumns][kParts];
  for (std::size_t j = 0; j < kColumns; ++j)
    for (std::size_t p = 0; p < kParts; ++p)
      sum[j][p] = kFirst ? Lanes<T>{} : lanes<T>(to + j * to_lead + kWide<T> * p);
  for (std::size_t k = 0; k < depth; ++k, a += lead, b += lead) {
    Lanes<T> mine[kParts];
    for (std::size_t p = 0; p < kParts; ++p) mine[p] = lanes<T>(a + kWide<T> * p);
    for (std::size_t j = 0; j < kColumns; ++j) {
      const Lanes<T> factor = spread<T>(b[j]);
      for (std::size_t p = 0; p < kParts; ++p) sum[j][p] -= mine[p] * factor;
    }
  }
  for (std::size_t j = 0; j < kColumns; ++j)
    for (std::size_t p = 0; p < kParts; ++p) store<T>(to + j * to_lead + kWide<T> * p, sum[j][p]);
}

/// The same for `rows` rows; fewer than kWide more are written behind them.
template <class T, std::size_t kColumns, bool kFirst>
[[gnu::always_inline]] inline void subtract_columns(T* to, std::size_t to_lead, const T* a, const T* b,
                                                    std::size_t lead, std::size_t depth, std::size_t rows) {
  std::size_t i = 0;
  for (; i + 2 * kWide<T> <= rows; i += 2 * kWide<T>)
    subtract_tile<T, 2, kColumns, kFirst>(to + i, to_lead, a + i, b, lead, depth);
  for (; i < rows; i += kWide<T>) subtract_tile<T, 1, kColumns, kFirst>(to + i, to_lead, a + i, b, lead, depth);
}

/// L of kColumns columns of which all that comes before has been taken off; `rows` from the first of them on. The diagonal becomes its
/// inverse. A pivot that is not positive is `least`.
template <class T, std::size_t kColumns>
[[gnu::always_inline]] inline void factor_columns(T* a, std::size_t lead, std::size_t rows, T least) {
  T inverse[kColumns];
  for (std::size_t j = 0; j < kColumns; ++j) {
    T* const mine = a + j * lead;
    for (std::size_t i = j; i < kColumns; ++i)
      for (std::size_t k = 0; k < j; ++k) mine[i] -= a[k * lead + i] * a[k * lead + j];
    inverse[j] = 1 / std::sqrt(mine[j] > 0 ? mine[j] : least);
    for (std::size_t i = j + 1; i < kColumns; ++i) mine[i] *= inverse[j];
    mine[j] = inverse[j];
  }
  for (std::size_t i = kColumns; i < rows; i += kWide<T>) {
    Lanes<T> x[kColumns];
    for (std::size_t j = 0; j < kColumns; ++j) {
      x[j] = lanes<T>(a + j * lead + i);
      for (std::size_t k = 0; k < j; ++k) x[j] -= x[k] * spread<T>(a[k * lead + j]);
      x[j] *= spread<T>(inverse[j]);
    }
    for (std::size_t j = 0; j < kColumns; ++j) store<T>(a + j * lead + i, x[j]);
  }
}

template <class T>
[[gnu::always_inline]] inline void add_row(T* to, const T* from, std::size_t count) {
  std::size_t i = 0;
  for (; i + kWide<T> <= count; i += kWide<T>) store<T>(to + i, lanes<T>(to + i) + lanes<T>(from + i));
  for (; i < count; ++i) to[i] += from[i];
}

/// What a front below leaves, in the columns of this one (in its rest where kRest is set).
template <class T, bool kRest>
inline void take_up(const Fronts<T>& l, const Front& front, const Front& child) {
  const FrontRun *const runs = l.run + child.run, *const end = runs + child.runs;
  const T* const from = l.rests + child.rest;
  const std::size_t child_lead = child.rest_lead, columns = 3 * std::size_t{front.columns};
  for (const FrontRun* r = runs; r < end; ++r) {
    const std::size_t count = 3 * std::size_t{r->count}, first_to = 3 * std::size_t{r->to};
    if (kRest && first_to + count <= columns) continue;
    for (std::size_t b = kRest && first_to < columns ? columns - first_to : 0; b < count; ++b) {
      const std::size_t at = 3 * std::size_t{r->from} + b, to = first_to + b;
      if (!kRest && to >= columns) return;
      // Of a column of the rest the first row is the front's first below its columns.
      T* const column = kRest ? l.rests + front.rest + (to - columns) * front.rest_lead - columns
                              : l.panels + front.panel + to * front.lead;
      const T* const mine = from + at * child_lead;
      add_row<T>(column + to, mine + at, count - b);
      for (const FrontRun* q = r + 1; q < end; ++q)
        add_row<T>(column + 3 * std::size_t{q->to}, mine + 3 * std::size_t{q->from}, 3 * std::size_t{q->count});
    }
  }
}

/// The blocks of A between nodes of which one is eliminated here.
template <class T>
inline void assemble(const Fronts<T>& l, const Front& front, const double* diagonal, const double* springs,
                     const double* shares) {
  T* const panel = l.panels + front.panel;
  const std::size_t lead = front.lead;
  for (std::size_t k = 0; k < 3 * std::size_t{front.columns} * lead; ++k) panel[k] = 0;
  for (std::size_t j = 0; j < front.columns; ++j) {
    const double* const d = diagonal + 6 * (front.first + j);
    T* const a = panel + 3 * j * (lead + 1);
    a[0] = static_cast<T>(d[0]);
    a[1] = static_cast<T>(d[1]);
    a[2] = static_cast<T>(d[2]);
    a[lead + 1] = static_cast<T>(d[3]);
    a[lead + 2] = static_cast<T>(d[4]);
    a[2 * lead + 2] = static_cast<T>(d[5]);
  }
  for (const FrontEdge* e = l.edge + front.edge; e < l.edge + front.edge + front.edges; ++e) {
    const double* const s = springs + 5 * std::size_t{e->edge};
    const double share = shares[e->edge], across = share * s[0], along = share * s[1];
    T* const a = panel + 3 * std::size_t{e->column} * lead + 3 * std::size_t{e->row};
    for (std::size_t j = 0; j < 3; ++j) {
      const double part = along * s[2 + j];
      for (std::size_t i = 0; i < 3; ++i) a[j * lead + i] -= static_cast<T>(part * s[2 + i] + (i == j ? across : 0));
    }
  }
}

template <class T>
void eliminate_fronts(const Fronts<T>& l, const double* diagonal, const double* springs, const double* shares,
                      double least) {
  for (std::size_t f = 0; f < l.count; ++f) {
    const Front& front = l.fronts[f];
    const std::size_t columns = 3 * std::size_t{front.columns}, rows = 3 * std::size_t{front.rows}, lead = front.lead,
                      rest_lead = front.rest_lead, all_rows = columns + rows;
    T *const panel = l.panels + front.panel, *const rest = l.rests + front.rest;
    assemble<T>(l, front, diagonal, springs, shares);
    for (std::size_t c = 0; c < front.children; ++c) take_up<T, false>(l, front, l.fronts[l.child[front.child + c]]);
    std::size_t j = 0;
    for (; j + 6 <= columns; j += 6) {
      T* const own = panel + j * (lead + 1);
      subtract_columns<T, 6, false>(own, lead, panel + j, panel + j, lead, j, all_rows - j);
      factor_columns<T, 6>(own, lead, all_rows - j, static_cast<T>(least));
    }
    if (j < columns) {
      T* const own = panel + j * (lead + 1);
      subtract_columns<T, 3, false>(own, lead, panel + j, panel + j, lead, j, all_rows - j);
      factor_columns<T, 3>(own, lead, all_rows - j, static_cast<T>(least));
    }
    const T* const below = panel + columns;
    for (j = 0; j + 6 <= rows; j += 6)
      subtract_columns<T, 6, true>(rest + j * (rest_lead + 1), rest_lead, below + j, below + j, lead, columns,
                                   rows - j);
    if (j < rows)
      subtract_columns<T, 3, true>(rest + j * (rest_lead + 1), rest_lead, below + j, below + j, lead, columns,
                                   rows - j);
    for (std::size_t c = 0; c < front.children; ++c) take_up<T, true>(l, front, l.fronts[l.child[front.child + c]]);
  }
}

/// L y = x of one front: its own columns, and what they take from `work`, its rows.
template <class T>
[[gnu::always_inline]] inline void forward(const T* panel, std::size_t columns, std::size_t rows, std::size_t lead,
                                           T* own, T* work) {
  for (std::size_t j = 0; j < columns; j += 3) {
    const T *const a = panel + j * lead, *const b = a + lead, *const c = b + lead;
    const T p = own[j] * a[j], q = (own[j + 1] - a[j + 1] * p) * b[j + 1],
            r = (own[j + 2] - a[j + 2] * p - b[j + 2] * q) * c[j + 2];
    own[j] = p;
    own[j + 1] = q;
    own[j + 2] = r;
    for (std::size_t i = j + 3; i < columns; ++i) own[i] -= (a[i] * p + b[i] * q) + c[i] * r;
    const Lanes<T> x0 = spread<T>(p), x1 = spread<T>(q), x2 = spread<T>(r);
    for (std::size_t i = 0; i < rows; i += kWide<T>)
      store<T>(work + i, lanes<T>(work + i) + ((lanes<T>(a + columns + i) * x0 + lanes<T>(b + columns + i) * x1) +
                                               lanes<T>(c + columns + i) * x2));
  }
}

template <class T>
[[gnu::always_inline]] inline T sum_of(const Lanes<T>& s) {
  if constexpr (kWide<T> == 8)
    return ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]));
  else
    return (s[0] + s[1]) + (s[2] + s[3]);
}

template <class T>
[[gnu::always_inline]] inline void backward(const T* panel, std::size_t columns, std::size_t rows, std::size_t lead,
                                            T* own, const T* work) {
  for (std::size_t j = columns; j > 0;) {
    j -= 3;
    const T *const a = panel + j * lead, *const b = a + lead, *const c = b + lead;
    Lanes<T> s0{}, s1{}, s2{};
    for (std::size_t i = 0; i < rows; i += kWide<T>) {
      const Lanes<T> v = lanes<T>(work + i);
      s0 += lanes<T>(a + columns + i) * v;
      s1 += lanes<T>(b + columns + i) * v;
      s2 += lanes<T>(c + columns + i) * v;
    }
    T p = own[j] - sum_of<T>(s0), q = own[j + 1] - sum_of<T>(s1), r = own[j + 2] - sum_of<T>(s2);
    for (std::size_t i = j + 3; i < columns; ++i) {
      p -= a[i] * own[i];
      q -= b[i] * own[i];
      r -= c[i] * own[i];
    }
    r *= c[j + 2];
    q = (q - b[j + 2] * r) * b[j + 1];
    p = (p - a[j + 1] * q - a[j + 2] * r) * a[j];
    own[j] = p;
    own[j + 1] = q;
    own[j + 2] = r;
  }
}

template <class T>
void solve_fronts(const Fronts<T>& l, T* x, T* work) {
  for (std::size_t f = 0; f < l.count; ++f) {
    const Front& front = l.fronts[f];
    const std::size_t rows = 3 * std::size_t{front.rows};
    for (std::size_t i = 0; i < rows + kWide<T>; ++i) work[i] = 0;
    forward<T>(l.panels + front.panel, 3 * std::size_t{front.columns}, rows, front.lead,
               x + 3 * std::size_t{front.first}, work);
    const std::uint32_t* const row = l.row + front.row;
    for (std::size_t i = 0; i < front.rows; ++i)
      for (std::size_t k = 0; k < 3; ++k) x[3 * std::size_t{row[i]} + k] -= work[3 * i + k];
  }
  for (std::size_t f = l.count; f-- > 0;) {
    const Front& front = l.fronts[f];
    const std::size_t rows = 3 * std::size_t{front.rows};
    const std::uint32_t* const row = l.row + front.row;
    for (std::size_t i = 0; i < front.rows; ++i)
      for (std::size_t k = 0; k < 3; ++k) work[3 * i + k] = x[3 * std::size_t{row[i]} + k];
    for (std::size_t i = rows; i < rows + kWide<T>; ++i) work[i] = 0;
    backward<T>(l.panels + front.panel, 3 * std::size_t{front.columns}, rows, front.lead,
                x + 3 * std::size_t{front.first}, work);
  }
}

constexpr Kernels kSet = {eliminate,
                          solve,
                          columns,
                          near_inverse,
                          {eliminate_fronts<double>, solve_fronts<double>},
                          {eliminate_fronts<float>, solve_fronts<float>}};

}  // namespace
}  // namespace hazumi::spring_kernel
