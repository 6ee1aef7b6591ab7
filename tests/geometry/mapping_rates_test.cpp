// How vertices follow nodes and frame (Mapping::rates, DriverInfo) against finite differences of where they are.
#include "core/math/rotation.h"
#include "tests/geometry/mapping_support.h"
#include "tests/sim/reference/dense.h"

namespace mapping_rates_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

struct Case {
  std::string name;
  MappingSettings settings;
  Truss truss;
};

Truss sheet() {
  Truss truss;
  for (int j = 0; j < 4; ++j)
    for (int i = 0; i < 4; ++i) {
      truss.nodes.emplace_back(0.3 * i - 0.45, 0, 0.3 * j - 0.45);
      truss.masses.push_back(1 + 0.1 * i);
    }
  for (std::uint32_t j = 0; j < 3; ++j)
    for (std::uint32_t i = 0; i < 3; ++i) {
      const std::uint32_t a = 4 * j + i;
      truss.hull.push_back({a, a + 4, a + 1});
      truss.hull.push_back({a + 1, a + 4, a + 5});
    }
  return truss;
}

Truss rope(int parts) {
  Truss truss = make_truss({.shape = TrussShape::rope, .divisions = {parts, 1, 1}, .size = Vec3(0.2, 1.4, 0.2)});
  for (std::size_t i = 0; i < truss.masses.size(); ++i) truss.masses[i] += 0.01 * static_cast<double>(i);
  return truss;
}

std::vector<Case> cases() {
  const Truss box = tetrahedral_box({2, 3, 2}, Vec3(1, 2, 1));
  std::vector<Case> out;
  for (const MappingKind kind : {MappingKind::linear, MappingKind::embedding, MappingKind::lattice})
    out.push_back({"kind " + std::to_string(static_cast<int>(kind)), of_kind(kind), box});
  out.push_back({"a sheet, linear", of_kind(MappingKind::linear), sheet()});
  out.push_back({"a sheet in a lattice", of_kind(MappingKind::lattice), sheet()});
  for (const int parts : {1, 2, 7}) out.push_back({"a rope", of_kind(MappingKind::linear), rope(parts)});
  MappingSettings chain = of_kind(MappingKind::skeleton);
  chain.bones = bones_along_longest_axis(box.nodes, 3);
  out.push_back({"a chain of bones", chain, box});
  Bone arm = chain.bones[1], other = chain.bones[2];
  arm.id = 11;
  arm.parent = chain.bones[0].id;
  arm.head = Vec3(0.2, 0.1, 0);
  arm.tail = Vec3(0.6, 0.2, 0.1);
  other.id = 12;
  other.parent = 0;
  other.tail += Vec3(0.2, 0, 0.3);
  chain.bones.push_back(arm);
  chain.bones.push_back(other);
  out.push_back({"branches and two roots", chain, box});
  return out;
}

Vec3 place(const Mapping& mapping, const std::vector<Vec3>& nodes, const Pose& frame, std::uint32_t vertex) {
  Vec3 p;
  mapping.map_points(nodes, frame, {&vertex, 1}, {&p, 1});
  return p;
}

/// The derivative of `at(step)` along one direction.
template <class At>
Vec3 slope(const At& at) {
  constexpr double kStep = 1e-5;
  return (at(kStep) - at(-kStep)) / (2 * kStep);
}

}  // namespace

