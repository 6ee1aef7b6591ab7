#include "core/playback/between.h"

namespace hazumi {

namespace {

void mix(std::vector<Vec3f>& first, const std::vector<Vec3f>& second, float part) {
  if (first.size() != second.size()) return;
  for (std::size_t i = 0; i < first.size(); ++i) first[i] += part * (second[i] - first[i]);
}

void mix_normals(std::vector<Vec3f>& first, const std::vector<Vec3f>& second, float part) {
  mix(first, second, part);
  for (Vec3f& normal : first)
    if (const float length = normal.norm(); length > 0) normal /= length;
}

void set_pose(const Model& model, std::size_t body, const Pose& pose, ObjectFrame& object) {
  object.position = pose.position.cast<float>();
  object.rotation = pose.rotation.cast<float>();
  const std::vector<Vec3>& nodes = model.bodies[body].truss.nodes;
  for (std::size_t i = 0; i < object.nodes.size() && i < nodes.size(); ++i)
    object.nodes[i] = (pose * nodes[i]).cast<float>();
}

}  // namespace

Frame between(Frame first, const Frame& second, double part) {
  const auto way = static_cast<float>(part);
  for (std::size_t i = 0; i < first.objects.size() && i < second.objects.size(); ++i) {
    ObjectFrame& object = first.objects[i];
    const ObjectFrame& next = second.objects[i];
    object.position += way * (next.position - object.position);
    object.rotation = object.rotation.slerp(way, next.rotation).normalized();
    mix(object.vertices, next.vertices, way);
    mix_normals(object.normals, next.normals, way);
    mix(object.nodes, next.nodes, way);
  }
  return first;
}

void put_at(const Model& model, std::size_t body, const Pose& pose, Frame& frame) {
  ObjectFrame& object = frame.objects[body];
  if (object.deformed) return;
  set_pose(model, body, pose, object);
  for (const CarriedBody& carried : model.carried)
    if (carried.carrier == body)
      set_pose(model, carried.child, carried_by(carried, pose), frame.objects[carried.child]);
}

}  // namespace hazumi
