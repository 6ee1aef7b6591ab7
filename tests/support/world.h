// World builder for tests: small scenes in a few words, and a run of them.
#pragma once

#include <catch2/catch.hpp>
#include <string>
#include <utility>

#include "core/scene/values/scene.h"
#include "core/sim/body/flexible.h"
#include "core/sim/model.h"
#include "core/sim/step.h"

namespace hazumi::test {

struct World {
  Scene scene;

  World() { scene.name = "test"; }

  /// Adds an object and returns its id; change it with at().
  Id add(Object object) {
    object.id = next_id(scene);
    if (object.name.empty()) object.name = "object " + std::to_string(object.id.value);
    scene.objects.push_back(Shared<Object>(std::move(object)));
    return scene.objects.back()->id;
  }

  Id floor(double friction = 0.5, double restitution = 0.6, double young = 1e9) {
    Object o;
    o.name = "floor";
    o.display.primitive = {PrimitiveShape::plane, Vec3(20, 1, 20), {1, 1, 1}};
    o.body.kind = BodyKind::fixed;
    o.material.substance = {1000, young, 0.3, restitution, friction};
    return add(o);
  }

  static Object sphere(double radius, const Vec3& position, double mass = 1) {
    Object o;
    o.name = "ball";
    o.display.primitive = {PrimitiveShape::sphere, Vec3::Constant(2 * radius), {24, 12, 1}};
    o.transform.position = position;
    o.body.kind = BodyKind::rigid;
    o.body.mass = mass;
    o.material.substance.young = 1e9;
    return o;
  }

  static Object box(const Vec3& size, const Vec3& position, double mass = 1) {
    Object o;
    o.name = "box";
    o.display.primitive = {PrimitiveShape::box, size, {1, 1, 1}};
    o.transform.position = position;
    o.body.kind = BodyKind::rigid;
    o.body.mass = mass;
    o.material.substance.young = 1e9;
    return o;
  }

  /// Icosahedron truss with a round skin (or none).
  static Object jelly(double radius, const Vec3& position, double stiffness, double mass = 1, bool skin = true) {
    Object o;
    o.name = "jelly";
    o.display.kind = skin ? DisplayKind::primitive : DisplayKind::none;
    o.display.primitive = {PrimitiveShape::sphere, Vec3::Constant(2 * radius), {24, 12, 1}};
    o.analysis = {"Truss", AnalysisKind::icosahedron, {1, 1, 1}, Vec3::Constant(2 * radius), Vec3::Zero(), {}};
    o.transform.position = position;
    o.body.kind = BodyKind::flexible;
    o.body.mass = mass;
    o.body.stiffness = stiffness;
    return o;
  }
};

inline const FlexibleBody& flexible(const hazumi::Body& body) { return dynamic_cast<const FlexibleBody&>(body); }

/// A compiled world that runs.
struct Run {
  MeshStore meshes;
  std::shared_ptr<const Model> model;
  State state;
  StepWorkspace workspace;
  Executor executor;
  std::vector<ContactEvent> events;
  std::vector<std::pair<Id, Id>> touching;  ///< of the last sub-step

  explicit Run(const World& world, int threads = 1) : executor(threads) {
    auto compiled = compile(world.scene, meshes);
    INFO((compiled.ok() ? std::string() : to_string(compiled.error())));
    REQUIRE(compiled.ok());
    model = *compiled;
    state = initial_state(*model);
  }

  StepReport step() {
    StepReport report = hazumi::step(*model, state, workspace, executor);
    for (const ContactEvent& e : report.contacts) events.push_back(e);
    touching = report.touching;
    return report;
  }

  void steps(int count) {
    for (int k = 0; k < count; ++k) {
      const StepReport report = step();
      if (report.ok) continue;
      FAIL(to_string(*report.failure));
    }
  }
  void seconds(double time) { steps(static_cast<int>(time / model->step + 0.5)); }

  std::size_t index(Id id) const {
    for (std::size_t i = 0; i < model->bodies.size(); ++i)
      if (model->bodies[i].id == id) return i;
    FAIL("no such body");
    return 0;
  }
  Observables at(Id id) const { return observe(*model, state, index(id)); }
  Vec3 velocity(Id id) const { return at(id).momentum / at(id).mass; }

  /// Kinetic, elastic and potential energy of everything that moves.
  double energy() const {
    double sum = 0;
    for (std::size_t i = 0; i < model->bodies.size(); ++i) {
      if (!model->bodies[i].moves) continue;
      const Observables o = observe(*model, state, i);
      sum += o.kinetic_energy + o.elastic_energy;
      if (model->bodies[i].gravity) sum -= o.mass * model->gravity.dot(o.centre);
    }
    return sum;
  }
};

}  // namespace hazumi::test
