#include "core/motion/tracks.h"

#include <algorithm>

#include "core/geometry/curve/follow.h"
#include "core/math/rotation.h"
#include "core/motion/carrying.h"
#include "core/motion/pushing.h"
#include "core/motion/shape_keys.h"
#include "core/scene/derived/joined.h"
#include "core/scene/derived/joint_tracks.h"
#include "core/scene/derived/leading.h"
#include "core/scene/derived/substance_keys.h"
#include "core/sim/body/body.h"
#include "core/sim/body/rigid_values.h"
#include "core/sim/carried.h"
#include "core/sim/constraint/joint.h"
#include "core/sim/constraint/substance_told.h"

namespace hazumi {
namespace {

/// On the way from where it is to where its keys are, of which so many sub-steps are left.
Lead on_the_way(const Pose& from, const Lead& keys, std::int64_t left, double h) {
  const double part = 1.0 / static_cast<double>(left);
  Lead lead;
  lead.pose.position = from.position + part * (keys.pose.position - from.position);
  lead.pose.rotation = from.rotation.slerp(part, keys.pose.rotation).normalized();
  lead.velocity = (lead.pose.position - from.position) / h;
  lead.spin = mean_rate(from.rotation, lead.pose.rotation, h);
  return lead;
}

class TrackDirector final : public Director {
 public:
  explicit TrackDirector(const Scene& scene) : scene_(scene), gravity_(gravity_track(scene_)) {}

  /// False: nothing is led.
  bool bind(const Model& model) {
    for (const LedTracks& tracks : led_objects(scene_)) {
      const std::uint32_t body = model.bodies.number(tracks.object);
      if (model.bodies[body].can_be_led()) led_.push_back({body, find_object(scene_, tracks.object), tracks});
    }
    for (JointTracks& tracks : told_joints(scene_)) {
      if (!tracks.keyed()) continue;  // the model has it
      const auto at = std::find_if(model.joints.begin(), model.joints.end(),
                                   [&](const ModelJoint& joint) { return joint.id == tracks.joint->id; });
      if (at == model.joints.end()) continue;
      const Object* second = find_object(scene_, Id{second_object(*tracks.joint)});
      driven_.push_back({static_cast<std::size_t>(at - model.joints.begin()), second, std::move(tracks)});
    }
    for (const SizeTrack& sized : sized_objects(scene_))
      sized_.push_back({model.bodies.number(sized.object), sized.track});
    for (const ShapeTracks& shaped : shaped_objects(scene_)) {
      const std::uint32_t body = model.bodies.number(shaped.object);
      shaped_.emplace_back(model.bodies[body], body, *find_object(scene_, shaped.object), shaped, model.step);
    }
    for (const Push& push : pushes(scene_)) {
      const std::uint32_t body = model.bodies.number(Id{push.force->object});
      if (model.bodies[body].moves) pushed_.push_back(acting(scene_, model, body, push));
    }
    for (const SubstanceTracks& tracks : substance_keys(scene_))
      told_.push_back({model.bodies.number(tracks.object), find_object(scene_, tracks.object), tracks});
    return gravity_ || !told_.empty() || !led_.empty() || !sized_.empty() || !shaped_.empty() || !driven_.empty() ||
           !pushed_.empty();
  }

