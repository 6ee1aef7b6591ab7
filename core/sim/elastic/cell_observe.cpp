// What is asked of a body of cells between steps for others to see: its energy, which cells are inside out, its observables.
#include <algorithm>
#include <cmath>

#include "core/geometry/mesh/mass_properties.h"
#include "core/sim/elastic/cell_body.h"
#include "core/sim/elastic/momenta.h"

namespace hazumi::cell_body {

/// E of a cell in parts: add(J).
template <class Add>
void Body::add_energy(const Cells& cells, std::size_t e, const double* p, const double* turns, const Add& add) const {
  const Cell& cell = cells[e];
  const auto nodes = cells.nodes(cell);
  const auto rest = cells.rest(cell);
  if (cell.bends && mass_.size() > kMany)
    return add(0.25 * cell.stiffness * (at(p, nodes[1]) - at(p, nodes[0])).squaredNorm());
  if (cell.count == 2) {
    const double off = (at(p, nodes[1]) - at(p, nodes[0])).norm() - 2 * rest[1].norm();
    return add(0.25 * cell.stiffness * off * off);
  }
  if (cell.strained) {
    const auto place = [&](std::size_t i) { return at(p, i); };
    const Mat3 f = slope(cells, cell, place);
    Mat3 strain = turn_at(turns, e).toRotationMatrix().transpose() * f;
    strain.diagonal().array() -= 1;
    add(0.5 * (Cells::stress(cell, strain).array() * strain.array()).sum());
    if (cell.warp > 0)
      warp(cells, cell, f, place, [&](std::size_t, const Vec3& off) { add(0.5 * cell.warp * off.squaredNorm()); });
    return;
  }
  Vec3 centre = Vec3::Zero();
  for (const std::uint32_t i : nodes) centre += at(p, i);
  centre /= static_cast<double>(cell.count);
  const Mat3 m = turn_at(turns, e).toRotationMatrix();
  double square = 0;
  for (std::size_t k = 0; k < cell.count; ++k) square += (at(p, nodes[k]) - centre - m * rest[k]).squaredNorm();
  add(0.5 * cell.stiffness * square);
}

double Body::elastic_energy(const Cells& cells, const double* p, const double* turns) const {
  double sum = 0;
  for (std::size_t e = 0; e < cells.size(); ++e) add_energy(cells, e, p, turns, [&](double part) { sum += part; });
  return sum;
}

double Body::elastic_energy(const Cells& cells, const double* p, const double* turns, double* each,
                            Executor* executor) const {
  in_blocks(executor, cells.size(), kTogether, [&](std::size_t begin, std::size_t end) {
    for (std::size_t e = begin; e < end; ++e) {
      each[e] = 0;
      add_energy(cells, e, p, turns, [&](double part) { each[e] += part; });
    }
  });
  double sum = 0;
  for (std::size_t e = 0; e < cells.size(); ++e) sum += each[e];
  return sum;
}

int Body::inverted(std::span<const Vec3> x) const {
  if (cells_.are_springs()) return -1;
  int count = -1;
  for (std::size_t e = 0; e < cells_.size(); ++e) {
    const Cell& cell = cells_[e];
    Mat3 fit = Mat3::Zero(), rest = Mat3::Zero();
    if (cell.strained) {
      fit = slope(cells_, cell, [&](std::uint32_t i) { return x[order_[i]]; });
      rest.setIdentity();
    } else {
      const auto nodes = cells_.nodes(cell);
      const auto arms = cells_.rest(cell);
      for (std::size_t k = 0; k < cell.count; ++k) {
        fit += x[order_[nodes[k]]] * arms[k].transpose();  // Σ R = 0: from anywhere
        rest += arms[k] * arms[k].transpose();
      }
    }
    if (!spans_volume(rest)) continue;
    count = std::max(count, 0) + (fit.determinant() < 0);
  }
  return count;
}

Observables Body::account(std::span<const double> state) const {
  const std::size_t n = node_count();
  Observables result = momenta_of(*this, state, setup_.masses, total_mass_);
  result.elastic_energy = elastic_energy(*cells_in(state), state.data() + kFrame, state.data() + kFrame + 6 * n);
  return result;
}

Observables Body::observe(std::span<const double> state) const {
  Observables result = account(state);
  std::vector<Vec3> x(node_count());
  positions(state, x);
  result.volume = mesh_volume(x, setup_.surface);
  const RestShape told = shape(state);
  const auto rest_node = [&](std::uint32_t i) {
    Vec3 rest = (told.nodes.empty() ? setup_.nodes[i] : told.nodes[i]) + told.offset(setup_.nodes[i] - centre_);
    if (!setup_.rest_offset.empty()) rest += setup_.rest_offset[i];
    return rest;
  };
  const auto add_strain = [&](std::uint32_t a, std::uint32_t b) {
    const Vec3 rest = rest_node(b) - rest_node(a);
    result.max_strain = std::max(result.max_strain, std::abs((x[b] - x[a]).norm() / rest.norm() - 1));
  };
  for (const Spring& spring : setup_.springs) add_strain(spring.a, spring.b);
  if (setup_.springs.empty())
    for (const auto& [a, b] : cells_.pairs()) add_strain(order_[a], order_[b]);
  result.inverted = inverted(x);
  return result;
}

}  // namespace hazumi::cell_body
