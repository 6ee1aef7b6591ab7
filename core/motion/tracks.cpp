#include "core/motion/tracks.h"

#include "core/math/rotation.h"
#include "core/scene/derived/leading.h"
#include "core/sim/body/body.h"
#include "core/sim/body/rigid_values.h"

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
    return gravity_ || !led_.empty();
  }

  MotionState initial() const override { return {}; }
  std::optional<Lead> begins(const Model& model, std::size_t body) const override {
    for (const Led& led : led_)
      if (led.body == body) return begins_led(led.tracks, *led.object, model.clock);
    return std::nullopt;
  }
  std::vector<std::pair<std::size_t, Pose>> shown(const Model& model, int frame) const override {
    std::vector<std::pair<std::size_t, Pose>> poses;
    for (const Led& led : led_)
      if (const auto pose = led_in_frame(led.tracks, *led.object, frame, model.clock))
        poses.emplace_back(led.body, *pose);
    return poses;
  }
  void direct(const Model& model, const State& state, std::span<BodyForces> forces) const override {
    for (const Led& led : led_) {
      const Told told = hazumi::told(led.tracks, *led.object, state.substep, model.clock);
      BodyForces& to = forces[led.body];
      to.handed_over = told.handed_over;
      if (!told.led) continue;
      const Body& body = model.bodies[led.body];
      to.led = told.left == 1 ? told.lead
                              : on_the_way(body.object_pose(body.pose(state.bodies[led.body].values)), told.lead,
                                           told.left, model.step);
    }
    if (!gravity_) return;
    const Vec3 added = added_gravity(*gravity_, scene_.settings, state.substep, model.clock);
    for (std::size_t i = 0; i < forces.size(); ++i)
      if (model.bodies[i].moves && model.bodies[i].gravity) forces[i].acceleration += added;
  }
  void observe(const Model&, const StepReport&, State&) const override {}

 private:
  struct Led {
    std::uint32_t body = 0;
    const Object* object = nullptr;
    LedTracks tracks;
  };

  const Scene scene_;  // what the pointers point into
  const Track* gravity_;
  std::vector<Led> led_;  ///< ascending by body
};

}  // namespace

std::shared_ptr<const Director> make_track_director(const Scene& scene, const Model& model) {
  if (scene.tracks.empty()) return nullptr;
  auto director = std::make_shared<TrackDirector>(scene);
  return director->bind(model) ? director : nullptr;
}

}  // namespace hazumi
