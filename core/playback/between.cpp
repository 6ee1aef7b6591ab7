#include "core/playback/between.h"

namespace hazumi {

namespace {

/// As the object bends, seen from where it is and how it is turned: what turns does not shrink on the way.
struct Mixer {
  const ObjectFrame &first, &second, &now;
  float part;

  void places(std::vector<Vec3f>& mixed, const std::vector<Vec3f>& next) const {
    if (mixed.size() != next.size()) return;
    const auto own = [](const ObjectFrame& object, const Vec3f& place) -> Vec3f {
      return object.rotation.conjugate() * (place - object.position);
    };
    for (std::size_t i = 0; i < mixed.size(); ++i) {
      const Vec3f a = own(first, mixed[i]), b = own(second, next[i]);
      mixed[i] = now.position + now.rotation * (a + part * (b - a));
    }
  }
  void normals(std::vector<Vec3f>& mixed, const std::vector<Vec3f>& next) const {
    if (mixed.size() != next.size()) return;
    for (std::size_t i = 0; i < mixed.size(); ++i) {
      const Vec3f a = first.rotation.conjugate() * mixed[i], b = second.rotation.conjugate() * next[i];
      mixed[i] = now.rotation * (a + part * (b - a));
      if (const float length = mixed[i].norm(); length > 0) mixed[i] /= length;
    }
  }
};

/// Those that are in both.
void mix_particles(ParticleBlock& first, const ParticleBlock& second, float part) {
  std::size_t j = 0;
  for (std::size_t i = 0; i < first.numbers.size(); ++i) {
    while (j < second.numbers.size() && second.numbers[j] < first.numbers[i]) ++j;
    if (j == second.numbers.size() || second.numbers[j] != first.numbers[i]) continue;
    first.positions[i] += part * (second.positions[j] - first.positions[i]);
    first.velocities[i] += part * (second.velocities[j] - first.velocities[i]);
    first.ages[i] += part * (second.ages[j] - first.ages[i]);
    first.times[i] += part * (second.times[j] - first.times[i]);
    if (i < first.rotations.size() && j < second.rotations.size())
      first.rotations[i] = first.rotations[i].slerp(part, second.rotations[j]).normalized();
  }
}

void set_pose(const Model& model, std::size_t body, const Pose& pose, ObjectFrame& object) {
  object.position = pose.position.cast<float>();
  object.rotation = pose.rotation.cast<float>();
  const std::vector<Vec3>& nodes = model.bodies[body].truss.nodes;
  for (std::size_t i = 0; i < object.nodes.size() && i < nodes.size(); ++i)
    object.nodes[i] = (pose * nodes[i]).cast<float>();
}

class SeenInFrame final : public SeenBodies {
 public:
  SeenInFrame(const Model& model, Frame& frame) : model_(model), frame_(frame) {}

  Pose pose(std::size_t body) const override {
    const ObjectFrame& object = frame_.objects[body];
    return {object.position.cast<double>(), object.rotation.cast<double>()};
  }
  void put(std::size_t body, const Pose& pose) override {
    ObjectFrame& object = frame_.objects[body];
    if (model_.bodies[body].deforms) return put_bent(body, pose, object);
    set_pose(model_, body, pose, object);
    for (const CarriedBody& carried : model_.carried)
      if (carried.carrier == body)
        set_pose(model_, carried.child, carried_by(carried, pose), frame_.objects[carried.child]);
  }

 private:
  /// What it carries goes along as it sits on it. Where it is there but for rounding its bits stay: a frame that falls on a sub-step is that
  /// of a run without slow motion.
  void put_bent(std::size_t body, const Pose& pose, ObjectFrame& object) {
    constexpr double kThere = 1e-6;  // of 1 m and the way from the origin, and rad
    const Pose was = this->pose(body);
    if ((pose.position - was.position).norm() < kThere * (1 + was.position.norm()) &&
        pose.rotation.angularDistance(was.rotation.normalized()) < kThere)
      return;
    const Quat turn = (pose.rotation * was.rotation.conjugate()).normalized();
    put_rigidly(object, pose.position.cast<float>(), pose.rotation.cast<float>());
    for (const CarriedBody& carried : model_.carried) {
      if (carried.carrier != body) continue;
      const Pose child = this->pose(carried.child);
      set_pose(model_, carried.child,
               {pose.position + turn * (child.position - was.position), (turn * child.rotation).normalized()},
               frame_.objects[carried.child]);
    }
  }

  const Model& model_;
  Frame& frame_;
};

}  // namespace

Frame between(Frame first, const Frame& second, double part) {
  const auto way = static_cast<float>(part);
  for (std::size_t i = 0; i < first.objects.size() && i < second.objects.size(); ++i) {
    ObjectFrame& object = first.objects[i];
    const ObjectFrame& next = second.objects[i];
    ObjectFrame from;
    from.position = object.position;
    from.rotation = object.rotation;
    object.position += way * (next.position - object.position);
    object.rotation = object.rotation.slerp(way, next.rotation).normalized();
    const Mixer mixer{from, next, object, way};
    mixer.places(object.vertices, next.vertices);
    mixer.normals(object.normals, next.normals);
    mixer.places(object.nodes, next.nodes);
  }
  for (std::size_t i = 0; i < first.particles.size() && i < second.particles.size(); ++i)
    mix_particles(first.particles[i], second.particles[i], way);
  return first;
}

void put_rigidly(ObjectFrame& object, const Vec3f& position, const Eigen::Quaternionf& rotation) {
  const Eigen::Quaternionf turn = (rotation * object.rotation.conjugate()).normalized();
  for (auto* places : {&object.vertices, &object.nodes})
    for (Vec3f& place : *places) place = position + turn * (place - object.position);
  for (Vec3f& normal : object.normals) normal = turn * normal;
  object.position = position;
  object.rotation = rotation;
}

void put_led(const Model& model, int number, Frame& frame) {
  if (!model.director) return;
  SeenInFrame seen(model, frame);
  model.director->show(model, number, seen);
}

}  // namespace hazumi
