#include "core/geometry/mapping/skeleton.h"
#include "tests/geometry/mapping_support.h"

namespace skeleton_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

/// An arm along y, two bones of 1 m that meet at the origin.
MappingSettings arm() {
  MappingSettings settings = of_kind(MappingKind::skeleton);
  Bone lower, upper;
  lower.id = 1;
  lower.head = Vec3(0, -1, 0);
  lower.tail = Vec3(0, 0, 0);
  lower.radius = 0.2;
  upper = lower;
  upper.id = 2;
  upper.parent = 1;
  upper.head = Vec3(0, 0, 0);
  upper.tail = Vec3(0, 1, 0);
  settings.bones = {lower, upper};
  return settings;
}

DisplayMesh arm_mesh() {
  Primitive p;
  p.shape = PrimitiveShape::cylinder;
  p.size = Vec3(0.4, 2, 0.4);
  p.divisions = {16, 40, 1};
  return make_primitive(p);
}

}  // namespace

TEST_CASE("Weights of bones sum to one, at most four, heaviest first, alike at one place") {
  const DisplayMesh mesh = arm_mesh();  // rims are split: vertices at one place
  MappingSettings settings = arm();
  settings.bones = bones_along_longest_axis(mesh.positions, 7);
  const auto weights = automatic_weights(settings.bones, mesh);
  std::size_t together = 0;
  for (std::size_t v = 0; v < weights.size(); ++v) {
    float sum = 0;
    for (int k = 0; k < 4; ++k) {
      sum += weights[v].weights[k];
      CHECK(weights[v].weights[k] >= 0);
      CHECK(weights[v].bones[k] < settings.bones.size());
      if (k > 0) CHECK(weights[v].weights[k] <= weights[v].weights[k - 1] + 1e-6f);
    }
    CHECK(sum == Approx(1).epsilon(3e-7));
    for (std::size_t w = 0; w < v; ++w)
      if (mesh.positions[v] == mesh.positions[w]) {
        ++together;
        CHECK(weights[v].weights == weights[w].weights);
        CHECK(weights[v].bones == weights[w].bones);
      }
  }
  CHECK(together > 10);
}

TEST_CASE("A bone on the other side of the surface does not pull") {
  // Two legs, the gap between them narrower than they are thick.
  DisplayMesh legs;
  for (double side : {-1.0, 1.0}) {
    DisplayMesh leg = arm_mesh();
    const auto first = static_cast<std::uint32_t>(legs.positions.size());
    for (const Vec3& p : leg.positions) legs.positions.push_back(p + Vec3(0.22 * side, 0, 0));
    legs.normals.insert(legs.normals.end(), leg.normals.begin(), leg.normals.end());
    for (const auto& f : leg.faces) legs.faces.push_back({f[0] + first, f[1] + first, f[2] + first});
  }
  std::vector<Bone> bones(2);
  for (std::uint32_t b = 0; b < 2; ++b) {
    bones[b].id = b + 1;
    bones[b].head = Vec3(b == 0 ? -0.22 : 0.22, -1, 0);
    bones[b].tail = bones[b].head + Vec3(0, 2, 0);
    bones[b].radius = 0.4;
  }
  const auto weights = automatic_weights(bones, legs);
  for (std::size_t v = 0; v < weights.size(); ++v) {
    if (std::abs(legs.positions[v].y()) > 0.9) continue;  // the lids look along the bones
    const std::uint16_t own = legs.positions[v].x() < 0 ? 0 : 1;
    CHECK(weights[v].bones[0] == own);
    CHECK(weights[v].weights[0] > 0.85f);
  }
}

TEST_CASE("Painted weights override, the other bones share what is left") {
  const DisplayMesh mesh = arm_mesh();
  MappingSettings settings = arm();
  settings.painted = {{1, 5, 0.25f}, {1, 9, 0.0f}, {2, 9, 0.0f}, {1, 12, 1.0f}, {2, 12, 1.0f}};
  const auto before = automatic_weights(settings.bones, mesh);
  const auto after = skeleton_weights(settings.bones, settings.painted, mesh);
  const auto weight = [&](const VertexBones& v, int bone) {
    float sum = 0;
    for (int k = 0; k < 4; ++k)
      if (v.bones[k] == bone) sum += v.weights[k];
    return sum;
  };
  CHECK(weight(after[5], 0) == Approx(0.25));
  CHECK(weight(after[5], 1) == Approx(0.75));
  CHECK(after[9].weights == before[9].weights);  // nothing left: as before
  CHECK(weight(after[12], 0) == Approx(0.5));
  CHECK(after[7].weights == before[7].weights);
}

