// State → frame: poses of object frames, and for flexible bodies the display vertices by the mapping (spec 1.6).
#include "core/playback/simulator.h"

namespace hazumi {

namespace {

/// Where the object frame is when the body frame is at `body_frame`: the body frame keeps the object's axes and sits at
/// mesh_origin (object frame).
Pose object_pose(const Body& body, const Pose& body_frame) {
  return {body_frame.position - body_frame.rotation * body.mesh_origin, body_frame.rotation};
}

Pose body_pose(const Body& body, const BodyState& state) {
  const double* v = state.values.data();
  switch (body.kind) {
    case BodyKind::fixed:
      return body.start;
    case BodyKind::point:
      return {Vec3(v[0], v[1], v[2]), body.start.rotation};
    case BodyKind::rigid:
      return {Vec3(v[0], v[1], v[2]), Quat(v[3], v[4], v[5], v[6])};
    case BodyKind::flexible:
      return body.elastic->frame(state.values);
  }
  return body.start;
}

void set_pose(ObjectFrame& out, const Pose& pose) {
  out.position = pose.position.cast<float>();
  out.rotation = pose.rotation.cast<float>();
}

}  // namespace

Frame make_frame(const Model& model, const State& state, int index, Executor& executor) {
  Frame frame;
  frame.index = index;
  frame.state_hash = hash(state);
  frame.objects.resize(model.bodies.size());
  const double time = static_cast<double>(state.substep) * model.step;
  std::vector<Vec3> nodes;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Body& body = model.bodies[b];
    ObjectFrame& out = frame.objects[b];
    out.id = body.id;
    const Pose frame_pose = body_pose(body, state.bodies[b]);
    const Pose pose = object_pose(body, frame_pose);
    set_pose(out, pose);
    if (body.kind == BodyKind::point) out.present = time >= body.birth && time < body.death;
    if (body.kind != BodyKind::flexible) {
      out.nodes.reserve(body.truss.nodes.size());
      for (const Vec3& node : body.truss.nodes) out.nodes.push_back((pose * node).cast<float>());
      continue;
    }
    nodes.resize(body.elastic->node_count());
    body.elastic->positions(state.bodies[b].values, nodes);
    out.nodes.reserve(nodes.size());
    for (const Vec3& node : nodes) out.nodes.push_back(node.cast<float>());
    if (!body.mesh || !body.mapping) continue;
    out.deformed = true;
    out.vertices.resize(body.mesh->positions.size());
    out.normals.resize(body.mesh->positions.size());
    body.mapping->map_vertices(nodes, frame_pose, out.vertices, out.normals, executor);
  }
  return frame;
}

}  // namespace hazumi
