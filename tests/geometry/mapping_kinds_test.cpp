#include "core/geometry/mapping/embedding.h"
#include "core/geometry/mapping/lattice.h"
#include "core/geometry/mapping/skeleton.h"
#include "core/geometry/mesh/mass_properties.h"
#include "tests/geometry/mapping_support.h"

namespace mapping_kinds_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

const MappingKind kAll[] = {MappingKind::linear, MappingKind::embedding, MappingKind::lattice, MappingKind::skeleton};

MappingSettings settings_for(MappingKind kind, const Truss& truss) {
  MappingSettings settings = of_kind(kind);
  settings.bones = bones_along_longest_axis(truss.nodes, 3);
  return settings;
}

/// Every vertex of a sphere with two neighbours a step h along its tangents: vertices 3v, 3v + 1, 3v + 2.
constexpr double kStep = 1e-5;
DisplayMesh with_tangents(const DisplayMesh& mesh) {
  DisplayMesh out;
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    const Vec3 n = mesh.normals[v];
    const Vec3 t = n.unitOrthogonal(), u = n.cross(t);
    for (const Vec3& step : {Vec3(Vec3::Zero()), t, u}) {
      out.positions.push_back(mesh.positions[v] + kStep * step);
      out.normals.push_back(n);
    }
  }
  return out;
}

/// Greatest angle between a mapped normal and the cross product of mapped tangents.
double worst_normal_angle(const Mapping& mapping, const std::vector<Vec3>& nodes, const Pose& frame) {
  const auto p = points(mapping, nodes, frame);
  const Mapped m = mapped(mapping, nodes, frame);
  double worst = 0;
  for (std::size_t v = 0; v < p.size(); v += 3) {
    const Vec3 n = (p[v + 1] - p[v]).cross(p[v + 2] - p[v]).normalized();
    worst = std::max(worst, std::acos(std::clamp(n.dot(m.normals[v].cast<double>()), -1.0, 1.0)));
  }
  return worst;
}

}  // namespace

TEST_CASE("Every kind of mapping leaves the display model alone at rest and moves it rigidly with its nodes") {
  const DisplayMesh mesh = sphere_mesh(Vec3(0.9, 1.6, 0.8));
  const Truss truss = tetrahedral_box({2, 3, 2}, Vec3(1, 2, 1));
  const Quat turn(Eigen::AngleAxisd(2.1, Vec3(1, 2, -0.5).normalized()));
  const Vec3 shift(3, -1, 20);
  const Vec3 origin = reference_origin(truss);
  for (MappingKind kind : kAll) {
    CAPTURE(static_cast<int>(kind));
    const auto mapping = make_mapping(settings_for(kind, truss), mesh, truss).mapping;
    REQUIRE(mapping);
    CHECK(mapping->kind() == kind);
    CHECK(mapping->vertex_count() == mesh.positions.size());
    const Mapped rest = mapped(*mapping, truss.nodes, {origin, Quat::Identity()});
    const auto nodes = moved(truss, turn.toRotationMatrix(), shift);
    const Pose frame{shift + turn * origin, turn};
    const Mapped rigid = mapped(*mapping, nodes, frame);
    const auto exact = points(*mapping, nodes, frame);
    double at_rest = 0, worst = 0, worst_exact = 0, worst_normal = 0;
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
      const Vec3 expected = shift + turn * mesh.positions[v];
      at_rest = std::max(at_rest, (rest.positions[v].cast<double>() - mesh.positions[v]).norm());
      worst = std::max(worst, (rigid.positions[v].cast<double>() - expected).norm());
      worst_exact = std::max(worst_exact, (exact[v] - expected).norm());
      worst_normal = std::max(worst_normal, (rigid.normals[v].cast<double>() - turn * mesh.normals[v]).norm());
    }
    CHECK(at_rest < 3e-7);
    CHECK(worst < 3e-6);  // float at 20 m
    CHECK(worst_exact < 1e-9);
    CHECK(worst_normal < 1e-6);
  }
}

