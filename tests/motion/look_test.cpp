// Procedures that change how things are seen: what frames say, in time, one after the other, from any state.
#include <algorithm>

#include <catch2/catch.hpp>

#include "core/motion/material_box.h"
#include "core/playback/frame_bytes.h"
#include "core/scene/derived/told_numbers.h"
#include "core/scene/values/materials.h"
#include "tests/support/edits.h"
#include "tests/support/frames_of.h"
#include "tests/support/graph.h"
#include "tests/support/sanitized.h"

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

namespace {

double choice_of(const char* material) {
  return static_cast<double>(find_material(material) - material_presets().data());
}

}  // namespace

TEST_CASE("A material comes in its time and the next one goes on from it; colour and opacity stay above it",
          "[motion][look][material]") {
  Stage s;
  const auto become = [&](const char* material, double side, double duration, double share) {
    return s.graph.does("material", s.ball,
                        {{"material", choice_of(material)}, {"side", side}, {"duration", duration}, {"share", share}});
  };
  s.then(0.5, s.ball, become("gold", 1, 0.5, 80));
  s.then(0.75, s.ball, become("red rubber", 0, 0.5, 100));
  s.then(1.3, s.ball, s.graph.does("colour", s.ball, {{"duration", 0}}));
  s.then(1.4, s.ball, become("gold", 0, 0, 0));
  const auto frames = frames_of(s.world, 90);
  CHECK(look_of(frames[30], s.ball) == nullptr);  // it begins there
  const Surface &gold = find_material("gold")->surface, &red = find_material("red rubber")->surface;
  const auto near = [](const Surface& a, const Surface& b) {
    return (a.ambient - b.ambient).norm() + (a.diffuse - b.diffuse).norm() + (a.specular - b.specular).norm() +
               std::abs(a.shininess - b.shininess) + std::abs(a.opacity - b.opacity) <
           1e-6;
  };
  for (int f = 31; f <= 83; ++f) {
    INFO("frame " << f);
    const FrameLook* look = look_of(frames[static_cast<std::size_t>(f)], s.ball);
    REQUIRE(look);
    const double part = std::clamp((f - 45) / 30.0, 0.0, 1.0),
                 of_gold = f <= 45 ? 0.8 * (f - 30) / 30.0 : 0.4 * (1 - part);
    CHECK(look->replaced == Approx(of_gold + part).margin(1e-5));
    Surface both;
    const auto mix = [&](const auto& a, const auto& b) {
      return std::decay_t<decltype(a)>((of_gold * a + part * b) / (of_gold + part));
    };
    both = {mix(gold.ambient, red.ambient), mix(gold.diffuse, red.diffuse), mix(gold.specular, red.specular),
            mix(gold.shininess, red.shininess), mix(gold.opacity, red.opacity)};
    CHECK(near(look->surface, both));
    CHECK((look->coloured > 0) == (f >= 78));
  }
  // Its own again, in the colour that stays.
  const FrameLook* last = look_of(frames[90], s.ball);
  REQUIRE(last);
  CHECK(last->replaced == 0);
  CHECK(last->coloured == 1);
}

TEST_CASE("A material is felt as its two numbers are that Set tells: random stories", "[motion][look][material]") {
  const std::string_view numbers[] = {"material.substance.friction", "material.substance.restitution"};
  int other = 0;
  for (std::uint64_t seed = 1; seed <= static_cast<std::uint64_t>(rounds(40, 6)); ++seed) {
    INFO("seed " << seed);
    EditDice dice(seed);
    Stage material, set, plain;
    for (Stage* s : {&material, &set, &plain})
      for (auto& object : s->world.scene.objects)
        object = object.edited([&](Object& o) {
          if (o.id == s->ball) o.body.velocity = Vec3(1.5, 0, -4);
        });
    double time = 0.1, glides[] = {0, 0};
    const int count = 1 + dice.below(4);
    for (int k = 0; k < count; ++k, time += 0.05 + 0.01 * dice.below(40)) {
      const int shipped = static_cast<int>(material_presets().size()), which = dice.below(shipped + 8),
                whom = dice.below(2);
      const double duration = dice.below(2) * 0.01 * dice.below(60);
      const bool felt = dice.below(4) > 0;
      // One that only looks so leaves what another one has come to on its way.
      if (!felt) time = std::max(time, glides[whom] + 0.02);
      glides[whom] = std::max(glides[whom], felt ? time + duration : 0);
      const Id become = material.graph.does("material", whom ? material.wall : material.ball,
                                            {{"side", felt ? 2 * dice.below(2) : 1}, {"duration", duration}});
      Material becomes;
      if (which < shipped) {
        becomes.substance = material_presets()[static_cast<std::size_t>(which)].substance;
        material.graph.change(become, [&](MotionNode& n) {
          set_parameter(n, {"material", std::string(material_presets()[static_cast<std::size_t>(which)].name)});
        });
      } else {
        // A person's own.
        becomes.substance.friction = 0.01 * dice.below(200);
        becomes.substance.restitution = 0.01 * dice.below(100);
        material.graph.change(become, [&](MotionNode& n) { take_material(becomes, n); });
      }
      material.then(time, material.ball, become);
      if (!felt) continue;
      const Substance& substance = becomes.substance;
      for (const std::string_view number : numbers) {
        const auto all = settable_numbers();
        const auto at = std::find_if(all.begin(), all.end(), [&](const SettableNumber& n) { return n.path == number; });
        REQUIRE(at != all.end());
        const double to = number == numbers[0] ? substance.friction : substance.restitution;
        const Id box =
            set.graph.does("set", whom ? set.wall : set.ball,
                           {{"number", static_cast<double>(at - all.begin())}, {"to", to}, {"duration", duration}});
        set.then(time, set.ball, box);
      }
    }
    const auto a = frames_of(material.world, 100), b = frames_of(set.world, 100), c = frames_of(plain.world, 100);
    for (std::size_t f = 0; f <= 100; ++f) {
      CHECK(a[f]->find(material.ball)->position == b[f]->find(set.ball)->position);
      CHECK(a[f]->find(material.ball)->rotation.coeffs() == b[f]->find(set.ball)->rotation.coeffs());
    }
    other += a[100]->find(material.ball)->position != c[100]->find(plain.ball)->position;
  }
  CHECK(other > rounds(40, 6) / 4);  // half of them
}

