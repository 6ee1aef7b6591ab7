// Copies of objects that a source pours.
#include <cmath>

#include "scenes/builder.h"
#include "scenes/shipped.h"

namespace hazumi::shipped {

namespace {

const Vec3 kBeech(0.72, 0.52, 0.33), kRail(0.56, 0.38, 0.24), kTray(0.34, 0.42, 0.50);

const Vec3 kSpout(-0.66, 2.72, 0);  // m, its middle

constexpr double kTilt = 0.21;  // rad, of a board
constexpr double kLong = 1.6, kWide = 0.46, kThick = 0.05;

/// A board with a rail on both sides, down towards +x or −x, and a stop behind its upper end.
void board(Builder& b, const std::string& name, const Vec3& middle, double way) {
  const Quat turn(Eigen::AngleAxisd(-way * kTilt, Vec3::UnitZ()));
  const auto put = [&](const std::string& part, const Vec3& size, const Vec3& at, const Vec3& colour) {
    Object o = b.block(name + part, size, middle + turn * at, colour);
    o.transform.rotation = turn;
    o.material.substance.restitution = 0.35;
    o.material.substance.friction = 0.3;
    b.add(o);
  };
  put("", Vec3(kLong, kThick, kWide), Vec3::Zero(), kBeech);
  for (const double side : {-1.0, 1.0})
    put(side < 0 ? " left" : " right", Vec3(kLong, 0.2, 0.03), Vec3(0, 0.1, side * 0.5 * kWide), kRail);
  put(" stop", Vec3(0.03, 0.55, kWide), Vec3(-way * 0.5 * kLong, 0.25, 0), kRail);
}

/// Each source has a third of the spout, so that none is in the way of another.
void pour(Builder& b, const std::string& name, const Vec3& colour, double size, double start, double turn) {
  Object marble = b.object(name, "obsidian", PrimitiveShape::sphere, Vec3::Constant(size),
                           Vec3(-1.5, 0.5 * size, 0.5 + 4 * size * start));
  marble.display.primitive.divisions = {32, 16, 1};
  Builder::paint(marble, colour, 0.7);
  marble.material.surface.shininess = 90;
  marble.material.substance.restitution = 0.45;
  marble.material.substance.friction = 0.3;
  marble.body.mass_source = MassSource::material;
  const std::uint64_t copied = marble.id.value;
  b.add(marble);
  ParticleSource source;
  source.id = {b.next++};
  source.name = name + " pour";
  source.gives = SourceGives::copies;
  source.object = copied;
  source.position = kSpout + Vec3(0.09 * std::cos(turn), 0.03, 0.09 * std::sin(turn));
  source.rotation = Quat(Eigen::AngleAxisd(kPi, Vec3::UnitX()));
  source.radius = 0.01;
  source.cone = 0.05;
  source.start = start;
  source.rate = 7;
  source.speed = 1.2;
  source.most_copies = 40;
  source.scale_spread = 0.18;
  b.scene.particles.emplace_back(source);
}

}  // namespace

/// A hundred and twenty marbles run down three boards into a tray.
Scene marbles() {
  Builder b(
      "Marbles",
      "Three sources pour copies of three marbles: rigid bodies that run down the boards and fill the tray. Raise "
      "Rate or Copies at most of a source, or put another object under Object.",
      660);
  b.stage(1e8, 0.3, Vec3(0.50, 0.47, 0.44), Vec3(0.80, 0.84, 0.88));
  board(b, "Upper board", Vec3(-0.1, 1.95, 0), 1);
  board(b, "Middle board", Vec3(0.3, 1.3, 0), -1);
  board(b, "Lower board", Vec3(-0.1, 0.72, 0), 1);
  for (const double x : {-0.62, 0.45})
    b.add(b.rod(x < 0 ? "Left post" : "Right post", 0.05, 2.5, Vec3(x, 1.25, -0.28), 24));
  Object spout = b.object("Spout", "silver", PrimitiveShape::tube, Vec3(0.36, 0.34, 0.36), kSpout);
  spout.display.primitive.divisions = {48, 1, 1};
  spout.display.primitive.ratio = 0.92;
  Builder::only_seen(spout);
  Builder::paint(spout, Vec3(0.62, 0.64, 0.68), 0.5);
  b.add(spout);
  Object tray = b.object("Tray", "white plastic", PrimitiveShape::tube, Vec3(1.0, 0.3, 1.0), Vec3(1.15, 0.15, 0));
  tray.display.primitive.divisions = {64, 1, 1};
  tray.display.primitive.ratio = 0.93;
  tray.body.kind = BodyKind::fixed;
  tray.contact.shape = ContactShape::surface;
  tray.material.substance.restitution = 0.3;
  Builder::paint(tray, kTray, 0.2);
  b.add(tray);
  pour(b, "Red marble", Vec3(0.80, 0.13, 0.14), 0.1, 0, 0);
  pour(b, "Blue marble", Vec3(0.12, 0.32, 0.78), 0.085, 0.05, 2 * kPi / 3);
  pour(b, "Amber marble", Vec3(0.95, 0.62, 0.10), 0.11, 0.1, 4 * kPi / 3);
  b.soften();
  b.camera(Vec3(1.9, 3.2, 4.7), Vec3(0.22, 1.38, 0));
  return b.done();
}

}  // namespace hazumi::shipped
