// initial_state and observe: what a state says about a body, whatever its kind.
#include "core/geometry/mesh/mass_properties.h"
#include "core/sim/body_values.h"
#include "core/sim/model.h"

namespace hazumi {

State initial_state(const Model& model) {
  State state;
  state.bodies.resize(model.bodies.size());
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    const Body& body = model.bodies[i];
    std::vector<double>& values = state.bodies[i].values;
    switch (body.kind) {
      case BodyKind::fixed:
        break;
      case BodyKind::point:
        write_point({body.start.position, body.velocity}, values);
        break;
      case BodyKind::rigid: {
        if (body.pins.kind != PinKind::none) {
          values.resize(kRigidStateSize);
          body.pinned.initialise(body.rigid, body.start.rotation, body.velocity, body.spin, values);
          break;
        }
        RigidValues rigid;
        rigid.pose = body.start;
        rigid.momentum = body.mass * body.velocity;
        rigid.angular_momentum = world_inertia(body.inertia, body.start.rotation) * body.spin;
        write_rigid(rigid, values);
        break;
      }
      case BodyKind::flexible: {
        Pose object = body.start;
        object.position -= object.rotation * body.mesh_origin;
        values.resize(body.elastic->state_size());
        body.elastic->initialise(object, body.velocity, body.spin, values);
        break;
      }
    }
  }
  return state;
}

Observables observe(const Model& model, const State& state, std::size_t number) {
  const Body& body = model.bodies[number];
  const std::vector<double>& values = state.bodies[number].values;
  if (body.kind == BodyKind::flexible) return body.elastic->observe(values);
  Observables o;
  o.mass = body.mass;
  if (body.kind == BodyKind::point) {
    const PointValues point = read_point(values);
    o.centre = point.position;
    o.momentum = body.mass * point.velocity;
    o.kinetic_energy = 0.5 * body.mass * point.velocity.squaredNorm();
    return o;
  }
  if (!body.mesh->empty()) o.volume = mesh_volume(body.mesh->positions, body.mesh->faces);
  if (body.kind == BodyKind::fixed) {
    o.centre = body.start.position;
    return o;
  }
  const RigidValues rigid = read_rigid(values);
  const Vec3 spin = rigid_spin(body.inertia, rigid);
  o.centre = rigid.pose.position;
  o.momentum = rigid.momentum;
  o.angular_momentum = rigid.angular_momentum;
  o.kinetic_energy = 0.5 * rigid.momentum.squaredNorm() / body.mass + 0.5 * spin.dot(rigid.angular_momentum);
  return o;
}

}  // namespace hazumi