TEST_CASE("The brush paints towards its target within its radius, in order, and no farther") {
  const DisplayMesh mesh = arm_mesh();
  MappingSettings settings = arm();
  WeightBrush brush;
  brush.centre = Vec3(0.2, 0.6, 0);
  brush.radius = 0.3;
  brush.strength = 1;
  brush.target = 1;
  settings.painted = {{2, 0, 0.5f}};
  const auto once = paint_weights(settings, mesh, 1, brush);
  CHECK(once.size() > 5);
  for (std::size_t k = 1; k < once.size(); ++k)
    CHECK((once[k - 1].vertex < once[k].vertex ||
           (once[k - 1].vertex == once[k].vertex && once[k - 1].bone < once[k].bone)));
  CHECK(std::count(once.begin(), once.end(), PaintedWeight{2, 0, 0.5f}) == 1);
  std::size_t full = 0;
  for (const PaintedWeight& p : once) {
    if (p.bone != 1) continue;
    const double d = (mesh.positions[p.vertex] - brush.centre).norm();
    CHECK(d < brush.radius);
    full += p.weight > 0.9f;
  }
  CHECK(full > 0);
  settings.painted = once;
  brush.target = 0;
  brush.strength = 0.5;
  const auto twice = paint_weights(settings, mesh, 1, brush);
  CHECK(twice.size() == once.size());  // the same vertices again
  for (std::size_t k = 0; k < twice.size(); ++k) CHECK(twice[k].weight <= once[k].weight);
  CHECK(paint_weights(settings, mesh, 99, brush) == once);
  brush.radius = 0;
  CHECK(paint_weights(settings, mesh, 1, brush) == once);
}

TEST_CASE("A chain of bones along the longest axis") {
  const DisplayMesh mesh = arm_mesh();
  const auto bones = bones_along_longest_axis(mesh.positions, 4);
  REQUIRE(bones.size() == 4);
  CHECK(bones.front().head.isApprox(Vec3(0, -1, 0), 1e-9));
  CHECK(bones.back().tail.isApprox(Vec3(0, 1, 0), 1e-9));
  for (std::size_t b = 0; b < bones.size(); ++b) {
    CHECK(bones[b].id == b + 1);
    CHECK(bones[b].parent == b);
    CHECK(bones[b].radius == Approx(0.2).margin(0.003));
    if (b > 0) CHECK(bones[b].head == bones[b - 1].tail);
  }
  CHECK(next_bone_id(bones) == 5);
  CHECK(bones_along_longest_axis({}, 3).size() == 1);
  MappingSettings settings;
  settings.bones = bones;
  settings.painted = {{2, 0, 1.0f}, {3, 0, 1.0f}};
  remove_bone(settings, 2);
  REQUIRE(settings.bones.size() == 3);
  CHECK(settings.bones[1].parent == 1);
  CHECK(settings.painted == std::vector<PaintedWeight>{{3, 0, 1.0f}});
  settings.bones[0].parent = 4;  // a loop 1 → 4 → 3 → 1
  CHECK(bone_parents(settings.bones) == std::vector<int>{-1, 0, 1});
}

TEST_CASE("Joints hold, and a twisted arm keeps its thickness") {
  const DisplayMesh mesh = arm_mesh();
  const Truss truss = tetrahedral_box({1, 8, 1}, Vec3(0.4, 2, 0.4));
  const SkeletonMapping mapping(arm(), mesh, truss);
  const Pose frame{Vec3::Zero(), Quat::Identity()};
  // Upper half turned about the arm: by 90° and by nearly the whole 180° at which a blend of matrices
  // collapses.
  for (double angle : {0.5 * kPi, 0.97 * kPi}) {
    std::vector<Vec3> nodes = truss.nodes;
    for (Vec3& p : nodes)
      p = Eigen::AngleAxisd(p.y() > 0.2 ? angle : p.y() < -0.2 ? 0.0 : 0.5 * angle, Vec3::UnitY()) * p;
    const auto bones = mapping.bone_motions(nodes, frame);
    CHECK((bones[0] * Vec3(0, 0, 0) - bones[1] * Vec3(0, 0, 0)).norm() < 1e-12);
    const auto now = points(mapping, nodes, frame);
    double thinnest = 1;
    for (std::size_t v = 0; v < now.size(); ++v)
      if (std::hypot(mesh.positions[v].x(), mesh.positions[v].z()) > 0.19)
        thinnest = std::min(thinnest, std::hypot(now[v].x(), now[v].z()));
    CAPTURE(angle);
    CHECK(thinnest > 0.195);  // of 0.2; a linear blend of the same bones leaves 0.17 and 0.06
  }
  // Bent: the joint still holds, and the ends go with their bones.
  std::vector<Vec3> nodes = truss.nodes;
  for (Vec3& p : nodes)
    if (p.y() > 0.1) p = Eigen::AngleAxisd(1.0, Vec3::UnitZ()) * p;
  const auto bones = mapping.bone_motions(nodes, frame);
  CHECK((bones[0] * Vec3(0, 0, 0) - bones[1] * Vec3(0, 0, 0)).norm() < 1e-12);
  const Quat between = bones[0].rotation.conjugate() * bones[1].rotation;
  CHECK(2 * std::acos(std::min(1.0, std::abs(between.w()))) == Approx(1.0).margin(0.15));
}