TEST_CASE("Embedding and lattice reproduce affine motions, outside of the cells too; volumes follow by det F") {
  // Wider than the truss along x: some vertices lie outside of all tetrahedra.
  const DisplayMesh mesh = sphere_mesh(Vec3(1.3, 1.6, 0.8));
  const Truss truss = tetrahedral_box({2, 3, 2}, Vec3(1, 2, 1));
  Mat3 f;
  f << 1.3, 0.2, 0, -0.2, 0.7, 0.1, 0.3, 0, 1.1;
  const Vec3 shift(1, 2, 3);
  const auto nodes = moved(truss, f, shift);
  const Pose frame{shift + f * reference_origin(truss), Quat(Eigen::AngleAxisd(0.3, Vec3::UnitZ()))};
  const Mat3 normal = f.inverse().transpose();
  for (MappingKind kind : {MappingKind::embedding, MappingKind::lattice})
    for (int degree : {1, 3, 5}) {
      CAPTURE(static_cast<int>(kind), degree);
      MappingSettings settings = of_kind(kind);
      settings.lattice = {degree, degree, degree};
      const auto mapping = make_mapping(settings, mesh, truss).mapping;
      const Mapped m = mapped(*mapping, nodes, frame);
      const auto exact = points(*mapping, nodes, frame);
      double worst = 0, worst_exact = 0, worst_normal = 0;
      std::vector<Vec3> positions;
      for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
        const Vec3 expected = shift + f * mesh.positions[v];
        worst = std::max(worst, (m.positions[v].cast<double>() - expected).norm());
        worst_exact = std::max(worst_exact, (exact[v] - expected).norm());
        worst_normal =
            std::max(worst_normal, (m.normals[v].cast<double>() - (normal * mesh.normals[v]).normalized()).norm());
        positions.push_back(exact[v]);
      }
      CHECK(worst < 7e-7);
      CHECK(worst_exact < 1.5e-8);
      CHECK(worst_normal < 6e-7);
      CHECK(mesh_volume(positions, mesh.faces) / mesh_volume(mesh.positions, mesh.faces) ==
            Approx(f.determinant()).epsilon(3e-8));
    }
  const EmbeddingMapping embedding(mesh, truss);
  double farthest = 0;
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) farthest = std::max(farthest, embedding.outside(v));
  CHECK(farthest == Approx(0.15).margin(0.01));  // half of 1.3 − 1: the test above did look outside
}

TEST_CASE("Weights are a partition of unity and say how the vertex answers to each node") {
  const DisplayMesh mesh = sphere_mesh(Vec3(1.2, 1.6, 0.8), 8);
  const Truss truss = tetrahedral_box({1, 2, 1}, Vec3(1, 2, 1));
  const Pose frame{reference_origin(truss), Quat::Identity()};
  for (MappingKind kind : {MappingKind::linear, MappingKind::embedding, MappingKind::lattice}) {
    CAPTURE(static_cast<int>(kind));
    const auto mapping = make_mapping(settings_for(kind, truss), mesh, truss).mapping;
    const auto rest = points(*mapping, truss.nodes, frame);
    std::vector<std::vector<double>> weight(truss.nodes.size(), std::vector<double>(mesh.positions.size(), 0.0));
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
      const DriverInfo info = mapping->drivers(v);
      double sum = 0;
      for (const NodeWeight& w : info.nodes) weight[w.node][v] += w.weight, sum += w.weight;
      if (kind == MappingKind::embedding) CHECK(sum == Approx(1).epsilon(1e-9));
      const auto shares = node_shares(info, 100);
      double total = 0;
      for (const NodeWeight& s : shares) total += s.weight;
      CHECK(total == Approx(1));
    }
    for (std::uint32_t node = 0; node < truss.nodes.size(); ++node) {
      auto nodes = truss.nodes;
      nodes[node] += Vec3(0.01, -0.02, 0.03);
      const auto after = points(*mapping, nodes, frame);
      std::vector<float> heat(mesh.positions.size());
      mapping->node_heat(node, heat);
      double worst = 0, worst_heat = 0;
      for (std::size_t v = 0; v < after.size(); ++v) {
        worst = std::max(worst, (after[v] - rest[v] - weight[node][v] * Vec3(0.01, -0.02, 0.03)).norm());
        worst_heat = std::max(worst_heat, std::abs(weight[node][v] - static_cast<double>(heat[v])));
      }
      CHECK(worst < 1e-9);
      CHECK(worst_heat < 8e-8);
    }
  }
}

