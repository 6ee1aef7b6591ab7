#include "core/sim/elastic/cells.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/geometry/mesh/mass_properties.h"
#include "core/math/eigen.h"
#include "core/sim/elastic/body_frame.h"
#include "core/sim/elastic/tetrahedra_of.h"

namespace hazumi {

namespace {

constexpr std::size_t kFewNodes = 16;  // a bare solid: an octahedron, an icosahedron
constexpr double kOnALine = 1e-10;     // of the largest moment

using Lists = std::vector<std::vector<std::uint32_t>>;

Lists cells_of(const ElasticSetup& setup) {
  if (!setup.cells.empty()) return setup.cells;
  Lists lists;
  for (const auto& tetrahedron : setup.tetrahedra) lists.emplace_back(tetrahedron.begin(), tetrahedron.end());
  if (!lists.empty()) return lists;
  const std::size_t n = setup.nodes.size();
  if (n > kFewNodes && !setup.springs.empty()) {
    lists.resize(n);
    for (std::uint32_t i = 0; i < n; ++i) lists[i].push_back(i);
    for (const Spring& s : setup.springs) {
      lists[s.a].push_back(s.b);
      lists[s.b].push_back(s.a);
    }
    for (auto& list : lists) {
      std::sort(list.begin(), list.end());
      list.erase(std::unique(list.begin(), list.end()), list.end());
    }
    std::erase_if(lists, [](const auto& list) { return list.size() < 2; });
    return lists;
  }
  lists.emplace_back(n);
  std::iota(lists[0].begin(), lists[0].end(), 0u);
  return lists;
}

double body_volume(const ElasticSetup& setup) {
  const double volume = setup.surface.empty() ? 0 : mesh_volume(setup.nodes, setup.surface);
  if (volume > 0) return volume;
  double mass = 0;
  for (const double m : setup.masses) mass += m;
  return mass / setup.substance.density;
}

}  // namespace

void Cells::add(std::span<const Vec3> shape, std::vector<std::uint32_t> nodes) {
  Cell cell{nodes_.size(), nodes.size()};
  Vec3 centre = Vec3::Zero();
  for (const std::uint32_t i : nodes) centre += shape[i] / static_cast<double>(nodes.size());
  SecondMoment moment;
  for (const std::uint32_t i : nodes) {
    const Vec3 r = shape[i] - centre;
    moment.add(1, r.x(), r.y(), r.z());
  }
  const Mat3 inertia = moment.inertia();
  const EigenPairs3 principal = symmetric_eigen(inertia);
  const bool line = !(principal.values[0] > kOnALine * principal.values[2]);
  if (line && nodes.size() > 2) {  // in pairs along it
    const Vec3 along = principal.vectors.col(0);
    std::stable_sort(nodes.begin(), nodes.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return along.dot(shape[a]) < along.dot(shape[b]); });
    for (std::size_t k = 0; k + 1 < nodes.size(); ++k) add(shape, {nodes[k], nodes[k + 1]});
    return;
  }
  for (const std::uint32_t i : nodes) {
    nodes_.push_back(i);
    rest_.push_back(shape[i] - centre);
  }
  if (line) {
    const Vec3 along = rest_.back().normalized();
    cell.turning = (Mat3::Identity() - along * along.transpose()) / (2 * rest_.back().squaredNorm());
  } else {
    cell.turning = inverse3(inertia);
  }
  cells_.push_back(cell);
}

Cells::Cells(const ElasticSetup& setup, double stiffness, double damping) {
  std::vector<Vec3> shape = setup.nodes;
  for (std::size_t i = 0; i < setup.rest_offset.size(); ++i) shape[i] += setup.rest_offset[i];
  for (auto& list : cells_of(setup)) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    if (list.size() > 1) add(shape, std::move(list));
  }
  double spread = 0, springs = 0, dampers = 0;  // Σ |R|², m²; Σ k l², J; Σ c l², J s
  for (const Vec3& r : rest_) spread += r.squaredNorm();
  for (const Spring& s : setup.springs) {
    const double square = (setup.nodes[s.b] - setup.nodes[s.a]).squaredNorm();
    springs += s.stiffness * square;
    dampers += s.damping * square;
  }
  // Uniform strain in one direction, in the mean of all: springs ½ Σ k l² / 5, cells ½ k Σ |R|² / 3, the substance ½ E V. On a
  // line all of them are whole.
  bool on_a_line = true;
  for (const Cell& cell : cells_) on_a_line = on_a_line && cell.count == 2;
  double k = springs > 0 ? (on_a_line ? 1.0 : 0.6) * springs
                         : (on_a_line ? 1 : 3) * setup.substance.young * body_volume(setup);
  k *= stiffness / spread;
  for (Cell& cell : cells_) cell.stiffness = k;
  damping_ = springs > 0 ? damping * dampers / springs : 0;
}

