// A hundred dominoes on a clothoid, the curve whose curvature grows evenly with its length: an S that curls up at both ends.
#include "scenes/shipped.h"

#include <cmath>

#include "scenes/builder.h"

namespace hazumi::shipped {

namespace {

constexpr int kDominoes = 100;
constexpr double kApart = 0.075, kCurl = 1.1;  // m, rad/m²
constexpr double kDominoHeight = 0.17, kDominoWidth = 0.09, kDominoThick = 0.026;

struct Stand {
  Vec3 position;
  double heading;  // rad from +x towards −z
};

/// Where the curve is after `length` from its middle: x = ∫ cos(a s²/2) ds, −z = ∫ sin(a s²/2) ds.
Stand stand(double length) {
  const int steps = 400;
  const double ds = length / steps, tilt = radians(-24);
  Vec3 at = Vec3::Zero();
  for (int k = 0; k < steps; ++k) {
    const double s = (k + 0.5) * ds, angle = 0.5 * kCurl * s * s + tilt;
    at += ds * Vec3(std::cos(angle), 0, -std::sin(angle));
  }
  return {at, 0.5 * kCurl * length * length + tilt};
}

/// Colours of a rainbow, a little muted; t: 0…1.
Vec3 rainbow(double t) {
  const auto wave = [&](double shift) { return 0.5 + 0.5 * std::cos(2 * kPi * (0.85 * t - shift)); };
  return Vec3(0.12, 0.10, 0.12) + Vec3(0.72, 0.60, 0.72).cwiseProduct(Vec3(wave(0), wave(0.33), wave(0.62)));
}

}  // namespace

Scene dominoes() {
  Builder b("A hundred dominoes", "The first is pushed, and a hundred fall one after the other along an S.", 330);
  b.stage(1e8, 0.2, Vec3(0.66, 0.62, 0.56), Vec3(0.70, 0.72, 0.75));
  for (int k = 0; k < kDominoes; ++k) {
    const Stand s = stand((k - 0.5 * (kDominoes - 1)) * kApart);
    Object o = b.block("Domino " + std::to_string(k + 1), Vec3(kDominoThick, kDominoHeight, kDominoWidth),
                       s.position + Vec3(0, 0.5 * kDominoHeight, 0), rainbow(static_cast<double>(k) / (kDominoes - 1)));
    o.display.primitive.ratio = 0.3;
    o.transform.rotation = Quat(Eigen::AngleAxisd(s.heading, Vec3::UnitY()));
    o.body.kind = BodyKind::rigid;
    o.body.mass = 0.06;
    Builder::paint(o, o.material.surface.diffuse, 0.35);
    Builder::physics(o, 1e8, 0.2, 0.35);
    if (k == 0) {  // turns about its foot
      const Vec3 ahead = o.transform.rotation * Vec3::UnitX();
      o.body.spin = 3.0 * Vec3::UnitY().cross(ahead);
      o.body.velocity = o.body.spin.cross(Vec3(0, 0.5 * kDominoHeight, 0) - 0.5 * kDominoThick * ahead);
    }
    b.add(o);
  }
  b.camera(Vec3(0.25, 2.05, 2.75), Vec3(-0.03, 0.0, 0.10));
  return b.done();
}

}  // namespace hazumi::shipped
