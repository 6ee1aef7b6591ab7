#include "core/sim/elastic/spring_network.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "core/base/random.h"

namespace hazumi {

SpringNetwork::SpringNetwork(std::span<const Vec3> nodes, std::span<const Spring> springs) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  edges.reserve(springs.size());
  for (const Spring& s : springs) edges.emplace_back(s.a, s.b);
  order_ = fill_reducing_order(nodes.size(), edges);
  std::vector<std::uint32_t> place(order_.size());
  for (std::uint32_t k = 0; k < order_.size(); ++k) place[order_[k]] = k;

  elements_.reserve(springs.size());
  for (const Spring& s : springs) {
    const bool swap = place[s.a] > place[s.b];
    const std::uint32_t a = swap ? s.b : s.a, b = swap ? s.a : s.b;
    const Vec3 way = nodes[b] - nodes[a], direction = way.normalized();
    elements_.push_back(
        {3 * place[a], 3 * place[b], direction.x(), direction.y(), direction.z(), s.stiffness, s.damping, way.norm()});
  }
  source_.resize(elements_.size());
  std::iota(source_.begin(), source_.end(), 0u);
  std::stable_sort(source_.begin(), source_.end(), [&](std::uint32_t l, std::uint32_t r) {
    return std::tie(elements_[l].a, elements_[l].b) < std::tie(elements_[r].a, elements_[r].b);
  });
  std::vector<Element> sorted;
  sorted.reserve(elements_.size());
  for (const std::uint32_t k : source_) sorted.push_back(elements_[k]);
  elements_ = std::move(sorted);
}

void SpringNetwork::forces(const double* d, const double* v, double* out) const {
  std::fill(out, out + 3 * order_.size(), 0.0);
  for (const Element& e : elements_) {
    const double* da = d + e.a;
    const double* db = d + e.b;
    const double* va = v + e.a;
    const double* vb = v + e.b;
    const double stretch = (db[0] - da[0]) * e.x + (db[1] - da[1]) * e.y + (db[2] - da[2]) * e.z;
    const double rate = (vb[0] - va[0]) * e.x + (vb[1] - va[1]) * e.y + (vb[2] - va[2]) * e.z;
    const double f = e.k * stretch + e.c * rate;
    const double fx = f * e.x, fy = f * e.y, fz = f * e.z;
    double* oa = out + e.a;
    double* ob = out + e.b;
    oa[0] += fx;
    oa[1] += fy;
    oa[2] += fz;
    ob[0] -= fx;
    ob[1] -= fy;
    ob[2] -= fz;
  }
}

void SpringNetwork::stiffness_forces(const double* d, double* out) const {
  std::fill(out, out + 3 * order_.size(), 0.0);
  for (const Element& e : elements_) {
    const double f =
        e.k * ((d[e.b] - d[e.a]) * e.x + (d[e.b + 1] - d[e.a + 1]) * e.y + (d[e.b + 2] - d[e.a + 2]) * e.z);
    const double pull[3] = {f * e.x, f * e.y, f * e.z};
    for (int c = 0; c < 3; ++c) {
      out[e.a + static_cast<std::uint32_t>(c)] -= pull[c];
      out[e.b + static_cast<std::uint32_t>(c)] += pull[c];
    }
  }
}

double SpringNetwork::energy(const double* d) const {
  double sum = 0;
  for (const Element& e : elements_) {
    const double* da = d + e.a;
    const double* db = d + e.b;
    const double stretch = (db[0] - da[0]) * e.x + (db[1] - da[1]) * e.y + (db[2] - da[2]) * e.z;
    sum += e.k * stretch * stretch;
  }
  return 0.5 * sum;
}

void SpringNetwork::add_kept(const double* kept, double* out) const {
  for (std::size_t i = 0; i < elements_.size(); ++i) {
    const Element& e = elements_[i];
    const double f = -e.k * kept[i];
    out[e.a] += f * e.x;
    out[e.a + 1] += f * e.y;
    out[e.a + 2] += f * e.z;
    out[e.b] -= f * e.x;
    out[e.b + 1] -= f * e.y;
    out[e.b + 2] -= f * e.z;
  }
}

