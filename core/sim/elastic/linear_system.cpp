#include "core/sim/elastic/linear_system.h"

#include "core/sim/elastic/solver.h"

namespace hazumi {

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
  for (const Bend& bend : setup.bends) {
    const std::pair<std::uint32_t, double> ends[] = {{bend.a, 1.0}, {bend.b, -1.0}};
    for (const auto& [p, of_p] : ends)
      for (const auto& [q, of_q] : ends)
        for (int axis = 0; axis < 3; ++axis)
          k.emplace_back(3 * static_cast<int>(p) + axis, 3 * static_cast<int>(q) + axis, bend.stiffness * of_p * of_q);
  }
  const auto size = 3 * static_cast<Eigen::Index>(setup.nodes.size());
  system.stiffness.resize(size, size);
  system.damping.resize(size, size);
  system.stiffness.setFromTriplets(k.begin(), k.end());
  system.damping.setFromTriplets(c.begin(), c.end());
  return system;
}

double contact_modulus_of_springs(const ElasticSetup& setup) {
  if (!(setup.spring_section > 0) || setup.springs.empty()) return setup.substance.young;
  double sum = 0;
  for (const Spring& s : setup.springs) sum += (setup.nodes[s.b] - setup.nodes[s.a]).norm() * s.stiffness;
  return sum / (static_cast<double>(setup.springs.size()) * setup.spring_section);
}

}  // namespace hazumi
