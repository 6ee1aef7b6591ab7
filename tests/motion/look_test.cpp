// Procedures that change how things are seen: what frames say, in time, one after the other, from any state.
#include <catch2/catch.hpp>

#include "core/playback/frame_bytes.h"
#include "tests/support/frames_of.h"
#include "tests/support/graph.h"

namespace look_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

struct Stage {
  World world;
  Id ball, wall;
  Graph graph{world};
  Stage() {
    world.floor(0.5, 0.3);
    ball = world.add(World::sphere(0.1, Vec3(0, 1, 0)));
    Object o = World::box(Vec3(1, 1, 0.1), Vec3(0, 0.5, -3));
    o.body.kind = BodyKind::fixed;
    wall = world.add(o);
  }
  Id at(double time, Id of) { return graph.when("time", of, {{"time", time}}); }
  void then(double time, Id of, Id procedure) { graph.wire(at(time, of), procedure); }
};

const FrameLook* look_of(const FramePtr& frame, Id id) {
  if (!frame->looks) return nullptr;
  for (const FrameLook& look : *frame->looks)
    if (look.object == id) return &look;
  return nullptr;
}

}  // namespace

TEST_CASE("Without a procedure of looks frames say nothing of them", "[motion][look]") {
  Stage s;
  s.then(0.1, s.ball, s.graph.does("throw", s.ball, {{"y", 1}}));
  for (const FramePtr& frame : frames_of(s.world, 20)) CHECK(frame->looks == nullptr);
}

TEST_CASE("A colour comes in its time, and the next one goes on from it", "[motion][look]") {
  Stage s;
  s.then(0.5, s.ball,
         s.graph.does("colour", s.ball, {{"red", 1}, {"green", 0}, {"blue", 0}, {"duration", 0.5}, {"share", 80}}));
  s.then(0.75, s.ball, s.graph.does("colour", s.ball, {{"red", 0}, {"green", 0}, {"blue", 1}, {"duration", 0.5}}));
  const auto frames = frames_of(s.world, 90);
  CHECK(look_of(frames[30], s.ball) == nullptr);  // it begins there
  for (int f = 31; f <= 45; ++f) {
    const FrameLook* look = look_of(frames[static_cast<std::size_t>(f)], s.ball);
    REQUIRE(look);
    CHECK(look->coloured == Approx(0.8 * (f - 30) / 30.0).margin(1e-5));
    CHECK((look->colour - Vec3f(1, 0, 0)).norm() < 1e-6f);
    CHECK(look->visible == -1);
    CHECK(look->faded == 0);
  }
  for (int f = 46; f <= 90; ++f) {
    const FrameLook* look = look_of(frames[static_cast<std::size_t>(f)], s.ball);
    REQUIRE(look);
    // Of what is seen, own colour k, red r, blue b: at frame 45 k 0.6, r 0.4; from there all of it goes to blue.
    const double part = std::min((f - 45) / 30.0, 1.0), red = 0.4 * (1 - part), blue = part;
    CHECK(look->coloured == Approx(red + blue).margin(1e-5));
    CHECK((look->colour - Vec3f(static_cast<float>(red / (red + blue)), 0, static_cast<float>(blue / (red + blue))))
              .norm() < 1e-5f);
  }
  CHECK(look_of(frames[90], s.wall) == nullptr);
}

TEST_CASE("Hide, show and fade, of what stands too; a hidden thing is hit all the same", "[motion][look]") {
  Stage s;
  s.then(0.2, s.ball, s.graph.does("hide", s.ball));
  const Id hit = s.graph.when("contact", s.ball);
  s.graph.wire(hit, s.graph.does("show", s.ball));
  s.then(0.1, s.wall, s.graph.does("fade", s.wall, {{"opacity", 20}, {"duration", 0.5}}));
  const auto frames = frames_of(s.world, 60);
  int shown = 0;
  for (int f = 0; f <= 60; ++f) {
    const FrameLook* ball = look_of(frames[static_cast<std::size_t>(f)], s.ball);
    CHECK((ball != nullptr) == (f >= 12));
    if (ball && shown == 0 && ball->visible == 1) shown = f;
    if (ball) CHECK(ball->visible == (shown > 0 ? 1 : 0));
    const FrameLook* wall = look_of(frames[static_cast<std::size_t>(f)], s.wall);
    CHECK((wall != nullptr) == (f > 6));
    if (wall) {
      CHECK(wall->faded == Approx(std::min((f - 6) / 30.0, 1.0)).margin(1e-5));
      CHECK(wall->opacity == Approx(0.2));
    }
  }
  CHECK(shown == Approx(60 * std::sqrt(2 * 0.9 / 9.80665)).margin(1));
}

TEST_CASE("Looks are the same from saved bytes of a state, on any threads, and of frames from the disk",
          "[motion][look]") {
  Stage s;
  s.then(0.1, s.ball, s.graph.does("colour", s.ball, {{"duration", 0.4}}));
  s.then(0.3, s.ball, s.graph.does("fade", s.ball, {{"duration", 0.3}}));
  s.then(0.4, s.ball, s.graph.does("hide", s.ball));
  const auto one = frames_of(s.world, 40), three = frames_of(s.world, 40, 3);
  for (std::size_t f = 0; f <= 40; ++f) {
    CHECK(one[f]->state_hash == three[f]->state_hash);
    REQUIRE((one[f]->looks == nullptr) == (three[f]->looks == nullptr));
    if (!one[f]->looks) continue;
    const FramePtr back = frame_from_bytes(frame_bytes(*one[f]), shared_parts(*one[f]));
    REQUIRE(back);
    REQUIRE(back->looks);
    const FrameLook &a = one[f]->looks->front(), &b = three[f]->looks->front(), &c = back->looks->front();
    for (const FrameLook* other : {&b, &c}) {
      CHECK(a.visible == other->visible);
      CHECK(a.colour == other->colour);
      CHECK(a.coloured == other->coloured);
      CHECK(a.opacity == other->opacity);
      CHECK(a.faded == other->faded);
    }
  }
}

TEST_CASE("What only looks moves nothing: the places are those of a run without", "[motion][look]") {
  Stage plain, looks;
  looks.then(0.05, looks.ball, looks.graph.does("colour", looks.ball));
  looks.then(0.1, looks.ball, looks.graph.does("hide", looks.ball));
  looks.then(1.0, looks.ball, looks.graph.does("fade", looks.ball));
  const auto a = frames_of(plain.world, 90), b = frames_of(looks.world, 90);
  for (std::size_t f = 0; f <= 90; ++f) {
    CHECK(a[f]->find(plain.ball)->position == b[f]->find(looks.ball)->position);
    CHECK(a[f]->find(plain.ball)->rotation.coeffs() == b[f]->find(looks.ball)->rotation.coeffs());
  }
}

}  // namespace look_test
