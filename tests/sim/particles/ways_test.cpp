// What is let go at once has met nothing: ways of random particles among planes, boxes, balls and meshes, some of which move, each held against
// all that it might meet.
#include "core/sim/particles/ways.h"

#include <catch2/catch.hpp>

#include "core/sim/particles/obstacles.h"
#include "tests/support/edits.h"
#include "tests/support/particle_world.h"
#include "tests/support/sanitized.h"

namespace particle_ways_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

Object random_thing(EditDice& dice) {
  const Vec3 place = dice.vector(3) + Vec3::UnitY(), half = dice.vector(1.5), axis = dice.vector(1);
  const Vec3 size = 2 * half.cwiseAbs() + Vec3::Constant(0.05);
  const PrimitiveShape shapes[] = {PrimitiveShape::box, PrimitiveShape::sphere, PrimitiveShape::torus,
                                   PrimitiveShape::cylinder};
  const PrimitiveShape shape = shapes[dice.below(4)];
  const int along = 8 + dice.below(40), across = 6 + dice.below(30);
  Object object = make_object(0, "thing", {shape, size, {along, across, 1}}, place);
  object.transform.rotation = Quat(Eigen::AngleAxisd(dice.between(0, 6), (axis + 2 * Vec3::UnitZ()).normalized()));
  object.body.kind = BodyKind::fixed;
  object.contact.groups = object.contact.ignores = "things";
  if (dice.below(3) == 0) {  // thrown, some so fast that they turn by half a radian in the sub-step
    object.body.kind = BodyKind::rigid;
    object.body.velocity = dice.vector(10);
    object.body.spin = dice.vector(dice.below(4) == 0 ? 100 : 5);
  }
  if (dice.below(2) == 0) object.contact.shape = ContactShape::surface;
  return object;
}

/// A block at rest or flying, some so near to a surface that their way ends on it.
void fill(EditDice& dice, double step, std::size_t count, ParticleMemory& p, Flown& flown) {
  p.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    p.x[i] = dice.between(-4, 4);
    p.y[i] = dice.between(-0.2, 4);
    p.z[i] = dice.between(-4, 4);
    const double fast = dice.below(8) == 0 ? 300 : 5;
    p.u[i] = dice.between(-fast, fast);
    p.v[i] = dice.between(-fast, fast);
    p.w[i] = dice.between(-fast, fast);
    flown.u[i] = p.u[i] + dice.between(-0.1, 0.1);
    flown.v[i] = p.v[i] + dice.between(-0.1, 0.1);
    flown.w[i] = p.w[i] + dice.between(-0.1, 0.1);
    flown.step[i] = dice.below(20) == 0 ? 0 : dice.below(20) == 0 ? dice.between(0, step) : step;
    flown.size[i] = dice.between(0, 0.1);
    flown.whole[i] = 1;
    flown.late[i] = 0.5;
    p.held[i] = dice.below(30) == 0 ? 1 : 0;
  }
}

/// Every second one, where there are surfaces.
void put_at_surfaces(EditDice& dice, const std::vector<Obstacle>& obstacles, const Run& run, ParticleMemory& p) {
  std::vector<const Obstacle*> surfaces;
  for (const Obstacle& one : obstacles)
    if (one.shape == Obstacle::Shape::surface) surfaces.push_back(&one);
  for (std::size_t i = 0; i < p.size() && !surfaces.empty(); i += 2) {
    const Obstacle& one = *surfaces[static_cast<std::size_t>(dice.below(static_cast<int>(surfaces.size())))];
    const auto& points = one.surface->points;
    const Pose pose = run.model->bodies[one.body].pose(run.state.bodies[one.body].values);
    const Vec3 at =
        pose * points[static_cast<std::size_t>(dice.below(static_cast<int>(points.size())))] + dice.vector(0.1);
    p.x[i] = at.x();
    p.y[i] = at.y();
    p.z[i] = at.z();
  }
}

struct Seen {
  std::size_t let_go = 0, kept = 0, met = 0, around = 0;
};