TEST_CASE("Vertices follow nodes and frame as their rates say, whatever maps them") {
  for (const Case& c : cases()) {
    INFO(c.name);
    const bool flat = c.truss.tetrahedra.empty();
    const DisplayMesh mesh = sphere_mesh(flat ? Vec3(0.8, 0.1, 0.8) : Vec3(1.3, 1.6, 0.8), 12);
    const auto mapping = make_mapping(c.settings, mesh, c.truss).mapping;
    REQUIRE(mapping);
    REQUIRE(mapping->vertex_count() > 55);
    std::vector<Vec3> nodes;
    const Quat turn = Quat(0.7, 0.2, -0.5, 0.3).normalized();
    for (const Vec3& p : c.truss.nodes) nodes.push_back(Vec3(3, 1, -2) + turn * bend(0.7 * p));
    const Pose frame{Vec3(3.02, 1.03, -2), turn * exp_rotation(Vec3(0.1, -0.05, 0.2))};
    const std::vector<std::uint32_t> vertices = {3, 17, 40, 55};
    std::vector<VertexRate> rates(vertices.size());
    mapping->rates(nodes, frame, vertices, rates);
    double worst = 0, worst_whole = 0, worst_linear = 0;
    for (std::size_t k = 0; k < vertices.size(); ++k) {
      const std::uint32_t v = vertices[k];
      const VertexRate& rate = rates[k];
      CHECK((rate.place - place(*mapping, nodes, frame, v)).norm() < 1e-13);
      std::vector<Mat3> blocks(nodes.size(), Mat3::Zero());
      for (const NodeBlock& b : rate.nodes) blocks[b.node] += b.block;
      Mat3 sum = rate.origin, about = rate.turn - rate.origin * skew(frame.position);
      for (std::size_t i = 0; i < nodes.size(); ++i) {
        sum += blocks[i];
        about -= blocks[i] * skew(nodes[i]);
        for (int axis = 0; axis < 3; ++axis) {
          const Vec3 found = slope([&](double step) {
            std::vector<Vec3> there = nodes;
            there[i][axis] += step;
            return place(*mapping, there, frame, v);
          });
          worst = std::max(worst, (blocks[i].col(axis) - found).norm());
        }
      }
      for (int axis = 0; axis < 3; ++axis) {
        const Vec3 by_origin = slope([&](double step) {
          return place(*mapping, nodes, {frame.position + step * Vec3::Unit(axis), frame.rotation}, v);
        });
        const Vec3 by_turn = slope([&](double step) {
          return place(*mapping, nodes, {frame.position, exp_rotation(step * Vec3::Unit(axis)) * frame.rotation}, v);
        });
        worst = std::max({worst, (rate.origin.col(axis) - by_origin).norm(), (rate.turn.col(axis) - by_turn).norm()});
      }
      // Nodes and frame as one rigid body: V + ω × place.
      worst_whole = std::max({worst_whole, (sum - Mat3::Identity()).norm(), (about + skew(rate.place)).norm()});
      const DriverInfo info = mapping->drivers(v);
      if (!info.linear) continue;
      Vec3 by_drivers = frame.rotation * info.arm;
      double left = 1;
      for (const NodeWeight& w : info.nodes) {
        by_drivers += w.weight * nodes[w.node];
        left -= w.weight;
      }
      worst_linear = std::max(worst_linear, (by_drivers + left * frame.position - rate.place).norm());
    }
    // What a sheet leaves open to a lattice is settled by ε = 1e-10: places themselves are noisy by 1e-7 m.
    const bool noisy = flat && c.settings.kind == MappingKind::lattice;
    // The parts of a rope are short: its third derivatives are large.
    CHECK(worst < (noisy ? 1e-2 : c.name == "a rope" ? 2e-8 : 2e-9));
    CHECK(worst_whole < (noisy ? 1e-6 : 1e-12));
    CHECK(worst_linear < (noisy ? 1e-6 : 1e-12));
    const bool bends = c.settings.kind == MappingKind::skeleton || c.name == "a sheet, linear" || c.name == "a rope";
    CHECK(mapping->drivers(17).linear == !bends);
  }
}

namespace {

/// Nodes squeezed to `thin` of their thickness along some direction, turned inside out where that is negative, and bent; the frame
/// some way off.
std::vector<Vec3> squeezed(const Truss& truss, double thin, const Quat& whole, reference::Dice& dice) {
  const Mat3 axes = dice.attitude(), f = axes * Vec3(1.1, 0.9, thin).asDiagonal() * axes.transpose();
  std::vector<Vec3> nodes;
  for (const Vec3& p : truss.nodes) nodes.push_back(Vec3(3, 1, -2) + whole * (f * bend(0.4 * p) / 0.4));
  return nodes;
}

DisplayMesh skin() { return sphere_mesh(Vec3(1.3, 1.6, 0.8), 12); }

}  // namespace

