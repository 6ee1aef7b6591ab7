// How bodies do is in the frames: of the state itself, wherever a run was begun again, and in memory when a frame goes to the disk.
#include <catch2/catch.hpp>

#include "core/playback/frame_bytes.h"
#include "core/playback/frame_cache.h"
#include "tests/support/small_scenes.h"

namespace body_readings_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

const FrameBody* find_body(const Frame& frame, Id id) {
  if (!frame.bodies) return nullptr;
  const auto at =
      std::find_if(frame.bodies->begin(), frame.bodies->end(), [&](const FrameBody& b) { return b.object == id; });
  return at == frame.bodies->end() ? nullptr : &*at;
}

}  // namespace

TEST_CASE("A frame says how each body does that moves", "[playback]") {
  const Scene scene = busy_scene();
  const auto model = compiled(scene);
  Simulator simulator(model, 1);
  int soft = 0, worked = 0;
  for (int f = 0; f <= 24; ++f) {
    const State* state = simulator.state_at(f);
    REQUIRE(state);
    const Frame frame = simulator.frame_at(f);
    REQUIRE(frame.bodies);
    REQUIRE(std::is_sorted(frame.bodies->begin(), frame.bodies->end(),
                           [](const FrameBody& a, const FrameBody& b) { return a.object < b.object; }));
    for (std::size_t i = 0; i < model->bodies.size(); ++i) {
      const Body& body = model->bodies[i];
      const FrameBody* seen = find_body(frame, body.id);
      CHECK((seen != nullptr) == (body.moves && body.present(model->clock.film_of_frame(f), state->bodies[i].values)));
      if (!seen) continue;
      const Observables is = observe(*model, *state, i);
      CHECK(seen->deforms == body.deforms);
      CHECK(seen->centre == is.centre.cast<float>());
      CHECK(seen->velocity.norm() == Approx(is.momentum.norm() / is.mass).epsilon(1e-6));
      CHECK(seen->kinetic == static_cast<float>(is.kinetic_energy));
      CHECK(seen->elastic == static_cast<float>(is.elastic_energy));
      CHECK(seen->strain == static_cast<float>(is.max_strain));
      CHECK(seen->inverted == is.inverted);
      soft += body.deforms;
      worked += seen->passes > 0;
      if (f == 0 || !body.deforms) CHECK(seen->passes == 0);
    }
  }
  CHECK(soft > 0);
  CHECK(worked > soft / 2);
}

TEST_CASE("How bodies did is the same from any state that was kept, on any thread count", "[playback]") {
  const Scene scene = busy_scene();
  const std::vector<Frame> fresh = fresh_run(scene, 24);
  Simulator simulator(compiled(scene), 3);
  for (const int f : {24, 5, 13, 1, 24, 0, 12}) {
    REQUIRE(simulator.state_at(f));
    CHECK(same_bits(simulator.frame_at(f), fresh[static_cast<std::size_t>(f)]));
  }
}

TEST_CASE("How bodies did stays in memory when a frame goes to the disk", "[playback]") {
  FrameCache cache;
  const auto generation = cache.generation();
  for (Frame& frame : fresh_run(busy_scene(), 4))
    REQUIRE(cache.append(generation, std::make_shared<const Frame>(std::move(frame))));
  const auto bodies = cache.bodies(1);
  REQUIRE(bodies.size() == 4);
  CHECK(bodies[2] == cache.frame(3)->bodies);
  CHECK(cache.bodies(9).empty());
  const FramePtr frame = cache.frame(2);
  const FramePtr back = frame_from_bytes(frame_bytes(*frame), shared_parts(*frame));
  REQUIRE(back);
  CHECK(back->bodies == frame->bodies);
}

}  // namespace body_readings_test
