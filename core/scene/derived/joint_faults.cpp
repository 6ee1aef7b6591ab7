#include "core/scene/derived/joint_faults.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <optional>
#include <set>

#include "core/scene/derived/family.h"
#include "core/scene/derived/joined.h"
#include "core/scene/derived/joint_tracks.h"

namespace hazumi {

namespace {

constexpr double kLeastLength = 1e-9;  // m: shorter has no direction
constexpr double kAlways = -1e300;     // s

class FaultFinder {
 public:
  explicit FaultFinder(const Scene& scene) {
    for (JointTracks& tracks : told_joints(scene)) {
      if (tracks.hasty) hasty_.emplace(tracks.joint->id.value, tracks.hasty->time);
      if (!tracks.numbers.empty()) keyed_.emplace(tracks.joint->id.value, std::move(tracks));
    }
    for (const auto& object : scene.objects) objects_.emplace(object->id.value, object.get());
    for (const auto& joint : scene.joints) joints_.emplace(joint->id.value, joint.get());
    for (const auto& curve : scene.curves) curves_.insert(curve->id.value);
    for (const Carried& carried : carried_objects(scene)) carriers_.emplace(carried.child.value, carried.carrier.value);
  }

  std::optional<FaultyJoint> fault_of(const Joint& joint) {
    found_.reset();
    joint_ = &joint;
    if (joint.kind == JointKind::gear ? gear() : holds() && limits() && length() && follows()) return std::nullopt;
    return found_;
  }

 private:
  bool tell(JointFault fault, const char* field, std::string message, std::string hint, bool second = false,
            std::uint64_t carrier = 0) {
    found_ = FaultyJoint{fault, joint_->id, Id{carrier}, second, field, std::move(message), std::move(hint)};
    return false;
  }

  bool holds() { return ends() && carried() && moved(); }

  const std::string& name() const { return joint_->name; }

  const Object* at(const JointEnd& end) const {
    const auto found = objects_.find(end.object);
    return found == objects_.end() ? nullptr : found->second;
  }

  /// Of a lead along a curve the second is the world, whatever waits in it.
  JointEnd end_of(bool second) const { return second ? JointEnd{second_object(*joint_), joint_->b.place} : joint_->a; }

  bool ends() {
    if (goes_along_curve(*joint_) && !curves_.count(joint_->curve))
      return tell(JointFault::gone, "curve", "The curve along which " + name() + " leads is gone; it leads nothing.",
                  "Give it another curve, or none, or delete the lead.", true);
    for (const bool second : {false, true}) {
      const JointEnd end = end_of(second);
      if (end.object != 0 && !at(end))
        return tell(
            JointFault::gone, second ? "b.object" : "a.object",
            "What " + name() + " holds at its " + (second ? "second" : "first") + " end is gone; it holds nothing.",
            "Give this end another object, or delete the joint.", second);
    }
    if (joint_->a.object != second_object(*joint_)) return true;
    if (joint_->a.object == 0 && has_target(joint_->kind)) {
      const bool leads = joint_->kind == JointKind::lead;
      return tell(JointFault::world, "a.object", name() + " names no object that it " + (leads ? "leads." : "pulls."),
                  std::string("Give its first end an object, or delete the ") + (leads ? "lead." : "pull."));
    }
    if (joint_->a.object == 0)
      return tell(JointFault::world, "b.object", name() + " joins the world to the world; it holds nothing.",
                  "Give one end an object, or delete the joint.");
    if (joint_->kind == JointKind::lead)
      return tell(JointFault::itself, "b.object",
                  name() + " leads " + at(joint_->a)->name + " to a place on itself; it leads nothing.",
                  "Give it a place on another object, or in the world.");
    return tell(JointFault::itself, "b.object",
                name() + " joins " + at(joint_->a)->name + " to itself; it holds nothing.",
                "Give one end another object, or the world.");
  }