/// σ is still of no material: shear is V and bulk 0.
void Cells::add_strained(std::span<const Vec3> shape, std::span<const std::uint32_t> nodes, double volume) {
  Cell cell{.first = nodes_.size(), .count = nodes.size(), .strained = true, .shear = volume};
  Vec3 centre = Vec3::Zero();
  for (const std::uint32_t i : nodes) centre += shape[i] / static_cast<double>(nodes.size());
  Mat3 moment = Mat3::Zero();
  for (const std::uint32_t i : nodes) {
    nodes_.push_back(i);
    arms_.push_back(shape[i] - centre);
    moment += arms_.back() * arms_.back().transpose();
  }
  const Mat3 inverse = inverse3(moment);
  for (const Vec3& r : arms(cell)) rest_.push_back(inverse * r);
  if (nodes.size() == 8) {
    const Vec3 &o = shape[nodes[0]], &x = shape[nodes[1]], &y = shape[nodes[2]], &z = shape[nodes[4]];
    const double square = std::max({(x - o).squaredNorm(), (y - o).squaredNorm(), (z - o).squaredNorm()});
    cell.warp = volume / (6 * square);
  }
  cells_.push_back(cell);
}

Cells Cells::strained(const ElasticSetup& setup, double stiffness, double damping) {
  Cells out;
  std::vector<Vec3> shape = setup.nodes;
  for (std::size_t i = 0; i < setup.rest_offset.size(); ++i) shape[i] += setup.rest_offset[i];
  const std::vector<Tetrahedron> tetrahedra = tetrahedra_of(setup);
  const auto volume_of = [&](const Tetrahedron& t) {
    const Vec3& a = shape[t.nodes[0]];
    return t.share / 6 * (shape[t.nodes[1]] - a).dot((shape[t.nodes[2]] - a).cross(shape[t.nodes[3]] - a));
  };
  double volume = 0, springs = 0, dampers = 0;  // m³; Σ k l², J; Σ c l², J s
  for (const Tetrahedron& t : tetrahedra) volume += volume_of(t);
  if (setup.tetrahedra.empty() && !setup.cells.empty() && !tetrahedra.empty()) {
    std::vector<double> of_box(setup.cells.size(), 0.0);
    for (const Tetrahedron& t : tetrahedra) of_box[t.of] += volume_of(t);
    for (std::size_t c = 0; c < of_box.size(); ++c) out.add_strained(shape, setup.cells[c], of_box[c]);
  } else {
    for (const Tetrahedron& t : tetrahedra) out.add_strained(shape, t.nodes, volume_of(t));
  }
  for (const Spring& s : setup.springs) {
    const double square = (setup.nodes[s.b] - setup.nodes[s.a]).squaredNorm();
    springs += s.stiffness * square;
    dampers += s.damping * square;
  }
  const double ratio = setup.substance.poisson;
  const double mu = 0.5 / (1 + ratio), lambda = ratio / ((1 + ratio) * (1 - 2 * ratio));  // of a Young's modulus of 1
  const double young =
      stiffness *
      (setup.spring_section > 0 && springs > 0 ? 0.2 * springs / (volume * (2 * mu + lambda)) : setup.substance.young);
  for (Cell& cell : out.cells_) {
    cell.bulk = lambda * young * cell.shear;
    cell.shear *= mu * young;
    cell.warp *= young;
  }
  out.damping_ = springs > 0 ? damping * dampers / springs : 0;
  return out;
}

