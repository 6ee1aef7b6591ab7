#include "core/sim/elastic/linear_system.h"

#include <cmath>

#include "core/sim/elastic/solver.h"

namespace hazumi {

namespace {

double softness_of(const ElasticSetup& setup, const std::vector<double>& stiffness,
                   const std::vector<double>& damping) {
  const double h = setup.time_step;
  double sum = 0;
  for (std::size_t i = 0; i < setup.nodes.size(); ++i)
    sum += (0.5 * h * damping[i] + 0.25 * h * h * stiffness[i]) / setup.masses[i];
  return 1.0 / std::sqrt(1.0 + sum / static_cast<double>(setup.nodes.size()));
}

std::vector<double> block_traces(const SparseMatrix& matrix) {
  std::vector<double> traces(static_cast<std::size_t>(matrix.rows() / 3), 0.0);
  for (std::size_t i = 0; i < traces.size(); ++i)
    for (Eigen::Index k = 0; k < 3; ++k) {
      const Eigen::Index at = 3 * static_cast<Eigen::Index>(i) + k;
      traces[i] += matrix.coeff(at, at);
    }
  return traces;
}

}  // namespace

LinearSystem linear_springs(const ElasticSetup& setup) {
  LinearSystem system{setup.nodes, setup.masses, setup.pinned, {}, {}};
  for (std::size_t i = 0; i < setup.rest_offset.size(); ++i) system.nodes[i] += setup.rest_offset[i];
  std::vector<Eigen::Triplet<double>> k, c;
  k.reserve(36 * setup.springs.size());
  c.reserve(36 * setup.springs.size());
  for (const Spring& spring : setup.springs) {
    const Vec3 along = setup.nodes[spring.b] - setup.nodes[spring.a];
    const Mat3 element = along * along.transpose() / along.squaredNorm();
    const int at[2] = {3 * static_cast<int>(spring.a), 3 * static_cast<int>(spring.b)};
    for (int p = 0; p < 2; ++p)
      for (int q = 0; q < 2; ++q)
        for (int row = 0; row < 3; ++row)
          for (int column = 0; column < 3; ++column) {
            const double value = (p == q ? 1 : -1) * element(row, column);
            k.emplace_back(at[p] + row, at[q] + column, spring.stiffness * value);
            c.emplace_back(at[p] + row, at[q] + column, spring.damping * value);
          }
  }
  const auto size = 3 * static_cast<Eigen::Index>(setup.nodes.size());
  system.stiffness.resize(size, size);
  system.damping.resize(size, size);
  system.stiffness.setFromTriplets(k.begin(), k.end());
  system.damping.setFromTriplets(c.begin(), c.end());
  return system;
}

ElasticContact contact_of_springs(const ElasticSetup& setup) {
  ElasticContact contact;
  const auto count = static_cast<double>(setup.nodes.size());
  std::vector<double> stiffness(setup.nodes.size(), 0.0), damping(setup.nodes.size(), 0.0);
  double modulus = 0;
  for (const Spring& s : setup.springs) {
    modulus += (setup.nodes[s.b] - setup.nodes[s.a]).norm() * s.stiffness;
    contact.node_stiffness += 2 * s.stiffness / count;
    for (const std::uint32_t node : {s.a, s.b}) {
      stiffness[node] += s.stiffness;
      damping[node] += s.damping;
    }
  }
  const bool from_springs = setup.spring_section > 0 && !setup.springs.empty();
  contact.modulus = from_springs ? modulus / (static_cast<double>(setup.springs.size()) * setup.spring_section)
                                 : setup.substance.young;
  contact.softness = softness_of(setup, stiffness, damping);
  return contact;
}

ElasticContact contact_of_system(const ElasticSetup& setup, const LinearSystem& system) {
  ElasticContact contact;
  const std::vector<double> stiffness = block_traces(system.stiffness), damping = block_traces(system.damping);
  for (const double k : stiffness) contact.node_stiffness += k / static_cast<double>(stiffness.size());
  contact.modulus = setup.substance.young;
  contact.softness = softness_of(setup, stiffness, damping);
  return contact;
}

}  // namespace hazumi
