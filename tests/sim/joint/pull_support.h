// Bodies that a hand pulls, and the work that it does.
#pragma once

#include <algorithm>

#include "core/scene/derived/tracks.h"
#include "tests/sim/joint/joint_support.h"

namespace hazumi::test {

/// A world in which places of bodies are pulled to keys.
struct PulledWorld : JointWorld {
  /// By `place`, which its target begins at.
  Id pull(Id body, const Vec3& place, double rate = 4, double most = 0) {
    return joined(JointKind::pull, body, Id{}, place, Quat::Identity(), [&](Joint& joint) {
      joint.pull_rate = rate;
      joint.pull_most = most;
    });
  }
  /// Keys as those of a hand: one after the other, on straight lines.
  void go(Id pull, double time, const Vec3& place) {
    scene = with_key(std::move(scene), pull.value, "b.place", time, place);
    for (auto& track : scene.tracks)
      if (track->target == pull.value && track->field == "b.place")
        track = track.edited([](Track& t) {
          for (Key& key : t.keys) key.shape = KeyShape::linear;
        });
  }
  void turn(Id pull, double time, bool on) { scene = with_key(std::move(scene), pull.value, "on", time, on); }
};

struct PulledRun : JointRun {
  using JointRun::JointRun;
  double work = 0;  ///< J, of pulls
  StepReport step() {
    StepReport report = JointRun::step();
    work += report.joint_figures.pulls;
    return report;
  }
  void steps(int count) {
    for (int k = 0; k < count; ++k) {
      const StepReport report = step();
      if (!report.ok) FAIL(to_string(*report.failure));
    }
  }
  void seconds(double time) { steps(static_cast<int>(time / model->step + 0.5)); }
  /// Where the first pull holds.
  Vec3 held() const {
    const auto at = std::find_if(model->joints.begin(), model->joints.end(),
                                 [](const ModelJoint& j) { return j.kind == JointKind::pull; });
    return place(at->a, at->place_a, at->nodes_a);
  }
};

/// The corners of a box as nodes, every two joined, of which these are pins.
inline Object on_pins(Object box, const std::vector<std::uint32_t>& pins) {
  StrungTruss truss;
  for (std::uint32_t i = 0; i < 8; ++i) {
    const Vec3 corner(i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, i & 4 ? 0.5 : -0.5);
    truss.nodes.push_back(
        {corner.cwiseProduct(box.display.primitive.size), 1, std::find(pins.begin(), pins.end(), i) != pins.end()});
  }
  for (std::uint32_t i = 0; i < 8; ++i)
    for (std::uint32_t j = i + 1; j < 8; ++j) truss.springs.push_back({i, j, 1, 1, 1});
  box.analysis = {"Box",        AnalysisKind::strung, {1, 1, 1},
                  Vec3::Ones(), Vec3::Zero(),         std::make_shared<const StrungTruss>(truss)};
  return box;
}

/// A body that has room to move: of each kind that can be pulled, and where it is taken hold of.
struct Pulled {
  std::string what;
  Object object;
  Vec3 place;
};
inline std::vector<Pulled> pulled_bodies(double mass = 2) {
  std::vector<Pulled> all;
  const Vec3 at(0.1, 2, -0.2);
  Object box = World::box(Vec3(0.5, 0.3, 0.4), at, mass);
  all.push_back({"rigid, by its middle", box, at});
  all.push_back({"rigid, by a corner", box, Vec3(at + Vec3(0.25, 0.15, 0.2))});
  Object point = World::sphere(0.1, at, mass);
  point.body.kind = BodyKind::point;
  all.push_back({"point", point, at});
  Object soft = World::jelly(0.3, at, 2000 * mass, mass);
  MeshStore meshes;
  const Truss truss = object_truss(soft, *meshes.mesh(soft));
  all.push_back({"flexible, by a node", soft, Vec3(at + truss.nodes[3])});
  all.push_back(
      {"flexible, between nodes", soft, Vec3(at + 0.25 * (truss.nodes[3] + truss.nodes[4]) + 0.5 * truss.nodes[5])});
  Object hangs = on_pins(box, {0});
  hangs.body.kind = BodyKind::flexible;
  hangs.body.stiffness = 1000 * mass;
  all.push_back({"flexible, on a pin", hangs, Vec3(at + Vec3(0.25, 0.15, 0.2))});
  all.push_back({"on a pin", on_pins(box, {0}), Vec3(at + Vec3(0.25, -0.15, 0.2))});
  all.push_back({"on two pins", on_pins(box, {0, 1}), Vec3(at + Vec3(0.25, -0.15, 0.2))});
  for (Pulled& one : all) one.object.contact.enabled = false;
  return all;
}

}  // namespace hazumi::test
