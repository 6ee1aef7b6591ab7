// Overlaps at the start: found, booked, and moved apart.
#include "core/playback/overlaps.h"

#include <catch2/catch.hpp>
#include <random>

#include "core/playback/simulator.h"
#include "core/scene/derived/tracks.h"
#include "core/sim/contact/contact.h"
#include "tests/support/fill_run.h"
#include "tests/support/sanitized.h"
#include "tests/support/small_scenes.h"

namespace overlaps_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

Scene two_boxes(double depth) {
  World world;
  world.add(World::box(Vec3(1, 1, 1), Vec3(0, 0.5, 0)));
  world.add(World::box(Vec3(1, 1, 1), Vec3(0, 1.5 - depth, 0), 2));
  return world.scene;
}

Scene apart(const Scene& scene, const MovedApart& moved) {
  Scene next = scene;
  for (const auto& [id, by] : moved.moves)
    next = with_object(std::move(next), id, [&, way = by](Object& o) { o.transform.position += way; });
  return next;
}

/// J, of all gifts in the first `frames` frames.
double gifts(const Scene& scene, int frames, int threads = 1) {
  Simulator simulator(compiled(scene), threads);
  REQUIRE(simulator.state_at(frames));
  double sum = 0;
  for (const auto& [frame, gift] : simulator.log().gifts) sum += gift.energy();
  return sum;
}

/// Of any shape and body, turned anyhow.
Object random_object(std::mt19937& random, std::uint64_t id) {
  std::uniform_real_distribution<double> one(0, 1);
  const double size = 0.3 + 0.7 * one(random);
  const Vec3 sizes = size * Vec3(1, 0.4 + 0.6 * one(random), 0.4 + 0.6 * one(random));
  Object o;
  switch (random() % 6) {
    case 0:
      o = World::sphere(0.5 * size, Vec3::Zero());
      break;
    case 1:
      o = World::box(sizes, Vec3::Zero());
      break;
    case 2:
      o = World::jelly(0.5 * size, Vec3::Zero(), 2000, 1, random() % 2 == 0);
      break;
    case 3:
      o = World::hard("cylinder", {PrimitiveShape::cylinder, sizes, {12, 2, 1}}, Vec3::Zero(), 1);
      break;
    case 4:
      o = World::hard("torus", {PrimitiveShape::torus, size * Vec3(1, 0.3, 1), {16, 8, 1}}, Vec3::Zero(), 1);
      break;
    default:
      o = World::hard("cone", {PrimitiveShape::cone, sizes, {12, 2, 1}}, Vec3::Zero(), 1);
      break;
  }
  o.id = Id{id};
  o.name += " " + std::to_string(id);
  if (o.body.kind == BodyKind::rigid && random() % 3 == 0) o.contact.shape = ContactShape::surface;
  if (id > 1 && random() % 5 == 0 && o.body.kind == BodyKind::rigid) o.body.kind = BodyKind::fixed;
  o.transform.rotation = Quat(one(random) - 0.5, one(random) - 0.5, one(random) - 0.5, one(random) - 0.5).normalized();
  const double spread = 0.4;
  o.transform.position = spread * Vec3(one(random), one(random), one(random));
  return o;
}

}  // namespace

TEST_CASE("An overlap at the start is found, as deep as it is, and what it is given is booked once", "[overlaps]") {
  const Scene scene = two_boxes(0.01);
  const auto model = compiled(scene);
  const auto found = start_overlaps(*model);
  REQUIRE(found.size() == 1);
  CHECK(found[0].a == Id{1});
  CHECK(found[0].b == Id{2});
  CHECK(found[0].depth == Approx(0.01));
  Simulator one(model, 1), three(model, 3);
  REQUIRE(one.state_at(30));
  REQUIRE(three.state_at(30));
  REQUIRE(one.log().gifts.size() == 1);
  const auto& [frame, gift] = one.log().gifts[0];
  CHECK(frame == 0);
  CHECK(gift.substep == 0);
  CHECK(gift.depth == Approx(found[0].depth).epsilon(1e-9));
  CHECK(gift.energy() == Approx(found[0].energy).epsilon(1e-9));
  CHECK(gift.energy() == Approx(3 * (9.80665 * 0.01 + 0.005)).epsilon(1e-3));
  CHECK(gift.energy_b == Approx(2 * gift.energy_a));
  REQUIRE(three.log().gifts.size() == 1);
  CHECK(three.log().gifts[0].second.energy_a == gift.energy_a);  // the same bits
  CHECK(start_overlaps(*compiled(two_boxes(-0.01))).empty());
  CHECK(gifts(two_boxes(-0.01), 10) == 0);
}

