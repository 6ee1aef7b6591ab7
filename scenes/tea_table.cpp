// A table laid with a tea set: meshes of our own, hollow and open, on each other. An orange rolls over it.
#include "scenes/shipped.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "scenes/builder.h"
#include "scenes/mesh_text.h"

namespace hazumi::shipped {

namespace {

constexpr double kTableTop = 0.72, kTableRadius = 0.55;  // m
constexpr double kGap = 2e-4;                            // m, between what stands on each other at the start
constexpr double kSaucerInside = 0.007;                  // m, height of the middle of a saucer above its foot
constexpr double kCupHigh = 0.062, kPotHigh = 0.145;

/// A closed tube along places, seen as round with `sides`.
void tube(MeshText& mesh, const std::vector<Vec3>& places, const std::vector<double>& radii, std::size_t sides) {
  std::vector<std::vector<std::size_t>> rings;
  for (std::size_t k = 0; k < places.size(); ++k) {
    const Vec3 along = (places[std::min(k + 1, places.size() - 1)] - places[k > 0 ? k - 1 : 0]).normalized();
    const Vec3 across = along.cross(Vec3::UnitZ()).normalized(), beside = along.cross(across);
    std::vector<std::size_t> ring;
    for (std::size_t i = 0; i < sides; ++i) {
      const double angle = 2 * kPi * static_cast<double>(i) / static_cast<double>(sides);
      ring.push_back(mesh.vertex(places[k] + radii[k] * (std::cos(angle) * across + std::sin(angle) * beside)));
    }
    rings.push_back(ring);
  }
  mesh.skin(rings);
  mesh.face({rings.front().rbegin(), rings.front().rend()});
  mesh.face(rings.back());
}

/// An arc in the plane of x and y whose ends are in the wall.
void handle(MeshText& mesh, const Vec2& middle, double radius, double thick) {
  std::vector<Vec3> places;
  for (int k = 0; k <= 10; ++k) {
    const double angle = radians(-105 + 21.0 * k);
    places.emplace_back(middle.x() + radius * std::cos(angle), middle.y() + radius * std::sin(angle), 0);
  }
  tube(mesh, places, std::vector<double>(places.size(), thick), 8);
}

MeshText table() {
  MeshText mesh;
  mesh.part("Table");
  mesh.turned({{0, 0},
               {0.26, 0},
               {0.27, 0.012},
               {0.12, 0.045},
               {0.045, 0.09},
               {0.035, 0.35},
               {0.045, 0.60},
               {0.10, 0.675},
               {0.20, 0.695},
               {kTableRadius - 0.015, 0.695},
               {kTableRadius, 0.703},
               {kTableRadius, kTableTop - 0.005},
               {kTableRadius - 0.008, kTableTop},
               {0, kTableTop}},
              48);
  return mesh;
}

MeshText saucer() {
  MeshText mesh;
  mesh.part("Saucer");
  mesh.turned({{0, 0.001},
               {0.030, 0.001},
               {0.031, 0},
               {0.038, 0},
               {0.050, 0.004},
               {0.074, 0.014},
               {0.075, 0.016},
               {0.073, 0.017},
               {0.050, 0.0085},
               {0.034, kSaucerInside},
               {0, kSaucerInside}},
              32);
  return mesh;
}

MeshText cup() {
  MeshText mesh;
  mesh.part("Cup");
  mesh.turned({{0, 0},
               {0.024, 0},
               {0.026, 0.004},
               {0.034, 0.015},
               {0.041, 0.036},
               {0.0445, kCupHigh},
               {0.0425, kCupHigh},
               {0.0385, 0.036},
               {0.030, 0.015},
               {0.018, 0.007},
               {0, 0.006}},
              28);
  mesh.part("Handle");
  handle(mesh, {0.049, 0.034}, 0.017, 0.0032);
  return mesh;
}

MeshText pot() {
  MeshText mesh;
  mesh.part("Pot");
  mesh.turned({{0, 0},
               {0.050, 0},
               {0.055, 0.005},
               {0.078, 0.035},
               {0.084, 0.065},
               {0.076, 0.100},
               {0.055, 0.130},
               {0.046, 0.137},
               {0.046, kPotHigh},
               {0.041, kPotHigh},
               {0.041, 0.134},
               {0.050, 0.125},
               {0.070, 0.098},
               {0.078, 0.065},
               {0.072, 0.037},
               {0.049, 0.008},
               {0, 0.007}},
              32);
  mesh.part("Handle of the pot");
  handle(mesh, {0.088, 0.072}, 0.038, 0.006);
  mesh.part("Spout");
  tube(mesh, {{-0.076, 0.045, 0}, {-0.095, 0.055, 0}, {-0.115, 0.085, 0}, {-0.128, 0.115, 0}, {-0.145, 0.132, 0}},
       {0.017, 0.0155, 0.012, 0.0095, 0.0085}, 12);
  return mesh;
}

/// Lies on the pot's rim; a collar below keeps it there.
MeshText lid() {
  MeshText mesh;
  mesh.part("Lid");
  mesh.turned({{0, -0.006},
               {0.038, -0.006},
               {0.0385, 0},
               {0.048, 0},
               {0.048, 0.003},
               {0.035, 0.010},
               {0.012, 0.016},
               {0.006, 0.019},
               {0.011, 0.026},
               {0.010, 0.032},
               {0, 0.035}},
              28);
  return mesh;
}

MeshText bowl() {
  MeshText mesh;
  mesh.part("Bowl");
  mesh.turned({{0, 0},
               {0.030, 0},
               {0.034, 0.004},
               {0.048, 0.022},
               {0.052, 0.045},
               {0.0495, 0.045},
               {0.044, 0.023},
               {0.034, 0.010},
               {0, 0.010}},
              28);
  return mesh;
}

MeshText jug() {
  MeshText mesh;
  mesh.part("Jug");
  mesh.turned({{0, 0},
               {0.028, 0},
               {0.031, 0.004},
               {0.037, 0.025},
               {0.030, 0.060},
               {0.034, 0.085},
               {0.0315, 0.085},
               {0.0275, 0.060},
               {0.034, 0.025},
               {0.027, 0.006},
               {0, 0.005}},
              28);
  mesh.part("Handle of the jug");
  handle(mesh, {0.036, 0.045}, 0.021, 0.004);
  return mesh;
}

struct Laid {
  Builder& b;
  const std::string& folder;

