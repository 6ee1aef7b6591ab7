// A shipped scene that runs, for tests of what it must show.
#pragma once

#include <catch2/catch.hpp>
#include <filesystem>
#include <string>

#include "core/motion/compile.h"
#include "core/playback/simulator.h"
#include "core/scene/file/scene_io.h"

namespace hazumi::test {

inline Scene open_file(const std::filesystem::path& file) {
  Result<Scene> scene = load_scene(file);
  for (const Diagnostic& d : scene.diagnostics()) UNSCOPED_INFO(to_string(d));
  REQUIRE(scene.ok());
  CHECK(scene.diagnostics().empty());
  return std::move(scene).value();
}

inline Scene shipped(const char* name) { return open_file(std::string(HAZUMI_SOURCE_DIR "/scenes/") + name + ".json"); }

inline MeshStore& meshes() {
  static MeshStore store;  // the scenes are run more than once here; polygonised once
  return store;
}

/// A scene that runs, looked at object by object.
/// m from a surface, wherever its vertices are.
inline double off_surface(const DisplayMesh& mesh, const std::vector<Vec3f>& vertices, const Vec3f& place) {
  const Vec3 p = place.cast<double>();
  double least = 1e300;
  for (const auto& face : mesh.faces) {
    Vec3 corner[3];
    for (std::size_t k = 0; k < 3; ++k) corner[k] = vertices[face[k]].cast<double>() - p;
    const Vec3 n = (corner[1] - corner[0]).cross(corner[2] - corner[0]);
    bool inside = n.squaredNorm() > 0;
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3 a = corner[k], u = corner[(k + 1) % 3] - a;
      const double t = u.squaredNorm() > 0 ? std::clamp(-a.dot(u) / u.squaredNorm(), 0.0, 1.0) : 0.0;
      least = std::min(least, (a + t * u).norm());
      inside = inside && n.dot(u.cross(-a)) >= 0;
    }
    if (inside) least = std::min(least, std::abs(corner[0].dot(n)) / n.norm());
  }
  return least;
}

struct Show {
  Scene scene;
  Simulator simulator;

  explicit Show(Scene shown, int threads = 1) : scene(std::move(shown)), simulator(model_of(scene), threads) {}

  static std::shared_ptr<const Model> model_of(const Scene& scene) {
    const auto surfaces = meshes().prepare(scene, 2);
    auto model = compile(scene, meshes());
    REQUIRE(model.ok());
    return *model;
  }
  const Object& object(const std::string& name) const {
    for (const auto& o : scene.objects)
      if (o->name == name) return *o;
    FAIL("no object " << name);
    return *scene.objects.front();
  }
  Frame at(int frame) {
    REQUIRE(simulator.state_at(frame) != nullptr);
    return simulator.frame_at(frame);
  }
  ObjectFrame at(int frame, const std::string& name) { return *at(frame).find(object(name).id); }
  /// Height of the object's own y axis: 1 upright, 0 lying.
  double upright(int frame, const std::string& name) { return (at(frame, name).rotation * Vec3f::UnitY()).y(); }
  double volume(int frame, const std::string& name) {
    const State* state = simulator.state_at(frame);
    REQUIRE(state != nullptr);
    const Model& model = simulator.model();
    for (std::size_t b = 0; b < model.bodies.size(); ++b)
      if (model.bodies[b].id == object(name).id) return observe(model, *state, b).volume;
    return 0;
  }
};

}  // namespace hazumi::test
