// Hand-made bodies and measurements that the tests of elastic solvers share. A body has springs, tetrahedra, cells and a
// surface, so that a solver of any kind finds in it what it is made for.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <tuple>
#include <vector>

#include "core/sim/elastic/setup.h"

namespace hazumi::elastic_test {

inline constexpr double kStep = 1.0 / 240;

/// n × n × n nodes, one apart × size, cells with edges, face and body diagonals, six tetrahedra in each; every node
/// `mass`.
inline Truss lattice(int n, double size, double mass, double stiffness, double damping) {
  Truss truss;
  const auto at = [n](int i, int j, int k) { return static_cast<std::uint32_t>((k * n + j) * n + i); };
  for (int k = 0; k < n; ++k)
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) {
        truss.nodes.emplace_back(size * i, size * j, size * k);
        truss.masses.push_back(mass);
      }
  for (int k = 0; k + 1 < n; ++k)
    for (int j = 0; j + 1 < n; ++j)
      for (int i = 0; i + 1 < n; ++i) {
        std::vector<std::uint32_t> cell;
        for (int c = 0; c < 8; ++c) cell.push_back(at(i + (c & 1), j + ((c >> 1) & 1), k + ((c >> 2) & 1)));
        // Along three edges from the first corner to the last, in each order of the axes.
        for (const auto& [first, second, even] :
             {std::tuple(1, 2, true), {2, 4, true}, {4, 1, true}, {2, 1, false}, {4, 2, false}, {1, 4, false}}) {
          const std::uint32_t b = cell[static_cast<std::size_t>(first)],
                              c = cell[static_cast<std::size_t>(first | second)];
          truss.tetrahedra.push_back(even ? std::array<std::uint32_t, 4>{cell[0], b, c, cell[7]}
                                          : std::array<std::uint32_t, 4>{cell[0], c, b, cell[7]});
        }
        truss.cells.push_back(std::move(cell));
      }
  for (std::uint32_t a = 0; a < truss.nodes.size(); ++a)
    for (std::uint32_t b = a + 1; b < truss.nodes.size(); ++b)
      if ((truss.nodes[a] - truss.nodes[b]).cwiseAbs().maxCoeff() < 1.5 * size)
        truss.springs.push_back({a, b, stiffness, damping});
  for (int side = 0; side < 2; ++side)
    for (int axis = 0; axis < 3; ++axis)
      for (int u = 0; u + 1 < n; ++u)
        for (int v = 0; v + 1 < n; ++v) {
          const auto corner = [&](int du, int dv) {
            int q[3] = {};
            q[axis] = side * (n - 1);
            q[(axis + 1) % 3] = u + du;
            q[(axis + 2) % 3] = v + dv;
            return at(q[0], q[1], q[2]);
          };
          const auto p00 = corner(0, 0), p10 = corner(1, 0), p11 = corner(1, 1), p01 = corner(0, 1);
          if (side) {
            truss.hull.push_back({p00, p10, p11});
            truss.hull.push_back({p00, p11, p01});
          } else {
            truss.hull.push_back({p00, p11, p10});
            truss.hull.push_back({p00, p01, p11});
          }
        }
  return truss;
}

inline Truss two_nodes(double length, double mass_a, double mass_b, double stiffness, double damping) {
  Truss truss;
  truss.nodes = {Vec3(0, 0, 0), Vec3(length, 0, 0)};
  truss.masses = {mass_a, mass_b};
  truss.springs = {{0, 1, stiffness, damping}};
  return truss;
}

/// One cell of side 1 m with a mass in each corner.
inline Truss one_tetrahedron(double mass, double stiffness, double damping) {
  Truss truss;
  truss.nodes = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)};
  truss.masses.assign(4, mass);
  for (std::uint32_t a = 0; a < 4; ++a)
    for (std::uint32_t b = a + 1; b < 4; ++b) truss.springs.push_back({a, b, stiffness, damping});
  truss.tetrahedra = {{0, 1, 2, 3}};
  truss.cells = {{0, 1, 2, 3}};
  truss.hull = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  return truss;
}