  bool carried() {
    for (const bool second : {false, true}) {
      const JointEnd end = end_of(second);
      const Object* object = at(end);
      if (!object) continue;
      const char* field = second ? "b.object" : "a.object";
      if (is_skin(*object))
        return tell(JointFault::carried, field,
                    name() + " holds " + object->name + ", a skin that bends with others; it holds nothing.",
                    "Join one of the objects that the skin bends with.", second);
      const auto carrier = carriers_.find(end.object);
      if (carrier == carriers_.end()) continue;
      return tell(JointFault::carried, field,
                  name() + " holds " + object->name + ", which " + objects_.at(carrier->second)->name +
                      " carries; it holds nothing.",
                  "Join what carries it.", second, carrier->second);
    }
    return true;
  }

  bool moved() {
    for (const bool second : {false, true})
      if (const Object* object = at(end_of(second)); object && body_kind(object->body.kind).moves) return true;
    if (joint_->kind == JointKind::pull)
      return tell(JointFault::still, "a.object",
                  at(joint_->a)->name + " does not move, so " + name() + " pulls nothing.",
                  "Make it move as a rigid or flexible body, or delete the pull.");
    return tell(JointFault::still, "a.object", "Nothing moves either end of " + name() + "; it has nothing to hold.",
                "Make one of the two move as a rigid or flexible body, or delete the joint.");
  }

  /// At the key at which the joint first is so; nothing: it never is. Without keys `time` is below every time.
  template <class Bad>
  std::optional<double> when(const Bad& bad) const {
    const auto keyed = keyed_.find(joint_->id.value);
    if (keyed == keyed_.end()) return bad(*joint_) ? std::optional(kAlways) : std::nullopt;
    std::set<double> times;
    for (const Track* track : keyed->second.numbers)
      for (const Key& key : track->keys) times.insert(key.time);
    for (const double time : times)
      if (bad(joint_as_told(keyed->second, time))) return time;
    return std::nullopt;
  }
  static std::string at_key(double time) {
    if (time == kAlways) return "";
    char text[60];
    std::snprintf(text, sizeof text, " at its key at %.3g s", time);
    return text;
  }

  bool limits() {
    if (!joint_->limited || !has_axis(joint_->kind)) return true;
    const bool turns = joint_->kind == JointKind::hinge;
    const auto wrong =
        when([turns](const Joint& j) { return !(turns ? j.least_turn <= j.most_turn : j.least_way <= j.most_way); });
    if (!wrong) return true;
    const std::string key = at_key(*wrong);
    return tell(JointFault::limits, turns ? "least_turn" : "least_way",
                "The least " + std::string(turns ? "turn" : "way") + " of " + name() + " is above the most" + key +
                    "; it is held where it is at the start.",
                key.empty() ? "Swap the two limits." : "Give the limits other keys there.");
  }

  bool length() {
    if (!has_length(joint_->kind)) return true;
    const std::string what = joint_->kind == JointKind::rope ? "The rope " : "The spring ";
    if (!joint_->measured) {
      // A spring may want to pull its ends together; a rope of no length is a ball joint.
      if (joint_->kind == JointKind::spring) return true;
      const auto short_at = when([](const Joint& j) { return !(j.length > kLeastLength); });
      if (!short_at) return true;
      return tell(JointFault::no_length, "length",
                  what + name() + " has no length" + at_key(*short_at) + "; it holds nothing.",
                  "Give it a length, or make it a ball joint.");
    }
    const auto transform = [this](const JointEnd& end) { return end.object == 0 ? Transform{} : at(end)->transform; };
    const Vec3 a = place_in_world(joint_->a, transform(joint_->a)), b = place_in_world(joint_->b, transform(joint_->b));
    if ((a - b).norm() > kLeastLength) return true;
    return tell(JointFault::no_length, "measured",
                what + name() + " begins and ends at one place, so that it has no length; it holds nothing.",
                "Move one of its ends, give it a length, or make it a ball joint.");
  }

  bool follows() {
    const auto hasty = hasty_.find(joint_->id.value);
    if (hasty == hasty_.end()) return true;
    char when[40];
    std::snprintf(when, sizeof when, "%.3g s", hasty->second);
    const bool leads = joint_->kind == JointKind::lead;
    return tell(JointFault::hasty, goes_along_curve(*joint_) ? "along" : "b.place",
                "The target of " + name() + " goes faster than 10,000 m/s to its key at " + when + "; it " +
                    (leads ? "leads" : "pulls") + " nothing.",
                "Move this key nearer to the one before it, or later.", true);
  }