TEST_CASE("Own numbers that are those of a shipped material make the same film", "[motion][look][material]") {
  for (std::size_t k = 0; k < material_presets().size(); ++k) {
    const MaterialPreset& preset = material_presets()[k];
    INFO(preset.name);
    Stage shipped, own;
    const Numbers how{{"duration", 0.3}, {"share", 50 + static_cast<double>(k)}};
    for (Stage* s : {&shipped, &own}) {
      const Id box = s->graph.does("material", s->ball, how);
      s->graph.change(box, [&](MotionNode& n) {
        Material material;
        material.surface = preset.surface;
        material.substance = preset.substance;
        if (s == &shipped)
          set_parameter(n, {"material", std::string(preset.name)});
        else
          take_material(material, n);
      });
      s->then(0.05, s->ball, box);
    }
    const auto a = frames_of(shipped.world, 40), b = frames_of(own.world, 40);
    for (std::size_t f = 0; f <= 40; ++f) {
      REQUIRE(a[f]->find(shipped.ball)->position == b[f]->find(own.ball)->position);
      const FrameLook *x = look_of(a[f], shipped.ball), *y = look_of(b[f], own.ball);
      REQUIRE((x == nullptr) == (y == nullptr));
      if (!x) continue;
      CHECK(x->replaced == y->replaced);
      CHECK(x->surface == y->surface);
    }
    CHECK(look_of(a[40], shipped.ball) != nullptr);
  }
}

TEST_CASE("Numbers of a material are read where it has own ones", "[motion][material]") {
  MotionNode box;
  box.role = MotionRole::procedure;
  box.kind = "material";
  int unread = 0;
  for (const ParameterRow& row : find_procedure_kind("material")->parameters)
    unread += !is_parameter_read(box, row.name);
  CHECK(unread == 13);
  Material material;
  material.substance.friction = 0.3;
  material.surface.diffuse = Vec3(0.1, 0.2, 0.3);
  take_material(material, box);
  for (const ParameterRow& row : find_procedure_kind("material")->parameters) CHECK(is_parameter_read(box, row.name));
  CHECK(find_parameter(box, "friction")->number == 0.3);
  CHECK(find_parameter(box, "diffuse_blue")->number == 0.3);
}

TEST_CASE("What sleeps on a slope slides off once that is of gold, and not where it only looks so",
          "[motion][look][material]") {
  for (const int side : {1, 2}) {
    World world;
    Object slope = World::box(Vec3(4, 0.2, 4), Vec3::Zero());
    slope.body.kind = BodyKind::fixed;
    slope.transform.rotation = Quat(Eigen::AngleAxisd(0.6, Vec3::UnitX()));
    slope.material.substance.friction = 0.9;
    const Id lower = world.add(slope);
    Object box = World::box(Vec3(0.4, 0.4, 0.4), slope.transform.rotation * Vec3(0, 0.3, 0));
    box.transform.rotation = slope.transform.rotation;
    box.material.substance.friction = 0.9;
    const Id upper = world.add(box);
    Graph graph(world);
    graph.wire(graph.when("time", lower, {{"time", 3}}),
               graph.does("material", lower, {{"material", choice_of("chrome")}, {"side", side}}));
    const auto frames = frames_of(world, 240);
    const auto at = [&](std::size_t f) { return frames[f]->find(upper)->position; };
    CHECK((at(180) - at(120)).norm() < 1e-5f);
    CHECK(((at(240) - at(180)).norm() > 0.2f) == (side == 2));
    CHECK((look_of(frames[200], lower) != nullptr) == (side == 1));
  }
}

}  // namespace look_test