TEST_CASE("Vertices on bones whose nodes are flat or inside out follow as their rates say") {
  for (const Case& c : cases()) {
    if (c.settings.kind != MappingKind::skeleton) continue;
    const auto mapping = make_mapping(c.settings, skin(), c.truss).mapping;
    const std::vector<std::uint32_t> vertices = {3, 17, 40, 55};
    reference::Dice dice(5);
    for (const double thin : {0.3, 0.2, 0.12, 0.05, 0.0, -0.3, -0.9}) {
      INFO(c.name << ", " << thin);
      const Quat whole(dice.attitude());
      const std::vector<Vec3> nodes = squeezed(c.truss, thin, whole, dice);
      const Pose frame{Vec3(3.02, 1.03, -2), whole * exp_rotation(Vec3(0.1, -0.05, 0.2))};
      std::vector<VertexRate> rates(vertices.size());
      mapping->rates(nodes, frame, vertices, rates);
      double worst = 0, worst_whole = 0;
      for (std::size_t k = 0; k < vertices.size(); ++k) {
        const VertexRate& rate = rates[k];
        CHECK((rate.place - place(*mapping, nodes, frame, vertices[k])).norm() < 1e-13);
        Mat3 sum = rate.origin, about = rate.turn - rate.origin * skew(frame.position);
        for (const NodeBlock& b : rate.nodes) {
          sum += b.block;
          about -= b.block * skew(nodes[b.node]);
          for (int axis = 0; axis < 3; ++axis) {
            const Vec3 found = slope([&](double step) {
              std::vector<Vec3> there = nodes;
              there[b.node][axis] += step;
              return place(*mapping, there, frame, vertices[k]);
            });
            worst = std::max(worst, (b.block.col(axis) - found).norm());
          }
        }
        for (int axis = 0; axis < 3; ++axis) {
          const Vec3 by_turn = slope([&](double step) {
            const Quat turned = exp_rotation(step * Vec3::Unit(axis)) * frame.rotation;
            return place(*mapping, nodes, {frame.position, turned}, vertices[k]);
          });
          worst = std::max(worst, (rate.turn.col(axis) - by_turn).norm());
        }
        worst_whole = std::max({worst_whole, (sum - Mat3::Identity()).norm(), (about + skew(rate.place)).norm()});
      }
      CHECK(worst < 1e-7);
      CHECK(worst_whole < 1e-11);
    }
  }
}

TEST_CASE("Vertices on bones go where their nodes take them, however these are turned inside out") {
  constexpr int kSteps = 2000;
  for (const Case& c : cases()) {
    if (c.settings.kind != MappingKind::skeleton) continue;
    const auto mapping = make_mapping(c.settings, skin(), c.truss).mapping;
    std::vector<std::uint32_t> vertices;
    for (std::uint32_t v = 0; v < mapping->vertex_count(); v += 7) vertices.push_back(v);
    double most = 0;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      reference::Dice dice(seed);
      const Quat whole(dice.attitude());
      const std::vector<Vec3> from = squeezed(c.truss, dice.uniform(0.3, 1), whole, dice),
                              to = squeezed(c.truss, dice.uniform(-1.2, -0.1), whole, dice);
      std::vector<Vec3> nodes(from.size()), before(vertices.size()), now(vertices.size());
      double way = 0;
      for (std::size_t i = 0; i < from.size(); ++i) way = std::max(way, (to[i] - from[i]).norm());
      for (int step = 0; step <= kSteps; ++step) {
        for (std::size_t i = 0; i < from.size(); ++i) nodes[i] = from[i] + step * (to[i] - from[i]) / kSteps;
        mapping->map_points(nodes, {Vec3(3, 1, -2), whole}, vertices, now);
        if (step > 0)
          for (std::size_t k = 0; k < now.size(); ++k)
            most = std::max(most, (now[k] - before[k]).norm() / way * kSteps);
        before.swap(now);
      }
    }
    INFO(c.name);
    CHECK(most < 10);
  }
}

}  // namespace mapping_rates_test