  MotionState initial() const override { return {}; }
  std::optional<Lead> begins(const Model& model, std::size_t body) const override {
    const Led* led = find_led(body);
    std::optional<Lead> lead = led ? begins_led(led->tracks, *led->object, model.clock) : std::nullopt;
    if (lead && lead->looks_at) look_at_start(model, *lead);
    if (const ShapedBody* shape = lead ? shape_of(body) : nullptr) shape->begin_led(model.clock, *lead);
    return lead;
  }
  std::optional<double> begins_sized(const Model& model, std::size_t body) const override {
    for (const Sized& sized : sized_)
      if (sized.body == body) return told_size(*sized.track, -1, model.clock);
    return std::nullopt;
  }
  RestShape begins_shaped(const Model& model, std::size_t body) const override {
    for (const ShapedBody& shaped : shaped_)
      if (shaped.number() == body) return shaped.begins(model.clock);
    return {};
  }
  void show(const Model& model, int frame, SeenBodies& seen) const override {
    std::vector<std::pair<std::uint32_t, Lead>> looking;
    for (const Led& led : led_) {
      const std::optional<Lead> lead = led_in_frame(led.tracks, *led.object, frame, model.clock);
      if (!lead) continue;
      if (lead->looks_at) looking.emplace_back(led.body, *lead);
      if (!shape_of(led.body) && !bends(led))  // it is where its nodes are
        seen.put(led.body, {lead->pose.position, lead->looks_at ? seen.pose(led.body).rotation : lead->pose.rotation});
    }
    // As in direct(): every place is there.
    for (const auto& [body, lead] : looking) {
      const Vec3 target = seen.pose(model.bodies.number(lead.looks_at)).position;
      const auto turn = looking_at(lead.pose.position, target, lead.roll);
      if (turn && !shape_of(body) && !bends(*find_led(body))) seen.put(body, {lead.pose.position, *turn});
    }
  }
  void direct(const Model& model, const State& state, const NumbersTold&, std::span<BodyForces> forces) const override {
    std::vector<std::pair<std::uint32_t, std::int64_t>> looking;  // body, sub-steps left
    for (const Led& led : led_) {
      const Told told = hazumi::told(led.tracks, *led.object, state.substep, model.clock);
      BodyForces& to = forces[led.body];
      to.handed_over = told.handed_over;
      if (!told.led) continue;
      to.led = told.lead;
      if (told.lead.looks_at)
        looking.emplace_back(led.body, told.left);
      else if (told.left > 1)
        to.led = on_the_way(pose_of(model, state, led.body), told.lead, told.left, model.step);
    }
    // All places are told by now; where one stands follows from no turn.
    for (const auto& [body, left] : looking) {
      Lead& lead = *forces[body].led;
      const Pose from = pose_of(model, state, body);
      if (const auto turn = looking_at(lead.pose.position, place_of(model, state, forces, lead.looks_at), lead.roll))
        lead.pose.rotation = *turn;
      lead.spin = mean_rate(from.rotation, lead.pose.rotation, model.step);
      if (left > 1) lead = on_the_way(from, lead, left, model.step);
    }
    for (const Sized& sized : sized_) forces[sized.body].size = told_size(*sized.track, state.substep, model.clock);
    for (const ShapedBody& shaped : shaped_) {
      BodyForces& to = forces[shaped.number()];
      shaped.direct(model, state, to);
      const Led* led = find_led(shaped.number());
      if (to.led && !(led && bends(*led)))
        shaped.lead(model, state, left_of(shaped.number(), state.substep, model.clock), *to.led);
    }
    for (const Pushed& one : pushed_)
      push_by(model, state, one, pushed(one.push, state.substep, model.clock), forces[one.body]);
    const Vec3 added = gravity_ ? added_gravity(*gravity_, scene_.settings, state.substep, model.clock) : Vec3(0, 0, 0);
    for (std::size_t i = 0; gravity_ && i < forces.size(); ++i)
      if (model.bodies[i].moves && model.bodies[i].gravity) forces[i].acceleration += added;
    for (const Substance& one : told_) tell(model, state.substep, one, added, forces);
    for (const Led& led : led_)  // after all that moves it
      if (forces[led.body].led && bends(led))
        carry_whole(model, state, led.body, way_of(model, state, led, forces[led.body].led->pose), forces[led.body]);
  }
  void drive(const Model& model, std::int64_t substep, std::span<JointDrive> joints) const override {
    for (const Driven& one : driven_) {
      const JointTold told = hazumi::told(one.tracks, substep, model.clock);
      JointDrive& to = joints[one.joint];
      to.on = told.on;
      to.motor_speed = told.motor_speed;
      to.motor_force = told.motor_force;
      to.strictness = told.strictness;
      const ModelJoint& joint = model.joints[one.joint];
      const double pace = (model.clock.film(substep + 1) - model.clock.film(substep)) / model.step;
      if (!one.tracks.numbers.empty()) {
        to.numbers = std::make_shared<const JointNumbers>(told.numbers);
        to.rates = pace * told.rates;
      }
      if (!has_target(joint.kind)) continue;
      to.place_b = place_on_body(model, one.second, joint.b, told.place);
      to.velocity_b = pace * told.velocity;
      if (one.second) to.velocity_b = one.second->transform.scale.cwiseProduct(to.velocity_b);
    }
  }
  void observe(const Model&, const State&, StepReport&, State&) const override {}

