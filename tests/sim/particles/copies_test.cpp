// Copies of an object that a source gives as rigid bodies: closed forms first, then room, ends, and what is asked for by events.
#include <catch2/catch.hpp>

#include "core/scene/derived/copies.h"
#include "core/scene/derived/tracks.h"
#include "core/sim/body/rigid_values.h"
#include "tests/sim/particles/copy_world.h"

namespace copies_test {

using namespace hazumi;
using namespace hazumi::test;

TEST_CASE("A copy flies as a free body does, from its own moment of birth", "[particles][copies]") {
  CopyWorld world;
  world.pour([](ParticleSource& s) {
    s.burst = 1;
    s.speed = 3;
    s.position = Vec3(0.3, 2, -0.1);
    s.rotation = Quat(Eigen::AngleAxisd(0.7, Vec3::UnitX()));
    s.whirl = 12;
  });
  CopyRun run(world);
  run.steps(1);
  REQUIRE(run.there().size() == 1);
  const std::uint32_t number = run.there()[0];
  const auto& copy = dynamic_cast<const CopyBody&>(run.model->bodies[number]);
  const RigidValues first = read_rigid(run.state.bodies[number].values);
  const double h = run.model->step;
  const Vec3 start = h * Vec3(0, std::cos(0.7), std::sin(0.7)) * 3 - 0.5 * h * h * Vec3(0, 9.80665, 0);
  CHECK((first.pose.position - Vec3(0.3, 2, -0.1) - start).norm() < 1e-12);

  World other;
  other.scene.settings = world.scene.settings;
  Object object = CopyWorld::brick();
  object.transform.position = first.pose.position;
  object.transform.rotation = first.pose.rotation;
  object.body.velocity = first.momentum / copy.mass;
  object.body.spin = rigid_spin(copy.rigid, run.state.bodies[number].values);
  CHECK(object.body.spin.norm() > 0.1);
  const Id free = other.add(object);
  Run alone(other);
  for (int k = 0; k < 200; ++k) {
    run.step();
    alone.step();
    const Observables a = observe(*run.model, run.state, number), b = alone.at(free);
    REQUIRE((a.centre - b.centre).norm() < 1e-12);
    REQUIRE((a.momentum - b.momentum).norm() < 1e-12 * b.momentum.norm());
    REQUIRE((a.angular_momentum - b.angular_momentum).norm() < 1e-10 * b.angular_momentum.norm());
    const Quat p = run.model->bodies[number].pose(run.state.bodies[number].values).rotation,
               q = alone.model->bodies[0].pose(alone.state.bodies[0].values).rotation;
    REQUIRE(p.angularDistance(q) < 1e-7);
  }
}

TEST_CASE("Copies by a rate are born at their own moments", "[particles][copies]") {
  CopyWorld world;
  world.pour([](ParticleSource& s) {
    s.rate = 70;
    s.speed = 40;  // each is out of the way of the next one
    s.most_copies = 30;
  });
  CopyRun run(world);
  run.steps(90);
  const double now = 90 * run.model->step;
  REQUIRE(run.there().size() == 26);
  for (const std::uint32_t i : run.there()) {
    const CopyLife life = read_copy(run.state.bodies[i].values);
    CHECK(life.birth == Approx(static_cast<double>(life.number + 1) / 70).epsilon(1e-12));
    const double t = now - life.birth;
    CHECK((observe(*run.model, run.state, i).centre - Vec3(0, 40 * t - 0.5 * 9.80665 * t * t, 0)).norm() < 1e-11);
  }
  run.steps(60);
  CHECK(run.there().size() == 30);  // At most
}

TEST_CASE("Before they are born copies change nothing of a run", "[particles][copies]") {
  CopyWorld with;
  const auto furnish = [](World& world) {
    world.floor();
    for (int k = 0; k < 4; ++k) world.add(World::box(Vec3(0.3, 0.2, 0.3), Vec3(0.02 * k, 0.11 + 0.21 * k, 0)));
    world.add(World::jelly(0.2, Vec3(1, 0.5, 0), 800));
  };
  furnish(with);
  CopyWorld without;
  furnish(without);
  with.pour([](ParticleSource& s) {
    s.burst = 5;
    s.start = 100;
    s.most_copies = 200;
  });
  without.scene = hazumi::without(without.scene, without.pattern);
  Run a(with), b(without);
  CHECK(a.model->bodies.size() == b.model->bodies.size() + 201);
  for (int k = 0; k < 400; ++k) {
    a.step();
    b.step();
    for (std::size_t i = 0; i < b.model->bodies.size(); ++i) {
      const std::size_t same = a.index(b.model->bodies[i].id);
      REQUIRE(a.state.bodies[same].values == b.state.bodies[i].values);
    }
  }
  CHECK(a.touching.size() == b.touching.size());
}

TEST_CASE("Copies wait until there is room, and none is pushed", "[particles][copies]") {
  CopyWorld world;
  world.floor(0.4, 0.3);
  world.pour([](ParticleSource& s) {
    s.burst = 25;
    s.speed = 1;
    s.position = Vec3(0, 2, 0);
    s.rotation = Quat(Eigen::AngleAxisd(kPi, Vec3::UnitX()));
    s.most_copies = 40;
  });
  CopyRun run(world);
  double energy = run.energy();
  for (int k = 0; k < 700; ++k) {
    const StepReport report = run.step();
    REQUIRE(report.ok);
    CHECK(report.gifts.empty());
    if (k == 0) CHECK(run.there().size() == 1);
    const double now = run.energy();
    CHECK(now - energy <= report.figures.work + report.figures.projected + report.born - report.gone + 1e-9);
    energy = now;
  }
  CHECK(run.there().size() == 25);
}

TEST_CASE("A source that is switched off gives none of those that wait", "[particles][copies]") {
  CopyWorld world;
  const Id source = world.pour([](ParticleSource& s) {
    s.burst = 10;
    s.speed = 0;
    s.gravity = 0;
  });
  world.scene.settings.gravity.setZero();
  CopyRun run(world);
  run.steps(3);
  CHECK(run.there().size() == 1);
  CHECK(particles_of(run, source).size() == 9);
  world.scene = with_key(world.scene, source.value, "on", 0, true);
  world.scene = with_key(world.scene, source.value, "on", 0.02, false);
  CopyRun keyed(world);
  keyed.steps(20);
  CHECK(keyed.there().size() == 1);
  CHECK(particles_of(keyed, source).size() == 0);
}

TEST_CASE("What a copy carried falls when that vanishes, and its body is taken again", "[particles][copies]") {
  CopyWorld world;
  world.floor(0.9, 0);
  world.pour([](ParticleSource& s) {
    s.burst = 1;
    s.speed = 0;
    s.position = Vec3(0, 0.0502, 0);
    s.any_turn = false;
    s.whirl = 0;
    s.stays = false;
    s.life = 1.5;
    s.most_copies = 1;
    s.burst_period = 3;
  });
  const Id above = world.add(World::box(Vec3(0.2, 0.1, 0.2), Vec3(0, 0.1525, 0)));
  CopyRun run(world);
  double gone = 0, energy = run.energy();
  bool slept = false;
  for (int k = 0; k < 420; ++k) {
    const StepReport report = run.step();
    gone += report.gone;
    const double now = run.energy();
    CHECK(now - energy <= report.figures.work + report.figures.projected + report.born - report.gone + 1e-9);
    energy = now;
    if (k == 355) slept = run.at(above).momentum == Vec3::Zero();
    if (k == 350) CHECK(run.at(above).centre.y() == Approx(0.15).margin(0.002));
  }
  CHECK(slept);
  CHECK(gone > 0);
  CHECK(run.there().empty());
  CHECK(run.at(above).centre.y() < 0.12);
  run.seconds(1.5);
  CHECK(run.there().empty());  // the box lies where it would be
  CHECK(run.at(above).centre.y() == Approx(0.05).margin(0.002));
}

TEST_CASE("Copies of a spread scale are heavier by its cube", "[particles][copies]") {
  CopyWorld world;
  world.pour([](ParticleSource& s) { s.scale_spread = 0.5; });
  CopyRun run(world);
  const CopyBody* first = nullptr;
  double least = 10, most = 0;
  for (const hazumi::Body& body : run.model->bodies) {
    const auto* copy = dynamic_cast<const CopyBody*>(&body);
    if (!copy) continue;
    if (!first) first = copy;
    const double scale = copy->across / 0.2;
    least = std::min(least, scale);
    most = std::max(most, scale);
    CHECK(copy->mass == Approx(0.7 * scale * scale * scale).epsilon(1e-9));
    CHECK(copy->rigid.inertia.trace() ==
          Approx(first->rigid.inertia.trace() * std::pow(copy->across / first->across, 5)).epsilon(1e-9));
  }
  CHECK(least >= 0.5);
  CHECK(least < 0.6);
  CHECK(most > 1.4);
  CHECK(most <= 1.5);
}

TEST_CASE("Values of a pair and groups of the object hold for its copies", "[particles][copies]") {
  CopyWorld world;
  const Id floor = world.floor(0.5, 0);
  world.pour([](ParticleSource& s) {
    s.burst = 1;
    s.position = Vec3(0, 0.5, 0);
    s.speed = 0;
    s.any_turn = false;
    s.whirl = 0;
  });
  ContactPair pair;
  pair.id = next_id(world.scene);
  pair.a = world.pattern.value;
  pair.b = floor.value;
  pair.restitution = 1;
  world.scene.pairs.push_back(Shared<ContactPair>(pair));
  CopyRun run(world);
  run.seconds(0.55);
  REQUIRE(run.there().size() == 1);
  CHECK(observe(*run.model, run.state, run.there()[0]).momentum.y() > 0);
  world.scene = with_object(world.scene, world.pattern, [](Object& o) { o.contact.groups = "poured"; });
  world.scene = with_object(world.scene, floor, [](Object& o) { o.contact.ignores = "poured"; });
  CopyRun through(world);
  through.seconds(0.55);
  CHECK(observe(*through.model, through.state, through.there()[0]).centre.y() < -0.5);
}

TEST_CASE("Particles meet copies where these are, and not the object of which they are", "[particles][copies]") {
  CopyWorld world;
  world.scene.settings.gravity.setZero();
  world.pour([](ParticleSource& s) {
    s.burst = 1;
    s.start = 0.5;
    s.speed = 0;
    s.any_turn = false;
    s.whirl = 0;
  });
  const auto shot = [&](const Vec3& from) {
    return world.source([&](ParticleSource& s) {
      s.position = from;
      s.rate = 0;
      s.burst = 1;
      s.burst_period = 1;
      s.speed = 2;
      s.life = 0.9;
      s.collides = true;
      s.hit = ParticleHit::stick;
    });
  };
  const Id at_copy = shot(Vec3(0, -0.6, 0)), at_object = shot(Vec3(3, 2.4, 3));
  CopyRun run(world);
  run.seconds(0.45);  // it passes where the copy will be
  CHECK(place(particles_of(run, at_copy), 0).y() == Approx(0.3).margin(1e-6));
  run.seconds(1);
  REQUIRE(particles_of(run, at_copy).size() == 1);
  CHECK(place(particles_of(run, at_copy), 0).y() < -0.05);
  CHECK(place(particles_of(run, at_copy), 0).y() > -0.08);
  CHECK(place(particles_of(run, at_object), 0).y() == Approx(3.3).margin(1e-6));
}

TEST_CASE("Fields act on copies as on their object", "[particles][copies]") {
  CopyWorld world;
  world.scene.settings.gravity.setZero();
  world.pour([](ParticleSource& s) {
    s.burst = 1;
    s.speed = 0;
  });
  world.field(FieldKind::gravity, [](ForceField& f) { f.strength = 4; });
  CopyRun run(world);
  run.seconds(1);
  const Observables seen = observe(*run.model, run.state, run.there()[0]);
  CHECK(seen.momentum.norm() / seen.mass == Approx(4).epsilon(0.01));
}

TEST_CASE("A source says why it gives no copies", "[particles][copies]") {
  CopyWorld world;
  const Id id = world.pour({});
  const auto told = [&](const Scene& scene) {
    const auto why = why_no_copies(scene, *find_source(scene, id));
    if (!why) return std::string();
    CHECK_FALSE(why->hint.empty());
    World other;
    other.scene = scene;
    CopyRun run(other);
    run.steps(3);
    CHECK(run.model->bodies.size() == scene.objects.size());
    return why->message;
  };
  const auto has = [](const std::string& text, const char* part) { return text.find(part) != std::string::npos; };
  const auto changed = [&](const std::function<void(Object&)>& how) {
    return with_object(world.scene, world.pattern, how);
  };
  CHECK(told(world.scene).empty());
  CHECK(has(told(with_source(world.scene, id, [](ParticleSource& s) { s.object = 0; })), "no object"));
  CHECK(has(told(without(world.scene, world.pattern)), "gone"));
  CHECK(has(told(changed([](Object& o) { o.body.kind = BodyKind::fixed; })), "not rigid"));
  CHECK(has(told(changed([](Object& o) {
              o.body.kind = BodyKind::flexible;
              o.analysis.kind = AnalysisKind::icosahedron;
            })),
            "not rigid"));
  CHECK(
      has(told(with_source(world.scene, id, [&](ParticleSource& s) { s.carrier = world.pattern.value; })), "carries"));
  Scene joined = world.scene;
  Joint joint;
  joint.id = next_id(joined);
  joint.a.object = world.pattern.value;
  joined.joints.push_back(Shared<Joint>(joint));
  CHECK(has(told(joined), "joint"));
  Scene far = world.scene;
  Object huge = CopyWorld::brick();
  huge.id = Id{kFirstCopyId + 5};
  far.objects.push_back(Shared<Object>(huge));
  CHECK(has(told(far), "id"));
}

}  // namespace copies_test
