// Blocks of A⁻¹ between nodes against what respond() says, and the memory in which they are kept.
#include <catch2/catch.hpp>

#include <thread>

#include "core/sim/elastic/inverse_columns.h"
#include "tests/sim/elastic_support.h"

namespace inverse_blocks_test {

using namespace hazumi;
using namespace hazumi::elastic_test;
using hazumi::elastic_test::Body;

namespace {

Body make_body(const Truss& truss, const std::vector<std::pair<std::string, std::string>>& words = {}) {
  const ElasticSolverInfo& info = *find_elastic_solver("lagrange");
  ElasticSetup setup = setup_of(truss);
  setup.parameters = parameters_of(info, words);
  return Body(std::move(info.make(setup)).value());
}

/// Greatest difference between R B Rᵀ J and respond(), as a share of the greatest answer.
double difference(Body& body, const std::vector<std::uint32_t>& nodes) {
  std::vector<Mat3> blocks(nodes.size() * nodes.size());
  body.solver->inverse_blocks(nodes, blocks, body.workspace);
  const Mat3 r = body.solver->frame(body.state).rotation.toRotationMatrix();
  std::vector<NodeImpulse> impulses;
  const auto all = kicks(body.solver->node_count(), 1);
  for (const std::uint32_t node : nodes) impulses.push_back(all[node]);
  std::vector<Vec3> dv(body.solver->node_count());
  body.solver->respond(body.state, impulses, dv);
  double worst = 0, size = 0;
  for (std::size_t a = 0; a < nodes.size(); ++a) {
    Vec3 sum = Vec3::Zero();
    for (std::size_t b = 0; b < nodes.size(); ++b)
      sum += r * (blocks[a * nodes.size() + b] * (r.transpose() * impulses[b].impulse));
    worst = std::max(worst, (sum - dv[nodes[a]]).norm());
    size = std::max(size, dv[nodes[a]].norm());
  }
  return worst / size;
}

bool symmetric(const std::vector<Mat3>& blocks, std::size_t m) {
  for (std::size_t a = 0; a < m; ++a)
    for (std::size_t b = 0; b < m; ++b)
      if (blocks[a * m + b] != blocks[b * m + a].transpose()) return false;
  return true;
}

}  // namespace

TEST_CASE("Blocks of the inverse answer impulses as respond() does, at any stiffness", "[elastic][response]") {
  for (const double stiffness : {1e2, 1e4, 1e6, 1e8})
    for (const auto& [method, beta] : {std::pair("factored", "1/4"), {"factored", "1/6"}, {"fixed point", "1/4"}}) {
      if (stiffness > 1e2 && (std::string(method) != "factored" || std::string(beta) != "1/4")) continue;
      CAPTURE(stiffness, method, beta);
      Body body = make_body(lattice(4, 0.1, 0.02, stiffness, 1e-4 * stiffness), {{"method", method}, {"beta", beta}});
      body.start(Vec3(1, 2, 3), Vec3(4, -2, 1), {Vec3(1, 2, 3), Quat(0.5, -0.2, 0.7, 0.1).normalized()});
      for (int k = 0; k < 5; ++k) REQUIRE(body.step());
      CHECK(difference(body, {3, 0, 17, 63, 40, 21, 22}) < 1e-12);  // 1e-15 to 2e-13
    }
}

TEST_CASE("Blocks are symmetric to the last bit, and the same however they are asked for", "[elastic][response]") {
  const Truss truss = lattice(4, 0.1, 0.02, 1e5, 1);
  const std::vector<std::uint32_t> nodes = {5, 0, 33, 62, 14}, backwards(nodes.rbegin(), nodes.rend());
  const std::size_t m = nodes.size();
  Body one = make_body(truss), other = make_body(truss);
  std::vector<Mat3> first(m * m), second(m * m);
  one.solver->inverse_blocks(nodes, first, one.workspace);
  other.solver->inverse_blocks(backwards, second, other.workspace);
  CHECK(symmetric(first, m));
  for (std::size_t a = 0; a < m; ++a)
    for (std::size_t b = 0; b < m; ++b) {
      CHECK(first[a * m + b] == second[(m - 1 - a) * m + m - 1 - b]);
      CHECK(first[a * m + b] == make_body(truss).solver->inverse_block(nodes[a], nodes[b], one.workspace));
    }
}

TEST_CASE("Pinned nodes do not answer, and the others as respond() says", "[elastic][response][pins]") {
  Truss truss = lattice(3, 0.1, 0.05, 3e4, 2);
  truss.pinned = {4, 19};
  Body body = make_body(truss);
  body.start(Vec3::Zero(), Vec3(0, 1, 2), {Vec3::Zero(), Quat(0.3, 0.5, 0.1, -0.2).normalized()});
  CHECK(difference(body, {0, 4, 26, 13, 19}) < 1e-12);
  for (std::uint32_t node = 0; node < 27; ++node) {
    CHECK(body.solver->inverse_block(4, node, body.workspace) == Mat3::Zero());
    CHECK(body.solver->inverse_block(node, 19, body.workspace) == Mat3::Zero());
  }
}

TEST_CASE("Of a solver that is kicked the blocks are 1/m", "[elastic][response]") {
  Truss truss = lattice(2, 0.1, 0.02, 1e4, 0);
  for (std::size_t i = 0; i < truss.masses.size(); ++i) truss.masses[i] += 0.01 * static_cast<double>(i);
  truss.pinned = {6};
  const Body body = make_body(truss);
  const std::vector<std::uint32_t> nodes = {6, 1, 3};
  std::vector<Mat3> blocks(9);
  ElasticWorkspace workspace;
  body.solver->ElasticSolver::inverse_blocks(nodes, blocks, workspace);
  for (std::size_t a = 0; a < 3; ++a)
    for (std::size_t b = 0; b < 3; ++b) {
      const double expected = a == b && a > 0 ? 1 / truss.masses[nodes[a]] : 0;
      CHECK((blocks[3 * a + b] - expected * Mat3::Identity()).norm() < 1e-12 / 0.02);
    }
}

TEST_CASE("Threads that ask for blocks at the same time get those that one gets", "[elastic][response]") {
  const Truss truss = lattice(5, 0.1, 0.02, 1e5, 1);
  Body shared = make_body(truss), alone = make_body(truss);
  std::vector<std::uint32_t> nodes;
  for (std::uint32_t i = 0; i < 125; i += 4) nodes.push_back(i);
  const std::size_t m = nodes.size();
  std::vector<Mat3> expected(m * m);
  alone.solver->inverse_blocks(nodes, expected, alone.workspace);
  std::vector<std::vector<Mat3>> found(4, std::vector<Mat3>(m * m));
  std::vector<std::thread> threads;
  for (std::vector<Mat3>& blocks : found)
    threads.emplace_back([&] {
      ElasticWorkspace workspace;
      shared.solver->inverse_blocks(nodes, blocks, workspace);
    });
  for (std::thread& t : threads) t.join();
  for (const std::vector<Mat3>& blocks : found) CHECK(blocks == expected);
}

TEST_CASE("Columns are kept up to the bound, each once, and the first ones stay", "[elastic][response]") {
  InverseColumns columns;
  columns.start(10, 3 * 90 * sizeof(double) + 700);
  std::vector<double> column(columns.column_size());
  CHECK(column.size() == 90);
  for (std::size_t node : {4, 4, 7, 2, 9, 0}) {
    column[0] = static_cast<double>(node);
    columns.keep(node, column);
  }
  CHECK(columns.bytes() == 3 * 90 * sizeof(double));
  for (std::size_t node : {4, 7, 2}) {
    REQUIRE(columns.find(node));
    CHECK(columns.find(node)[0] == static_cast<double>(node));
  }
  CHECK_FALSE(columns.find(9));
  CHECK_FALSE(columns.find(0));
  InverseColumns none;
  none.start(10, 100);
  none.keep(1, column);
  CHECK(none.bytes() == 0);
}

TEST_CASE("Beyond the bound blocks are computed each time, and are the same", "[elastic][response][slow]") {
  // 1,000 nodes: 72 kB a column, 932 of them in 64 MB.
  const Truss truss = lattice(10, 0.1, 0.001, 800, 0.01);
  Body body = make_body(truss), fresh = make_body(truss);
  std::vector<std::uint32_t> nodes(20);
  std::vector<Mat3> blocks(400), again(400), expected(400);
  for (std::uint32_t first = 0; first < 1000; first += 20) {
    for (std::uint32_t k = 0; k < 20; ++k) nodes[k] = first + k;
    body.solver->inverse_blocks(nodes, blocks, body.workspace);
  }
  body.solver->inverse_blocks(nodes, again, body.workspace);
  fresh.solver->inverse_blocks(nodes, expected, fresh.workspace);
  CHECK(blocks == expected);
  CHECK(again == expected);
}

}  // namespace inverse_blocks_test
