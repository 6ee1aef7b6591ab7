// Objects that ignore each other do not meet, and are to each other as if they were not there, to the bit. Pairs have the
// restitution and friction that the scene gives.
#include <catch2/catch.hpp>

#include "core/sim/contact/shape.h"
#include "tests/sim/reference/dense.h"
#include "tests/support/run.h"

namespace groups_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

Object in_group(Object o, const std::string& groups, const std::string& ignores = {}) {
  o.contact.groups = groups;
  o.contact.ignores = ignores;
  return o;
}

void add_pair(World& w, Id a, Id b, double restitution, double friction) {
  ContactPair pair;
  pair.id = next_id(w.scene);
  pair.name = "pair " + std::to_string(pair.id.value);
  pair.a = a.value;
  pair.b = b.value;
  pair.restitution = restitution;
  pair.friction = friction;
  w.scene.pairs.push_back(pair);
}

Object some_body(reference::Dice& dice, const Vec3& at) {
  Object o;
  const int kind = static_cast<int>(dice.uniform(0, 3));
  if (kind == 0)
    o = World::box(Vec3(dice.uniform(0.2, 0.6), dice.uniform(0.2, 0.5), dice.uniform(0.2, 0.6)), at);
  else if (kind == 1)
    o = World::sphere(dice.uniform(0.15, 0.35), at);
  else
    o = World::jelly(dice.uniform(0.2, 0.35), at, std::pow(10, dice.uniform(2, 5)));
  o.body.mass = std::pow(10, dice.uniform(-1, 1));
  o.body.velocity = 2 * dice.vector();
  o.body.spin = 3 * dice.vector();
  o.transform.rotation = Quat(dice.attitude()).normalized();
  o.material.substance.restitution = dice.uniform();
  o.material.substance.friction = dice.uniform();
  return o;
}

}  // namespace

TEST_CASE("The broad phase finds no pair that ignores each other", "[contact_groups]") {
  World w;
  const Id floor = w.floor();
  for (auto& object : w.scene.objects) object = in_group(*object, "ground");
  const Id a = w.add(in_group(World::box(Vec3::Ones(), Vec3(0, 0.4, 0)), "a"));
  const Id b = w.add(in_group(World::box(Vec3::Ones(), Vec3(0.1, 0.4, 0)), "b", "a"));
  const Id c = w.add(in_group(World::box(Vec3::Ones(), Vec3(0.2, 0.4, 0)), "c, d", "c,ground"));
  const Id d = w.add(in_group(World::box(Vec3::Ones(), Vec3(0.3, 0.4, 0)), "d", "d"));
  Run run(w);
  std::vector<BodyShape> shapes(run.model->bodies.size());
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const std::vector<double>& values = run.state.bodies[i].values;
    for (const bool end : {false, true}) read_shape(run.model->bodies[i], values, end, shapes[i]);
    finish_shape(shapes[i]);
    shapes[i].active = true;
  }
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  NearPairs().find(shapes, pairs);
  const auto number = [&](Id id) { return run.model->bodies.number(id); };
  using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
  CHECK(pairs == Pairs{{number(floor), number(a)},
                       {number(floor), number(b)},
                       {number(floor), number(d)},
                       {number(a), number(c)},
                       {number(a), number(d)},
                       {number(b), number(c)},
                       {number(b), number(d)}});
}