TEST_CASE("No vertex is farther out than drivers() says") {
  const DisplayMesh mesh = sphere_mesh(Vec3(1.4, 2.4, 1.2), 8);
  const Truss truss = tetrahedral_box({2, 3, 2}, Vec3(1, 2, 1));
  std::vector<Vec3> nodes;
  for (const Vec3& p : truss.nodes) nodes.push_back(1.4 * bend(1.5 * p));
  Vec3 middle = Vec3::Zero();
  for (std::size_t i = 0; i < nodes.size(); ++i) middle += truss.masses[i] * nodes[i];
  double farthest = 0;
  for (const Vec3& p : nodes) farthest = std::max(farthest, (p - middle).norm());
  for (MappingKind kind : kAll) {
    CAPTURE(static_cast<int>(kind));
    const auto mapping = make_mapping(settings_for(kind, truss), mesh, truss).mapping;
    const auto now = points(*mapping, nodes, {middle, Quat::Identity()});
    for (std::size_t v = 0; v < now.size(); ++v) {
      const DriverInfo info = mapping->drivers(v);
      double gain = 0;
      for (const NodeWeight& w : info.nodes) gain += std::abs(w.weight);
      CHECK((now[v] - middle).norm() <= gain * farthest + info.offset + 1e-9);
    }
  }
}

TEST_CASE("Points for contact are those of the frame, and the ones near a plane are among the hits") {
  const DisplayMesh mesh = sphere_mesh(Vec3(1.3, 1.6, 0.8));
  const Truss truss = tetrahedral_box({2, 3, 2}, Vec3(1, 2, 1));
  std::vector<Vec3> nodes;
  for (const Vec3& p : truss.nodes) nodes.push_back(bend(p));
  const Pose frame{Vec3(0.02, 0.01, 0), Quat::Identity()};
  const Vec3 n = Vec3(0.3, 1, -0.2).normalized();
  const double level = -0.5, slack = 0.05;
  std::vector<std::uint32_t> all;
  for (std::uint32_t v = 0; v < mesh.positions.size(); ++v) all.push_back(v);
  for (MappingKind kind : kAll) {
    CAPTURE(static_cast<int>(kind));
    const auto mapping = make_mapping(settings_for(kind, truss), mesh, truss).mapping;
    const Mapped m = mapped(*mapping, nodes, frame);
    const auto exact = points(*mapping, nodes, frame);
    std::vector<Vec3> near(all.size());
    std::vector<std::size_t> hits;
    mapping->map_points_below(nodes, frame, all, n, level, slack, near, hits);
    std::size_t next = 0, low = 0;
    for (std::size_t v = 0; v < exact.size(); ++v) {
      CHECK((m.positions[v].cast<double>() - exact[v]).norm() < 6e-7);
      const bool hit = next < hits.size() && hits[next] == v;
      if (hit) {
        CHECK(near[v] == exact[v]);
        ++next;
      }
      if (n.dot(exact[v]) - level <= slack) {
        CHECK(hit);
        ++low;
      }
    }
    CHECK(low > 0);
    CHECK(low < exact.size());
  }
}

TEST_CASE("Normals agree with the deformed surface") {
  const DisplayMesh mesh = with_tangents(sphere_mesh(Vec3(0.9, 1.6, 0.8), 24));
  const Truss truss = tetrahedral_box({4, 8, 4}, Vec3(1, 2, 1));
  std::vector<Vec3> nodes;
  for (const Vec3& p : truss.nodes) nodes.push_back(bend(p));
  const Pose frame{bend(reference_origin(truss)), Quat::Identity()};
  CHECK(worst_normal_angle(LatticeMapping({3, 3, 3}, mesh, truss), nodes, frame) < 1e-3);  // float: 5e-4
  // One plane per cell of 0.25 m, which the smoothed normals cut across.
  CHECK(worst_normal_angle(EmbeddingMapping(mesh, truss), nodes, frame) < 0.2);
  // Skinning turns normals with the blend and leaves out that the blend itself changes along the surface.
  MappingSettings settings = of_kind(MappingKind::skeleton);
  settings.bones = bones_along_longest_axis(truss.nodes, 3);
  CHECK(worst_normal_angle(SkeletonMapping(settings, mesh, truss), nodes, frame) < 0.08);
}