/// What it meets among the faces that were told around it is what it meets among all, on that way and on those that lead back.
void check_around(const ObstaclesNow& now, const std::vector<char>& used, const FacesAround& around, const Vec3& from,
                  const Vec3& to, double radius, double part, EditDice& dice, Seen& seen) {
  if (around.obstacle == FacesAround::kNone) return;
  seen.around += around.count > 0;
  Vec3 p = from, q = to;
  for (int k = 0; k < 3; ++k) {
    const ParticleMeeting one = now.meet(p, q, radius, used, k > 0, part, around);
    const ParticleMeeting all = now.meet(p, q, radius, used, k > 0, part, FacesAround::none());
    REQUIRE(one.at == all.at);
    if (one.at > 1) break;
    REQUIRE(one.obstacle == all.obstacle);
    REQUIRE(one.face == all.face);
    REQUIRE(one.place == all.place);
    REQUIRE(one.normal == all.normal);
    p = one.place;
    q = p + dice.vector((to - from).norm());
  }
}

void check_block(std::uint64_t seed, Seen& seen) {
  EditDice dice(seed);
  ParticleWorld world;
  world.scene.settings.frame_rate = 60;
  world.scene.settings.substeps = 4;
  if (dice.below(2) == 0) world.floor();
  for (int k = 1 + dice.below(12); k > 0; --k) world.add(random_thing(dice));
  world.source();
  Run run(world);
  const std::vector<Obstacle> obstacles = make_obstacles(*run.model);
  ObstaclesNow now;
  const State before = run.state;
  run.step();
  now.find(obstacles, *run.model, before, run.state);
  std::vector<char> used(obstacles.size(), 1);
  for (char& one : used) one = dice.below(8) != 0;
  ParticleMemory p;
  Flown flown;
  const std::size_t count = 1 + static_cast<std::size_t>(dice.below(kParticlesAtOnce));
  fill(dice, run.model->step, count, p, flown);
  put_at_surfaces(dice, obstacles, run, p);
  const ParticleMemory began = p;
  Nearness nearness;
  go_freely(now.surroundings(used), flown, 0, count, p, nearness);
  const auto& near = nearness.near;
  for (std::size_t i = 0; i < count; ++i) {
    INFO("seed " << seed << ", particle " << i);
    const Vec3 from = place(began, i), u = velocity(began, i), next(flown.u[i], flown.v[i], flown.w[i]);
    const double h = flown.step[i];
    if (near[i] != 0) {
      REQUIRE(place(p, i) == from);
      REQUIRE(velocity(p, i) == u);
    }
    if (began.held[i] != 0 || h == 0) {
      REQUIRE(near[i] != 0);
      continue;
    }
    const Vec3 a((next.x() - u.x()) / h, (next.y() - u.y()) / h, (next.z() - u.z()) / h);
    const Vec3 to = from + Vec3(h * (u + 0.5 * h * a));
    const double radius = std::max(kLeastParticleRadius, 0.5 * flown.size[i]);
    const double part = h / run.model->step;
    const ParticleMeeting met = now.meet(from, to, radius, used, false, part, FacesAround::none());
    check_around(now, used, nearness.told.of(i), from, to, radius, part, dice, seen);
    ++(near[i] != 0 ? seen.kept : seen.let_go);
    if (met.at <= 1) ++seen.met;
    if (near[i] != 0) continue;
    REQUIRE(met.at > 1);
    REQUIRE(place(p, i) == to);
    REQUIRE(velocity(p, i) == Vec3(u + h * a));
  }
}

void check_blocks(std::uint64_t first, int count) {
  Seen seen;
  for (int k = 0; k < count; ++k) check_block(first + static_cast<std::uint64_t>(k), seen);
  const std::size_t all = seen.let_go + seen.kept;
  INFO(seen.let_go << " of " << all << " let go, " << seen.met << " meet something");
  CHECK(seen.met > all / 200);
  CHECK(seen.around > all / 400);
  CHECK(seen.let_go > 2 * all / 5);  // of what moves boxes round both ends are near
}

