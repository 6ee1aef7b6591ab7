#include <algorithm>
#include <map>
#include <set>

#include "core/scene/derived/joined.h"
#include "core/scene/derived/joint_faults.h"
#include "core/scene/derived/tracks.h"

namespace hazumi {

namespace {

constexpr double kApart = 1e-6;  // m, and rad: anchors that go by no more stay together

/// What is held fast, by fixed joints, to one thing that physics does not move: that is its anchor. Id 0: the world, and what stands in it.
class ConflictFinder {
 public:
  explicit ConflictFinder(const Scene& scene) : scene_(scene) {
    for (const FaultyJoint& fault : joint_faults(scene)) faulty_.insert(fault.joint);
    for (LedTracks& led : led_objects(scene)) led_.emplace(led.object.value, std::move(led));
    for (const auto& object : scene.objects) objects_.emplace(object->id.value, object.get());
  }

  std::vector<JointConflict> all() {
    std::vector<JointConflict> found;
    for (std::size_t i = 0; i < scene_.joints.size(); ++i) {
      const Joint& joint = *scene_.joints[i];
      if (!holds_fast(joint)) continue;
      const std::uint64_t a = group_of(joint.a.object), b = group_of(joint.b.object);
      if (a == b) continue;
      const auto at_a = anchor_.find(a), at_b = anchor_.find(b);
      if (at_a == anchor_.end() || at_b == anchor_.end() || !go_apart(at_a->second, at_b->second)) {
        join(a, b);
        continue;
      }
      if (!told_.insert(std::minmax(a, b)).second) continue;
      // Of its ends that one is told which physics moves.
      const bool second = moves_alone(joint.b.object);
      const std::uint64_t body = second ? joint.b.object : joint.a.object;
      const std::uint64_t to = second ? at_a->second : at_b->second, other = second ? at_b->second : at_a->second;
      found.push_back({joint.id, "joints[" + std::to_string(i) + "] \"" + joint.name + "\" kind",
                       joint.name + " holds " + name(body) + " fast to " + name(to) + ", which goes away from " +
                           name(other) + ", to which it is held fast too; they cannot both hold.",
                       "Delete one of the two, let one go by keys of On, or let it break at a force."});
    }
    return found;
  }

 private:
  bool holds_fast(const Joint& joint) const {
    return joint.kind == JointKind::fixed && joint.on && joint.break_force == 0 && !faulty_.count(joint.id) &&
           !find_track(scene_, joint.id.value, "on");
  }
  /// Physics alone: keys lead it at no time.
  bool moves_alone(std::uint64_t id) const {
    const auto at = objects_.find(id);
    return at != objects_.end() && body_kind(at->second->body.kind).moves && !led_.count(id);
  }
  std::string name(std::uint64_t id) const { return id == 0 ? "the world" : objects_.at(id)->name; }

  /// The group that an object is in, by a member of it. What stands is the world; what keys lead at times alone belongs to nobody.
  std::uint64_t group_of(std::uint64_t id) {
    const auto led = led_.find(id);
    const auto object = objects_.find(id);
    if (id == 0 || (object != objects_.end() && !body_kind(object->second->body.kind).moves && led == led_.end())) {
      anchor_.emplace(0, 0);
      return root(0);
    }
    if (led != led_.end() && !led->second.led && objects_.at(id)->body.led && !led->second.looks_at)
      anchor_.emplace(root(id), id);
    return root(id);
  }
  std::uint64_t root(std::uint64_t id) const {
    for (auto at = above_.find(id); at != above_.end(); at = above_.find(id)) id = at->second;
    return id;
  }
  void join(std::uint64_t a, std::uint64_t b) {
    above_[b] = a;
    if (const auto at = anchor_.find(b); at != anchor_.end()) anchor_.emplace(a, at->second);
  }

  Pose pose(std::uint64_t id, double time) const {
    return id == 0 ? Pose() : led_pose(led_.at(id), *objects_.at(id), time);
  }
  bool go_apart(std::uint64_t a, std::uint64_t b) const {
    if (a == b) return false;
    const auto between = [&](int frame) {
      const double time = frame / scene_.settings.frame_rate;
      const Pose x = pose(a, time), y = pose(b, time);
      return Pose{x.rotation.conjugate() * (y.position - x.position), x.rotation.conjugate() * y.rotation};
    };
    const Pose first = between(0);
    for (int frame = 1; frame <= scene_.settings.last_frame; ++frame) {
      const Pose now = between(frame);
      if ((now.position - first.position).norm() > kApart || now.rotation.angularDistance(first.rotation) > kApart)
        return true;
    }
    return false;
  }

  const Scene& scene_;
  std::set<Id> faulty_;
  std::map<std::uint64_t, LedTracks> led_;
  std::map<std::uint64_t, const Object*> objects_;
  std::map<std::uint64_t, std::uint64_t> above_;            ///< of a member another one, towards the root of its group
  std::set<std::pair<std::uint64_t, std::uint64_t>> told_;  ///< groups that go apart, once each
  std::map<std::uint64_t, std::uint64_t> anchor_;           ///< of groups that have one, by root
};

}  // namespace

std::vector<JointConflict> joint_conflicts(const Scene& scene) {
  const auto holds = [](const auto& joint) { return joint->kind == JointKind::fixed; };
  if (scene.tracks.empty() || std::count_if(scene.joints.begin(), scene.joints.end(), holds) < 2) return {};
  return ConflictFinder(scene).all();
}

}  // namespace hazumi
