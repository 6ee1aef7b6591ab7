// A world with fields of force.
#pragma once

#include "tests/support/run.h"

namespace hazumi::test {

struct FieldWorld : World {
  explicit FieldWorld(double gravity = 0) {
    scene.settings.gravity = Vec3(0, -gravity, 0);
    scene.settings.frame_rate = 60;
    scene.settings.substeps = 4;
  }
  Id field(FieldKind kind, const std::function<void(ForceField&)>& change = {}) {
    ForceField one;
    one.id = next_id(scene);
    one.kind = kind;
    one.name = "Field " + std::to_string(one.id.value);
    if (change) change(one);
    scene.fields.push_back(Shared<ForceField>(one));
    return one.id;
  }
  void change(Id id, const std::function<void(ForceField&)>& how) { scene = with_force_field(scene, id, how); }
  void change_object(Id id, const std::function<void(Object&)>& how) { scene = with_object(scene, id, how); }

  static Object thrown(Object object, const Vec3& velocity) {
    object.body.velocity = velocity;
    object.contact.enabled = false;
    return object;
  }
};

/// What fields tell the bodies of a run in its first sub-step.
inline std::vector<BodyForces> told_by_fields(const Run& run, int threads = 1) {
  std::vector<BodyForces> forces(run.model->bodies.size());
  for (std::size_t i = 0; i < forces.size(); ++i)
    forces[i].nodes.assign(run.model->bodies[i].deforms ? run.model->bodies[i].truss.nodes.size() : 0, Vec3::Zero());
  Executor executor(threads);
  if (run.model->fields) run.model->fields->add(*run.model, run.state, {}, forces, executor);
  return forces;
}

}  // namespace hazumi::test
