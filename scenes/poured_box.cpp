// Five hundred bodies of five kinds, poured into a box.
#include "scenes/shipped.h"

#include <array>
#include <cmath>
#include <random>

#include "scenes/builder.h"

namespace hazumi::shipped {

namespace {

constexpr int kSide = 5, kLayers = 20;         // of the column that falls
constexpr double kApart = 0.26, kAbove = 0.3;  // m, between its bodies
constexpr double kInner = 1.3, kHigh = 1.3, kBoxWall = 0.06;

/// Even numbers in 0…1 that are the same on every machine.
struct Even {
  std::mt19937 random{7};
  double next() { return static_cast<double>(random()) / 4294967296.0; }
  double between(double a, double b) { return a + (b - a) * next(); }
};

/// One of five kinds, of a size between four fifths and the whole of that kind's; none reaches farther than 0.115 m from its middle.
Object thing(Builder& b, int number, Even& even, const Vec3& at) {
  const double scale = even.between(0.8, 1);
  const double tint = even.between(-0.06, 0.06);
  const auto make = [&](const char* name, PrimitiveShape shape, const Vec3& size, std::array<int, 3> divisions,
                        const Vec3& colour) {
    Object o = b.object(name + (" " + std::to_string(number + 1)), "white plastic", shape, scale * size, at);
    o.display.primitive.divisions = divisions;
    Builder::paint(o, colour + Vec3::Constant(tint), 0.25);
    const double volume = scale * scale * scale * size.prod();
    o.body.mass = 500 * volume;  // of the box around it
    return o;
  };
  const auto kind = static_cast<int>(even.next() * 10);
  if (kind < 4)
    return make("Ball", PrimitiveShape::sphere, Vec3::Constant(0.17), {20, 10, 1},
                kind % 2 == 1 ? Vec3(0.80, 0.24, 0.16) : Vec3(0.90, 0.62, 0.14));
  if (kind < 7) {
    Object o = make("Block", PrimitiveShape::rounded_box, Vec3(0.14, 0.11, 0.13), {1, 1, 1}, Vec3(0.16, 0.42, 0.62));
    o.display.primitive.ratio = 0.15;
    o.contact.shape = ContactShape::box;
    return o;
  }
  if (kind == 7)
    return make("Capsule", PrimitiveShape::capsule, Vec3(0.085, 0.21, 0.085), {12, 6, 2}, Vec3(0.36, 0.58, 0.24));
  if (kind == 8)
    return make("Drum", PrimitiveShape::cylinder, Vec3(0.14, 0.11, 0.14), {16, 1, 1}, Vec3(0.62, 0.56, 0.50));
  Object o = make("Lens", PrimitiveShape::superellipsoid, Vec3(0.20, 0.09, 0.20), {16, 8, 1}, Vec3(0.52, 0.30, 0.56));
  return o;
}

}  // namespace

Scene poured_box() {
  Builder b("Box poured full", "Five hundred balls, blocks, capsules, drums and lenses are poured into a box.", 240);
  b.scene.settings.substeps = 2;
  b.stage(1e8, 0.2, Vec3(0.58, 0.56, 0.52), Vec3(0.74, 0.76, 0.78));
  const double out = 0.5 * (kInner + kBoxWall), length = kInner + 2 * kBoxWall;
  for (const auto& [name, size, at] :
       {std::tuple("Wall behind", Vec3(length, kHigh, kBoxWall), Vec3(0, 0.5 * kHigh, -out)),
        std::tuple("Wall in front", Vec3(length, kHigh, kBoxWall), Vec3(0, 0.5 * kHigh, out)),
        std::tuple("Wall on the left", Vec3(kBoxWall, kHigh, kInner), Vec3(-out, 0.5 * kHigh, 0)),
        std::tuple("Wall on the right", Vec3(kBoxWall, kHigh, kInner), Vec3(out, 0.5 * kHigh, 0))}) {
    Object wall = b.block(name, size, at, Vec3(0.70, 0.52, 0.34));
    Builder::physics(wall, 1e8, 0.2, 0.4);
    b.add(wall);
  }
  Even even;
  for (int k = 0; k < kSide * kSide * kLayers; ++k) {
    const int x = k % kSide, z = k / kSide % kSide, layer = k / (kSide * kSide);
    // Drawn one by one: in which order a compiler works out arguments is its own choice.
    const double aside = 0.012, aside_z = even.between(-aside, aside), aside_x = even.between(-aside, aside);
    const Vec3 at((x - 0.5 * (kSide - 1)) * kApart + aside_x, 1.3 + layer * kAbove,
                  (z - 0.5 * (kSide - 1)) * kApart + aside_z);
    Object o = thing(b, k, even, at);
    const double tipped = even.between(0, kPi), turned = even.between(0, 2 * kPi);
    o.transform.rotation = Quat(Eigen::AngleAxisd(turned, Vec3::UnitY()) * Eigen::AngleAxisd(tipped, Vec3::UnitX()));
    o.body.kind = BodyKind::rigid;
    Builder::physics(o, 1e8, 0.2, 0.4);
    b.add(o);
  }
  b.camera(Vec3(1.35, 2.95, 2.95), Vec3(0, 0.72, 0));
  return b.done();
}

}  // namespace hazumi::shipped