TEST_CASE("A lattice of higher degree follows the nodes closer") {
  const Truss truss = tetrahedral_box({3, 6, 3}, Vec3(1, 2, 1));
  DisplayMesh mesh;  // the display vertices are the nodes
  mesh.positions = truss.nodes;
  mesh.normals.assign(truss.nodes.size(), Vec3::UnitY());
  std::vector<Vec3> nodes;
  for (const Vec3& p : truss.nodes) nodes.push_back(bend(p));
  const Pose frame{Vec3::Zero(), Quat::Identity()};
  double before = 1e300;
  for (int degree : {1, 2, 3, 4}) {
    const auto now = points(LatticeMapping({degree, degree, degree}, mesh, truss), nodes, frame);
    double miss = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) miss = std::max(miss, (now[i] - nodes[i]).norm());
    CAPTURE(degree, miss);
    CHECK(miss < 0.7 * before);
    before = miss;
  }
  CHECK(before < 4e-4);
}

TEST_CASE("Mappings of degenerate models give finite numbers") {
  const DisplayMesh mesh = sphere_mesh(Vec3(1, 1, 1), 8);
  DisplayMesh no_normals = mesh;
  no_normals.normals.clear();
  std::vector<std::pair<const char*, Truss>> trusses;
  const auto add = [&](const char* name, std::vector<Vec3> nodes) {
    Truss t;
    t.nodes = std::move(nodes);
    t.masses.assign(t.nodes.size(), 1.0 / static_cast<double>(t.nodes.size()));
    trusses.emplace_back(name, t);
    return &trusses.back().second;
  };
  add("one node", {{0.1, 0.2, 0.3}});
  add("two nodes", {{0, -0.5, 0}, {0, 0.5, 0}});
  add("all nodes at one place", {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}})->tetrahedra = {{0, 1, 2, 3}};
  Truss* flat = add("flat", {{-1, 0, -1}, {1, 0, -1}, {1, 0, 1}, {-1, 0, 1}});
  flat->hull = {{0, 2, 1}, {0, 3, 2}};
  flat->tetrahedra = {{0, 1, 2, 3}};
  add("a hull without area", {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}})->hull = {{0, 1, 2}};
  add("one tetrahedron, far away", {{50, 0, 0}, {51, 0, 0}, {50, 1, 0}, {50, 0, 1}})->tetrahedra = {{0, 1, 2, 3}};
  for (const auto& [name, truss] : trusses)
    for (MappingKind kind : {MappingKind::automatic, MappingKind::linear, MappingKind::embedding, MappingKind::lattice,
                             MappingKind::skeleton})
      for (int bones : {0, 1, 2}) {
        CAPTURE(name, static_cast<int>(kind), bones);
        MappingSettings settings = of_kind(kind);
        for (int b = 0; b < bones; ++b) {  // without length; the second its own grandparent
          Bone bone;
          bone.id = static_cast<std::uint32_t>(b + 1);
          bone.parent = static_cast<std::uint32_t>(2 - b);
          bone.tail = bone.head;
          bone.radius = b;
          settings.bones.push_back(bone);
        }
        settings.painted = {{1, 0, 0.0f}, {1, 3, 1.0f}, {7, 2, 1.0f}, {1, 100000, 1.0f}};
        const MadeMapping made = make_mapping(settings, bones == 1 ? no_normals : mesh, truss);
        if (!made.mapping) continue;
        std::vector<Vec3> nodes = truss.nodes;
        for (int step = 0; step < 3; ++step) {
          const Pose frame{reference_origin(truss), Quat::Identity()};
          for (const Vec3& p : points(*made.mapping, nodes, frame)) CHECK(p.allFinite());
          const Mapped m = mapped(*made.mapping, nodes, frame);
          for (const Vec3f& p : m.positions) CHECK(p.allFinite());
          for (const Vec3f& n : m.normals) {
            CHECK(n.allFinite());
            CHECK(n.norm() == Approx(1).epsilon(4e-7));
          }
          for (std::size_t v = 0; v < m.positions.size(); v += 7) {
            const DriverInfo info = made.mapping->drivers(v);
            CHECK(std::isfinite(info.offset));
            for (const NodeWeight& w : info.nodes) CHECK(std::isfinite(w.weight));
          }
          // Then every node in one place, then inside out.
          for (Vec3& p : nodes) p = step == 0 ? Vec3(0, 1, 0) : Vec3(0, 1, 0);
          if (step == 1)
            for (std::size_t i = 0; i < nodes.size(); ++i) nodes[i] = -truss.nodes[i];
        }
      }
  CHECK_FALSE(make_mapping({}, DisplayMesh(), trusses[0].second).mapping);
  CHECK_FALSE(make_mapping({}, mesh, Truss()).mapping);
  CHECK_FALSE(make_mapping({}, mesh, trusses[0].second).mapping);  // linear without hull: goes with the body frame
}