Cells Cells::springs(const ElasticSetup& setup, double stiffness, double damping) {
  Cells out;
  out.springs_ = true;
  double springs = 0, dampers = 0;  // Σ k l², J; Σ c l², J s
  for (const Spring& s : setup.springs) {
    Cell cell{out.nodes_.size(), 2, 2 * stiffness * s.stiffness};
    cell.drag = 2 * damping * s.damping;
    Vec3 along = setup.nodes[s.b] - setup.nodes[s.a];
    if (!setup.rest_offset.empty()) along += setup.rest_offset[s.b] - setup.rest_offset[s.a];
    out.nodes_.insert(out.nodes_.end(), {s.a, s.b});
    out.rest_.insert(out.rest_.end(), {-0.5 * along, 0.5 * along});
    out.cells_.push_back(cell);
    springs += cell.stiffness * along.squaredNorm();
    dampers += cell.drag * along.squaredNorm();
  }
  out.damping_ = springs > 0 ? dampers / springs : 0;
  for (const Bend& bend : setup.bends) {
    Cell cell{out.nodes_.size(), 2, 2 * bend.stiffness};
    cell.bends = true;
    out.nodes_.insert(out.nodes_.end(), {bend.a, bend.b});
    out.rest_.insert(out.rest_.end(), {Vec3::Zero(), Vec3::Zero()});
    out.cells_.push_back(cell);
  }
  return out;
}

/// What the floor of the damping adds (cell_body.cpp) is of all springs the same time.
void Cells::set_drag(double damping) {
  for (Cell& cell : cells_)
    if (!cell.bends)
      cell.drag = springs_ ? cell.drag + (damping - damping_) * cell.stiffness : damping * cell.stiffness;
}