  bool gear() {
    for (const bool second : {false, true}) {
      const std::uint64_t id = second ? joint_->second : joint_->first;
      const char* field = second ? "second" : "first";
      if (id == 0)
        return tell(JointFault::gear, field, "The gear " + name() + " has no " + field + " hinge; it turns nothing.",
                    "Choose two hinges.", second);
      const auto hinge = joints_.find(id);
      if (hinge == joints_.end())
        return tell(JointFault::gone, field,
                    "The " + std::string(field) + " hinge of " + name() + " is gone; it turns nothing.",
                    "Choose another hinge, or delete the gear.", second);
      if (hinge->second->kind != JointKind::hinge)
        return tell(JointFault::gear, field,
                    "The gear " + name() + " names " + hinge->second->name + ", which is no hinge; it turns nothing.",
                    "Choose a hinge.", second);
    }
    if (joint_->first != joint_->second) return true;
    return tell(JointFault::gear, "second", "The gear " + name() + " names the same hinge twice; it turns nothing.",
                "Choose another hinge.", true);
  }

  std::map<std::uint64_t, const Object*> objects_;
  std::map<std::uint64_t, const Joint*> joints_;
  std::map<std::uint64_t, std::uint64_t> carriers_;
  std::map<std::uint64_t, double> hasty_;       ///< s, of the key to which a target goes too fast, by joint
  std::map<std::uint64_t, JointTracks> keyed_;  ///< those whose numbers are, by joint
  std::set<std::uint64_t> curves_;
  const Joint* joint_ = nullptr;
  std::optional<FaultyJoint> found_;
};

}  // namespace

namespace {

constexpr double kJump = 1e-3;  // m

/// "0.4 m", "3 mm".
std::string length_text(double length) {
  char text[40];
  std::snprintf(text, sizeof text,
                length < 0.0995 ? "%.2g mm"
                : length < 99.5 ? "%.2g m"
                                : "%.0f m",
                length < 0.0995 ? 1000 * length : length);
  return text;
}

}  // namespace

std::vector<JumpingLead> jumping_leads(const Scene& scene) {
  std::vector<JumpingLead> all;
  std::set<Id> faulty;
  for (std::size_t i = 0; i < scene.joints.size(); ++i) {
    const Joint& own = *scene.joints[i];
    if (own.kind != JointKind::lead) continue;
    if (faulty.empty())
      for (const FaultyJoint& fault : joint_faults(scene)) faulty.insert(fault.joint);
    const Scene start = joints_at(scene, 0);
    const Joint& joint = *start.joints[i];
    const auto places = joint_places(start, joint);
    if (!joint.on || joint.strictness <= 0 || !places || faulty.count(joint.id)) continue;
    const Vec3 way = places->b - places->a;
    if (!(way.norm() > kJump)) continue;
    const std::string name =
        find_object(scene, Id{joint.a.object}) ? find_object(scene, Id{joint.a.object})->name : own.name;
    all.push_back(
        {joint.id, way,
         "joints[" + std::to_string(i) + "] \"" + own.name + "\" " + (goes_along_curve(own) ? "along" : "b.place"),
         name + " begins " + length_text(way.norm()) + " from where " + own.name +
             " leads it: it jumps in the first step.",
         "Move it there, or key the strictness of the lead from 0."});
  }
  return all;
}

std::vector<FaultyJoint> joint_faults(const Scene& scene) {
  if (scene.joints.empty()) return {};
  std::vector<FaultyJoint> all;
  FaultFinder finder(scene);
  for (std::size_t i = 0; i < scene.joints.size(); ++i) {
    std::optional<FaultyJoint> fault = finder.fault_of(*scene.joints[i]);
    if (!fault) continue;
    fault->path = "joints[" + std::to_string(i) + "] \"" + scene.joints[i]->name + "\" " + fault->path;
    all.push_back(std::move(*fault));
  }
  return all;
}

}  // namespace hazumi
