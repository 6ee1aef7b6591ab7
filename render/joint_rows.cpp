#include "render/joint_rows.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>

#include "core/scene/derived/joined.h"

namespace hazumi {

namespace {

constexpr std::size_t kFewestInRow = 10;

struct PlacedJoint {
  const Joint* joint;
  Vec3 place;
};

}  // namespace

std::map<Id, JointInRow> joints_in_rows(const Scene& scene) {
  std::map<Id, JointInRow> found;
  if (scene.joints.size() < kFewestInRow) return found;
  std::set<std::uint64_t> still = {0};  // hooks in one wall are no row
  for (const auto& object : scene.objects)
    if (!can_move(object->body)) still.insert(object->id.value);
  std::vector<PlacedJoint> placed;
  std::map<std::pair<std::uint64_t, JointKind>, std::vector<std::size_t>> on;  // what moves, and the joints on it
  for (const auto& joint : scene.joints) {
    if (joint->kind == JointKind::gear || has_target(joint->kind)) continue;
    const auto places = joint_places(scene, *joint);
    if (!places) continue;
    for (const std::uint64_t object : {joint->a.object, second_object(*joint)})
      if (!still.contains(object)) on[{object, joint->kind}].push_back(placed.size());
    placed.push_back({&*joint, places->a});
  }
  std::vector<std::size_t> root(placed.size()), size(placed.size(), 0);
  std::iota(root.begin(), root.end(), std::size_t{0});
  const auto find = [&](std::size_t i) {
    while (root[i] != i) i = root[i] = root[root[i]];
    return i;
  };
  for (const auto& [object, joints] : on)
    for (const std::size_t i : joints) root[find(i)] = find(joints.front());
  for (std::size_t i = 0; i < root.size(); ++i) ++size[find(i)];
  for (const auto& [object, joints] : on)
    for (const std::size_t i : joints) {
      if (size[find(i)] < kFewestInRow) continue;
      const JointInRow fresh{find(i), std::numeric_limits<double>::infinity()};
      double& apart = found.try_emplace(placed[i].joint->id, fresh).first->second.apart;
      for (const std::size_t j : joints)
        if (j != i) apart = std::min(apart, (placed[i].place - placed[j].place).norm());
    }
  return found;
}

}  // namespace hazumi