TEST_CASE("What is too shallow to be seen is not told of, but booked and moved apart all the same", "[overlaps]") {
  const double size = 0.25 * std::sqrt(3.0);  // m, half the diagonal of the smaller box: kSlop is a part of it
  World world;
  world.add(World::box(Vec3(1, 1, 1), Vec3(0, 0.5, 0)));
  world.add(World::box(Vec3(0.5, 0.5, 0.5), Vec3(0, 1.25, 0), 2));
  const auto sunk = [&](double depth) {
    return with_object(world.scene, Id{2}, [&](Object& o) { o.transform.position.y() -= depth; });
  };
  const double told = kToldOverlap * kSlop * size;
  CHECK(start_overlaps(*compiled(sunk(0.5 * told))).empty());
  CHECK(start_overlaps(*compiled(sunk(0.5 * told)), 1).size() == 1);
  CHECK(gifts(sunk(0.5 * told), 10) > 0);
  CHECK(move_apart(*compiled(sunk(0.5 * told))).moves.size() == 2);
  REQUIRE(start_overlaps(*compiled(sunk(3 * told))).size() == 1);
  CHECK(start_overlaps(*compiled(sunk(3 * told)))[0].depth == Approx(3 * told));
}

TEST_CASE("Moving apart goes half of the way each, leaves what is fixed, and takes the shortest way", "[overlaps]") {
  Scene scene = two_boxes(0.01);
  const MovedApart both = move_apart(*compiled(scene));
  REQUIRE(both.moves.size() == 2);
  CHECK(both.left.empty());
  CHECK(both.moves[0].second.y() == Approx(-0.005).epsilon(0.02));
  CHECK(both.moves[1].second.y() == Approx(0.005).epsilon(0.02));
  CHECK(both.moves[0].second.head<1>().norm() + std::abs(both.moves[0].second.z()) < 1e-9);
  scene = with_object(std::move(scene), Id{1}, [](Object& o) { o.body.kind = BodyKind::fixed; });
  const MovedApart one = move_apart(*compiled(scene));
  REQUIRE(one.moves.size() == 1);
  CHECK(one.moves[0].first == Id{2});
  CHECK(one.moves[0].second.y() == Approx(0.01).epsilon(0.02));
  CHECK(gifts(apart(scene, one), 5) == 0);
}

TEST_CASE("What is led stays where keys have it: what physics moves makes way", "[overlaps]") {
  const auto led = [](Scene scene, std::uint64_t id) {
    const Vec3 at = find_object(scene, Id{id})->transform.position;
    scene = with_key(std::move(scene), id, "transform.position", 0, at);
    return with_key(std::move(scene), id, "transform.position", 1, Vec3(0, 4, 0));
  };
  const Scene scene = led(two_boxes(0.05), 1);
  const auto model = compiled(scene);
  const std::vector<Overlap> found = start_overlaps(*model);
  REQUIRE(found.size() == 1);
  const MovedApart moved = move_apart(*model);
  CHECK(moved.left.empty());
  REQUIRE(moved.moves.size() == 1);
  CHECK(moved.moves[0].first == Id{2});
  CHECK(start_overlaps(*compiled(apart(scene, moved)), 1).empty());
  // What weighs is what moves: 2 kg of 3.
  CHECK(found[0].energy == Approx(start_overlaps(*compiled(two_boxes(0.05)))[0].energy * 2 / 3).epsilon(1e-9));
  // Led into what is fixed: that is how it was keyed.
  Scene fixed = two_boxes(0.05);
  fixed = with_object(std::move(fixed), Id{1}, [](Object& o) { o.body.kind = BodyKind::fixed; });
  CHECK(start_overlaps(*compiled(fixed)).size() == 1);
  CHECK(start_overlaps(*compiled(led(fixed, 2))).empty());
}

TEST_CASE("A named pair moves with what it is pushed into, and leaves other overlaps alone", "[overlaps]") {
  World world;
  for (int k = 0; k < 3; ++k) world.add(World::box(Vec3(1, 1, 1), Vec3(0, 0.5 + 0.99 * k, 0)));
  world.add(World::box(Vec3(1, 1, 1), Vec3(5, 0.5, 0)));
  world.add(World::box(Vec3(1, 1, 1), Vec3(5, 1.4, 0)));
  const auto model = compiled(world.scene);
  CHECK(start_overlaps(*model).size() == 3);
  const std::pair<Id, Id> pair{Id{1}, Id{2}};
  const MovedApart moved = move_apart(*model, {&pair, 1});
  CHECK(moved.left.empty());
  for (const auto& [id, by] : moved.moves) CHECK(id.value <= 3);
  const auto left = start_overlaps(*compiled(apart(world.scene, moved)));
  REQUIRE(left.size() == 1);
  CHECK(left[0].a == Id{4});
}