namespace {

/// How many of the bodies would have met one of those that they ignore, and of how many.
std::pair<int, int> ignore_in_random_scenes(std::uint64_t first, std::uint64_t count_of_scenes) {
  int met = 0, all = 0;
  for (std::uint64_t seed = first; seed < first + count_of_scenes; ++seed) {
    INFO("seed " << seed);
    reference::Dice dice(seed);
    World with, without, touching;
    std::vector<Id> bodies, ghosts;
    for (World* w : {&with, &without, &touching}) {
      w->floor();
      w->scene.settings.substeps = 2;
    }
    const int count = 2 + static_cast<int>(dice.uniform(0, 3));
    for (int k = 0; k < count; ++k) {
      const Object o = some_body(dice, Vec3(dice.uniform(-0.4, 0.4), 0.5 + 0.7 * k, dice.uniform(-0.4, 0.4)));
      bodies.push_back(with.add(in_group(o, "bodies")));
      (void)without.add(in_group(o, "bodies"));
      (void)touching.add(o);
    }
    for (int k = 0; k < 2; ++k) {
      const Object o = some_body(dice, Vec3(dice.uniform(-0.4, 0.4), 0.4 + 0.5 * k, dice.uniform(-0.4, 0.4)));
      ghosts.push_back(with.add(in_group(o, "", "bodies")));
      (void)touching.add(o);
    }
    Run run(with), alone(without), other(touching);
    const bool compared = (seed - first) % 4 == 0;  // with a run in which they would have met, which takes longest
    for (int k = 0; k < 120; ++k) {
      run.steps(1);
      alone.steps(1);
      if (compared) other.steps(1);
      for (const auto& [a, b] : run.touching)
        CHECK_FALSE((std::count(bodies.begin(), bodies.end(), a) && std::count(ghosts.begin(), ghosts.end(), b)));
    }
    for (const Id id : bodies) {
      const std::vector<double>& values = run.state.bodies[run.index(id)].values;
      CHECK(values == alone.state.bodies[alone.index(id)].values);
      met += compared && values != other.state.bodies[other.index(id)].values;
    }
    for (const Id id : ghosts) CHECK(run.at(id).centre.y() > 0);  // they do meet the floor
    if (compared) all += static_cast<int>(bodies.size());
  }
  return {met, all};
}

}  // namespace

TEST_CASE("What ignores each other is to each other as if it were not there, in random scenes", "[contact_groups]") {
  const auto [met, all] = ignore_in_random_scenes(20261122, 8);
  CAPTURE(met, all);
  CHECK(met > all / 3);
}

TEST_CASE("What ignores each other is to each other as if it were not there, in 200 random scenes",
          "[contact_groups][slow]") {
  const auto [met, all] = ignore_in_random_scenes(20262122, 200);
  CAPTURE(met, all);
  CHECK(met > all / 2);
}

TEST_CASE("What sleeps does not wake for what it ignores", "[contact_groups]") {
  for (const bool ignored : {true, false}) {
    World w;
    w.floor();
    const Id low = w.add(in_group(World::box(Vec3(1, 0.5, 1), Vec3(0, 0.25, 0)), "pile"));
    const Id high = w.add(in_group(World::box(Vec3(0.5, 0.5, 0.5), Vec3(0, 0.75, 0)), "pile"));
    Object thrown = World::sphere(0.2, Vec3(-30, 0.9, 0));
    thrown.body.velocity = Vec3(12, 0, 0);
    thrown.body.gravity = false;
    const Id ball = w.add(in_group(thrown, "", ignored ? "pile" : "others"));
    Run run(w);
    run.seconds(2);
    const auto values = [&](Id id) { return run.state.bodies[run.index(id)].values; };
    const auto low_then = values(low), high_then = values(high);
    REQUIRE(run.velocity(high) == Vec3::Zero());
    int rows = 0;
    for (int k = 0; k < 240 * 2; ++k) rows += run.step().figures.rows;
    CHECK((rows == 0) == ignored);
    CHECK((values(low) == low_then && values(high) == high_then) == ignored);
    CHECK((run.at(ball).centre.x() > 10) == ignored);
  }
}