TEST_CASE(
    "Automatic is embedding with tetrahedra and linear without; what cannot be made says what is used "
    "instead") {
  const DisplayMesh mesh = sphere_mesh(Vec3(1, 1, 1), 8);
  const Truss tetrahedral = tetrahedral_box({1, 1, 1}, Vec3(1, 1, 1));
  Truss plain = tetrahedral;
  plain.tetrahedra.clear();
  CHECK(make_mapping({}, mesh, tetrahedral).mapping->kind() == MappingKind::embedding);
  CHECK(make_mapping({}, mesh, plain).mapping->kind() == MappingKind::linear);
  CHECK(make_mapping({}, mesh, plain).note.empty());
  const MadeMapping embedding = make_mapping(of_kind(MappingKind::embedding), mesh, plain);
  CHECK(embedding.mapping->kind() == MappingKind::linear);
  CHECK(embedding.note.find("tetrahedra") != std::string::npos);
  const MadeMapping skeleton = make_mapping(of_kind(MappingKind::skeleton), mesh, plain);
  CHECK(skeleton.mapping->kind() == MappingKind::linear);
  CHECK(skeleton.note.find("bones") != std::string::npos);
}

TEST_CASE("The key of a mapping changes with what it reads and with nothing else") {
  const DisplayMesh mesh = sphere_mesh(Vec3(1, 1, 1), 8);
  const Truss truss = tetrahedral_box({1, 1, 1}, Vec3(1, 1, 1));
  MappingSettings settings = settings_for(MappingKind::linear, truss);
  const std::uint64_t key = mapping_key(settings, mesh, truss);
  settings.lattice = {5, 5, 5};
  settings.bones.pop_back();
  CHECK(mapping_key(settings, mesh, truss) == key);
  Truss stiffer = truss;
  for (Spring& s : stiffer.springs) s.stiffness *= 2;
  CHECK(mapping_key(settings, mesh, stiffer) == key);
  stiffer.nodes[0].x() += 1e-9;
  CHECK(mapping_key(settings, mesh, stiffer) != key);
  settings.kind = MappingKind::lattice;
  const std::uint64_t lattice = mapping_key(settings, mesh, truss);
  CHECK(lattice != key);
  settings.lattice = {5, 5, 4};
  CHECK(mapping_key(settings, mesh, truss) != lattice);
  settings.kind = MappingKind::skeleton;
  const std::uint64_t skeleton = mapping_key(settings, mesh, truss);
  settings.bones[0].name = "Tail";
  CHECK(mapping_key(settings, mesh, truss) == skeleton);
  settings.painted.push_back({1, 2, 0.5f});
  CHECK(mapping_key(settings, mesh, truss) != skeleton);
}

TEST_CASE("Every kind of mapping gives the same bits on one and on several threads", "[threads]") {
  const DisplayMesh mesh = sphere_mesh(Vec3(1.3, 1.6, 0.8), 150);
  const Truss truss = tetrahedral_box({4, 4, 4}, Vec3(1, 2, 1));
  std::vector<Vec3> nodes;
  for (const Vec3& p : truss.nodes) nodes.push_back(bend(p));
  for (MappingKind kind : kAll) {
    CAPTURE(static_cast<int>(kind));
    const auto mapping = make_mapping(settings_for(kind, truss), mesh, truss).mapping;
    const Pose frame{reference_origin(truss), Quat::Identity()};
    const Mapped a = mapped(*mapping, nodes, frame, 1), b = mapped(*mapping, nodes, frame, 2);
    CHECK(a.positions == b.positions);
    CHECK(a.normals == b.normals);
  }
}

}  // namespace mapping_kinds_test