TEST_CASE("Moving apart ends where it is called off", "[overlaps]") {
  World world;
  for (int k = 0; k < 15; ++k) world.add(World::box(Vec3(1, 1, 1), Vec3(0.9 * k, 0.5, 0)));
  const auto model = compiled(world.scene);
  int asked = 0;
  std::size_t most = 0;
  const MovedApart stopped = move_apart(*model, {}, [&](std::size_t left) {
    most = std::max(most, left);
    return ++asked < 40;
  });
  CHECK(stopped.cancelled);
  CHECK(asked == 40);
  CHECK(most >= 14);
  const MovedApart whole = move_apart(*model, {}, [](std::size_t) { return true; });
  CHECK_FALSE(whole.cancelled);
  CHECK(whole.left.empty());
}

TEST_CASE("A row of fifty boxes, each a tenth in the next, comes apart", "[overlaps]") {
  World world;
  const int count = test::rounds(50, 20);
  for (int k = 0; k < count; ++k) world.add(World::box(Vec3(1, 1, 1), Vec3(0.9 * k, 0.5, 0)));
  const MovedApart moved = move_apart(*compiled(world.scene), {});
  CHECK(moved.left.empty());  // after 400 sweeps most of them were still in each other
  CHECK(start_overlaps(*compiled(apart(world.scene, moved))).empty());
}

TEST_CASE("What cannot be moved apart is named", "[overlaps]") {
  World world;  // a ball between two planes that are nearer than it is wide
  Object ball = World::sphere(0.5, Vec3(0, 0.4, 0));
  world.floor();
  world.add(ball);
  Object lid =
      make_object(0, "lid", {PrimitiveShape::plane, Vec3(20, 1, 20), {1, 1, 1}}, Vec3(0, 0.8, 0), BodyKind::fixed);
  lid.transform.rotation = Quat(Eigen::AngleAxisd(std::acos(-1.0), Vec3::UnitX()));
  world.add(lid);
  const MovedApart moved = move_apart(*compiled(world.scene));
  CHECK_FALSE(moved.left.empty());
}

TEST_CASE("200 random piles come apart: nothing overlaps afterwards and nothing is given", "[overlaps]") {
  int overlapping = 0;
  for (std::uint32_t seed = 1; seed <= 200; ++seed) {
    std::mt19937 random(seed);
    Scene scene;
    scene.settings.substeps = 2;
    const std::size_t count = 2 + (seed % 4 == 0 ? random() % 5 : 0);
    for (std::size_t k = 1; k <= count; ++k) scene.objects.push_back(random_object(random, k));
    if (seed % 3 == 0) scene.objects.push_back(floor_object(100));
    INFO("seed " << seed);
    const auto model = compiled(scene);
    const auto before = start_overlaps(*model, 1);
    overlapping += before.empty() ? 0 : 1;
    const MovedApart moved = move_apart(*model);
    for (const Overlap& o : moved.left) UNSCOPED_INFO(o.a.value << " in " << o.b.value << " by " << o.depth);
    CHECK(moved.left.empty());
    if (before.empty()) CHECK(moved.moves.empty());
    const Scene after = apart(scene, moved);
    for (const Overlap& o : start_overlaps(*compiled(after), 1)) {
      INFO(o.a.value << " in " << o.b.value);
      CHECK(o.depth < 1e-4 * 0.3);
    }
    CHECK(gifts(after, 1) == 0);
  }
  CHECK(overlapping > 150);
}

TEST_CASE("The fill tells of overlaps before it tells of frames, and knows them again after undo",
          "[overlaps][threads]") {
  FillRun run(2);
  const Scene a = two_boxes(0.01), b = two_boxes(-0.01);
  run.fill.start(Shared<Scene>(a), 0, 10);
  run.settle();
  REQUIRE(run.fill.status().start);
  REQUIRE(run.fill.status().start->overlaps.size() == 1);
  CHECK(run.fill.status().start->model);
  CHECK(run.fill.log()->gifts.size() == 1);
  run.start(a, b, 10);
  run.settle();
  REQUIRE(run.fill.status().start);
  CHECK(run.fill.status().start->overlaps.empty());
  CHECK(run.fill.log()->gifts.empty());
  run.start(b, a, 10);
  REQUIRE(run.fill.status().start);  // at once
  CHECK(run.fill.status().start->overlaps.size() == 1);
  CHECK(run.fill.log()->gifts.size() == 1);
}

}  // namespace overlaps_test