namespace {

double along(const double* d, std::uint32_t a, std::uint32_t b, double x, double y, double z) {
  return (d[b] - d[a]) * x + (d[b + 1] - d[a + 1]) * y + (d[b + 2] - d[a + 2]) * z;
}

}  // namespace

double SpringNetwork::stretch(std::size_t own, const double* d) const {
  const Element& e = elements_[own];
  return along(d, e.a, e.b, e.x, e.y, e.z);
}

double SpringNetwork::energy_beyond(const double* d, const double* kept) const {
  double sum = 0;
  for (std::size_t i = 0; i < elements_.size(); ++i) {
    const Element& e = elements_[i];
    const double stretch = along(d, e.a, e.b, e.x, e.y, e.z) - kept[i];
    sum += e.k * stretch * stretch;
  }
  return 0.5 * sum;
}

void SpringNetwork::flow(const double* d, const double* offset, double limit, double share, double* kept) const {
  for (std::size_t i = 0; i < elements_.size(); ++i) {
    const Element& e = elements_[i];
    double stretch = along(d, e.a, e.b, e.x, e.y, e.z) - kept[i];
    if (offset) stretch -= along(offset, e.a, e.b, e.x, e.y, e.z);
    const double beyond = std::abs(stretch) - limit * e.length;
    if (beyond > 0) kept[i] += std::copysign(share * beyond, stretch);
  }
}

SparseMatrix SpringNetwork::matrix(const std::vector<double>& masses, double c_factor, double k_factor,
                                   const std::vector<std::uint32_t>& held) const {
  const auto is_held = [&](std::uint32_t first) { return std::binary_search(held.begin(), held.end(), first / 3); };
  const int n = static_cast<int>(order_.size());
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(9 * (order_.size() + 4 * elements_.size()));
  for (int i = 0; i < n; ++i)
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) entries.emplace_back(3 * i + r, 3 * i + c, r == c ? masses[i] : 0.0);
  for (const Element& e : elements_) {
    const double factor = c_factor * e.c + k_factor * e.k;
    const double b[3] = {e.x, e.y, e.z};
    const int at[2] = {static_cast<int>(e.a), static_cast<int>(e.b)};
    const bool fixed[2] = {is_held(e.a), is_held(e.b)};
    for (int p = 0; p < 2; ++p)
      for (int q = 0; q < 2; ++q) {
        const double k = fixed[p] || fixed[q] ? 0 : factor;  // zeros are stored: the pattern is that of the springs
        const double own = p == q && !fixed[p] ? factor : -k;
        for (int r = 0; r < 3; ++r)
          for (int c = 0; c < 3; ++c) entries.emplace_back(at[p] + r, at[q] + c, own * b[r] * b[c]);
      }
  }
  SparseMatrix result(3 * n, 3 * n);
  result.setFromTriplets(entries.begin(), entries.end());
  return result;
}

double SpringNetwork::largest_rate(const std::vector<double>& masses, double c_factor, double k_factor) const {
  const std::size_t size = 3 * order_.size();
  std::vector<double> x(size), y(size), zero(size, 0.0);
  for (std::size_t i = 0; i < size; ++i) x[i] = random_unit(1, Id{1}, i, 0x70776974) - 0.5;
  SpringNetwork scaled;  // one spring constant c_factor c + k_factor k
  scaled.order_ = order_;
  scaled.elements_ = elements_;
  for (Element& e : scaled.elements_) {
    e.k = c_factor * e.c + k_factor * e.k;
    e.c = 0;
  }
  double rate = 0;
  for (int pass = 0; pass < 400; ++pass) {
    double norm = 0;  // in the metric of M, in which M⁻¹K is symmetric
    for (std::size_t i = 0; i < size; ++i) norm += masses[i / 3] * x[i] * x[i];
    if (!(norm > 0)) return 0;
    const double inverse = 1.0 / std::sqrt(norm);
    for (double& value : x) value *= inverse;
    scaled.forces(x.data(), zero.data(), y.data());
    double next = 0;
    for (std::size_t i = 0; i < size; ++i) next -= x[i] * y[i];
    for (std::size_t i = 0; i < size; ++i) x[i] = -y[i] / masses[i / 3];
    const bool settled = pass > 20 && next - rate <= 1e-9 * next;
    rate = next;
    if (settled) break;
  }
  return rate;
}

}  // namespace hazumi
