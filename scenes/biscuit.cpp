// A biscuit falls flat on a ridge and cracks in two: springs that break (docs/numerics/brittle.md).
#include <cmath>
#include <vector>

#include "scenes/builder.h"
#include "scenes/mesh_text.h"
#include "scenes/shipped.h"

namespace hazumi::shipped {

namespace {

constexpr double kRadius = 0.62, kThick = 0.13;  // m
constexpr double kScore = 0;                     // m, where a groove is pressed into the top, along z
constexpr int kSides = 48;

/// How far the top is in or out: scored, pricked in rings, and not quite even.
double bumps(double x, double z) {
  double out = 0.006 * std::sin(9 * x + 2) * std::sin(8 * z + 1);
  out -= 0.025 * std::exp(-(x - kScore) * (x - kScore) / (0.03 * 0.03));
  const auto prick = [&](double px, double pz) {
    const double square = (x - px) * (x - px) + (z - pz) * (z - pz);
    out -= 0.022 * std::exp(-square / (0.03 * 0.03));
  };
  prick(0, 0);
  for (int ring = 1; ring <= 2; ++ring)
    for (int k = 0; k < 6 * ring; ++k) {
      const double angle = 2 * kPi * (k + 0.5 * (ring % 2)) / (6 * ring);
      prick(0.2 * ring * std::sin(angle), 0.2 * ring * std::cos(angle));
    }
  return out;
}

MeshText biscuit_mesh() {
  // Radius and height from the middle of the foot over the rounded edge to the top; the edge is wavy.
  std::vector<Vec3> profile;  // radius, height, share of the waves
  const double half = 0.5 * kThick;
  for (const double r : {0.18, 0.36, 0.48}) profile.push_back({r, -half, 0});
  for (int k = 0; k <= 4; ++k) {
    const double a = radians(-90 + 45 * k);
    profile.push_back({kRadius - half + half * std::cos(a), half * std::sin(a), 0.3 + 0.7 * std::cos(a)});
  }
  const int rows = 10;
  for (int k = rows - 1; k > 0; --k) profile.push_back({(kRadius - half) * k / rows, half, 0});
  MeshText mesh;
  mesh.part("Biscuit");
  std::vector<std::vector<std::size_t>> rings;
  const auto place = [&](const Vec3& p, double angle) {
    const double r = p.x() + 0.012 * p.z() * std::cos(16 * angle);
    const Vec3 x(r * std::sin(angle), p.y(), r * std::cos(angle));
    return Vec3(x.x(), p.z() == 0 && p.y() > 0 ? x.y() + bumps(x.x(), x.z()) : x.y(), x.z());
  };
  for (const Vec3& p : profile) {
    std::vector<std::size_t> ring;
    for (int k = 0; k < kSides; ++k) ring.push_back(mesh.vertex(place(p, 2 * kPi * k / kSides)));
    rings.push_back(ring);
  }
  mesh.skin(rings);
  const std::size_t foot = mesh.vertex({0, -half, 0}), top = mesh.vertex({0, half + bumps(0, 0), 0});
  for (std::size_t k = 0; k < static_cast<std::size_t>(kSides); ++k) {
    const std::size_t next = (k + 1) % static_cast<std::size_t>(kSides);
    mesh.face({foot, rings.front()[next], rings.front()[k]});
    mesh.face({rings.back()[k], rings.back()[next], top});
  }
  return mesh;
}

/// Two layers of nodes on a grid, each tied to all around it: cuts between them are straight. Springs across the groove are soft.
StrungTruss crumb() {
  constexpr double kCell = 0.155;
  StrungTruss truss;
  for (int i = -4; i < 4; ++i)
    for (int k = -4; k < 4; ++k)
      for (const double y : {-0.05, 0.05}) {
        StrungNode node;
        node.position = Vec3((i + 0.5) * kCell, y, (k + 0.5) * kCell);
        node.mass = 1;
        if (std::hypot(node.position.x(), node.position.z()) < kRadius - 0.02) truss.nodes.push_back(node);
      }
  for (std::uint32_t a = 0; a < truss.nodes.size(); ++a)
    for (std::uint32_t b = a + 1; b < truss.nodes.size(); ++b)
      if ((truss.nodes[a].position - truss.nodes[b].position).cwiseAbs().maxCoeff() < 1.5 * kCell) {
        StrungSpring spring;
        spring.a = a;
        spring.b = b;
        if ((truss.nodes[a].position.x() < kScore) != (truss.nodes[b].position.x() < kScore))
          spring.stiffness = spring.damping = 0.25;
        truss.springs.push_back(spring);
      }
  return truss;
}

}  // namespace

Scene biscuit(const std::string& folder) {
  Builder b(
      "Biscuit",
      "A scored biscuit falls on a ridge. Its springs break when they are stretched by 2 %, and it cracks in two.",
      300);
  b.stage(1e7, 0.2, Vec3(0.46, 0.38, 0.33), Vec3(0.80, 0.76, 0.70));
  Object edge = b.block("Ridge", Vec3(0.06, 0.5, 1.5), Vec3(0.01, 0.25, 0), Vec3(0.30, 0.42, 0.48));
  Builder::physics(edge, 1e7, 0.1, 0.4);
  b.add(edge);
  Object o = b.object("Biscuit", "white plastic", PrimitiveShape::box, Vec3::Ones(), Vec3(0, 1.6, 0));
  if (!take_mesh(o, folder, "biscuit.obj", biscuit_mesh())) return b.done();
  o.analysis.name = "Grid";
  o.analysis.kind = AnalysisKind::strung;
  o.analysis.strung = std::make_shared<const StrungTruss>(crumb());
  o.transform.rotation = Quat(Eigen::AngleAxisd(radians(2), Vec3(1, 0, 0.4).normalized()));
  o.body.kind = BodyKind::flexible;
  o.body.cross_section = kHardSkin;
  Builder::springs(o, 1, 12000, 2);
  set_parameter(o.body.parameters, {"lagrange", "breaks", {}, 0.02});
  Builder::physics(o, 1e6, 0.1, 0.4);
  Builder::paint(o, Vec3(0.78, 0.54, 0.27), 0.04);
  b.add(o);
  b.camera(Vec3(1.1, 1.45, 2.4), Vec3(0, 0.42, 0));
  return b.done();
}

}  // namespace hazumi::shipped
