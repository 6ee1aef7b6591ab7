// A ball rolls down a lane, through a loop and into a pile of blocks. The lane is one gutter drawn along a way: a slope of
// 40°, level ground, the loop, which leads one lane's width aside, and level ground again.
#include "scenes/shipped.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "scenes/builder.h"
#include "scenes/mesh_text.h"

namespace hazumi::shipped {

namespace {

constexpr double kMarble = 0.15;                // m, radius of the ball
constexpr double kGutter = 0.23, kWall = 0.03;  // m, inner radius of the lane and how thick it is
constexpr double kLoop = 0.80, kAside = 0.50;   // m, radius of the loop and how far it leads aside
constexpr double kSlope = 40, kLevel = 0.06;    // degrees; m, height of the bottom of the level lane

constexpr std::size_t kBeforeLoop = 137, kLoopPieces = 540;  // sections of the lane

struct WayPoint {
  Vec3 place, up;
};

/// Puts the way together from straight pieces and arcs in the plane of x and y.
struct Way {
  std::vector<WayPoint> points;
  Vec3 at;
  double angle;  // rad, upwards from +x

  void straight(double length, double step) {
    const int pieces = std::max(1, static_cast<int>(std::lround(length / step)));
    for (int k = 0; k < pieces; ++k) go(length / pieces, 0);
  }
  /// Turns by `turn` on a circle; `aside` to +z meanwhile, gently at both ends.
  void arc(double radius, double turn, std::size_t pieces, double aside = 0) {
    const double side = at.z(), count = static_cast<double>(pieces);
    for (std::size_t k = 1; k <= pieces; ++k) {
      const double part = static_cast<double>(k) / count;
      go(radius * std::abs(turn) / count, turn / count);
      at.z() = side + aside * (part - std::sin(2 * kPi * part) / (2 * kPi));
      points.back().place.z() = at.z();
    }
  }

