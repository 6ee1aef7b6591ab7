// Scenes of particles: a fountain, a chimney in gusts, blocks that are blown apart, snow on a roof, dust behind a car, a boat and its wake.
#include "core/scene/derived/ready_sources.h"
#include "core/scene/derived/tracks.h"
#include "scenes/builder.h"
#include "scenes/shipped.h"

namespace hazumi::shipped {

namespace {

const Vec3 kStone(0.62, 0.60, 0.56), kBrick(0.58, 0.28, 0.20), kBark(0.40, 0.29, 0.20);

/// As the scenes were made, whatever ready-made sources are like now.
void keep_angles(ParticleSource& source) {
  struct Angles {
    std::string_view name;
    double cone, spin;
  };
  constexpr Angles kAll[] = {{"Fountain", 0.14, 3},     {"Smoke", 0.25, 0.6},   {"Snow", 0.3, 3},
                             {"Blast smoke", 0.8, 0.6}, {"Blast fire", 0.5, 3}, {"Blast sparks", 0.6, 3},
                             {"Splash", 0.55, 3},       {"Dust", 0.9, 0.6}};
  for (const Angles& one : kAll) {
    if (!source.name.starts_with(one.name)) continue;
    source.cone = one.cone;
    source.spin = one.spin;
  }
}

/// The last of them; those of one kind that are several come together.
ParticleSource& last(Builder& b, std::vector<ParticleSource>& made, ReadySource kind, const Vec3& place,
                     Id carrier = {}) {
  made = make_ready_sources(b.scene, kind, place, carrier);
  for (ParticleSource& one : made) keep_angles(one);
  return made.back();
}

void put(Builder& b, const std::vector<ParticleSource>& made) {
  for (const ParticleSource& one : made) b.scene.particles.emplace_back(one);
}

ForceField wind_of(Builder& b, double speed, double gust) {
  ForceField wind;
  wind.id = next_id(b.scene);
  wind.name = "Wind";
  wind.rotation = Quat(Eigen::AngleAxisd(-0.5 * kPi, Vec3::UnitZ()));
  wind.speed = speed;
  wind.gust = gust;
  wind.gust_size = 2.5;
  wind.gust_period = 1.8;
  return wind;
}

}  // namespace

/// Water that rises, falls and splashes on the stone.
Scene fountain() {
  Builder b(
      "Fountain",
      "Nine hundred drops a second rise, fall and splash where they hit the basin. Make them faster, or let a wind "
      "blow.",
      300);
  b.stage(1e7, 0.2, Vec3(0.46, 0.48, 0.44), Vec3(0.62, 0.72, 0.84));
  Object basin = b.object("Basin", "white plastic", PrimitiveShape::tube, Vec3(2.6, 0.4, 2.6), Vec3(0, 0.2, 0));
  basin.display.primitive.divisions = {48, 1, 1};
  basin.display.primitive.ratio = 0.88;
  basin.body.kind = BodyKind::fixed;
  Builder::paint(basin, kStone, 0.1);
  b.add(basin);
  Object bowl = b.object("Bowl", "white plastic", PrimitiveShape::cylinder, Vec3(0.7, 0.08, 0.7), Vec3(0, 0.86, 0));
  bowl.body.kind = BodyKind::fixed;
  Builder::paint(bowl, kStone, 0.1);
  b.add(bowl);
  Object column = b.object("Column", "white plastic", PrimitiveShape::cylinder, Vec3(0.2, 0.84, 0.2), Vec3(0, 0.42, 0));
  column.body.kind = BodyKind::fixed;
  Builder::paint(column, kStone, 0.1);
  b.add(column);
  Object water = b.object("Water", "cyan plastic", PrimitiveShape::cylinder, Vec3(2.3, 0.02, 2.3), Vec3(0, 0.22, 0));
  water.body.kind = BodyKind::fixed;
  Builder::paint(water, Vec3(0.24, 0.48, 0.60), 0.5);
  water.material.surface.opacity = 0.7;
  b.add(water);
  std::vector<ParticleSource> made;
  ParticleSource& jet = last(b, made, ReadySource::fountain, Vec3(0, 0.93, 0));
  const std::uint64_t drops_id = jet.id.value + 1;
  jet.hit = ParticleHit::split;
  jet.into = drops_id;
  jet.pieces = 2;
  ParticleSource drops = jet;
  drops.id = {drops_id};
  drops.name = "Drops";
  drops.rate = 0;
  drops.cone = 1.1;
  drops.speed = 0.9;
  drops.speed_spread = 0.6;
  drops.life = 0.4;
  drops.radius = 0;
  drops.hit = ParticleHit::die;
  drops.look = ParticleLook::disc;
  drops.size = 0.014;
  drops.most = 8000;
  made.push_back(drops);
  put(b, made);
  b.camera(Vec3(1.6, 2.4, 4.6), Vec3(0, 1.05, 0));
  return b.done();
}

/// What rises from a chimney is bent and torn by gusts.
Scene chimney() {
  Builder b("Chimney in gusts",
            "Puffs rise, grow and fade; a wind with gusts takes them along. Key its speed, or give the smoke another "
            "colour.",
            360);
  b.stage(1e7, 0.2, Vec3(0.44, 0.50, 0.38), Vec3(0.66, 0.76, 0.88));
  b.add(b.block("House", Vec3(2.2, 1.3, 1.6), Vec3(-0.6, 0.65, 0), Vec3(0.82, 0.76, 0.64)));
  Object roof = b.object("Roof", "red plastic", PrimitiveShape::wedge, Vec3(2.5, 0.9, 1.9), Vec3(-0.6, 1.75, 0));
  roof.display.primitive.divisions = {1, 1, 1};
  roof.body.kind = BodyKind::fixed;
  Builder::paint(roof, kBrick, 0.05);
  b.add(roof);
  Object chimney = b.object("Chimney", "red plastic", PrimitiveShape::tube, Vec3(0.42, 1.5, 0.42), Vec3(0.1, 2.0, 0));
  chimney.display.primitive.divisions = {24, 1, 1};
  chimney.display.primitive.ratio = 0.7;
  chimney.body.kind = BodyKind::fixed;
  Builder::paint(chimney, kBrick, 0.05);
  b.add(chimney);
  std::vector<ParticleSource> made;
  last(b, made, ReadySource::smoke, Vec3(0.1, 2.7, 0));
  put(b, made);
  b.scene.fields.emplace_back(wind_of(b, 1.1, 0.9));
  b.camera(Vec3(1.4, 2.6, 7.4), Vec3(0.9, 2.1, 0));
  return b.done();
}

/// A push away from the middle, for three hundredths of a second, with fire, sparks and smoke.
Scene explosion() {
  Builder b(
      "Explosion of ten blocks",
      "For three hundredths of a second a field pushes all away from the middle; fire, sparks and smoke come with "
      "it. Make it stronger.",
      300);
  b.stage(1e7, 0.2, Vec3(0.40, 0.40, 0.42), Vec3(0.30, 0.34, 0.42));
  int number = 0;
  for (int row = 0; row < 4; ++row)
    for (int k = 0; k < 4 - row; ++k) {
      Object block = b.object("Block " + std::to_string(++number), "white plastic", PrimitiveShape::box,
                              Vec3(0.4, 0.4, 0.4), Vec3(0.42 * (k - 0.5 * (3 - row)), 0.2 + 0.401 * row, 0));
      block.display.primitive.divisions = {1, 1, 1};
      block.body.mass = 4;
      Builder::physics(block, 1e7, 0.2, 0.6);
      Builder::paint(block, (row + k) % 2 ? Vec3(0.80, 0.62, 0.34) : Vec3(0.70, 0.34, 0.22), 0.05);
      b.add(block);
    }
  const Vec3 middle(0, 0.35, -0.1);
  std::vector<ParticleSource> made;
  last(b, made, ReadySource::explosion, middle);
  put(b, made);
  ForceField blast;
  blast.id = next_id(b.scene);
  blast.name = "Blast";
  blast.kind = FieldKind::attractor;
  blast.shape = FieldShape::ball;
  blast.position = middle;
  blast.radius = 1;
  blast.falloff = 1;
  blast.core = 0.3;
  blast.strength = -260;
  blast.on = false;
  b.scene.fields.emplace_back(blast);
  b.camera(Vec3(1.2, 1.9, 6.4), Vec3(0, 0.9, 0));
  b.scene = b.done();
  b.scene = with_key(std::move(b.scene), blast.id.value, "on", 0, false);
  b.scene = with_key(std::move(b.scene), blast.id.value, "on", 0.5, true);
  b.scene = with_key(std::move(b.scene), blast.id.value, "on", 0.53, false);
  return b.scene;
}

/// Flakes lie where they land: on the roof, on the ground, on a branch that swings.
Scene snowfall() {
  Builder b("Snow on a roof",
            "Flakes sink in a light wind and lie where they land, on what moves too. Let it snow harder, or shake the "
            "sign.",
            480);
  b.stage(1e7, 0.2, Vec3(0.34, 0.38, 0.42), Vec3(0.36, 0.42, 0.52));
  b.add(b.block("Hut", Vec3(1.8, 1.1, 1.4), Vec3(0, 0.55, 0), kBark));
  Object roof = b.object("Roof", "red plastic", PrimitiveShape::wedge, Vec3(2.2, 0.8, 1.8), Vec3(0, 1.5, 0));
  roof.display.primitive.divisions = {1, 1, 1};
  roof.body.kind = BodyKind::fixed;
  Builder::paint(roof, Vec3(0.42, 0.20, 0.17), 0.05);
  b.add(roof);
  Object post = b.block("Post", Vec3(0.12, 1.7, 0.12), Vec3(1.7, 0.85, 0.4), kBark);
  b.add(post);
  Object sign = b.object("Sign", "white plastic", PrimitiveShape::box, Vec3(0.7, 0.4, 0.3), Vec3(2.14, 1.35, 0.4));
  sign.display.primitive.divisions = {1, 1, 1};
  sign.body.mass = 2;
  sign.body.spin = Vec3(0, 0, 1.5);
  Builder::paint(sign, Vec3(0.72, 0.58, 0.32), 0.05);
  b.add(sign);
  Joint hinge;
  hinge.id = {b.next++};
  hinge.name = "Hinge";
  hinge.kind = JointKind::hinge;
  hinge.a.place = Vec3(2.14, 1.6, 0.4);
  hinge.b = {sign.id.value, Vec3(0, 0.25, 0)};
  b.scene.joints.emplace_back(hinge);
  std::vector<ParticleSource> made;
  ParticleSource& snow = last(b, made, ReadySource::snow, Vec3(0, -0.8, 0));
  snow.radius = 3.4;
  snow.rate = 900;
  snow.life = 9;
  snow.most = 9000;
  snow.size = 0.035;
  put(b, made);
  ForceField wind = wind_of(b, 0.5, 0.5);
  wind.density = 0;  // it carries flakes by their own drag alone, and moves no sign
  b.scene.fields.emplace_back(wind);
  b.camera(Vec3(2.2, 2.1, 5.6), Vec3(0.3, 1.0, 0));
  return b.done();
}

/// The car with four motors, on sand: dust behind it all the way, and where a wheel lands.
Scene dusty_car() {
  Scene car = driven_car();
  car.name = "Car with dust";
  car.description =
      "Dust from under a car that four motors drive: its source is carried by the body. Where a wheel lands its motion "
      "graph lets more rise. Give the dust more life, or a wind.";
  Builder b("", "", 0);
  b.scene = std::move(car);
  Object floor = *b.scene.objects.front();
  Builder::paint(floor, Vec3(0.66, 0.56, 0.42), 0.02);
  b.scene.objects.front() = floor;
  const Id body = b.id_of("Body");
  for (const double side : {1.0, -1.0}) {
    std::vector<ParticleSource> made;
    ParticleSource& dust = last(b, made, ReadySource::dust, Vec3::Zero(), body);
    dust.position = Vec3(-0.62, -0.42, 0.45 * side);
    dust.rotation = Quat(Eigen::AngleAxisd(0.9, Vec3::UnitZ()));  // up and backwards
    dust.rate = 70;
    put(b, made);
  }
  std::vector<ParticleSource> made;
  ParticleSource& landing = last(b, made, ReadySource::dust, Vec3::Zero());
  landing.name = "Landing dust";
  landing.rate = 0;
  landing.radius = 0.12;
  landing.cone = 1.3;
  landing.speed = 1.1;
  landing.life = 1.4;
  const Id raised = landing.id;
  put(b, made);
  double row = 0;
  for (const char* name : {"Front right wheel", "Front left wheel", "Rear right wheel", "Rear left wheel"}) {
    const Id wheel = b.id_of(name);
    b.chain({b.when("contact", wheel, floor.id, 0, row, {{"above", {}, 3}}, true),
             b.does("emit", wheel, raised, 1, row, {{"count", {}, 24}})});
    ++row;
  }
  return b.scene;
}

/// A boat that a force in its own axes drives through buoys; spray at bow and stern goes with it.
Scene boat() {
  Builder b(
      "Boat and its wake",
      "Water carries the boat, a force at its stern drives it through three buoys; spray at the stern and the bow "
      "goes with it. Push harder, or steer: move the force to one side.",
      300);
  constexpr double kWater = 1;
  b.stage(1e7, 0.2, Vec3(0.21, 0.47, 0.60), Vec3(0.62, 0.72, 0.82));
  Object surface =
      b.object("Water", "cyan plastic", PrimitiveShape::box, Vec3(26, kWater, 12), Vec3(0, 0.5 * kWater, 0));
  surface.display.primitive.divisions = {1, 1, 1};
  surface.body.kind = BodyKind::fixed;
  surface.contact.enabled = false;
  Builder::paint(surface, Vec3(0.18, 0.42, 0.54), 0.4);
  surface.material.surface.opacity = 1;
  Object hull =
      b.object("Boat", "white plastic", PrimitiveShape::superellipsoid, Vec3(1.9, 0.56, 0.8), Vec3(-5.5, 1.06, 0));
  hull.display.primitive.divisions = {32, 16, 1};
  hull.body.mass_source = MassSource::given;
  hull.body.mass = 190;
  hull.body.velocity = Vec3(1.6, 0, 0);
  hull.body.air = 0.25;
  Builder::physics(hull, 1e7, 0.2, 0.3);
  Builder::paint(hull, Vec3(0.82, 0.80, 0.74), 0.15);
  b.add(hull);
  Object cabin = b.block("Cabin", Vec3(0.5, 0.34, 0.44), Vec3(-5.7, kWater + 0.38, 0), Vec3(0.66, 0.24, 0.18));
  cabin.parent = hull.id.value;
  b.add(cabin);
  int number = 0;
  for (const Vec3& at : {Vec3(-1.6, kWater, 0.14), Vec3(0.4, kWater, -0.2), Vec3(2.3, kWater, 0.1)}) {
    Object buoy =
        b.object("Buoy " + std::to_string(++number), "red plastic", PrimitiveShape::sphere, Vec3(0.34, 0.34, 0.34), at);
    buoy.body.mass_source = MassSource::given;
    buoy.body.mass = 9;
    Builder::physics(buoy, 1e7, 0.4, 0.3);
    Builder::paint(buoy, Vec3(0.86, 0.34, 0.12), 0.2);
    b.add(buoy);
  }
  b.add(surface);
  ForceField water;
  water.id = {b.next++};
  water.name = "Water";
  water.kind = FieldKind::water;
  water.position = Vec3(0, kWater, 0);
  water.linear = 0.5;
  b.scene.fields.emplace_back(water);
  Force thrust;
  thrust.id = {b.next++};
  thrust.name = "Screw";
  thrust.object = hull.id.value;
  thrust.place = Vec3(-0.9, -0.1, 0);
  thrust.push = Vec3(260, 0, 0);
  thrust.own_axes = true;
  b.scene.forces.emplace_back(thrust);
  const auto spray = [&](const char* name, const Vec3& place, double lean, double rate, double speed) {
    std::vector<ParticleSource> made;
    ParticleSource& one = last(b, made, ReadySource::splash, Vec3::Zero(), hull.id);
    one.name = name;
    one.position = place;
    one.rotation = Quat(Eigen::AngleAxisd(lean, Vec3::UnitX()));
    one.rate = rate;
    one.speed = speed;
    one.radius = 0.12;
    one.collides = false;
    put(b, made);
  };
  spray("Stern", Vec3(-0.96, 0.06, 0), 0, 1200, 1.9);
  {
    // What stays behind on the water.
    std::vector<ParticleSource> made;
    ParticleSource& foam = last(b, made, ReadySource::splash, Vec3::Zero(), hull.id);
    foam.name = "Foam";
    foam.position = Vec3(-0.95, 0, 0);
    foam.radius = 0.3;
    foam.rate = 260;
    foam.speed = 0.25;
    foam.cone = 1.5;
    foam.inherit = 0;
    foam.linear = 1.2;
    foam.collides = false;
    foam.look = ParticleLook::disc;
    foam.size = 0.07;
    foam.growth = 3;
    foam.size_keys = {{0.25, 2.2}};
    foam.colour_keys = {{0.25, Vec3(0.80, 0.92, 0.97)}};
    foam.end_colour = Vec3(0.45, 0.66, 0.76);
    foam.life = 3.2;
    foam.opacity = 0.5;
    foam.fade_out = 0.8;
    put(b, made);
  }
  spray("Bow, left", Vec3(0.66, 0.02, 0.3), 0.9, 700, 1.6);
  spray("Bow, right", Vec3(0.66, 0.02, -0.3), -0.9, 700, 1.6);
  b.camera(Vec3(-3.4, 3.2, 5.4), Vec3(-2.2, 0.9, 0));
  return b.done();
}

}  // namespace hazumi::shipped
