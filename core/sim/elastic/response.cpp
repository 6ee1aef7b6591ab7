#include "core/sim/elastic/solver.h"

namespace hazumi {

void ElasticSolver::respond(std::span<const double> state, std::span<const NodeImpulse> impulses,
                            std::span<Vec3> dv) const {
  std::vector<double> hit(state.begin(), state.end());
  std::vector<Vec3> before(dv.size());
  velocities(state, before);
  apply_impulses(hit, impulses);
  velocities(hit, dv);
  for (std::size_t i = 0; i < dv.size(); ++i) dv[i] -= before[i];
}

namespace {

// A kicked node keeps its impulse to itself, so that all of them can be hit at once, and the answer is the same in all axes.
void hit_each(const ElasticSolver& solver, std::span<const std::uint32_t> nodes, std::span<double> own) {
  std::vector<double> state(solver.state_size());
  solver.initialise(Pose{}, Vec3::Zero(), Vec3::Zero(), state);
  std::vector<NodeImpulse> hits;
  for (const std::uint32_t node : nodes) hits.push_back({node, Vec3::UnitX()});
  std::vector<Vec3> dv(solver.node_count());
  solver.ElasticSolver::respond(state, hits, dv);
  for (std::size_t a = 0; a < nodes.size(); ++a) own[a] = dv[nodes[a]].x();
}

}  // namespace

bool ElasticSolver::own_answers(std::span<const std::uint32_t> nodes, std::span<double> own) const {
  if (before() != Before::kicked) return false;
  hit_each(*this, nodes, own);
  return true;
}

void ElasticSolver::inverse_blocks(std::span<const std::uint32_t> nodes, std::span<Mat3> blocks,
                                   ElasticWorkspace&) const {
  const std::size_t m = nodes.size();
  std::vector<double> own(m);
  hit_each(*this, nodes, own);
  for (std::size_t a = 0; a < m; ++a)
    for (std::size_t b = 0; b < m; ++b)
      blocks[a * m + b] = nodes[a] == nodes[b] ? Mat3(own[a] * Mat3::Identity()) : Mat3(Mat3::Zero());
}

void ElasticSolver::inverse_blocks_at(std::span<const Vec3>, std::span<const std::uint32_t> nodes,
                                      std::span<Mat3> blocks, ElasticWorkspace& workspace) const {
  inverse_blocks(nodes, blocks, workspace);
}

void ElasticSolver::respond_at(std::span<const Vec3>, std::span<const Vec3> impulses, std::span<Vec3> dv) const {
  std::vector<double> state(state_size());
  initialise(Pose{}, Vec3::Zero(), Vec3::Zero(), state);
  std::vector<NodeImpulse> all;
  for (std::uint32_t i = 0; i < impulses.size(); ++i) all.push_back({i, impulses[i]});
  respond(state, all, dv);
}

Mat3 ElasticSolver::inverse_block(std::uint32_t i, std::uint32_t j, ElasticWorkspace& workspace) const {
  const std::uint32_t both[] = {i, j};
  Mat3 blocks[4];
  inverse_blocks({both, i == j ? std::size_t{1} : std::size_t{2}}, {blocks, 4}, workspace);
  return blocks[i == j ? 0 : 1];
}

}  // namespace hazumi
