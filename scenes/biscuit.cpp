// A biscuit falls flat on an edge and cracks: springs that break (docs/numerics/brittle.md).
#include <cmath>
#include <cstdio>
#include <vector>

#include "core/geometry/truss/tetra_fill.h"
#include "scenes/builder.h"
#include "scenes/mesh_text.h"
#include "scenes/shipped.h"

namespace hazumi::shipped {

namespace {

constexpr double kRadius = 0.62, kThick = 0.13;  // m
constexpr int kSides = 96;

/// How far the top is in or out: pricked in rings, and not quite even.
double bumps(double x, double z) {
  double out = 0.006 * std::sin(9 * x + 2) * std::sin(8 * z + 1);
  const auto prick = [&](double px, double pz) {
    const double square = (x - px) * (x - px) + (z - pz) * (z - pz);
    out -= 0.022 * std::exp(-square / (0.022 * 0.022));
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
  for (const double r : {0.12, 0.24, 0.36, 0.46}) profile.push_back({r, -half, 0});
  for (int k = 0; k <= 8; ++k) {
    const double a = radians(-90 + 22.5 * k);
    profile.push_back({kRadius - half + half * std::cos(a), half * std::sin(a), 0.3 + 0.7 * std::cos(a)});
  }
  const int rows = 18;
  for (int k = rows - 1; k > 0; --k) profile.push_back({(kRadius - half) * k / rows, half, 0});
  MeshText mesh;
  mesh.part("Biscuit");
  std::vector<std::vector<std::size_t>> rings;
  const auto place = [&](const Vec3& p, double angle) {
    const double r = p.x() + 0.012 * p.z() * std::cos(24 * angle);
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

bool fill(Object& o, int tetrahedra) {
  TetraFillOptions options;
  options.tetrahedra = tetrahedra;
  options.feature_angle = kPi;
  auto filled = fill_with_tetrahedra(*o.display.mesh.mesh, options);
  if (!filled.ok()) {
    std::fprintf(stderr, "%s\n", to_string(filled.error()).c_str());
    return false;
  }
  StrungTruss truss = std::move(filled.value().truss);
  for (StrungNode& node : truss.nodes) {
    node.position = (node.position * 1e4).array().round() * 1e-4;
    node.mass = 1;
  }
  o.analysis.name = "Tetrahedra";
  o.analysis.kind = AnalysisKind::strung;
  o.analysis.strung = std::make_shared<const StrungTruss>(std::move(truss));
  return true;
}

}  // namespace

Scene biscuit(const std::string& folder) {
  Builder b("Biscuit",
            "A biscuit falls on an edge. Its springs break when they are stretched by 1.5 %, and it cracks in two.",
            300);
  b.stage(1e7, 0.2, Vec3(0.46, 0.38, 0.33), Vec3(0.80, 0.76, 0.70));
  Object edge = b.block("Edge", Vec3(0.16, 0.5, 1.5), Vec3(0.02, 0.25, 0), Vec3(0.30, 0.42, 0.48));
  Builder::physics(edge, 1e7, 0.1, 0.6);
  b.add(edge);
  Object o = b.object("Biscuit", "white plastic", PrimitiveShape::box, Vec3::Ones(), Vec3(0, 1.75, 0));
  if (!take_mesh(o, folder, "biscuit.obj", biscuit_mesh()) || !fill(o, 500)) return b.done();
  o.transform.rotation = Quat(Eigen::AngleAxisd(radians(3), Vec3(0.3, 0, 1).normalized()));
  o.body.kind = BodyKind::flexible;
  o.body.cross_section = kHardSkin;
  Builder::springs(o, 1, 2e4, 4);
  set_parameter(o.body.parameters, {"lagrange", "breaks", {}, 0.015});
  Builder::physics(o, 1e6, 0.1, 0.6);
  Builder::paint(o, Vec3(0.78, 0.54, 0.27), 0.04);
  b.add(o);
  b.camera(Vec3(1.0, 1.5, 3.4), Vec3(0, 0.5, 0));
  return b.done();
}

}  // namespace hazumi::shipped