/// The set-up of a truss for any solver: its substance is about as firm as its springs. Springs of nodes that are not there,
/// which a solver is to refuse, are passed over.
inline ElasticSetup setup_of(const Truss& truss, double h = kStep) {
  ElasticSetup setup = setup_of_truss(truss, h);
  double young = 0;
  for (const Spring& s : truss.springs)
    if (std::max(s.a, s.b) < truss.nodes.size())
      young += s.stiffness / (truss.nodes[s.b] - truss.nodes[s.a]).norm() / static_cast<double>(truss.springs.size());
  if (young > 0) setup.substance.young = young;
  return setup;
}

/// Values of a solver's own parameters by their words in a file, the rest as by default.
inline std::vector<double> parameters_of(const ElasticSolverInfo& info,
                                         const std::vector<std::pair<std::string, std::string>>& words) {
  SolverParameters all;
  for (const auto& [name, word] : words) set_parameter(all, {std::string(info.name), name, word});
  return read_parameters(info, all).value();
}

/// Stiffness, damping and masses of a truss of springs.
inline LinearSystem system_of(const Truss& truss) { return linear_springs(setup_of_truss(truss, kStep)); }

/// One body with its state and memory.
struct Body {
  std::unique_ptr<ElasticSolver> solver;
  std::vector<double> state;
  std::vector<Vec3> none;
  ElasticWorkspace workspace;

  explicit Body(std::unique_ptr<ElasticSolver> made)
      : solver(std::move(made)), state(solver->state_size()), none(solver->node_count(), Vec3::Zero()) {}
  void start(const Vec3& velocity, const Vec3& spin, const Pose& pose = {}) {
    solver->initialise(pose, velocity, spin, state);
  }
  bool step(const Vec3& gravity = Vec3::Zero()) { return solver->step(state, none, gravity, workspace); }
  bool step(const std::vector<Vec3>& forces) { return solver->step(state, forces, Vec3::Zero(), workspace); }
  Observables seen() const { return solver->observe(state); }
  double energy() const {
    const Observables o = seen();
    return o.kinetic_energy + o.elastic_energy;
  }
  std::vector<Vec3> positions() const {
    std::vector<Vec3> x(solver->node_count());
    solver->positions(state, x);
    return x;
  }
  std::vector<Vec3> velocities() const {
    std::vector<Vec3> v(solver->node_count());
    solver->velocities(state, v);
    return v;
  }
};

/// Momentum and angular momentum about the world origin from the nodes themselves, not from the solver's own
/// numbers.
struct Momenta {
  Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
  double scale = 0;          ///< Σ m |v|
  double angular_scale = 0;  ///< Σ m |x| |v|
};
inline Momenta momenta(const Body& body, const std::vector<double>& masses) {
  Momenta sum;
  const auto x = body.positions(), v = body.velocities();
  for (std::size_t i = 0; i < x.size(); ++i) {
    sum.linear += masses[i] * v[i];
    sum.angular += masses[i] * x[i].cross(v[i]);
    sum.scale += masses[i] * v[i].norm();
    sum.angular_scale += masses[i] * x[i].norm() * v[i].norm();
  }
  return sum;
}

/// Impulses that no symmetry of a lattice kills: node i gets amount × a fixed pseudo-random direction.
inline std::vector<NodeImpulse> kicks(std::size_t nodes, double amount) {
  std::vector<NodeImpulse> result;
  for (std::size_t i = 0; i < nodes; ++i) {
    const double t = static_cast<double>(i);
    result.push_back({static_cast<std::uint32_t>(i),
                      amount * Vec3(std::sin(1.7 * t + 0.3), std::sin(2.3 * t + 1.1), std::sin(3.1 * t + 2.0))});
  }
  return result;
}

}  // namespace hazumi::elastic_test