TEST_CASE("A bone has the attitude of the four nodes nearest to it, however short its reach is") {
  MappingSettings settings = arm();
  for (Bone& bone : settings.bones) bone.radius = 0.01;
  const Truss truss = tetrahedral_box({1, 8, 1}, Vec3(0.4, 2, 0.4));
  const SkeletonMapping mapping(settings, arm_mesh(), truss);
  std::vector<Vec3> nodes = truss.nodes;
  const Quat turn(Eigen::AngleAxisd(1.0, Vec3(1, 2, -1).normalized()));
  for (Vec3& p : nodes) p = turn * p;
  // The frame has stayed behind: it would say how a bone stands that follows one node.
  for (const Pose& bone : mapping.bone_motions(nodes, {Vec3::Zero(), Quat::Identity()}))
    CHECK(bone.rotation.angularDistance(turn) < 0.01);
}

TEST_CASE("Bones whose nodes are pressed flat are flat, those turned inside out are their mirror image") {
  const Truss truss = tetrahedral_box({1, 8, 1}, Vec3(0.4, 2, 0.4));
  const DisplayMesh mesh = arm_mesh();
  const SkeletonMapping mapping(arm(), mesh, truss);
  const Pose frame{Vec3::Zero(), Quat::Identity()};
  Executor executor(1);
  for (const double thin : {1.0, 0.3, 0.0, -1.0}) {
    std::vector<Vec3> nodes = truss.nodes;
    for (Vec3& p : nodes) p.z() *= thin;
    const auto now = points(mapping, nodes, frame);
    std::vector<Vec3f> seen(mesh.positions.size()), normals(seen.size());
    mapping.map_vertices(nodes, frame, seen, normals, executor);
    for (std::size_t v = 0; v < now.size(); ++v) {
      const Vec3& x = mesh.positions[v];
      const double kept = thin > 0.2 ? 1 : thin;
      CHECK((now[v] - Vec3(x.x(), x.y(), kept * x.z())).norm() < (thin == 0 ? 0.05 : 0.01));
      CHECK((seen[v].cast<double>() - now[v]).norm() < 1e-6);
      CHECK(normals[v].norm() == Approx(1).epsilon(1e-5));
    }
  }
}

TEST_CASE("A vertex says which bones and nodes drive it") {
  const DisplayMesh mesh = arm_mesh();
  const Truss truss = tetrahedral_box({1, 8, 1}, Vec3(0.4, 2, 0.4));
  const SkeletonMapping mapping(arm(), mesh, truss);
  std::vector<float> first(mesh.positions.size()), second(first), node(first);
  mapping.bone_heat(1, first);
  mapping.bone_heat(2, second);
  mapping.node_heat(0, node);
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    const DriverInfo info = mapping.drivers(v);
    double bones = 0, nodes = 0, zero = 0;
    for (const BoneWeight& b : info.bones) {
      bones += b.weight;
      CHECK(static_cast<float>(b.weight) == (b.bone == 1 ? first[v] : second[v]));
    }
    for (const NodeWeight& w : info.nodes) {
      nodes += w.weight;
      if (w.node == 0) zero = w.weight;
    }
    CHECK(bones == Approx(1).epsilon(1e-7));
    CHECK(nodes == Approx(1).epsilon(1e-7));
    CHECK(zero == Approx(static_cast<double>(node[v])).margin(8e-9));
  }
}

}  // namespace skeleton_test