 private:
  void go(double length, double turn) {
    const double middle = angle + 0.5 * turn;
    at += Vec3(length * std::cos(middle), length * std::sin(middle), 0);
    angle += turn;
    points.push_back({at, Vec3(-std::sin(angle), std::cos(angle), 0)});
  }
};

Way lane() {
  const double slope = radians(kSlope);
  Way way{{}, Vec3(-4.0, 0, 0), -slope};
  way.points.push_back({way.at, Vec3(std::sin(slope), std::cos(slope), 0)});
  way.straight(2.9, 0.1);
  way.arc(1.6, slope, 100);
  way.straight(0.8, 0.1);
  way.arc(kLoop, 2 * kPi, kLoopPieces, kAside);
  way.straight(1.5, 0.1);
  const double low = kLevel - way.at.y();
  for (WayPoint& p : way.points) p.place.y() += low;
  return way;
}

/// A gutter along the way, its inner bottom on it: a ring of points around each section, which the caps close.
MeshText gutter(const Way& way) {
  MeshText mesh;
  mesh.part("Lane");
  const int parts = 12;
  const double half = radians(56);
  std::vector<std::vector<std::size_t>> rings;
  for (const WayPoint& p : way.points) {
    std::vector<std::size_t> ring;
    const auto at = [&](double radius, double angle) {
      return mesh.vertex(p.place + kGutter * p.up +
                         radius * (std::sin(angle) * Vec3::UnitZ() - std::cos(angle) * p.up));
    };
    for (int k = 0; k <= parts; ++k) ring.push_back(at(kGutter, half - 2 * half * k / parts));
    for (int k = 0; k <= parts / 2; ++k) ring.push_back(at(kGutter + kWall, -half + 4 * half * k / parts));
    rings.push_back(ring);
  }
  mesh.skin(rings);
  // The ends, in strips between inside and outside: two parts inside to one outside.
  for (const bool last : {false, true}) {
    const auto& r = last ? rings.back() : rings.front();
    for (std::size_t k = 0; k < static_cast<std::size_t>(parts); k += 2) {
      const std::size_t outer = r.size() - 1 - k / 2;
      std::vector<std::size_t> strip = {r[k], r[k + 1], r[k + 2], r[outer - 1], r[outer]};
      if (!last) std::reverse(strip.begin(), strip.end());
      mesh.face(strip);
    }
  }
  return mesh;
}

/// A ball with a broad band, so that it is seen to roll.
MeshText marble() {
  MeshText mesh;
  std::vector<Vec2> profile;
  for (int k = 0; k <= 24; ++k) profile.push_back(kMarble * Vec2(std::sin(kPi * k / 24), -std::cos(kPi * k / 24)));
  profile.front().x() = profile.back().x() = 0;
  mesh.part("Lower half");
  mesh.turned(profile, 48, Vec3::Zero(), 0, 9);
  mesh.part("Band");
  mesh.turned(profile, 48, Vec3::Zero(), 9, 15);
  mesh.part("Upper half");
  mesh.turned(profile, 48, Vec3::Zero(), 15);
  return mesh;
}

void posts(Builder& b, const Way& way) {
  int number = 0;
  const auto post = [&](const Vec3& top) {
    Object o = b.object("Post " + std::to_string(++number), "white plastic", PrimitiveShape::cylinder,
                        Vec3(0.07, top.y(), 0.07), Vec3(top.x(), 0.5 * top.y(), top.z()));
    Builder::paint(o, Vec3(0.28, 0.30, 0.34), 0.3);
    Builder::only_seen(o);
    o.locked = true;
    b.add(o);
  };
  for (const std::size_t at : {std::size_t{1}, std::size_t{12}, std::size_t{23}})
    post(way.points[at].place - 1.2 * kWall * way.points[at].up);
  // Where the loop is upright, on its outside.
  for (const std::size_t at : {kBeforeLoop + kLoopPieces / 4, kBeforeLoop + 3 * kLoopPieces / 4})
    post(way.points[at].place - (kWall + 0.035) * way.points[at].up + Vec3(0, 0.15, 0));
}

}  // namespace

Scene loop(const std::string& folder) {
  Builder b("Loop the loop", "A ball rolls down a lane and through a loop. Let it begin lower, and it falls.", 300);
  b.scene.settings.substeps = 8;
  b.stage(1e8, 0.3, Vec3(0.34, 0.42, 0.44), Vec3(0.80, 0.84, 0.86));
  const Way way = lane();
  Object track = b.object("Lane", "white plastic", PrimitiveShape::box, Vec3::Ones(), Vec3::Zero());
  if (!take_mesh(track, folder, "loop_lane.obj", gutter(way))) return b.done();
  track.body.kind = BodyKind::fixed;
  Builder::paint(track, Vec3(0.92, 0.52, 0.10), 0.35);
  Builder::physics(track, 1e8, 0.3, 0.6);
  b.add(track);
  posts(b, way);
  Object ball = b.object("Ball", "white plastic", PrimitiveShape::sphere, Vec3::Ones(), Vec3::Zero());
  if (!take_mesh(ball, folder, "loop_ball.obj", marble())) return b.done();
  const WayPoint& start = way.points[4];
  ball.transform.position = start.place + (kMarble + 1e-4) * start.up;
  ball.transform.rotation = Quat(Eigen::AngleAxisd(radians(60), Vec3::UnitZ()));
  ball.contact.shape = ContactShape::sphere;
  ball.body.mass = 1;
  Builder::paint(ball, Vec3(0.10, 0.28, 0.66), 0.6);
  PartMaterial band;
  band.part = "Band";
  band.material = ball.material;
  band.material.surface.diffuse = Vec3(0.94, 0.93, 0.90);
  band.material.surface.ambient = 0.9 * band.material.surface.diffuse;
  ball.part_materials = {band};
  Builder::physics(ball, 1e8, 0.3, 0.6);
  b.add(ball);
  const double block = 0.26;
  int number = 0;
  for (int row = 0; row < 3; ++row)
    for (int k = 0; k < 3 - row; ++k) {
      Object o = b.block("Block " + std::to_string(++number), Vec3::Constant(block),
                         Vec3(way.at.x() + 0.75, (row + 0.5) * block, kAside + 1.08 * block * (k - 0.5 * (2 - row))),
                         row % 2 ? Vec3(0.90, 0.87, 0.80) : Vec3(0.20, 0.52, 0.42));
      o.body.kind = BodyKind::rigid;
      o.body.mass = 0.35;
      Builder::physics(o, 1e8, 0.2, 0.5);
      b.add(o);
    }
  b.camera(Vec3(0.8, 2.2, 7.0), Vec3(-0.12, 0.9, 0));
  return b.done();
}

}  // namespace hazumi::shipped