void Cells::take_shape(std::span<const Vec3> shape) {
  constexpr double kLeast = 1e-3;  // of its volume
  std::vector<Vec3> arms;
  turned_.assign(cells_.size(), Quat::Identity());
  for (std::size_t e = 0; e < cells_.size(); ++e) {
    Cell& cell = cells_[e];
    if (cell.bends) continue;
    const auto at = nodes(cell);
    arms.clear();
    Vec3 centre = Vec3::Zero();
    for (const std::uint32_t i : at) centre += shape[i] / static_cast<double>(cell.count);
    for (const std::uint32_t i : at) arms.push_back(shape[i] - centre);
    Vec3* const rest = rest_.data() + cell.first;
    if (cell.count > 2) {
      Mat3 fit = Mat3::Zero();
      for (std::size_t k = 0; k < cell.count; ++k) fit += arms[k] * rest[k].transpose();
      turned_[e] = polar_rotation_near(fit, Quat::Identity());
    }
    if (!cell.strained) {
      std::copy(arms.begin(), arms.end(), rest);
      SecondMoment about;
      for (const Vec3& r : arms) about.add(1, r.x(), r.y(), r.z());
      if (cell.count > 2) cell.turning = inverse3(about.inertia());
      continue;
    }
    Mat3 moment = Mat3::Zero(), stretch = Mat3::Zero();
    for (std::size_t k = 0; k < cell.count; ++k) {
      moment += arms[k] * arms[k].transpose();
      stretch += arms[k] * rest[k].transpose();
    }
    const double larger = stretch.determinant();
    if (!(larger > kLeast)) {
      turned_[e] = Quat::Identity();
      continue;
    }
    const Mat3 inverse = inverse3(moment);
    for (std::size_t k = 0; k < cell.count; ++k) {
      rest[k] = inverse * arms[k];
      arms_[cell.first + k] = arms[k];
    }
    cell.shear *= larger;
    cell.bulk *= larger;
  }
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> Cells::pairs() const {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> all;
  for (const Cell& cell : cells_)
    for (const std::uint32_t a : nodes(cell))
      for (const std::uint32_t b : nodes(cell))
        if (a < b) all.emplace_back(a, b);
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

void Cells::renumber(std::span<const std::uint32_t> place) {
  for (std::uint32_t& node : nodes_) node = place[node];
}

namespace {

void add_block(std::uint32_t i, std::uint32_t j, const Mat3& block, std::vector<Eigen::Triplet<double>>& out) {
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 3; ++column)
      out.emplace_back(3 * static_cast<int>(i) + row, 3 * static_cast<int>(j) + column, block(row, column));
}

}  // namespace

void Cells::add_stiffness(double factor, const std::vector<char>& held, std::vector<Eigen::Triplet<double>>& out,
                          std::span<const Quat> turns) const {
  for (std::size_t e = 0; e < cells_.size(); ++e) {
    const Cell& cell = cells_[e];
    const Mat3 turn = turns.empty() ? Mat3(Mat3::Identity()) : turns[e].toRotationMatrix();
    const auto add = [&](std::uint32_t i, std::uint32_t j, const Mat3& block) {
      add_block(i, j, turns.empty() ? block : Mat3(turn * block * turn.transpose()), out);
    };
    const auto at = nodes(cell);
    const auto arm = rest(cell);
    const double share = 1.0 / static_cast<double>(cell.count);
    for (std::size_t i = 0; i < cell.count; ++i)
      for (std::size_t j = 0; j < cell.count; ++j) {
        if (held[at[i]] || held[at[j]]) continue;
        if (cell.strained) {
          Mat3 block = cell.bulk * arm[i] * arm[j].transpose() + cell.shear * arm[j] * arm[i].transpose();
          block.diagonal().array() +=
              cell.shear * arm[i].dot(arm[j]) + cell.warp * ((i == j ? 1.0 : 0.0) - share - arms(cell)[i].dot(arm[j]));
          add(at[i], at[j], factor * block);
          continue;
        }
        // A turn ω moves node j by ω × R_j, and of displacements u the turn is ω = turning Σ R × u.
        Mat3 block = skew(arm[i]) * cell.turning * skew(arm[j]);
        block.diagonal().array() += (i == j ? 1.0 : 0.0) - share;
        add(at[i], at[j], factor * cell.stiffness * block);
      }
  }
}

void Cells::add_stiffness(double stiff, double drag, double damping, const std::vector<char>& held,
                          std::vector<Eigen::Triplet<double>>& out) const {
  if (!springs_) return add_stiffness(stiff + drag * damping, held, out);
  for (const Cell& cell : cells_) {
    const auto at = nodes(cell);
    const Vec3 n = rest(cell)[1].normalized();
    const Mat3 along = cell.bends ? Mat3(Mat3::Identity()) : Mat3(n * n.transpose());
    const Mat3 block = 0.5 * (stiff * cell.stiffness + drag * cell.drag) * along;
    for (std::size_t i = 0; i < 2; ++i)
      for (std::size_t j = 0; j < 2; ++j)
        if (!held[at[i]] && !held[at[j]]) add_block(at[i], at[j], i == j ? block : Mat3(-block), out);
  }
}

LinearSystem Cells::linear_system(const ElasticSetup& setup) const {
  LinearSystem system{setup.nodes, setup.masses, setup.pinned, {}, {}};
  for (std::size_t i = 0; i < setup.rest_offset.size(); ++i) system.nodes[i] += setup.rest_offset[i];
  std::vector<Eigen::Triplet<double>> k;
  add_stiffness(1, std::vector<char>(setup.nodes.size(), 0), k);
  const auto size = 3 * static_cast<Eigen::Index>(setup.nodes.size());
  system.stiffness.resize(size, size);
  system.stiffness.setFromTriplets(k.begin(), k.end());
  system.damping = damping_ * system.stiffness;
  return system;
}

double Cells::rate_bound(std::span<const double> masses) const {
  std::vector<double> sum(masses.size(), 0.0);
  for (const Cell& cell : cells_) {
    double slopes = 0;
    for (const Vec3& b : rest(cell)) slopes += b.norm();
    for (std::size_t k = 0; k < cell.count; ++k) {
      const std::uint32_t i = nodes(cell)[k];
      const double stiff = cell.strained ? (2 * cell.shear + cell.bulk) * slopes * rest(cell)[k].norm() + cell.warp
                                         : std::abs(cell.stiffness);
      sum[i] += stiff / masses[i];
    }
  }
  return *std::max_element(sum.begin(), sum.end());
}

Quat Cells::turn(const Cell& cell, const Mat3& fit, const Quat& near) {
  return cell.count == 2 ? polar_rotation(fit, near) : polar_rotation_near(fit, near);
}

// M ← (1 + [φ]) M: Σ r × (φ × M R) = −Σ r × M R, that is (tr B − Bᵀ) φ = −axial(B), B = Σ r (M R)ᵀ; then the turn by φ.
Quat turned_by_one_pass(const Mat3& fit, const Quat& turn) {
  const Mat3 seen = fit * turn.toRotationMatrix().transpose();
  const Mat3 moment = seen.trace() * Mat3::Identity() - seen.transpose();
  return (exp_rotation(inverse3(moment) * -axial(seen)) * turn).normalized();
}

double plane_angle(const Mat3& fit) { return std::atan2(fit(1, 0) - fit(0, 1), fit(0, 0) + fit(1, 1)); }

}  // namespace hazumi
