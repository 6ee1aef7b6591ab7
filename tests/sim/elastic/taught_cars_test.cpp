// The four cars of the shipped scene against their wall: what each was shown it goes into, and back again.
#include <map>

#include "core/scene/file/scene_io.h"
#include "tests/support/run.h"

namespace taught_cars_test {

using namespace hazumi;
using namespace hazumi::test;

TEST_CASE("Cars that run into a wall go into what they were shown", "[elastic][examples][scene]") {
  const auto scene = load_scene(std::string(HAZUMI_SOURCE_DIR) + "/scenes/four_cars.json");
  REQUIRE(scene.ok());
  MeshStore meshes;
  const auto surfaces = meshes.prepare(*scene, 1);  // kept alive
  REQUIRE(surfaces);
  const auto model = compile(*scene, meshes);
  REQUIRE(model.ok());
  State state = initial_state(**model);
  StepWorkspace workspace;
  Executor executor(1);
  std::map<std::string, double> most, now;
  const int touches = 10, frames = 40;  // s/60
  for (int frame = 0; frame < frames; ++frame) {
    for (int k = 0; k < scene->settings.substeps; ++k) {
      const StepReport report = step(**model, state, workspace, executor);
      REQUIRE(report.ok);
      REQUIRE(report.figures.least_account >= 0);
    }
    for (std::size_t k = 0; k < (*model)->bodies.size(); ++k) {
      const auto& body = (*model)->bodies[k];
      if (!body.deforms) continue;
      std::vector<ExampleShare> shares;
      flexible(body).elastic->examples(state.bodies[k].values, shares);
      const std::string name = find_object(*scene, body.id)->name;
      CHECK(shares.size() == (name == "Car" ? 0u : 1u));
      now[name] = shares.empty() ? 0 : shares.front().weight;
      most[name] = std::max(most[name], now[name]);
      if (frame < touches) CHECK(now[name] < 0.15);
    }
  }
  for (const char* name : {"Car that arches", "Car that twists", "Car that waves"}) {
    CAPTURE(name, most[name], now[name]);
    CHECK(most[name] > 0.9);
    CHECK(now[name] < 0.8 * most[name]);
  }
}

}  // namespace taught_cars_test