TEST_CASE("A pair bounces and slides as the scene says, others as their materials do", "[contact_groups]") {
  const double tilt = radians(20);
  World w;
  Object slope =
      make_object(0, "slope", {PrimitiveShape::plane, Vec3(20, 1, 20), {1, 1, 1}}, Vec3::Zero(), BodyKind::fixed);
  slope.transform.rotation = Quat(Eigen::AngleAxisd(tilt, Vec3::UnitZ()));
  slope.material.substance.friction = 0.5;
  slope.material.substance.restitution = 0.3;
  const Id ground = w.add(slope);
  const Vec3 up = slope.transform.rotation * Vec3::UnitY(), along = slope.transform.rotation * Vec3::UnitX();
  const auto lying = [&](double z) {
    Object o = World::box(Vec3(0.4, 0.2, 0.4), 0.1 * up + z * Vec3::UnitZ());
    o.transform.rotation = slope.transform.rotation;
    o.material.substance.friction = 0.5;
    return o;
  };
  const Id stays = w.add(lying(0)), slides = w.add(lying(2)), off = w.add(lying(4));
  add_pair(w, slides, ground, 0.3, 0);
  add_pair(w, ground, off, 0.3, 0);
  w.scene.pairs.back() = w.scene.pairs.back().edited([](ContactPair& pair) { pair.visible = false; });
  Run run(w);
  const Vec3 stood = run.at(stays).centre, slid = run.at(slides).centre, stood_too = run.at(off).centre;
  run.seconds(1);
  CHECK((run.at(stays).centre - stood).norm() < 1e-6);
  CHECK((run.at(off).centre - stood_too).norm() < 1e-6);
  const double way = 0.5 * 9.80665 * std::sin(tilt);
  CHECK((run.at(slides).centre - slid).dot(-along) == Approx(way).epsilon(1e-3));

  for (const double e : {0.0, 0.4, 0.9, 1.0}) {
    World drop;
    const Id floor = drop.floor(0.5, 0.5);
    Object o = World::sphere(0.1, Vec3(0, 1.1, 0));
    o.material.substance.restitution = 0.2;
    const Id ball = drop.add(o);
    add_pair(drop, ball, floor, e, 0.5);
    Run bounce(drop);
    double top = 0;
    bool down = false;
    for (int k = 0; k < 240; ++k) {
      bounce.steps(1);
      down = down || !bounce.touching.empty();
      if (down) top = std::max(top, bounce.at(ball).centre.y() - 0.1);
    }
    CAPTURE(e, top);
    CHECK(top == Approx(e * e).margin(2e-3));
    REQUIRE(!bounce.events.empty());
    CHECK(bounce.events[0].impulse == Approx((1 + e) * std::sqrt(2 * 9.80665)).epsilon(2e-3));
  }
}

namespace {

void pairs_in_random_scenes(std::uint64_t first, std::uint64_t count) {
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    INFO("seed " << seed);
    reference::Dice dice(seed);
    World plain;
    plain.floor(dice.uniform(), dice.uniform());
    plain.scene.settings.substeps = 2;
    for (int k = 0; k < 3; ++k)
      (void)plain.add(some_body(dice, Vec3(dice.uniform(-0.3, 0.3), 0.5 + 0.8 * k, dice.uniform(-0.3, 0.3))));
    World same = plain, other = plain;
    for (std::size_t i = 0; i < plain.scene.objects.size(); ++i)
      for (std::size_t k = 0; k < i; ++k) {
        const Object &a = *plain.scene.objects[i], &b = *plain.scene.objects[k];
        const Substance &x = a.material.substance, &y = b.material.substance;
        add_pair(same, a.id, b.id, mixed_value(x.restitution, y.restitution), mixed_value(x.friction, y.friction));
        add_pair(other, a.id, b.id, dice.uniform() < 0.2 ? 1 : dice.uniform(), 1.5 * dice.uniform());
      }
    Run one(plain), two(same), three(other);
    const double start = three.energy();
    double highest = start, gifts = 0;
    for (int k = 0; k < 150; ++k) {
      one.steps(1);
      two.steps(1);
      three.steps(1);
      if (k == 0)
        for (const PairMemory& pair : three.state.pairs) gifts += pair.given;
      highest = std::max(highest, three.energy());
    }
    for (std::size_t i = 0; i < one.state.bodies.size(); ++i)
      CHECK(one.state.bodies[i].values == two.state.bodies[i].values);
    CHECK(highest - gifts < start * (1 + 1e-6));
  }
}

}  // namespace

TEST_CASE("A pair with the values of the materials changes no bit; random values gain no energy", "[contact_groups]") {
  pairs_in_random_scenes(20261201, 8);
}

TEST_CASE("200 random scenes with random values of pairs", "[contact_groups][slow]") {
  pairs_in_random_scenes(20262201, 200);
}

}  // namespace groups_test