/// Nearest to a place of a triangle, by its corners, edges and face.
double distance(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 n = (b - a).cross(c - a);
  double least = 1e300;
  const Vec3 corners[3] = {a, b, c};
  bool in = n.squaredNorm() > 0;
  for (int k = 0; k < 3; ++k) {
    const Vec3 from = corners[k], edge = corners[(k + 1) % 3] - from;
    const double square = edge.squaredNorm();
    const double part = square > 0 ? std::clamp((p - from).dot(edge) / square, 0.0, 1.0) : 0;
    least = std::min(least, (p - from - part * edge).norm());
    in = in && n.dot(edge.cross(p - from)) >= 0;
  }
  return in ? std::abs((p - a).dot(n.normalized())) : least;
}

bool looked_at_alone(const FaceCells& cells, const Vec3& p, const Vec3& q, double radius) {
  FaceWays ways;
  FacesTold told;
  told.clear();
  for (int k = 0; k < 3; ++k) {
    ways.p[k][0] = p[k];
    ways.q[k][0] = q[k];
  }
  ways.radius[0] = radius;
  ways.told = &told;
  ways.asked[0] = 1;
  ways.count = 1;
  cells.look(ways, 0);
  return ways.met_count == 0;
}

void check_cells(std::uint64_t seed, std::size_t& answered, std::size_t& free) {
  EditDice dice(seed);
  const double far = dice.below(3) == 0 ? 1000 : 0;  // from the origin, where floats are coarse
  std::vector<std::array<Vec3, 3>> all;
  std::vector<FaceCells::Face> faces;
  const auto any = [&](double reach) { return dice.vector(reach); };
  for (int k = 64 + dice.below(400); k > 0; --k) {
    const Vec3 a = any(1) + Vec3::Constant(far);
    const double size = dice.below(20) == 0 ? 1 : 0.1;
    const Vec3 e = any(size), f = dice.below(10) == 0 ? Vec3(0.5 * e) : any(size);  // some without area
    const Vec3 n = e.cross(f);
    faces.push_back({all.emplace_back(std::array<Vec3, 3>{a, a + e, a + f}),
                     n.norm() > 1e-12 ? n.normalized() : Vec3(Vec3::Zero())});
  }
  const FaceCells cells(faces);
  for (int k = 0; k < 40; ++k) {
    const Vec3 p = any(1.2) + Vec3::Constant(far), q = p + any(dice.below(6) == 0 ? 1 : 0.05);
    const double radius = dice.between(1e-4, 0.05);
    std::vector<char> told(all.size(), 0);
    const bool known = cells.along(p, q, radius, [&](std::uint32_t f) { told[f] = 1; });
    const bool is_free = looked_at_alone(cells, p, q, radius);
    answered += known;
    free += is_free;
    if (!known) CHECK_FALSE(is_free);
    if (!known) continue;
    if (is_free) told.assign(all.size(), 0);
    double nearest = 1e300;  // to what was not told of
    for (std::size_t f = 0; f < all.size(); ++f)
      for (int part = 0; part <= 10 && !told[f]; ++part)
        nearest = std::min(nearest, distance(p + 0.1 * part * (q - p), all[f][0], all[f][1], all[f][2]));
    INFO("seed " << seed << ", way " << k);
    REQUIRE(nearest > radius);
  }
}

void check_all_cells(std::uint64_t first, int count) {
  std::size_t answered = 0, free = 0;
  for (int k = 0; k < count; ++k) check_cells(first + static_cast<std::uint64_t>(k), answered, free);
  const auto ways = static_cast<std::size_t>(40 * count);
  INFO(answered << " of " << ways << " answered, " << free << " free");
  CHECK(answered > ways / 2);
  CHECK(free > ways / 10);
}

/// The torus of each scene among what its particles meet.
std::vector<const ObstacleFaces*> faces_met(const Model& model) {
  std::vector<const ObstacleFaces*> out;
  for (const Obstacle& one : model.particles->obstacles())
    if (one.shape == Obstacle::Shape::surface) out.push_back(one.still.get());
  return out;
}

}  // namespace

