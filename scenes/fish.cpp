// Thesis figure 2.30, anisotropy: one fish, a truss like a ball around it and one like a column along it.
// Each has the other's truss to switch to.
// And figures 3.4 and 3.9: fish in octahedra that fall, one of which keeps its volume. And one that is thrown back into the water, filmed by
// its own motion.
#include "scenes/shipped.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "core/scene/derived/ready_sources.h"
#include "scenes/builder.h"
#include "scenes/characters.h"

namespace hazumi::shipped {

namespace {

/// Looks along +x, 1.7 m long, its middle in the origin.
MetaballGroup fish_group() {
  CharacterMaker m;
  const auto orange = [&] { m.paint(0.92, 0.40, 0.06); };
  const auto white = [&] { m.paint(0.95, 0.93, 0.90); };
  const auto dark = [&] { m.paint(0.05, 0.04, 0.05); };
  const auto tilt = [](double degrees) { return Quat(Eigen::AngleAxisd(radians(degrees), Vec3::UnitZ())); };
  m.weight = 5;
  orange();
  m.ball("Body", {0.08, 0, 0}, {0.52, 0.33, 0.2});
  m.ball("Head", {0.38, -0.01, 0}, {0.26, 0.24, 0.17});
  m.ball("Root of the tail", {-0.46, 0.0, 0}, {0.24, 0.13, 0.085});
  m.weight = 10;
  m.ball("Upper lobe of the tail", {-0.76, 0.14, 0}, {0.17, 0.085, 0.035}, tilt(-50));
  m.ball("Lower lobe of the tail", {-0.76, -0.14, 0}, {0.17, 0.085, 0.035}, tilt(50));
  m.ball("Back fin", {0.02, 0.36, 0}, {0.28, 0.10, 0.035}, tilt(-8));
  m.ball("Belly fin", {-0.12, -0.34, 0}, {0.15, 0.085, 0.035}, tilt(30));
  for (const double side : {1.0, -1.0}) {
    const std::string name = side > 0 ? "left " : "right ";
    const Quat out(Eigen::AngleAxisd(radians(-35 * side), Vec3::UnitY()));
    m.ball(name + "fin", {0.08, -0.1, 0.25 * side}, {0.14, 0.075, 0.03}, out.conjugate() * tilt(20));
  }
  m.weight = 16;
  white();
  m.ball("First band", {0.24, 0, 0}, {0.085, 0.335, 0.215});
  m.ball("Second band", {-0.14, 0, 0}, {0.085, 0.315, 0.20});
  m.ball("Third band", {-0.5, 0, 0}, {0.05, 0.14, 0.10});
  m.buttons("eye", {0.46, 0.075, 0.165}, {0.075, 0.075, 0.05});
  dark();
  m.buttons("pupil", {0.475, 0.075, 0.21}, {0.04, 0.042, 0.016});
  orange();
  m.weight = 10;
  m.ball("Lips", {0.625, -0.06, 0}, {0.05, 0.035, 0.06});
  return m.finished(0.003);
}

constexpr double kTail = -0.95, kMouth = 0.70;

/// A ball around the fish; one of its nodes is the mouth.
StrungTruss ball() {
  TrussRecipe recipe;
  recipe.shape = TrussShape::icosahedron;
  recipe.divisions = {1, 1, 1};
  recipe.size = Vec3::Constant(kMouth - kTail);
  StrungTruss truss = to_strung(make_truss(recipe));
  for (StrungNode& node : truss.nodes) {
    const Vec3 p = node.position;
    node.position = Vec3(0.5 * (kMouth + kTail) + p.y(), -p.x(), p.z());  // a pole forward
    node.pinned = node.position.x() > kMouth - 1e-6;
  }
  for (StrungSpring& spring : truss.springs) spring.stiffness = 0.5;
  return truss;
}

/// Cells one behind the other, from the tail to the head, stiff along and soft across, and the mouth in front
/// of them.
StrungTruss column() {
  Box3 box;
  box.low = Vec3(kTail, -0.17, -0.17);
  box.high = Vec3(0.5, 0.17, 0.17);
  StrungTruss truss = string_box(box, {7, 1, 1});
  for (StrungSpring& spring : truss.springs) {
    const Vec3 along = truss.nodes[spring.b].position - truss.nodes[spring.a].position;
    if (along.normalized().x() > 0.99) spring.stiffness = 6;
  }
  const auto mouth = static_cast<std::uint32_t>(truss.nodes.size());
  truss.nodes.push_back({Vec3(kMouth, 0, 0), 1, true});
  const auto in_front = [&](std::uint32_t n) { return truss.nodes[n].position.x() > box.high.x() - 1e-6; };
  for (std::uint32_t n = 0; n < mouth; ++n)
    if (in_front(n)) truss.springs.push_back({n, mouth, 4});
  std::vector<std::array<std::uint32_t, 3>> hull;
  for (const auto& [a, b, c] : truss.hull) {
    if (!in_front(a) || !in_front(b) || !in_front(c)) {
      hull.push_back({a, b, c});
      continue;
    }
    truss.tetrahedra.push_back({a, b, c, mouth});
    // The side that the two triangles of the front share is inside now.
    for (const auto& [p, q] : {std::pair(a, b), std::pair(b, c), std::pair(c, a)}) {
      const Vec3 side = truss.nodes[q].position - truss.nodes[p].position;
      if (side.y() == 0 || side.z() == 0) hull.push_back({p, q, mouth});
    }
  }
  truss.hull = std::move(hull);
  std::sort(truss.springs.begin(), truss.springs.end(),
            [](const StrungSpring& s, const StrungSpring& t) { return std::pair(s.a, s.b) < std::pair(t.a, t.b); });
  return truss;
}

}  // namespace

Scene fish() {
  Builder b("Fish in a ball and in a column",
            "Left in a truss like a ball, right in one like a column. Shift+V swaps them.", 240);
  b.stage(1e7, 0.5, Vec3(0.62, 0.55, 0.42), Vec3(0.22, 0.42, 0.50));
  const MetaballGroup group = fish_group();
  AnalysisModel round, tall;
  round.name = "Ball";
  tall.name = "Column";
  round.kind = tall.kind = AnalysisKind::strung;
  round.strung = std::make_shared<const StrungTruss>(ball());
  tall.strung = std::make_shared<const StrungTruss>(column());
  for (int k = 0; k < 2; ++k) {
    const Vec3 hook(k ? 1.15 : -1.0, 2.45, 0);
    Object o = b.character(k ? "Fish in a column" : "Fish in a ball", group, {}, Vec3::Zero());
    o.analysis = k ? tall : round;
    o.other_analyses = {k ? round : tall};
    o.transform.rotation =
        Quat(Eigen::AngleAxisd(radians(40), Vec3::UnitZ())) * Quat(Eigen::AngleAxisd(radians(15), Vec3::UnitX()));
    o.transform.position = hook - o.transform.rotation * Vec3(kMouth, 0, 0);
    Builder::springs(o, 4, 150, 0.3);
    Builder::physics(o, 1e5, 0.3, 0.6);
    b.add(o);
    const double top = 5;
    b.add(b.rod(k ? "Line, right" : "Line, left", 0.03, top - hook.y(), Vec3(hook.x(), 0.5 * (top + hook.y()), 0), 16));
  }
  b.camera(Vec3(0.2, 1.7, 5.0), Vec3(0.05, 1.42, 0));
  return b.done();
}

/// Eight faces, six nodes: nothing but springs keeps it from being flat, and those of its edges turn with the faces.
Scene falling_fish() {
  Builder b("Falling fish",
            "Both are in an octahedron of six nodes. The right one keeps its volume: it bulges instead of collapsing.",
            240);
  b.stage(1e7, 0.2, Vec3(0.62, 0.55, 0.42), Vec3(0.22, 0.42, 0.50));
  const MetaballGroup group = fish_group();
  for (int k = 0; k < 2; ++k) {
    Object o = b.character(k ? "Fish that keeps its volume" : "Fish of springs alone", group, {},
                           Vec3(k ? 1.05 : -1.05, 1.9, 0));
    o.analysis.name = "Octahedron";
    o.analysis.kind = AnalysisKind::octahedron;
    o.analysis.strung = nullptr;
    o.analysis.divisions = {1, 1, 1};
    o.analysis.size = Vec3(1.9, 1.3, 1.1);
    o.analysis.offset = Vec3(-0.1, 0, 0);
    Builder::springs(o, 4, 40, 2);
    Builder::physics(o, 1e5, 0.2, 0.6);
    o.transform.rotation = Quat(Eigen::AngleAxisd(radians(-25), Vec3::UnitY()));
    if (k) o.body.volume.of = VolumeOf::surface;
    b.add(o);
  }
  b.camera(Vec3(0.1, 1.5, 4.6), Vec3(0, 0.85, 0));
  return b.done();
}

/// It flops on a pier, is thrown, and where it falls into the water drops rise and the film goes on with another camera.
Scene thrown_back() {
  Builder b("Fish thrown back",
            "It flops on the pier, is thrown back, and swims away. Its motion graph cuts to the second camera as it "
            "falls into the water, and lets the drops rise.",
            300);
  constexpr double kLevel = 1, kPier = 1.5, kScale = 0.4;
  b.stage(1e7, 0.2, Vec3(0.30, 0.34, 0.30), Vec3(0.62, 0.72, 0.82));
  Object pier = b.block("Pier", Vec3(2.2, 0.14, 1.3), Vec3(-2.3, kPier - 0.07, 0), Vec3(0.52, 0.38, 0.26));
  pier.body.kind = BodyKind::fixed;
  Builder::physics(pier, 1e7, 0.2, 0.6);
  b.add(pier);
  int number = 0;
  for (const double x : {-3.2, -1.4})
    for (const double z : {-0.55, 0.55}) {
      Object post = b.rod("Post " + std::to_string(++number), 0.14, kPier + 0.3, Vec3(x, 0.5 * (kPier + 0.3), z), 16);
      Builder::paint(post, Vec3(0.40, 0.29, 0.20), 0.05);
      b.add(post);
    }
  Object o = b.character("Fish", fish_group(), {}, Vec3(-2.25, kPier + 0.3, 0));
  o.transform.scale = Vec3::Constant(kScale);
  o.analysis.name = "Octahedron";
  o.analysis.kind = AnalysisKind::octahedron;
  o.analysis.strung = nullptr;
  o.analysis.divisions = {2, 1, 1};
  o.analysis.size = Vec3(1.9, 1.0, 0.8);
  o.analysis.offset = Vec3(-0.1, 0, 0);
  Builder::springs(o, 14, 9000, 18);
  Builder::physics(o, 1e5, 0.2, 0.6);
  b.add(o);
  Object surface =
      b.object("Surface of the water", "cyan plastic", PrimitiveShape::plane, Vec3(26, 1, 12), Vec3(0, kLevel, 0));
  surface.body.kind = BodyKind::fixed;
  surface.contact.enabled = false;
  Builder::paint(surface, Vec3(0.18, 0.42, 0.54), 0.4);
  surface.material.surface.opacity = 0.45;
  b.add(surface);
  const Id fish = b.id_of("Fish");
  ForceField water;
  water.id = next_id(b.scene);
  water.name = "Water";
  water.kind = FieldKind::water;
  water.position = Vec3(0, kLevel, 0);
  water.linear = 0.8;
  b.scene.fields.emplace_back(water);
  ParticleSource drops = make_ready_sources(b.scene, ReadySource::splash, Vec3(0, kLevel, 0), {}).back();
  drops.id = next_id(b.scene);
  drops.name = "Drops";
  drops.cone = 0.55;
  drops.rate = 0;
  drops.collides = false;
  b.scene.particles.emplace_back(drops);
  const auto shot = [&](const char* name, const Vec3& from, const Vec3& to, double lens, const Vec3& colour) {
    b.camera(from, to);
    b.scene.cameras.back() = b.scene.cameras.back().edited([&](Camera& c) {
      c.id = next_id(b.scene);
      c.name = name;
      c.focal_length = lens;
      c.depth.automatic = true;
      c.colour = colour;
    });
    return b.scene.cameras.back()->id;
  };
  shot("Pier", Vec3(0.1, 2.1, 3.1), Vec3(-2.2, 1.6, 0), 40, Vec3(0.9, 0.62, 0.36));
  b.scene.cameras.back() = b.scene.cameras.back().edited([&](Camera& c) { c.looks_at = fish.value; });
  const Id beside = shot("Water", Vec3(2.5, 1.5, 2.5), Vec3(1.65, 1.0, 0), 35, Vec3(0.42, 0.62, 0.9));
  const auto number_of = [](const char* name, double value) { return MotionParameter{name, {}, value}; };
  const auto flop = [&](double time, double bend, double row) {
    b.chain({b.when("time", fish, {}, 0, row, {number_of("time", time)}), b.does("pose", fish, {}, 1, row,
                                                                                 {{"axis", "x", 0},
                                                                                  number_of("stretch", 0),
                                                                                  number_of("bend", bend),
                                                                                  number_of("in", 0.14),
                                                                                  number_of("stay", 0.03),
                                                                                  number_of("out", 0.05)})});
  };
  flop(0.4, 1.2, 0);
  flop(1.0, -1.1, 1);
  flop(1.5, 1.0, 2);
  const Id thrown = b.when("time", fish, {}, 0, 3, {number_of("time", 2.2)});
  const Id aim =
      b.does("aim", fish, {}, 1, 3, {number_of("x", 1.5), number_of("y", kLevel), number_of("duration", 0.9)});
  const Id wet = b.when("height", fish, {}, 2, 3, {number_of("limit", kLevel + 0.05)});
  b.chain({thrown, aim, wet});
  const Id cut = b.does("cut", fish, beside, 3, 2.5),
           emit = b.does("emit", fish, drops.id, 3, 3.5, {number_of("count", 350), {"where", "centre", 0}});
  b.chain({wet, cut});
  b.chain({wet, emit});
  const Id swims = b.when("time", fish, {}, 3, 4.5, {number_of("time", 0.7), {"from", "armed", 0}});
  b.chain({wet, swims});
  b.chain({swims, b.does("push", fish, {}, 4, 4, {number_of("x", 40), number_of("duration", 1.6)})});
  b.chain({swims, b.does("pose", fish, {}, 4, 5,
                         {{"axis", "x", 0},
                          number_of("stretch", 0),
                          number_of("bend", 0.7),
                          number_of("in", 0.25),
                          number_of("stay", 0.05),
                          number_of("out", 0.25)})});
  return b.done();
}

}  // namespace hazumi::shipped