 private:
  struct Led {
    std::uint32_t body = 0;
    const Object* object = nullptr;
    LedTracks tracks;
  };
  static bool bends(const Led& led) { return led.object->body.bends_led && body_kind(led.object->body.kind).deforms; }
  /// `to`: where it is told to be at the end of the sub-step, turned to what it looks at.
  CarriedWay way_of(const Model& model, const State& state, const Led& led, const Pose& to) const {
    const std::int64_t k = state.substep;
    const auto keys = [&](std::int64_t substep) {
      Pose pose = led_pose(led.tracks, *led.object, model.clock.film(substep));
      if (led.tracks.looks_at) pose.rotation = to.rotation;
      return pose;
    };
    const double back = left_of(led.body, k, model.clock) > 1 ? 0.25 * led.object->body.blend : 0;
    return {keys(k), keys(k + 1), std::max(kCarryTime, back)};
  }
  struct Sized {
    std::uint32_t body = 0;
    const Track* track = nullptr;
  };
  struct Substance {
    std::uint32_t body = 0;
    const Object* object = nullptr;
    SubstanceTracks tracks;
  };

  /// How it meets others, and whether gravity has it. What lies on it does not sleep through a change.
  static void tell(const Model& model, std::int64_t substep, const Substance& one, const Vec3& added,
                   std::span<BodyForces> forces) {
    const SubstanceTold now = told_substance(*one.object, one.tracks, substep, model.clock);
    BodyForces& to = forces[one.body];
    if (one.tracks.friction || one.tracks.restitution) tell_substance(to, now.friction, now.restitution);
    const Body& body = model.bodies[one.body];
    if (body.moves && now.gravity != body.gravity) to.acceleration += (now.gravity ? 1 : -1) * (model.gravity + added);
    if (now == told_substance(*one.object, one.tracks, substep - 1, model.clock)) return;
    for (BodyForces& other : forces) other.stirred = true;
  }

  struct Driven {
    std::size_t joint = 0;           ///< number in Model::joints
    const Object* second = nullptr;  ///< null: the world
    JointTracks tracks;
  };

  void look_at_start(const Model& model, Lead& lead) const {
    const std::uint32_t target = model.bodies.number(lead.looks_at);
    const Led* other = find_led(target);
    const std::optional<Lead> there = other ? begins_led(other->tracks, *other->object, model.clock) : std::nullopt;
    const Vec3 place =
        there ? there->pose.position : model.bodies[target].object_pose(model.bodies[target].start).position;
    if (const auto turn = looking_at(lead.pose.position, place, lead.roll)) lead.pose.rotation = *turn;
  }
  const ShapedBody* shape_of(std::size_t body) const {
    const auto at =
        std::find_if(shaped_.begin(), shaped_.end(), [body](const ShapedBody& one) { return one.number() == body; });
    return at == shaped_.end() ? nullptr : &*at;
  }
  std::int64_t left_of(std::size_t body, std::int64_t substep, const RunClock& clock) const {
    const Led& led = *find_led(body);
    return hazumi::told(led.tracks, *led.object, substep, clock).left;
  }
  const Led* find_led(std::size_t body) const {
    for (const Led& led : led_)
      if (led.body == body) return &led;
    return nullptr;
  }
  static Pose pose_of(const Model& model, const State& state, std::uint32_t body) {
    return model.bodies[body].object_pose(model.bodies[body].pose(state.bodies[body].values));
  }
  /// Of what is looked at: where keys lead it in this sub-step, else where it is when that begins.
  static Vec3 place_of(const Model& model, const State& state, std::span<const BodyForces> forces, Id id) {
    const std::uint32_t body = model.bodies.number(id);
    if (forces[body].led) return forces[body].led->pose.position;
    if (const CarriedBody* carried = find_carried(model, body)) return carried_pose(model, state, *carried).position;
    return pose_of(model, state, body).position;
  }

  const Scene scene_;  // what the pointers point into
  const Track* gravity_;
  std::vector<Led> led_;      ///< ascending by body
  std::vector<Sized> sized_;  ///< the same
  std::vector<Substance> told_;
  std::vector<ShapedBody> shaped_;
  std::vector<Driven> driven_;
  std::vector<Pushed> pushed_;
};

}  // namespace

std::shared_ptr<const Director> make_track_director(const Scene& scene, const Model& model) {
  if (scene.tracks.empty() && scene.curves.empty() && scene.forces.empty() && shaped_objects(scene).empty())
    return nullptr;
  auto director = std::make_shared<TrackDirector>(scene);
  return director->bind(model) ? director : nullptr;
}

}  // namespace hazumi