TEST_CASE("Faces that particles meet stay over an edit", "[particles][compile]") {
  ParticleWorld world;
  const Id source = world.source([](ParticleSource& one) { one.collides = true; });
  Object torus =
      make_object(0, "torus", {PrimitiveShape::torus, Vec3(2, 0.5, 2), {30, 20, 1}}, Vec3::Zero(), BodyKind::fixed);
  torus.id = world.add(torus);
  const auto with = [&](const Object& object) {
    Scene scene = world.scene;
    for (Shared<Object>& one : scene.objects)
      if (one->id == object.id) one = object;
    return scene;
  };
  MeshStore meshes;
  const auto first = compile(world.scene, meshes);
  const auto was = faces_met(**first);
  REQUIRE(was.size() == 1);

  Object moved = torus;
  moved.transform.position.x() = 3;
  const Scene edited = with_source(with(moved), source, [](ParticleSource& one) { one.rate = 7; });
  const auto second = compile(edited, meshes, first->get());
  CHECK(faces_met(**second) == was);
  const auto anew = compile(edited, meshes);
  CHECK(faces_met(**anew) != was);

  Object larger = torus;
  larger.display.primitive.size *= 2;
  const auto third = compile(with(larger), meshes, first->get());
  CHECK(faces_met(**third) != was);

  // Bodies that collide as something else go by their mesh, and two of the same mesh share its faces.
  Object points = torus;
  points.contact.shape = ContactShape::vertices;
  world.scene = with(points);
  world.add(points);
  const auto fourth = compile(world.scene, meshes), fifth = compile(world.scene, meshes, fourth->get());
  REQUIRE(faces_met(**fourth).size() == 2);
  CHECK(faces_met(**fourth)[0] == faces_met(**fourth)[1]);
  CHECK(faces_met(**fifth) == faces_met(**fourth));
}

TEST_CASE("What is told of one mesh stays where another has too many faces to tell", "[particles]") {
  EditDice dice(15);
  const auto through_origin = [&](int beside, int count) {  // and some that are beside it, before
    std::vector<FaceCells::Face> faces;
    for (int f = 0; f < beside + count; ++f) {
      const Vec3 a = dice.vector(1), b = dice.vector(1), c = -a - b, n = (b - a).cross(c - a);
      const Vec3 off = f < beside ? Vec3(4, 0, 0) : Vec3(Vec3::Zero());
      faces.push_back({{a + off, b + off, c + off}, n.normalized()});
    }
    return faces;
  };
  for (int k = 0; k < 100; ++k) {
    const FaceCells few(through_origin(10, 6)), many(through_origin(0, 30));
    FaceWays ways;
    FacesTold told;
    told.clear();
    for (auto* list : {&ways.p[0], &ways.p[1], &ways.p[2], &ways.q[0], &ways.q[1]}) (*list)[0] = 1e-3;
    ways.q[2][0] = 2e-3;
    ways.radius[0] = 2e-3;
    ways.asked[0] = 1;
    ways.count = 1;
    ways.told = &told;
    few.look(ways, 0);
    const FacesAround before = told.of(0);
    REQUIRE(before.obstacle == 0);
    REQUIRE(before.count > 0);
    many.look(ways, 1);
    CHECK(ways.met_count == 1);
    const FacesAround& after = told.of(0);
    REQUIRE(after.obstacle == 0);
    REQUIRE(after.count == before.count);
    for (std::uint32_t face = 0; face < before.count; ++face) CHECK(after.faces[face] == before.faces[face]);
  }
}

TEST_CASE("A particle that is let go at once meets nothing", "[particles]") {
  check_blocks(4100, test::rounds(200, 25));
}
TEST_CASE("A particle that is let go at once meets nothing, thousands of times", "[.long]") {
  check_blocks(5100, 4000);
}

TEST_CASE("Cells of faces leave out none that a way comes to", "[particles]") { check_all_cells(7100, 100); }
TEST_CASE("Cells of faces leave out none that a way comes to, thousands of times", "[.long]") {
  check_all_cells(9100, 3000);
}

}  // namespace particle_ways_test