  void put(const char* name, const char* file, const MeshText& mesh, const Vec3& at, double turn, double mass,
           const Vec3& colour) {
    Object o = b.object(name, "white plastic", PrimitiveShape::sphere, Vec3::Ones(), at);
    if (!take_mesh(o, folder, file, mesh)) return;
    o.transform.rotation = Quat(Eigen::AngleAxisd(radians(turn), Vec3::UnitY()));
    o.body.kind = mass > 0 ? BodyKind::rigid : BodyKind::fixed;
    if (mass > 0) o.body.mass = mass;
    Builder::paint(o, colour, mass > 0 ? 0.55 : 0.10);
    o.material.surface.shininess = mass > 0 ? 60 : 20;
    Builder::physics(o, 1e9, 0.15, 0.35);
    b.add(o);
  }

  void sugar(int number, const Vec3& at, double turn) {
    Object o = b.block("Sugar " + std::to_string(number), Vec3(0.016, 0.013, 0.016), at, Vec3(0.95, 0.94, 0.90));
    o.transform.rotation = Quat(Eigen::AngleAxisd(radians(turn), Vec3::UnitY()));
    o.body.kind = BodyKind::rigid;
    o.body.mass = 0.004;
    Builder::physics(o, 1e8, 0.1, 0.5);
    b.add(o);
  }
};

}  // namespace

Scene tea_table(const std::string& folder) {
  Builder b("Laid tea table",
            "Pot, cups and saucers stand on a mesh table. An orange rolls over it, and sugar falls into a cup.", 200);
  b.scene.settings.substeps = 8;
  b.stage(1e8, 0.2, Vec3(0.40, 0.31, 0.25), Vec3(0.66, 0.70, 0.68));
  Laid laid{b, folder};
  const Vec3 china(0.90, 0.91, 0.93), blue(0.30, 0.45, 0.66);
  laid.put("Table", "tea_table.obj", table(), Vec3::Zero(), 0, 0, Vec3(0.50, 0.30, 0.17));
  const double top = kTableTop + kGap;
  const struct { double x, z, turn; } places[] = {{-0.28, 0.24, 40}, {0.27, 0.27, -20}, {0.31, -0.14, 70}};
  int number = 0;
  for (const auto& p : places) {
    const std::string n = " " + std::to_string(++number);
    laid.put(("Saucer" + n).c_str(), "tea_saucer.obj", saucer(), {p.x, top, p.z}, 0, 0.14, blue);
    laid.put(("Cup" + n).c_str(), "tea_cup.obj", cup(), {p.x, top + kSaucerInside + kGap, p.z}, p.turn, 0.12, china);
  }
  laid.put("Pot", "tea_pot.obj", pot(), {-0.06, top, -0.18}, 25, 0.7, china);
  laid.put("Lid", "tea_lid.obj", lid(), {-0.06, top + kPotHigh + kGap, -0.18}, 0, 0.09, blue);
  laid.put("Sugar bowl", "tea_bowl.obj", bowl(), {0.02, top, 0.12}, 0, 0.16, blue);
  laid.put("Milk jug", "tea_jug.obj", jug(), {-0.33, top, -0.06}, 140, 0.18, china);
  const double in_bowl = top + 0.010 + 0.0065 + kGap;
  laid.sugar(1, {0.010, in_bowl, 0.11}, 10);
  laid.sugar(2, {0.032, in_bowl, 0.118}, 50);
  laid.sugar(3, {0.014, in_bowl, 0.135}, -20);
  laid.sugar(4, {0.018, in_bowl + 0.0135, 0.12}, 30);
  laid.sugar(5, {-0.272, kTableTop + 0.30, 0.245}, 25);
  laid.sugar(6, {-0.290, kTableTop + 0.42, 0.235}, -35);
  Object orange = b.object("Orange", "white plastic", PrimitiveShape::sphere, Vec3::Constant(0.075),
                           {0.46, kTableTop + 0.0375 + kGap, 0.06});
  Builder::paint(orange, Vec3(0.92, 0.48, 0.08), 0.2);
  orange.body.kind = BodyKind::rigid;
  orange.body.mass = 0.16;
  orange.body.velocity = Vec3(-2.6, 0, -0.395);
  orange.body.spin = orange.body.velocity.cross(-Vec3::UnitY()) / 0.0375;
  Builder::physics(orange, 1e6, 0.4, 0.4);
  orange.material.substance.rolling = 2e-4;
  b.add(orange);
  b.camera(Vec3(-0.88, 1.22, 0.80), Vec3(-0.06, 0.60, -0.02));
  return b.done();
}

}  // namespace hazumi::shipped
