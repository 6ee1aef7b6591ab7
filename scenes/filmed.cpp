// Scenes for looking: lights that change, and three cameras with the cuts between them.
#include <cmath>
#include <utility>

#include "core/math/rotation.h"
#include "core/scene/derived/cameras.h"
#include "core/scene/derived/following.h"
#include "core/scene/derived/tracks.h"
#include "scenes/builder.h"
#include "scenes/shipped.h"

namespace hazumi::shipped {

namespace {

struct At {
  double time;
  FieldValue value;
};

void keys(Builder& b, Id thing, const char* field, std::initializer_list<At> all) {
  for (const At& key : all) b.scene = with_key(std::move(b.scene), thing.value, field, key.time, key.value);
  b.next = next_id(b.scene).value;
}

/// Goes round again for good, evenly.
void round_and_round(Builder& b, Id light, const Vec3& middle, double radius, double begins, double period) {
  constexpr int kKeys = 12;
  for (int i = 0; i <= kKeys; ++i) {
    const double angle = begins + 2 * kPi * i / kKeys;
    b.scene = with_key(std::move(b.scene), light.value, "position", period * i / kKeys,
                       Vec3(middle + radius * Vec3(std::sin(angle), 0, std::cos(angle))));
  }
  b.scene.tracks.back() =
      b.scene.tracks.back().edited([](Track& track) { track.before = track.after = Beyond::cycle; });
  b.next = next_id(b.scene).value;
}

Light lamp(Builder& b, const char* name, const Vec3& colour) {
  Light light;
  light.id = {b.next++};
  light.name = name;
  light.kind = LightKind::point;
  light.colour = colour;
  light.intensity = 0;
  return light;
}

}  // namespace

/// A night with three coloured lamps that go round and come on one after the other, then the sun rises and puts them
/// out.
Scene lights() {
  Builder b("Lights that change",
            "Colour, strength and place of every light have keys: three lamps circle in the night until the sun rises.",
            480);
  b.stage(1e8, 0.7, Vec3(0.62, 0.60, 0.58), Vec3(0.05, 0.07, 0.15));
  const Id sun = b.scene.lights[0]->id, sky = b.scene.lights[1]->id;
  b.scene = with_light(std::move(b.scene), sun, [](Light& l) { l.name = "Sun"; });
  b.scene = with_light(std::move(b.scene), sky, [](Light& l) { l.name = "Sky"; });
  const auto stand = [&](const char* name, const Vec3& at) {
    Object o = b.block(name, Vec3(0.5, at.y(), 0.5), Vec3(at.x(), 0.5 * at.y(), at.z()), Vec3(0.72, 0.71, 0.69));
    b.add(o);
  };
  stand("Left stand", Vec3(-0.95, 0.45, 0));
  stand("Middle stand", Vec3(0, 0.75, -0.25));
  stand("Right stand", Vec3(0.95, 0.45, 0));
  const auto shown = [&](const char* name, const char* material, PrimitiveShape shape, const Vec3& size,
                         const Vec3& at) {
    Object o = b.object(name, material, shape, size, at);
    Builder::only_seen(o);
    b.add(o);
    return o.id;
  };
  Object ring = b.object("Ring", "polished gold", PrimitiveShape::torus, Vec3(0.52, 0.17, 0.52), Vec3(-0.95, 0.72, 0));
  ring.display.primitive.divisions = {64, 32, 1};
  ring.transform.rotation = Quat(Eigen::AngleAxisd(radians(90), Vec3::UnitX()));
  Builder::only_seen(ring);
  b.add(ring);
  shown("Pearl", "pearl", PrimitiveShape::sphere, Vec3(0.52, 0.52, 0.52), Vec3(0, 1.01, -0.25));
  Object gem = b.object("Gem", "ruby", PrimitiveShape::superellipsoid, Vec3(0.5, 0.56, 0.5), Vec3(0.95, 0.73, 0));
  gem.display.primitive.round_along = gem.display.primitive.round_across = 1.8;
  gem.display.primitive.divisions = {48, 32, 1};
  Builder::only_seen(gem);
  b.add(gem);
  // What moves by itself: a ball that bounces before the stands all the time.
  Object ball = b.object("Ball", "white rubber", PrimitiveShape::sphere, Vec3(0.22, 0.22, 0.22), Vec3(-1.7, 0.9, 0.85));
  ball.body.mass = 0.2;
  ball.body.velocity = Vec3(0.42, 0, 0);
  Builder::physics(ball, 1e7, 0.93, 0.1);
  b.add(ball);

  for (const auto& [name, colour, begins, on] :
       {std::tuple("Red lamp", Vec3(1, 0.12, 0.08), 0.0, 0.2), std::tuple("Green lamp", Vec3(0.10, 1, 0.25), 2.1, 1.0),
        std::tuple("Blue lamp", Vec3(0.12, 0.3, 1), 4.2, 1.8)}) {
    const Light light = lamp(b, name, colour);
    b.scene.lights.push_back(light);
    round_and_round(b, light.id, Vec3(0, 1.5, 0.2), 1.7, begins, 4);
    keys(b, light.id, "intensity", {{0, 0.0}, {on, 0.0}, {on + 0.5, 1.0}, {5.0, 1.0}, {6.6, 0.0}});
  }
  keys(b, sun, "position", {{0, Vec3(-7, 0.3, -2.0)}, {4.6, Vec3(-7, 0.4, -2.0)}, {8, Vec3(-3.5, 6.5, 5)}});
  keys(b, sun, "colour", {{4.6, Vec3(1, 0.35, 0.12)}, {5.8, Vec3(1, 0.62, 0.32)}, {8, Vec3(1, 0.96, 0.88)}});
  keys(b, sun, "intensity", {{0, 0.0}, {4.4, 0.0}, {5.6, 0.6}, {8, 0.9}});
  keys(b, sky, "intensity", {{0, 0.06}, {4.4, 0.06}, {8, 0.35}});
  keys(b, Id{}, "settings.background",
       {{0, Vec3(0.05, 0.07, 0.15)},
        {4.2, Vec3(0.07, 0.08, 0.19)},
        {5.4, Vec3(0.62, 0.38, 0.30)},
        {6.4, Vec3(0.80, 0.62, 0.50)},
        {8, Vec3(0.66, 0.77, 0.88)}});
  keys(b, Id{}, "settings.ambient",
       {{0, Vec3(0.03, 0.03, 0.05)}, {4.4, Vec3(0.03, 0.03, 0.05)}, {8, Vec3(0.3, 0.3, 0.3)}});
  b.camera(Vec3(0.5, 1.5, 4.3), Vec3(0, 0.75, 0));
  return b.done();
}

/// A ball runs down a ramp into a row of slabs, whose last one pushes a ball into a tower. The total of it is seen by
/// the first camera; the second one rides beside the ball and turns to it, the third one waits at the tower.
Scene cuts() {
  Builder b(
      "Three cameras, three cuts",
      "The strip under the ruler says which camera takes the pictures when; Close rides on a rail beside the ball, "
      "and turns to it.",
      300);
  b.stage(1e8, 0.4, Vec3(0.56, 0.60, 0.62), Vec3(0.70, 0.76, 0.80));
  constexpr double kTilt = 22, kLong = 1.9, kThick = 0.08, kBall = 0.24;  // °, m
  const Vec3 along(std::cos(radians(kTilt)), -std::sin(radians(kTilt)), 0), up(-along.y(), along.x(), 0);
  const Vec3 foot(-1.25, 0.02, 0);
  Object ramp =
      b.object("Ramp", "white plastic", PrimitiveShape::box, Vec3(kLong, kThick, 0.6), foot - 0.5 * kLong * along);
  ramp.transform.rotation = turn_onto(Vec3::UnitX(), along);
  ramp.body.kind = BodyKind::fixed;
  Builder::paint(ramp, Vec3(0.32, 0.36, 0.42), 0.15);
  Builder::physics(ramp, 1e8, 0.3, 0.8);
  b.add(ramp);
  Object ball = b.object("Ball", "red rubber", PrimitiveShape::sphere, Vec3(kBall, kBall, kBall),
                         foot - 0.92 * kLong * along + (0.5 * (kThick + kBall) + 1e-4) * up);
  ball.body.mass = 3;
  Builder::physics(ball, 1e8, 0.3, 0.8);
  b.add(ball);
  constexpr int kSlabs = 11;
  for (int i = 0; i < kSlabs; ++i) {
    Object slab = b.block("Slab " + std::to_string(i + 1), Vec3(0.07, 0.46, 0.26), Vec3(-0.55 + 0.2 * i, 0.23, 0),
                          i % 2 ? Vec3(0.93, 0.78, 0.36) : Vec3(0.20, 0.50, 0.62));
    slab.body.kind = BodyKind::rigid;
    slab.body.mass = 0.8;
    Builder::physics(slab, 1e8, 0.1, 0.4);
    b.add(slab);
  }
  // It lies as high as a falling slab is fast.
  b.add(b.block("Stand", Vec3(0.34, 0.2, 0.34), Vec3(1.80, 0.1, 0), Vec3(0.32, 0.36, 0.42)));
  Object second =
      b.object("Second ball", "red rubber", PrimitiveShape::sphere, Vec3(0.2, 0.2, 0.2), Vec3(1.72, 0.3, 0));
  second.body.mass = 0.7;
  Builder::physics(second, 1e8, 0.5, 0.5);
  b.add(second);
  for (int row = 0; row < 4; ++row)
    for (int column = 0; column < 3 - (row > 1); ++column) {
      Object box = b.block("Box " + std::to_string(row) + std::to_string(column), Vec3(0.22, 0.22, 0.22),
                           Vec3(2.55, 0.11 + 0.22 * row, 0.235 * (column - 0.5 * (2 - (row > 1)))),
                           (row + column) % 2 ? Vec3(0.80, 0.36, 0.28) : Vec3(0.88, 0.84, 0.76));
      box.body.kind = BodyKind::rigid;
      box.body.mass = 0.025;
      Builder::physics(box, 1e7, 0.2, 0.45);
      b.add(box);
    }
  const auto shot = [&](const char* name, const Vec3& from, const Vec3& to, double lens, const Vec3& colour) {
    b.camera(from, to);
    b.scene.cameras.back() = b.scene.cameras.back().edited([&](Camera& c) {
      c.name = name;
      c.focal_length = lens;
      c.depth.automatic = true;
      c.colour = colour;
    });
  };
  shot("Wide", Vec3(0.9, 1.45, 5.3), Vec3(0.15, 0.42, 0), 35, Vec3(0.42, 0.62, 0.9));
  shot("Close", Vec3(-0.5, 0.62, 2.3), Vec3(-1.6, 0.5, 0), 50, Vec3(0.9, 0.62, 0.36));
  shot("Tower", Vec3(4.0, 0.42, 1.35), Vec3(2.2, 0.4, 0), 28, Vec3(0.5, 0.76, 0.48));
  (void)b.done();
  Curve rail;
  rail.id = next_id(b.scene);
  rail.name = "Rail";
  rail.colour = Vec3(0.9, 0.62, 0.36);
  for (const Vec3& place :
       {Vec3(-3.2, 1.25, 1.3), Vec3(-2.0, 0.85, 2.1), Vec3(-0.6, 0.5, 2.2), Vec3(0.7, 0.55, 1.75)}) {
    CurvePoint point;
    point.place = place;
    rail.points.push_back(point);
  }
  b.scene.curves.push_back(Shared<Curve>(rail));
  b.scene.cameras[1] = b.scene.cameras[1].edited([&](Camera& c) {
    c.looks_at = ball.id.value;
    c.follow.curve = rail.id.value;
  });
  const Id rider = b.scene.cameras[1]->id;
  keys(b, rider, "follow.along", {{0.4, 0.0}, {2.4, 1.0}});
  const std::pair<int, double> cuts[] = {{1, 0.6}, {2, 2.2}, {0, 3.6}};
  for (const auto& [camera, time] : cuts) {
    const Id seen_by = b.scene.cameras[static_cast<size_t>(camera)]->id;  // before the scene is moved from
    b.scene = with_cut(std::move(b.scene), seen_by, time);
  }
  return placed_on_curves(std::move(b.scene));
}

}  // namespace hazumi::shipped
